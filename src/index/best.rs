//! The best ranking: BM25 over stems, and dialog features that make a turn the answer to a question.
//!
//! Every part of a score is divided by the score of an ideal entry for this query, so scores are between 0 and 1: 1
//! would be an entry that has each word of the query often and every property that the question asks for.

use super::dialog::{Bonuses, Carry};
use super::doc::NONE;
use super::expansion;
use super::meaning;
use super::pooled;
use super::query::{Part, Query, Sieve};
use super::search::{Scratch, Watched};
use super::store::Index;
use crate::model::{Timestamp, sort};
use crate::text::{Question, Role, Sought};
use std::ops::Range;

/// A term of the query, with its data from the index.
struct Lookup<'q> {
    term: &'q str,
    label: &'static str,
    entries: Entries,
    /// Their number.
    df: usize,
    /// Weight times rarity.
    value: f64,
    /// The unit of its counts: this fraction of a half.
    parts: u32,
}

/// The entries of a term of the query.
enum Entries {
    /// The list of a term, which is not read yet: often it need not be.
    Listed(u32),
    /// A range in the postings read.
    Read(Range<usize>),
}

impl Lookup<'_> {
    /// Whether it is a term of the question itself, and not similar words, which only the full module has.
    fn is_exact(&self) -> bool {
        !cfg!(feature = "full") || self.parts == 1
    }
}

/// In halves: more than eight occurrences of a word add nothing. Together with the length, which counts up to twenty
/// times the average, this keeps an entry with repeated keywords below one that has them once (S3).
pub(super) const ENOUGH: u32 = 16;
pub(super) const LONGEST: f64 = 20.0;

/// One occurrence, of which neighbouring turns get shares. Shares are integers so that their sum does not depend on the
/// order in which entries were added (F42).
pub(super) const WHOLE: u32 = 4096;

/// Counts are in shares of halves.
const HALVES: f64 = (2 * WHOLE) as f64;

const DAY: i64 = 86_400_000;

/// Before a list of so many entries it is worth finding out which entries can still be hits. Tests have smaller indexes.
const LONG: usize = if cfg!(test) { 64 } else { 4096 };

/// The most hits for which that is done: it keeps as many scores in order.
const MANY: usize = 512;

/// A list with so many entries for each that can still be a hit is not read as a whole.
const SPARSE: usize = 16;

pub(super) fn question(index: &Index, text: &str, now: Timestamp) -> Question {
    Question::at_home(text, now.millis().div_euclid(DAY), &|| index.is_english(text), index.said > 0)
}

/// The terms that a query looks up.
pub(super) fn looked_up(index: &Index, text: &str, now: Timestamp) -> Vec<String> {
    let sought = question(index, text, now).sought;
    sought.into_iter().filter(|sought| sought.role != Role::Plain).map(|sought| sought.text).collect()
}

/// The rarity (IDF) of a term that `df` of `n` entries have.
pub(super) fn rarity(n: f64, df: f64) -> f64 {
    ln(1.0 + (n - df + 0.5) / (df + 0.5))
}

/// The natural logarithm of a number from 1 up, bit for bit the same on every host: a power of two, and a series for
/// the rest.
fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as f64 - 1023.0;
    let mantissa = f64::from_bits((bits & 0x000F_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000);
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut term = ratio;
    let mut sum = 0.0;
    for odd in 0..16 {
        sum += term / f64::from(2 * odd + 1);
        term *= square;
    }
    exponent * std::f64::consts::LN_2 + 2.0 * sum
}

/// The mark of an entry that has a word of the query itself.
pub(super) const OWN: u8 = 1;

/// The bonuses for entries that match by words or meaning.
pub(super) struct Added<'a> {
    bonuses: Bonuses<'a>,
    scale: f64,
}

