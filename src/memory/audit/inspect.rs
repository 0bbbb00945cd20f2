//! Compares the storage with the log: the expected content of each record by its last link, and the differences.

use super::frozen::{Damage, LogProblem};
use super::thing::{ENTRY_VERSION, OLD_FILE, Thing};
use crate::codec::{Beside, Frame, Kind, Record, StoredMessage};
use crate::log::{Change, Hash, Head, Link, Page, hash};
use crate::memory::dialog::messages::generated_place;
use crate::memory::engine::keys::{Named, VERSIONS};
use crate::memory::engine::slices::{LINK, READ};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{EntryId, MessageId, SessionId};
use crate::store::{Key, Revision, Space, Store};
use std::collections::{BTreeMap, BTreeSet};

/// The number of pages or records per read.
const PAGE: usize = 256;

/// The payload of a link that marks a record as given up. The payload of a deletion is empty.
pub(in crate::memory) fn given_up() -> Hash {
    hash(b"given up")
}

/// The last link of a record.
pub(super) struct Last {
    pub(in crate::memory) seq: u64,
    /// The place where it was first written, which is its place in the index.
    pub(in crate::memory) first: u64,
    pub(in crate::memory) change: Change,
    /// The hash of the written record.
    payload: Hash,
}

/// The log as far as it has been read.
#[derive(Default)]
pub(super) struct Seen {
    /// The number of links to check in total, for progress reports.
    pub(in crate::memory) total: usize,
    pub(in crate::memory) revision: Revision,
    pub(in crate::memory) head: Head,
    /// The last link of each record, by its key.
    pub(in crate::memory) last: BTreeMap<Vec<u8>, Last>,
    /// The breaks of the chain.
    pub(super) breaks: Vec<LogProblem>,
    /// The places of deletions that include everything below a key. The same name may have been used again later.
    pub(in crate::memory) erased: BTreeMap<Vec<u8>, u64>,
    /// Records that a repair gave up. Their past versions stay: nothing else is left of them.
    pub(in crate::memory) given_up: BTreeSet<Vec<u8>>,
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::memory) enum Part {
    Record,
    /// The record or the content of something that was deleted.
    Leftover,
    Content(EntryId),
    Vector(EntryId),
    /// The record that maps a message's own id to its place.
    Pointer(SessionId, MessageId, u64),
}

/// A record that differs from its last link.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    pub(in crate::memory) key: Vec<u8>,
    pub(in crate::memory) part: Part,
    pub(in crate::memory) damage: Damage,
    pub(in crate::memory) seq: u64,
}

impl Doubt {
    pub(super) fn problem(&self) -> LogProblem {
        LogProblem { damage: self.damage, seq: self.seq, line: None, text: self.text() }
    }

    pub(in crate::memory) fn text(&self) -> &'static str {
        match (&self.part, self.damage) {
            (Part::Record, Damage::Missing) => "its record is missing",
            (Part::Record, _) => "its record was modified",
            (Part::Leftover, _) => "it was deleted but is still stored",
            (Part::Content(_), _) => "its content was modified",
            (Part::Vector(_), _) => "its embedding was modified",
            (Part::Pointer(..), _) => "the record of its id was modified",
        }
    }
}

impl Seen {
    fn take(&mut self, link: Link) {
        self.head = self.head.then(&link);
        let seq = self.head.seq;
        if link.change == Change::Delete {
            self.erased.insert(link.key.clone(), seq);
            if link.payload != Hash::default() {
                self.given_up.insert(link.key.clone());
            }
        }
        let before = self.last.get(&link.key).filter(|last| last.change != Change::Delete);
        let first = before.map_or(seq, |last| last.first);
        self.last.insert(link.key, Last { seq, first, change: link.change, payload: link.payload });
    }

    /// The last link of a record that must exist.
    pub(in crate::memory) fn there(&self, key: &[u8]) -> Option<&Last> {
        let last = self.last.get(key)?;
        // The session record counts its messages, and changes without a link.
        let counts = matches!(Named::of(key), Some(Named::Session(_)));
        (last.change != Change::Delete && !counts && !self.went_along(key, last)).then_some(last)
    }

