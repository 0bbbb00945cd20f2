//! A write before it is committed: all of its operations, links and effects.

use super::derived;
use super::keys::{Keys, Named};
use super::room::Room;
use super::state::{DocChange, Leaf, Step, Words};
use crate::codec::{Body, Frame, Kind, Record, SALT, SessionRecord, StoredMessage};
use crate::index::DocKind;
use crate::log::{Change, Hash, Head, Link, Page, hash};
use crate::model::{AgentId, Entry, EntryId, SessionId, Timestamp};
use crate::store::{Durability, Key, Op, Revision, Space, WriteBatch};
use std::ops::Range;
use std::rc::Rc;

/// Random salts for a body and a record.
pub(in crate::memory) type Salts = [[u8; SALT]; 2];

/// An entry as read, with its stored bytes.
#[derive(Debug)]
pub(in crate::memory) struct Stored {
    pub(in crate::memory) record: Record,
    pub(super) record_bytes: Vec<u8>,
    pub(super) body_bytes: Option<Vec<u8>>,
}

/// An entry to write.
#[derive(Debug)]
pub(in crate::memory) struct New<'a> {
    pub(in crate::memory) entry: Entry,
    pub(in crate::memory) content: &'a str,
    /// Its words, if it is an update: what is new is indexed while the storage writes.
    pub(in crate::memory) words: Option<&'a Words>,
    pub(in crate::memory) vector: Option<Vec<u8>>,
    pub(in crate::memory) salts: Salts,
}

/// A message to write, with its session's data.
#[derive(Debug)]
pub(in crate::memory) struct Said {
    pub(in crate::memory) session: SessionId,
    pub(in crate::memory) agent: Option<AgentId>,
    pub(in crate::memory) stored: StoredMessage,
    /// The ids of calls of the memory's own tools that the message answers.
    pub(in crate::memory) own: Vec<String>,
}

/// A new entry that is not indexed yet.
#[derive(Debug)]
pub(in crate::memory) struct Unread {
    /// Its change in `Plan::docs`.
    pub(in crate::memory) doc: usize,
    pub(in crate::memory) record: Record,
    pub(in crate::memory) content: String,
    pub(in crate::memory) vector: Vec<u8>,
}

/// A write being planned on one revision.
#[derive(Debug)]
pub(in crate::memory) struct Plan {
    keys: Keys,
    pub(in crate::memory) base: Revision,
    pub(in crate::memory) before: Head,
    /// The time of this write, the same for all of its parts.
    pub(in crate::memory) now: Timestamp,
    pub(in crate::memory) ops: Vec<Op>,
    pub(in crate::memory) links: Vec<Link>,
    pub(in crate::memory) docs: Vec<DocChange>,
    /// Messages and entries that are not indexed yet: they are indexed while the storage writes.
    pub(in crate::memory) said: Vec<Said>,
    pub(in crate::memory) unread: Vec<Unread>,
    /// The sessions that the plan changes, with their new records; `None` if deleted.
    pub(in crate::memory) sessions: Vec<(SessionId, Option<SessionRecord>)>,
    /// The places of stored entries that the plan changes or deletes, in the order of the plan.
    pub(super) touched: Vec<u64>,
    /// The same as a bit set: a batch checks each of its own places.
    touches: Vec<u64>,
    /// The evicted entries.
    pub(in crate::memory) evicted: Vec<Evicted>,
    /// The namespaces that the plan writes to, in their state so far.
    pub(super) rooms: Vec<Room>,
    /// Whether expired entries were already swept: once is enough for a batch.
    pub(in crate::memory) swept: bool,
    /// How often the index had been dropped when the plan began.
    pub(super) dropped: u64,
    /// Hashes of the ids, keys and texts that the index does not know yet.
    claimed: Vec<u64>,
    /// The bytes of the operations, as far as they are counted.
    bytes: usize,
    counted: usize,
}

/// The most links and bytes of a plan that several writes share.
const MOST_LINKS: usize = 1024;
const MOST_BYTES: usize = 1 << 20;

/// An entry that was evicted because its namespace was full.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evicted {
    /// Its id.
    pub id: EntryId,
    /// Its namespace.
    pub namespace: String,
}