impl Added<'_> {
    /// The highest bonus that an entry can get, by its traits.
    pub(super) fn most_of(&self, number: u32) -> f64 {
        self.bonuses.most_of(number) * self.scale
    }

    /// Adds the bonus of an entry; `own` says whether it has a word of the query itself.
    pub(super) fn add(&self, number: u32, own: bool, score: &mut f64) {
        self.bonuses.of(number, own).into_iter().for_each(|value| *score += value * self.scale);
    }

    /// The least score of a hit: `query.limit` entries have it even without the words that are not scored yet.
    fn least(&self, index: &Index, query: &Query<'_>, sieve: &Sieve<'_>, scratch: &Scratch) -> f64 {
        let Scratch { scores, touched, marks, .. } = scratch;
        let mut least = query.min_score;
        if query.limit > MANY || touched.len() < query.limit {
            return least;
        }
        // The best, in rising order.
        let mut best: Vec<f64> = Vec::with_capacity(query.limit + 1);
        for number in touched {
            let at = *number as usize;
            let mut score = scores.get(at).copied().unwrap_or(0.0);
            if score + self.most_of(*number) <= least {
                continue;
            }
            self.add(*number, marks.get(at) == Some(&OWN), &mut score);
            if score > least && index.rows.get(at).is_some_and(|row| sieve.stops(index, row).is_none()) {
                best.insert(best.partition_point(|known| *known < score), score);
                if best.len() > query.limit {
                    best.remove(0);
                }
                if best.len() == query.limit {
                    least = best.first().copied().unwrap_or(0.0).max(least);
                }
            }
        }
        least
    }

    /// The entries that can still have the `least` score with at most `rest` more by words; rising.
    fn that_may_reach(&self, least: f64, rest: f64, scratch: &Scratch) -> Vec<u32> {
        let may = |number: &u32| {
            let score = scratch.scores.get(*number as usize).copied().unwrap_or(0.0);
            score + self.most_of(*number) + rest >= least
        };
        let mut few: Vec<u32> = scratch.touched.iter().copied().filter(may).collect();
        sort(&mut few, &mut u32::cmp);
        few
    }

    /// Adds the bonuses to the receipts of the watched entries.
    pub(super) fn explain(&self, marks: &[u8], watched: &mut Watched) {
        for (number, parts) in watched {
            let own = marks.get(*number as usize) == Some(&OWN);
            for (label, value) in self.bonuses.labels().into_iter().zip(self.bonuses.of(*number, own)) {
                if value != 0.0 {
                    parts.push(Part { label, term: String::new(), value: value * self.scale });
                }
            }
        }
    }
}

