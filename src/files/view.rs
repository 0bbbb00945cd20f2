//! The view of the memory tool: a file with numbered lines, or a folder with sizes.

use super::paths::{TreePath, from_memories};
use super::tool::{Answer, Tool, answer};
use crate::model::sorted;

/// The most lines of a file that can be shown.
const MAX_LINES: usize = 999_999;

impl Tool<'_> {
    pub(super) fn view(&self, path: &str, range: Option<(i64, i64)>) -> Result<Answer, String> {
        let place = from_memories(self.root, path)?;
        let Some(text) = place.as_ref().and_then(|place| self.tree.read(place.as_str())) else {
            return self.listing(path, place);
        };
        let lines: Vec<&str> = text.split('\n').collect();
        if lines.len() > MAX_LINES {
            let count = lines.len();
            return Err(format!("File {path} has too many lines ({count}). Maximum is 999,999 lines."));
        }
        let count = lines.len() as i64;
        let (start, end) = range.map_or((1, count), |(start, end)| (start.max(1), end));
        // -1 is the last line; other negative ends count from the end.
        let end = if end < -1 {
            end.saturating_add(count)
        } else if end == -1 {
            count
        } else {
            end
        };
        let shown = numbered(&lines, start.min(count + 1) as usize - 1, end.clamp(0, count) as usize);
        answer(format!("Here's the content of {path} with line numbers:\n{shown}"), Vec::new())
    }

    fn listing(&self, path: &str, place: Option<TreePath>) -> Result<Answer, String> {
        let folder = place.as_ref().map_or(self.root, TreePath::as_str);
        let mut files = self.files(folder);
        if place.is_some() && files.is_empty() {
            return Err(format!("The path {path} does not exist. Please provide a valid path."));
        }
        files.retain(|(path, _)| path.split('/').all(|part| !part.starts_with('.') && part != "node_modules"));
        let file = |at: usize| files.get(at).map_or(("", 0), |(path, size)| (path.as_str(), *size));
        let order = sorted(files.len(), &|one, other| file(one).0.split('/').cmp(file(other).0.split('/')));
        // Each file and its folders, to two levels; the size of a folder is that of its contents. In sorted order, the
        // files of a folder are consecutive.
        let mut items: Vec<(&str, usize)> = Vec::new();
        let (mut open, mut whole) = ([usize::MAX; 2], 0);
        for (path, size) in order.into_iter().map(file) {
            whole += size;
            let mut ends = path.match_indices('/').map(|(at, _)| at + 1);
            for open in &mut open {
                let name = ends.next().map_or(path, |end| path.get(..end).unwrap_or(""));
                match items.get_mut(*open).filter(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += size,
                    None => {
                        *open = items.len();
                        items.push((name, size));
                    }
                }
                if name == path {
                    break;
                }
            }
        }
        let path = path.trim_end_matches('/');
        let mut text = format!(
            "Here're the files and directories up to 2 levels deep in {path}, excluding hidden items and \
             node_modules:\n{}\t{path}",
            size(whole)
        );
        for (name, bytes) in items {
            text.push_str(&format!("\n{}\t{path}/{name}", size(bytes)));
        }
        answer(text, Vec::new())
    }
}

/// These lines with their numbers, six characters wide.
pub(super) fn numbered(lines: &[&str], start: usize, end: usize) -> String {
    let shown = lines.get(start..end.max(start)).unwrap_or_default();
    let lines: Vec<String> = (start + 1..).zip(shown).map(|(number, line)| format!("{number:>6}\t{line}")).collect();
    lines.join("\n")
}

/// `512B`, `2K`, `1.5K`.
fn size(bytes: usize) -> String {
    let bytes = bytes as u64;
    let (mut unit, mut power) = (1, 0);
    while power < 3 && bytes / unit >= 1024 {
        unit *= 1024;
        power += 1;
    }
    let sign = ["B", "K", "M", "G"].get(power).copied().unwrap_or("");
    // To the nearest tenth.
    let tenths = (bytes % unit * 20 / unit).div_ceil(2);
    match (bytes % unit, tenths) {
        (0, _) => format!("{}{sign}", bytes / unit),
        (_, 10) => format!("{}.0{sign}", bytes / unit + 1),
        _ => format!("{}.{tenths}{sign}", bytes / unit),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool::{Command, Tree, run};
    use super::*;

    struct Files;

    const FILES: [(&str, &str); 6] = [
        ("b.md", "one\ntwo\nthree\n"),
        ("a/deep/er/x.md", "12"),
        ("a/y.md", "345"),
        ("a.md", ""),
        (".hidden", "x"),
        ("node_modules/z", "x"),
    ];

    impl Tree for Files {
        fn read(&self, path: &str) -> Option<String> {
            FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
        }

        fn list(&self, folder: &str) -> Vec<(String, usize)> {
            let listed = FILES.iter().filter(|(path, _)| path.starts_with(folder));
            listed.map(|(path, text)| ((*path).to_owned(), text.len())).collect()
        }
    }

    fn view(path: &str, view_range: Option<(i64, i64)>) -> Result<String, String> {
        let command = Command::View { path: path.to_owned(), view_range };
        run(&Files, "", &command).map(|answer| answer.text)
    }

    #[test]
    fn a_folder_is_listed_to_two_levels_with_sizes() {
        let expected = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and \
            node_modules:\n19B\t/memories\n5B\t/memories/a/\n2B\t/memories/a/deep/\n3B\t/memories/a/y.md\n\
            0B\t/memories/a.md\n14B\t/memories/b.md";
        assert_eq!(view("/memories", None).unwrap(), expected);
        assert_eq!(view("/memories/", None).unwrap(), expected);
        assert!(view("/memories/a", None).unwrap().ends_with("\n2B\t/memories/a/deep/er/\n3B\t/memories/a/y.md"));
        let missing = "The path /memories/none does not exist. Please provide a valid path.";
        assert_eq!(view("/memories/none", None).unwrap_err(), missing);
    }

    #[test]
    fn a_file_is_shown_with_numbered_lines() {
        let shown = |range| {
            let text = view("/memories/b.md", range).unwrap();
            text.strip_prefix("Here's the content of /memories/b.md with line numbers:\n").unwrap().to_owned()
        };
        assert_eq!(shown(None), "     1\tone\n     2\ttwo\n     3\tthree\n     4\t");
        assert_eq!(shown(Some((2, 3))), "     2\ttwo\n     3\tthree");
        assert_eq!(shown(Some((3, -1))), "     3\tthree\n     4\t");
        assert_eq!(shown(Some((-5, 1))), "     1\tone");
        for beyond in [(9, 12), (3, 1), (i64::MAX, i64::MIN), (1, 0)] {
            assert_eq!(shown(Some(beyond)), "");
        }
        assert_eq!(shown(Some((1, i64::MAX))), shown(None));
    }

    #[test]
    fn sizes_are_short() {
        let written = [0, 1, 1023, 1024, 1536, 2047, 4096, 1 << 20, 3 << 29, usize::MAX].map(size);
        let expected = ["0B", "1B", "1023B", "1K", "1.5K", "2.0K", "4K", "1M", "1.5G"];
        assert_eq!(written[..9], expected);
    }
}
