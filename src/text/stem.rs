//! English word stems, after the published description of the Porter2 algorithm, with the common irregular forms.
//!
//! A stem is not a word: it is the common part of `painted`, `painting` and `paints`. Every word of plain Latin letters
//! is stemmed, in entries and in queries, so a word of another language only has to be cut the same way twice.

use super::irregular::lemma;

/// Appends the stem of `word`, which is folded. Words with other characters than a to z stay unchanged.
pub(super) fn stem(word: &str, out: &mut String) {
    if word.len() < 3 || word.len() > 40 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        out.push_str(word);
        return;
    }
    let mut stem = Stem::new(lemma(word).unwrap_or(word));
    stem.plural();
    stem.past();
    stem.final_y();
    stem.replace(&STEP_2, stem.r1, false);
    stem.replace(&STEP_3, stem.r1, false);
    stem.replace(&STEP_4, stem.r2, true);
    stem.final_e();
    out.extend(stem.word.iter().map(|byte| byte.to_ascii_lowercase() as char));
}

/// The number of words whose stems are kept.
const KEPT: usize = 1024;

/// The stems of the words that were seen last: most words of a text were in the one before.
#[derive(Clone, Debug, Default)]
pub struct Stems {
    /// Words with their stems, each at the place that its hash gives; empty if none are kept.
    known: Vec<(String, String)>,
}

impl Stems {
    /// Keeps stems from now on.
    pub fn keep(&mut self) {
        self.known.resize(KEPT, (String::new(), String::new()));
    }