/// Scores the entries that have a term of the query or are near a turn that has one: those that can be hits, or all of
/// them without a `sieve`. Returns the bonuses to add.
pub(super) fn score<'a>(
    index: &'a Index,
    query: &Query<'_>,
    question: &'a Question,
    sieve: Option<&Sieve<'_>>,
    scratch: &mut Scratch,
    mut watched: Option<&mut Watched>,
) -> Added<'a> {
    let weights = &index.weights;
    let n = f64::from(index.live.max(1));
    let mut words = index.words.borrow_mut();
    let bonuses = Bonuses::new(index, &mut words, question, query.filter.kinds, rarity(n, 1.0));
    let weight_of =
        |sought: &Sought| bonuses.weight_of(sought.position) * if sought.asks { weights.asking } else { 1.0 };
    scratch.read.clear();
    let mut lookups: Vec<Lookup<'_>> = Vec::with_capacity(question.sought.len());
    let is_live = |doc: u32| index.lengths.get(doc as usize).is_some_and(|length| *length > 0);
    for sought in &question.sought {
        let (label, weight) = match sought.role {
            Role::Plain => ("without accents", weights.plain),
            Role::Part => ("part", weights.part),
            Role::Single => ("character", weights.single),
            Role::Inner => ("part", weights.inner),
            _ => ("word", 1.0),
        };
        let weight = weight * weight_of(sought);
        let (entries, df) = if sought.role == Role::Word {
            let start = scratch.read.len();
            words.read_alike(&sought.text, scratch, &is_live);
            let read = start..scratch.read.len();
            let df = read.len();
            (Entries::Read(read), df)
        } else {
            let term = words.find(&sought.text).unwrap_or(NONE);
            (Entries::Listed(term), words.postings.counted(term, index.deleted, is_live))
        };
        // A missing term without accents does not lower the scores: it may only be another spelling.
        if weight > 0.0 && (df > 0 || sought.role != Role::Plain) {
            let value = weight * rarity(n, df as f64);
            lookups.push(Lookup { term: &sought.text, label, entries, df, value, parts: 1 });
        }
    }
    for found in expansion::look_up(index, query.meaning, question, &mut words, scratch, &weight_of) {
        let term = question.sought.get(found.sought).map_or("", |sought| sought.text.as_str());
        let (label, parts) = ("alike", expansion::PARTS);
        let df = found.read.len();
        lookups.push(Lookup { term, label, entries: Entries::Read(found.read), df, value: found.value, parts });
    }
    let about = pooled::compare(index, query.meaning, question, &mut words, &mut scratch.far, &weight_of);
    let about = if about { weights.pooled * rarity(n, 1.0) } else { 0.0 };
    let most = weights.k1.max(weights.turn_k1) + 1.0;
    let mut meaning = 0.0;
    let near = meaning::compare(index, query, scratch);
    if near.is_some() {
        meaning = weights.meaning * rarity(n, 1.0);
        // Words count less if embeddings are available.
        lookups.iter_mut().for_each(|lookup| lookup.value *= weights.words_beside);
    }
    let best_meaning = meaning * (1.0 + weights.meaning_after + weights.meaning_asked);
    let ideal: f64 =
        lookups.iter().fold(bonuses.ideal() + best_meaning + 3.0 * about, |sum, lookup| sum + lookup.value * most);
    let scale = if ideal > 0.0 { 1.0 / ideal } else { 0.0 };
    // The rare words first: entries that have only the others are then often out of the question.
    let mut order: Vec<u32> = (0..lookups.len() as u32).collect();
    let value = |at: u32| lookups.get(at as usize).map_or(0.0, |lookup| lookup.value);
    sort(&mut order, &mut |one, other| value(*other).total_cmp(&value(*one)).then_with(|| one.cmp(other)));
    let worth = Worth::new(index, scale);
    let carry = Carry::new(weights);
    // Entries that match by their meaning, or by a name alone, may have none of the words scored so far.
    let sieve = sieve.filter(|_| near.is_none() && about == 0.0 && !bonuses.names_only());
    let added = Added { bonuses, scale };
    // The highest score by the words that follow, and whether it can make an entry without an earlier word a hit.
    let mut rest = lookups.iter().fold(0.0, |sum, lookup| sum + lookup.value * most * scale);
    let mut is_open = true;
    let mut few: Option<Vec<u32>> = None;
    let read_before = scratch.read.len();
    for lookup in order.into_iter().filter_map(|at| lookups.get(at as usize)) {
        if let Some(sieve) = sieve.filter(|_| is_open && lookup.df > LONG) {
            // A little more, because of rounding.
            let rest = rest + 1e-9;
            let least = added.least(index, query, sieve, scratch);
            is_open = rest + added.bonuses.most() * scale >= least;
            few = (!is_open).then(|| added.that_may_reach(least, rest, scratch));
        }
        rest -= lookup.value * most * scale;
        let is_carried = index.said > 0 && lookup.is_exact() && lookup.df <= weights.carried_of;
        let read = match (&lookup.entries, &few) {
            (Entries::Listed(term), Some(few)) if !is_carried && few.len() * SPARSE < lookup.df => {
                let Scratch { scores, marks, .. } = scratch;
                words.postings.read(*term).counts_of(few, ENOUGH, &mut |number, count| {
                    let at = number as usize;
                    let (Some(score), Some(mark)) = (scores.get_mut(at), marks.get_mut(at)) else { return };
                    *mark = OWN;
                    *score += worth.of(lookup, [count * WHOLE, 0], at);
                });
                continue;
            }
            (Entries::Listed(term), _) => {
                scratch.read.truncate(read_before);
                words.postings.read(*term).counts(ENOUGH, is_live, &mut scratch.read);
                read_before..scratch.read.len()
            }
            (Entries::Read(read), _) => read.clone(),
        };
        if !is_carried && watched.is_none() {
            // Nothing to accumulate: each entry is in the list once.
            let Scratch { scores, touched, marks, read: lists, .. } = scratch;
            for (number, count) in lists.get(read).unwrap_or(&[]) {
                let at = *number as usize;
                let (Some(score), Some(mark)) = (scores.get_mut(at), marks.get_mut(at)) else { continue };
                if *score == 0.0 {
                    if !is_open {
                        continue;
                    }
                    touched.push(*number);
                }
                if lookup.is_exact() {
                    *mark = OWN;
                }
                *score += worth.of(lookup, [count * WHOLE / lookup.parts, 0], at);
            }
            continue;
        }
        spread(index, is_carried.then_some(&carry), lookup, read, scratch);
        if let Some(watched) = watched.as_deref_mut() {
            for (number, parts) in watched {
                let count = scratch.counts.get(*number as usize).copied().unwrap_or_default();
                if count != [0; 2] {
                    let value = worth.of(lookup, count, *number as usize);
                    let term = lookup.term.trim_start_matches(crate::text::PLAIN).to_owned();
                    parts.push(Part { label: lookup.label, term, value });
                }
            }
        }
        for number in scratch.counted.drain(..) {
            let at = number as usize;
            let (Some(count), Some(score)) = (scratch.counts.get_mut(at), scratch.scores.get_mut(at)) else {
                continue;
            };
            let count = std::mem::take(count);
            if *score == 0.0 {
                if !is_open {
                    continue;
                }
                scratch.touched.push(number);
            }
            *score += worth.of(lookup, count, at);
        }
    }
    let Added { bonuses, .. } = &added;
    let nothing = scratch.touched.is_empty();
    if about > 0.0 {
        add_pooled(about * scale, scratch, watched.as_deref_mut());
    }
    // If no word matches, the named speaker or day decides.
    if bonuses.names_any() && (nothing || bonuses.names_only()) {
        for (number, length) in (0_u32..).zip(&index.lengths) {
            let untouched = scratch.scores.get(number as usize).is_some_and(|score| *score == 0.0);
            if *length > 0 && untouched && bonuses.means(number) {
                scratch.touched.push(number);
            }
        }
    }
    if let Some(near) = near {
        add_meaning(meaning * scale, near, scratch, watched);
    }
    added
}

