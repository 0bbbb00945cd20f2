//! Where the sentences and clauses of a message end, and which parts are not the speaker's own words.

use super::fold::is_word;
use crate::text::small;

/// The most bytes of a sentence. Longer ones are cut, so that no rule meets a text of a megabyte.
const LONGEST: usize = 1000;

/// The beginning of a text, at most `most` bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// A message without code and quoted lines.
pub(super) fn own_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_code = false;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            // A block may begin and end in one line.
            in_code ^= !line.trim().trim_start_matches('`').ends_with("```");
        } else if !in_code && !line.trim_start().starts_with('>') {
            out.push_str(line);
        }
    }
    out
}

/// The sentences of a text, each with its stop.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut begin = 0;
    let mut before = ['\0'; 4];
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '\n' | '。' | '！' | '？' | '؟' | '।' => !next.is_some_and(is_stop),
            '!' | '?' => !next.is_some_and(|next| is_stop(next) || next.is_ascii_alphanumeric() || next == '='),
            '.' => next.is_none_or(char::is_whitespace) && !is_abbreviation(before),
            ' ' => at - begin > LONGEST / 2,
            _ => at - begin > LONGEST,
        };
        if ends {
            let end = at + c.len_utf8();
            out.extend(text.get(begin..end));
            begin = end;
        }
        before = [before[1], before[2], before[3], c];
    }
    out.extend(text.get(begin..));
    out.into_iter().map(str::trim).filter(|sentence| sentence.contains(is_word)).collect()
}

fn is_stop(c: char) -> bool {
    matches!(c, '\n' | '。' | '！' | '？' | '؟' | '।' | '!' | '?')
}

/// Whether a point after these ends no sentence: a capital, a number that is no year, a Thai letter of an abbreviation.
fn is_abbreviation(before: [char; 4]) -> bool {
    let last = before[3];
    let year = before.iter().all(char::is_ascii_digit);
    small(last) != last || last.is_ascii_digit() && !year || matches!(last, 'ป' | 'ม' | 'พ' | 'ศ')
}

/// The clauses of a sentence in NFKD: at commas, colons and dashes, not within numbers.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut begin = 0;
    let mut before = ' ';
    let mut chars = sentence.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let splits = match c {
            ',' | ';' | ':' | '、' | '،' => !next.is_ascii_digit() && !before.is_ascii_digit() || next == ' ',
            '-' | '–' | '—' => before == ' ' && next == ' ',
            _ => false,
        };
        if splits {
            out.extend(sentence.get(begin..at));
            begin = at + c.len_utf8();
        }
        before = c;
    }
    out.extend(sentence.get(begin..));
    out.into_iter().map(str::trim).filter(|clause| !clause.is_empty()).collect()
}

/// Marks around a quotation, and how many characters it must have.
const QUOTES: [(char, &str, usize); 7] =
    [('"', "\"", 4), ('“', "”", 4), ('„', "“”", 4), ('「', "」", 3), ('『', "』", 3), ('«', "»", 4), ('\'', "'", 12)];

/// A sentence with its quotations cut out, and whether there were any.
pub(super) fn unquoted(sentence: &str) -> (String, bool) {
    let mut out = String::with_capacity(sentence.len());
    let mut quoted = false;
    let mut until = 0;
    for (at, c) in sentence.char_indices() {
        if at < until {
            continue;
        }
        let inside = !out.ends_with(is_word) || c != '\'';
        let end = QUOTES.iter().find(|(open, ..)| *open == c && inside).and_then(|(_, close, least)| {
            let from = at + c.len_utf8();
            let rest = sentence.get(from..)?;
            let (end, mark) =
                rest.char_indices().find(|(end, mark)| close.contains(*mark) && closes(rest, *end, *mark))?;
            (rest.get(..end)?.chars().count() >= *least).then_some(from + end + mark.len_utf8())
        });
        match end {
            Some(end) => {
                out.push(' ');
                quoted = true;
                until = end;
            }
            None => out.push(c),
        }
    }
    (out, quoted)
}

/// Whether a mark closes: an apostrophe within a word does not.
fn closes(rest: &str, at: usize, mark: char) -> bool {
    mark != '\'' || !rest.get(at + 1..).unwrap_or("").starts_with(is_word)
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
        assert_eq!(unquoted("He wrote \"I live here\"."), ("He wrote  .".to_owned(), true));
        assert_eq!(unquoted("I'm sure we don't"), ("I'm sure we don't".to_owned(), false));
        assert_eq!(unquoted("「猫が好き」と"), (" と".to_owned(), true));
    }

    #[test]
    fn code_and_quoted_lines_are_not_own_words() {
        assert_eq!(own_words("a\n> b\n```\nc\n```\nd"), "a\nd");
    }
}
