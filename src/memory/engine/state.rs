//! The in-memory state: a snapshot of the storage, and how it moves from one revision to the next.

use super::segments::{SPAN, sealed};
use crate::codec::{Record, SessionRecord};
use crate::context::compress::Compression;
use crate::index::{Doc, DocKind, Index, Segment, SegmentWriter, Text};
use crate::log::Head;
use crate::model::{AgentId, Entry, FactKey, SessionId, Speaker, Timestamp};
use crate::store::Revision;
use crate::text::Voice;
use std::ops::Range;
use std::rc::Rc;

/// A document ready for the index.
#[derive(Debug)]
pub(in crate::memory) struct Leaf {
    /// Its place in the order of writing.
    pub(in crate::memory) seq: u64,
    /// A segment with this document, and with those that were indexed together with it.
    pub(super) segment: Rc<Vec<u8>>,
    /// Whether it is the first of them: applying it adds all of the segment.
    is_first: bool,
}

/// The most bytes of text that are indexed together: applying them must not block the host.
const BATCH: usize = 64 * 1024;

/// Documents that are indexed together, as one segment: a word that several of them have is sorted, stored and looked up
/// once. Their changes must be applied together, and in this order.
#[derive(Debug, Default)]
pub(in crate::memory) struct Batch {
    writer: SegmentWriter,
    /// For each document, the place of its change, and its place in the order of writing.
    places: Vec<(usize, u64)>,
    bytes: usize,
}

impl Batch {
    /// Adds a document, whose change is at `place` of `docs`.
    pub(super) fn add(&mut self, doc: &Doc<'_>, place: usize, docs: &mut [DocChange]) {
        // A stored segment is made of whole batches.
        let is_beside = |(_, seq): &(usize, u64)| seq / SPAN == doc.seq / SPAN;
        if self.bytes >= BATCH || !self.places.last().is_none_or(is_beside) {
            self.finish(docs);
        }
        self.writer.write(doc);
        self.places.push((place, doc.seq));
        self.bytes += doc.text.content.len();
    }

    /// Adds a document and its change.
    pub(super) fn push(&mut self, doc: &Doc<'_>, docs: &mut Vec<DocChange>) {
        docs.push(DocChange { kind: doc.kind, id: doc.id.to_owned(), leaf: None });
        self.add(doc, docs.len() - 1, docs);
    }

    /// Completes the changes of the documents so far.
    pub(super) fn finish(&mut self, docs: &mut [DocChange]) {
        let Self { writer, places, .. } = std::mem::take(self);
        let segment = Rc::new(writer.finish());
        for (at, (place, seq)) in places.into_iter().enumerate() {
            if let Some(change) = docs.get_mut(place) {
                let segment = Rc::clone(&segment);
                change.leaf = Some(Rc::new(Leaf { seq, segment, is_first: at == 0 }));
            }
        }
    }
}

/// The words of an entry in Unicode NFKD.
#[derive(Debug, Default)]
pub(in crate::memory) struct Words {
    pub(in crate::memory) content: String,
    pub(in crate::memory) summary: String,
    pub(in crate::memory) tags: Vec<String>,
    pub(in crate::memory) speaker: String,
}

impl Words {
    pub(in crate::memory) fn of(entry: &Entry, content: &str, decompose: impl Fn(&str) -> String) -> Self {
        Self {
            content: decompose(content),
            summary: decompose(&entry.summary),
            tags: entry.tags.as_slice().iter().map(|tag| decompose(tag)).collect(),
            speaker: entry.speaker.as_ref().map(|name| decompose(name.as_str())).unwrap_or_default(),
        }
    }
}

impl Leaf {
    pub(in crate::memory) fn of(record: &Record, words: &Words, vector: &[u8]) -> Self {
        Self::of_doc(&doc(record, words, vector))
    }

    pub(in crate::memory) fn of_doc(doc: &Doc<'_>) -> Self {
        let mut writer = SegmentWriter::default();
        writer.write(doc);
        Self { seq: doc.seq, segment: Rc::new(writer.finish()), is_first: true }
    }
}

/// A change of one indexed document (`None` = deleted). Idempotent.
#[derive(Clone, Debug)]
pub(in crate::memory) struct DocChange {
    pub(in crate::memory) kind: DocKind,
    pub(in crate::memory) id: String,
    pub(in crate::memory) leaf: Option<Rc<Leaf>>,
}

/// A snapshot of the storage at one revision.
#[derive(Debug, Default)]
pub(in crate::memory) struct State {
    pub(in crate::memory) revision: Revision,
    pub(in crate::memory) head: Head,
    /// The cached records of sessions.
    pub(in crate::memory) sessions: Vec<(SessionId, SessionRecord)>,
    /// The index, loaded on first use: opening stays cheap.
    pub(in crate::memory) shelf: Option<Shelf>,
}

/// The loaded index.
#[derive(Debug, Default)]
pub(in crate::memory) struct Shelf {
    pub(in crate::memory) index: Index,
    /// The entries that are in no stored segment yet.
    pub(in crate::memory) recent: Vec<DocChange>,
    /// The next segment to store, if there is no complete set of them.
    pub(super) unsaved: Option<u64>,
}

/// A step from one revision to a later one.
#[derive(Debug)]
pub(in crate::memory) struct Step {
    pub(in crate::memory) from: Revision,
    pub(in crate::memory) to: Revision,
    pub(in crate::memory) head: Head,
    pub(in crate::memory) docs: Vec<DocChange>,
    /// The sessions that changed: as they are now, if that is known.
    pub(in crate::memory) sessions: Vec<(SessionId, Option<SessionRecord>)>,
    /// The sessions that were erased before the documents were written.
    pub(in crate::memory) erased: Vec<SessionId>,
}

