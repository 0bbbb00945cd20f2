//! How texts are compared with cues: small letters, no accents, one form of each letter; and the words of such a text.

use crate::model::sort;
use crate::text::{Class, class, fold};

/// How far a text is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folding {
    /// Without accents and tones.
    Plain,
    /// With accents. A tone is moved to the end of its word, because two spellings put it on different vowels.
    Toned,
}

impl Folding {
    /// A text in NFKD, folded.
    pub(super) fn of(self, decomposed: &str) -> String {
        let mut small = String::with_capacity(decomposed.len());
        fold(decomposed, &mut small);
        let mut out = String::with_capacity(small.len());
        let mut tone = None;
        for c in small.chars() {
            match c {
                '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}' if self == Self::Toned => tone = Some(c),
                '\u{300}'..='\u{36f}' => {
                    if self == Self::Toned {
                        out.push(c);
                    }
                }
                '\u{93c}' => {}
                '\u{3099}' | '\u{309a}' => voice(c, &mut out),
                _ => {
                    if let Some(mark) = tone.take_if(|_| !is_word(c)) {
                        out.push(mark);
                    }
                    match c {
                        '\u{901}' => out.push('\u{902}'),
                        'đ' if self == Self::Plain => out.push('d'),
                        'œ' => out.push_str("oe"),
                        'æ' => out.push_str("ae"),
                        '‘' | '`' => out.push('\''),
                        _ => out.push(c),
                    }
                }
            }
        }
        out.extend(tone);
        out
    }
}

/// Joins a voicing mark to its kana, by the order of the block: plain, voiced, half voiced.
fn voice(mark: char, out: &mut String) {
    let Some(kana) = out.pop() else { return };
    let step = match (kana, mark) {
        ('う' | 'ウ', '\u{3099}') => 0x4E,
        (_, '\u{3099}') => 1,
        _ => 2,
    };
    out.push(char::from_u32(kana as u32 + step).unwrap_or(kana));
}

/// Whether a character is part of a word: a letter, a mark or a digit.
pub(super) fn is_word(c: char) -> bool {
    !matches!(class(c), Class::Gap | Class::Picture)
}

/// The words of a folded text. A sign between two letters belongs to the word: `e-mail`, `i'm`, `18:30`.
pub(super) fn words(folded: &str) -> Words<'_> {
    Words { rest: folded }
}

/// Iterator over words.
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.rest.char_indices().find(|(_, c)| is_word(*c))?.0;
        let rest = self.rest.get(start..)?;
        let mut end = rest.len();
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let joins = matches!(c, '\'' | '.' | '-' | '@' | '_' | '/' | ':')
                && chars.peek().is_some_and(|(_, next)| is_word(*next));
            if !is_word(c) && !joins {
                end = at;
                break;
            }
        }
        let (word, rest) = rest.split_at_checked(end)?;
        self.rest = rest;
        Some(word)
    }
}

/// Where `part` begins in a text. The standard library's search is made for long texts, and larger.
pub(super) fn place(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len().max(1)).position(|here| here == part.as_bytes())
}

/// A short number for a word, by which words are compared and kept: FNV-1a.
pub(super) fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A set of words by their hashes, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(Vec<u32>);

impl Set {
    /// The set of these hashes.
    pub(super) fn of(mut hashes: Vec<u32>) -> Self {
        sort(&mut hashes, &mut u32::cmp);
        hashes.dedup();
        Self(hashes)
    }

    /// Whether a word is in it.
    pub(super) fn has(&self, word: &str) -> bool {
        self.holds(hash(word))
    }

    /// Whether a hash is in it.
    pub(super) fn holds(&self, hash: u32) -> bool {
        self.0.binary_search(&hash).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization;

    fn folded(text: &str, folding: Folding) -> String {
        folding.of(&text.nfkd().collect::<String>())
    }

    #[test]
    fn one_spelling_for_each_word() {
        for (text, plain) in [
            ("Đà Nẵng", "da nang"),
            ("Großmutter Äpfel", "grossmutter apfel"),
            ("が ぱ ヴ ｶﾞ", "が ぱ ヴ ガ"),
            ("أحمد إلى آخر", "احمد الي اخر"),
            ("한국어", "한국어"),
            ("ज़रूर हूँ", "जरूर हूं"),
            ("I’m ‘here’", "i'm 'here'"),
            ("٣ ७", "3 7"),
        ] {
            assert_eq!(folded(text, Folding::Plain), plain);
        }
    }

    #[test]
    fn a_tone_has_one_place() {
        assert_eq!(folded("hoà", Folding::Toned), folded("hòa", Folding::Toned));
        assert_ne!(folded("cận", Folding::Toned), folded("cần", Folding::Toned));
    }

    #[test]
    fn words_keep_inner_signs() {
        let found: Vec<_> = words(" i'm at a.b@c.de, 18:30 - e-mail... ").collect();
        assert_eq!(found, ["i'm", "at", "a.b@c.de", "18:30", "e-mail"]);
    }
}