/// Adds the scores of embeddings. Entries that match by nothing else need an embedding near the query themselves.
fn add_meaning(worth: f64, near: f64, scratch: &mut Scratch, watched: Option<&mut Watched>) {
    if let Some(watched) = watched {
        for (number, parts) in watched {
            let value = worth * scratch.meanings.get(*number as usize).copied().unwrap_or(0.0);
            if value > 0.0 {
                parts.push(Part { label: "meaning", term: String::new(), value });
            }
        }
    }
    let Scratch { scores, touched, cosines, meanings, .. } = scratch;
    for number in touched.iter() {
        if let (Some(score), Some(meaning)) = (scores.get_mut(*number as usize), meanings.get(*number as usize)) {
            *score += worth * meaning;
        }
    }
    for (number, ((score, meaning), cosine)) in (0_u32..).zip(scores.iter_mut().zip(meanings).zip(cosines)) {
        if *score == 0.0 && *cosine >= near {
            touched.push(number);
            *score = worth * *meaning;
        }
    }
}

/// Entries without any word of the question need a score so far above the average.
const NEAR: f64 = 1.0;

/// Adds the scores of whole-entry word meanings.
fn add_pooled(worth: f64, scratch: &mut Scratch, watched: Option<&mut Watched>) {
    if let Some(watched) = watched {
        for (number, parts) in watched {
            let far = scratch.far.get(*number as usize).copied().unwrap_or(0.0);
            let value = worth * far;
            if value > 0.0 && (scratch.scores.get(*number as usize).is_some_and(|score| *score > 0.0) || far >= NEAR) {
                parts.push(Part { label: "about", term: String::new(), value });
            }
        }
    }
    let Scratch { scores, touched, far, .. } = scratch;
    for (number, (score, far)) in (0_u32..).zip(scores.iter_mut().zip(far)) {
        if *far > 0.0 && (*score > 0.0 || *far >= NEAR) {
            if *score == 0.0 {
                touched.push(number);
            }
            *score += worth * *far;
        }
    }
}

