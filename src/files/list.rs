//! The items of a list in a section: read with their lines, and edited in place.

use super::document::closed;
use super::lines::{Line, Lines, one_line, with_ends};
use super::names::{Style, same};
use std::ops::Range;

/// An item of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its line, counted from 1; 0 for a new one.
    pub line: usize,
    /// Its text after the bullet, and after the checkbox or tick if it has one.
    pub text: String,
    /// Whether it is ticked, if it has a box.
    pub done: Option<bool>,
    /// Its further lines, without their indentation.
    pub details: Vec<String>,
}

impl Item {
    /// A new item, with or without a box.
    pub fn new(text: impl Into<String>, done: Option<bool>) -> Self {
        Self { text: text.into(), done, ..Self::default() }
    }
}

/// The location of an item in the body of its section.
pub(super) struct Place {
    /// Its range with its details, and with the blank lines before the next item.
    range: Range<usize>,
    /// The start of its text, or of its checkbox if it has one.
    text: usize,
    /// Whether blank lines follow before the next item.
    loose: bool,
}

/// The length of the bullet of an item: `- `, `* `, `+ `, `1. `, `1) `. Deeper ones are details of others.
fn sign(text: &str) -> Option<usize> {
    let line = text.trim_start_matches(' ');
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let signs: &[char] = if number.len() < line.len() { &['.', ')'] } else { &['-', '*', '+'] };
    let rest = number.strip_prefix(signs)?;
    let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
    (spaced && text.len() - line.len() < 2).then(|| text.len() - rest.trim_start().len())
}

/// The number of an item, if it has one.
fn number(raw: &str) -> Option<usize> {
    let raw = raw.trim_start();
    raw.get(..raw.find(|c: char| !c.is_ascii_digit())?)?.parse().ok()
}

/// The state of a checkbox or tick in front, and the text after it.
fn ticked(text: &str) -> (Option<bool>, &str) {
    for (mark, done) in [("[ ]", false), ("[x]", true), ("[X]", true), ("✅", true)] {
        if let Some(rest) = text.strip_prefix(mark).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return (Some(done), rest.trim());
        }
    }
    (None, text.trim())
}

/// The items of a body that begins with this line.
pub(super) fn items(body: &str, line: usize) -> Vec<(Item, Place)> {
    let mut found: Vec<(Item, Place)> = Vec::new();
    // Whether the previous line belongs to the last item, and the start of the blank lines after it.
    let (mut inside, mut hidden, mut blank) = (false, false, None);
    for line in Lines::from(body, line) {
        let text = line.text();
        if line.is_blank() {
            blank = blank.or(Some(line.start));
            continue;
        }
        let start = if line.code || line.is_rule() { None } else { sign(text) };
        let continued = text.starts_with("  ") || text.starts_with('\t') || (hidden && line.code);
        if let Some(length) = start {
            if let Some((_, place)) = found.last_mut().filter(|_| inside) {
                (place.range.end, place.loose) = (line.start, blank.is_some());
            }
            let (done, text) = ticked(text.get(length..).unwrap_or(""));
            let place = Place { range: line.start..line.end(), text: line.start + length, loose: false };
            found.push((Item { line: line.number, text: text.to_owned(), done, details: Vec::new() }, place));
            inside = true;
        } else if let Some((item, place)) = found.last_mut().filter(|_| inside && continued) {
            item.details.push(text.trim().to_owned());
            place.range.end = line.end();
        } else {
            inside = false;
        }
        (hidden, blank) = (line.code, None);
    }
    found
}

/// An item as text, each line ended with `\n`.
fn written(item: &Item, style: Style, number: usize) -> String {
    let mut sign = match style {
        Style::Numbers | Style::Ticks => format!("{number}. "),
        _ => "- ".to_owned(),
    };
    let indent = sign.len();
    sign.push_str(match (style, item.done) {
        (Style::Ticks, _) => "✅ ",
        (_, Some(true)) => "[x] ",
        (Style::Tasks, _) | (_, Some(false)) => "[ ] ",
        _ => "",
    });
    let mut out = format!("{sign}{}\n", one_line(&item.text));
    for detail in &item.details {
        let detail = one_line(detail);
        // A fence here would hide the following text.
        let escape = if Lines::new(&detail).any(|line| line.code) { "\\" } else { "" };
        out.push_str(&format!("{:indent$}{escape}{detail}\n", ""));
    }
    out
}

