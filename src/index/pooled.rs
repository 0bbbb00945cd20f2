//! Whole-entry meaning by a file of word meanings: the mean of an entry's word vectors, compared with the question's.
//!
//! Vectors are computed when a search first needs them and cached until the index is compacted: 64 bytes per entry. All
//! sums are of integers, so that the order in which entries were added does not matter (F42).

use super::expansion;
use super::meaning_file::{Meaning, dot};
use super::store::Index;
use super::words::Words;
use crate::text::{Question, Sought};

/// The cached vectors of the first entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Pooled {
    vectors: Vec<i8>,
    /// The inverse length of each; 0 for an entry without a known word.
    inverse: Vec<f64>,
}

/// The largest component after scaling.
const LARGEST: i32 = 127;

const STEPS: f64 = 1_048_576.0;

impl Pooled {
    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.vectors.capacity() + self.inverse.capacity() * 8
    }

    /// Adds the entries since the last search.
    fn follow(&mut self, entries: usize, meaning: &Meaning, words: &Words) {
        let first = self.inverse.len();
        let dimensions = meaning.dimensions();
        let mut sums = vec![0_i32; entries.saturating_sub(first) * dimensions];
        if sums.is_empty() {
            return;
        }
        for at in 0..meaning.len() {
            let Some(term) = words.vocabulary.find(meaning.stem(at)) else { continue };
            let (row, weight) = (meaning.row(at), i32::from(meaning.rarity(at)));
            for posting in words.postings.read(term) {
                let place = (posting.doc as usize).checked_sub(first).map(|new| new * dimensions);
                let Some(sum) = place.and_then(|place| sums.get_mut(place..place + dimensions)) else { continue };
                // In halves; more than two occurrences add nothing.
                let count = posting.count.min(4) as i32 * weight;
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += count * i32::from(*number));
            }
        }
        for sum in sums.chunks_exact(dimensions) {
            let largest = sum.iter().map(|number| number.abs()).max().unwrap_or(0).max(1);
            let start = self.vectors.len();
            self.vectors
                .extend(sum.iter().map(|number| (i64::from(*number) * i64::from(LARGEST) / i64::from(largest)) as i8));
            let row = self.vectors.get(start..).unwrap_or(&[]);
            let square = f64::from(dot(row, row));
            self.inverse.push(if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 });
        }
    }
}

