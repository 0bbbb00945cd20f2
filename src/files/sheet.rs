//! Files of known sections, above all `context.md`: read by part, and edited one part at a time.

use super::document::{Document, closed};
use super::lines::{Lines, line_end, with_ends};
use super::list::{self, Item, slot};
use super::names::{Kind, Part, Style, named};
use super::table::{self, Row};
use super::values::{checked_date, date_in, protected, unprotected};
use crate::model::Invalid;

/// The labels of the date in a context, in both languages.
const UPDATED: &str = "Last updated | Cập nhật lần cuối | Cập nhật";

/// A file of sections with known names.
#[derive(Clone, Debug)]
pub struct Sheet {
    kind: Kind,
    document: Document,
}

impl Sheet {
    /// Parses any text. An empty one becomes the documented skeleton with the first edit.
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

    /// The index of the section with this name, in either language or both.
    pub fn find(&self, name: &str) -> Option<usize> {
        let names = self.kind.parts().iter().map(|part| part.heading()).find(|names| named(name, names));
        (1..self.document.sections().len()).find(|at| named(self.document.title(*at), names.unwrap_or(name)))
    }

    /// The text below a part's heading, and its first line.
    fn body(&self, part: Part) -> (&str, usize) {
        let at = self.find(part.heading());
        at.map_or(("", 1), |at| (self.document.body(at), self.document.body_line(at)))
    }

    /// The items of a part; empty if there is no such section.
    pub fn items(&self, part: Part) -> Vec<Item> {
        let (body, line) = self.body(part);
        list::items(body, line).into_iter().map(|(item, _)| item).collect()
    }

    /// The rows of a part's table.
    pub fn rows(&self, part: Part) -> Vec<Row> {
        let (body, line) = self.body(part);
        table::rows(body, line)
    }

    /// The text of a part, without the blank lines around it and the rule below it.
    pub fn prose(&self, part: Part) -> String {
        let body = self.body(part).0;
        unprotected(body.get(..slot(body)).unwrap_or("").trim(), false)
    }

    /// The line, the position and the text of each date of the file: after `Last updated:` in the quote at the top, or
    /// after `# Session:`. A file in two languages may have two.
    fn dates(&self) -> Vec<(usize, usize, &str)> {
        let names = if self.kind == Kind::Session { "Session | Phiên" } else { UPDATED };
        let lines = Lines::new(self.text()).take_while(|line| line.heading().is_none_or(|(level, _)| level != 2));
        let dated = lines.filter_map(|line| {
            let said = line.text().trim_start_matches(['>', '#', ' ', '*']);
            let (name, value) = said.split_once(':')?;
            let value = value.trim_start_matches([' ', '*']);
            let place = line.start + line.raw.trim_end_matches(['\n', '\r']).len() - value.len();
            let known = named(name.trim_end_matches('*'), names) && !line.code;
            known.then_some((line.number, place, value))
        });
        dated.collect()
    }

    /// The first date.
    pub(super) fn dated(&self) -> Option<(usize, usize, &str)> {
        self.dates().into_iter().next()
    }

    /// Whether the file has a line for its last update, even an invalid one.
    pub fn is_dated(&self) -> bool {
        self.dated().is_some()
    }

    /// The date of the last update, and its line; `None` if it is not a date.
    pub fn updated(&self) -> Option<(usize, String)> {
        let (line, _, value) = self.dated()?;
        let (_, date) = date_in(value)?;
        checked_date("updated", date).ok().map(|date| (line, date))
    }

