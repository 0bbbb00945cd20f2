//! The optional file of word meanings: a vector for each of the commonest stems of a language, from which similar words
//! are found. `benches/meaning/distill.py` writes it and describes its layout.

use crate::model::Invalid;

/// A loaded file of word meanings.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// Sorted.
    stems: Vec<String>,
    /// The rarity of each stem, in 255ths: .001 / (.001 + its share of all words).
    rarity: Vec<u8>,
    dimensions: usize,
    /// One row per stem, of odd integers from -15 to 15.
    vectors: Vec<i8>,
    /// The inverse length of each row.
    inverse: Vec<f64>,
}

const MAGIC: &[u8] = b"KSM";
const VERSION: u8 = b'1';

/// Below this cosine two words are unrelated.
const APART: f64 = 0.35;

impl Meaning {
    /// Parses a file. Every byte of it must be accounted for.
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        match bytes.split_at_checked(MAGIC.len()) {
            Some((MAGIC, rest)) => match rest.split_first() {
                Some((&VERSION, rest)) => Self::parse(rest).ok_or_else(|| refused("is damaged: load the file again")),
                _ => Err(refused("is of another version: use the file that comes with this version of keepsake")),
            },
            _ => Err(refused("must be the bytes of a file of word meanings")),
        }
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (count, bytes) = bytes.split_first_chunk()?;
        let (dimensions, bytes) = bytes.split_first_chunk()?;
        let (size, bytes) = bytes.split_first_chunk()?;
        let (count, dimensions) =
            (usize::from(u16::from_le_bytes(*count)), usize::from(u16::from_le_bytes(*dimensions)));
        let (coded, bytes) = bytes.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        let stems = stems(coded, count)?;
        let (rarity, planes) = bytes.split_at_checked(count)?;
        // A plane has whole bytes. Both are 16 bits, so the product fits.
        let plane = count.div_ceil(2);
        if dimensions == 0 || planes.len() != plane * dimensions {
            return None;
        }
        let mut vectors = vec![0_i8; count * dimensions];
        for (at, row) in vectors.chunks_exact_mut(dimensions).enumerate() {
            for (dimension, number) in row.iter_mut().enumerate() {
                let pair = planes.get(dimension * plane + at / 2)?;
                let nibble = if at % 2 == 0 { pair & 15 } else { pair >> 4 };
                *number = 2 * nibble as i8 - 15;
            }
        }
        // Odd numbers are never 0, so no row has length 0.
        let inverse = vectors.chunks_exact(dimensions).map(|row| 1.0 / f64::from(dot(row, row)).sqrt()).collect();
        Some(Self { stems, rarity: rarity.to_vec(), dimensions, vectors, inverse })
    }

    /// The index of a stem, if it is known.
    pub(super) fn find(&self, stem: &str) -> Option<usize> {
        self.stems.binary_search_by(|known| known.as_str().cmp(stem)).ok()
    }

    pub(super) fn stem(&self, at: usize) -> &str {
        self.stems.get(at).map_or("", String::as_str)
    }

    /// The approximate share of the stem among all words.
    pub(super) fn share(&self, at: usize) -> f64 {
        let rarity = self.rarity.get(at).map_or(255.0, |rarity| f64::from((*rarity).max(1)));
        0.001 * (255.0 / rarity - 1.0)
    }

    /// The rarity of the stem, in 255ths.
    pub(super) fn rarity(&self, at: usize) -> u8 {
        self.rarity.get(at).copied().unwrap_or(255)
    }

    pub(super) fn len(&self) -> usize {
        self.stems.len()
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn row(&self, at: usize) -> &[i8] {
        self.vectors.get(at * self.dimensions..(at + 1) * self.dimensions).unwrap_or(&[])
    }

    /// The stems similar to one, most similar first, each with a weight from 0, for a cosine that says nothing, to 1.
    pub(super) fn like(&self, at: usize) -> Vec<(usize, f64)> {
        let (asked, length) = (self.row(at), self.inverse.get(at).copied().unwrap_or(0.0));
        let mut found = Vec::new();
        for (other, (row, inverse)) in self.vectors.chunks_exact(self.dimensions).zip(&self.inverse).enumerate() {
            let cosine = f64::from(dot(asked, row)) * length * inverse;
            if cosine > APART {
                found.push((other, ((cosine - APART) / (1.0 - APART)).min(1.0)));
            }
        }
        found.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        found
    }
}