    /// Whether the record's parent was deleted after the record was written.
    fn went_along(&self, key: &[u8], last: &Last) -> bool {
        let erased = Thing::of(key).parent.and_then(|parent| self.erased.get(&parent));
        erased.is_some_and(|at| *at > last.seq)
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Reads to the end of the log, across breaks of the chain.
    pub(super) async fn read_links(&self, seen: &mut Seen) -> Result<(), Error> {
        let mut range = self.inner.keys.log_after(seen.revision);
        loop {
            let page = self.page(Space::Log, &range, PAGE).await?;
            for (key, bytes) in &page.items {
                let mut broken = |damage, text| {
                    seen.breaks.push(LogProblem { damage, seq: seen.head.seq + 1, line: None, text });
                };
                let expected = seen.revision.next();
                let revision = self.inner.keys.revision_of(key).unwrap_or(expected);
                if revision != expected {
                    broken(Damage::Missing, "a page of the log is missing");
                }
                seen.revision = revision;
                let Ok(links) = Page::decode(bytes) else {
                    broken(Damage::Changed, "a page of the log cannot be read");
                    continue;
                };
                if links.before != seen.head {
                    if revision == expected {
                        broken(Damage::Changed, "a link does not continue the chain");
                    }
                    seen.head = links.before;
                }
                for link in links.links {
                    seen.take(link);
                    self.report(seen.head.seq as usize, seen.total);
                    self.breathe(READ).await;
                }
            }
            match page.next {
                Some(next) => range = range.from(next),
                None => return Ok(()),
            }
        }
    }

    /// The records of these keys that differ from their last link.
    pub(super) async fn doubts(&self, seen: &Seen, keys: &[Vec<u8>]) -> Result<Vec<Doubt>, Error> {
        let mut wrong = Vec::new();
        for (at, chunk) in keys.chunks(PAGE).enumerate() {
            self.report((seen.total / 2 + at * PAGE).min(seen.total), seen.total);
            let there: Vec<(&Vec<u8>, &Last)> = chunk.iter().filter_map(|key| Some((key, seen.there(key)?))).collect();
            let stored: Vec<Key> = there.iter().map(|(key, _)| self.inner.keys.of_suffix(key)).collect();
            let values = self.fetch(Space::Records, &stored).await?;
            let mut parts: Vec<(Space, Key, Hash, Doubt)> = Vec::new();
            for ((key, last), value) in there.into_iter().zip(values) {
                let doubt = |part, damage| Doubt { key: key.clone(), part, damage, seq: last.seq };
                let Some(value) = value else {
                    // The oldest versions of a file are pruned without a link.
                    if !self.is_pruned(key).await? {
                        wrong.push(doubt(Part::Record, Damage::Missing));
                    }
                    continue;
                };
                if hash(&value) != last.payload {
                    wrong.push(doubt(Part::Record, Damage::Changed));
                    continue;
                }
                match Named::of(key) {
                    None if Thing::of(key).kind == ENTRY_VERSION => {
                        if let Ok(Record { body: Some(body), .. }) = Record::decode(&value) {
                            let doubt = doubt(Part::Record, Damage::Changed);
                            parts.push((Space::Bodies, self.inner.keys.of_suffix(key), body, doubt));
                        }
                    }
                    Some(Named::Entry(id)) => {
                        let Ok(record) = Record::decode(&value) else { continue };
                        let keys = &self.inner.keys;
                        if let Some(body) = record.body {
                            let doubt = doubt(Part::Content(id.clone()), Damage::Changed);
                            parts.push((Space::Bodies, keys.entry(&id), body, doubt));
                        }
                        if let Some(vector) = record.vector {
                            let doubt = doubt(Part::Vector(id.clone()), Damage::Changed);
                            parts.push((Space::Bodies, keys.vector(&id), vector, doubt));
                        }
                    }
                    Some(Named::Message(session, place)) => {
                        let Ok(stored) = StoredMessage::decode(&value) else { continue };
                        let id = stored.message.id;
                        if generated_place(&id) != Some(place) {
                            let pointer = hash(&Frame::seal(Kind::Message, &place.to_be_bytes()));
                            let at = self.inner.keys.message_id(&session, &id);
                            let doubt = doubt(Part::Pointer(session, id, place), Damage::Changed);
                            parts.push((Space::Records, at, pointer, doubt));
                        }
                    }
                    _ => {}
                }
            }
            for space in [Space::Records, Space::Bodies] {
                let of: Vec<_> = parts.iter().filter(|(at, ..)| *at == space).collect();
                let keys: Vec<Key> = of.iter().map(|(_, key, ..)| key.clone()).collect();
                for ((.., expected, doubt), found) in of.into_iter().zip(self.fetch(space, &keys).await?) {
                    let found = found.as_deref().map(|bytes| match &doubt.part {
                        // The record has the hash of the vector itself.
                        Part::Vector(_) => {
                            Frame::open(Kind::Vector, bytes).map_or(Hash::default(), |it| hash(it.payload))
                        }
                        _ => hash(bytes),
                    });
                    match found {
                        None => wrong.push(Doubt { damage: Damage::Missing, ..doubt.clone() }),
                        Some(found) if found != *expected => wrong.push(doubt.clone()),
                        Some(_) => {}
                    }
                }
            }
        }
        Ok(wrong)
    }

    /// The keys that must not exist. A session that was used again after its deletion is covered by its records.
    async fn gone<'a>(&self, seen: &'a Seen) -> Vec<(&'a [u8], &'a Last)> {
        let mut living: BTreeSet<Vec<u8>> = BTreeSet::new();
        for (key, last) in &seen.last {
            let parent = Thing::of(key).parent;
            living.extend(parent.filter(|parent| seen.erased.get(parent).is_some_and(|at| *at < last.seq)));
            self.breathe(LINK).await;
        }
        let mut gone = Vec::new();
        for (key, last) in &seen.last {
            let left = || Thing::of(key).parent.is_some_and(|parent| seen.given_up.contains(&parent));
            let is_gone = match last.change {
                Change::Delete => !living.contains(key),
                _ => seen.went_along(key, last) && !left(),
            };
            if is_gone {
                gone.push((key.as_slice(), last));
            }
            self.breathe(LINK).await;
        }
        gone
    }

