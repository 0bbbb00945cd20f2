//! The data structure of the index, and its simple reads.

use super::arena::Arena;
use super::dialog::Place;
use super::doc::{DocKind, Found, NONE, Row, Span};
use super::pooled::Pooled;
use super::search::Room;
use super::strings::Strings;
use super::weights::Weights;
use super::words::Words;
use crate::model::Timestamp;
use crate::text::{Traits, Voice, is_form_of_name};
use std::cell::RefCell;

/// The search index of one tenant, in memory. The cost of adding does not depend on its size; it is compacted when more
/// than half of it has been deleted.
///
/// Entries have numbers, in the order they were added. Lists of numbers are rising, so they can be delta-encoded.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// In a `RefCell`, because a search decodes the words that it needs.
    pub(super) words: RefCell<Words>,
    pub(super) rows: Vec<Row>,
    /// The number of words of each entry; 0 if deleted.
    pub(super) lengths: Vec<u32>,
    pub(super) traits: Vec<Traits>,
    /// Each entry's neighbours among the turns of its session.
    pub(super) places: Vec<Place>,
    /// The number of entries with a speaker or a session, and of those by the user, by kind.
    pub(super) said: u32,
    pub(super) said_by_user: [u32; DocKind::ALL.len()],
    /// The sum of `lengths`, each capped, and the number of those that are not 0.
    pub(super) total_length: u64,
    pub(super) live: u32,
    /// The number of entries that have been deleted.
    pub(super) deleted: u32,
    pub(super) ids: Strings,
    /// The entry of each id, or `NONE`.
    pub(super) doc_of_id: Vec<u32>,
    pub(super) keys: Strings,
    /// The entry of each key, or `NONE`.
    pub(super) doc_of_key: Vec<u32>,
    pub(super) names: Strings,
    /// The number of entries of each namespace, expired or not.
    pub(super) held: Vec<u32>,
    pub(super) lists: Vec<u32>,
    /// The intervals of entries that are not always true.
    pub(super) spans: Vec<Span>,
    pub(super) summaries: Arena,
    pub(super) vectors: Arena,
    /// The number of entries with a vector, and its dimensions.
    pub(super) embedded: u32,
    pub(super) dimensions: usize,
    /// Live entries by `seq`.
    pub(super) order: Vec<u32>,
    pub(super) session_names: Strings,
    /// The turns of each session, by `seq`.
    pub(super) sessions: Vec<Vec<u32>>,
    pub(super) speaker_names: Strings,
    /// The words of each speaker's name.
    pub(super) speakers: Vec<Vec<String>>,
    pub(super) weights: Weights,
    /// The cached vectors of whole entries, for searches with a file of word meanings.
    pub(super) pooled: RefCell<Pooled>,
    pub(super) room: Room,
}

impl Index {
    /// An empty index with these weights. `Index::default()` has the measured weights.
    pub fn with_weights(weights: Weights) -> Self {
        Self { weights, ..Self::default() }
    }

    /// The number of entries, including expired ones.
    pub fn len(&self) -> usize {
        self.live as usize
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    pub(super) fn seq(&self, number: u32) -> u64 {
        self.rows.get(number as usize).map_or(0, |row| row.seq)
    }

    /// The id of the entry with `key`, expired or not.
    pub fn about(&self, key: &str) -> Option<&str> {
        let number = *self.doc_of_key.get(self.keys.find(key)? as usize)?;
        (number != NONE).then(|| self.id(number))
    }

    /// The number of entries of a namespace, expired or not.
    pub fn held(&self, namespace: &str) -> usize {
        self.names.find(namespace).and_then(|name| self.held.get(name as usize)).map_or(0, |held| *held as usize)
    }

    /// The turns of a session, of every kind, in the order of writing.
    pub fn session(&self, session: &str) -> impl Iterator<Item = Found<'_>> {
        let turns = self.session_names.find(session).and_then(|session| self.sessions.get(session as usize));
        turns.map_or(&[][..], Vec::as_slice).iter().filter_map(|number| self.found(*number))
    }

