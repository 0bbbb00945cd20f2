//! Dates, statuses and texts, written to a file and read from it.

use super::lines::{Lines, closing, heading, is_rule, opens_comment};
use super::log::label;
use super::names::plain_words;
use crate::model::{Invalid, Timestamp};

/// Whether the text has the shape `YYYY-MM-DD`; the day need not exist.
fn is_date_shaped(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.bytes().enumerate().all(fits)
}

/// The first text with the shape of a date, and its position.
pub(super) fn date_in(text: &str) -> Option<(usize, &str)> {
    (0..text.len()).filter_map(|at| Some((at, text.get(at..at + 10)?))).find(|(_, part)| is_date_shaped(part))
}

/// Validates a date, `2025-12-31`.
pub(super) fn checked_date(field: &str, text: &str) -> Result<String, Invalid> {
    if is_date_shaped(text) && Timestamp::parse(field, text).is_ok() {
        return Ok(text.to_owned());
    }
    Err(Invalid::value(field, "must be a valid date, such as 2025-12-31"))
}

/// The parts of a heading such as `2025-12-31 10:30: Title`.
pub(super) struct Dating<'a> {
    /// The date by its shape: the day need not exist.
    pub(super) date: Option<&'a str>,
    pub(super) time: Option<&'a str>,
    pub(super) title: &'a str,
}

/// Parses the heading of an entry.
pub(super) fn dating(heading: &str) -> Dating<'_> {
    let dated = heading.get(..10).filter(|date| is_date_shaped(date));
    let Some(date) = dated else { return Dating { date: None, time: None, title: heading.trim() } };
    let rest = heading.get(10..).unwrap_or("").trim_start();
    let clock = |text: &&str| Timestamp::parse("time", &format!("1970-01-01 {text}")).is_ok();
    let time = rest.get(..5).filter(clock);
    let rest = if time.is_some() { rest.get(5..).unwrap_or("") } else { rest };
    Dating { date: Some(date), time, title: rest.trim_start_matches([':', '-', '–', '—', ' ']).trim() }
}

/// The status of a handoff or a blocker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub enum Status {
    Pending,
    InProgress,
    Complete,
    Blocked,
}

/// Each status as written, and words by which it is read.
const STATUSES: [(Status, &str, &str); 4] = [
    (Status::Pending, "⏳ Pending", "pending|waiting|dang cho|cho xu ly"),
    (Status::InProgress, "🔄 In Progress", "in progress|active|investigating|dang lam|dang thuc hien"),
    (Status::Complete, "✅ Complete", "complete|completed|done|resolved|hoan thanh|xong"),
    (Status::Blocked, "❌ Blocked", "blocked|failed|rejected|bi chan"),
];

impl Status {
    /// Its text in a file.
    pub fn as_str(self) -> &'static str {
        STATUSES.iter().find(|(status, ..)| *status == self).map_or("", |(_, text, _)| text)
    }

    /// Its programmatic name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "inProgress",
            Self::Complete => "complete",
            Self::Blocked => "blocked",
        }
    }

    /// The status with this programmatic name.
    pub fn new(field: &str, name: &str) -> Result<Self, Invalid> {
        let known = STATUSES.iter().map(|(status, ..)| *status).find(|status| status.name() == name);
        known.ok_or_else(|| Invalid::value(field, "must be pending, inProgress, complete or blocked"))
    }

    /// The status in a text: by its first symbol, or by a word if there is no symbol.
    pub fn read(text: &str) -> Option<Self> {
        let signs = STATUSES.iter().filter_map(|(status, name, _)| {
            let sign = name.chars().next()?;
            text.find(sign).map(|at| (at, *status))
        });
        if let Some((_, status)) = signs.min_by_key(|(at, _)| *at) {
            return Some(status);
        }
        let said = plain_words(text);
        let tells = |words: &str| words.split('|').any(|word| said.contains(&format!(" {word} ")));
        STATUSES.iter().find(|(.., words)| tells(words)).map(|(status, ..)| *status)
    }
}

