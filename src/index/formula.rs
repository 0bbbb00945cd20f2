//! The documented formula (D27, D28), with the decisions on what a match is (X9) and on recency (X7).

use super::postings::{CONTENT, Reader, SUMMARY, TAGS};
use super::query::Part;
use super::search::{Scratch, Watched};
use super::store::Index;
use crate::model::Timestamp;
use crate::text::{Role, terms};

/// A token of the query.
pub(super) struct Token {
    pub(super) text: String,
    /// Whether it is a word, which a longer word may contain; otherwise it must be equal.
    word: bool,
}

/// The number of tokens must fit into ten bits, three times.
const MAX_TOKENS: usize = 1000;

/// The unique tokens of a query. Words of one character are dropped (D30), except in scripts where characters are
/// words.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    terms(text, &mut |term| {
        let wanted = match term.role {
            Role::Word => term.text.chars().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).nth(1).is_some(),
            Role::Pair | Role::Lone | Role::Picture => true,
            _ => false,
        };
        if wanted && tokens.len() < MAX_TOKENS && !tokens.iter().any(|known| known.text == term.text) {
            tokens.push(Token { text: term.text.to_owned(), word: term.role == Role::Word });
        }
    });
    tokens
}

/// Scores every entry that matches at least one token (D42).
pub(super) fn score(index: &Index, text: &str, now: Timestamp, scratch: &mut Scratch, watched: Option<&mut Watched>) {
    let tokens = tokens(text);
    let mut words = index.words.borrow_mut();
    // A token may be in the middle of any word.
    words.take_waiting();
    for token in &tokens {
        if token.word {
            for term in words.vocabulary.containing(&token.text) {
                mark(words.postings.read(term), scratch);
            }
        } else {
            mark(words.list(&token.text), scratch);
        }
        count(index, scratch);
    }
    // The value of each number of matches in each field, divided once and not for each entry.
    let n = tokens.len().max(1) as f64;
    let shares =
        [0.40, 0.25, 0.20].map(|weight| (0..=tokens.len()).map(|m| m as f64 / n * weight).collect::<Vec<f64>>());
    let parts = |number: u32, fields: u32| {
        let share = |field: usize| shares[field].get((fields >> (10 * field)) as usize & 0x3FF).copied().unwrap_or(0.0);
        let row = index.rows.get(number as usize);
        let age = row.map_or(0, |row| now.millis() - row.created_at.millis());
        let recency = if age >= 360_000_000 { 0.0 } else { 0.1 - 0.001 * (age as f64 / 3_600_000.0) };
        [
            ("summary", share(0)),
            ("content", share(1)),
            ("tags", share(2)),
            ("recency", recency.clamp(0.0, 0.1)),
            ("importance", row.map_or(0.0, |row| row.importance.get()) * 0.05),
        ]
    };
    if let Some(watched) = watched {
        for (number, receipt) in watched {
            let fields = scratch.fields.get(*number as usize).copied().unwrap_or(0);
            let mut sum = 0.0;
            for (label, value) in parts(*number, fields) {
                // The score is capped at 1: the excess is subtracted from the last parts.
                let value = if sum + value > 1.0 { 1.0 - sum } else { value };
                sum += value;
                if value != 0.0 {
                    receipt.push(Part { label, term: String::new(), value });
                }
            }
        }
    }
    for number in &scratch.touched {
        let at = *number as usize;
        let fields = scratch.fields.get_mut(at).map(std::mem::take).unwrap_or(0);
        let sum: f64 = parts(*number, fields).iter().fold(0.0, |sum, (_, value)| sum + value);
        if let Some(score) = scratch.scores.get_mut(at) {
            *score = sum.min(1.0);
        }
    }
}

/// Marks the fields of the entries that have a term.
fn mark(list: Reader<'_>, scratch: &mut Scratch) {
    for posting in list {
        let at = posting.doc as usize;
        let Some(marks) = scratch.marks.get_mut(at) else { continue };
        if *marks == 0 && posting.fields != 0 {
            scratch.counted.push(posting.doc);
        }
        *marks |= posting.fields;
    }
}

