//! The content of a text: stems of its words, by which statements and questions are compared, and its numbers.

use super::fold::{
    any, char_at, char_before, each, ending, hash, is_digit, is_of, len, seek, slice, tail, width, words,
};
use super::lang::Lang;
use super::pack::{List, Pack};
use crate::model::sort;

/// Characters that write numbers in Chinese and Japanese.
const NUMERALS: &str = "一二三四五六七八九十百千万两";

/// The stems of a folded text, as hashes, in order and once each. Without a pack no word is known to be common.
#[inline(never)]
pub(super) fn stems(folded: &str, pack: Option<&Pack>) -> Vec<u32> {
    let mut out = Vec::new();
    match pack {
        Some(pack) if pack.lang.is_unspaced() => runs(folded, pack, &mut out),
        _ => {
            for word in words(folded) {
                if pack.is_none_or(|pack| !pack.is_stop(word)) {
                    let stem = stem(word, pack);
                    if !stem.is_empty() {
                        out.push(hash(stem));
                    }
                }
            }
        }
    }
    sort(&mut out, &mut u32::cmp);
    out.dedup();
    out
}

/// Kinds of characters that make a run: Latin, Han, katakana, Thai, or none.
fn kind(c: char, lang: Lang) -> u8 {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => 1,
        '\u{4e00}'..='\u{9fff}' | '々' => 2,
        '\u{30a0}'..='\u{30ff}' if lang == Lang::Ja => 3,
        'ぁ'..='ゖ' if lang == Lang::Ja => 4,
        '\u{e00}'..='\u{e7f}' => 5,
        _ => 0,
    }
}

/// Each run of one script: pairs of its characters, or four of Thai, because words have no ends.
fn runs(folded: &str, pack: &Pack, out: &mut Vec<u32>) {
    let text = pack.cut(List::Stop, folded);
    let mut begin = 0;
    each!(&text, |at, c| {
        let (own, end) = (kind(char_at(&text, begin), pack.lang), at + width(c));
        let next = kind(char_at(&text, end), pack.lang);
        // The noun of a run of hiragana is at its beginning.
        if end < text.len() && (next == own || own == 4 && next == 0) {
            continue;
        }
        let run = slice(&text, begin, end);
        begin = end;
        let size = if own == 5 { 4 } else { 2 };
        let count = len(run);
        match own {
            0 => {}
            // A Latin word has the same stem in a text of any language.
            1 => {
                let stem = stem(run, None);
                out.push(hash(if stem.is_empty() { run } else { stem }));
            }
            4 => {
                let noun = kana_noun(run, pack.lang);
                if (6..=15).contains(&noun.len()) {
                    out.push(hash(noun));
                }
            }
            _ if count > size => {
                each!(run, |at, _c| {
                    let end = head(tail(run, at), size);
                    if len(end) == size {
                        out.push(hash(end));
                    }
                });
            }
            _ if count > 1 || pack.lang == Lang::Ja => out.push(hash(run)),
            _ => {}
        }
    });
}

/// Particles after a noun.
const PARTICLES: &str = "って には では とは は が を も の に で と";

/// The noun that a run of hiragana begins with: two to five characters, with a particle after them or nothing. Longer runs
/// are verbs and endings.
fn kana_noun(run: &str, lang: Lang) -> &str {
    let run = slice(run, 0, seek(run, &mut |_, c| kind(c, lang) != 4));
    slice(run, 0, run.len() - ending(PARTICLES, run).len())
}

/// The stem of a word; empty if it has too few letters to tell something.
fn stem<'a>(word: &'a str, pack: Option<&Pack>) -> &'a str {
    // A Latin word has the same stem in a text of any language.
    let lang = pack.map(|pack| pack.lang).filter(|_| !word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_number = any(word, &is_digit);
    let mut bare = word;
    if lang == Some(Lang::Ar) {
        let article = ["وال", "بال", "فال", "لل", "ال"].iter().find(|article| bare.starts_with(**article));
        bare = article.map_or(bare, |article| tail(bare, article.len()));
    }
    if let Some(pack) = pack.filter(|pack| !pack.lang.is_unspaced()) {
        let end = bare.len() - pack.ends(List::Particle, bare);
        bare = if end > 0 { slice(bare, 0, end) } else { bare };
    }
    let count = len(bare);
    let long = count > 5;
    let most = match lang {
        Some(Lang::Ko) => 3,
        _ if is_number => count,
        Some(Lang::Ru) => 4,
        Some(Lang::Hi) if long => 4,
        Some(Lang::Ar) if !long => 4,
        _ if long => 5,
        _ => return if count < 3 { "" } else { bare.strip_suffix('s').unwrap_or(bare) },
    };
    if count < 3 && !is_number && (count < 2 || lang != Some(Lang::Ko)) { "" } else { head(bare, most) }
}

/// The first `count` characters.
#[inline(never)]
fn head(word: &str, count: usize) -> &str {
    let mut end = 0;
    for _ in 0..count {
        end += if end < word.len() { width(char_at(word, end)) } else { 0 };
    }
    slice(word, 0, end)
}

/// The numbers of a folded text, with a space between them.
pub(super) fn numbers(folded: &str) -> String {
    let mut out = String::new();
    let mut until = 0;
    each!(folded, |at, c| {
        if at < until || !is_numeric(c) {
            continue;
        }
        let rest = tail(folded, at);
        let digits = is_digit(c);
        let mut sign = false;
        let mut end = seek(rest, &mut |_, c| {
            let goes_on = if digits { is_digit(c) || !sign && is_of(c, ".,") } else { is_of(c, NUMERALS) };
            sign = !is_digit(c);
            !goes_on
        });
        // A point after the last digit is none of the number.
        end -= usize::from(digits && !is_digit(char_before(rest, end)));
        until = at + end;
        // One numeral alone is more often part of a word; before 点 it is the hour.
        if digits || end > 3 || char_at(rest, end) == '点' {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(slice(rest, 0, end));
        }
    });
    out
}

/// Whether it is a digit or a numeral.
#[inline(never)]
pub(super) fn is_numeric(c: char) -> bool {
    is_digit(c) || is_of(c, NUMERALS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_digits_and_numerals() {
        assert_eq!(numbers("at 18:30 on 1.5.2024, 1,200 eur"), "18 30 1.5.2024 1,200");
        assert_eq!(numbers("下午三点 一个 二十五号"), "三 二十五");
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        assert_eq!(stems("allergic", None), stems("allergies", None));
        assert_eq!(stems("cats", None), stems("cat", None));
        assert!(stems("to a", None).is_empty());
    }
}
