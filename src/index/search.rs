//! One search: score by the ranking, filter, keep the best.

use super::best;
use super::formula;
use super::query::{Hit, Miss, Part, Query, Ranking, Sieve};
use super::store::Index;
use crate::model::{Timestamp, sort};
use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;

/// Buffers that are reused between searches. Everything in them is zero or empty in between.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The score of each entry.
    pub(super) scores: Vec<f64>,
    /// The entries whose score is not zero.
    pub(super) touched: Vec<u32>,
    /// The counts of the current term in each entry, by its own words and by those of its neighbours, in shares of
    /// halves; and the entries with a count.
    pub(super) counts: Vec<[u32; 2]>,
    pub(super) counted: Vec<u32>,
    /// The postings of the current query's terms.
    pub(super) read: Vec<(u32, u32)>,
    /// The fields of each entry in which the formula finds the current token; or whether it has a word of the query
    /// itself.
    pub(super) marks: Vec<u8>,
    /// The number of tokens found in each field of each entry, ten bits per field.
    pub(super) fields: Vec<u32>,
    /// The cosine of each entry and the query, alone and with its neighbours.
    pub(super) cosines: Vec<f64>,
    pub(super) meanings: Vec<f64>,
    /// The whole-entry similarity of each entry to the question.
    pub(super) far: Vec<f64>,
}

/// Keeps the buffers for the next search. They are no part of the index: a clone starts without.
#[derive(Default)]
pub(super) struct Room(Cell<Option<Box<Scratch>>>);

impl Clone for Room {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Room")
    }
}

/// Entries whose receipts are requested, with their parts so far.
pub(super) type Watched = Vec<(u32, Vec<Part>)>;

