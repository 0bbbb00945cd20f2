//! The manifest: the one mutable value. It names the live blocks, and holds the newest changes itself.

use super::block::{Child, Id, Place, Value, read_change, read_children, write_change, write_children};
use super::bytes::{Reader, Writer};
use keepsake::store::StoreError;
use std::collections::BTreeMap;

/// The random id of a commit.
pub(super) type Commit = [u8; 8];

/// The number of recent commits kept.
const REMEMBERED: usize = 32;

/// The live blocks, and the changes since they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The last commits, the newest last: a writer whose swap was reported as failed finds here whether it succeeded.
    pub(super) recent: Vec<Commit>,
    /// The number of branch levels between these children and the leaves.
    pub(super) levels: u64,
    /// The topmost blocks of the tree.
    pub(super) children: Vec<Child>,
    /// Changes that are not in the tree yet: most commits write only a manifest.
    pub(super) tail: BTreeMap<Place, Option<Value>>,
    /// The position where the last flush of the tail stopped.
    pub(super) cursor: Place,
    /// Blocks that are no longer live, and since when. Readers may still use them.
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

    /// A missing value is an empty manifest.
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

    /// Adds a recent commit, and drops the oldest.
    pub(super) fn remember(&mut self, commit: Commit) {
        self.recent.push(commit);
        let old = self.recent.len().saturating_sub(REMEMBERED);
        self.recent.drain(..old);
    }

    /// The size of the tail in bytes.
    pub(super) fn tail_size(&self) -> usize {
        self.tail.iter().map(|(place, value)| 8 + place.len() + value.as_ref().map_or(0, Value::size)).sum()
    }
}
