//! Query expansion by a file of word meanings: entries with words similar in meaning to those of the question.

use super::best::{ENOUGH, rarity};
use super::meaning_file::Meaning;
use super::search::Scratch;
use super::store::Index;
use super::words::Words;
use crate::text::{Question, Role, Sought};
use std::ops::Range;

/// The unit of counts of similar words: this fraction of a half.
pub(super) const PARTS: u32 = 64;

/// The most indexed words per word of the question, and the most words of the question: the cost of a search must not
/// depend on the length of its text.
const MOST_ALIKE: usize = 40;
const MOST_ASKED: usize = 24;

/// The lowest count of a match, in units of [`PARTS`] of halves: .15 of an occurrence.
const HOLDS: u32 = (0.15 * 2.0 * PARTS as f64) as u32;

/// The entries with words similar to one of the question's.
pub(super) struct Alike {
    /// The index of the term.
    pub(super) sought: usize,
    /// Its range in the postings read.
    pub(super) read: Range<usize>,
    pub(super) value: f64,
}

/// Looks up words similar to those of the question, each as a term of its own; their entries are then in
/// `scratch.read`. `weight_of` is the weight of a term. Only the full module has the file.
pub(super) fn look_up(
    index: &Index,
    meaning: Option<&Meaning>,
    question: &Question,
    words: &mut Words,
    scratch: &mut Scratch,
    weight_of: &dyn Fn(&Sought) -> f64,
) -> Vec<Alike> {
    let mut found = Vec::new();
    let Some(meaning) = meaning.filter(|_| cfg!(feature = "full")) else { return found };
    words.take_waiting();
    let n = f64::from(index.live.max(1));
    // Very frequent words say nothing, and their lists are long.
    let most = index.weights.alike_most * n + 20.0;
    let known = stems(question).filter_map(|(at, sought)| Some((at, sought, meaning.find(&sought.text)?)));
    for (at, sought, asked) in known.take(MOST_ASKED) {
        let weight = weight_of(sought);
        if weight <= 0.0 {
            continue;
        }
        let mut taken = 0;
        let start = scratch.read.len();
        let mut held_asked = 0.0;
        for (other, much) in meaning.like(asked) {
            let Some(term) = words.vocabulary.find(meaning.stem(other)) else { continue };
            let live = |doc: u32| index.lengths.get(doc as usize).is_some_and(|length| *length > 0);
            let list = || words.postings.read(term).filter(|posting| posting.count > 0 && live(posting.doc));
            let df = list().count() as f64;
            // The word itself is already a term.
            if other == asked {
                held_asked = df;
                continue;
            }
            if df == 0.0 || df > most {
                continue;
            }
            let share = (much * f64::from(PARTS)) as u32;
            for posting in list() {
                let Some([sum, _]) = scratch.counts.get_mut(posting.doc as usize) else { continue };
                if *sum == 0 {
                    scratch.counted.push(posting.doc);
                }
                *sum += posting.count.min(ENOUGH) * share;
            }
            taken += 1;
            if taken == MOST_ALIKE {
                break;
            }
        }
        let mut df = 0.0;
        for number in scratch.counted.drain(..) {
            let Some(count) = scratch.counts.get_mut(number as usize) else { continue };
            let [sum, _] = std::mem::take(count);
            if sum > 0 {
                df += f64::from(u8::from(sum >= HOLDS));
                scratch.read.push((number, sum.min(ENOUGH * PARTS)));
            }
        }
        // A rare word of the question matches itself; a missing one needs others in its place.
        let weights = &index.weights;
        let need = 0.3 + 0.7 / (1.0 + held_asked / 3.0);
        let plain = 0.01 / (0.01 + meaning.share(asked));
        let value = weights.alike * weight * need * plain * rarity(n, df);
        found.push(Alike { sought: at, read: start..scratch.read.len(), value });
    }
    found
}

/// The stems of a question that the file may have, each with its position; none if the question is not English.
pub(super) fn stems(question: &Question) -> impl Iterator<Item = (usize, &Sought)> {
    let is_known = |sought: &Sought| question.english && sought.role == Role::Stem;
    question.sought.iter().enumerate().filter(move |(_, sought)| is_known(sought))
}

#[cfg(test)]
mod tests {
    use super::super::meaning_file::tests::file;
    use super::super::sample::{Sample, at, index};
    use super::super::{Hit, Index, Query, Ranking};
    use super::*;

