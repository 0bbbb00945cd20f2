//! Merges a file that was edited here and outside, section by section. Conflicts are kept in both versions.

use super::diff::merge_lines;
use super::document::{Document, closed};
use super::lines::{closing, line_end};
use crate::model::sorted;
use std::cmp::Ordering;

/// The marker before our version.
pub(super) const MARK: &str = "<<<<<<< memory";
const MARKS: [&str; 3] = [MARK, "=======", ">>>>>>> file"];

/// Whether a line is this conflict marker.
pub(super) fn is_mark(text: &str, mark: &str) -> bool {
    text.trim_end() == mark
}

/// A section that both sides have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// Its heading; empty for the text before the first one.
    pub section: String,
    /// The start of the section in the merged text, as a line counted from 1.
    pub line: usize,
}

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// The text. Conflicts are in it in both versions, between the markers of version control.
    pub text: String,
    /// The conflicts, in the order of the text.
    pub conflicts: Vec<Conflict>,
}

/// The sections of a text down to the second level, by heading.
struct Blocks {
    document: Document,
    /// The heading, and its number among equal ones; the text before the first heading is number 0.
    keys: Vec<(String, usize)>,
    /// The indexes of the keys in sorted order.
    order: Vec<usize>,
}

impl Blocks {
    fn new(text: &str) -> Self {
        let document = Document::to_depth(text, 2);
        let sections = 0..document.sections().len();
        let mut keys: Vec<(String, usize)> = sections.map(|at| (document.title(at).to_owned(), at.min(1))).collect();
        let order = sorted(keys.len(), &|one, other| keys.get(one).cmp(&keys.get(other)));
        let mut before: Option<(String, usize)> = None;
        for at in &order {
            let Some(key) = keys.get_mut(*at) else { continue };
            key.1 = before.filter(|(name, _)| *name == key.0).map_or(key.1, |(_, count)| count + 1);
            before = Some(key.clone());
        }
        Self { document, keys, order }
    }

    fn find(&self, key: &(String, usize)) -> Option<usize> {
        let compare = |at: &usize| self.keys.get(*at).map_or(Ordering::Less, |known| known.cmp(key));
        let place = self.order.binary_search_by(compare).ok()?;
        self.order.get(place).copied()
    }

    fn text(&self, at: usize) -> &str {
        self.document.section(at)
    }

    fn is_last(&self, at: usize) -> bool {
        at + 1 == self.keys.len()
    }
}

/// A section of the merged text.
struct Block {
    text: String,
    title: String,
    conflict: bool,
    /// Whether it is the end of each file that has it: then a following section needs a blank line before it.
    last: bool,
}

/// Merges two texts that were both made from `base`. If one side has no change, the other is the result.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merged {
    if ours == theirs || theirs == base {
        return Merged { text: ours.to_owned(), conflicts: Vec::new() };
    }
    if ours == base {
        return Merged { text: theirs.to_owned(), conflicts: Vec::new() };
    }
    let end = line_end(ours);
    let (base, ours, theirs) = (Blocks::new(base), Blocks::new(ours), Blocks::new(theirs));
    // The order is ours, unless ours is that of the base.
    let (first, second) = if ours.keys == base.keys { (&theirs, &ours) } else { (&ours, &theirs) };
    let mut found: Vec<(usize, Block)> = Vec::new();
    for (at, key) in first.keys.iter().enumerate() {
        found.extend(decide(&base, &ours, &theirs, key, end).map(|block| (at + 1, block)));
    }
    // A section that only the second has goes after its predecessor, and after new ones of the first there.
    let is_new = |at: usize| first.keys.get(at).is_some_and(|key| base.find(key).or(second.find(key)).is_none());
    let mut behind = 0;
    for key in &second.keys {
        if let Some(at) = first.find(key) {
            behind = at + 1;
            continue;
        }
        while is_new(behind) {
            behind += 1;
        }
        if let Some(block) = decide(&base, &ours, &theirs, key, end) {
            let place = found.partition_point(|(at, _)| *at <= behind);
            found.insert(place, (behind, block));
        }
    }
    joined(found, end)
}

/// Joins the sections, with line ends between them.
fn joined(found: Vec<(usize, Block)>, end: &str) -> Merged {
    let mut merged = Merged { text: String::new(), conflicts: Vec::new() };
    let count = found.len();
    let mut lines = 1;
    for (at, (_, mut block)) in found.into_iter().enumerate() {
        if at + 1 < count {
            block.text = closed(block.text, end);
            let blank = block.text.lines().last().is_none_or(|line| line.trim().is_empty());
            if block.last && !blank {
                block.text.push_str(end);
            }
        }
        if block.conflict {
            merged.conflicts.push(Conflict { section: block.title, line: lines });
        }
        lines += block.text.matches('\n').count();
        merged.text.push_str(&block.text);
    }
    merged
}

