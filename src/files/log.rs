//! Files of entries, one heading each: decisions, learnings, handoffs, blockers. New ones are appended.

use super::code::unfenced;
use super::document::{Document, closed};
use super::lines::{Lines, line_end, with_ends};
use super::list::{slot, with_block};
use super::names::{Field, Kind, same};
use super::sheet::skeleton;
use super::values::{Status, checked_date, dating, protected, unprotected};
use std::ops::Range;

/// A field of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldText {
    /// The known field of its label, if there is one.
    pub field: Option<Field>,
    /// The label as written.
    pub label: String,
    /// The line of the label, counted from 1.
    pub line: usize,
    /// The text, without the blank lines around it.
    pub text: String,
    /// The range after the colon to the end of the text, in the body of the entry.
    value: Range<usize>,
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its section in the document.
    pub section: usize,
    /// The line of its heading, counted from 1.
    pub line: usize,
    /// The heading as written.
    pub heading: String,
    /// Its date, if the heading has a valid one.
    pub date: Option<String>,
    /// Its time, if the heading has one.
    pub time: Option<String>,
    /// The heading without the date.
    pub title: String,
    /// The fields, in the order of the text.
    pub fields: Vec<FieldText>,
}

impl Entry {
    /// The text of the first field of this name.
    pub fn get(&self, field: Field) -> Option<&str> {
        self.fields.iter().find(|known| known.field == Some(field)).map(|known| known.text.as_str())
    }

    /// The known fields by their programmatic names, each once. Code is without its fence, beside its `language`: the
    /// same form as the input.
    pub fn said(&self) -> Vec<(&'static str, String)> {
        let mut said: Vec<(&str, String)> = Vec::new();
        for (field, text) in self.fields.iter().filter_map(|known| Some((known.field?, &known.text))) {
            if said.iter().any(|(name, _)| *name == field.name()) {
                continue;
            }
            let (language, text) = if field == Field::Code { unfenced(text) } else { (String::new(), text.clone()) };
            said.extend((!language.is_empty()).then_some(("language", language)));
            said.push((field.name(), text));
        }
        said
    }

    /// The status of a handoff or a blocker, if it has one.
    pub fn status(&self) -> Option<Status> {
        if self.heading.contains("[RESOLVED]") {
            return Some(Status::Complete);
        }
        Status::read(self.get(Field::Status)?)
    }

    /// Whether it is a handoff to this agent.
    pub fn is_for(&self, agent: &str) -> bool {
        self.route().is_some_and(|(_, to)| same(to, name_of(agent)))
    }

    /// The sender and the receiver of a handoff. A remark in brackets after a name is ignored.
    pub fn route(&self) -> Option<(&str, &str)> {
        let (from, to) = self.title.split_once('→').or_else(|| self.title.split_once("->"))?;
        Some((name_of(from), name_of(to)))
    }
}

/// A name without a remark in brackets after it.
pub(super) fn name_of(text: &str) -> &str {
    text.split_once(" (").map_or(text, |(name, _)| name).trim()
}

/// A file that is a list of entries.
#[derive(Clone, Debug)]
pub struct Log {
    kind: Kind,
    document: Document,
}

