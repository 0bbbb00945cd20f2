//! The six commands of the Anthropic memory tool on a tree: each returns an answer and the changes to commit.

use super::paths::{TreePath, below, from_memories};
use super::view::numbered;

/// The files that the commands see. Commands only read; they return their changes.
pub trait Tree {
    /// The text of the file at this path, if it exists.
    fn read(&self, path: &str) -> Option<String>;
    /// The path and the size in bytes of each file below a folder. The root is the empty folder.
    fn list(&self, folder: &str) -> Vec<(String, usize)>;
}

/// A command of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the parameters of the tool")]
pub enum Command {
    View { path: String, view_range: Option<(i64, i64)> },
    Create { path: String, file_text: String },
    StrReplace { path: String, old_str: String, new_str: String },
    Insert { path: String, insert_line: i64, insert_text: String },
    Delete { path: String },
    Rename { old_path: String, new_path: String },
}

/// A change of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Writes this text to the file.
    Write(TreePath, String),
    /// Deletes the file.
    Delete(TreePath),
    /// Moves the file to another path.
    Rename(TreePath, TreePath),
}

/// The answer of a command, and its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text for the model.
    pub text: String,
    /// The changes, to commit together.
    pub changes: Vec<Change>,
}

pub(super) fn answer(text: String, changes: Vec<Change>) -> Result<Answer, String> {
    Ok(Answer { text, changes })
}

/// Runs a command on the files of `tree` below `root`, which the model sees as `/memories`. Errors are texts for the
/// model, worded like those of the tool's own implementation.
pub fn run(tree: &dyn Tree, root: &str, command: &Command) -> Result<Answer, String> {
    let tool = Tool { tree, root };
    match command {
        Command::View { path, view_range } => tool.view(path, *view_range),
        Command::Create { path, file_text } => tool.create(path, file_text),
        Command::StrReplace { path, old_str, new_str } => tool.replace(path, old_str, new_str),
        Command::Insert { path, insert_line, insert_text } => tool.insert(path, *insert_line, insert_text),
        Command::Delete { path } => tool.delete(path),
        Command::Rename { old_path, new_path } => tool.rename(old_path, new_path),
    }
}

pub(super) struct Tool<'a> {
    pub(super) tree: &'a dyn Tree,
    pub(super) root: &'a str,
}