impl Plan {
    pub(in crate::memory) fn new(keys: Keys, base: Revision, before: Head, now: Timestamp) -> Self {
        Self {
            keys,
            base,
            before,
            now,
            ops: Vec::new(),
            links: Vec::new(),
            docs: Vec::new(),
            said: Vec::new(),
            unread: Vec::new(),
            sessions: Vec::new(),
            touched: Vec::new(),
            touches: Vec::new(),
            evicted: Vec::new(),
            rooms: Vec::new(),
            swept: false,
            dropped: 0,
            claimed: Vec::new(),
            bytes: 0,
            counted: 0,
        }
    }

    /// Claims an id, a key or a text, each with a letter of its own. `false` if an earlier write of this plan has claimed
    /// it: the index, which only has stored entries, would not tell.
    pub(in crate::memory) fn claim(&mut self, kind: char, text: &str) -> bool {
        let key = derived::key(text, kind.into());
        let is_free = !self.claimed.contains(&key);
        self.claimed.push(key);
        is_free
    }

    /// The number of bytes of the operations.
    pub(super) fn weigh(&mut self) -> usize {
        for op in self.ops.iter().skip(self.counted) {
            if let Op::Put(_, key, bytes) | Op::Add(_, key, bytes) = op {
                self.bytes += key.as_bytes().len() + bytes.len();
            }
        }
        self.counted = self.ops.len();
        self.bytes
    }

    /// The bytes that `weigh` has counted.
    pub(super) fn weight(&self) -> usize {
        self.bytes
    }

    /// Whether no other write should be added.
    pub(in crate::memory) fn is_full(&mut self) -> bool {
        self.links.len() >= MOST_LINKS || self.weigh() >= MOST_BYTES
    }

    /// Adds an entry and, if its content is long, its body.
    pub(in crate::memory) fn add(&mut self, new: New<'_>) {
        let seq = self.last_seq() + 1;
        self.put(Change::Add, seq, new);
    }

    /// The place of the plan's last link in the log.
    pub(in crate::memory) fn last_seq(&self) -> u64 {
        self.before.seq + self.links.len() as u64
    }

    /// Updates an entry. The old version becomes history.
    pub(in crate::memory) fn update(&mut self, old: &Stored, new: New<'_>) {
        let id = &new.entry.id;
        let before = self.keys.version(id, old.record.entry.version);
        self.put_beside(before.clone(), old.record_bytes.clone());
        if let Some(body) = &old.body_bytes {
            self.ops.push(Op::Put(Space::Bodies, before, body.clone()));
            self.ops.push(Op::Delete(Space::Bodies, self.keys.entry(id)));
        }
        if old.record.vector.is_some() && new.vector.is_none() {
            self.ops.push(Op::Delete(Space::Bodies, self.keys.vector(id)));
        }
        self.touch(old.record.seq);
        self.put(Change::Update, old.record.seq, new);
    }

    fn put(&mut self, change: Change, seq: u64, New { entry, content, words, vector, salts }: New<'_>) {
        let key = self.keys.entry(&entry.id);
        let rest = Some(content).filter(|content| *content != entry.summary);
        let (short, long) = (
            rest.filter(|content| content.len() <= Record::MAX_CONTENT),
            rest.filter(|content| content.len() > Record::MAX_CONTENT),
        );
        let body = long.map(|content| Body::encode(content, salts[0]));
        let record = Record {
            seq,
            content: short.map(str::to_owned),
            body: body.as_deref().map(hash),
            vector: vector.as_deref().map(hash),
            entry,
        };
        if let Some(body) = body {
            self.ops.push(Op::Put(Space::Bodies, key, body));
        }
        match words {
            Some(words) => self.put_record(change, &record, words, vector.as_deref(), salts[1]),
            None => {
                self.put_bytes(change, &record, vector.as_deref(), salts[1]);
                self.docs.push(DocChange { kind: DocKind::Entry, id: record.entry.id.to_string(), leaf: None });
                self.unread.push(Unread {
                    doc: self.docs.len() - 1,
                    record: record.clone(),
                    content: content.to_owned(),
                    vector: vector.unwrap_or_default(),
                });
            }
        }
        Room::write(self, &record);
    }

    /// Rewrites an entry with its content unchanged, with its vector. This is no new version.
    pub(in crate::memory) fn keep(&mut self, mut record: Record, words: &Words, vector: Option<&[u8]>, salts: Salts) {
        record.vector = vector.map(hash);
        self.touch(record.seq);
        self.put_record(Change::Update, &record, words, vector, salts[1]);
    }

