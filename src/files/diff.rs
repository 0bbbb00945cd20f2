//! Line diff of two texts, and a three-way merge by lines.

use super::lines::is_rule;
use super::values::date_in;

/// The most comparisons for one pair of texts; beyond it, differing lines count as replaced.
const MOST: usize = 1 << 20;

/// Whether two lines are equal, except for their line ends.
fn same(one: &str, other: &str) -> bool {
    one.trim_end_matches(['\n', '\r']) == other.trim_end_matches(['\n', '\r'])
}

fn same_all(one: &[&str], other: &[&str]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
}

/// For each line of `one` its match in `other`, by a longest common subsequence.
fn matched(one: &[&str], other: &[&str]) -> Vec<Option<usize>> {
    let mut found = vec![None; one.len()];
    let head = one.iter().zip(other).take_while(|(one, other)| same(one, other)).count();
    let (a, b) = (one.get(head..).unwrap_or_default(), other.get(head..).unwrap_or_default());
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(one, other)| same(one, other)).count();
    for (at, place) in found.iter_mut().enumerate() {
        if at < head {
            *place = Some(at);
        } else if at >= one.len() - tail {
            *place = Some(at + other.len() - one.len());
        }
    }
    let (a, b) = (a.get(..a.len() - tail).unwrap_or_default(), b.get(..b.len() - tail).unwrap_or_default());
    let width = b.len() + 1;
    if (a.len() + 1).saturating_mul(width) > MOST {
        return found;
    }
    // The length of the longest common rest, from each pair of positions on.
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    let rest = |longest: &[u32], i: usize, j: usize| longest.get(i * width + j).copied().unwrap_or(0);
    for (i, one) in a.iter().enumerate().rev() {
        for (j, other) in b.iter().enumerate().rev() {
            let best = if same(one, other) {
                rest(&longest, i + 1, j + 1) + 1
            } else {
                rest(&longest, i + 1, j).max(rest(&longest, i, j + 1))
            };
            if let Some(place) = longest.get_mut(i * width + j) {
                *place = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(one), Some(other)) = (a.get(i), b.get(j)) {
        if same(one, other) {
            if let Some(place) = found.get_mut(head + i) {
                *place = Some(head + j);
            }
            (i, j) = (i + 1, j + 1);
        } else if rest(&longest, i + 1, j) >= rest(&longest, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// The state of a line in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is in both texts.
    Same,
    /// Only the text before has it.
    Removed,
    /// Only the text after has it.
    Added,
}

/// The most equal lines that are shown before and after a change.
const AROUND: usize = 2;

/// The lines that differ between two texts, with up to two equal ones around them. Removed lines come first.
pub fn diff<'a>(before: &'a str, after: &'a str) -> Vec<(Mark, &'a str)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut all = Vec::new();
    let mut next = 0;
    for (line, found) in old.iter().zip(matched(&old, &new)) {
        let Some(at) = found else {
            all.push((Mark::Removed, *line));
            continue;
        };
        all.extend(new.get(next..at).unwrap_or_default().iter().map(|line| (Mark::Added, *line)));
        all.push((Mark::Same, *line));
        next = at + 1;
    }
    all.extend(new.get(next..).unwrap_or_default().iter().map(|line| (Mark::Added, *line)));
    let changed: Vec<usize> =
        all.iter().enumerate().filter(|(_, (mark, _))| *mark != Mark::Same).map(|(at, _)| at).collect();
    let mut near = vec![false; all.len()];
    for at in changed {
        let until = (at + AROUND + 1).min(all.len());
        near.get_mut(at.saturating_sub(AROUND)..until).unwrap_or_default().fill(true);
    }
    all.into_iter().zip(near).filter(|(_, near)| *near).map(|(line, _)| line).collect()
}

/// Conflict markers: before the first version, between both, and after the second.
pub(super) type Marks<'a> = [&'a str; 3];

/// The output, with every line terminated before the next.
struct Out<'a> {
    text: String,
    end: &'a str,
    conflict: bool,
}

impl Out<'_> {
    fn push(&mut self, lines: &[&str]) {
        for line in lines {
            if !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push_str(self.end);
            }
            self.text.push_str(line);
        }
    }

    fn mark(&mut self, mark: &str) {
        self.push(&[mark]);
        self.text.push_str(self.end);
    }
}

/// Merges three texts: changes of one side are taken, and list items that both sides added are kept from both. Returns
/// whether there was a conflict: then both versions are in the text, between markers.
pub(super) fn merge_lines(base: &str, ours: &str, theirs: &str, marks: Marks<'_>, end: &str) -> (String, bool) {
    let (base, ours, theirs) = (cut(base), cut(ours), cut(theirs));
    let (in_ours, in_theirs) = (matched(&base, &ours), matched(&base, &theirs));
    let mut out = Out { text: String::new(), end, conflict: false };
    let (mut b, mut o, mut t) = (0, 0, 0);
    for at in 0..=base.len() {
        let both = in_ours.get(at).copied().flatten().zip(in_theirs.get(at).copied().flatten());
        let stop = if at == base.len() { Some((ours.len(), theirs.len())) } else { both };
        let Some((next_o, next_t)) = stop else { continue };
        region(&mut out, part(&base, b, at), part(&ours, o, next_o), part(&theirs, t, next_t), marks);
        // If only the line end was changed, that is taken too.
        if let (Some(base), Some(ours), Some(theirs)) = (base.get(at), ours.get(next_o), theirs.get(next_t)) {
            out.push(&[if base == ours { theirs } else { ours }]);
        }
        (b, o, t) = (at + 1, next_o + 1, next_t + 1);
    }
    (out.text, out.conflict)
}