fn refused(reason: &str) -> Invalid {
    Invalid::value("meaning", reason)
}

pub(super) fn dot(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum()
}

/// Parses exactly `count` stems, in strictly rising order.
fn stems(mut coded: &[u8], count: usize) -> Option<Vec<String>> {
    let mut stems: Vec<String> = Vec::new();
    for _ in 0..count {
        let [shared, size, rest @ ..] = coded else { return None };
        let (rest, after) = rest.split_at_checked(usize::from(*size))?;
        let last = stems.last().map_or("", String::as_str);
        let stem = format!("{}{}", last.get(..usize::from(*shared))?, std::str::from_utf8(rest).ok()?);
        if stem.as_str() <= last {
            return None;
        }
        stems.push(stem);
        coded = after;
    }
    coded.is_empty().then_some(stems)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file with one plane per axis.
    pub(crate) fn file(words: &[(&str, &[u8])]) -> Vec<u8> {
        let mut coded = Vec::new();
        for (word, _) in words {
            coded.extend([0, word.len() as u8]);
            coded.extend(word.as_bytes());
        }
        let dimensions = words[0].1.len();
        let mut bytes = b"KSM1".to_vec();
        bytes.extend((words.len() as u16).to_le_bytes());
        bytes.extend((dimensions as u16).to_le_bytes());
        bytes.extend((coded.len() as u32).to_le_bytes());
        bytes.extend(coded);
        bytes.extend(words.iter().map(|_| 250));
        for dimension in 0..dimensions {
            for pair in words.chunks(2) {
                let nibble = |at: usize| pair.get(at).map_or(0, |(_, vector)| vector[dimension]);
                bytes.push(nibble(0) | nibble(1) << 4);
            }
        }
        bytes
    }

    fn small() -> Vec<u8> {
        file(&[("bali", &[14, 1, 7]), ("chess", &[1, 14, 7]), ("countri", &[15, 2, 8])])
    }

    #[test]
    fn words_that_lie_together_are_alike() {
        let meaning = Meaning::read(&small()).unwrap();
        let country = meaning.find("countri").unwrap();
        let like: Vec<&str> = meaning.like(country).iter().map(|(at, _)| meaning.stem(*at)).collect();
        assert_eq!(like, ["countri", "bali"]);
        assert_eq!(meaning.find("nowher"), None);
        assert!((meaning.share(country) - 0.00002).abs() < 1e-9);
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let said = |bytes: &[u8]| Meaning::read(bytes).unwrap_err().to_string();
        assert!(said(b"").contains("must be the bytes"));
        assert!(said(b"\0asm1234").contains("must be the bytes"));
        let mut newer = small();
        newer[3] = b'2';
        assert!(said(&newer).contains("another version"));
        for end in 4..small().len() {
            assert!(said(&small()[..end]).contains("damaged"), "{end}");
        }
        let mut longer = small();
        longer.push(0);
        assert!(said(&longer).contains("damaged"));
    }

    #[test]
    fn torn_files_do_no_harm() {
        let whole = small();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut torn = whole.clone();
                torn[at] ^= 1 << bit;
                if let Ok(meaning) = Meaning::read(&torn) {
                    for stem in 0..3 {
                        assert!(meaning.like(stem).iter().all(|(_, much)| (0.0..=1.0).contains(much)));
                        assert!(meaning.share(stem).is_finite());
                    }
                }
            }
        }
    }
}