impl Index {
    /// The best hits, best first; equal scores in the order of their ids.
    pub fn search(&self, query: &Query<'_>, now: Timestamp) -> Vec<Hit<'_>> {
        self.with_scratch(|scratch| {
            let ranked = self.ranked(query, now, scratch);
            let mut watched: Watched = ranked.iter().map(|(number, _)| (*number, Vec::new())).collect();
            // The small module of the web has no receipts.
            if cfg!(feature = "full") && query.explain {
                self.explain(query, now, scratch, &mut watched);
            }
            let parts = watched.into_iter().map(|(_, parts)| parts);
            let hits = ranked
                .into_iter()
                .zip(parts)
                .filter_map(|((number, score), receipt)| Some(Hit { found: self.found(number)?, score, receipt }));
            hits.collect()
        })
    }

    /// The newest entries that the filter of `query` lets through, with a score of 0.
    pub fn latest(&self, query: &Query<'_>, now: Timestamp) -> Vec<Hit<'_>> {
        let sieve = Sieve::new(self, &query.filter, now);
        let lets = |number: &&u32| self.rows.get(**number as usize).is_some_and(|row| sieve.stops(self, row).is_none());
        let newest = self.order.iter().rev().filter(lets).take(query.limit);
        newest.filter_map(|number| Some(Hit { found: self.found(*number)?, score: 0.0, receipt: Vec::new() })).collect()
    }

    /// The reason why the entry `id` is not among the hits of `query`.
    pub fn explain_miss(&self, id: &str, query: &Query<'_>, now: Timestamp) -> Miss {
        let Some(number) = self.number(id) else { return Miss::Unknown };
        let Some(row) = self.rows.get(number as usize) else { return Miss::Unknown };
        if let Some(miss) = Sieve::new(self, &query.filter, now).stops(self, row) {
            return miss;
        }
        self.with_scratch(|scratch| {
            let all = Query { min_score: 0.0, limit: usize::MAX, ..*query };
            let ranked = self.ranked(&all, now, scratch);
            match ranked.iter().position(|(found, _)| *found == number) {
                None => Miss::NoTerm(match query.ranking {
                    Ranking::Formula => formula::tokens(query.text).into_iter().map(|token| token.text).collect(),
                    Ranking::Best => best::looked_up(self, query.text, now),
                }),
                Some(rank) => {
                    let mut watched: Watched = vec![(number, Vec::new())];
                    if query.explain {
                        self.explain(query, now, scratch, &mut watched);
                    }
                    let parts = watched.pop().map(|(_, parts)| parts).unwrap_or_default();
                    match ranked.get(rank) {
                        Some((_, score)) if *score < query.min_score => Miss::LowScore(*score, parts),
                        _ if rank >= query.limit => Miss::Outranked(rank, parts),
                        _ => Miss::Hit,
                    }
                }
            }
        })
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.room.0.take().unwrap_or_default();
        let entries = self.rows.len();
        scratch.scores.resize(entries, 0.0);
        scratch.counts.resize(entries, [0; 2]);
        scratch.marks.resize(entries, 0);
        scratch.fields.resize(entries, 0);
        let result = work(&mut scratch);
        self.room.0.set(Some(scratch));
        result
    }

    /// The score parts of the watched entries.
    fn explain(&self, query: &Query<'_>, now: Timestamp, scratch: &mut Scratch, watched: &mut Watched) {
        match query.ranking {
            Ranking::Formula => formula::score(self, query.text, now, scratch, Some(watched)),
            Ranking::Best => {
                let question = best::question(self, query.text, now);
                best::score(self, query, &question, None, scratch, Some(watched)).explain(&scratch.marks, watched);
            }
        }
        clear(scratch);
    }

    /// The best entries and their scores.
    fn ranked(&self, query: &Query<'_>, now: Timestamp, scratch: &mut Scratch) -> Vec<(u32, f64)> {
        let limit = query.limit;
        if limit == 0 {
            return Vec::new();
        }
        let question = best::question(self, query.text, now);
        let sieve = Sieve::new(self, &query.filter, now);
        let bonuses = match query.ranking {
            Ranking::Formula => {
                formula::score(self, query.text, now, scratch, None);
                None
            }
            Ranking::Best => Some(best::score(self, query, &question, Some(&sieve), scratch, None)),
        };
        // A little more than the maximum, because of rounding.
        let most = |number: u32| bonuses.as_ref().map_or(0.0, |bonuses| bonuses.most_of(number) + 1e-9);
        let Scratch { scores, touched, marks, .. } = scratch;
        let score = |scores: &[f64], number: u32| scores.get(number as usize).copied().unwrap_or(0.0);
        let better = |scores: &[f64], one: u32, other: u32| -> Ordering {
            score(scores, other).total_cmp(&score(scores, one)).then_with(|| self.id(one).cmp(self.id(other)))
        };
        let mut kept: Vec<u32> = Vec::new();
        // Sorted only when twice the limit has been collected: most entries cost one comparison with the worst of them.
        let room = limit.saturating_mul(2).max(32);
        let mut worst = query.min_score;
        // Entries with the best words come first: after them, few others can still be among the best.
        let best = touched.iter().fold(0.0, |best: f64, number| best.max(score(scores, *number)));
        for (least, most_words) in [(best * 0.75, f64::INFINITY), (0.0, best * 0.75)] {
            for number in touched.iter() {
                let words = score(scores, *number);
                // Skip an entry that cannot be among the best even with every bonus that its traits allow.
                if words < least || words >= most_words || words + most(*number) < worst {
                    continue;
                }
                if let (Some(bonuses), Some(score)) = (&bonuses, scores.get_mut(*number as usize)) {
                    bonuses.add(*number, marks.get(*number as usize) == Some(&best::OWN), score);
                }
                // The filter comes last: few entries get this far.
                if score(scores, *number) < worst
                    || self.rows.get(*number as usize).is_none_or(|row| sieve.stops(self, row).is_some())
                {
                    continue;
                }
                kept.push(*number);
                if kept.len() >= room || least > 0.0 && kept.len() == limit {
                    sort(&mut kept, &mut |one, other| better(scores, *one, *other));
                    kept.truncate(limit);
                    worst = kept.last().map_or(worst, |number| score(scores, *number));
                }
            }
        }
        sort(&mut kept, &mut |one, other| better(scores, *one, *other));
        kept.truncate(limit);
        let kept = kept.into_iter().map(|number| (number, score(scores, number))).collect();
        clear(scratch);
        kept
    }
}

fn clear(scratch: &mut Scratch) {
    for number in scratch.touched.drain(..) {
        let at = number as usize;
        if let (Some(score), Some(mark)) = (scratch.scores.get_mut(at), scratch.marks.get_mut(at)) {
            (*score, *mark) = (0.0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, at, index};
    use super::super::{Filter, Query};
    use super::*;

    #[test]
    fn a_miss_says_what_kept_the_entry_out() {
        let index = index(&[
            Sample { id: "a", content: "green apples and pears", ..Sample::default() },
            Sample { id: "b", content: "green", ..Sample::default() },
            Sample { id: "gone", content: "green", expires: 0, ..Sample::default() },
        ]);
        for ranking in [Ranking::Formula, Ranking::Best] {
            let query = Query::new("green apples", ranking);
            let why = |id: &str, query: Query<'_>| index.explain_miss(id, &query, at(0));
            assert_eq!(why("nobody", query), Miss::Unknown);
            assert_eq!(why("gone", query), Miss::Expired);
            let filter = Filter { namespace: Some("long-term"), ..Filter::default() };
            assert_eq!(why("a", Query { filter, ..query }), Miss::Filtered("namespace"));
            assert_eq!(why("b", Query { limit: 1, min_score: 0.0, ..query }), Miss::Outranked(1, Vec::new()));
            assert!(
                matches!(why("b", Query { min_score: 0.99, ..query }), Miss::LowScore(_, parts) if parts.is_empty())
            );
            let why_low = why("b", Query { min_score: 0.99, explain: true, ..query });
            let Miss::LowScore(score, parts) = why_low else { panic!("{why_low:?}") };
            assert_eq!(parts.iter().fold(0.0, |sum, part| sum + part.value), score);
            assert_eq!(why("b", Query { min_score: score, ..query }), Miss::Hit, "exactly the least score is enough");
            assert_eq!(why("a", query), Miss::Hit);
            assert!(matches!(why("b", Query { text: "pears", ..query }), Miss::NoTerm(terms) if terms.len() == 1));
        }
    }

    #[test]
    fn the_best_few_of_many_are_the_first_of_all() {
        let ids: Vec<String> = (0..500).map(|n| format!("{:03}", n * 7 % 500)).collect();
        let texts: Vec<String> = (0..500).map(|n| format!("word {}", "filler ".repeat(n % 11))).collect();
        let samples: Vec<Sample<'_>> =
            ids.iter().zip(&texts).map(|(id, content)| Sample { id, content, ..Sample::default() }).collect();
        let index = index(&samples);
        let ids = |limit| -> Vec<String> {
            let query = Query { limit, ..Query::new("word", Ranking::Best) };
            index.search(&query, at(0)).iter().map(|hit| hit.found.id.to_owned()).collect()
        };
        let all = ids(1000);
        assert_eq!(all.len(), 500);
        for limit in [1, 5, 33, 499] {
            assert_eq!(ids(limit), all[..limit]);
        }
    }

    #[test]
    fn bonuses_are_left_out_only_where_they_cannot_matter() {
        let ids: Vec<String> = (0..600).map(|n| format!("{:03}", n * 7 % 600)).collect();
        let said = ["I moved to Hanoi", "You could try 3 lakes", "Always use metric units", "Where is the lake?", "ok"];
        let texts: Vec<String> =
            (0..600).map(|n| format!("{} lake {}", said[n % 5], "and so on ".repeat(n % 13))).collect();
        let speakers = [None, Some("user"), Some("assistant"), Some("Ann")];
        let samples: Vec<Sample<'_>> = (0..)
            .zip(ids.iter().zip(&texts))
            .map(|(n, (id, content))| {
                let (speaker, session) = (speakers[n % 4], (n % 3 > 0).then_some(["s", "t"][n % 2]));
                let at = -24 * (n as i64 % 50);
                let importance = (n % 10) as f64 / 10.0;
                Sample { id, content, seq: n as u64, speaker, session, at, importance, ..Sample::default() }
            })
            .collect();
        let index = index(&samples);
        for text in [
            "lake",
            "Where did I move?",
            "What did Ann say about the lake?",
            "Which units should my lake report use?",
            "Which lake did you suggest on 24 December 2024?",
            "How many lakes did you tell me about?",
        ] {
            let ids = |limit| -> Vec<(String, f64)> {
                let query = Query { limit, ..Query::new(text, Ranking::Best) };
                let hits = index.search(&query, at(0));
                hits.iter().map(|hit| (hit.found.id.to_owned(), hit.score)).collect()
            };
            let all = ids(1000);
            assert!(all.len() > 40, "{text}");
            for limit in [1, 5, 20, 33] {
                assert_eq!(ids(limit), all[..limit], "{text}");
            }
        }
    }

    #[test]
    fn entries_with_common_words_alone_are_left_out_only_where_they_cannot_be_hits() {
        let ids: Vec<String> = (0..1500).map(|n| format!("{:04}", n * 7 % 1500)).collect();
        // Every word is in more entries than a list must have to be long.
        let words = [("harbour", 1), ("lantern", 2), ("orchard", 5), ("saddle", 9), ("walnut", 20)];
        let texts: Vec<String> = (0..1500_usize)
            .map(|n| {
                let spread = n * 31 % 1500;
                let has = words.iter().filter(|(_, every)| spread.is_multiple_of(*every)).map(|(word, _)| *word);
                let said = ["I always like the", "We went to the", "Is it the"][n % 3];
                format!("{said} {} {}", has.collect::<Vec<_>>().join(" "), "and so on ".repeat(n % 7))
            })
            .collect();
        for speakers in [[None; 3], [None, Some("user"), Some("Ann")]] {
            let samples = (0..).zip(ids.iter().zip(&texts)).map(|(n, (id, content))| {
                let (speaker, importance) = (speakers[n % 3], (n % 10) as f64 / 10.0);
                Sample { id, content, seq: n as u64, speaker, importance, ..Sample::default() }
            });
            let index = index(&samples.collect::<Vec<_>>());
            for text in ["walnut harbour", "lantern and harbour", "Which saddle do I like?", "orchard lantern saddle"] {
                for filter in [Filter::default(), Filter { namespace: Some("nowhere"), ..Filter::default() }] {
                    let hits = |limit| -> Vec<(String, f64)> {
                        let query = Query { limit, filter, ..Query::new(text, Ranking::Best) };
                        let hits = index.search(&query, at(0));
                        hits.iter().map(|hit| (hit.found.id.to_owned(), hit.score)).collect()
                    };
                    let all = hits(usize::MAX);
                    assert_eq!(all.len() > 100, filter.namespace.is_none(), "{text}");
                    for limit in [1, 5, 20, 400] {
                        assert_eq!(hits(limit), all[..limit.min(all.len())], "{text}");
                    }
                }
            }
        }
    }
}
