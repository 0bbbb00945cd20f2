//! The blocks of a Markdown text: headings, code, and divisible text. Plain text is paragraphs.

use std::ops::Range;

/// The kind of a block.
pub(super) enum Kind<'a> {
    /// A heading: its level from 1 to 6, and its title.
    Heading(usize, &'a str),
    /// A fenced block of code, to its closing fence or the end of the text.
    Code,
    /// A paragraph, a list item, a table: may be cut between sentences.
    Text,
}

/// A block and its range in bytes.
pub(super) struct Block<'a> {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind<'a>,
}

/// The blocks of a text in order, each with the blank lines after it. Joined they are the text.
pub(super) struct Blocks<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The line that begins at `at`, with its end.
    fn line(&self, at: usize) -> Option<&'a str> {
        self.text.get(at..)?.split_inclusive('\n').next()
    }

    /// The heading level that the line at `end` gives to the line before it, and its length.
    fn underlined(&self, line: &str, end: usize) -> Option<(usize, usize)> {
        let under = self.line(end).filter(|_| !is_item(line))?;
        Some((underline(under)?, under.len()))
    }

    /// The end of the lines from `at` on that satisfy `wanted`.
    fn past(&self, mut at: usize, wanted: impl Fn(&str) -> bool) -> usize {
        while let Some(line) = self.line(at).filter(|line| wanted(line)) {
            at += line.len();
        }
        at
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        let start = self.at;
        let first = self.past(start, |line| line.trim().is_empty());
        let Some(line) = self.line(first) else {
            self.at = self.text.len();
            return (start < self.at).then_some(Block { range: start..self.at, kind: Kind::Text });
        };
        let mut end = first + line.len();
        let kind = if let Some((level, title)) = heading(line) {
            Kind::Heading(level, title)
        } else if let Some(fence) = fence(line) {
            end = self.past(end, |line| !closes(line, fence));
            end += self.line(end).map_or(0, str::len);
            Kind::Code
        } else if let Some((level, under)) = self.underlined(line, end) {
            end += under;
            Kind::Heading(level, line.trim())
        } else {
            let inside = |line: &str| !line.trim().is_empty() && heading(line).is_none() && fence(line).is_none();
            end = self.past(end, |line| inside(line) && !is_item(line));
            Kind::Text
        };
        self.at = self.past(end, |line| line.trim().is_empty());
        Some(Block { range: start..self.at, kind })
    }
}

/// The level and the title of a heading like `## Title ##`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
    ((1..=6).contains(&level) && spaced).then(|| (level, rest.trim_end_matches('#').trim()))
}

/// The heading level that a line of `===` or `---` gives to the line above it.
fn underline(line: &str) -> Option<usize> {
    let line = line.trim_end();
    let all = |sign: char| line.len() >= 3 && line.chars().all(|c| c == sign);
    if all('=') { Some(1) } else { all('-').then_some(2) }
}

/// The character and the length of a fence that opens a code block.
fn fence(line: &str) -> Option<(char, usize)> {
    let line = line.trim();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let length = line.len() - info.len();
    (length >= 3 && !(sign == '`' && info.contains('`'))).then_some((sign, length))
}

/// Whether `line` closes a block with such a fence: the same character, as long or longer, and nothing else.
fn closes(line: &str, (sign, length): (char, usize)) -> bool {
    let line = line.trim();
    line.len() >= length && line.chars().all(|c| c == sign)
}

/// Whether a list item begins here: `- `, `* `, `+ `, `• `, `1. `, `1) `.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let mark = if number.len() < line.len() {
        number.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+', '•'])
    };
    mark.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        let name = |block: Block<'_>| match block.kind {
            Kind::Heading(level, title) => format!("h{level}:{title}"),
            Kind::Code => "code".to_owned(),
            Kind::Text => "text".to_owned(),
        };
        Blocks::new(text).map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn blocks_are_told_apart() {
        assert_eq!(kinds("# A\n\ntext\nmore\n\n## B ##\n- one\n- two\n  still\n"), "h1:A text h2:B text text");
        assert_eq!(kinds("Title\n=====\nPart\n---\nx\n\n---\n\ny"), "h1:Title h2:Part text text text");
        assert_eq!(kinds("#tag is no heading\n####### nor this"), "text");
        assert_eq!(kinds("- item\n---\n"), "text");
        assert_eq!(kinds("\n \n"), "text");
        assert_eq!(kinds(""), "");
    }

    #[test]
    fn a23_nothing_inside_a_fence_is_structure() {
        assert_eq!(kinds("```md\n# no\n\n---\n```\nafter"), "code text");
        assert_eq!(kinds("````\n```\n# no\n```\n````\n# yes"), "code h1:yes");
        assert_eq!(kinds("~~~\n```\n# no\n~~~\nx"), "code text");
        assert_eq!(kinds("```\n# never closed\n\ntext"), "code");
        assert_eq!(kinds("``` not a fence ```\n# yes"), "text h1:yes");
    }
}
