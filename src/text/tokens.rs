//! How many tokens a language model reads a text as: the documented estimate, and a closer one for every language.
//!
//! The closer one follows how byte-pair tokenizers cut text before they look anything up — words, humps of camelCase,
//! groups of three digits, runs of punctuation, line ends — and knows what each costs on average. Its constants were
//! fitted to o200k_base on prose of four languages and on code; they are hundredths of a token, so that the arithmetic
//! is whole and the same everywhere.

use super::chars::{Class, class};

/// The documented estimate (E21): a quarter of the length, in UTF-16 units as JavaScript counts it, rounded down.
pub fn estimate_documented(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count() / 4).unwrap_or(u32::MAX)
}

/// About as many tokens as o200k_base makes of `text`; at least one for any text.
pub fn count_tokens(text: &str) -> u32 {
    let mut hundredths = u64::from(!text.is_empty()) * 50;
    let mut rest = text;
    // The two runs before this one, to tell `don't` from a quotation.
    let (mut before, mut last) = (Kind::Space, (Kind::Space, ""));
    while let Some(first) = rest.chars().next() {
        let kind = kind(first);
        let Run { bytes, chars } = Run::of(kind, rest);
        let (run, after) = rest.split_at_checked(bytes).unwrap_or((rest, ""));
        hundredths += match kind {
            // The end of a contraction belongs to its word.
            Kind::Word if run.len() <= 2 && before == Kind::Word && last == (Kind::Sign, "'") => 0,
            // As many bytes as characters: ASCII.
            Kind::Word if run.len() as u64 == chars => word(run),
            Kind::Word => 94 + 52 * chars.saturating_sub(3),
            Kind::Alphabet => 149 + 24 * chars.saturating_sub(4),
            Kind::Digit => 100 * chars.div_ceil(3),
            // The last sign before a word is cut together with it.
            Kind::Sign if after.starts_with(|c| self::kind(c) == Kind::Word) => {
                11 + if chars > 1 { 95 + 5 * (chars - 1) } else { 0 }
            }
            Kind::Sign => 95 + 5 * chars,
            // A single space belongs to the word after it, and a line's end to the signs before it.
            Kind::Space => {
                if chars > 1 {
                    100 + chars
                } else {
                    0
                }
            }
            Kind::Line => chars + if last.0 == Kind::Sign { 0 } else { 99 },
            // A run of Han between kana shares fewer tokens than a sentence of it.
            Kind::Han => 29 + 72 * chars,
            Kind::Syllable => 76 * chars,
            Kind::Unspaced => 48 * chars,
            Kind::Mark => 100 * chars,
            Kind::Gap => 95 * chars,
            Kind::Picture => 160 * chars,
        };
        (before, last) = (last.0, (kind, run));
        rest = after;
    }
    u32::try_from(hundredths / 100).unwrap_or(u32::MAX).max(u32::from(!text.is_empty()))
}

/// How long the characters of one kind go on at the beginning of a text.
struct Run {
    bytes: usize,
    chars: u64,
}

impl Run {
    /// In one go, and most of most texts byte by byte: this is run for each message before it is stored.
    fn of(kind: Kind, text: &str) -> Self {
        let mut run = Self { bytes: 0, chars: 0 };
        while let Some(byte) = text.as_bytes().get(run.bytes) {
            let wide = || text.get(run.bytes..).and_then(|rest| rest.chars().next());
            let next = if byte.is_ascii() { Some(char::from(*byte)) } else { wide() };
            let Some(next) = next.filter(|next| self::kind(*next) == kind) else { break };
            run.bytes += next.len_utf8();
            run.chars += 1;
        }
        run
    }
}

/// An ASCII word: most are one token with the space before them, a hump of camelCase is nearly one of its own, and a
/// word so long that it is none, as in base64, comes apart.
fn word(run: &str) -> u64 {
    let mut cost = 106;
    let (mut length, mut lower) = (0, false);
    for byte in run.bytes() {
        if byte.is_ascii_uppercase() && lower {
            cost += 65;
            length = 0;
        }
        lower = byte.is_ascii_lowercase();
        length += 1;
        cost += match length {
            0..=5 => 0,
            6..=14 => 7,
            _ => 40,
        };
    }
    cost
}

/// What a tokenizer cuts by. Runs are of one kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Latin letters; Greek and Hebrew cost as much as Latin with accents.
    Word,
    /// Letters of other scripts with spaces, with their signs.
    Alphabet,
    Digit,
    Sign,
    Space,
    Line,
    Han,
    /// Kana and Hangul.
    Syllable,
    Unspaced,
    Mark,
    /// Punctuation beyond ASCII.
    Gap,
    Picture,
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' => Kind::Word,
        '0'..='9' => Kind::Digit,
        ' ' | '\t' | '\u{a0}' => Kind::Space,
        '\n' | '\r' => Kind::Line,
        '!'..='~' | '‘'..='”' | '–' | '—' | '…' => Kind::Sign,
        '\u{1100}'..='\u{11ff}' | '가'..='힣' | 'ぁ'..='ヿ' => Kind::Syllable,
        _ => match (class(c), c as u32) {
            (Class::Cjk, _) => Kind::Han,
            (Class::Unspaced, _) | (Class::Mark, 0x0E00..=0x0EFF | 0x1000..=0x17FF) => Kind::Unspaced,
            (Class::Letter, 0..=0x03FF | 0x0530..=0x05FF | 0x1E00..=0x1FFF) => Kind::Word,
            (Class::Letter, _) | (Class::Mark, 0x0590..=0x0DFF) => Kind::Alphabet,
            (Class::Digit, _) => Kind::Digit,
            (Class::Mark, _) => Kind::Mark,
            (Class::Gap, _) => Kind::Gap,
            (Class::Picture, _) => Kind::Picture,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e21_the_documented_estimate_is_a_quarter_of_the_length_rounded_down() {
        for (text, tokens) in [("", 0), ("abc", 0), ("abcd", 1), ("abcdefg", 1), ("日本語です", 1), ("👩👩", 1)]
        {
            assert_eq!(estimate_documented(text), tokens, "{text}");
        }
    }

    #[test]
    fn small_texts_count_as_a_reader_would() {
        for (text, tokens) in [
            ("", 0),
            (" ", 1),
            ("hello", 1),
            ("hello world", 2),
            ("I don't know.", 4),
            ("1234567", 3),
            ("getUserName", 2),
            ("東京", 2),
            ("\u{0}", 1),
        ] {
            assert_eq!(count_tokens(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn x8_more_text_never_counts_as_nothing() {
        // Whatever is repeated: a budget in tokens must be a bound on the bytes as well.
        for unit in ["a", "A", " ", "\n", "7", ".", "é", "日", "ก", "ж", "\u{301}", "🎉", "\u{0}", "aB", "a ", "\r\n"]
        {
            let long = unit.repeat(10_000);
            assert!(count_tokens(&long) > 100, "{unit:?}");
        }
    }
}
