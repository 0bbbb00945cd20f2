//! A write before it happens: every operation, link and effect of it, complete before anything is touched.

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

/// Chance for the salts of a body and of a record.
pub(in crate::memory) type Salts = [[u8; SALT]; 2];

/// An entry as it was read, with the bytes that it was read from.
#[derive(Debug)]
pub(in crate::memory) struct Stored {
    pub(in crate::memory) record: Record,
    pub(super) record_bytes: Vec<u8>,
    pub(super) body_bytes: Option<Vec<u8>>,
}

/// An entry to be written.
#[derive(Debug)]
pub(in crate::memory) struct New<'a> {
    pub(in crate::memory) entry: Entry,
    pub(in crate::memory) content: &'a str,
    pub(in crate::memory) words: &'a Words,
    pub(in crate::memory) vector: Option<Vec<u8>>,
    pub(in crate::memory) salts: Salts,
}

/// A message to be written, and what its session says of it.
#[derive(Debug)]
pub(in crate::memory) struct Said {
    pub(in crate::memory) session: SessionId,
    pub(in crate::memory) agent: Option<AgentId>,
    pub(in crate::memory) stored: StoredMessage,
    /// The calls of the memory's own tools that it answers.
    pub(in crate::memory) own: Vec<String>,
}

/// A write being put together on one revision.
#[derive(Debug)]
pub(in crate::memory) struct Plan {
    keys: Keys,
    pub(in crate::memory) base: Revision,
    pub(in crate::memory) before: Head,
    /// The one time of this write.
    pub(in crate::memory) now: Timestamp,
    pub(in crate::memory) ops: Vec<Op>,
    pub(in crate::memory) links: Vec<Link>,
    pub(in crate::memory) docs: Vec<DocChange>,
    /// Messages that the index has still to take in: their words are looked at while the storage writes.
    pub(in crate::memory) said: Vec<Said>,
    /// The sessions that the plan changes, as they are then; none if they are gone.
    pub(in crate::memory) sessions: Vec<(SessionId, Option<SessionRecord>)>,
    /// The places of entries that were there and are changed or taken away, in the order of the plan.
    pub(super) touched: Vec<u64>,
    /// The same, one bit a place: a batch asks about each of its own places.
    touches: Vec<u64>,
    /// Who has to make room.
    pub(in crate::memory) evicted: Vec<Evicted>,
    /// The namespaces that the plan writes to, as it leaves them so far.
    pub(super) rooms: Vec<Room>,
    /// Whether it has looked for expired entries: once is enough for a batch.
    pub(in crate::memory) swept: bool,
}