/// Adds the fields marked by one token to the counts.
fn count(index: &Index, scratch: &mut Scratch) {
    for number in scratch.counted.drain(..) {
        let at = number as usize;
        let (Some(marks), Some(sum)) = (scratch.marks.get_mut(at), scratch.fields.get_mut(at)) else { continue };
        let fields = std::mem::take(marks);
        if index.lengths.get(at).is_none_or(|length| *length == 0) {
            continue;
        }
        if *sum == 0 {
            scratch.touched.push(number);
        }
        for (bit, shift) in [(SUMMARY, 0), (CONTENT, 10), (TAGS, 20)] {
            *sum += u32::from(fields & bit != 0) << shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, all, at, found, index};
    use super::super::{Query, Ranking};

    const F: Ranking = Ranking::Formula;

    fn one(sample: Sample<'_>, text: &str) -> f64 {
        let index = index(&[sample]);
        all(&index, text, F).first().map_or(f64::NAN, |hit| hit.score)
    }

    const FULL: Sample<'static> = Sample {
        id: "id",
        seq: 0,
        namespace: "short-term",
        summary: "Deploy keys",
        content: "Deploy keys rotate",
        tags: "deploy-keys",
        importance: 0.0,
        created: -101,
        expires: 1000,
        at: 0,
        session: None,
        speaker: None,
        agent: None,
        source: None,
        trust: 0,
        metadata: "{}",
    };

    #[test]
    fn d31_all_three_fields_of_an_old_entry_give_85_percent() {
        let score = one(FULL, "deploy key");
        // The sum of the three weights in double precision; no order of adding them gives 0.85.
        assert_eq!(score, 0.4 + 0.25 + 0.2);
        assert_eq!(format!("{:.1}%", score * 100.0), "85.0%");
    }

    #[test]
    fn d27_each_field_counts_its_share_of_the_tokens() {
        let plain = Sample { summary: "", content: "", tags: "", ..FULL };
        assert_eq!(one(Sample { summary: "alpha", ..plain }, "alpha"), 0.4);
        assert_eq!(one(Sample { content: "alpha", ..plain }, "alpha"), 0.25);
        assert_eq!(one(Sample { tags: "alpha", ..plain }, "alpha"), 0.2);
        assert_eq!(one(Sample { summary: "alpha", content: "alpha beta", ..plain }, "alpha beta"), 0.2 + 0.25);
        assert_eq!(one(Sample { summary: "alpha", ..plain }, "alpha beta gamma"), 1.0 / 3.0 * 0.4);
        assert_eq!(one(Sample { summary: "alpha", ..plain }, "alpha ALPHA Alpha"), 0.4, "duplicates count once");
        assert_eq!(one(Sample { summary: "alpha", ..plain }, "a alpha"), 0.4, "D30: single letters are dropped");
    }

    #[test]
    fn d28_x7_recency_and_importance_are_bounded() {
        let aged = |created| one(Sample { created, summary: "alpha", content: "", tags: "", ..FULL }, "alpha");
        assert_eq!(aged(0), 0.4 + 0.1);
        assert_eq!(aged(-50), 0.4 + (0.1 - 0.001 * 50.0));
        assert_eq!(aged(-100), 0.4 + (0.1 - 0.001 * 100.0_f64).max(0.0));
        assert_eq!(aged(-5000), 0.4);
        assert_eq!(aged(24), 0.4 + 0.1, "F39: a clock that jumps back");
        assert_eq!(one(Sample { importance: 1.0, ..FULL }, "deploy"), 0.4 + 0.25 + 0.2 + 0.05);
        let most = one(Sample { importance: 1.0, created: 0, ..FULL }, "deploy");
        assert!(most <= 1.0 && most > 0.999_999);
    }

    #[test]
    fn d42_an_entry_without_a_match_is_no_hit() {
        let index = index(&[Sample { importance: 1.0, created: 0, ..FULL }]);
        assert_eq!(found(&index, "nothing", F), Vec::<&str>::new());
        assert_eq!(found(&index, "", F), Vec::<&str>::new());
        assert_eq!(found(&index, "a", F), Vec::<&str>::new());
    }

    #[test]
    fn x9_a_longer_term_contains_the_token_and_pairs_are_equal() {
        let index = index(&[
            Sample { id: "en", content: "redeployments", ..Sample::default() },
            Sample { id: "ja", content: "東京タワーに行った", ..Sample::default() },
            Sample { id: "vi", content: "tie\u{302}\u{301}ng Vie\u{323}\u{302}t", ..Sample::default() },
        ]);
        assert_eq!(found(&index, "deploy", F), ["en"]);
        assert_eq!(found(&index, "deployed", F), Vec::<&str>::new());
        assert_eq!(found(&index, "東京", F), ["ja"]);
        assert_eq!(found(&index, "京", F), ["ja"]);
        assert_eq!(found(&index, "京都", F), Vec::<&str>::new());
        assert_eq!(found(&index, "VIE\u{323}\u{302}T", F), ["vi"]);
    }

    #[test]
    fn d29_d40_limits_and_thresholds_are_taken_at_their_word() {
        let samples: Vec<String> = (0..9).map(|n| format!("{n}")).collect();
        let samples: Vec<Sample<'_>> =
            samples.iter().map(|id| Sample { id, content: "one two three four five six seven", ..FULL }).collect();
        let index = index(&samples);
        let count = |query: Query<'_>| index.search(&query, at(0)).len();
        assert_eq!(count(Query::new("seven", F)), 5);
        assert_eq!(count(Query { limit: 0, ..Query::new("seven", F) }), 0);
        assert_eq!(count(Query { min_score: 0.25, ..Query::new("seven", F) }), 5);
        assert_eq!(count(Query { min_score: 0.2501, ..Query::new("seven", F) }), 0);
        let weak = "seven a1 a2 a3 a4 a5 a6 a7 a8 a9";
        assert_eq!(count(Query::new(weak, F)), 0);
        assert_eq!(count(Query { min_score: 0.0, limit: 100, ..Query::new(weak, F) }), 9);
    }

    #[test]
    fn receipts_add_up_to_the_bit_and_ties_go_by_id() {
        let index = index(&[
            Sample { id: "b", importance: 0.3, created: -3, ..FULL },
            Sample { id: "a", importance: 0.3, created: -3, ..FULL },
            Sample { id: "c", importance: 1.0, created: 0, ..FULL },
        ]);
        let hits = all(&index, "deploy keys rotate", F);
        assert_eq!(hits.iter().map(|hit| hit.found.id).collect::<Vec<_>>(), ["c", "a", "b"]);
        for hit in hits {
            assert_eq!(hit.receipt.iter().fold(0.0, |sum, part| sum + part.value), hit.score);
        }
    }
}