/// The result for the section with this heading; `None` if one side removed it and the other left it unchanged.
fn decide(base: &Blocks, ours: &Blocks, theirs: &Blocks, key: &(String, usize), end: &str) -> Option<Block> {
    let (in_base, in_ours, in_theirs) = (base.find(key), ours.find(key), theirs.find(key));
    let old = in_base.map(|at| base.text(at));
    let last = in_ours.is_none_or(|at| ours.is_last(at)) && in_theirs.is_none_or(|at| theirs.is_last(at));
    let title = |blocks: &Blocks, at: usize| blocks.document.title(at).to_owned();
    let block = |text: String, title: String, conflict: bool| Some(Block { text, title, conflict, last });
    match (in_ours, in_theirs) {
        (Some(one), Some(other)) => {
            let (text, conflict) = both(old.unwrap_or(""), ours.text(one), theirs.text(other), one == 0, end);
            block(text, title(ours, one), conflict)
        }
        (None, None) => None,
        (one, other) => {
            // Only one side has it: added there, or removed by the other.
            let (blocks, at) = if let Some(at) = one { (ours, at) } else { (theirs, other?) };
            let text = blocks.text(at);
            let removed = old.is_some();
            if old == Some(text) { None } else { block(text.to_owned(), title(blocks, at), removed) }
        }
    }
}

/// One version, with the blank lines after it that the other has, if it has more.
fn with_gap(said: &str, other: &str) -> String {
    let (text, gap) = (said.trim_end(), |text: &str| text.get(text.trim_end().len()..).unwrap_or("").to_owned());
    let (own, others) = (gap(said), gap(other));
    // Spaces at the end of the other's last line belong to that line.
    let others = others.find(['\r', '\n']).and_then(|at| others.get(at..)).unwrap_or("").to_owned();
    [text, if others.len() > own.len() { &others } else { &own }].concat()
}

