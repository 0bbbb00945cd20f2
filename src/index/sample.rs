//! Small entries for the tests of the index.

use super::{Doc, DocKind, Hit, Index, Query, Ranking, Text};
use crate::model::{Importance, Metadata, Timestamp};
use crate::text::Voice;

/// An entry with only the fields that matter to a test. Times are in hours, around the tests' now.
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) id: &'a str,
    pub(super) seq: u64,
    pub(super) namespace: &'a str,
    pub(super) summary: &'a str,
    pub(super) content: &'a str,
    /// Separated by spaces.
    pub(super) tags: &'a str,
    pub(super) importance: f64,
    pub(super) created: i64,
    pub(super) expires: i64,
    pub(super) at: i64,
    pub(super) session: Option<&'a str>,
    pub(super) speaker: Option<&'a str>,
    pub(super) agent: Option<&'a str>,
    pub(super) source: Option<&'a str>,
    pub(super) trust: u8,
    /// A JSON object.
    pub(super) metadata: &'a str,
}

impl Default for Sample<'_> {
    fn default() -> Self {
        Self {
            id: "id",
            seq: 0,
            namespace: "short-term",
            summary: "",
            content: "",
            tags: "",
            importance: 0.0,
            created: -1000,
            expires: 1000,
            at: -1000,
            session: None,
            speaker: None,
            agent: None,
            source: None,
            trust: 0,
            metadata: "{}",
        }
    }
}

/// 2025-01-02T10:00, and so many hours later.
pub(super) fn at(hours: i64) -> Timestamp {
    Timestamp::from_millis("at", 1_735_812_000_000 + hours * 3_600_000).unwrap()
}

pub(super) fn put(index: &mut Index, sample: &Sample<'_>) {
    let tags: Vec<String> = sample.tags.split_whitespace().map(str::to_owned).collect();
    let metadata = Metadata::new("metadata", crate::codec::json::parse(sample.metadata).unwrap()).unwrap();
    index.put(&Doc {
        seq: sample.seq,
        kind: DocKind::Entry,
        id: sample.id,
        namespace: sample.namespace,
        summary: sample.summary,
        tags: &tags,
        importance: Importance::new("importance", sample.importance).unwrap(),
        created_at: at(sample.created),
        expires_at: at(sample.expires),
        at: at(sample.at),
        valid: None,
        session: sample.session,
        agent: sample.agent,
        speaker: sample.speaker,
        voice: Voice::of_speaker(sample.speaker.unwrap_or("")),
        source: sample.source,
        trust: sample.trust,
        key: None,
        metadata: &metadata,
        vector: &[],
        text: Text {
            content: sample.content,
            summary: sample.summary,
            tags: &tags,
            speaker: sample.speaker.unwrap_or(""),
        },
    });
}

pub(super) fn index(samples: &[Sample<'_>]) -> Index {
    let mut index = Index::default();
    for sample in samples {
        put(&mut index, sample);
    }
    index
}

/// All hits of a ranking, explained.
pub(super) fn all<'i>(index: &'i Index, text: &str, ranking: Ranking) -> Vec<Hit<'i>> {
    index.search(&Query { limit: 1000, min_score: 0.0, explain: true, ..Query::new(text, ranking) }, at(0))
}

pub(super) fn found<'i>(index: &'i Index, text: &str, ranking: Ranking) -> Vec<&'i str> {
    all(index, text, ranking).iter().map(|hit| hit.found.id).collect()
}