/// An entry that had to go because its namespace was full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evicted {
    /// Its id.
    pub id: EntryId,
    /// Where it belonged.
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
            sessions: Vec::new(),
            touched: Vec::new(),
            touches: Vec::new(),
            evicted: Vec::new(),
            rooms: Vec::new(),
            swept: false,
        }
    }

    /// Writes a new entry and, unless the summary says it all, its content.
    pub(in crate::memory) fn add(&mut self, new: New<'_>) {
        let seq = self.last_seq() + 1;
        self.put(Change::Add, seq, new);
    }

    /// The place of the last link in the log, as far as the plan goes.
    pub(in crate::memory) fn last_seq(&self) -> u64 {
        self.before.seq + self.links.len() as u64
    }

    /// Writes an entry anew. What it was becomes its history.
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
        let body = (entry.summary != content).then(|| Body::encode(content, salts[0]));
        let record = Record { seq, body: body.as_deref().map(hash), vector: vector.as_deref().map(hash), entry };
        if let Some(body) = body {
            self.ops.push(Op::Put(Space::Bodies, key, body));
        }
        self.put_record(change, &record, words, vector.as_deref(), salts[1]);
        Room::write(self, &record);
    }

    /// Writes an entry anew that says what it said, with its vector. That is no new version of it.
    pub(in crate::memory) fn keep(&mut self, mut record: Record, words: &Words, vector: Option<&[u8]>, salts: Salts) {
        record.vector = vector.map(hash);
        self.touch(record.seq);
        self.put_record(Change::Update, &record, words, vector, salts[1]);
    }

    /// Writes an entry anew whose content is gone: its summary stands for it.
    pub(in crate::memory) fn summarise(&mut self, mut record: Record, words: &Words, salt: [u8; SALT]) {
        (record.body, record.vector) = (None, None);
        self.touch(record.seq);
        self.ops.push(Op::Delete(Space::Bodies, self.keys.entry(&record.entry.id)));
        self.ops.push(Op::Delete(Space::Bodies, self.keys.vector(&record.entry.id)));
        self.put_record(Change::Update, &record, words, None, salt);
    }

    fn put_record(&mut self, change: Change, record: &Record, words: &Words, vector: Option<&[u8]>, salt: [u8; SALT]) {
        let id = &record.entry.id;
        let bytes = record.encode(salt);
        self.link(change, &Named::Entry(id.clone()), hash(&bytes));
        if let Some(vector) = vector {
            let value = Frame::seal(Kind::Vector, vector);
            self.ops.push(Op::Put(Space::Bodies, self.keys.vector(id), value));
        }
        self.ops.push(Op::Put(Space::Records, self.keys.entry(id), bytes));
        let leaf = Rc::new(Leaf::of(record, words, vector.unwrap_or(&[])));
        self.docs.push(DocChange { kind: DocKind::Entry, id: id.to_string(), leaf: Some(leaf) });
    }

    /// Takes an entry away, with its content and its history. Its links stay, and name nothing that is left.
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

    /// Takes an entry away that has expired and is in the way of a new one, unless the plan has done so already.
    pub(in crate::memory) fn expire(&mut self, record: &Record) {
        if !self.touched.contains(&record.seq) {
            self.delete(&record.entry.id, record.seq);
        }
    }

    /// Writes the record of something that is no entry, and what the index takes in of it.
    pub(in crate::memory) fn put_named(&mut self, change: Change, named: &Named, bytes: Vec<u8>, leaf: Option<Leaf>) {
        self.link(change, named, hash(&bytes));
        self.ops.push(Op::Put(Space::Records, self.keys.named(named), bytes));
        if let (Some((kind, id)), Some(leaf)) = (named.doc(), leaf) {
            self.docs.push(DocChange { kind, id, leaf: Some(Rc::new(leaf)) });
        }
    }

    /// Writes where a message or a history lies among others, of which `leaf` is what the index takes in.
    pub(in crate::memory) fn put_vector(&mut self, named: &Named, bytes: Vec<u8>, leaf: Rc<Leaf>) {
        self.put_named(Change::Update, named, bytes, None);
        if let Some((kind, id)) = named.clone().embedded().doc() {
            self.docs.push(DocChange { kind, id, leaf: Some(leaf) });
        }
    }

    /// Writes a value that only its key leads to.
    pub(in crate::memory) fn put_beside(&mut self, key: Key, bytes: Vec<u8>) {
        let suffix = self.keys.suffix(&key);
        self.links.push(Link { at: self.now, change: Change::Update, key: suffix, payload: hash(&bytes) });
        self.ops.push(Op::Put(Space::Records, key, bytes));
    }

    /// Takes away a value that only its key leads to.
    pub(in crate::memory) fn take_beside(&mut self, key: Key) {
        let suffix = self.keys.suffix(&key);
        self.links.push(Link { at: self.now, change: Change::Delete, key: suffix, payload: Hash::default() });
        self.ops.push(Op::Delete(Space::Records, key));
    }

    /// Takes something away that is no entry, and that has its place in the index at `seq`.
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

    /// Writes a message, which the index takes in later. Answers how many bytes it takes.
    pub(in crate::memory) fn say(&mut self, said: Said, salt: [u8; SALT]) -> usize {
        let bytes = said.stored.encode(salt);
        let size = bytes.len();
        let named = Named::Message(said.session.clone(), said.stored.place);
        self.link(Change::Add, &named, hash(&bytes));
        self.ops.push(Op::Add(Space::Records, self.keys.named(&named), bytes));
        self.said.push(said);
        size
    }

    /// Takes everything of a session away, of which the index has `talk`. Links stay, and name nothing that is left.
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

    /// Notes that the entry at a place is changed or taken away.
    pub(in crate::memory) fn touch(&mut self, seq: u64) {
        self.touched.push(seq);
        // A place after the end of the log is one that a damaged record names.
        if seq <= self.last_seq() {
            let word = (seq / 64) as usize;
            if word >= self.touches.len() {
                self.touches.resize(word + 1, 0);
            }
            self.touches[word] |= 1 << (seq % 64);
        }
    }

    /// Whether it was.
    pub(in crate::memory) fn touches(&self, seq: u64) -> bool {
        self.touches.get((seq / 64) as usize).is_some_and(|word| word >> (seq % 64) & 1 == 1)
    }

    /// How many places are touched within a range of whole words.
    pub(super) fn touched_within(&self, places: &Range<u64>) -> usize {
        let words = self.touches.iter().take((places.end / 64) as usize).skip((places.start / 64) as usize);
        words.map(|word| word.count_ones() as usize).sum()
    }

    fn link(&mut self, change: Change, named: &Named, payload: Hash) {
        self.links.push(Link { at: self.now, change, key: named.suffix(), payload });
    }

    /// The batch to commit, and the step that the state takes once that has succeeded. `head` is the end of the chain after
    /// the links of this plan.
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
