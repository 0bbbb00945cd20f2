//! From text to terms: one pipeline for entries and queries.
//!
//! There is no language setting. Text is in Unicode NFKD, as from JavaScript's `normalize("NFKD")`, so that both
//! encodings of `Việt` are equal (F29). A term is at most [`MAX_TERM`] bytes, and there are fewer than four terms per
//! character.

use super::chars::{Class, class, is_capital};
use super::fold::{fold, unaccent};
use super::stem::Stems;
use super::words::{Piece, Pieces, parts, words};

/// The most bytes of a term: longer words are compared by their beginning.
pub const MAX_TERM: usize = 96;

/// The first character of terms for accented words without their accents: `tieng` then matches `tiếng`, but is not the
/// same as a `tieng` that was written so.
pub const PLAIN: char = '\u{1}';

/// The relation of a term to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A word as written, except for case; a bigram in a script without spaces. The documented formula compares these.
    Word,
    /// The form of a word for the best ranking: its stem if it may be English, otherwise the word itself.
    Stem,
    /// A word without its accents, after [`PLAIN`].
    Plain,
    /// A part of a compound, or the compound as a whole: `camelCase` also has `camel` and `case`.
    Part,
    /// A bigram of a script without spaces. Both rankings compare these.
    Pair,
    /// A single Han character or kana among others.
    Single,
    /// A single character of a script without spaces.
    Lone,
    /// A Hangul bigram, or a trigram of Thai, Lao, Khmer or Myanmar.
    Inner,
    /// A pictograph.
    Picture,
}

impl Role {
    /// Whether the documented formula compares terms of this role.
    pub fn in_formula(self) -> bool {
        matches!(self, Self::Word | Self::Pair | Self::Single | Self::Lone | Self::Picture)
    }

    /// Whether the best ranking compares terms of this role.
    pub fn in_best(self) -> bool {
        self != Self::Word
    }
}

/// One term of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term<'a> {
    /// The term.
    pub text: &'a str,
    /// The position of its word, from 0.
    pub position: u32,
    /// Its relation to that word.
    pub role: Role,
    /// Whether the word begins with a capital.
    pub capital: bool,
}

/// Calls `emit` with each term of `text`, in order.
pub fn terms(text: &str, emit: &mut dyn FnMut(Term<'_>)) {
    terms_with(&mut Stems::default(), text, emit);
}

/// The same for one of many texts.
pub fn terms_with(stems: &mut Stems, text: &str, emit: &mut dyn FnMut(Term<'_>)) {
    let mut pipeline = Pipeline { position: 0, word: String::new(), other: String::new(), stems, emit };
    for piece in Pieces::new(text) {
        match piece {
            Piece::Compound(compound) => pipeline.compound(compound),
            Piece::Cjk(run) => pipeline.grams(run, true),
            Piece::Unspaced(run) => pipeline.grams(run, false),
            Piece::Picture(picture) => pipeline.send(picture, Role::Picture, false),
        }
        pipeline.position = pipeline.position.saturating_add(1);
    }
}

struct Pipeline<'e> {
    position: u32,
    word: String,
    other: String,
    stems: &'e mut Stems,
    emit: &'e mut dyn FnMut(Term<'_>),
}

impl Pipeline<'_> {
    fn send(&mut self, text: &str, role: Role, capital: bool) {
        let text = clip(text);
        if !text.is_empty() {
            (self.emit)(Term { text, position: self.position, role, capital });
        }
    }

    fn compound(&mut self, compound: &str) {
        // Most words are plain: at most one capital in front, nothing joined.
        if compound.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()) {
            self.word(compound, false);
            return;
        }
        let mut several = false;
        for word in words(compound) {
            several = word.len() != compound.len();
            self.word(word, true);
            self.position = self.position.saturating_add(u32::from(several));
        }
        if several {
            let mut whole = std::mem::take(&mut self.other);
            whole.clear();
            fold(compound, &mut whole);
            self.send(&whole, Role::Part, false);
            self.other = whole;
        }
    }

    fn word(&mut self, raw: &str, joined: bool) {
        let capital = raw.starts_with(is_capital);
        let (mut word, mut other) = (std::mem::take(&mut self.word), std::mem::take(&mut self.other));
        word.clear();
        fold(raw, &mut word);
        if let Some(owner) = word.strip_suffix("'s") {
            word.truncate(owner.len());
        }
        word.truncate(clip(&word).len());
        self.send(&word, Role::Word, capital);
        other.clear();
        self.stems.stem(&word, &mut other);
        self.send(&other, Role::Stem, capital);
        if !joined && word.is_ascii() {
            (self.word, self.other) = (word, other);
            return;
        }
        if word.is_ascii() {
            // A letter before an apostrophe is an article in French and Italian.
            if let Some((article, noun)) = word.split_once('\'')
                && article.len() <= 2
                && noun.len() > 2
            {
                self.send(noun, Role::Part, false);
            }
        } else {
            other.clear();
            other.push(PLAIN);
            if unaccent(&word, &mut other) {
                self.send(&other, Role::Plain, capital);
            }
            self.syllables(&word);
        }
        if parts(raw).nth(1).is_some() {
            for part in parts(raw) {
                word.clear();
                fold(part, &mut word);
                other.clear();
                self.stems.stem(&word, &mut other);
                if other.len() > 1 {
                    self.send(&other, Role::Part, false);
                }
            }
        }
        (self.word, self.other) = (word, other);
    }

    /// Bigrams of Korean syllables: endings are attached to nouns, and the bigrams find the noun.
    fn syllables(&mut self, word: &str) {
        let mut before: Option<(usize, bool)> = None;
        for (at, c) in word.char_indices() {
            let hangul = matches!(c, '가'..='힣');
            if let Some((start, true)) = before
                && hangul
                && let Some(pair) = word.get(start..at + c.len_utf8())
            {
                self.send(pair, Role::Inner, false);
            }
            before = Some((at, hangul));
        }
    }

    /// The n-grams of a run without spaces, with combining marks: bigrams, and single characters (Han, kana) or
    /// trigrams.
    fn grams(&mut self, run: &str, cjk: bool) {
        let mut text = std::mem::take(&mut self.word);
        text.clear();
        fold(run, &mut text);
        // The starts of the last three characters.
        let mut starts = [0_usize; 3];
        let mut count = 0_usize;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if count == 0 || class(c) != Class::Mark {
                starts = [starts[1], starts[2], at];
                count += 1;
            }
            if chars.peek().is_some_and(|(_, next)| class(*next) == Class::Mark) {
                continue;
            }
            let end = at + c.len_utf8();
            let last = |n: usize| text.get(starts[3 - n]..end).unwrap_or("");
            if count > 1 {
                self.send(last(2), Role::Pair, false);
                self.position = self.position.saturating_add(1);
            }
            if count == 1 && chars.peek().is_none() {
                self.send(last(1), Role::Lone, false);
            } else if cjk {
                self.send(last(1), Role::Single, false);
            } else if count > 2 {
                self.send(last(3), Role::Inner, false);
            }
        }
        self.word = text;
    }
}