/// The score of a term in an entry, by its count.
struct Worth<'a> {
    index: &'a Index,
    scale: f64,
    average: f64,
    most_carried: u32,
}

impl<'a> Worth<'a> {
    fn new(index: &'a Index, scale: f64) -> Self {
        let average = index.total_length.max(1) as f64 / f64::from(index.live.max(1));
        Self { index, scale, average, most_carried: (index.weights.most_carried * HALVES) as u32 }
    }

    #[inline(always)]
    fn of(&self, lookup: &Lookup<'_>, [own, carried]: [u32; 2], at: usize) -> f64 {
        let weights = &self.index.weights;
        let length = || f64::from(self.index.lengths.get(at).copied().unwrap_or(0));
        let long = if lookup.is_exact() { 1.0 } else { (weights.alike_long / length().max(1.0)).min(1.0) };
        let own = f64::from(own) / HALVES;
        let turn = self.index.places.get(at).map_or(0.0, |place| place.norm);
        let (count, k1, norm) = if turn > 0.0 {
            (own / turn + f64::from(carried.min(self.most_carried)) / HALVES, weights.turn_k1, 1.0)
        } else {
            (own, weights.k1, 1.0 - weights.b + weights.b * (length() / self.average).min(LONGEST))
        };
        lookup.value * long * self.scale * (count * (k1 + 1.0) / (count + k1 * norm))
    }
}

