//! Lint warnings: vague lines, trivial decisions, learnings without code, missing or wrong dates.
//!
//! Never an error: a file is stored whatever it says. Messages name the line and contain no text of the file.

use super::document::Document;
use super::lines::{Lines, closing};
use super::log::{Entry, Log};
use super::merge::{MARK, is_mark};
use super::names::{Field, Kind, plain_words};
use super::sheet::Sheet;
use super::vague::{is_vague, is_vague_heading};
use super::values::{checked_date, date_in, dating};
use crate::model::{Timestamp, sorted};

/// A lint warning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// `vague`, `outdated`, `trivial-decision`, `no-code`, `undated`, `bad-date`, `duplicate-heading`, `missing-field`,
    /// `unclosed` or `conflict`.
    pub rule: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// One sentence.
    pub message: &'static str,
}

/// The age in days from which a context is outdated.
const OUTDATED_DAYS: i64 = 30;

/// Subjects that are seldom worth a decision, in both languages, without accents.
const TRIVIAL: &str = "tabs instead of spaces|spaces instead of tabs|tabs vs spaces|tabs or spaces|indentation|\
    formatting|whitespace|code style|semicolons|single quotes|double quotes|line length|import order|typo|typos|\
    rename variable|variable name|variable names|dinh dang code|dinh dang|thut le|khoang trang|dau cham phay|\
    loi chinh ta|doi ten bien|ten bien";

fn any(said: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| said.contains(&format!(" {phrase} ")))
}

/// The warnings for a file of this kind, in the order of its lines. Without `today`, its age is not checked.
pub fn lint(kind: Kind, text: &str, today: Option<&str>) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut warn = |rule, line, message| found.push(Warning { rule, line, message });
    match kind {
        Kind::Context | Kind::TeamContext | Kind::Session => sheet(kind, text, today, &mut warn),
        _ if kind.is_log() => {
            let log = Log::parse(kind, text);
            for item in log.entries() {
                entry(kind, &log, &item, &mut warn);
            }
        }
        _ => {}
    }
    duplicates(text, &mut warn);
    for line in Lines::new(text).filter(|line| is_mark(line.text(), MARK)) {
        warn("conflict", line.number, "Two versions of this section were kept; choose one and remove the marks.");
    }
    if closing(text).is_some() {
        // The last line outside is the one before the opening line.
        let line = Lines::new(text).filter(|line| !line.code).map(|line| line.number + 1).last().unwrap_or(1);
        warn("unclosed", line, "A code block or comment is never closed; everything below it is hidden.");
    }
    let line = |at: usize| found.get(at).map(|warning| warning.line);
    let order = sorted(found.len(), &|one, other| line(one).cmp(&line(other)));
    order.into_iter().filter_map(|at| found.get(at).cloned()).collect()
}

type Warn<'a> = dyn FnMut(&'static str, usize, &'static str) + 'a;

const BAD_DATE: &str = "There is no such day; write a date that exists, such as 2025-12-31.";

fn sheet(kind: Kind, text: &str, today: Option<&str>, warn: &mut Warn<'_>) {
    let sheet = Sheet::parse(kind, text);
    if let Some((line, _, value)) = sheet.dated() {
        let date = date_in(value).map(|(_, date)| date);
        let day = |date: &str| Timestamp::parse("date", date).ok().map(|day| day.millis() / 86_400_000);
        match (date.and_then(day), today.and_then(day)) {
            (None, _) => warn("bad-date", line, BAD_DATE),
            (Some(date), Some(today)) if kind != Kind::Session && today - date > OUTDATED_DAYS => {
                warn("outdated", line, "This was last updated more than 30 days ago; look whether it still holds.");
            }
            _ => {}
        }
    }
    if kind == Kind::Session {
        return;
    }
    for line in Lines::new(text).filter(|line| !line.code) {
        let said = line.text().trim_start();
        let listed = said.starts_with(['-', '*', '+', '|']) || said.starts_with(|c: char| c.is_ascii_digit());
        if line.heading().map_or(listed && is_vague(said), |(_, title)| is_vague_heading(title)) {
            warn("vague", line.number, "This is vague; say what is to be done, so that someone else could do it.");
        }
    }
}