    fn meaning() -> Meaning {
        let words: [(&str, &[u8]); 4] = [
            ("banana", &[15, 1, 7, 8]),
            ("fruit", &[14, 2, 8, 7]),
            ("hammer", &[1, 15, 8, 8]),
            ("tool", &[2, 14, 7, 8]),
        ];
        Meaning::read(&file(&words)).unwrap()
    }

    fn sample() -> Vec<Sample<'static>> {
        let turn = Sample { session: Some("s"), ..Sample::default() };
        vec![
            Sample { id: "banana", seq: 1, content: "She ate a banana on the train", session: Some("a"), ..turn },
            Sample { id: "hammer", seq: 2, content: "He lent me his hammer again", session: Some("b"), ..turn },
            Sample { id: "nothing", seq: 3, content: "Nobody was at home that day", session: Some("c"), ..turn },
        ]
    }

    fn hits<'a>(index: &'a Index, text: &str, meaning: Option<&Meaning>) -> Vec<Hit<'a>> {
        index.search(&Query { explain: true, meaning, ..Query::new(text, Ranking::Best) }, at(0))
    }

    #[test]
    fn a_class_finds_its_member_and_the_receipt_adds_up() {
        let (index, meaning) = (index(&sample()), meaning());
        for (text, member) in [("Which fruit is it?", "banana"), ("Which tools did she borrow?", "hammer")] {
            assert!(hits(&index, text, None).iter().all(|hit| hit.found.id != member), "{text}");
            let found = hits(&index, text, Some(&meaning));
            assert_eq!(found[0].found.id, member, "{text}");
            assert!(found[0].receipt.iter().any(|part| part.label == "alike" && part.value > 0.0));
            for hit in found {
                assert!(hit.score > 0.0 && hit.score <= 1.0, "{text}: {}", hit.score);
                assert_eq!(hit.receipt.iter().fold(0.0, |sum, part| sum + part.value), hit.score, "{text}");
            }
        }
    }

    #[test]
    fn words_alike_count_less_in_long_entries_and_nothing_in_their_neighbours() {
        let long = format!("{} with a banana", "something else was said then ".repeat(60));
        let turn = Sample { session: Some("s"), ..Sample::default() };
        let index = index(&[
            Sample { id: "short", seq: 1, content: "She ate a banana on the train", ..turn },
            Sample { id: "next", seq: 2, content: "Nobody was at home that day", ..turn },
            Sample { id: "long", seq: 3, content: &long, session: Some("t"), ..turn },
        ]);
        let found = hits(&index, "Which fruit is it?", Some(&meaning()));
        let alike = |id: &str| {
            let parts = found.iter().filter(|hit| hit.found.id == id).flat_map(|hit| &hit.receipt);
            parts.filter(|part| part.label == "alike").map(|part| part.value).sum::<f64>()
        };
        assert_eq!(found[0].found.id, "short");
        assert!(alike("long") > 0.0 && alike("long") < alike("short") / 3.0, "{} {}", alike("long"), alike("short"));
        assert_eq!(alike("next"), 0.0);
    }

    #[test]
    fn f42_the_order_in_which_entries_came_does_not_show() {
        let (mut other_way, meaning) = (sample(), meaning());
        other_way.reverse();
        let (one, other) = (index(&sample()), index(&other_way));
        let shown = |index: &Index| {
            let hits = hits(index, "Which fruit or tools were there?", Some(&meaning)).into_iter();
            hits.map(|hit| (hit.found.id.to_owned(), hit.score)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&one), shown(&other));
        assert_eq!(shown(&one).len(), 2);
    }

    #[test]
    fn entries_that_come_and_go_after_the_first_search_are_seen() {
        let meaning = meaning();
        let mut index = index(&sample());
        assert_eq!(hits(&index, "Which fruit is it?", Some(&meaning)).len(), 1);
        let late = Sample { id: "late", seq: 4, content: "A banana for the monkey", session: Some("d"), ..sample()[0] };
        super::super::sample::put(&mut index, &late);
        assert_eq!(hits(&index, "Which fruit is it?", Some(&meaning)).len(), 2);
        index.remove(super::super::DocKind::Entry, "banana");
        let left: Vec<&str> =
            hits(&index, "Which fruit is it?", Some(&meaning)).iter().map(|hit| hit.found.id).collect();
        assert_eq!(left, ["late"]);
        index.compact();
        assert_eq!(hits(&index, "Which fruit is it?", Some(&meaning)).len(), 1);
    }
}