    /// The turns of a session with at most this trust. They are few, so the others cost no more than a look.
    pub fn distrusted(&self, session: &str, most: u8) -> impl Iterator<Item = Found<'_>> {
        let turns = self.session_names.find(session).and_then(|session| self.sessions.get(session as usize));
        let is_low = move |number: &&u32| self.rows.get(**number as usize).is_some_and(|row| row.trust <= most);
        turns.map_or(&[][..], Vec::as_slice).iter().filter(is_low).filter_map(|number| self.found(*number))
    }

    /// Whether a normalised word is part of a speaker's name.
    pub fn is_speaker(&self, word: &str) -> bool {
        self.speakers.iter().any(|words| words.iter().any(|known| known == word || is_form_of_name(word, known)))
    }

    /// The dimensions of its vectors; `None` if there is no vector.
    pub fn dimensions(&self) -> Option<usize> {
        (self.embedded > 0).then_some(self.dimensions)
    }

    /// Unexpired documents of these kinds without a vector, in the order of writing.
    pub fn without_vector<'a>(
        &'a self,
        now: Timestamp,
        kinds: &'a [DocKind],
    ) -> impl DoubleEndedIterator<Item = Found<'a>> {
        let lacks = move |number: &&u32| {
            let row = self.rows.get(**number as usize);
            row.is_some_and(|row| row.vector.1 == 0 && row.expires_at > now && kinds.contains(&row.kind))
        };
        self.order.iter().filter(lacks).filter_map(|number| self.found(*number))
    }

    /// The number of entries in a range of the order of writing.
    pub fn between(&self, places: &std::ops::Range<u64>) -> usize {
        let before = |seq: u64| self.order.partition_point(|number| self.seq(*number) < seq);
        before(places.end) - before(places.start)
    }

    /// The number of an entry.
    pub(super) fn number(&self, id: &str) -> Option<u32> {
        self.number_of(&DocKind::Entry.with(id))
    }

    pub(super) fn number_of(&self, full: &str) -> Option<u32> {
        let id = self.ids.find(full)?;
        self.doc_of_id.get(id as usize).copied().filter(|number| *number != NONE)
    }

    pub(super) fn id(&self, number: u32) -> &str {
        let full = self.rows.get(number as usize).map_or("", |row| self.ids.get(row.id));
        full.get(1..).unwrap_or("")
    }

    pub(super) fn name(&self, name: u32) -> Option<&str> {
        (name != NONE).then(|| self.names.get(name))
    }

    fn speaker(&self, row: &Row) -> Option<&str> {
        (row.speaker != NONE).then(|| self.speaker_names.get(row.speaker))
    }

    pub(super) fn summary(&self, row: &Row) -> Option<&str> {
        let summary = std::str::from_utf8(self.summaries.get(row.summary.0, row.summary.1)).unwrap_or("");
        (row.summary.0 != NONE).then_some(summary)
    }

    /// The interval in which a row is true; always if `None`.
    pub(super) fn span(&self, row: &Row) -> Option<Span> {
        self.spans.get(row.span as usize).copied()
    }

    pub(super) fn is_valid(&self, row: &Row, at: Timestamp) -> bool {
        self.span(row).is_none_or(|[from, until]| from <= at && at < until)
    }

    pub(super) fn found(&self, number: u32) -> Option<Found<'_>> {
        let row = self.rows.get(number as usize)?;
        let names = self.lists.get(row.names as usize..row.names as usize + usize::from(row.tags)).unwrap_or(&[]);
        Some(Found {
            kind: row.kind,
            id: self.id(number),
            seq: row.seq,
            namespace: self.names.get(row.namespace),
            summary: self.summary(row),
            tags: names.iter().map(|name| self.names.get(*name)).collect(),
            importance: row.importance,
            created_at: row.created_at,
            expires_at: row.expires_at,
            at: row.at,
            valid: self.span(row),
            session: (row.session != NONE).then(|| self.session_names.get(row.session)),
            agent: self.name(row.agent),
            speaker: self.speaker(row),
            source: self.name(row.source),
            trust: row.trust,
            voice: self.traits.get(number as usize).map_or(Voice::Other, |traits| traits.voice()),
        })
    }

    /// The approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let strings = self.ids.bytes() + self.names.bytes() + self.session_names.bytes();
        let rows = self.rows.capacity() * size_of::<Row>()
            + (self.lengths.capacity() + self.order.capacity()) * 4
            + self.places.capacity() * size_of::<Place>();
        let turns: usize = self.sessions.iter().map(|turns| turns.capacity() * 4 + size_of::<Vec<u32>>()).sum();
        let lists = (self.lists.capacity() + self.doc_of_id.capacity()) * 4 + self.traits.capacity() * 2;
        strings
            + self.words.borrow().bytes()
            + rows
            + turns
            + lists
            + self.summaries.bytes()
            + self.vectors.bytes()
            + self.pooled.borrow().bytes()
    }
}