/// Counts one term: in the entries that have it and, weaker, in the turns around them.
fn spread(index: &Index, carry: Option<&Carry>, lookup: &Lookup<'_>, read: Range<usize>, scratch: &mut Scratch) {
    let Scratch { read: lists, counts, counted, marks, .. } = scratch;
    let mut add = |number: u32, part: usize, count: u32| {
        if let Some(known) = counts.get_mut(number as usize).filter(|_| count > 0) {
            if *known == [0; 2] {
                counted.push(number);
            }
            known[part] += count;
        }
    };
    for (number, count) in lists.get(read).unwrap_or(&[]) {
        add(*number, 0, count * WHOLE / lookup.parts);
        if let Some(mark) = marks.get_mut(*number as usize).filter(|_| lookup.is_exact()) {
            *mark = OWN;
        }
        let Some(carry) = carry else { continue };
        carry.each(index, *number, *count, |other, count| add(other, 1, count / lookup.parts));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, all, found, index};
    use super::super::{Hit, Ranking};
    use super::*;

    const B: Ranking = Ranking::Best;

    #[test]
    fn a_term_is_exact_unless_it_stands_for_words_like_it() {
        let lookup =
            |parts: u32| Lookup { term: "", label: "word", entries: Entries::Read(0..0), df: 0, value: 1.0, parts };
        assert!(lookup(1).is_exact());
        assert_eq!(lookup(expansion::PARTS).is_exact(), !cfg!(feature = "full"));
    }

    #[test]
    fn stems_are_compared_and_rare_words_count_more() {
        let index = index(&[
            Sample { id: "paint", content: "She painted a lake at dawn", ..Sample::default() },
            Sample { id: "walk", content: "She walked along a lake", ..Sample::default() },
            Sample { id: "lake", content: "A lake is a lake", ..Sample::default() },
        ]);
        assert_eq!(found(&index, "Who was painting a lake?", B)[0], "paint");
        assert_eq!(found(&index, "walks", B), ["walk"]);
        assert_eq!(found(&index, "volcano", B), Vec::<&str>::new());
    }

    #[test]
    fn f29_accents_may_be_left_out_but_exact_words_rank_higher() {
        let accented = "tie\u{302}\u{301}ng Vie\u{323}\u{302}t";
        let index = index(&[
            Sample { id: "a-accented", content: accented, ..Sample::default() },
            Sample { id: "b-plain", content: "tieng Viet", ..Sample::default() },
        ]);
        assert_eq!(found(&index, "tieng viet", B), ["b-plain", "a-accented"]);
        assert_eq!(found(&index, &accented.to_uppercase(), B)[0], "a-accented");
    }

    #[test]
    fn s3_stuffing_does_not_win() {
        let stuffed = "keys rotate monday deploy secret password server ".repeat(200);
        let index = index(&[
            Sample { id: "stuffed", content: &stuffed, importance: 1.0, created: 0, at: 0, ..Sample::default() },
            Sample { id: "honest", content: "Deploy keys rotate on Mondays", ..Sample::default() },
            Sample { id: "other", content: "Lunch is at noon", ..Sample::default() },
        ]);
        assert_eq!(found(&index, "when do the deploy keys rotate", B)[0], "honest");
        assert_eq!(found(&index, "lunch", B), ["other"]);
    }

    #[test]
    fn scores_lie_between_0_and_1_and_receipts_add_up_to_the_bit() {
        let turn = Sample { session: Some("s"), speaker: Some("Ann"), ..Sample::default() };
        let index = index(&[
            Sample { id: "1", seq: 1, content: "Where did you hike last week?", speaker: Some("Bob"), ..turn },
            Sample { id: "2", seq: 2, content: "In the Alps, with 3 friends", importance: 0.7, ..turn },
            Sample { id: "3", seq: 3, content: "Hiking is fun, hike more, hike hike hike", ..turn },
            Sample { id: "4", seq: 4, content: "hike", tags: "hike", importance: 1.0, ..Sample::default() },
        ]);
        for text in ["When did Ann hike in November 2024?", "hike", "how many friends", "Ann", "2024"] {
            for hit in all(&index, text, B) {
                assert!(hit.score > 0.0 && hit.score <= 1.0, "{text}: {}", hit.score);
                assert_eq!(hit.receipt.iter().fold(0.0, |sum, part| sum + part.value), hit.score, "{text}");
            }
        }
    }

    #[test]
    fn a_longer_copy_of_a_turn_does_not_beat_the_turn() {
        let filler = "and then there is more to say about other things that matter less here ".repeat(40);
        for said in [
            "I moved to Lisbon in March",
            "My sister Ann paints lakes, mostly at dawn, and sells them on the market by the river every Sunday",
            "Always answer in metric units",
            "Ich wohne seit 2019 in Bremen",
        ] {
            for words in [60, 120, 600] {
                let long = format!("{said}. {}", filler.split(' ').take(words).collect::<Vec<_>>().join(" "));
                for session in [None, Some("s")] {
                    for speaker in ["user", "assistant", "Ann"] {
                        let turn = Sample { session, speaker: Some(speaker), ..Sample::default() };
                        let index = index(&[
                            Sample { id: "short", seq: 1, content: said, ..turn },
                            Sample { id: "other", seq: 9, content: "Lunch is at noon", ..turn },
                            // Another session, so that neither carries the other's words.
                            Sample { id: "long", seq: 20, content: &long, session: session.map(|_| "t"), ..turn },
                        ]);
                        for text in
                            [said, "Where did I move to?", "Which units?", "Wo wohne ich?", "What does Ann paint?"]
                        {
                            let hits = all(&index, text, B);
                            let score = |id: &str| hits.iter().find(|hit| hit.found.id == id).map(|hit| hit.score);
                            // If no word matches, a named speaker decides, and then only the length is left.
                            let words = |hit: &Hit<'_>| hit.receipt.iter().any(|part| part.label == "word");
                            if hits.iter().any(words) {
                                assert!(score("short") >= score("long"), "{text}: {hits:?} {session:?} {speaker}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn each_side_of_a_conversation_answers_for_itself() {
        let turn = Sample { session: Some("s"), ..Sample::default() };
        let answer = "Your dog's name matters: a dog learns its name in a week if you call the dog often. ".repeat(8);
        let index = index(&[
            Sample { id: "told", seq: 1, content: "My dog's name is Pixel.", speaker: Some("user"), ..turn },
            Sample { id: "advice", seq: 2, content: &answer, speaker: Some("assistant"), ..turn },
            Sample { id: "rule", seq: 3, content: "Always use metric units.", speaker: Some("user"), ..turn },
        ]);
        assert_eq!(found(&index, "What is the name of my dog?", B)[0], "told");
        assert_eq!(found(&index, "What did you say about how a dog learns its name?", B)[0], "advice");
        let labels = |text: &str, id: &str| -> Vec<&str> {
            let hit = all(&index, text, B).into_iter().find(|hit| hit.found.id == id).unwrap();
            hit.receipt.iter().map(|part| part.label).collect()
        };
        let mine = labels("What is the name of my dog?", "told");
        assert!(mine.contains(&"user") && mine.contains(&"mine"), "{mine:?}");
        assert!(labels("Which units did you suggest to use?", "advice").contains(&"assistant"));
        assert!(labels("Which units should the report use?", "rule").contains(&"standing"));
    }

    #[test]
    fn people_are_known_by_the_names_they_are_called_by() {
        let turn = Sample { session: Some("s"), ..Sample::default() };
        let index = index(&[
            Sample { id: "1", seq: 1, content: "Hey Kate, how was the chess evening?", speaker: Some("elise"), ..turn },
            Sample { id: "2", seq: 2, content: "Lovely, the chess club has new boards", speaker: Some("Emi"), ..turn },
            Sample { id: "3", seq: 3, content: "Thanks Kate! Chess boards again?", speaker: Some("elise"), ..turn },
            Sample { id: "4", seq: 4, content: "Wooden ones, yes", speaker: Some("Emi"), ..turn },
        ]);
        let speaker = |text: &str, id: &str| {
            let hit = all(&index, text, B).into_iter().find(|hit| hit.found.id == id).unwrap();
            hit.receipt.iter().any(|part| part.label == "speaker")
        };
        assert!(speaker("What does Kate think of the chess boards?", "2"));
        assert!(!speaker("What does Kate think of the chess boards?", "3"));
        assert!(!speaker("What does Nora think of the chess boards?", "2"));
    }

    #[test]
    fn an_answer_carries_its_question_but_another_session_does_not() {
        let turn = Sample { session: Some("s"), ..Sample::default() };
        let index = index(&[
            Sample { id: "ask", seq: 1, content: "Which dog breed did you adopt?", speaker: Some("Bob"), ..turn },
            Sample {
                id: "answer",
                seq: 2,
                content: "A corgi called Pixel, from the shelter!",
                speaker: Some("Ann"),
                ..turn
            },
            Sample { id: "far", seq: 3, content: "Nothing of the kind", session: Some("t"), ..turn },
        ]);
        assert_eq!(found(&index, "What breed of dog did Ann adopt?", B), ["answer", "ask"]);
    }

    #[test]
    fn a_named_day_prefers_what_was_said_then() {
        let turn = Sample { session: Some("s"), content: "We had a picnic", ..Sample::default() };
        let index = index(&[
            Sample { id: "a-may", seq: 1, at: -24 * 220, session: Some("s1"), ..turn },
            Sample { id: "b-new-year", seq: 2, at: -24, session: Some("s2"), ..turn },
        ]);
        assert_eq!(found(&index, "Which picnic was on 1 January 2025?", B), ["b-new-year", "a-may"]);
        assert_eq!(found(&index, "Which picnic was in May 2024?", B), ["a-may", "b-new-year"]);
    }

    #[test]
    fn a_name_or_a_day_alone_is_enough() {
        let index = index(&[
            Sample { id: "ann", content: "Nothing new", speaker: Some("Ann Lee"), at: -24, ..Sample::default() },
            Sample { id: "bob", content: "Ann is away", speaker: Some("Bob"), at: -2400, ..Sample::default() },
            Sample { id: "note", content: "Other things", ..Sample::default() },
        ]);
        let mut both = found(&index, "Ann", B);
        both.sort_unstable();
        assert_eq!(both, ["ann", "bob"]);
        assert_eq!(found(&index, "What happened on 1 January 2025?", B), ["ann"]);
        assert_eq!(found(&index, "What happened on 1 January 1925?", B), Vec::<&str>::new());
    }

    #[test]
    fn the_logarithm_is_the_logarithm() {
        for x in [1.0, 1.5, 2.0, 3.0, 10.0, 12345.678, 1e9] {
            assert!((ln(x) - x.ln()).abs() < 1e-9, "{x}");
        }
    }
}