/// One section from two versions, and whether there was a conflict.
fn both(base: &str, ours: &str, theirs: &str, preamble: bool, end: &str) -> (String, bool) {
    if ours == theirs || theirs == base {
        return (ours.to_owned(), false);
    }
    if ours == base {
        return (theirs.to_owned(), false);
    }
    if ours.trim_end() == theirs.trim_end() {
        // At the end of a file there is no blank line yet.
        return (if ours.len() < theirs.len() { theirs } else { ours }.to_owned(), false);
    }
    // A section that only got blank lines, because another follows it now, is unchanged.
    if theirs.trim_end() == base.trim_end() {
        return (with_gap(ours, theirs), false);
    }
    if ours.trim_end() == base.trim_end() {
        return (with_gap(theirs, ours), false);
    }
    let sound = |text: &str| {
        let sections = Document::to_depth(text, 2).sections().len();
        closing(text).is_none() && sections == 2 - usize::from(preamble)
    };
    let (text, conflict) = merge_lines(base, ours, theirs, MARKS, end);
    if sound(&text) && sound(ours) && sound(theirs) {
        return (text, conflict);
    }
    // Fences cannot be merged by lines: then both versions are kept whole, below one heading.
    let body = |text: &str| if preamble { 0 } else { text.find('\n').map_or(text.len(), |at| at + 1) };
    let mut out = closed(ours.get(..body(ours)).unwrap_or("").to_owned(), end);
    for (mark, version) in MARKS.into_iter().zip([ours, theirs, ""]) {
        out.push_str(mark);
        out.push_str(end);
        out.push_str(&closed(version.get(body(version)..).unwrap_or("").to_owned(), end));
    }
    (out, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str =
        "# C\n\n> Last updated: 2025-12-01\n\n---\n\n## Focus\n\n- [ ] a\n- [ ] b\n\n---\n\n## Notes\n\ntext\n";

    fn clean(base: &str, ours: &str, theirs: &str, expected: &str) {
        let merged = merge(base, ours, theirs);
        assert_eq!((merged.text.as_str(), merged.conflicts.as_slice()), (expected, &[][..]));
    }

    #[test]
    fn a_side_without_changes_gives_way() {
        for text in ["", "x", BASE, "```\nopen", "\r\n## a\n## a\n", "\u{feff}# x"] {
            clean(BASE, BASE, text, text);
            clean(BASE, text, BASE, text);
            clean(BASE, text, text, text);
            clean("", text, text, text);
        }
    }

    #[test]
    fn changes_of_different_sections_are_both_taken() {
        let ours = BASE.replace("- [ ] a", "- [x] a");
        let theirs = BASE.replace("text", "other text").replace("2025-12-01", "2025-12-31");
        clean(BASE, &ours, &theirs, &theirs.replace("- [ ] a", "- [x] a"));
        clean(BASE, &theirs, &ours, &theirs.replace("- [ ] a", "- [x] a"));
    }

    #[test]
    fn blanks_at_the_end_of_a_line_stay_with_their_line() {
        let ours = "## a\n\none\t\n\n## b\n\nx\n";
        clean("## a\n\none\n\n## b\n\nx\n", ours, "## a\n\ntwo\n\n## b\n\nx\n", "## a\n\ntwo\n\n## b\n\nx\n");
    }

    #[test]
    fn changes_of_one_list_are_both_taken() {
        let ours = BASE.replace("- [ ] a", "- [x] a").replace("12-01", "12-30").replace("b\n", "b\n- [ ] ours\n");
        let theirs = BASE.replace("b\n", "b\n- [ ] theirs\n").replace("12-01", "12-31");
        let expected = ours.replace("ours\n", "ours\n- [ ] theirs\n").replace("12-30", "12-31");
        clean(BASE, &ours, &theirs, &expected);
    }

    #[test]
    fn a36_entries_appended_on_both_sides_are_both_kept() {
        let base = "# L\n\n---\n\n## 2025-12-30: old\n\nx\n\n---\n";
        let entry = |title: &str| format!("\n## 2025-12-31: {title}\n\ny\n\n---\n");
        let (ours, theirs) = (format!("{base}{}", entry("ours")), format!("{base}{}{}", entry("t1"), entry("t2")));
        clean(base, &ours, &theirs, &format!("{ours}{}{}", entry("t1"), entry("t2")));
        clean(base, &ours, &format!("{ours}{}", entry("t1")), &format!("{ours}{}", entry("t1")));
        clean("", "## 2025-12-31: a\n", "## 2025-12-31: b", "## 2025-12-31: a\n\n## 2025-12-31: b");
    }

    #[test]
    fn a_section_appended_behind_one_that_the_other_side_edits() {
        let appended = format!("{BASE}\n## New\n\nmore\n");
        let edited = BASE.replace("text", "other");
        clean(BASE, &appended, &edited, &appended.replace("text", "other"));
        clean(BASE, &edited, &appended, &appended.replace("text", "other"));
    }

    #[test]
    fn what_both_changed_is_kept_twice_and_named() {
        let merged = merge(BASE, &BASE.replace("text", "ours"), &BASE.replace("text", "theirs"));
        let marked = "<<<<<<< memory\nours\n=======\ntheirs\n>>>>>>> file\n";
        assert_eq!(merged.text, BASE.replace("text\n", marked));
        assert_eq!(merged.conflicts, [Conflict { section: "Notes".to_owned(), line: 14 }]);
    }

    #[test]
    fn a_section_removed_on_one_side_and_changed_on_the_other_stays() {
        let without = BASE.replace("## Focus\n\n- [ ] a\n- [ ] b\n\n---\n\n", "");
        clean(BASE, &without, &BASE.replace("text", "new"), &without.replace("text", "new"));
        let changed = BASE.replace("- [ ] b", "- [x] b");
        let merged = merge(BASE, &without, &changed);
        assert_eq!((merged.text.as_str(), merged.conflicts.len()), (changed.as_str(), 1));
        assert_eq!(merge(BASE, &changed, &without).text, changed);
    }

    #[test]
    fn sections_moved_by_one_side_and_edited_by_the_other() {
        let moved = "## B\nb\n## A\na\n";
        clean("## A\na\n## B\nb\n", moved, "## A\nA\n## B\nb\n", "## B\nb\n## A\nA\n");
        clean("## A\na\n## B\nb\n", "## A\nA\n## B\nb\n", moved, "## B\nb\n## A\nA\n");
    }

    #[test]
    fn fences_that_do_not_fit_together_hide_nothing() {
        let base = "## A\n```\nx\n```\n## B\nb\n";
        // Ours hides the second section, which theirs has changed.
        let merged = merge(base, &base.replace("```\nx", "````\nx"), &base.replace("b\n", "c\n"));
        assert_eq!(merged.text, "## A\n````\nx\n```\n## B\nb\n````\n## B\nc\n");
        assert_eq!(merged.conflicts, [Conflict { section: "B".to_owned(), line: 8 }]);
        let merged = merge(base, "## A\n~~~\nx\n~~~\n## B\nb\n", "## A\n````\nx\n````\n## B\nb\n");
        assert_eq!(merged.conflicts.len(), 1);
        assert!(merged.text.ends_with(">>>>>>> file\n## B\nb\n"), "{}", merged.text);
    }
}