impl State {
    /// Applies a step. A step from another revision does nothing: the state has already moved along the same log.
    pub(in crate::memory) fn apply(&mut self, step: &Step) {
        if step.from == self.revision {
            self.begin(step);
            self.take(step, 0..step.docs.len());
            self.finish(step);
        }
    }

    /// The first part of a step: deletions, before its documents are added.
    pub(in crate::memory) fn begin(&mut self, step: &Step) {
        if let Some(shelf) = &mut self.shelf {
            for session in &step.erased {
                shelf.erase(session);
            }
        }
    }

    /// Applies some of the documents of a step. Returns the number of bytes indexed.
    pub(in crate::memory) fn take(&mut self, step: &Step, some: Range<usize>) -> usize {
        let Some(shelf) = &mut self.shelf else { return 0 };
        let changes = step.docs.get(some).unwrap_or(&[]);
        let since = sealed(step.head.seq) * SPAN;
        changes.iter().map(|change| shelf.apply(change, since)).sum()
    }

    /// The end of a step.
    pub(in crate::memory) fn finish(&mut self, step: &Step) {
        self.revision = step.to;
        self.head = step.head;
        for (session, record) in &step.sessions {
            self.sessions.retain(|(known, _)| known != session);
            self.sessions.extend(record.clone().map(|record| (session.clone(), record)));
        }
        if let Some(shelf) = &mut self.shelf {
            let sealed = sealed(step.head.seq);
            shelf.recent.retain(|change| change.leaf.as_ref().is_some_and(|leaf| leaf.seq >= sealed * SPAN));
            if !shelf.is_worn() {
                shelf.index.tidy();
            }
        }
    }
}

impl Shelf {
    /// Whether more of it is deleted than alive, and so much is alive that loading it again is better than compacting
    /// it: loading runs in slices, compacting does not. The small module compacts: its code is the first download.
    pub(super) fn is_worn(&self) -> bool {
        cfg!(feature = "full") && self.index.is_untidy() && self.index.len() > SPAN as usize && self.unsaved.is_none()
    }

    /// The indexed messages and histories of a session.
    pub(super) fn talk(&self, session: &SessionId) -> Vec<(DocKind, String, u64)> {
        let turns = self.index.session(session.as_str()).filter(|found| found.kind != DocKind::Entry);
        turns.map(|found| (found.kind, found.id.to_owned(), found.seq)).collect()
    }

    fn erase(&mut self, session: &SessionId) {
        for (kind, id, _) in self.talk(session) {
            self.apply(&DocChange { kind, id, leaf: None }, 0);
        }
    }

    /// Applies a change and returns its size in bytes. A document from before the place `since` is in a stored segment,
    /// so it is not kept in `recent`.
    pub(in crate::memory) fn apply(&mut self, change: &DocChange, since: u64) -> usize {
        let is_taken = change.leaf.as_ref().is_some_and(|leaf| !leaf.is_first);
        if !is_taken && self.index.remove(change.kind, &change.id) {
            self.recent.retain(|known| known.kind != change.kind || known.id != change.id);
        }
        if let Some(leaf) = &change.leaf {
            if leaf.is_first
                && let Some(segment) = Segment::read(&leaf.segment)
            {
                self.index.take(&segment);
            }
            if leaf.seq >= since {
                self.recent.push(change.clone());
            }
        }
        change.leaf.as_ref().filter(|leaf| leaf.is_first).map_or(0, |leaf| leaf.segment.len())
    }
}

pub(super) fn doc<'a>(record: &'a Record, words: &'a Words, vector: &'a [u8]) -> Doc<'a> {
    let entry = &record.entry;
    Doc {
        seq: record.seq,
        kind: DocKind::Entry,
        id: entry.id.as_str(),
        namespace: entry.namespace.as_str(),
        summary: &entry.summary,
        tags: entry.tags.as_slice(),
        importance: entry.importance,
        created_at: entry.created_at,
        expires_at: entry.expires_at,
        at: entry.at,
        valid: (entry.valid_from.is_some() || entry.valid_until.is_some())
            .then(|| [entry.valid_from.unwrap_or(Timestamp::MIN), entry.valid_until.unwrap_or(Timestamp::MAX)]),
        session: entry.session.as_ref().map(SessionId::as_str),
        agent: entry.agent.as_ref().map(AgentId::as_str),
        speaker: entry.speaker.as_ref().map(Speaker::as_str),
        voice: Voice::of_speaker(&words.speaker),
        source: entry.source.as_deref(),
        trust: entry.trust as u8,
        key: entry.key.as_ref().map(FactKey::as_str),
        metadata: &entry.metadata,
        vector,
        text: Text { content: &words.content, summary: &words.summary, tags: &words.tags, speaker: &words.speaker },
    }
}

/// A compression that waits for summaries from the app.
#[derive(Debug)]
pub(in crate::memory) struct Pending {
    pub(in crate::memory) token: u64,
    pub(in crate::memory) session: SessionId,
    pub(in crate::memory) compression: Compression,
    /// The most tokens per request to the app's model.
    pub(in crate::memory) most: u32,
}

/// Ranges of message places, both ends included.
pub(super) type Spans = Vec<(u64, u64)>;