fn entry(kind: Kind, log: &Log, entry: &Entry, warn: &mut Warn<'_>) {
    if kind != Kind::Blockers {
        match dating(&entry.heading).date {
            None => warn("undated", entry.line, "This entry has no date; begin its heading with one, as 2025-12-31:."),
            Some(date) if checked_date("date", date).is_err() => warn("bad-date", entry.line, BAD_DATE),
            Some(_) => {}
        }
    }
    match kind {
        Kind::Decisions | Kind::TeamDecisions => {
            let context = entry.get(Field::Context).filter(|text| text.len() < 80).unwrap_or("");
            if any(&plain_words(&entry.title), TRIVIAL) || any(&plain_words(context), TRIVIAL) {
                let message = "This looks trivial; keep the log for decisions that affect later work.";
                warn("trivial-decision", entry.line, message);
            }
        }
        Kind::Learnings if !Lines::new(log.entry_text(entry)).any(|line| line.code) => {
            warn("no-code", entry.line, "This pattern has no code; an example in a fenced block makes it usable.");
        }
        Kind::Handoffs => {
            let required = [Field::Task, Field::ContextProvided, Field::Deliverable];
            let lacks = |field: &Field| entry.get(*field).is_none_or(|text| text.trim().is_empty());
            if entry.route().is_none() || entry.time.is_none() || required.iter().any(lacks) {
                let message =
                    "A handoff needs its time, who gives it to whom, a task, its context and what is expected.";
                warn("missing-field", entry.line, message);
            }
        }
        _ => {}
    }
}

/// Warns of each heading that repeats an earlier one of its level, where headings identify sections.
fn duplicates(text: &str, warn: &mut Warn<'_>) {
    let document = Document::to_depth(text, 2);
    let key = |at: usize| {
        let level = document.sections().get(at).map_or(0, |section| section.level);
        (level, plain_words(document.title(at)))
    };
    let keys: Vec<(usize, String)> = (0..document.sections().len()).map(key).collect();
    let order = sorted(keys.len(), &|one, other| keys.get(one).cmp(&keys.get(other)));
    for pair in order.windows(2) {
        let [one, next] = pair else { continue };
        let line = document.sections().get(*next).map_or(0, |section| section.line);
        if keys.get(*one) == keys.get(*next) {
            warn("duplicate-heading", line, "An earlier section has the same heading; only that one is read by name.");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(kind: Kind, text: &str) -> String {
        let found = lint(kind, text, Some("2026-01-15"));
        found.iter().map(|warning| format!("{}@{}", warning.rule, warning.line)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a38_vague_and_outdated_lines_of_a_context() {
        let text = "# C\n\n> Last updated: 2025-11-01\n\n## Active Focus\n- [ ] Fix auth token expiration bug\n\
            ## Things\n- Working on stuff\n- Maybe do auth later\n- Sửa mấy thứ linh tinh\n- Để tính sau\n\
            ```\n- stuff\n```\n";
        assert_eq!(rules(Kind::Context, text), "outdated@3 vague@7 vague@8 vague@9 vague@10 vague@11");
        assert_eq!(rules(Kind::Context, "# C\n> Last updated: 2025-13-45\n"), "bad-date@2");
        assert_eq!(rules(Kind::Session, "# Session: 2025-02-30\n- stuff\n"), "bad-date@1");
    }

    #[test]
    fn a39_a41_decisions_that_are_trivial_or_undated() {
        let text = "# L\n## 2025-12-31: Use tabs instead of spaces\n## 2025-12-31: Thụt lề bằng tab\n## Undated\n\
            ## 2025-13-45: X\n## 2025-12-31: Use Redis\nContext: Formatting decision...\n## 2025-12-31: Use SQL\n";
        let expected = "trivial-decision@2 trivial-decision@3 undated@4 bad-date@5 trivial-decision@6";
        assert_eq!(rules(Kind::Decisions, text), expected);
    }

    #[test]
    fn a40_learnings_without_code() {
        let text = "## 2025-12-31: A\n```\nx\n```\n---\n## 2025-12-31: B\nonly words\n## Pattern: C\n~~~\nopen";
        assert_eq!(rules(Kind::Learnings, text), "no-code@6 undated@8 unclosed@9");
    }

    #[test]
    fn a44_handoffs_without_what_they_need() {
        let whole = "## 2025-12-31 10:30: A → B\n**Task**: t\n**Context Provided**: c\n**Expected Deliverable**: d\n";
        assert_eq!(rules(Kind::Handoffs, whole), "");
        assert_eq!(rules(Kind::Handoffs, "## 2025-12-31: A → B\n**Task**: t\n"), "missing-field@1");
    }

    #[test]
    fn headings_that_come_twice_and_marks_of_conflicts() {
        let text = "# A\n## Notes\n## notes\n### x\n### x\n<<<<<<< memory\n";
        assert_eq!(rules(Kind::Other, text), "duplicate-heading@3 conflict@6");
        assert_eq!(rules(Kind::Other, ""), "");
    }
}
