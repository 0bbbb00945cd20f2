//! The content of a text: stems of its words, by which statements and questions are compared, and its numbers.

use super::fold::{hash, is_word, words};
use super::lang::Lang;
use super::pack::Pack;
use super::prepared::cut;
use crate::model::sort;

/// Characters that write numbers in Chinese and Japanese.
pub(super) const NUMERALS: &str = "一二三四五六七八九十百千万两";

/// The stems of a folded text, as hashes, in order and once each. Without a pack no word is known to be common.
pub(super) fn stems(folded: &str, pack: Option<&Pack>) -> Vec<u32> {
    let mut out = Vec::new();
    match pack.map(|pack| (pack, pack.lang)) {
        Some((pack, Lang::Ja | Lang::Zh)) => runs(folded, pack, &mut out),
        Some((pack, Lang::Th)) => grams(folded, pack, &mut out),
        _ => {
            for word in words(folded).filter(|word| pack.is_none_or(|pack| !pack.common.has(word))) {
                out.extend(stem(word, pack).map(hash));
            }
        }
    }
    sort(&mut out, &mut u32::cmp);
    out.dedup();
    out
}

/// Whether it is a Latin letter or a digit.
fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// Kinds of characters that make a run: Han, katakana, Latin, or none.
fn kind(c: char, lang: Lang) -> u8 {
    match c {
        '\u{4e00}'..='\u{9fff}' | '々' => 1,
        '\u{30a0}'..='\u{30ff}' if lang == Lang::Ja => 2,
        _ if is_latin(c) => 3,
        _ => 0,
    }
}

/// Pairs of characters in each run of one script.
fn runs(folded: &str, pack: &Pack, out: &mut Vec<u32>) {
    let text = cut(folded, &pack.gaps);
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let own = kind(first, pack.lang);
        let end = rest.find(|c| kind(c, pack.lang) != own).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        match own {
            0 => out.extend(kana_noun(run, pack).map(hash)),
            3 => out.push(hash(run)),
            _ if run.chars().nth(1).is_none() => out.extend((pack.lang == Lang::Ja).then(|| hash(run))),
            _ => windows(run, 2, out),
        }
    }
}

/// Particles after a noun.
const PARTICLES: &[&str] = &["って", "には", "では", "とは", "は", "が", "を", "も", "の", "に", "で", "と"];

/// The noun that a run of hiragana begins with: two to five characters, with a particle after them or nothing. Longer runs
/// are verbs and endings.
fn kana_noun<'a>(run: &'a str, pack: &Pack) -> Option<&'a str> {
    let run = run.trim_start_matches(|c| !matches!(c, 'ぁ'..='ゖ'));
    let end = run.find(|c| !matches!(c, 'ぁ'..='ゖ')).unwrap_or(run.len());
    let own = run.get(..end).filter(|_| pack.lang == Lang::Ja)?;
    let noun = PARTICLES.iter().find_map(|particle| own.strip_suffix(particle)).unwrap_or(own);
    (2..=5).contains(&noun.chars().count()).then_some(noun)
}

/// Thai: four characters at a time, because words have no ends.
fn grams(folded: &str, pack: &Pack, out: &mut Vec<u32>) {
    let text = cut(folded, &pack.gaps);
    for word in text.split(|c: char| !is_latin(c) && !matches!(c, '\u{e00}'..='\u{e7f}')) {
        match word.chars().count() {
            0 | 1 if !word.contains(is_latin) => {}
            2..=3 => out.push(hash(word)),
            _ if word.contains(is_latin) => out.push(hash(word)),
            _ => windows(word, 4, out),
        }
    }
}

/// Each `size` characters that follow each other.
fn windows(text: &str, size: usize, out: &mut Vec<u32>) {
    let mut starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    starts.push(text.len());
    for pair in starts.windows(size + 1) {
        if let [from, .., to] = pair {
            out.extend(text.get(*from..*to).map(hash));
        }
    }
}

/// The stem of a word, if it has enough letters to tell something.
fn stem<'a>(word: &'a str, pack: Option<&Pack>) -> Option<&'a str> {
    let lang = pack.map(|pack| pack.lang);
    let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
    let mut bare = word;
    if lang == Some(Lang::Ar) {
        let article = ["وال", "بال", "فال", "لل", "ال"].iter().find_map(|article| bare.strip_prefix(article));
        bare = article.filter(|rest| !rest.is_empty()).unwrap_or(bare);
    }
    let endings = pack.filter(|pack| !pack.lang.is_unspaced()).map_or(&[][..], |pack| &pack.particles);
    let shorter = endings.iter().filter_map(|ending| bare.strip_suffix(&**ending)).min_by_key(|rest| rest.len());
    bare = shorter.filter(|rest| !rest.is_empty()).unwrap_or(bare);
    let count = bare.chars().count();
    let least = if lang == Some(Lang::Ko) { 2 } else { 3 };
    if count < least && !is_number {
        return None;
    }
    Some(match lang {
        Some(Lang::Ko) => head(bare, 3),
        _ if is_number => bare,
        Some(Lang::Ru | Lang::Ar) => head(bare, if lang == Some(Lang::Ar) && count > 5 { 5 } else { 4 }),
        Some(Lang::Hi) if count > 5 => head(bare, 4),
        _ if count > 5 => head(bare, 5),
        _ => bare.strip_suffix('s').unwrap_or(bare),
    })
}

/// The first `count` characters.
fn head(word: &str, count: usize) -> &str {
    word.char_indices().nth(count).and_then(|(at, _)| word.get(..at)).unwrap_or(word)
}

/// The numbers of a folded text, with a space between them.
pub(super) fn numbers(folded: &str) -> String {
    let mut out = String::new();
    let mut rest = folded;
    while let Some(at) = rest.find(is_numeric) {
        rest = rest.get(at..).unwrap_or("");
        let end = if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let mut end = digits(rest, 0);
            while rest.get(end..).is_some_and(|after| after.starts_with(['.', ','])) && digits(rest, end + 1) > end + 1
            {
                end = digits(rest, end + 1);
            }
            end
        } else {
            rest.find(|c| !NUMERALS.contains(c)).unwrap_or(rest.len())
        };
        let (number, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        // One numeral alone is more often part of a word; before 点 it is the hour.
        if is_word(number.chars().next().unwrap_or(' '))
            && (number.is_ascii() || number.chars().nth(1).is_some() || after.starts_with('点'))
        {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(number);
        }
        rest = after;
    }
    out
}

/// Where the digits from `from` on end.
fn digits(text: &str, from: usize) -> usize {
    from + text.bytes().skip(from).take_while(u8::is_ascii_digit).count()
}

/// Whether it is a digit or a numeral.
pub(super) fn is_numeric(c: char) -> bool {
    c.is_ascii_digit() || NUMERALS.contains(c)
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
