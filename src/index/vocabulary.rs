//! All terms of an index, with substring search.

use super::strings::Strings;

/// Terms by number, each with a signature of its letter pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    terms: Strings,
    /// One bit per hashed pair of bytes; the highest bit marks a term that is a word as written.
    signatures: Vec<u64>,
    /// One bit per hashed n-gram; computed on demand by similarity searches.
    sequences: Vec<u64>,
    /// The groups of words that were sought lately, each at the place that its hash gives.
    groups: Vec<Group>,
}

/// The number of groups that are kept: a question about the speaker looks for a hundred words, and the next one for the
/// same.
const KEPT: usize = 512;

/// The terms that are spelled like a word.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    word: String,
    /// The number of terms that it was compared with.
    pub(super) compared: usize,
    /// The terms, and their similarity.
    pub(super) terms: Vec<(u32, u32)>,
}

const AS_WRITTEN: u64 = 1 << 63;

/// A term contains a string only if it has all of the string's bits.
fn signature(text: &str) -> u64 {
    let pair = |pair: &[u8]| 1 << ((u32::from(pair[0]) * 29 + u32::from(pair[1]) * 11) % 63);
    text.as_bytes().windows(2).fold(0, |bits, bytes| bits | pair(bytes))
}

impl Vocabulary {
    pub(super) fn get(&self, term: u32) -> &str {
        self.terms.get(term)
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.terms.find(text)
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The number of a term, which is added if it is new.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        let term = self.terms.intern(text);
        if self.signatures.len() < self.terms.len() {
            self.signatures.push(signature(text));
        }
        term
    }

    /// Marks a term as a word as written.
    pub(super) fn mark_as_written(&mut self, term: u32) {
        if let Some(bits) = self.signatures.get_mut(term as usize) {
            *bits |= AS_WRITTEN;
        }
    }

    /// The words as written that contain `token` (X9). A letter with an accent is another letter: `vie` is not in
    /// `việt`, though in NFKD its letters are.
    pub(super) fn containing<'a>(&'a self, token: &'a str) -> impl Iterator<Item = u32> + 'a {
        let wanted = signature(token) | AS_WRITTEN;
        let likely = self.signatures.iter().enumerate().filter(move |(_, bits)| **bits & wanted == wanted);
        likely.map(|(term, _)| term as u32).filter(move |term| contains(self.get(*term), token))
    }

    /// The terms that may share `least` percent of their n-grams with a word that has `count` of them and this
    /// signature, without the first `from`. The result of `sign` for each term is cached for later scans.
    pub(super) fn resembling(
        &mut self,
        from: usize,
        signature: u64,
        count: u32,
        least: u32,
        sign: &dyn Fn(&str) -> u64,
    ) -> Vec<u32> {
        for term in self.sequences.len()..self.terms.len() {
            self.sequences.push(sign(self.terms.get(term as u32)));
        }
        // N-grams of the word that share one bit can all be present if the bit is.
        let spare = count - signature.count_ones();
        let mut found = Vec::new();
        for (term, bits) in self.sequences.iter().enumerate().skip(from) {
            let shared = (bits & signature).count_ones() + spare;
            if 200 * shared >= least * (count + bits.count_ones()) {
                found.push(term as u32);
            }
        }
        found
    }

    /// Whether a term is a word as written.
    pub(super) fn is_written(&self, term: u32) -> bool {
        self.signatures.get(term as usize).is_some_and(|bits| *bits >= AS_WRITTEN)
    }

    /// Takes the group of a word out of those that are kept; an empty one if it is not there.
    pub(super) fn take_group(&mut self, word: &str) -> Group {
        let known = self.groups.get_mut(place(word)).filter(|group| group.word == word);
        known.map(std::mem::take).unwrap_or_else(|| Group { word: word.to_owned(), ..Group::default() })
    }

    /// Keeps a group for the next search.
    pub(super) fn keep_group(&mut self, group: Group) {
        self.groups.resize_with(KEPT, Group::default);
        if let Some(place) = self.groups.get_mut(place(&group.word)) {
            *place = group;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.terms.bytes() + (self.signatures.capacity() + self.sequences.capacity()) * 8
    }
}

/// The place of a word among the groups.
fn place(word: &str) -> usize {
    word.bytes().fold(7_usize, |hash, byte| hash.wrapping_mul(31) ^ usize::from(byte)) % KEPT
}

/// Terms are short: the simplest search is the fastest and the smallest.
fn contains(term: &str, token: &str) -> bool {
    let accented = |rest: &str| rest.starts_with(|c| matches!(c, '\u{300}'..='\u{36f}'));
    let ends = |end: usize| term.get(end..).is_some_and(|rest| !accented(rest));
    let (term, token) = (term.as_bytes(), token.as_bytes());
    term.windows(token.len().max(1)).enumerate().any(|(at, part)| part == token && ends(at + token.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x9_a_term_that_contains_the_token_is_found() {
        let mut vocabulary = Vocabulary::default();
        for word in ["deployment", "keys", "keyboard", "monkey", "vie\u{323}\u{302}t"] {
            let term = vocabulary.intern(word);
            vocabulary.mark_as_written(term);
        }
        vocabulary.intern("keyston");
        let found = |token| vocabulary.containing(token).map(|term| vocabulary.get(term)).collect::<Vec<_>>();
        assert_eq!(found("key"), ["keys", "keyboard", "monkey"]);
        assert_eq!(found("deployment"), ["deployment"]);
        assert_eq!(found("vi"), ["vie\u{323}\u{302}t"]);
        assert_eq!(found("vie"), Vec::<&str>::new());
        assert_eq!(found("deployments"), Vec::<&str>::new());
    }
}
