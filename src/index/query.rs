//! Queries to the index, and their results.

use super::doc::{DocKind, Found, NONE, Row, field_text};
use super::meaning_file::Meaning;
use super::store::Index;
use crate::model::{Embedding, Json, Timestamp};
use crate::text::key;

/// The ranking (X10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ranking {
    /// The documented formula, to the digit (D27).
    #[default]
    Formula,
    /// The best ranking of this library.
    Best,
}

/// A filter by agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner<'a> {
    /// All entries.
    #[default]
    Anybody,
    /// Entries of this agent; for `None`, entries without an agent.
    Only(Option<&'a str>),
    /// Entries visible to this agent: its own, and entries without an agent. Other documents are visible to all.
    SeenBy(&'a str),
}

/// A filter of entries. Unset fields match everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Only these kinds; all if empty.
    pub kinds: &'a [DocKind],
    /// Only this namespace.
    pub namespace: Option<&'a str>,
    /// At least one of these tags, in NFKD; case does not matter.
    pub any_tag: &'a [String],
    /// All of these tags.
    pub all_tags: &'a [String],
    /// None of these tags.
    pub no_tag: &'a [String],
    /// Only entries whose event time is this or later.
    pub from: Option<Timestamp>,
    /// Only entries whose event time is before this.
    pub until: Option<Timestamp>,
    /// Only entries that are true at this time.
    pub valid_at: Option<Timestamp>,
    /// Only turns of this session.
    pub session: Option<&'a str>,
    /// Only entries of this agent.
    pub agent: Option<&'a str>,
    /// Only entries of this owner.
    pub owner: Owner<'a>,
    /// Only entries from this source.
    pub source: Option<&'a str>,
    /// Only entries whose metadata have these fields with these values. Values beyond about 1,000 bytes never match.
    pub metadata: &'a [(String, Json)],
    /// Only entries with at least this trust.
    pub min_trust: u8,
}

/// A query.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The text, in NFKD.
    pub text: &'a str,
    /// The ranking.
    pub ranking: Ranking,
    /// The most hits; 0 means none.
    pub limit: usize,
    /// The lowest score of a hit.
    pub min_score: f64,
    /// The filter.
    pub filter: Filter<'a>,
    /// Whether hits have a receipt.
    pub explain: bool,
    /// The embedding of the query, for the best ranking.
    pub embedding: Option<&'a Embedding>,
    /// The word meanings, for the best ranking.
    pub meaning: Option<&'a Meaning>,
}

impl<'a> Query<'a> {
    /// A query with the documented defaults (D29): five hits, and a lowest score of 0.15 for the formula.
    pub fn new(text: &'a str, ranking: Ranking) -> Self {
        let min_score = if ranking == Ranking::Formula { 0.15 } else { 0.0 };
        let filter = Filter::default();
        Self { text, ranking, limit: 5, min_score, filter, explain: false, embedding: None, meaning: None }
    }
}

/// One summand of a score.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Part {
    /// Its kind: `word`, `speaker`, `date`, `recency` …
    pub label: &'static str,
    /// The term or the name, if there is one.
    pub term: String,
    /// Its value.
    pub value: f64,
}

/// A hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The entry.
    pub found: Found<'a>,
    /// Its score, from 0 to 1.
    pub score: f64,
    /// If requested, the parts of the score: added in order they are exactly the score.
    pub receipt: Vec<Part>,
}

/// The reason why an entry is not among the hits.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Miss {
    /// The entry does not exist.
    Unknown,
    /// It has expired.
    Expired,
    /// This filter excludes it.
    Filtered(&'static str),
    /// Neither it nor a turn near it has any of these terms.
    NoTerm(Vec<String>),
    /// Its score is too low; with the parts of its score, if requested.
    LowScore(f64, Vec<Part>),
    /// It matches, but so many others score more and the limit is reached; with the parts of its score, if requested.
    Outranked(usize, Vec<Part>),
    /// It is a hit.
    Hit,
}

