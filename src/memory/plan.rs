//! A write before it happens: every operation, link and effect of it, complete before anything is touched.

use super::keys::Keys;
use super::state::{EntryChange, Leaf, Step, Words};
use crate::codec::{Body, Record, SALT};
use crate::log::{Change, Hash, Head, Link, Page, hash};
use crate::model::{Entry, EntryId, Timestamp};
use crate::store::{Durability, Op, Revision, Space, WriteBatch};
use std::rc::Rc;

/// Chance for the salts of a body and of a record.
pub(super) type Salts = [[u8; SALT]; 2];

/// An entry as it was read, with the bytes that it was read from.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) record: Record,
    pub(super) record_bytes: Vec<u8>,
    pub(super) body_bytes: Option<Vec<u8>>,
}

/// A write being put together on one revision.
#[derive(Debug)]
pub(super) struct Plan {
    keys: Keys,
    pub(super) base: Revision,
    pub(super) before: Head,
    /// The one time of this write.
    pub(super) now: Timestamp,
    pub(super) ops: Vec<Op>,
    links: Vec<Link>,
    pub(super) entries: Vec<EntryChange>,
    /// The places of entries that were there and are changed or taken away.
    pub(super) touched: Vec<u64>,
}

impl Plan {
    pub(super) fn new(keys: Keys, base: Revision, before: Head, now: Timestamp) -> Self {
        Self { keys, base, before, now, ops: Vec::new(), links: Vec::new(), entries: Vec::new(), touched: Vec::new() }
    }

    /// Writes a new entry and, unless the summary says it all, its content.
    pub(super) fn add(&mut self, entry: Entry, content: &str, words: &Words, salts: Salts) {
        let seq = self.last_seq() + 1;
        self.put(Change::Add, entry, seq, content, words, salts);
    }

    /// The place of the last link in the log, as far as the plan goes.
    pub(super) fn last_seq(&self) -> u64 {
        self.before.seq + self.links.len() as u64
    }

    /// Writes an entry anew. What it was becomes its history.
    pub(super) fn update(&mut self, old: &Stored, entry: Entry, content: &str, words: &Words, salts: Salts) {
        let before = self.keys.version(&entry.id, old.record.entry.version);
        self.ops.push(Op::Put(Space::Records, before.clone(), old.record_bytes.clone()));
        if let Some(body) = &old.body_bytes {
            self.ops.push(Op::Put(Space::Bodies, before, body.clone()));
            self.ops.push(Op::Delete(Space::Bodies, self.keys.entry(&entry.id)));
        }
        self.touched.push(old.record.seq);
        self.put(Change::Update, entry, old.record.seq, content, words, salts);
    }

    fn put(&mut self, change: Change, entry: Entry, seq: u64, content: &str, words: &Words, salts: Salts) {
        let key = self.keys.entry(&entry.id);
        let body = (entry.summary != content).then(|| Body::encode(content, salts[0]));
        let record = Record { seq, body: body.as_deref().map(hash), entry };
        let bytes = record.encode(salts[1]);
        let id = record.entry.id.clone();
        self.link(change, &id, hash(&bytes));
        if let Some(body) = body {
            self.ops.push(Op::Put(Space::Bodies, key.clone(), body));
        }
        self.ops.push(Op::Put(Space::Records, key, bytes));
        self.entries.push((id, Some(Rc::new(Leaf::of(&record, words)))));
    }

    /// Takes an entry away, with its content and its history. Its links stay, and name nothing that is left.
    pub(super) fn delete(&mut self, id: &EntryId, seq: u64) {
        self.touched.push(seq);
        self.link(Change::Delete, id, Hash::default());
        for space in [Space::Records, Space::Bodies] {
            self.ops.push(Op::Delete(space, self.keys.entry(id)));
            self.ops.push(Op::DeleteRange(space, self.keys.versions(id)));
        }
        self.entries.push((id.clone(), None));
    }

    fn link(&mut self, change: Change, id: &EntryId, payload: Hash) {
        self.links.push(Link { at: self.now, change, key: Keys::entry_suffix(id), payload });
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