/// The first bytes of a long term, cut between characters.
fn clip(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_TERM)).unwrap_or(text)
}

/// Normalises a whole string like terms, to compare tags and names.
pub fn key(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    fold(text.trim(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, wanted: impl Fn(Role) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        terms(text, &mut |term| {
            if wanted(term.role) {
                found.push(term.text.to_owned());
            }
        });
        found
    }

    #[test]
    fn d43_a_sentence_without_spaces_is_not_one_token() {
        assert_eq!(of("東京タワー", Role::in_formula), ["東", "東京", "京", "京タ", "タ", "タワ", "ワ", "ワー", "ー"]);
        assert_eq!(of("か\u{3099}く", |role| role == Role::Pair), ["か\u{3099}く"]);
        assert_eq!(of("ไทย", |role| role == Role::Pair), ["ไท", "ทย"]);
        assert_eq!(of("한국어를", |role| role == Role::Inner), ["한국", "국어", "어를"]);
    }

    #[test]
    fn f29_vietnamese_is_whole_and_also_found_without_accents() {
        let text = "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t";
        assert_eq!(of(text, |role| role == Role::Word), ["tie\u{302}\u{301}ng", "vie\u{323}\u{302}t"]);
        assert_eq!(of(text, |role| role == Role::Plain), ["\u{1}tieng", "\u{1}viet"]);
    }

    #[test]
    fn code_gives_the_whole_and_the_parts() {
        let parts = |text| of(text, |role| role == Role::Part);
        assert_eq!(parts("src/index/mod.rs"), ["mod", "rs", "src/index/mod.rs"]);
        assert_eq!(parts("getUserName"), ["get", "user", "name"]);
        assert_eq!(parts("Caroline's"), Vec::<String>::new());
        assert_eq!(parts("l'homme"), ["homme"]);
        assert_eq!(of("v1.2.3 Caroline's", |role| role == Role::Word), ["v1.2.3", "caroline"]);
        assert_eq!(of("painted", |role| role == Role::Stem), ["paint"]);
    }

    #[test]
    fn s13_any_text_gives_few_and_short_terms() {
        // A small random generator: text of every plane, controls, lone marks, edges of the surrogates.
        let mut state = 42_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..300 {
            let length = next(200);
            let text: String = (0..length)
                .map(|_| {
                    let top = [0x80, 0x300, 0x1200, 0x3400, 0xD800, 0x1_0000, 0x11_0000][next(7) as usize];
                    let code = if round % 10 == 0 { 0x2FF + next(0x72) } else { next(top) };
                    char::from_u32(code as u32).unwrap_or(['\u{D7FF}', '\u{E000}'][next(2) as usize])
                })
                .collect();
            check(&text);
        }
        for unit in ["a", "é́", "\u{301}", "日", "a.", "ก", "한", "_", "aB", "://a", "\u{1112}\u{1161}"] {
            check(&unit.repeat(100_000 / unit.len()));
        }
        check(&"a. ".repeat(350_000));
    }

    fn check(text: &str) {
        let mut count = 0;
        terms(text, &mut |term| {
            assert!(!term.text.is_empty() && term.text.len() <= MAX_TERM);
            count += 1;
        });
        assert!(count <= 4 * text.chars().count(), "{count} terms");
    }
}