/// The original bytes of an item, if only its bullet would differ; with another number if it has one.
fn kept(body: &str, item: &Item, found: &[(Item, Place)], at: usize) -> Option<String> {
    let like = |old: &Item| {
        old.text == item.text && old.done == item.done && (item.details.is_empty() || old.details == item.details)
    };
    let (_, place) = found.iter().find(|(old, _)| like(old))?;
    let whole = body.get(place.range.clone())?;
    let said = whole.trim_end();
    // Spaces at the end of its last line belong to it, blank lines after it do not.
    let spaces = whole.get(said.len()..)?.split(['\r', '\n']).next()?;
    let raw = [said, spaces, "\n"].concat();
    let digits = raw.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    Some(if number(&raw).is_some() { format!("{at}{digits}") } else { raw })
}

/// The position in a body for new text: after its content, before the rule at its end.
pub(super) fn slot(body: &str) -> usize {
    let mut lines: Vec<Line<'_>> = Lines::new(body).collect();
    let mut end = body.len();
    for may_be_rule in [true, false] {
        while lines.pop_if(|line| line.is_blank()).is_some() {}
        end = lines.last().map_or(0, Line::end);
        if !may_be_rule || lines.pop_if(|line| line.is_rule()).is_none() {
            break;
        }
    }
    end
}

/// A body with a block of lines added after its content. New lines end with `end`, here and below.
pub(super) fn with_block(body: &str, block: &str, end: &str) -> String {
    let (said, tail) = body.split_at(slot(body));
    closed(said.to_owned(), end) + end + &with_ends(block, end) + tail
}

/// A body with its items replaced by these. Text between the old ones stays, after the new ones.
pub(super) fn set(body: &str, style: Style, new: &[Item], end: &str) -> String {
    let found = items(body, 1);
    let loose = found.iter().any(|(_, place)| place.loose) || new.iter().any(|item| item.details.len() > 1);
    let mut block = String::new();
    for (at, item) in (1..).zip(new.iter().filter(|item| !one_line(&item.text).is_empty())) {
        if loose && at > 1 {
            block.push('\n');
        }
        block.push_str(&kept(body, item, &found, at).unwrap_or_else(|| written(item, style, at)));
    }
    let (Some((_, first)), Some((_, last))) = (found.first(), found.last()) else {
        return if block.is_empty() { body.to_owned() } else { with_block(body, &block, end) };
    };
    let mut out = body.get(..first.range.start).unwrap_or("").to_owned() + &with_ends(&block, end);
    let mut at = first.range.end;
    for (_, place) in &found {
        out.push_str(body.get(at..place.range.start).unwrap_or(""));
        at = place.range.end;
    }
    let rest = body.get(last.range.end..).unwrap_or("");
    // A removed list leaves one blank line, not two.
    let rest = if block.is_empty() { rest.strip_prefix(end).unwrap_or(rest) } else { rest };
    out + rest
}

/// A body with one more item after the last.
pub(super) fn add(body: &str, style: Style, item: &Item, end: &str) -> String {
    if one_line(&item.text).is_empty() {
        return body.to_owned();
    }
    let found = items(body, 1);
    let Some((_, place)) = found.last() else { return with_block(body, &written(item, style, 1), end) };
    let before = body.get(place.range.clone()).and_then(number).unwrap_or(found.len());
    let (said, tail) = body.split_at(place.range.end);
    let gap = if found.iter().any(|(_, place)| place.loose) { end } else { "" };
    closed(said.to_owned(), end) + gap + &with_ends(&written(item, style, before.saturating_add(1)), end) + tail
}

/// The item with this text: the same, or the same except for case and accents.
fn meant<'a>(found: &'a [(Item, Place)], text: &str) -> Option<&'a (Item, Place)> {
    let exact = found.iter().find(|(item, _)| item.text == text.trim());
    exact.or_else(|| found.iter().find(|(item, _)| same(&item.text, text)))
}