    /// Sets the date of the last update: replaces the old one, or adds it below the title.
    pub fn set_updated(&mut self, date: &str) -> Result<(), Invalid> {
        let date = checked_date("updated", date)?;
        self.begin(Some(&date));
        let places = self.dates().into_iter().map(|(_, place, value)| {
            let (at, old) = date_in(value).unwrap_or((0, value));
            place + at..place + at + old.len()
        });
        let places: Vec<_> = places.collect();
        for range in places.iter().rev() {
            // "Last updated:" without a date.
            let space = if self.text().get(..range.start).is_some_and(|text| text.ends_with(':')) { " " } else { "" };
            self.document.splice(range.clone(), &format!("{space}{date}"));
        }
        if places.is_empty() {
            let title = self.document.sections().get(1).filter(|section| section.level == 1);
            let place = title.map_or(mark(self.text()), |title| title.body);
            let ended = self.text().get(..place).is_some_and(|text| text.ends_with('\n'));
            let line = match title {
                Some(_) => format!("{}\n> Last updated: {date}\n", if ended { "" } else { "\n" }),
                None => format!("> Last updated: {date}\n\n"),
            };
            let line = with_ends(&line, line_end(self.text()));
            self.document.splice(place..place, &line);
        }
        Ok(())
    }

    /// Gives an empty file its skeleton.
    fn begin(&mut self, date: Option<&str>) {
        let text = self.text();
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            let skeleton = skeleton(self.kind, date);
            let mark = text.get(..mark(text)).unwrap_or("").to_owned();
            self.document = Document::to_depth(mark + &skeleton, 2);
        }
    }

    /// The index of a part's section, which is created if missing: before the parts that come later.
    fn ensure(&mut self, part: Part) -> usize {
        self.begin(None);
        if let Some(at) = self.find(part.heading()) {
            return at;
        }
        let later = self.kind.parts().iter().skip_while(|known| **known != part).skip(1);
        let next = later.filter_map(|later| self.find(later.heading())).min();
        let section = format!("## {}\n", part.heading());
        if let Some(next) = next {
            let section = format!("{}{section}\n---\n\n", self.rule_before(next));
            let section = with_ends(&section, line_end(self.text()));
            self.document.insert(next, &section);
            return self.find(part.heading()).unwrap_or(next);
        }
        let end = line_end(self.text());
        let whole = closed(self.text().to_owned(), end);
        let last = Lines::new(&whole).filter(|line| !line.is_blank()).last();
        let rule = if whole.is_empty() || last.is_some_and(|line| line.is_rule()) { "" } else { "\n---\n" };
        let gap = if whole.is_empty() { "" } else { "\n" };
        let section = with_ends(&format!("{rule}{gap}{section}"), end);
        self.document = Document::to_depth(whole + &section, 2);
        self.document.sections().len() - 1
    }

    /// The rule to insert before a section at this place, if the previous one does not end with one.
    fn rule_before(&self, at: usize) -> &'static str {
        let before = at
            .checked_sub(1)
            .filter(|before| self.document.sections().get(*before).is_some_and(|section| section.level == 2));
        let body = before.map_or("", |before| self.document.section(before));
        let mut lines: Vec<_> = Lines::new(body).collect();
        let gap = if lines.last().is_none_or(|line| line.is_blank()) { "---\n\n" } else { "\n---\n\n" };
        while lines.pop_if(|line| line.is_blank()).is_some() {}
        if lines.last().is_none_or(|line| line.is_rule()) { "" } else { gap }
    }

    /// Replaces the body of a part's section by `change` of the old one.
    fn edit(&mut self, part: Part, change: &dyn Fn(&str, &str) -> Option<String>) -> bool {
        let at = self.ensure(part);
        let changed = change(self.document.body(at), line_end(self.text()));
        if let Some(body) = &changed {
            self.document.set_body(at, body);
        }
        changed.is_some()
    }

    /// Sets the items of a part. Unchanged ones keep their bytes.
    pub fn set_items(&mut self, part: Part, items: &[Item]) {
        self.edit(part, &|body, end| Some(list::set(body, part.style(), items, end)));
    }

    /// Adds an item after those of a part.
    pub fn add_item(&mut self, part: Part, item: &Item) {
        self.edit(part, &|body, end| Some(list::add(body, part.style(), item, end)));
    }

    /// Removes an item. Returns whether it existed.
    pub fn remove_item(&mut self, part: Part, text: &str) -> bool {
        self.find(part.heading()).is_some() && self.edit(part, &|body, _| list::remove(body, text))
    }

    /// Ticks or unticks an item. Returns whether it exists.
    pub fn tick(&mut self, part: Part, text: &str, done: bool) -> bool {
        self.find(part.heading()).is_some() && self.edit(part, &|body, _| list::tick(body, text, done))
    }

    /// Sets the rows of a part's table. Unchanged ones keep their bytes.
    pub fn set_rows(&mut self, part: Part, rows: &[Vec<String>]) {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row_of(part, row)).collect();
        self.edit(part, &|body, end| Some(table::set(body, columns(part), &rows, end)));
    }

    /// Sets a row: replaces the one with the same first cell, or adds it below the others.
    pub fn set_row(&mut self, part: Part, row: &[String]) {
        self.edit(part, &|body, end| Some(table::set_row(body, columns(part), &row_of(part, row), end)));
    }

    /// Removes the row with this first cell. Returns whether it existed.
    pub fn remove_row(&mut self, part: Part, key: &str) -> bool {
        self.find(part.heading()).is_some() && self.edit(part, &|body, _| table::remove_row(body, key))
    }

    /// Sets the text of a part. Lines in it that would be headings or rules are escaped.
    pub fn set_prose(&mut self, part: Part, text: &str) {
        let text = protected(text, false);
        self.edit(part, &|body, end| Some(with_said(body, &text, end)));
    }

    /// Replaces the text below the heading with this name, which need not be a known one. Nothing else changes; a rule
    /// at the end of the section stays. A missing documented section is created in its place; the place of any other is
    /// unknown. Returns whether the section exists now.
    pub fn set_section(&mut self, name: &str, text: &str) -> bool {
        let part = self.kind.parts().iter().copied().find(|part| part.is_called(name));
        let at = match (self.find(name), part) {
            (Some(at), _) => at,
            (None, Some(part)) => self.ensure(part),
            (None, None) => return false,
        };
        let body = with_said(self.document.body(at), &protected(text, false), line_end(self.text()));
        self.document.set_body(at, &body);
        true
    }
}

