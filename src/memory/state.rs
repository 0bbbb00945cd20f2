//! What an open memory holds of its storage, and how it moves from one revision to the next.

use crate::codec::Record;
use crate::index::{Doc, Index, Text};
use crate::log::Head;
use crate::model::{AgentId, Entry, EntryId, FactKey, Namespace, SessionId, Speaker};
use crate::store::Revision;

/// An entry on its way into the state, with the words to find it by.
#[derive(Debug)]
pub(super) struct Entering {
    pub(super) record: Record,
    pub(super) words: Words,
}

/// The words of an entry in Unicode NFKD.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) content: String,
    pub(super) summary: String,
    pub(super) tags: Vec<String>,
    pub(super) speaker: String,
}

impl Words {
    pub(super) fn of(entry: &Entry, content: &str, decompose: impl Fn(&str) -> String) -> Self {
        Self {
            content: decompose(content),
            summary: decompose(&entry.summary),
            tags: entry.tags.as_slice().iter().map(|tag| decompose(tag)).collect(),
            speaker: entry.speaker.as_ref().map(|name| decompose(name.as_str())).unwrap_or_default(),
        }
    }
}

/// What became of one entry; `None` if it is gone. To apply the same one twice is the same as once.
pub(super) type EntryChange = (EntryId, Option<Box<Entering>>);

/// A picture of the storage at one revision.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) revision: Revision,
    pub(super) head: Head,
    /// Not there until something asks for it: opening must not cost what it does not need.
    pub(super) shelf: Option<Shelf>,
}

/// The entries at hand: the index, and what it has no place for.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    pub(super) index: Index,
    /// How many entries each namespace holds, expired or not.
    counts: Vec<(Namespace, usize)>,
    /// Which entry each key belongs to.
    facts: Vec<(FactKey, EntryId)>,
}

/// A step from one revision to a later one.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) from: Revision,
    pub(super) to: Revision,
    pub(super) head: Head,
    pub(super) entries: Vec<EntryChange>,
}

impl State {
    /// Moves on. A step that begins elsewhere does nothing: whoever moved the state first has seen the same log.
    pub(super) fn apply(&mut self, step: &Step) {
        if step.from != self.revision {
            return;
        }
        self.revision = step.to;
        self.head = step.head;
        if let Some(shelf) = &mut self.shelf {
            for (id, entering) in &step.entries {
                shelf.remove(id);
                if let Some(entering) = entering {
                    shelf.put(entering);
                }
            }
        }
    }
}

impl Shelf {
    /// Takes an entry in that is not there.
    pub(super) fn put(&mut self, Entering { record, words }: &Entering) {
        let Entry { id, namespace, key, .. } = &record.entry;
        match self.counts.iter_mut().find(|(name, _)| name == namespace) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((namespace.clone(), 1)),
        }
        if let Some(key) = key {
            self.facts.push((key.clone(), id.clone()));
        }
        self.index.put(&doc(record, words));
    }

    /// Takes an entry out; one that is not there is fine.
    pub(super) fn remove(&mut self, id: &EntryId) {
        let Some(found) = self.index.get(id.as_str()) else { return };
        if let Some((_, count)) = self.counts.iter_mut().find(|(name, _)| name.as_str() == found.namespace) {
            *count -= 1;
        }
        self.facts.retain(|(_, known)| known != id);
        self.index.remove(id.as_str());
    }

    /// How many entries a namespace holds, expired or not.
    pub(super) fn held(&self, namespace: &Namespace) -> usize {
        self.counts.iter().find(|(name, _)| name == namespace).map_or(0, |(_, count)| *count)
    }

    /// The entry about `key`, expired or not.
    pub(super) fn about(&self, key: &FactKey) -> Option<&EntryId> {
        self.facts.iter().find(|(known, _)| known == key).map(|(_, id)| id)
    }
}

fn doc<'a>(record: &'a Record, words: &'a Words) -> Doc<'a> {
    let entry = &record.entry;
    Doc {
        seq: record.seq,
        id: entry.id.as_str(),
        namespace: entry.namespace.as_str(),
        summary: &entry.summary,
        tags: entry.tags.as_slice(),
        importance: entry.importance,
        created_at: entry.created_at,
        expires_at: entry.expires_at,
        at: entry.at,
        session: entry.session.as_ref().map(SessionId::as_str),
        agent: entry.agent.as_ref().map(AgentId::as_str),
        speaker: entry.speaker.as_ref().map(Speaker::as_str),
        source: entry.source.as_deref(),
        trust: entry.trust as u8,
        metadata: &entry.metadata,
        text: Text { content: &words.content, summary: &words.summary, tags: &words.tags, speaker: &words.speaker },
    }
}
