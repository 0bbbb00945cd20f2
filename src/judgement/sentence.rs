//! Where the sentences and clauses of a message end, and which parts are not the speaker's own words.

use super::fold::{
    any, char_at, char_before, each, first, is_digit, is_of, is_word, last, len, listed, seek, slice, tail, trim_end,
    width,
};
use crate::text::small;

/// The most bytes of a sentence. Longer ones are cut, so that no rule meets a text of a megabyte.
const LONGEST: usize = 1000;

/// The beginning of a text, at most `most` bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    slice(text, 0, seek(text, &mut |at, c| at + c.len_utf8() > most))
}

/// A message without code and quoted lines.
pub(super) fn own_words(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    for line in text.split('\n') {
        let own = line.trim();
        if let Some(code) = own.strip_prefix("```") {
            // A block may begin and end in one line.
            in_code ^= !code.ends_with("```");
        } else if !in_code && first(own) != '>' {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// The parts of a text that have words, without white space at their ends. `splits` is called with the beginning of a
/// part, a place and the characters before, at and after it.
#[inline(never)]
fn split<'a>(text: &'a str, splits: &dyn Fn(usize, usize, [char; 3]) -> bool) -> Vec<&'a str> {
    let mut out = Vec::new();
    let (mut begin, mut before) = (0, ' ');
    each!(text, |at, c| {
        let end = at + width(c);
        let next = char_at(text, end);
        if end == text.len() || splits(begin, at, [before, c, next]) {
            let part = slice(text, begin, end).trim();
            if any(part, &is_word) {
                out.push(part);
            }
            begin = end;
        }
        before = c;
    });
    out
}

/// Stops that need no white space after them.
const STOPS: &str = "\n。！？؟।";

/// The sentences of a text, each with its stop.
#[inline(never)]
pub(super) fn sentences(text: &str) -> Vec<&str> {
    split(text, &|begin, at, [before, c, next]| {
        let more = is_of(next, STOPS) || matches!(next, '!' | '?');
        match c {
            '!' | '?' => !more && !next.is_ascii_alphanumeric() && next != '=',
            '.' => {
                // After a capital, a number that is no year, or a Thai letter of an abbreviation a point ends nothing.
                let digits = slice(text, at.saturating_sub(4), at);
                let year = digits.len() == 4 && !any(digits, &|c| !is_digit(c));
                (next == '\0' || next.is_whitespace())
                    && small(before) == before
                    && (!is_digit(before) || year)
                    && !is_of(before, "ปมพศ")
                    && !ends_with_title(slice(text, begin, at))
            }
            ' ' => at - begin > LONGEST / 2,
            _ if is_of(c, STOPS) => !more,
            _ => at - begin > LONGEST,
        }
    })
}

/// Whether a text ends with a title before a name.
fn ends_with_title(text: &str) -> bool {
    let word = tail(text, trim_end(text, &is_word).len());
    listed("Dr Dra Mr Mrs Ms Prof Sr Sra St", word)
}

/// The clauses of a sentence in NFKD: at commas, colons and dashes, not within numbers.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    let mut out = split(sentence, &|_, _, [before, c, next]| match c {
        ',' | ';' | ':' | '、' | '،' => !is_digit(next) && !is_digit(before) || next == ' ',
        '-' | '–' | '—' => before == ' ' && next == ' ',
        _ => false,
    });
    for clause in &mut out {
        let end = last(clause);
        if is_of(end, ",;:、،-–—") {
            *clause = slice(clause, 0, clause.len() - width(end)).trim();
        }
    }
    out
}

/// The length of the quotation that begins with the mark `open` at a place, 0 if it has no end. An apostrophe within a
/// word is no mark.
#[inline(never)]
pub(super) fn quotation(text: &str, at: usize, open: char) -> usize {
    let close = match open {
        '"' | '\'' | '`' => open,
        '“' | '„' => '”',
        '「' | '『' | '«' => char::from_u32(open as u32 + if open == '«' { 16 } else { 1 }).unwrap_or(open),
        _ => return 0,
    };
    if open == '\'' && is_word(char_before(text, at)) {
        return 0;
    }
    let rest = tail(text, at + width(open));
    let end = seek(rest, &mut |at, c| {
        (c == close || open == '„' && c == '“') && (c != '\'' || !is_word(char_at(rest, at + 1)))
    });
    if end < rest.len() { end } else { 0 }
}

/// A sentence with its quotations cut out, and the number of their bytes.
pub(super) fn unquoted(sentence: &str) -> (String, usize) {
    let mut out = String::new();
    let mut quoted = 0;
    let mut until = 0;
    each!(sentence, |at, c| {
        if at >= until {
            let from = at + width(c);
            let end = quotation(sentence, at, c);
            let least = match c {
                '\'' => 12,
                '「' | '『' => 3,
                '`' => usize::MAX,
                _ => 4,
            };
            if end > 0 && len(slice(sentence, from, from + end)) >= least {
                out.push(' ');
                quoted += end;
                until = from + end + width(char_at(sentence, from + end));
            } else {
                out.push(c);
            }
        }
    });
    (out, quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_stops_only() {
        for (text, expected) in [
            ("I'm 34. No, 35! Born in 1990. Ok", vec!["I'm 34. No, 35!", "Born in 1990.", "Ok"]),
            ("J. R. came.  Then?!", vec!["J. R. came.", "Then?!"]),
            ("東京です。犬？はい", vec!["東京です。", "犬？", "はい"]),
            ("see https://a.b/c?d=e now", vec!["see https://a.b/c?d=e now"]),
            ("...", vec![]),
        ] {
            assert_eq!(sentences(text), expected);
        }
    }

    #[test]
    fn clauses_do_not_cut_numbers() {
        assert_eq!(clauses("at 18:30, I pay 1,200 - really"), ["at 18:30", "I pay 1,200", "really"]);
    }

    #[test]
    fn quotations_are_cut_out_and_apostrophes_are_not() {
        assert_eq!(unquoted("He wrote \"I live here\"."), ("He wrote  .".to_owned(), 11));
        assert_eq!(unquoted("I'm sure we don't"), ("I'm sure we don't".to_owned(), 0));
        assert_eq!(unquoted("「猫が好き」と"), (" と".to_owned(), 12));
    }

    #[test]
    fn code_and_quoted_lines_are_not_own_words() {
        assert_eq!(own_words("a\n> b\n```\nc\n```\nd"), "a\nd\n");
    }
}