    /// Rewrites an entry whose content is deleted: only its summary is left.
    pub(in crate::memory) fn summarise(&mut self, mut record: Record, words: &Words, salt: [u8; SALT]) {
        (record.content, record.body, record.vector) = (None, None, None);
        self.touch(record.seq);
        self.ops.push(Op::Delete(Space::Bodies, self.keys.entry(&record.entry.id)));
        self.ops.push(Op::Delete(Space::Bodies, self.keys.vector(&record.entry.id)));
        self.put_record(Change::Update, &record, words, None, salt);
    }

    fn put_record(&mut self, change: Change, record: &Record, words: &Words, vector: Option<&[u8]>, salt: [u8; SALT]) {
        self.put_bytes(change, record, vector, salt);
        let leaf = Rc::new(Leaf::of(record, words, vector.unwrap_or(&[])));
        self.docs.push(DocChange { kind: DocKind::Entry, id: record.entry.id.to_string(), leaf: Some(leaf) });
    }

    fn put_bytes(&mut self, change: Change, record: &Record, vector: Option<&[u8]>, salt: [u8; SALT]) {
        let id = &record.entry.id;
        let bytes = record.encode(salt);
        self.link(change, &Named::Entry(id.clone()), hash(&bytes));
        if let Some(vector) = vector {
            let value = Frame::seal(Kind::Vector, vector);
            self.ops.push(Op::Put(Space::Bodies, self.keys.vector(id), value));
        }
        let key = self.keys.entry(id);
        if change == Change::Add {
            self.ops.push(Op::Add(Space::Records, key, bytes));
        } else {
            // What was added is never overwritten, only deleted.
            self.ops.push(Op::Delete(Space::Records, key.clone()));
            self.ops.push(Op::Put(Space::Records, key, bytes));
        }
    }

    /// Deletes an entry with its content and its history. Its links stay, but point to nothing.
    pub(in crate::memory) fn delete(&mut self, id: &EntryId, seq: u64) {
        self.touch(seq);
        self.link(Change::Delete, &Named::Entry(id.clone()), Hash::default());
        for space in [Space::Records, Space::Bodies] {
            self.ops.push(Op::Delete(space, self.keys.entry(id)));
            self.ops.push(Op::DeleteRange(space, self.keys.versions(id)));
        }
        self.ops.push(Op::Delete(Space::Bodies, self.keys.vector(id)));
        self.docs.push(DocChange { kind: DocKind::Entry, id: id.to_string(), leaf: None });
    }

    /// Deletes an expired entry that blocks a new one, unless the plan has done so already.
    pub(in crate::memory) fn expire(&mut self, id: &EntryId, seq: u64) {
        if !self.touches(seq) {
            self.delete(id, seq);
        }
    }

    /// Writes a record that is no entry, and its indexed document.
    pub(in crate::memory) fn put_named(&mut self, change: Change, named: &Named, bytes: Vec<u8>, leaf: Option<Leaf>) {
        self.link(change, named, hash(&bytes));
        self.ops.push(Op::Put(Space::Records, self.keys.named(named), bytes));
        if let (Some((kind, id)), Some(leaf)) = (named.doc(), leaf) {
            self.docs.push(DocChange { kind, id, leaf: Some(Rc::new(leaf)) });
        }
    }

    /// Writes the vector of a message or a history, whose indexed document is `leaf`.
    pub(in crate::memory) fn put_vector(&mut self, named: &Named, bytes: Vec<u8>, leaf: Rc<Leaf>) {
        self.put_named(Change::Update, named, bytes, None);
        if let Some((kind, id)) = named.clone().embedded().doc() {
            self.docs.push(DocChange { kind, id, leaf: Some(leaf) });
        }
    }

    /// Writes a value that is neither logged nor indexed.
    pub(in crate::memory) fn put_beside(&mut self, key: Key, bytes: Vec<u8>) {
        let suffix = self.keys.suffix(&key);
        self.links.push(Link { at: self.now, change: Change::Update, key: suffix, payload: hash(&bytes) });
        self.ops.push(Op::Put(Space::Records, key, bytes));
    }

    /// Deletes a value that is neither logged nor indexed.
    pub(in crate::memory) fn take_beside(&mut self, key: Key) {
        let suffix = self.keys.suffix(&key);
        self.links.push(Link { at: self.now, change: Change::Delete, key: suffix, payload: Hash::default() });
        self.ops.push(Op::Delete(Space::Records, key));
    }

