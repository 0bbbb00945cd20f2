//! Token counts of a text for language models: the documented estimate, and a closer one for every language.
//!
//! The closer one splits text like byte-pair tokenizers before their lookup (words, humps of camelCase, groups of three
//! digits, runs of punctuation, white space), and has the average cost of each piece. Costs are hundredths of a token,
//! so that the arithmetic is in integers and the same everywhere. `docs/tokens.md` has the errors by kind of text.

use super::chars::{Class, class};
use super::token_costs::{Costs, costs, oddity};
use crate::model::Tokenizer;

/// The documented estimate (E21): a quarter of the length, in UTF-16 units as JavaScript counts it, rounded down.
pub fn estimate_documented(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count() / 4).unwrap_or(u32::MAX)
}

/// The approximate number of o200k tokens of `text`; at least one for a non-empty text.
pub fn count_tokens(text: &str) -> u32 {
    count_tokens_of(Tokenizer::O200k, text)
}

/// The approximate number of tokens of `text` for this tokenizer family; at least one for a non-empty text.
pub fn count_tokens_of(tokenizer: Tokenizer, text: &str) -> u32 {
    let costs = costs(tokenizer);
    let mut hundredths = u64::from(!text.is_empty()) * 20;
    let mut rest = text;
    // The two previous runs, to tell `don't` from a quotation.
    let (mut before, mut last) = (Kind::Space, (Kind::Space, ""));
    while let Some(first) = rest.chars().next() {
        let kind = kind(first);
        let Run { bytes, chars } = Run::of(kind, rest);
        let (run, after) = rest.split_at_checked(bytes).unwrap_or((rest, ""));
        let next = after.chars().next().map_or(Kind::Line, self::kind);
        hundredths += match kind {
            // The end of a contraction is part of its word.
            Kind::Word if bytes <= 2 && before == Kind::Word && last == (Kind::Sign, "'") => 0,
            Kind::Word => word(run, costs),
            Kind::Digit => costs.digits(chars),
            // A single symbol forms one token with the next word.
            Kind::Sign if bytes == 1 && next == Kind::Word && last.0 != Kind::Space => costs.leading(run),
            Kind::Sign => signs(run, chars, last.0 == Kind::Space),
            Kind::Space => space(run, chars, next),
            // A line end is part of the symbols before it.
            Kind::Line => chars + long(chars) + if matches!(last.0, Kind::Sign | Kind::Drawing) { 9 } else { 99 },
            Kind::Drawing => drawing(run, costs),
            Kind::Gap => costs.gap * chars,
            Kind::Picture => costs.picture * chars,
            Kind::Joiner => costs.joiner * chars,
            Kind::Script(script) => {
                let [run_cost, each, further] = costs.scripts[script];
                let rare = if script == CYRILLIC { costs.rare_cyrillic * rare_cyrillic(run) } else { 0 };
                run_cost + each * chars + further * chars.saturating_sub(4) + rare
            }
        };
        (before, last) = (last.0, (kind, run));
        rest = after;
    }
    let tokens = hundredths.saturating_mul(costs.percent) / 10_000;
    u32::try_from(tokens).unwrap_or(u32::MAX).max(u32::from(!text.is_empty()))
}

/// A run of characters of one kind at the beginning of a text.
struct Run {
    bytes: usize,
    chars: u64,
}

