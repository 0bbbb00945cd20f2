//! The manifest: the one value that changes. It says which blocks count, and holds the newest changes itself.

use super::block::{Child, Id, Place, Value, read_change, read_children, write_change, write_children};
use super::bytes::{Reader, Writer};
use keepsake::store::StoreError;
use std::collections::BTreeMap;

/// The name of a commit.
pub(super) type Commit = [u8; 8];

/// So many commits are remembered.
const REMEMBERED: usize = 32;

/// Which blocks count, and what has changed since they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The last commits, the newest last: by this, whoever was told that it did not happen sees whether that is so.
    pub(super) recent: Vec<Commit>,
    /// How many levels of branches there are between these children and the leaves.
    pub(super) levels: u64,
    /// The topmost blocks of the tree.
    pub(super) children: Vec<Child>,
    /// Changes that are not in the tree yet: most commits write nothing but a manifest.
    pub(super) tail: BTreeMap<Place, Option<Value>>,
    /// Where the tree was brought up to date last; it goes on there.
    pub(super) cursor: Place,
    /// Blocks that no longer count, and since when. Others may still be reading them.
    pub(super) dead: Vec<(u64, Id)>,
}

impl Manifest {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new();
        out.number(self.recent.len() as u64);
        self.recent.iter().for_each(|commit| out.fixed(commit));
        out.number(self.levels);
        write_children(&self.children, &mut out);
        out.number(self.tail.len() as u64);
        for (place, value) in &self.tail {
            out.bytes(place);
            write_change(value.as_ref(), &mut out);
        }
        out.bytes(&self.cursor);
        out.number(self.dead.len() as u64);
        for (since, id) in &self.dead {
            out.number(*since);
            out.fixed(&id.0);
        }
        out.finish()
    }

    /// Nothing was ever written: that is an empty manifest.
    pub(super) fn decode(bytes: Option<&[u8]>) -> Result<Self, StoreError> {
        let Some(bytes) = bytes else { return Ok(Self::default()) };
        let mut from = Reader::new(bytes)?;
        Ok(Self {
            recent: from.list(Reader::fixed)?,
            levels: from.number()?,
            children: read_children(&mut from)?,
            tail: from.list(|from| Ok((from.bytes()?, read_change(from)?)))?.into_iter().collect(),
            cursor: from.bytes()?,
            dead: from.list(|from| Ok((from.number()?, Id(from.fixed()?))))?,
        })
    }

    /// Remembers a commit, and forgets the oldest.
    pub(super) fn remember(&mut self, commit: Commit) {
        self.recent.push(commit);
        let old = self.recent.len().saturating_sub(REMEMBERED);
        self.recent.drain(..old);
    }

    /// How many bytes the tail is.
    pub(super) fn tail_size(&self) -> usize {
        self.tail.iter().map(|(place, value)| 8 + place.len() + value.as_ref().map_or(0, Value::size)).sum()
    }
}