    /// Deletes a record that is no entry, and whose place in the index is `seq`.
    pub(in crate::memory) fn forget(&mut self, named: &Named, seq: Option<u64>) {
        if let Some(seq) = seq {
            self.touch(seq);
        }
        self.link(Change::Delete, named, Hash::default());
        self.ops.push(Op::Delete(Space::Records, self.keys.named(named)));
        if let Some((kind, id)) = named.doc() {
            self.docs.push(DocChange { kind, id, leaf: None });
        }
    }

    /// Writes a message, which is indexed later. Returns its size in bytes.
    pub(in crate::memory) fn say(&mut self, said: Said, salt: [u8; SALT]) -> usize {
        let bytes = said.stored.encode(salt);
        let size = bytes.len();
        let named = Named::Message(said.session.clone(), said.stored.place);
        self.link(Change::Add, &named, hash(&bytes));
        self.ops.push(Op::Add(Space::Records, self.keys.named(&named), bytes));
        self.said.push(said);
        size
    }

    /// Deletes everything of a session; `talk` are its indexed documents. Its links stay, but point to nothing.
    pub(in crate::memory) fn erase_session(&mut self, session: &SessionId, talk: Vec<(DocKind, String, u64)>) {
        self.link(Change::Delete, &Named::Session(session.clone()), Hash::default());
        for range in self.keys.of_session(session) {
            self.ops.push(Op::DeleteRange(Space::Records, range));
        }
        for (kind, id, seq) in talk {
            self.touch(seq);
            self.docs.push(DocChange { kind, id, leaf: None });
        }
        self.sessions.push((session.clone(), None));
    }

    /// Sets the record of a session that the plan changes.
    pub(in crate::memory) fn set_session(&mut self, session: &SessionId, record: SessionRecord) {
        match self.sessions.iter_mut().find(|(known, _)| known == session) {
            Some((_, known)) => *known = Some(record),
            None => self.sessions.push((session.clone(), Some(record))),
        }
    }

    /// Writes a record that is not logged by itself, once for all the times that the plan changes it.
    pub(in crate::memory) fn put_again(&mut self, key: Key, bytes: Vec<u8>) {
        let is_same = |op: &&mut Op| matches!(op, Op::Put(Space::Records, known, _) if *known == key);
        match self.ops.iter_mut().rev().find(is_same) {
            Some(Op::Put(_, _, known)) => *known = bytes,
            _ => self.ops.push(Op::Put(Space::Records, key, bytes)),
        }
    }

    /// Marks the entry at a place as changed or deleted.
    pub(in crate::memory) fn touch(&mut self, seq: u64) {
        self.touched.push(seq);
        // Only a damaged record names a place after the end of the log.
        if seq <= self.last_seq() {
            let word = (seq / 64) as usize;
            if word >= self.touches.len() {
                self.touches.resize(word + 1, 0);
            }
            self.touches[word] |= 1 << (seq % 64);
        }
    }

    /// Whether the entry at a place is changed or deleted.
    pub(in crate::memory) fn touches(&self, seq: u64) -> bool {
        self.touches.get((seq / 64) as usize).is_some_and(|word| word >> (seq % 64) & 1 == 1)
    }

    /// The number of touched places in a range that is aligned to words.
    pub(super) fn touched_within(&self, places: &Range<u64>) -> usize {
        let words = self.touches.iter().take((places.end / 64) as usize).skip((places.start / 64) as usize);
        words.map(|word| word.count_ones() as usize).sum()
    }

    fn link(&mut self, change: Change, named: &Named, payload: Hash) {
        self.links.push(Link { at: self.now, change, key: named.suffix(), payload });
    }

    /// The batch to commit, and the step to apply to the state after it has succeeded. `head` is the head of the chain
    /// after this plan's links.
    pub(in crate::memory) fn finish(self, durability: Durability, head: Head) -> (WriteBatch, Step) {
        let to = self.base.next();
        let page = Page { before: self.before, links: self.links };
        let mut ops = self.ops;
        ops.push(Op::Put(Space::Log, self.keys.log_page(to), page.encode()));
        for op in &mut ops {
            if let Op::Put(space, key, bytes) | Op::Add(space, key, bytes) = op {
                Frame::bind(space.name(), key.as_bytes(), bytes);
            }
        }
        let batch = WriteBatch { guard: self.keys.guard(), base: self.base, ops, durability };
        (batch, Step { from: self.base, to, head, docs: self.docs, sessions: self.sessions, erased: Vec::new() })
    }
}