/// A filter in the numbers of one index. A name that the index does not have matches nothing.
pub(super) struct Sieve<'a> {
    now: Timestamp,
    kinds: &'a [DocKind],
    /// The required numbers of a row, by field.
    equal: [Option<Option<u32>>; 4],
    /// The required agent, and whether entries without an agent match as well.
    owner: Option<(Option<u32>, bool)>,
    any_tag: Option<Vec<u32>>,
    all: Vec<Option<u32>>,
    no_tag: Vec<u32>,
    fields: Vec<Option<u32>>,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
    valid_at: Option<Timestamp>,
    min_trust: u8,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(index: &Index, filter: &Filter<'a>, now: Timestamp) -> Self {
        let name = |name: &str| index.names.find(name);
        let tag = |tag: &String| index.names.find(&key(tag));
        Self {
            now,
            kinds: filter.kinds,
            equal: [
                filter.namespace.map(name),
                filter.session.map(|session| index.session_names.find(session)),
                filter.agent.map(name),
                filter.source.map(name),
            ],
            owner: match filter.owner {
                Owner::Anybody => None,
                Owner::Only(agent) => Some((agent.map_or(Some(NONE), name), false)),
                Owner::SeenBy(agent) => Some((name(agent), true)),
            },
            any_tag: (!filter.any_tag.is_empty()).then(|| filter.any_tag.iter().filter_map(tag).collect()),
            all: filter.all_tags.iter().map(tag).collect(),
            no_tag: filter.no_tag.iter().filter_map(tag).collect(),
            fields: filter
                .metadata
                .iter()
                .map(|(name, value)| field_text(name, value).and_then(|text| index.names.find(&text)))
                .collect(),
            from: filter.from,
            until: filter.until,
            valid_at: filter.valid_at,
            min_trust: filter.min_trust,
        }
    }

    /// The reason why an entry is excluded, if it is.
    pub(super) fn stops(&self, index: &Index, row: &Row) -> Option<Miss> {
        if row.expires_at <= self.now {
            return Some(Miss::Expired);
        }
        let stop = |name: &'static str| Some(Miss::Filtered(name));
        if !self.kinds.is_empty() && !self.kinds.contains(&row.kind) {
            return stop("kind");
        }
        let numbers = [row.namespace, row.session, row.agent, row.source];
        let labels = ["namespace", "session", "agent", "source"];
        for ((wanted, number), label) in self.equal.iter().zip(numbers).zip(labels) {
            if wanted.is_some_and(|wanted| number == NONE || wanted != Some(number)) {
                return stop(label);
            }
        }
        if let Some((owner, shared)) = self.owner
            && owner != Some(row.agent)
            && !(shared && (row.agent == NONE || row.kind != DocKind::Entry))
        {
            return stop("agent");
        }
        if row.trust < self.min_trust {
            return stop("trust");
        }
        if self.from.is_some_and(|from| row.at < from) || self.until.is_some_and(|until| row.at >= until) {
            return stop("time");
        }
        if self.valid_at.is_some_and(|at| !index.is_valid(row, at)) {
            return stop("validity");
        }
        let first = row.names as usize + usize::from(row.tags);
        let after = first + usize::from(row.tags);
        let tags = index.lists.get(first..after).unwrap_or(&[]);
        let has = |tag: &u32| tags.contains(tag);
        let lacks = |tag: &Option<u32>| !tag.as_ref().is_some_and(has);
        if self.any_tag.as_ref().is_some_and(|any| !any.iter().any(has))
            || self.all.iter().any(lacks)
            || self.no_tag.iter().any(has)
        {
            return stop("tags");
        }
        let fields = index.lists.get(after..after + usize::from(row.fields)).unwrap_or(&[]);
        if self.fields.iter().any(|field| !field.is_some_and(|field| fields.contains(&field))) {
            return stop("metadata");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, at, index};
    use super::*;

    fn hits(filter: Filter<'_>) -> Vec<String> {
        let sample = Sample { content: "words", summary: "words", ..Sample::default() };
        let index = index(&[
            Sample { id: "a", tags: "Red blue", trust: 2, at: -10, metadata: "{\"n\":1,\"o\":{\"x\":null}}", ..sample },
            Sample { id: "b", tags: "red", session: Some("s"), agent: Some("g"), source: Some("w"), at: -5, ..sample },
            Sample { id: "c", namespace: "long-term", at: 0, ..sample },
            Sample { id: "x", expires: 0, ..sample },
        ]);
        let mut found: Vec<String> = Vec::new();
        for ranking in [Ranking::Formula, Ranking::Best] {
            let hits = index.search(&Query { filter, ..Query::new("words", ranking) }, at(0));
            let mut ids: Vec<String> = hits.iter().map(|hit| hit.found.id.to_owned()).collect();
            ids.sort();
            assert!(found.is_empty() || found == ids);
            found = ids;
        }
        found
    }

    #[test]
    fn d13_filters_let_through_what_they_say() {
        let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<String>>();
        let none = Filter::default();
        assert_eq!(hits(none), ["a", "b", "c"], "D34: expired ones are hidden");
        assert_eq!(hits(Filter { namespace: Some("long-term"), ..none }), ["c"]);
        assert_eq!(hits(Filter { namespace: Some("nowhere"), ..none }), Vec::<String>::new());
        assert_eq!(hits(Filter { any_tag: &tags(&["RED", "green"]), ..none }), ["a", "b"]);
        assert_eq!(hits(Filter { any_tag: &tags(&["green"]), ..none }), Vec::<String>::new());
        assert_eq!(hits(Filter { all_tags: &tags(&["red", "Blue"]), ..none }), ["a"]);
        assert_eq!(hits(Filter { no_tag: &tags(&["blue", "green"]), ..none }), ["b", "c"]);
        assert_eq!(hits(Filter { from: Some(at(-5)), until: Some(at(0)), ..none }), ["b"]);
        assert_eq!(hits(Filter { session: Some("s"), agent: Some("g"), source: Some("w"), ..none }), ["b"]);
        assert_eq!(hits(Filter { owner: Owner::Only(Some("g")), ..none }), ["b"]);
        assert_eq!(hits(Filter { owner: Owner::Only(Some("h")), ..none }), Vec::<String>::new());
        assert_eq!(hits(Filter { owner: Owner::Only(None), ..none }), ["a", "c"]);
        assert_eq!(hits(Filter { owner: Owner::SeenBy("h"), ..none }), ["a", "c"]);
        assert_eq!(hits(Filter { owner: Owner::SeenBy("g"), ..none }), ["a", "b", "c"]);
        assert_eq!(hits(Filter { session: Some("t"), ..none }), Vec::<String>::new());
        assert_eq!(hits(Filter { min_trust: 1, ..none }), ["a"]);
        let object = Json::object(vec![("x", Json::Null)]);
        assert_eq!(hits(Filter { metadata: &[("n".to_owned(), 1.0.into())], ..none }), ["a"]);
        assert_eq!(hits(Filter { metadata: &[("n".to_owned(), "1".into())], ..none }), Vec::<String>::new());
        assert_eq!(hits(Filter { metadata: &[("o".to_owned(), object)], ..none }), Vec::<String>::new());
    }
}
