//! Candidate values beside a word for a secret.

use std::ops::Range;

use super::fold::{
    any, char_at, count, each, folded, has_of, is_digit, is_of, is_word, listed, place, seek, slice, tail, trim_end,
    width, words,
};
use super::sentence::quotation;
use super::shapes::runs;

/// The text with wide letters and digits of other scripts as ASCII. Each is repeated as often as it had bytes, so that
/// ranges stay those of the text.
pub(super) fn narrow(text: &str) -> String {
    let mut out = String::new();
    each!(text, |_at, c| {
        let code = c as u32;
        let offset = match code {
            0xFF01..=0xFF5E => 0xFEE0,
            0x660..=0x669 => 0x630,
            0x6F0..=0x6F9 => 0x6C0,
            0x966..=0x96F => 0x936,
            _ => 0,
        };
        let ascii = char::from_u32(code - offset).unwrap_or(c);
        for left in (0..if offset > 0 { width(c) } else { 1 }).rev() {
            // A sign stays one.
            out.push(if left > 0 && is_of(ascii, ":=") { ' ' } else { ascii });
        }
    });
    out
}

/// Runs with a digit or a sign inside that may be a value: no dates, times, years after a preposition, links, addresses.
pub(super) fn values(ascii: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut before = "";
    for range in runs(ascii) {
        let run = slice(ascii, range.start, range.end);
        let from = seek(run, &mut |_, c| !is_of(c, "\"'([<{,:=`/\\-"));
        let own = trim_end(tail(run, from), &|c| is_of(c, "\"')]>},;:.?`"));
        // `password:abc123` and `pw=abc123`: the value is behind the sign.
        let name = seek(own, &mut |_, c| !c.is_ascii_alphabetic());
        let skip = if is_of(char_at(own, name), ":=") && place(own, "://").is_none() { name + 1 } else { 0 };
        let (start, own) = (range.start + from + skip, tail(own, skip));
        if is_value(own, before) {
            out.push(start..start + own.len());
        }
        before = own;
    }
    out
}

/// Words before a year.
const BEFORE_YEARS: &str =
    "in on since of by until im am seit vom en de desde depuis le em pada sejak tahun year jahr nam thang";
/// Months, by their first three letters, and units of time.
const AFTER_DAYS: &str = "jan feb mar apr may mai jun jul aug ago sep oct okt out nov dec dez dic day hou min sec wee mon yea tim tag stu woc jah dia hor mes ano jou heu sem moi";

fn is_value(own: &str, before: &str) -> bool {
    let digits = count(own, &is_digit);
    if place(own, "://").is_some() || own.starts_with("www.") || is_address(own) || own.len() < 3 {
        return false;
    }
    if digits == 0 {
        return has_of(tail(own, 1), "!@#$%^&*_") && any(own, &|c| c.is_ascii_lowercase());
    }
    if any(own, &|c| c.is_ascii_alphabetic()) {
        return true;
    }
    let is_date = has_of(own, "/:") || count(own, &|c| c == '.') == 2 && digits <= 8;
    let is_year = digits == 4 && own.len() == 4 && (own.starts_with("19") || own.starts_with("20"));
    let told = before.to_ascii_lowercase();
    let dated = listed(BEFORE_YEARS, &told) || listed(AFTER_DAYS, slice(&told, 0, 3));
    digits >= 3 && !is_date && !(is_year && dated)
}

/// Whether it is an e-mail address.
fn is_address(own: &str) -> bool {
    let at = seek(own, &mut |_, c| c == '@');
    let host = tail(own, at + 1);
    at > 0 && is_of('.', host) && !any(host, &|c| !c.is_ascii_alphanumeric() && !is_of(c, "-."))
}

/// A range without white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = slice(text, range.start, range.end);
    let end = range.start + part.trim_end().len();
    end - part.trim().len()..end
}

/// A quoted word.
pub(super) fn quoted(sentence: &str) -> Range<usize> {
    each!(sentence, |at, c| {
        let (from, end) = (at + width(c), quotation(sentence, at, c));
        if end > 2 && !is_of(' ', slice(sentence, from, from + end)) {
            return from..from + end;
        }
    });
    0..0
}

/// Three words or more that are joined by hyphens, points or underscores.
pub(super) fn joined(ascii: &str) -> Range<usize> {
    for range in runs(ascii) {
        let run = trim_end(slice(ascii, range.start, range.end), &|c| c == '.');
        let joints = count(run, &|c| is_of(c, "-_."));
        if joints > 1 && joints * 2 < run.len() && !any(run, &|c| !c.is_ascii_lowercase() && !is_of(c, "-_.")) {
            return range;
        }
    }
    0..0
}

/// Latin words at the end of a sentence in another script.
pub(super) fn last_latin(ascii: &str) -> Range<usize> {
    let own = trim_end(ascii, &|c| !c.is_ascii_alphabetic());
    let begin = trim_end(own, &|c| c.is_ascii_alphabetic() || c == ' ').len();
    let range = trimmed(ascii, begin..own.len());
    // Words of the other script may follow, but only a particle's length.
    if count(tail(ascii, own.len()), &is_word) <= 3 && range.len() >= 3 { range } else { 0..0 }
}

const COPULAS: &str = "is ist lautet es est e la adalah c'est was always";
/// Beginnings of words that say something about a password instead of telling it.
const ABOUT: &str = "wrong expir invalid incorre correct weak strong secur safe falsch abgelauf unsicher ungult larg cort segur debil faible fort fraca errad valid sai salah lemah kuat hilang same long short requir missing block gesperr bloqu not gone reset fine ok here different diferent the a empty broken";

/// The last word, after "is".
pub(super) fn after_copula(sentence: &str, decompose: &dyn Fn(&str) -> String) -> Range<usize> {
    let told = trim_end(sentence, &|c| c.is_whitespace() || is_of(c, ".!?)"));
    let begin = trim_end(told, &|c| !c.is_whitespace()).len();
    let before = folded(&decompose(slice(told, 0, begin)), false);
    let last = folded(&decompose(tail(told, begin)), false);
    let is_about = ABOUT.split(' ').any(|about| last.starts_with(about));
    let is_told = words(&before).last().is_some_and(|word| listed(COPULAS, word));
    if last.len() > 2 && !is_about && is_told { begin..told.len() } else { 0..0 }
}