/// A body with other content, with the rule at its end if it had one.
fn with_said(body: &str, text: &str, end: &str) -> String {
    let tail = body.get(slot(body)..).unwrap_or("");
    if text.is_empty() { tail.to_owned() } else { with_ends(&format!("\n{text}\n"), end) + tail }
}

/// The size of the byte order mark of a file.
fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { 3 } else { 0 }
}

fn columns(part: Part) -> &'static [&'static str] {
    if let Style::Table(columns) = part.style() { columns } else { &["Name", "Notes"] }
}

/// A row in the format of a part: file names become code.
fn row_of(part: Part, row: &[String]) -> Vec<String> {
    let mut row = row.to_vec();
    let files = columns(part).first() == Some(&"File");
    if let Some(first) = row.first_mut().filter(|first| files && !first.contains('`') && !first.trim().is_empty()) {
        *first = format!("`{}`", first.trim());
    }
    row
}

/// A new file of this kind, with empty sections.
pub fn skeleton(kind: Kind, date: Option<&str>) -> String {
    let date = |before: &str, after: &str| date.map_or(String::new(), |date| format!("{before}{date}{after}"));
    let mut out = match kind {
        Kind::Context | Kind::TeamContext => kind.opening().to_owned() + &date("\n> Last updated: ", "\n"),
        Kind::Session => format!("# Session{}\n\n{}", date(": ", ""), kind.opening()),
        _ => kind.opening().to_owned(),
    };
    for part in kind.parts() {
        out.push_str(&format!("\n---\n\n## {}\n", part.heading()));
        if let Style::Table(columns) = part.style() {
            out.push('\n');
            out.push_str(&table::header(columns));
        }
    }
    if kind != Kind::Context && kind != Kind::Other {
        out.push_str("\n---\n");
    }
    out
}
