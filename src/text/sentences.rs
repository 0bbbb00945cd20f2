//! Splits text into sentences, in any language: at stops, and at lines that were ended on purpose.

use super::chars::{Class, class};
use super::marks::{CLOSING, is_full_stop, is_spaced_stop};

/// Shorter lines were ended on purpose; longer ones were wrapped by an editor. A character beyond Latin counts twice.
const WRAPPED: usize = 60;

/// Abbreviations after which a full stop ends no sentence. Initials and numbers are recognised by their form.
const SHORT: [&str; 18] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "jr", "sr", "inc", "approx", "fig", "tp", "ths", "gs", "bzw", "ca",
    "mme",
];

/// The sentences of `text` in order, with the white space that follows them. Joined they are the text.
pub(super) struct Sentences<'a> {
    rest: &'a str,
}

impl<'a> Sentences<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Sentences<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = first_end(self.rest);
        let (sentence, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(sentence)
    }
}

/// The end of the first sentence of `text`, with the white space after it.
fn first_end(text: &str) -> usize {
    let mut width = 0;
    let mut word = 0;
    let mut before = None;
    let begin = text.len() - text.trim_start().len();
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < begin) {
        let end = at + c.len_utf8();
        let after = text.get(end..).unwrap_or("");
        // Only after a stop: a text of nothing but brackets would be scanned again for each of them.
        let spaced = is_spaced_stop(c, before.replace(c));
        let stop = c == '.' || spaced || is_full_stop(c);
        let closed = if stop { after.trim_start_matches(CLOSING) } else { after };
        let ends = match c {
            '\n' => {
                let line = after.trim_start_matches([' ', '\t', '\r']);
                width < WRAPPED || line.starts_with(['\n', '#', '-', '*', '|', '>', '•', '`'])
            }
            '.' => {
                let next = closed.trim_start();
                let last = text.get(word..at).unwrap_or("");
                // In a chat many sentences begin in lowercase; after a short word that is more likely an abbreviation.
                let small = next.starts_with(|c: char| c.is_ascii_lowercase()) && last.chars().nth(3).is_none();
                (closed.is_empty() || next.len() < closed.len()) && !small && !is_short(last, word == begin)
            }
            // A script without spaces has none after a half-width stop either.
            _ if spaced => {
                let unspaced = |c: char| c.is_whitespace() || matches!(class(c), Class::Cjk | Class::Unspaced);
                closed.is_empty() || closed.starts_with(unspaced)
            }
            _ => stop,
        };
        if ends {
            let rest = if c == '\n' { after } else { closed };
            return text.len() - rest.trim_start().len();
        }
        width = if c == '\n' { 0 } else { width + if c.is_ascii() { 1 } else { 2 } };
        if c.is_whitespace() || matches!(c, '(' | '"' | '“') {
            word = end;
        }
    }
    text.len()
}

/// Whether the full stop after `word` belongs to it: an initial, an abbreviation, the number of a list item.
fn is_short(word: &str, first: bool) -> bool {
    let letters = word.rsplit('.').next().unwrap_or(word);
    let initial = letters.chars().count() == 1 && letters.chars().all(|c| class(c) == Class::Letter);
    let numbered = first && !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    initial && letters != "I" || numbered || SHORT.iter().any(|short| short.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = Sentences::new(text).collect();
        assert_eq!(found.concat(), text);
        assert_eq!(found.iter().map(|sentence| sentence.trim()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn stops_end_sentences_in_many_languages() {
        check("I came. I saw! Did I win? Yes…", &["I came.", "I saw!", "Did I win?", "Yes…"]);
        check("今日は寒い。「本当？」と聞いた！はい", &["今日は寒い。", "「本当？」", "と聞いた！", "はい"]);
        check("本当?はい!行こう", &["本当?", "はい!", "行こう"]);
        check("Tôi ở Huế. Còn bạn?", &["Tôi ở Huế.", "Còn bạn?"]);
        check("मैं घर गया। फिर सोया।", &["मैं घर गया।", "फिर सोया।"]);
        check("Πού μένεις; Εδώ· στην Πάτρα.", &["Πού μένεις;", "Εδώ· στην Πάτρα."]);
        check("a; b ማን ነው፧ እኔ ነኝ።", &["a; b ማን ነው፧", "እኔ ነኝ።"]);
        check("ខ្ញុំទៅផ្ទះ។ខ្ញុំគេង។", &["ខ្ញុំទៅផ្ទះ។", "ខ្ញុំគេង។"]);
        check("มาไหม?มา!ดี", &["มาไหม?", "มา!", "ดี"]);
        check("他说《好！》然后走了", &["他说《好！》", "然后走了"]);
        check("He said \"no.\" Then (at last) he left.", &["He said \"no.\"", "Then (at last) he left."]);
    }

    #[test]
    fn points_inside_do_not() {
        for text in [
            "Dr. Smith paid 3.50 to J. R. Miller.",
            "See example.com, e.g. the v1.2 page.",
            "1. wash the car",
            "We use Node.js here",
        ] {
            check(text, &[text]);
        }
    }

    #[test]
    fn short_lines_are_ended_on_purpose_and_long_ones_wrapped() {
        check("one\ntwo\n\nthree", &["one", "two", "three"]);
        let wrapped = "a line that an editor has wrapped because it had become too long\nfor the window.";
        check(wrapped, &[wrapped]);
        check("  \n ", &[""]);
        check("", &[]);
    }
}