    /// The sessions with messages, and the place after the last message of each.
    pub(super) async fn sessions_of(&self, seen: &Seen) -> Vec<(SessionId, u64)> {
        let mut ends: BTreeMap<SessionId, u64> = BTreeMap::new();
        for (key, last) in &seen.last {
            // A message that was given up keeps its place.
            if let Some(Named::Message(session, place)) = Named::of(key)
                && !seen.went_along(key, last)
            {
                let end = ends.entry(session).or_default();
                *end = (*end).max(place + 1);
            }
            self.breathe(LINK).await;
        }
        ends.into_iter().collect()
    }

    /// The records that were deleted and are still stored: a storage that wrote half of a commit brings them back.
    pub(super) async fn leftovers(&self, seen: &Seen) -> Result<Vec<Doubt>, Error> {
        let mut wrong = Vec::new();
        for chunk in self.gone(seen).await.chunks(PAGE) {
            let keys: Vec<Key> = chunk.iter().map(|(key, _)| self.inner.keys.of_suffix(key)).collect();
            let records = self.fetch(Space::Records, &keys).await?;
            let bodies = self.fetch(Space::Bodies, &keys).await?;
            let stored = records.iter().zip(&bodies).map(|(record, body)| record.is_some() || body.is_some());
            let leftover = |(key, last): &(&[u8], &Last)| Doubt {
                key: key.to_vec(),
                part: Part::Leftover,
                damage: Damage::Changed,
                seq: last.seq,
            };
            wrong.extend(chunk.iter().zip(stored).filter(|(_, stored)| *stored).map(|(gone, _)| leftover(gone)));
        }
        Ok(wrong)
    }

    /// Whether a file version was pruned, or its file is lost.
    async fn is_pruned(&self, key: &[u8]) -> Result<bool, Error> {
        let thing = Thing::of(key);
        let Some(number) = thing.number.filter(|_| thing.kind == OLD_FILE) else { return Ok(false) };
        let file = self.fetch_one(Space::Records, self.inner.keys.file(&thing.name)).await?;
        let file = file.and_then(|bytes| Beside::decode(Kind::Kept, &bytes).ok());
        let version = file.and_then(|file| u64::try_from(file.get("version").as_i64()?).ok());
        Ok(version.is_none_or(|version| number + VERSIONS < version))
    }
}
