//! The lines of a Markdown text, and which of them are structure: fences and comments hide their contents.

/// One line of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its start, in bytes.
    pub(super) start: usize,
    /// The line with its line end.
    pub(super) raw: &'a str,
    /// Its number, counted from 1.
    pub(super) number: usize,
    /// Whether it is part of a fenced block or of a comment: never structure.
    pub(super) code: bool,
}

impl<'a> Line<'a> {
    /// The start of the next line.
    pub(super) fn end(&self) -> usize {
        self.start + self.raw.len()
    }

    /// The line without its line end, and without a byte order mark.
    pub(super) fn text(&self) -> &'a str {
        let text = self.raw.trim_end_matches(['\n', '\r']);
        text.strip_prefix('\u{feff}').filter(|_| self.start == 0).unwrap_or(text)
    }

    pub(super) fn is_blank(&self) -> bool {
        !self.code && self.text().trim().is_empty()
    }

    /// The level and the title, if this is a heading.
    pub(super) fn heading(&self) -> Option<(usize, &'a str)> {
        if self.code { None } else { heading(self.text()) }
    }

    pub(super) fn is_rule(&self) -> bool {
        !self.code && is_rule(self.text())
    }
}

/// An open fence or comment, which hides the lines until it is closed.
#[derive(Clone, Copy)]
enum Open {
    Fence(char, usize),
    Comment,
}

/// The lines of a text in order. Joined they are the text.
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    number: usize,
    open: Option<Open>,
    comments: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, number: 0, open: None, comments: true }
    }

    /// The lines of a text in which comments do not count.
    pub(super) fn fenced(text: &'a str) -> Self {
        Self { comments: false, ..Self::new(text) }
    }

    /// The lines of a part of a text that begins with line `number`. Parts begin outside fences.
    pub(super) fn from(text: &'a str, number: usize) -> Self {
        Self { number: number.saturating_sub(1), ..Self::new(text) }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let raw = self.text.get(self.at..)?.split_inclusive('\n').next()?;
        let mut line = Line { start: self.at, raw, number: self.number + 1, code: true };
        (self.at, self.number) = (line.end(), line.number);
        let text = line.text();
        match self.open {
            Some(Open::Fence(sign, length)) if closes(text, sign, length) => self.open = None,
            Some(Open::Comment) if text.contains("-->") => self.open = None,
            Some(_) => {}
            None => {
                self.open = opens(text).filter(|open| self.comments || !matches!(open, Open::Comment));
                line.code = self.open.is_some();
            }
        }
        Some(line)
    }
}

/// The fence or comment that a line opens. List items indent their fences, so any indentation is accepted.
fn opens(text: &str) -> Option<Open> {
    let text = text.trim();
    if opens_comment(text) {
        return Some(Open::Comment);
    }
    let sign = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(sign);
    let length = text.len() - info.len();
    (length >= 3 && !(sign == '`' && info.contains('`'))).then_some(Open::Fence(sign, length))
}

/// Whether a line opens a comment and does not close it.
pub(super) fn opens_comment(text: &str) -> bool {
    text.trim_start().strip_prefix("<!--").is_some_and(|rest| !rest.contains("-->"))
}

/// Whether a line closes such a fence: the same character, as long or longer, and nothing else.
fn closes(text: &str, sign: char, length: usize) -> bool {
    let text = text.trim();
    text.len() >= length && text.chars().all(|c| c == sign)
}

/// The line that closes the open fence or comment of `text`: without it, the following text would be hidden.
pub(super) fn closing(text: &str) -> Option<String> {
    let mut lines = Lines::new(text);
    lines.by_ref().for_each(drop);
    Some(match lines.open? {
        Open::Fence(sign, length) => std::iter::repeat_n(sign, length).collect(),
        Open::Comment => "-->".to_owned(),
    })
}