impl Log {
    /// Parses any text. An empty one becomes the documented skeleton with the first entry.
    pub fn parse(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, document: Document::to_depth(text, 2) }
    }

    /// The text with the edits so far.
    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// The text with the edits so far.
    pub fn into_text(self) -> String {
        self.document.into_text()
    }

    /// Every section of the second level, in the order of the file.
    pub fn entries(&self) -> Vec<Entry> {
        let sections = self.document.sections().iter().enumerate();
        sections.filter(|(_, section)| section.level == 2).map(|(at, _)| self.entry(at)).collect()
    }

    fn entry(&self, at: usize) -> Entry {
        let heading = self.document.title(at);
        let dating = dating(heading);
        Entry {
            section: at,
            line: self.document.sections().get(at).map_or(0, |section| section.line),
            heading: heading.to_owned(),
            date: dating.date.and_then(|date| checked_date("date", date).ok()),
            time: dating.time.map(str::to_owned),
            title: dating.title.to_owned(),
            fields: fields(self.document.body(at), self.document.body_line(at)),
        }
    }

    /// The text of an entry, without the rule that ends it.
    pub fn entry_text(&self, entry: &Entry) -> &str {
        let text = self.document.section(entry.section);
        text.get(..slot(text)).unwrap_or("").trim_end()
    }

    /// Appends an entry: the text so far, a line end, and the entry.
    pub fn append(&mut self, entry: &str) {
        let text = self.text();
        let whole = if text.trim_start_matches('\u{feff}').trim().is_empty() {
            let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
            mark.to_owned() + &skeleton(self.kind, None)
        } else {
            text.to_owned()
        };
        let end = line_end(&whole);
        // An open fence or comment at the end would hide the new entry, so it is closed first.
        let open = super::lines::closing(&whole).is_some();
        let whole = if open { closed(whole, end) } else { whole };
        self.document = Document::to_depth(whole + end + &with_ends(entry, end), 2);
    }

    /// Sets a field of an entry: replaces its text, or adds it after the other fields. `at` is the index in `entries`.
    /// Returns whether the entry exists.
    pub fn set_field(&mut self, at: usize, field: Field, text: &str) -> bool {
        let Some(entry) = self.entries().into_iter().nth(at) else { return false };
        let end = line_end(self.text());
        let body = self.document.body(entry.section);
        let written = with_ends(&value(field, text), end);
        let old = entry.fields.iter().find(|known| known.field == Some(field));
        let body = match old {
            Some(old) => {
                let mut body = body.to_owned();
                body.replace_range(old.value.clone(), &written);
                body
            }
            None => with_block(body, &format!("**{}**:{written}\n", field.label()), end),
        };
        self.document.set_body(entry.section, &body);
        true
    }

    /// Sets the status of a handoff or a blocker.
    pub fn set_status(&mut self, at: usize, status: Status) -> bool {
        self.set_field(at, Field::Status, status.as_str())
    }

    /// Removes an entry. Returns whether it existed.
    pub fn remove(&mut self, at: usize) -> bool {
        let Some(entry) = self.entries().into_iter().nth(at) else { return false };
        self.document.remove(entry.section);
        true
    }
}

/// The label of a line like `**Label**: text` or `**Label:** text`, and the text after it.
pub(super) fn label(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.trim_start().strip_prefix("**")?.split_once("**")?;
    let (name, rest) = match name.strip_suffix(':') {
        Some(name) => (name, rest),
        None => (name, rest.trim_start().strip_prefix(':')?),
    };
    (!name.trim().is_empty()).then(|| (name.trim(), rest))
}

/// The known label of a line like `Context: text`.
fn plain_label(text: &str) -> Option<(&str, &str)> {
    text.split_once(':').filter(|(name, _)| Field::named(name).is_some())
}

/// The fields of an entry's body. Plain labels count until the first bold label: entries written here begin with a bold
/// one.
pub(super) fn fields(body: &str, line: usize) -> Vec<FieldText> {
    let mut found: Vec<FieldText> = Vec::new();
    let mut bold = false;
    for line in Lines::from(body, line) {
        if line.is_rule() {
            break;
        }
        let text = line.text();
        let starred = label(text).filter(|_| !line.code);
        let labelled = starred.or_else(|| plain_label(text).filter(|_| !line.code && !bold));
        bold |= starred.is_some();
        // The end of the last line that is not blank.
        let end = line.start + line.raw.trim_end().len();
        if let Some((label, rest)) = labelled {
            let start = line.start + line.raw.trim_end_matches(['\n', '\r']).len() - rest.len();
            let field = Field::named(label);
            let value = start..end.max(start);
            found.push(FieldText { field, label: label.to_owned(), line: line.number, text: String::new(), value });
        } else if let Some(last) = found.last_mut().filter(|_| line.code || !line.is_blank()) {
            last.value.end = end.max(last.value.end);
        }
    }
    for field in &mut found {
        let said = body.get(field.value.clone()).unwrap_or("");
        field.text = unprotected(said.trim_matches(['\n', '\r']).trim_end(), true).trim_start().to_owned();
    }
    found
}

/// The text after the colon of a label: short facts on the same line, the rest below it.
fn value(field: Field, text: &str) -> String {
    let text = protected(text, true);
    let short = matches!(
        field,
        Field::Reversible
            | Field::Task
            | Field::Priority
            | Field::Status
            | Field::IdentifiedBy
            | Field::IdentifiedAt
            | Field::Blocking
            | Field::Owner
            | Field::ResolvedBy
            | Field::Resolution
    );
    let begins = text.trim_start();
    if short && !text.contains('\n') { format!(" {begins}") } else { format!("\n{text}") }
}