/// A body without an item, if it exists.
pub(super) fn remove(body: &str, text: &str) -> Option<String> {
    let found = items(body, 1);
    let (_, place) = meant(&found, text)?;
    let mut out = body.to_owned();
    out.replace_range(place.range.clone(), "");
    Some(out)
}

/// A body with an item ticked or unticked, if it exists. An item without a checkbox gets one.
pub(super) fn tick(body: &str, text: &str, done: bool) -> Option<String> {
    let found = items(body, 1);
    let (item, place) = meant(&found, text)?;
    let mark = if done { "[x]" } else { "[ ]" };
    let mut out = body.to_owned();
    match item.done {
        Some(known) if known == done => {}
        Some(_) => {
            let old = if body.get(place.text..)?.starts_with('✅') { "✅".len() } else { mark.len() };
            out.replace_range(place.text..place.text + old, mark);
        }
        None => out.insert_str(place.text, &format!("{mark} ")),
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "\nIntro\n\n- [ ] one\n- [x] two\n  more\nbetween\n* three\n\n---\n\n";

    fn texts(body: &str) -> Vec<(usize, String, Option<bool>)> {
        items(body, 1).into_iter().map(|(item, _)| (item.line, item.text, item.done)).collect()
    }

    #[test]
    fn a10_items_are_read_with_their_lines() {
        let expected =
            [(4, "one".to_owned(), Some(false)), (5, "two".to_owned(), Some(true)), (8, "three".to_owned(), None)];
        assert_eq!(texts(BODY), expected);
        assert_eq!(items(BODY, 1)[1].0.details, ["more"]);
        assert_eq!(texts("```\n- no\n```\n---\n-no\n    - deep\n1) yes"), [(7, "yes".to_owned(), None)]);
        assert_eq!(texts("1. ✅ done"), [(1, "done".to_owned(), Some(true))]);
    }

    #[test]
    fn an_item_is_added_removed_and_ticked_in_place() {
        let added = add(BODY, Style::Tasks, &Item::new("four\n## x", None), "\n");
        assert_eq!(added, BODY.replace("* three\n", "* three\n- [ ] four ## x\n"));
        assert_eq!(remove(&added, "FOUR ## x").unwrap(), BODY);
        assert_eq!(remove(BODY, "none"), None);
        assert_eq!(tick(BODY, "one", true).unwrap(), BODY.replace("[ ] one", "[x] one"));
        assert_eq!(tick(BODY, "three", false).unwrap(), BODY.replace("* three", "* [ ] three"));
        assert_eq!(tick("1. ✅ a", "a", false).unwrap(), "1. [ ] a");
        assert_eq!(add(BODY, Style::Tasks, &Item::new("\n", None), "\n"), BODY);
    }

    #[test]
    fn a_list_is_replaced_and_what_is_kept_keeps_its_bytes() {
        let new = [Item::new("two", Some(true)), Item::new("five", Some(false))];
        assert_eq!(set(BODY, Style::Tasks, &new, "\n"), "\nIntro\n\n- [x] two\n  more\n- [ ] five\nbetween\n\n---\n\n");
        assert_eq!(set("\n---\n\n", Style::Tasks, &new, "\n"), "\n- [x] two\n- [ ] five\n\n---\n\n");
        assert_eq!(set("\n- a\n\n---\n\n", Style::Bullets, &[], "\n"), "\n---\n\n");
        assert_eq!(set("", Style::Numbers, &new[1..], "\n"), "\n1. [ ] five\n");
        let renumbered = set("1.  a\n2. b\n", Style::Numbers, &[Item::new("b", None), Item::new("a", None)], "\n");
        assert_eq!(renumbered, "1. b\n2.  a\n");
    }

    #[test]
    fn a13_numbers_go_on_and_loose_lists_stay_loose() {
        assert_eq!(add("3. a\n", Style::Numbers, &Item::new("b", None), "\n"), "3. a\n4. b\n");
        let issue = Item { details: vec!["- Problem: x".into(), "```".into()], ..Item::new("**T**", None) };
        let body = add("1. a\n\n2. b", Style::Numbers, &issue, "\n");
        assert_eq!(body, "1. a\n\n2. b\n\n3. **T**\n   - Problem: x\n   \\```\n");
        assert_eq!(items(&body, 1)[2].0.details.len(), 2);
    }
}