/// The info string and the content of a text that is exactly one fenced block.
pub(super) fn fenced_block(text: &str) -> Option<(&str, &str)> {
    let mut lines = Lines::fenced(text);
    let first = lines.next()?;
    let Some(Open::Fence(sign, _)) = lines.open else { return None };
    loop {
        let line = lines.next()?;
        if lines.open.is_none() {
            let inside = text.get(first.end()..line.start).filter(|_| line.end() == text.len())?;
            let inside = inside.strip_suffix('\n').unwrap_or(inside);
            return Some((
                first.text().trim().trim_start_matches(sign).trim(),
                inside.strip_suffix('\r').unwrap_or(inside),
            ));
        }
    }
}

/// The level and the title of `## Title` or `## Title ##`, indented by at most three spaces.
pub(super) fn heading(text: &str) -> Option<(usize, &str)> {
    let line = text.trim_start_matches(' ');
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
    if text.len() - line.len() > 3 || !(1..=6).contains(&level) || !spaced {
        return None;
    }
    let title = rest.trim();
    // Closing `#` are separated by a space: "C#" is a title.
    let open = title.trim_end_matches('#');
    let apart = open.is_empty() || open.ends_with([' ', '\t']);
    Some((level, if apart { open.trim_end() } else { title }))
}

/// Whether a line is a horizontal rule: `---`, `***` or `___`.
pub(super) fn is_rule(text: &str) -> bool {
    let text = text.trim();
    let all = |sign: char| text.len() >= 3 && text.chars().all(|c| c == sign);
    all('-') || all('*') || all('_')
}

/// The line end of a text: that of its first line.
pub(super) fn line_end(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next();
    if first.is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" }
}

/// `text`, which has `\n`, with other line ends.
pub(super) fn with_ends(text: &str, end: &str) -> String {
    if end == "\n" { text.to_owned() } else { text.replace("\r\n", "\n").replace('\n', end) }
}

/// A text on one line: content of a heading, a list or a table must not begin another line there.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        let part = part.trim();
        if !part.is_empty() && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `#` for headings, `-` for rules, `c` for hidden lines, `.` for the rest.
    fn kinds(text: &str) -> String {
        let kind = |line: Line<'_>| match line {
            line if line.code => 'c',
            line if line.heading().is_some() => '#',
            line if line.is_rule() => '-',
            _ => '.',
        };
        assert_eq!(Lines::new(text).map(|line| line.raw).collect::<String>(), text);
        Lines::new(text).map(kind).collect()
    }

    #[test]
    fn a23_nothing_inside_a_fence_is_structure() {
        assert_eq!(kinds("# a\n```md\n# no\n---\n```\n---\n"), "#cccc-");
        assert_eq!(kinds("````\n```\n# no\n````\n# yes"), "cccc#");
        assert_eq!(kinds("~~~ `x`\n```\n# no\n~~~\nx"), "cccc.");
        assert_eq!(kinds("```\r\n# no\r\n```\r\n# yes\r\n"), "ccc#");
        assert_eq!(kinds("```\n# never closed\n\n"), "ccc");
        assert_eq!(kinds("``` not a fence ```\n# yes"), ".#");
        assert_eq!(kinds("- item\n      ```sh\n# no\n      ```\n# yes"), ".ccc#");
        assert_eq!(kinds("<!--\n## no\n-->\n<!-- x -->\n## yes"), "ccc.#");
    }

    #[test]
    fn headings_are_told_from_text() {
        assert_eq!(heading("## Title ##"), Some((2, "Title")));
        assert_eq!(heading("   # C#"), Some((1, "C#")));
        assert_eq!(heading("###"), Some((3, "")));
        for not in ["#tag", "####### seven", "    # code", "Title", "", "\t# x"] {
            assert_eq!(heading(not), None, "{not}");
        }
        assert_eq!(kinds("\u{feff}# Title\nText\n====\n"), "#..");
    }

    #[test]
    fn what_is_left_open_is_closed_by_its_own_sign() {
        assert_eq!(closing("a\n```\nb\n```\n"), None);
        assert_eq!(closing("~~~~x\nb"), Some("~~~~".to_owned()));
        assert_eq!(closing("<!-- a\n```"), Some("-->".to_owned()));
    }

    #[test]
    fn text_for_one_line_is_one_line() {
        assert_eq!(one_line(" a\r\n## b\u{2028}\u{0}c \n"), "a ## b c");
        assert_eq!(one_line("\n"), "");
    }
}
