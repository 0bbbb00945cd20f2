//! A write before it happens: every operation, link and effect of it, complete before anything is touched.

use super::keys::Keys;
use super::state::{EntryChange, Step};
use crate::codec::{Body, Record, SALT};
use crate::log::{Change, Head, Link, Page, hash};
use crate::model::{Entry, Timestamp};
use crate::store::{Durability, Op, Revision, Space, WriteBatch};

/// A write being put together on one revision.
#[derive(Debug)]
pub(super) struct Plan {
    keys: Keys,
    base: Revision,
    before: Head,
    /// The one time of this write.
    pub(super) now: Timestamp,
    ops: Vec<Op>,
    links: Vec<Link>,
    entries: Vec<EntryChange>,
}

impl Plan {
    pub(super) fn new(keys: Keys, base: Revision, before: Head, now: Timestamp) -> Self {
        Self { keys, base, before, now, ops: Vec::new(), links: Vec::new(), entries: Vec::new() }
    }

    /// Writes an entry and, unless the summary says it all, its content.
    pub(super) fn add_entry(&mut self, entry: Entry, content: &str, salts: [[u8; SALT]; 2]) {
        let key = self.keys.entry(&entry.id);
        let body = (entry.summary != content).then(|| Body::encode(content, salts[0]));
        let record =
            Record { seq: self.before.seq + self.links.len() as u64 + 1, body: body.as_deref().map(hash), entry };
        let bytes = record.encode(salts[1]);
        let id = record.entry.id.clone();
        self.links.push(Link {
            at: self.now,
            change: Change::Add,
            key: Keys::entry_suffix(&id),
            payload: hash(&bytes),
        });
        if let Some(body) = body {
            self.ops.push(Op::Put(Space::Bodies, key.clone(), body));
        }
        self.ops.push(Op::Put(Space::Records, key, bytes));
        self.entries.push((id, Some(record)));
    }

    /// The batch to commit, and the step that the state takes once that has succeeded.
    pub(super) fn finish(self, durability: Durability) -> (WriteBatch, Step) {
        let to = self.base.next();
        let page = Page { before: self.before, links: self.links };
        let mut ops = self.ops;
        ops.push(Op::Put(Space::Log, self.keys.log_page(to), page.encode()));
        let batch = WriteBatch { guard: self.keys.guard(), base: self.base, ops, durability };
        (batch, Step { from: self.base, to, head: page.after(), entries: self.entries })
    }
}
