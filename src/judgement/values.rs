//! Candidate values beside a word for a secret.

use std::ops::Range;

use super::fold::{Folding, is_word, words};
use super::lang::Lang;
use super::shapes::runs;
use crate::model::within;

/// The text with wide letters and digits of other scripts as ASCII. Each is repeated as often as it had bytes, so that
/// ranges stay those of the text.
pub(super) fn narrow(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let digit = match c as u32 {
            code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0),
            code @ 0x660..=0x669 => char::from_u32(code - 0x630),
            code @ 0x6F0..=0x6F9 => char::from_u32(code - 0x6C0),
            code @ 0x966..=0x96F => char::from_u32(code - 0x936),
            _ => None,
        };
        match digit {
            Some(sign @ (':' | '=')) => {
                out.push_str("  ");
                out.push(sign);
            }
            Some(ascii) => out.extend((0..c.len_utf8()).map(|_| ascii)),
            None => out.push(c),
        }
    }
    out
}

/// Runs with a digit or a sign inside that may be a value: no dates, times, years after a preposition, links, addresses.
pub(super) fn values(ascii: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut before = "";
    for range in runs(ascii) {
        let run = ascii.get(range.clone()).unwrap_or("");
        let cut = run.trim_start_matches(['"', '\'', '(', '[', '<', '{', ',', ':', '=', '`', '/', '\\', '-']);
        let start = range.start + run.len() - cut.len();
        let own = cut.trim_end_matches(['"', '\'', ')', ']', '>', '}', ',', ';', ':', '.', '?', '`']);
        // `password:abc123` and `pw=abc123`: the value is behind the sign.
        let skip = own
            .find([':', '='])
            .filter(|at| {
                !within(own, "://")
                    && own.get(..*at).is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))
            })
            .map_or(0, |at| at + 1);
        let (start, own) = (start + skip, own.get(skip..).unwrap_or(""));
        if is_value(own, before) {
            out.push(start..start + own.len());
        }
        before = own;
    }
    out
}

/// Words before a year.
const BEFORE_YEARS: &str =
    "in|on|since|of|by|until|im|am|seit|vom|en|de|desde|depuis|le|em|pada|sejak|tahun|year|jahr|nam|thang";
/// Months, by their first three letters, and units of time.
const AFTER_DAYS: &str = "jan|feb|mar|apr|may|mai|jun|jul|aug|ago|sep|oct|okt|out|nov|dec|dez|dic|day|hou|min|sec|wee|mon|yea|tim|tag|stu|woc|jah|dia|hor|mes|ano|jou|heu|sem|moi";

fn is_value(own: &str, before: &str) -> bool {
    let digits = own.bytes().filter(u8::is_ascii_digit).count();
    let letters = own.bytes().filter(u8::is_ascii_alphabetic).count();
    if within(own, "://") || own.starts_with("www.") || is_address(own) || own.len() < 3 {
        return false;
    }
    if digits == 0 {
        let sign = own.bytes().skip(1).any(|byte| b"!@#$%^&*_".contains(&byte));
        return sign && own.bytes().any(|byte| byte.is_ascii_lowercase());
    }
    if letters > 0 {
        return true;
    }
    let is_date = own.contains(['/', ':']) || own.bytes().filter(|byte| *byte == b'.').count() == 2 && digits <= 8;
    let is_year = digits == 4 && own.len() == 4 && (own.starts_with("19") || own.starts_with("20"));
    let told = before.to_ascii_lowercase();
    let dated =
        BEFORE_YEARS.split('|').any(|word| word == told) || AFTER_DAYS.split('|').any(|month| told.starts_with(month));
    digits >= 3 && !is_date && !(is_year && dated)
}

/// Whether it is an e-mail address.
fn is_address(own: &str) -> bool {
    own.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && host.split('.').count() > 1
            && host
                .split('.')
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
    })
}

/// A range without white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or("");
    let start = range.start + part.len() - part.trim_start().len();
    start..range.end - (part.len() - part.trim_end().len())
}

/// A quoted word.
pub(super) fn quoted(sentence: &str) -> Option<Range<usize>> {
    for (open, close) in [('"', '"'), ('“', '”'), ('「', '」'), ('\'', '\''), ('«', '»'), ('`', '`')] {
        let from = sentence.find(open).map(|at| at + open.len_utf8());
        let found = from.and_then(|from| sentence.get(from..)?.find(close).map(|len| from..from + len));
        let word = |range: &Range<usize>| {
            sentence.get(range.clone()).is_some_and(|word| word.len() > 2 && !word.contains(' '))
        };
        if let Some(range) = found.filter(word) {
            return Some(range);
        }
    }
    None
}

/// Three words or more that are joined by hyphens, points or underscores.
pub(super) fn joined(ascii: &str) -> Option<Range<usize>> {
    runs(ascii).into_iter().find(|range| {
        let run = ascii.get(range.clone()).unwrap_or("");
        let parts = run.split(['-', '_', '.']).filter(|part| !part.is_empty());
        parts.clone().count() > 2 && parts.clone().all(|part| part.bytes().all(|byte| byte.is_ascii_lowercase()))
    })
}

/// Latin words at the end of a sentence in another script.
pub(super) fn last_latin(ascii: &str, lang: Option<Lang>) -> Option<Range<usize>> {
    lang.filter(|lang| lang.is_unspaced() || matches!(lang, Lang::Ko | Lang::Ar | Lang::Hi | Lang::Ru))?;
    let end = ascii.trim_end_matches(|c: char| !c.is_ascii_alphabetic()).len();
    let tail = ascii.get(..end)?;
    let begin = tail
        .rfind(|c: char| !c.is_ascii_alphabetic() && c != ' ')
        .map_or(0, |at| at + tail.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    let range = trimmed(ascii, begin..end);
    // Words of the other script may follow, but only a particle's length.
    let short = ascii.get(end..)?.chars().filter(|c| is_word(*c)).count() <= 3;
    (short && range.len() >= 3).then_some(range)
}

const COPULAS: &str = "is|ist|lautet|es|est|e|la|adalah|c'est|was|always";
/// Beginnings of words that say something about a password instead of telling it.
const ABOUT: &str = "wrong|expir|invalid|incorre|correct|weak|strong|secur|safe|falsch|abgelauf|unsicher|ungult|larg|cort|segur|debil|faible|fort|fraca|errad|valid|sai|salah|lemah|kuat|hilang|same|long|short|requir|missing|block|gesperr|bloque|bloqu|not|gone|reset|fine|ok|here|different|diferent|the|a|empty|broken";

/// The last word, after "is".
pub(super) fn after_copula(sentence: &str, decompose: &dyn Fn(&str) -> String) -> Option<Range<usize>> {
    let end = sentence.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | '?' | ')')).len();
    let told = sentence.get(..end)?;
    let begin = told.rfind(char::is_whitespace)? + 1;
    let before = Folding::Plain.of(&decompose(told.get(..begin)?));
    let last = Folding::Plain.of(&decompose(told.get(begin..)?));
    let copula = words(&before).last()?;
    let is_value = last.len() > 2 && !ABOUT.split('|').any(|about| last.starts_with(about));
    (is_value && COPULAS.split('|').any(|known| known == copula)).then_some(begin..end)
}