impl Run {
    /// One pass, and byte by byte for ASCII: this runs for each message before it is stored.
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

/// A word in Latin letters. Each hump of camelCase is a word of its own. Rare letter pairs, capitals and accents tell
/// words in the vocabulary from those that are split, as in other languages than English, in names and in base64.
fn word(run: &str, costs: &Costs) -> u64 {
    let (mut cost, mut piece) = (0, Piece::default());
    let mut last = '\0';
    for c in run.chars() {
        if c.is_ascii_uppercase() && last.is_ascii_lowercase() {
            cost += piece.cost(costs);
            piece = Piece::default();
            last = '\0';
        }
        piece.letters += 1;
        match c {
            // The vocabulary has Vietnamese words.
            '\u{1e00}'.. | 'ơ' | 'ư' | 'đ' => piece.toned = true,
            'Ȁ'.. => piece.accents += 2,
            '\u{80}'.. => piece.accents += 1,
            _ => {
                piece.capitals += u64::from(piece.letters > 1 && c.is_ascii_uppercase());
                piece.odd += oddity(last, c);
            }
        }
        last = c;
    }
    cost + piece.cost(costs)
}

/// The counts of one word.
#[derive(Default)]
struct Piece {
    letters: u64,
    capitals: u64,
    accents: u64,
    /// The rarity of its letter pairs.
    odd: u64,
    toned: bool,
}

impl Piece {
    fn cost(&self, costs: &Costs) -> u64 {
        if self.toned {
            return costs.toned[0] + costs.toned[1] * self.letters.saturating_sub(3);
        }
        let length = costs.letter * self.letters.saturating_sub(costs.short);
        let letters = costs.capital * self.capitals + costs.accent * self.accents + costs.odd * self.odd;
        (costs.word + length + letters).max(100)
    }
}

/// A run of punctuation: common ones of up to three are one token, a line of one symbol a few, and a mix is split.
/// After a space fewer mixes are common.
fn signs(run: &str, chars: u64, spaced: bool) -> u64 {
    let (mut groups, mut same, mut long) = (0_u64, 0_u64, 0);
    let mut last = '\0';
    for c in run.chars() {
        same = if c == last { same + 1 } else { 1 };
        groups += u64::from(same == 1);
        // The vocabulary has drawn lines in several lengths.
        long += match (c, same) {
            (_, ..=3) => 0,
            ('-' | '=' | '*' | '#' | '_' | '.' | '/' | '~' | '+', 9) => 70,
            ('-' | '=' | '*' | '#' | '_' | '.' | '/' | '~' | '+', 20) => 60,
            ('-' | '=' | '*' | '#' | '_' | '.' | '/' | '~' | '+', _) => 1,
            _ => 24,
        };
        last = c;
    }
    let further = groups.saturating_sub(1);
    let mixed = match groups > 1 && chars > groups {
        true => 40 + 95 * further,
        false => 100 + 12 * further + 90 * groups.saturating_sub(3),
    };
    mixed + long + if spaced { 25 * further } else { 0 }
}

/// A single space is part of the next word, but not of a number; indentation is one token for each kind of space, and a
/// tab is seldom part of a word.
fn space(run: &str, chars: u64, next: Kind) -> u64 {
    let mut kinds = 0;
    let mut last = '\0';
    for c in run.chars() {
        kinds += u64::from(c != last);
        last = c;
    }
    let joins = if last == '\t' { next == Kind::Word } else { next != Kind::Digit };
    let alone = if chars > 1 || !joins { 100 * kinds } else { 0 };
    let tab = if last == '\t' && joins { 60 } else { 0 };
    alone + tab + chars + if last == '\t' { long(chars) } else { 0 }
}

/// The extra cost of a long run of tabs or line ends: vocabularies have up to sixteen in a row, and longer runs of
/// spaces.
fn long(chars: u64) -> u64 {
    6 * chars.saturating_sub(4)
}

/// Box drawings: the vocabulary has straight lines in several lengths, but no corners and blocks.
fn drawing(run: &str, costs: &Costs) -> u64 {
    let mut cost = 0;
    let mut last = '\0';
    for c in run.chars() {
        let is_line = matches!(c, '─' | '│');
        cost += match c == last {
            true if is_line => 21,
            true if matches!(c, '═' | '━') => costs.double_line,
            true => 60,
            false if is_line => 100,
            false => 200,
        };
        last = c;
    }
    cost
}

/// The letters that Russian does not have: the vocabulary has its words best.
fn rare_cyrillic(run: &str) -> u64 {
    run.chars().filter(|c| !matches!(c, 'А'..='я' | 'ё' | 'Ё')).count() as u64
}

/// Indexes in the table of scripts.
const CYRILLIC: usize = 0;

/// The character classes that a tokenizer splits by. A run has one class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Latin letters, with their accents.
    Word,
    Digit,
    /// ASCII punctuation, and its typographic equivalents.
    Sign,
    Space,
    Line,
    /// Lines, corners and blocks.
    Drawing,
    /// Other punctuation and symbols.
    Gap,
    Picture,
    /// Zero-width characters, variation selectors and skin tones.
    Joiner,
    /// Letters of another script, by its index in the table of costs.
    Script(usize),
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' => Kind::Word,
        '0'..='9' => Kind::Digit,
        ' ' | '\t' | '\u{a0}' => Kind::Space,
        '\n' | '\r' => Kind::Line,
        '!'..='~' | '‘'..='”' | '–' | '—' | '…' => Kind::Sign,
        _ => match (c as u32, class(c)) {
            (0x200B..=0x200F | 0xFE00..=0xFE0F | 0x1F3FB..=0x1F3FF, _) => Kind::Joiner,
            (0x2500..=0x259F, _) => Kind::Drawing,
            (_, Class::Picture) => Kind::Picture,
            (_, Class::Gap) => Kind::Gap,
            (0x0400..=0x052F, _) => Kind::Script(CYRILLIC),
            (0x0370..=0x03FF | 0x1F00..=0x1FFF, _) => Kind::Script(1),
            (0x0590..=0x05FF, _) => Kind::Script(2),
            (0x0600..=0x077F | 0xFB50..=0xFEFF, _) => Kind::Script(3),
            (0x0900..=0x097F, _) => Kind::Script(4),
            (0x0980..=0x0DFF, _) => Kind::Script(5),
            (0x0E00..=0x0E7F, _) => Kind::Script(6),
            (0x0E80..=0x0FFF | 0x1000..=0x109F | 0x1780..=0x17FF, _) => Kind::Script(7),
            (0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7A3, _) => Kind::Script(8),
            (0x3040..=0x30FF, _) => Kind::Script(10),
            (_, Class::Cjk) => Kind::Script(9),
            (0..=0x036F | 0x1E00..=0x1EFF, _) => Kind::Word,
            _ => Kind::Script(11),
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
            ("getUserName", 3),
            ("東京", 2),
            ("\u{0}", 1),
        ] {
            assert_eq!(count_tokens(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn x8_more_text_never_counts_as_nothing() {
        // Whatever is repeated: a token budget must bound the bytes as well.
        for unit in
            ["a", "A", " ", "\n", "7", ".", "é", "日", "ก", "ж", "\u{301}", "🎉", "\u{0}", "aB", "a ", "\r\n", "─"]
        {
            let long = unit.repeat(10_000);
            for tokenizer in Tokenizer::ALL {
                assert!(count_tokens_of(tokenizer, &long) > 100, "{unit:?}");
            }
        }
    }

    #[test]
    fn x8_families_without_a_public_tokenizer_never_count_less_than_those_that_they_are_derived_from() {
        for text in
            ["", "a", "Hello, world!", "Xin chào Việt Nam", "今日は良い天気です。", "{\"a\":[1,2345]}", "─┼─", "🎉"]
        {
            let count = |tokenizer| count_tokens_of(tokenizer, text);
            assert!(count(Tokenizer::Claude) >= count(Tokenizer::Cl100k), "{text}");
            assert!(count(Tokenizer::Gemini) >= count(Tokenizer::O200k), "{text}");
        }
    }
}
