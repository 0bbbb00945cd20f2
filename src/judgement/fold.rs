//! How texts are compared with cues: small letters, no accents, one form of each letter; and the words of such a text.
//!
//! Every search here takes its test as `&dyn Fn`: a generic one would be compiled again for each caller.

use crate::text::{Class, class, fold};

/// Calls `test` with each character and its place until it is true. Returns that place, or the length of the text.
#[inline(never)]
pub(super) fn seek(text: &str, test: &mut dyn FnMut(usize, char) -> bool) -> usize {
    for (at, c) in text.char_indices() {
        if test(at, c) {
            return at;
        }
    }
    text.len()
}

/// Whether a text has a character like this.
#[inline(never)]
pub(super) fn any(text: &str, test: &dyn Fn(char) -> bool) -> bool {
    seek(text, &mut |_, c| test(c)) < text.len()
}

/// Whether a text has one of these characters.
#[inline(never)]
pub(super) fn has_of(text: &str, signs: &str) -> bool {
    any(text, &|c| is_of(c, signs))
}

/// Whether a character is one of these.
#[inline(never)]
pub(super) fn is_of(c: char, signs: &str) -> bool {
    signs.chars().any(|sign| sign == c)
}

/// How many characters like this a text has.
#[inline(never)]
pub(super) fn count(text: &str, test: &dyn Fn(char) -> bool) -> usize {
    let mut count = 0;
    seek(text, &mut |_, c| {
        count += usize::from(test(c));
        false
    });
    count
}

/// How many characters a text has.
pub(super) fn len(text: &str) -> usize {
    count(text, &|_| true)
}

/// The part of a text between two places; empty if there is none.
#[inline(never)]
pub(super) fn slice(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or("")
}

/// The text from a place on.
pub(super) fn tail(text: &str, from: usize) -> &str {
    slice(text, from, text.len())
}

/// The first character, or NUL.
#[inline(never)]
pub(super) fn first(text: &str) -> char {
    text.chars().next().unwrap_or('\0')
}

/// The character at a place, or NUL. A place is cheaper to pass than a part of the text.
#[inline(never)]
pub(super) fn char_at(text: &str, at: usize) -> char {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => char::from(*byte),
        _ => first(tail(text, at)),
    }
}

/// The character before a place, or NUL.
#[inline(never)]
pub(super) fn char_before(text: &str, at: usize) -> char {
    last(slice(text, 0, at))
}

/// How many bytes a character has.
#[inline(never)]
pub(super) fn width(c: char) -> usize {
    c.len_utf8()
}

/// Runs a block for each character of a text and its place. A loop is smaller than a closure that changes what it captures.
macro_rules! each {
    ($text:expr, |$at:ident, $c:ident| $body:block) => {
        let mut next = 0;
        while next < $text.len() {
            let $at = next;
            let $c = $crate::judgement::fold::char_at($text, $at);
            next += $crate::judgement::fold::width($c);
            $body
        }
    };
}
pub(super) use each;

/// The last character, or NUL.
#[inline(never)]
pub(super) fn last(text: &str) -> char {
    text.chars().next_back().unwrap_or('\0')
}

/// A text without the characters like this at its end.
#[inline(never)]
pub(super) fn trim_end<'a>(mut text: &'a str, test: &dyn Fn(char) -> bool) -> &'a str {
    while !text.is_empty() && test(last(text)) {
        text = slice(text, 0, text.len() - last(text).len_utf8());
    }
    text
}

/// The place of a word in a list with spaces between its words.
#[inline(never)]
pub(super) fn position(list: &str, word: &str) -> Option<usize> {
    list.split(' ').position(|known| known == word)
}

/// Whether a word is in a list with spaces between its words.
pub(super) fn listed(list: &str, word: &str) -> bool {
    position(list, word).is_some()
}

/// The longest word of a list that a text ends with; empty if there is none.
#[inline(never)]
pub(super) fn ending<'a>(list: &'a str, text: &str) -> &'a str {
    let mut best = "";
    for word in list.split(' ') {
        if word.len() > best.len() && text.ends_with(word) {
            best = word;
        }
    }
    best
}