/// An entry as text: its heading, the non-empty fields, and a rule. Short facts are grouped.
pub(super) fn written(heading: &str, fields: &[(Field, &str)]) -> String {
    let mut out = format!("## {heading}\n");
    let mut facts = false;
    for (field, text) in fields.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let follows = matches!(field, Field::IdentifiedAt | Field::Blocking | Field::Status);
        if !facts || !follows {
            out.push('\n');
        }
        out.push_str(&format!("**{}**:{}\n", field.label(), value(*field, text)));
        facts = matches!(field, Field::IdentifiedBy | Field::IdentifiedAt | Field::Blocking | Field::Owner);
    }
    out + "\n---\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Log\n\n## 2025-12-31 10:30: Ann → Bob (planned)\n\n**Task | Nhiệm vụ**: Look\n\n\
        **Who:** me\n\n**Context Provided**:\n- a\n\n```\n**Task**: no\n---\n```\n\n**Status**: ⏳ Pending\n\n---\n\n\
        ## 2025-13-45: Bad\nContext: one\ntwo\n\n## Undated\n";

    #[test]
    fn a16_a17_a44_entries_are_read_with_their_lines() {
        let log = Log::parse(Kind::Handoffs, TEXT);
        let entries = log.entries();
        let heads: Vec<_> = entries.iter().map(|entry| (entry.line, entry.date.as_deref(), &*entry.title)).collect();
        assert_eq!(heads, [(3, Some("2025-12-31"), "Ann → Bob (planned)"), (21, None, "Bad"), (25, None, "Undated")]);
        let first = &entries[0];
        assert_eq!((first.time.as_deref(), first.route()), (Some("10:30"), Some(("Ann", "Bob"))));
        assert_eq!((first.get(Field::Task), first.status()), (Some("Look"), Some(Status::Pending)));
        assert_eq!(first.get(Field::ContextProvided), Some("- a\n\n```\n**Task**: no\n---\n```"));
        assert_eq!((first.fields[1].label.as_str(), first.fields[1].text.as_str()), ("Who", "me"));
        assert_eq!((first.fields[3].line, first.fields.len()), (17, 4));
        assert_eq!(entries[1].get(Field::Context), Some("one\ntwo"));
        assert!(log.entry_text(first).ends_with("Pending"));
    }

    #[test]
    fn a44_a_status_changes_and_nothing_else() {
        let mut log = Log::parse(Kind::Handoffs, TEXT);
        assert!(log.set_status(0, Status::Complete));
        assert_eq!(log.text(), TEXT.replace("⏳ Pending", "✅ Complete"));
        assert!(log.set_status(2, Status::Blocked));
        assert!(log.text().ends_with("## Undated\n\n**Status | Trạng thái**: ❌ Blocked\n"));
        assert!(!log.set_status(3, Status::Blocked));
        assert!(log.remove(2) && !log.remove(2));
        assert_eq!(log.into_text(), TEXT.replace("⏳ Pending", "✅ Complete").replace("## Undated\n", ""));
    }

    #[test]
    fn a36_an_entry_is_appended_behind_whatever_is_there() {
        let new = "## 2025-12-31: New\n\n---\n";
        let after = |text: &str| {
            let mut log = Log::parse(Kind::Decisions, text);
            log.append(new);
            assert_eq!(log.entries().last().unwrap().title, "New", "{text}");
            log.into_text()
        };
        for text in ["# Log\n", "no end", "\r", "# A\n## B\n---\n"] {
            let expected = if text == "\r" { after("") } else { format!("{text}\n{new}") };
            assert_eq!(after(text), expected);
        }
        assert_eq!(after(""), format!("# Key Decisions Log | Nhật ký quyết định quan trọng\n\n---\n\n{new}"));
        assert_eq!(after("a\r\nb"), format!("a\r\nb\r\n{}", new.replace('\n', "\r\n")));
        assert_eq!(after("```\nopen"), format!("```\nopen\n```\n\n{new}"));
        assert!(after("\u{feff}").starts_with("\u{feff}# Key"));
    }

    #[test]
    fn a_field_cannot_break_out_of_its_entry() {
        for text in [
            "## no heading\n---\n**Task**: no label",
            "```\n## open",
            "<!-- open\n## x",
            "\\## slash\n\\\\---",
            "   # indented\n- a\n\n  ***",
        ] {
            let mut log = Log::parse(Kind::Decisions, "");
            log.append(&written("2025-12-31: T", &[(Field::Context, text), (Field::Reason, "because")]));
            log.append(&written("2025-12-31: U", &[(Field::Context, "next")]));
            let entries = log.entries();
            assert_eq!(entries.len(), 2, "{text}");
            assert_eq!((entries[0].fields.len(), entries[0].get(Field::Reason)), (2, Some("because")), "{text}");
            let back = entries[0].get(Field::Context).unwrap();
            let closed = if text.starts_with("```") { "\n```" } else { "" };
            assert_eq!(back, format!("{text}{closed}").trim());
        }
    }
}
