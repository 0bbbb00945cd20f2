//! A Markdown file as sections with exact byte ranges: everything that is not edited keeps every byte.

use super::lines::{Lines, closing, heading, line_end};
use std::ops::Range;

/// A heading and the text below it, up to the next heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The level, 1 to 6; 0 for the text before the first heading.
    pub level: usize,
    /// The line of the heading, counted from 1.
    pub line: usize,
    /// The byte range from the heading to the next heading.
    pub range: Range<usize>,
    /// The start of the line after the heading.
    pub body: usize,
}

/// A text and its sections. The first section is the text before any heading, and may be empty.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    depth: usize,
    sections: Vec<Section>,
}

impl Document {
    /// Parses any text, at headings of every level.
    pub fn parse(text: impl Into<String>) -> Self {
        Self::to_depth(text, 6)
    }

    /// Parses a text at headings of levels 1 to `depth`; deeper ones belong to their section.
    pub fn to_depth(text: impl Into<String>, depth: usize) -> Self {
        let text = text.into();
        let mut sections = vec![Section { level: 0, line: 1, range: 0..0, body: 0 }];
        for line in Lines::new(&text) {
            let level = line.heading().map_or(0, |(level, _)| level);
            if (1..=depth).contains(&level) {
                // A byte order mark belongs to no heading.
                let mark = if line.start == 0 && line.raw.starts_with('\u{feff}') { 3 } else { 0 };
                sections.push(Section {
                    level,
                    line: line.number,
                    range: line.start + mark..line.end(),
                    body: line.end(),
                });
            }
        }
        let mut end = text.len();
        for section in sections.iter_mut().rev() {
            section.range.end = end;
            end = section.range.start;
        }
        Self { text, depth, sections }
    }

    /// The text with the edits so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text with the edits so far.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The sections, in the order of the text.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or("")
    }

    /// The text of a section with its heading.
    pub fn section(&self, at: usize) -> &str {
        self.sections.get(at).map_or("", |section| self.slice(section.range.clone()))
    }

    /// The title of a heading, without `#`.
    pub fn title(&self, at: usize) -> &str {
        let line = self.section(at).lines().next().and_then(heading);
        line.filter(|_| at > 0).map_or("", |(_, title)| title)
    }

    /// The text below a heading.
    pub fn body(&self, at: usize) -> &str {
        self.sections.get(at).map_or("", |section| self.slice(section.body..section.range.end))
    }

    /// The first line of a body.
    pub(super) fn body_line(&self, at: usize) -> usize {
        self.sections.get(at).map_or(1, |section| section.line + usize::from(at > 0))
    }

    /// Replaces these bytes by `new`, and parses the text again.
    pub(super) fn splice(&mut self, range: Range<usize>, new: &str) {
        if self.text.get(range.clone()).is_some() {
            self.text.replace_range(range, new);
            *self = Self::to_depth(std::mem::take(&mut self.text), self.depth);
        }
    }

    /// Replaces the text below a heading. A line end is added where the text would join its neighbours, and open fences
    /// and comments are closed, so that no other section is affected.
    pub fn set_body(&mut self, at: usize, body: &str) {
        let Some(section) = self.sections.get(at).cloned() else { return };
        let end = line_end(&self.text);
        let mut new = String::new();
        if at > 0 && !self.slice(0..section.body).ends_with('\n') && !body.is_empty() {
            new.push_str(end);
        }
        new.push_str(body);
        if at + 1 < self.sections.len() {
            new = closed(new, end);
        }
        self.splice(section.body..section.range.end, &new);
    }

    /// Removes a section with its heading.
    pub fn remove(&mut self, at: usize) {
        if let Some(section) = self.sections.get(at) {
            self.splice(section.range.clone(), "");
        }
    }

    /// Inserts text before a section, or at the end.
    pub(super) fn insert(&mut self, at: usize, new: &str) {
        let place = self.sections.get(at).map_or(self.text.len(), |section| section.range.start);
        self.splice(place..place, new);
    }
}

/// `text` so that more can follow it: with open fences closed and the last line ended. An empty text stays empty.
pub(super) fn closed(mut text: String, end: &str) -> String {
    let open = closing(&text);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    if let Some(sign) = open {
        text.push_str(&sign);
        text.push_str(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> String {
        let document = Document::parse(text);
        let places: Vec<usize> = (0..document.sections().len()).collect();
        assert_eq!(places.iter().map(|at| document.section(*at)).collect::<String>(), text);
        let name = |at: &usize| {
            let section = &document.sections()[*at];
            format!("{}{}@{}", section.level, document.title(*at), section.line)
        };
        places.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a6_sections_joined_are_the_text() {
        assert_eq!(outline(""), "0@1");
        assert_eq!(outline("x\n# A\n\n## B\r\ny"), "0@1 1A@2 2B@4");
        assert_eq!(outline("\u{feff}# A\n"), "0@1 1A@1");
        assert_eq!(outline("# A\n```\n# no\n"), "0@1 1A@1");
        assert_eq!(outline("A\n=\n# Đang tập trung 👩‍🚀"), "0@1 1Đang tập trung 👩‍🚀@3");
        assert_eq!(outline("\u{feff}\u{feff}# A"), "0@1");
    }

    #[test]
    fn an_edit_leaves_every_other_byte() {
        let text = "p\n# A\na\r\n## B\nb\n# C\n~~~\nc";
        let mut document = Document::parse(text);
        document.set_body(2, "new");
        assert_eq!(document.text(), "p\n# A\na\r\n## B\nnew\n# C\n~~~\nc");
        document.set_body(2, "```\nopen");
        assert_eq!(document.text(), "p\n# A\na\r\n## B\n```\nopen\n```\n# C\n~~~\nc");
        document.remove(2);
        document.set_body(9, "nothing");
        assert_eq!(document.into_text(), "p\n# A\na\r\n# C\n~~~\nc");
    }

    #[test]
    fn a_heading_without_a_line_end_gets_one() {
        let mut document = Document::parse("# A");
        document.set_body(1, "a");
        assert_eq!(document.text(), "# A\na");
        let mut document = Document::parse("");
        document.set_body(0, "a");
        assert_eq!(document.text(), "a");
    }

    #[test]
    fn deeper_headings_belong_to_their_section() {
        let document = Document::to_depth("# A\n## B\n### C\nx\n", 2);
        assert_eq!((document.sections().len(), document.body(2)), (3, "### C\nx\n"));
    }
}