impl Tool<'_> {
    /// The files below a folder, by whole parts even if the tree matches prefixes: the rest of their paths.
    pub(super) fn files(&self, folder: &str) -> Vec<(String, usize)> {
        let listed = self.tree.list(folder).into_iter();
        listed.filter_map(|(path, size)| Some((below(&path, folder)?.to_owned(), size))).collect()
    }

    /// The path and the text of a file to edit.
    fn file(&self, path: &str) -> Result<(TreePath, String), String> {
        let place = from_memories(self.root, path)?;
        let text = place.as_ref().and_then(|place| self.tree.read(place.as_str()));
        match (place, text) {
            (Some(place), Some(text)) => Ok((place, text)),
            (Some(place), None) if self.files(place.as_str()).is_empty() => {
                Err(format!("The path {path} does not exist. Please provide a valid path."))
            }
            _ => Err(format!("The path {path} is not a file.")),
        }
    }

    /// Whether a file or a folder exists.
    fn exists(&self, place: &TreePath) -> bool {
        self.tree.read(place.as_str()).is_some() || !self.files(place.as_str()).is_empty()
    }

    /// Refuses a place below a file: a name is either a file or a folder.
    fn below_no_file(&self, place: &TreePath, path: &str) -> Result<(), String> {
        let mut folder = place.folder();
        while !folder.is_empty() && folder != self.root {
            if self.tree.read(folder).is_some() {
                return Err(format!("The path {path} is below a file."));
            }
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        Ok(())
    }

    fn create(&self, path: &str, text: &str) -> Result<Answer, String> {
        let exists = || format!("File {path} already exists");
        let place = from_memories(self.root, path)?.ok_or_else(exists)?;
        if path.ends_with('/') || self.exists(&place) {
            return Err(exists());
        }
        self.below_no_file(&place, path)?;
        let changes = vec![Change::Write(place, text.to_owned())];
        answer(format!("File created successfully at: {path}"), changes)
    }

    fn replace(&self, path: &str, old: &str, new: &str) -> Result<Answer, String> {
        let (place, text) = self.file(path)?;
        // Occurrences may overlap: "aa" is twice in "aaa", and either could be meant.
        let (mut found, mut from, mut line) = (Vec::new(), 0, 1);
        while let Some(at) = text.get(from..).filter(|_| !old.is_empty()).and_then(|rest| rest.find(old)) {
            let before = text.get(from..from + at).unwrap_or("");
            line += before.matches('\n').count();
            found.push((from + at, line));
            let first = old.chars().next();
            line += usize::from(first == Some('\n'));
            from += at + first.map_or(1, char::len_utf8);
        }
        let [(at, line)] = found.as_slice() else {
            if found.is_empty() {
                return Err(format!(
                    "No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
                ));
            }
            let mut lines: Vec<String> = found.iter().map(|(_, line)| line.to_string()).collect();
            lines.dedup();
            let lines = lines.join(", ");
            return Err(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please \
                 ensure it is unique"
            ));
        };
        let line = *line;
        let mut changed = text.clone();
        changed.replace_range(*at..*at + old.len(), new);
        let lines: Vec<&str> = changed.split('\n').collect();
        let shown = numbered(&lines, line.saturating_sub(3), (line + 2).min(lines.len()));
        let text = format!(
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"
        );
        answer(text, vec![Change::Write(place, changed)])
    }

    fn insert(&self, path: &str, line: i64, new: &str) -> Result<Answer, String> {
        let (place, text) = self.file(path)?;
        let mut lines: Vec<&str> = text.split('\n').collect();
        let Some(at) = usize::try_from(line).ok().filter(|at| *at <= lines.len()) else {
            let count = lines.len();
            return Err(format!(
                "Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, \
                 {count}]"
            ));
        };
        lines.insert(at, new.strip_suffix('\n').unwrap_or(new));
        answer(format!("The file {path} has been edited."), vec![Change::Write(place, lines.join("\n"))])
    }

    fn delete(&self, path: &str) -> Result<Answer, String> {
        let Some(place) = from_memories(self.root, path)? else {
            return Err("Cannot delete the /memories directory itself".to_owned());
        };
        let changes: Vec<Change> = self.held(&place).into_iter().map(|(path, _)| Change::Delete(path)).collect();
        if changes.is_empty() {
            return Err(format!("The path {path} does not exist"));
        }
        answer(format!("Successfully deleted {path}"), changes)
    }

    /// The file at a place, and those below it with the rest of their paths. Invalid paths from the tree are ignored.
    fn held(&self, place: &TreePath) -> Vec<(TreePath, String)> {
        let mut held = Vec::new();
        if self.tree.read(place.as_str()).is_some() {
            held.push((place.clone(), String::new()));
        }
        let files = self.files(place.as_str()).into_iter();
        held.extend(files.filter_map(|(rest, _)| Some((place.join("path", &rest).ok()?, rest))));
        held
    }

    fn rename(&self, old: &str, new: &str) -> Result<Answer, String> {
        let (from, to) = (from_memories(self.root, old)?, from_memories(self.root, new)?);
        let Some(from) = from else {
            return Err("Cannot rename the /memories directory itself".to_owned());
        };
        let Some(to) = to.filter(|to| !self.exists(to)) else {
            return Err(format!("The destination {new} already exists"));
        };
        if below(to.as_str(), from.as_str()).is_some() {
            return Err(format!("The destination {new} is inside {old}"));
        }
        self.below_no_file(&to, new)?;
        let mut changes = Vec::new();
        for (path, rest) in self.held(&from) {
            let target = if rest.is_empty() { Ok(to.clone()) } else { to.join("new_path", &rest) };
            let target = target.map_err(|_| format!("The destination {new} is too long for {old}"))?;
            changes.push(Change::Rename(path, target));
        }
        if changes.is_empty() {
            return Err(format!("The path {old} does not exist"));
        }
        answer(format!("Successfully renamed {old} to {new}"), changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree in memory.
    struct Files(Vec<(&'static str, String)>);

    impl Tree for Files {
        fn read(&self, path: &str) -> Option<String> {
            self.0.iter().find(|(known, _)| *known == path).map(|(_, text)| text.clone())
        }

        fn list(&self, folder: &str) -> Vec<(String, usize)> {
            // By string prefix, as a careless tree would.
            let listed = self.0.iter().filter(|(path, _)| path.starts_with(folder));
            listed.map(|(path, text)| ((*path).to_owned(), text.len())).collect()
        }
    }

    fn files() -> Files {
        let files = [("m/a.md", "one\ntwo\none two\n"), ("m/d/b.md", "x"), ("m/d/c.md", "y"), ("m10/z.md", "z")];
        Files(files.into_iter().map(|(path, text)| (path, text.to_owned())).collect())
    }

    fn path(text: &str) -> TreePath {
        TreePath::new("path", text).unwrap()
    }

    fn check(command: Command, expected: Result<(&str, Vec<Change>), &str>) {
        let got = run(&files(), "m", &command);
        let expected = expected.map(|(text, changes)| Answer { text: text.to_owned(), changes });
        assert_eq!(got, expected.map_err(str::to_owned), "{command:?}");
    }

    #[test]
    fn a_file_is_created_once() {
        let create = |path: &str| Command::Create { path: path.to_owned(), file_text: "t".to_owned() };
        let made = vec![Change::Write(path("m/new/n.md"), "t".to_owned())];
        check(create("/memories/new/n.md"), Ok(("File created successfully at: /memories/new/n.md", made)));
        for known in ["/memories/a.md", "/memories/d", "/memories"] {
            check(create(known), Err(&format!("File {known} already exists")));
        }
        check(create("/memories/a.md/x"), Err("The path /memories/a.md/x is below a file."));
        check(create("/m/x"), Err("Path must start with /memories, got: /m/x"));
    }

    #[test]
    fn text_is_replaced_if_it_is_there_once() {
        let replace = |path: &str, old: &str, new: &str| Command::StrReplace {
            path: path.to_owned(),
            old_str: old.to_owned(),
            new_str: new.to_owned(),
        };
        let edited = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n";
        let write = |text: &str| vec![Change::Write(path("m/a.md"), text.to_owned())];
        let text = format!("{edited}     1\tone\n     2\t$&\n     3\tone two\n     4\t");
        check(replace("/memories/a.md", "two\none", "$&\none"), Ok((&text, write("one\n$&\none two\n"))));
        check(
            replace("/memories/a.md", "one", "x"),
            Err(
                "No replacement was performed. Multiple occurrences of old_str `one` in lines: 1, 3. Please ensure it \
                 is unique",
            ),
        );
        for none in ["three", ""] {
            let text =
                format!("No replacement was performed, old_str `{none}` did not appear verbatim in /memories/a.md.");
            check(replace("/memories/a.md", none, "x"), Err(&text));
        }
        let missing = "The path /memories/x does not exist. Please provide a valid path.";
        check(replace("/memories/x", "a", "b"), Err(missing));
        check(replace("/memories/d", "a", "b"), Err("The path /memories/d is not a file."));
    }

    #[test]
    fn lines_are_inserted_where_there_are_lines() {
        let insert = |line: i64| Command::Insert {
            path: "/memories/a.md".to_owned(),
            insert_line: line,
            insert_text: "new\n".to_owned(),
        };
        let write = |text: &str| vec![Change::Write(path("m/a.md"), text.to_owned())];
        let edited = "The file /memories/a.md has been edited.";
        check(insert(0), Ok((edited, write("new\none\ntwo\none two\n"))));
        check(insert(3), Ok((edited, write("one\ntwo\none two\nnew\n"))));
        check(insert(4), Ok((edited, write("one\ntwo\none two\n\nnew"))));
        for line in [-1, 5, i64::MAX] {
            let text = format!(
                "Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, 4]"
            );
            check(insert(line), Err(&text));
        }
    }

    #[test]
    fn s6_files_and_folders_are_deleted_and_renamed_whole_and_no_others() {
        let delete = |path: &str| Command::Delete { path: path.to_owned() };
        let both = vec![Change::Delete(path("m/d/b.md")), Change::Delete(path("m/d/c.md"))];
        check(delete("/memories/d"), Ok(("Successfully deleted /memories/d", both)));
        check(delete("/memories"), Err("Cannot delete the /memories directory itself"));
        check(delete("/memories/none"), Err("The path /memories/none does not exist"));
        check(delete("/memories/../m10"), Err("Path /memories/../m10 would escape /memories directory"));
        let rename = |old: &str, new: &str| Command::Rename { old_path: old.to_owned(), new_path: new.to_owned() };
        let moved = vec![
            Change::Rename(path("m/d/b.md"), path("m/e/f/b.md")),
            Change::Rename(path("m/d/c.md"), path("m/e/f/c.md")),
        ];
        let text = "Successfully renamed /memories/d to /memories/e/f";
        check(rename("/memories/d", "/memories/e/f"), Ok((text, moved)));
        check(rename("/memories/d", "/memories/a.md"), Err("The destination /memories/a.md already exists"));
        check(rename("/memories/x", "/memories/y"), Err("The path /memories/x does not exist"));
        check(rename("/memories/d", "/memories/d/e"), Err("The destination /memories/d/e is inside /memories/d"));
        check(rename("/memories", "/memories/d/e"), Err("Cannot rename the /memories directory itself"));
        check(rename("/memories/d", "/etc"), Err("Path must start with /memories, got: /etc"));
    }
}