/// A text in NFKD, folded. `toned`: with accents, and a tone at the end of its word, because two spellings put it on
/// different vowels.
#[inline(never)]
pub(super) fn folded(decomposed: &str, toned: bool) -> String {
    let mut small = String::with_capacity(decomposed.len());
    fold(decomposed, &mut small);
    if small.is_ascii() {
        return small.replace('`', "'");
    }
    let mut out = String::with_capacity(small.len());
    let mut tone = '\0';
    each!(&small, |_at, next| {
        let mut c = next;
        match c {
            '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}' if toned => tone = c,
            '\u{300}'..='\u{36f}' if !toned => {}
            '\u{93c}' => {}
            '\u{3099}' | '\u{309a}' => {
                // A voicing mark joins its kana, by the order of the block: plain, voiced, half voiced.
                let kana = out.pop().unwrap_or(' ');
                let step = if matches!(kana, 'う' | 'ウ') { 0x4E } else { c as u32 - 0x3098 };
                out.push(char::from_u32(kana as u32 + step).unwrap_or(kana));
            }
            _ => {
                if tone != '\0' && !is_word(c) {
                    out.push(tone);
                    tone = '\0';
                }
                match c {
                    '\u{901}' => c = '\u{902}',
                    'đ' if !toned => c = 'd',
                    'œ' | 'æ' => {
                        out.push(if c == 'œ' { 'o' } else { 'a' });
                        c = 'e';
                    }
                    '‘' | '`' => c = '\'',
                    _ => {}
                }
                out.push(c);
            }
        }
    });
    if tone != '\0' {
        out.push(tone);
    }
    out
}

/// Whether a character is part of a word: a letter, a mark or a digit.
#[inline(never)]
pub(super) fn is_word(c: char) -> bool {
    !matches!(class(c), Class::Gap | Class::Picture)
}

/// Whether a character is a digit: of ASCII, Arabic, Persian, Devanagari or Thai.
#[inline(never)]
pub(super) fn is_digit(c: char) -> bool {
    digit(c) < 10
}

/// The value of a digit; of another character 10 or more.
pub(super) fn digit(c: char) -> u32 {
    let zero = match c as u32 {
        0x660..=0x669 => 0x660,
        0x6f0..=0x6f9 => 0x6f0,
        0x966..=0x96f => 0x966,
        0xe50..=0xe59 => 0xe50,
        _ => 0x30,
    };
    (c as u32).wrapping_sub(zero)
}

/// The words of a folded text. A sign between two letters belongs to the word: `e-mail`, `i'm`, `18:30`.
#[inline(never)]
pub(super) fn words(folded: &str) -> Vec<&str> {
    pieces(folded, "'.-@_/:")
}

/// The words of a text, with one of `joiners` within each at most between two letters.
#[inline(never)]
pub(super) fn pieces<'a>(text: &'a str, joiners: &str) -> Vec<&'a str> {
    let mut out = Vec::new();
    let (mut begin, mut end) = (0, 0);
    each!(text, |at, c| {
        if is_word(c) {
            if at > end && !(end > begin && at == end + 1 && is_of(char_at(text, end), joiners)) {
                if end > begin {
                    out.push(slice(text, begin, end));
                }
                begin = at;
            }
            end = at + width(c);
        }
    });
    if end > begin {
        out.push(slice(text, begin, end));
    }
    out
}

/// Words with a space before, between and after them.
#[inline(never)]
pub(super) fn spaced(list: &[&str]) -> String {
    let mut text = String::from(" ");
    for word in list {
        if !word.is_empty() {
            text.push_str(word);
            text.push(' ');
        }
    }
    text
}

/// Where `part` begins in a text. The standard library's search is made for long texts, and larger.
#[inline(never)]
pub(super) fn place(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let begin = part.first()?;
    (0..text.len())
        .find(|at| text.get(*at) == Some(begin) && text.get(*at..).is_some_and(|rest| rest.starts_with(part)))
}

/// A short number for a word, by which words are compared and kept: FNV-1a.
#[inline(never)]
pub(super) fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization;

    fn fold(text: &str, toned: bool) -> String {
        folded(&text.nfkd().collect::<String>(), toned)
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
            assert_eq!(fold(text, false), plain);
        }
    }

    #[test]
    fn a_tone_has_one_place() {
        assert_eq!(fold("hoà", true), fold("hòa", true));
        assert_ne!(fold("cận", true), fold("cần", true));
    }

    #[test]
    fn words_keep_inner_signs() {
        let found = words(" i'm at a.b@c.de, 18:30 - e-mail... ");
        assert_eq!(found, ["i'm", "at", "a.b@c.de", "18:30", "e-mail"]);
    }
}