    /// Appends the stem of `word`.
    pub(super) fn stem(&mut self, word: &str, out: &mut String) {
        let hash = word.bytes().fold(0_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        match self.known.get_mut((hash ^ hash >> 10) % KEPT) {
            Some((known, stem)) if known == word => out.push_str(stem),
            Some((known, kept)) => {
                known.clear();
                known.push_str(word);
                kept.clear();
                stem(word, kept);
                out.push_str(kept);
            }
            None => stem(word, out),
        }
    }
}

const STEP_2: [(&str, &str); 22] = [
    ("ization", "ize"),
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
    ("bli", "ble"),
];
const STEP_3: [(&str, &str); 8] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];
const STEP_4: [(&str, &str); 18] = [
    ("ement", ""),
    ("ance", ""),
    ("ence", ""),
    ("able", ""),
    ("ible", ""),
    ("ment", ""),
    ("sion", "s"),
    ("tion", "t"),
    ("ant", ""),
    ("ent", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
    ("al", ""),
    ("er", ""),
];

/// A word being stemmed. A `y` that is a consonant is written `Y`. Suffixes are removed only in the regions: after the
/// first consonant that follows a vowel, and after the next such one.
struct Stem {
    word: Vec<u8>,
    r1: usize,
    r2: usize,
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// The start of the region after `from`.
fn region(word: &[u8], from: usize) -> usize {
    let pair = word.get(from..).unwrap_or(&[]).windows(2).position(|pair| is_vowel(pair[0]) && !is_vowel(pair[1]));
    pair.map_or(word.len(), |at| from + at + 2)
}

impl Stem {
    fn new(word: &str) -> Self {
        let mut word = word.as_bytes().to_vec();
        for at in 0..word.len() {
            if word[at] == b'y' && (at == 0 || is_vowel(word[at - 1])) {
                word[at] = b'Y';
            }
        }
        let special = ["gener", "commun", "arsen"].iter().find(|start| word.starts_with(start.as_bytes()));
        let r1 = special.map_or_else(|| region(&word, 0), |start| start.len());
        let r2 = region(&word, r1);
        Self { word, r1, r2 }
    }

    /// The last letter is compared first: most of the sixty suffixes that are tried differ in it.
    fn ends(&self, suffix: &str) -> bool {
        self.word.last() == suffix.as_bytes().last() && self.word.ends_with(suffix.as_bytes())
    }

    fn cut(&mut self, bytes: usize) {
        self.word.truncate(self.word.len().saturating_sub(bytes));
    }

    fn has_vowel(&self, before: usize) -> bool {
        self.word.iter().take(before).any(|byte| is_vowel(*byte))
    }

    /// Whether it ends with a short syllable: consonant, vowel, consonant that is not w, x or Y; or only a vowel and a
    /// consonant.
    fn ends_short(&self) -> bool {
        match self.word.as_slice() {
            [a, b] => is_vowel(*a) && !is_vowel(*b),
            [.., a, b, c] => !is_vowel(*a) && is_vowel(*b) && !is_vowel(*c) && !matches!(c, b'w' | b'x' | b'Y'),
            _ => false,
        }
    }

    fn plural(&mut self) {
        let len = self.word.len();
        if self.ends("sses") {
            self.cut(2);
        } else if self.ends("ied") || self.ends("ies") {
            self.cut(if len > 4 { 2 } else { 1 });
        } else if self.ends("s") && !self.ends("us") && !self.ends("ss") && self.has_vowel(len.saturating_sub(2)) {
            self.cut(1);
        }
    }

    fn past(&mut self) {
        let len = self.word.len();
        for (suffix, keep) in [("eedly", 2), ("eed", 2), ("ingly", 0), ("edly", 0), ("ing", 0), ("ed", 0)] {
            if !self.ends(suffix) {
                continue;
            }
            let start = len - suffix.len();
            if keep > 0 {
                if start >= self.r1 {
                    self.word.truncate(start + keep);
                }
            } else if self.has_vowel(start) {
                self.word.truncate(start);
                let double = matches!(self.word.as_slice(), [.., a, b] if a == b && b"bdfgmnprt".contains(b));
                if self.ends("at") || self.ends("bl") || self.ends("iz") {
                    self.word.push(b'e');
                } else if double {
                    self.cut(1);
                } else if self.ends_short() && self.r1 >= self.word.len() {
                    self.word.push(b'e');
                }
            }
            return;
        }
    }

    fn final_y(&mut self) {
        if let [_, .., before, last @ (b'y' | b'Y')] = self.word.as_mut_slice()
            && !is_vowel(*before)
        {
            *last = b'i';
        }
    }

    /// Replaces the longest suffix of the list if it is in the region; a `keep` letter is part of the new ending.
    fn replace(&mut self, list: &[(&str, &str)], region: usize, whole: bool) {
        let Some((suffix, new)) = list.iter().find(|(suffix, _)| self.ends(suffix)) else {
            if whole && self.ends("ic") && self.word.len() - 2 >= region {
                self.cut(2);
            } else if !whole {
                self.adverb(region);
            }
            return;
        };
        // For `sion` and `tion` only `ion` has to be in the region.
        let start = self.word.len() - suffix.len();
        if start + if whole { new.len() } else { 0 } >= region {
            self.word.truncate(start);
            self.word.extend_from_slice(new.as_bytes());
        }
    }

    /// Removes `li` after a letter that adverbs have, and shortens `ogi` after an l.
    fn adverb(&mut self, region: usize) {
        let start = self.word.len().saturating_sub(2);
        match self.word.as_slice() {
            [.., b'l', b'o', b'g', b'i'] if start > region => self.cut(1),
            [.., before, b'l', b'i'] if start >= region && b"cdeghkmnrt".contains(before) => self.cut(2),
            _ => {}
        }
    }

    fn final_e(&mut self) {
        let start = self.word.len().saturating_sub(1);
        if self.ends("e") {
            self.word.truncate(start);
            if !(start >= self.r2 || (start >= self.r1 && !self.ends_short())) {
                self.word.push(b'e');
            }
        } else if self.ends("ll") && start >= self.r2 {
            self.cut(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stemmed(word: &str) -> String {
        let mut out = String::new();
        stem(word, &mut out);
        out
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            "paint paints painted painting",
            "plan plans planned planning",
            "hope hopes hoped hoping",
            "try tries tried trying",
            "happy happiness",
            "relation relational relations",
            "generous generously",
            "buy buys buying bought",
            "go goes going went gone",
            "child children",
            "nation nations national",
            "hike hiking hiked hikes",
            "run running ran runs",
        ] {
            let stems: Vec<String> = forms.split(' ').map(stemmed).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms}: {stems:?}");
        }
    }

    #[test]
    fn kept_stems_are_those_of_their_words() {
        let mut stems = Stems::default();
        stems.keep();
        let endings = ["", "s", "ing", "ed", "ness", "ically"];
        for round in 0..20_000_usize {
            let word = format!("w{}{}", round % 3_000, endings[round % endings.len()]).replace('1', "i");
            let mut kept = String::new();
            stems.stem(&word, &mut kept);
            assert_eq!(kept, stemmed(&word));
        }
    }

    #[test]
    fn known_stems() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "tie"),
            ("gas", "gas"),
            ("agreed", "agre"),
            ("feed", "feed"),
            ("luxuriated", "luxuri"),
            ("hopping", "hop"),
            ("adoption", "adopt"),
            ("communication", "communic"),
            ("counseling", "counsel"),
            ("say", "say"),
            ("by", "by"),
            ("việt", "việt"),
            ("gpt4", "gpt4"),
        ] {
            assert_eq!(stemmed(word), expected);
        }
    }
}