/// Whether a line, without leading backslashes, would be structure of its file.
fn is_structure(text: &str, labels: bool) -> bool {
    let bare = text.trim().trim_start_matches('\\');
    let heading = heading(bare).is_some_and(|(level, _)| level <= 2);
    heading || is_rule(bare) || opens_comment(bare) || (labels && label(bare).is_some())
}

/// Escapes the text of an entry or a section: lines that would be headings or rules, or labels if `labels`, get a
/// backslash; and an open fence or comment is closed, so that nothing after it is hidden.
pub(super) fn protected(text: &str, labels: bool) -> String {
    let text = text.trim_matches(['\n', '\r']).trim_end().replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    // Comments are not skipped: an opening one gets a backslash, and is no longer a comment.
    for line in Lines::fenced(&text) {
        let rest = line.raw.trim_start_matches(' ');
        out.push_str(line.raw.get(..line.raw.len() - rest.len()).unwrap_or(""));
        if !line.code && is_structure(rest, labels) {
            out.push('\\');
        }
        out.push_str(rest);
    }
    if let Some(sign) = closing(&out) {
        out.push('\n');
        out.push_str(&sign);
    }
    out
}

/// The inverse of `protected`.
pub(super) fn unprotected(text: &str, labels: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for line in Lines::new(text) {
        let rest = line.raw.trim_start_matches(' ');
        let spaces = line.raw.get(..line.raw.len() - rest.len()).unwrap_or("");
        let kept = rest.strip_prefix('\\').filter(|_| !line.code && is_structure(rest, labels));
        out.push_str(spaces);
        out.push_str(kept.unwrap_or(rest));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a16_a41_headings_are_dated_by_their_shape() {
        let parts = |heading| {
            let Dating { date, time, title } = dating(heading);
            (date, time, title)
        };
        assert_eq!(parts("2025-12-31: T: u"), (Some("2025-12-31"), None, "T: u"));
        assert_eq!(parts("2025-12-31 10:30: T"), (Some("2025-12-31"), Some("10:30"), "T"));
        assert_eq!(parts("2025-13-45 — T"), (Some("2025-13-45"), None, "T"));
        assert_eq!(parts("2025-12-31 99:99: T"), (Some("2025-12-31"), None, "99:99: T"));
        assert_eq!(parts("Pattern: X"), (None, None, "Pattern: X"));
        assert_eq!(parts("20251231é"), (None, None, "20251231é"));
        assert_eq!(date_in("é by 2025-12-31!"), Some((6, "2025-12-31")));
        assert!(checked_date("date", "2024-02-29").is_ok());
        for bad in ["2025-13-45", "2025-02-29", "2025-1-1", "", "2025-12-31T10:00", "２０２５-12-31"] {
            assert_eq!(checked_date("when", bad).unwrap_err().field(), "when", "{bad}");
        }
    }

    #[test]
    fn a44_statuses_are_read_from_signs_or_words() {
        for (status, text, words) in STATUSES {
            assert_eq!((Status::read(text), status.as_str()), (Some(status), text));
            assert!(words.split('|').all(|word| Status::read(word) == Some(status)), "{words}");
        }
        assert_eq!(Status::read("🔄 Pending review"), Some(Status::InProgress));
        assert_eq!(Status::read("Hoàn thành"), Some(Status::Complete));
        assert_eq!((Status::read(""), Status::read("incomplete")), (None, None));
    }

    #[test]
    fn protected_text_is_no_structure_and_comes_back() {
        let text = "# a\n ---\n**Why**: b\n\\## c\n### d\n```\n# e\n```\n<!-- f\n<!-- g -->";
        let written = protected(text, true);
        assert_eq!(written, "\\# a\n \\---\n\\**Why**: b\n\\\\## c\n### d\n```\n# e\n```\n\\<!-- f\n<!-- g -->");
        assert_eq!(unprotected(&written, true), text);
        assert_eq!(protected("**Why**: b", false), "**Why**: b");
        assert_eq!(protected("\n~~~\nopen\n\n", false), "~~~\nopen\n~~~");
    }
}