/// The distance of each entry above the average of all, in standard deviations from 0 to 3, less for long ones. Returns
/// whether the question has a known word.
pub(super) fn compare(
    index: &Index,
    meaning: Option<&Meaning>,
    question: &Question,
    words: &mut Words,
    far: &mut Vec<f64>,
    weight_of: &dyn Fn(&Sought) -> f64,
) -> bool {
    far.clear();
    let Some(meaning) = meaning.filter(|_| cfg!(feature = "full") && index.weights.pooled > 0.0) else { return false };
    let mut asked = vec![0_i32; meaning.dimensions()];
    // A name says who is meant, and not what.
    let stems = expansion::stems(question).map(|(_, sought)| sought).filter(|sought| weight_of(sought) >= 1.0);
    for at in stems.filter_map(|sought| meaning.find(&sought.text)) {
        let weight = i32::from(meaning.rarity(at));
        asked.iter_mut().zip(meaning.row(at)).for_each(|(sum, number)| *sum += weight * i32::from(*number));
    }
    let square: f64 = asked.iter().map(|number| f64::from(*number) * f64::from(*number)).sum();
    if square == 0.0 {
        return false;
    }
    words.take_waiting();
    let pooled = &mut *index.pooled.borrow_mut();
    pooled.follow(index.lengths.len(), meaning, words);
    let (mut sum, mut squares, mut count) = (0_i64, 0_i64, 0_i64);
    let rows = pooled.vectors.chunks_exact(meaning.dimensions()).zip(&pooled.inverse).zip(&index.lengths);
    for ((row, inverse), length) in rows {
        let along: i64 = row.iter().zip(&asked).map(|(one, other)| i64::from(*one) * i64::from(*other)).sum();
        let cosine = along as f64 * inverse / square.sqrt();
        far.push(cosine);
        if *length > 0 {
            let steps = (cosine * 1024.0) as i64;
            (sum, squares, count) = (sum + steps, squares + steps * steps, count + 1);
        }
    }
    let count = count.max(1) as f64;
    let mean = sum as f64 / count / 1024.0;
    let spread = (squares as f64 / count / STEPS - mean * mean).max(0.0).sqrt().max(0.02);
    for (far, length) in far.iter_mut().zip(&index.lengths) {
        let short = (index.weights.alike_long / f64::from((*length).max(1))).min(1.0);
        *far = if *length > 0 { ((*far - mean) / spread).clamp(0.0, 3.0) * short } else { 0.0 };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::best;
    use super::super::doc::DocKind;
    use super::super::meaning_file::tests::file;
    use super::super::sample::{Sample, at, index};
    use super::*;

    /// `fruit` has the vector of `banana`, and `hammer` the opposite.
    fn meaning() -> Meaning {
        let words: [(&str, &[u8]); 3] = [("banana", &[15, 1, 7]), ("fruit", &[15, 1, 7]), ("hammer", &[0, 14, 8])];
        Meaning::read(&file(&words)).unwrap()
    }

    fn of(contents: &[&str]) -> Index {
        let ids: Vec<String> = (0..contents.len()).map(|at| at.to_string()).collect();
        let sample = |(content, id)| Sample { id, content, ..Sample::default() };
        index(&contents.iter().copied().zip(ids.iter().map(String::as_str)).map(sample).collect::<Vec<_>>())
    }

    fn compared(index: &Index, text: &str, weight: f64) -> Option<Vec<f64>> {
        let (question, mut far) = (best::question(index, text, at(0)), vec![9.0]);
        let words = &mut index.words.borrow_mut();
        compare(index, Some(&meaning()), &question, words, &mut far, &|_| weight).then_some(far)
    }

    /// Compares approximately: vectors and sums are integers.
    #[track_caller]
    fn about(index: &Index, expected: &[f64]) {
        let far = compared(index, "fruit", 1.0).unwrap();
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 0.02;
        assert!(far.len() == expected.len() && far.iter().zip(expected).all(is_near), "{far:?}");
    }

    #[test]
    fn entries_are_compared_in_standard_deviations() {
        // Cosines of 1, -1, 0 and 0 have a mean of 0 and a spread of the square root of a half.
        about(&of(&["banana", "hammer", "ship", "ship"]), &[2_f64.sqrt(), 0.0, 0.0, 0.0]);
        // A mean of a quarter, and a spread of the square root of three sixteenths.
        about(&of(&["banana", "ship", "ship", "ship"]), &[3_f64.sqrt(), 0.0, 0.0, 0.0]);
        let below = 1.0 / 3_f64.sqrt();
        about(&of(&["hammer", "ship", "ship", "ship"]), &[0.0, below, below, below]);
        let mut many = ["ship"; 15];
        many[0] = "banana";
        let mut expected = [0.0; 15];
        expected[0] = 3.0;
        about(&of(&many), &expected);
    }

    #[test]
    fn long_entries_count_less_and_deleted_ones_not_at_all() {
        let long = "ship ".repeat(199) + "banana";
        about(&of(&[&long, "ship", "ship", "ship"]), &[3_f64.sqrt() / 2.0, 0.0, 0.0, 0.0]);
        let mut index = of(&["banana", "hammer", "ship", "ship", "banana", "hammer"]);
        assert!(index.remove(DocKind::Entry, "4") && index.remove(DocKind::Entry, "5"));
        about(&index, &[2_f64.sqrt(), 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn nothing_is_compared_of_which_nothing_is_known() {
        let mut index = of(&["banana", "ship"]);
        assert_eq!(compared(&index, "ship", 1.0), None);
        assert_eq!(compared(&index, "fruit", 0.99), None, "a name says who is meant");
        // A word and its opposite add up to nothing.
        assert_eq!(compared(&index, "fruit hammer", 1.0), None);
        index.weights.pooled = 0.0;
        assert_eq!(compared(&index, "fruit", 1.0), None);
        index.weights.pooled = 1.0;
        let (question, mut far) = (best::question(&index, "fruit", at(0)), vec![9.0]);
        assert!(!compare(&index, None, &question, &mut index.words.borrow_mut(), &mut far, &|_| 1.0));
        assert!(far.is_empty());
    }
}