fn cut(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn part<'a, 'b>(lines: &'b [&'a str], from: usize, to: usize) -> &'b [&'a str] {
    lines.get(from..to).unwrap_or_default()
}

/// Whether lines can follow each other in any number: items, rows, and indented lines.
fn are_items(lines: &[&str]) -> bool {
    lines.iter().all(|line| {
        let first = line.trim_start();
        let number = first.trim_start_matches(|c: char| c.is_ascii_digit());
        let item =
            first.starts_with(['-', '*', '+', '|']) || (number.len() < first.len() && number.starts_with(['.', ')']));
        first.is_empty() || (item && !is_rule(line)) || line.starts_with("  ")
    })
}

/// The lines that `new` adds after or before `old`, if it only adds.
fn added<'a, 'b>(old: &[&str], new: &'b [&'a str]) -> Option<(&'b [&'a str], bool)> {
    let more = new.len().checked_sub(old.len())?;
    let (head, tail) = (new.get(..old.len())?, new.get(more..)?);
    if same_all(head, old) {
        return Some((new.get(old.len()..)?, false));
    }
    same_all(tail, old).then_some((new.get(..more)?, true))
}

/// Resolves the region between two common lines.
fn region(out: &mut Out<'_>, base: &[&str], ours: &[&str], theirs: &[&str], marks: Marks<'_>) {
    // A real change takes precedence over a change of line ends.
    if ours == base || (theirs != base && same_all(ours, base)) {
        return out.push(theirs);
    }
    if theirs == base || same_all(theirs, base) || same_all(ours, theirs) {
        return out.push(ours);
    }
    let items = are_items(base) && are_items(ours) && are_items(theirs);
    // One side only added items to a list that the other has changed.
    for (one, other) in [(ours, theirs), (theirs, ours)] {
        let Some((more, before)) = added(base, other).filter(|_| items) else { continue };
        let is_new = |line: &&&str| line.trim().is_empty() || !one.iter().any(|known| same(known, line));
        let more: Vec<&str> = more.iter().filter(is_new).copied().collect();
        let (first, second) = if before { (more.as_slice(), one) } else { (one, more.as_slice()) };
        out.push(first);
        return out.push(second);
    }
    // Of two update dates, the later wins.
    if let ([_], [one], [other]) = (base, ours, theirs)
        && let (Some((at, date)), Some((place, other_date))) = (date_in(one), date_in(other))
        && one.trim_start().starts_with('>')
        && (one.get(..at), one.get(at + 10..)) == (other.get(..place), other.get(place + 10..))
    {
        return out.push(&[if date < other_date { other } else { one }]);
    }
    out.conflict = true;
    out.mark(marks[0]);
    out.push(ours);
    out.mark(marks[1]);
    out.push(theirs);
    out.mark(marks[2]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> String {
        let spaced = |text: &str| text.split(' ').map(|word| format!("{word}\n")).collect::<String>();
        let (text, conflict) = merge_lines(&spaced(base), &spaced(ours), &spaced(theirs), ["<", "=", ">"], "\n");
        assert_eq!(conflict, text.contains("<\n"));
        text.trim_end().replace('\n', " ")
    }

    #[test]
    fn changes_apart_are_both_taken() {
        assert_eq!(merged("a b c d e", "A b c d e", "a b c d E"), "A b c d E");
        assert_eq!(merged("a b c", "a c", "a b c d"), "a c d");
        assert_eq!(merged("a b c", "a x b c", "a b y c"), "a x b y c");
        assert_eq!(merged("a b c", "a c", "a c"), "a c");
    }

    #[test]
    fn changes_of_one_place_are_both_kept_between_marks() {
        assert_eq!(merged("a b c", "a x c", "a y c"), "a < x = y > c");
        assert_eq!(merged("a b", "a x b", "a y b"), "a < x = y > b");
    }

    #[test]
    fn items_added_on_both_sides_are_both_kept() {
        assert_eq!(merged("-a", "-a -x", "-a -y"), "-a -x -y");
        assert_eq!(merged("-a", "-a -x", "-a -x -y"), "-a -x -y");
        assert_eq!(merged("-a", "-A -x", "-a -y"), "-A -x -y");
        assert_eq!(merged("|a|", "|x| |a|", "|a| |y|"), "|x| |a| |y|");
        assert_eq!(merged("-a", "-b", "-c"), "< -b = -c >");
    }

    #[test]
    fn line_ends_are_no_change_of_a_line() {
        let (text, conflict) = merge_lines("a\nb\n", "a\nB\n", "a\r\nb\r\n", ["", "", ""], "\n");
        assert_eq!((text.as_str(), conflict), ("a\r\nB\n", false));
        let (text, conflict) = merge_lines("a\nb", "a\nb\nc", "x\na\nb", ["", "", ""], "\n");
        assert_eq!((text.as_str(), conflict), ("x\na\nb\nc", false));
    }

    #[test]
    fn texts_too_long_to_compare_are_still_merged_at_their_ends() {
        let many: String = (0..3000).map(|at| format!("{at}\n")).collect();
        let other = many.replace('7', "x");
        let (text, conflict) = merge_lines(&many, &other, &(many.clone() + "end\n"), ["", "", ""], "\n");
        assert_eq!((text, conflict), (other + "end\n", false));
    }
}
