//! Paths of the tree: one spelling for each file, and no path outside the tree.

use super::names::Kind;
use super::values::checked_date;
use crate::model::Invalid;

/// The longest name of a file or folder, in bytes.
pub const MAX_PART: usize = 256;
/// The longest path, in bytes.
pub const MAX_PATH: usize = 1024;

/// The root under which the memory tool sees its files.
const MEMORIES: &str = "/memories";

/// The path of a file or folder, relative to the root of a tree: names with `/` between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreePath(String);

impl TreePath {
    /// Validates a path. There is one spelling of a path, so nothing is normalised.
    pub fn new(field: &str, text: impl Into<String>) -> Result<Self, Invalid> {
        let text = text.into();
        if text.len() > MAX_PATH {
            return Err(Invalid::too_large(field, MAX_PATH, text.len()));
        }
        for part in text.split('/') {
            if part.len() > MAX_PART {
                return Err(Invalid::too_large(field, MAX_PART, part.len()));
            }
            if let Some(reason) = refused(part) {
                return Err(Invalid::value(field, reason));
            }
        }
        Ok(Self(text))
    }

    /// The path as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The folder; empty for a file in the root.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The path of `name` below this one.
    pub fn join(&self, field: &str, name: &str) -> Result<Self, Invalid> {
        Self::new(field, format!("{}/{name}", self.0))
    }
}

/// The roots of documented files: the tree itself, or the folder of projects (A1).
pub const ROOTS: [&str; 2] = ["", ".microai/"];

/// The path of a documented file of an agent or its team below one of the roots. Team files are the same for all
/// agents; a session file has its date.
pub fn path_of(root: &str, kind: Kind, agent: &str, date: &str) -> Result<TreePath, Invalid> {
    let Some(file) = kind.file() else { return Err(Invalid::value("kind", "must be one of the documented files")) };
    if kind.is_teams() {
        return TreePath::new("kind", format!("{root}{file}"));
    }
    let folder = folder_of(root, agent)?.join("agent", "memory")?;
    match kind {
        Kind::Session => folder.join("date", &format!("sessions/{}.md", checked_date("date", date)?)),
        _ => folder.join("agent", file),
    }
}

/// The folder of an agent below one of the roots.
pub fn folder_of(root: &str, agent: &str) -> Result<TreePath, Invalid> {
    // An agent has one folder, so its name has no slash.
    if agent.contains('/') {
        return Err(Invalid::value("agent", "must not contain a slash"));
    }
    TreePath::new("agent", format!("{root}agents/{agent}"))
}

/// The rest of `path` below `folder`, by whole parts: `ab/c` is not below `a`. The root is the empty folder.
pub fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// The reason why a part of a path is refused. Names that disks and servers interpret as others are refused too.
pub(super) fn refused(part: &str) -> Option<&'static str> {
    if part.is_empty() {
        return Some("must be names with one `/` between them, and none at either end");
    }
    if part.chars().all(|c| c == '.') || part.ends_with(['.', ' ']) || part.starts_with(' ') {
        return Some("must not have a part that is dots, ends with a dot, or begins or ends with a space");
    }
    if part.contains(['\\', ':']) || part.chars().any(char::is_control) {
        return Some("must not contain backslashes, colons or control characters");
    }
    let encoded = part.split('%').skip(1).any(|rest| {
        let mut digits = rest.chars();
        digits.next().is_some_and(|c| c.is_ascii_hexdigit()) && digits.next().is_some_and(|c| c.is_ascii_hexdigit())
    });
    encoded.then_some("must not be percent-encoded")
}

/// The path in the tree for a path of the memory tool, where `/memories` is the folder `root` (the tree itself if that
/// is empty). `None` is that folder. The error is the tool's answer.
pub fn from_memories(root: &str, path: &str) -> Result<Option<TreePath>, String> {
    let inner = path.strip_prefix(MEMORIES).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let Some(inner) = inner else {
        return Err(format!("Path must start with {MEMORIES}, got: {path}"));
    };
    // A folder may end with a slash.
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    let text = match (root, inner) {
        (root, "") => root.to_owned(),
        ("", inner) => inner.to_owned(),
        (root, inner) => format!("{root}/{inner}"),
    };
    let escapes = |_| format!("Path {path} would escape {MEMORIES} directory");
    if inner.is_empty() { Ok(None) } else { TreePath::new("path", text).map(Some).map_err(escapes) }
}

/// The memory tool's path for a path of the tree, if it is in the folder `root`.
pub fn to_memories(root: &str, path: &str) -> Option<String> {
    if path == root { Some(MEMORIES.to_owned()) } else { Some(format!("{MEMORIES}/{}", below(path, root)?)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_paths_of_the_tree_are_taken() {
        for path in [
            "agents/coder/memory/context.md",
            "team-memory/handoffs.md",
            ".microai/agents/a/agent.md",
            "ghi chú/Đà Nẵng 👩‍🚀.md",
            "100%.md",
            "a..b/c...d",
            "%zz",
        ] {
            assert_eq!(TreePath::new("path", path).unwrap().as_str(), path);
        }
        let path = TreePath::new("path", "a/b.md").unwrap();
        assert_eq!((path.name(), path.folder()), ("b.md", "a"));
        assert_eq!(TreePath::new("path", "b.md").unwrap().folder(), "");
        assert_eq!(path.join("name", "c").unwrap().as_str(), "a/b.md/c");
    }

    #[test]
    fn a1_a2_a42_documented_files_have_their_places() {
        let at = |kind, agent| path_of("", kind, agent, "2025-12-31").map(|path| path.0);
        assert_eq!(at(Kind::Context, "a").unwrap(), "agents/a/memory/context.md");
        assert_eq!(at(Kind::Session, "Đà").unwrap(), "agents/Đà/memory/sessions/2025-12-31.md");
        assert_eq!(at(Kind::Handoffs, "..").unwrap(), "team-memory/handoffs.md");
        let rooted = path_of(".microai/", Kind::DispatchLog, "a", "").unwrap();
        assert_eq!(rooted.as_str(), ".microai/agents/a/memory/dispatch-log.md");
        for kind in [Kind::Decisions, Kind::Learnings, Kind::TeamContext, Kind::TeamDecisions, Kind::Blockers] {
            assert_eq!(Kind::of(&at(kind, "a").unwrap()), kind);
        }
        for agent in ["", "..", "a/b", "a/../b", "%2e%2e", "a\\b"] {
            assert_eq!(at(Kind::Context, agent).unwrap_err().field(), "agent", "{agent}");
        }
        assert_eq!(path_of("", Kind::Session, "a", "2025-13-45").unwrap_err().field(), "date");
        assert_eq!(path_of("", Kind::Other, "a", "").unwrap_err().field(), "kind");
    }

    #[test]
    fn no_path_leaves_the_tree() {
        let outside = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../x",
            "a/../b",
            "a/..",
            "a/./b",
            ".",
            "a//b",
            "a/",
            "a\\b",
            "..\\x",
            "%2e%2e/x",
            "a/%2E%2e",
            "a%2fb",
            "%252e",
            "a\0b",
            "a\nb",
            "...",
            "a/.. /b",
            "a./b",
            "a /b",
            " a",
            "C:/x",
            "a.md:stream",
            "file:///etc",
            "\u{7f}",
        ];
        for path in outside {
            assert_eq!(TreePath::new("to", path).unwrap_err().field(), "to", "{path:?}");
            assert!(from_memories("agents/a/memory", &format!("/memories/{path}/x")).is_err(), "{path:?}");
        }
        assert_eq!(TreePath::new("p", "x".repeat(257)).unwrap_err(), Invalid::too_large("p", 256, 257));
        assert_eq!(TreePath::new("p", "x/".repeat(600)).unwrap_err(), Invalid::too_large("p", 1024, 1200));
    }

    #[test]
    fn s6_folders_end_at_a_slash() {
        assert_eq!(below("user1/a", "user1"), Some("a"));
        assert_eq!(below("user10/a", "user1"), None);
        assert_eq!(below("user1", "user1"), None);
        assert_eq!(below("a", ""), Some("a"));
    }

    #[test]
    fn paths_of_the_memory_tool_go_there_and_back() {
        let there = |root: &str, path: &str| from_memories(root, path).map(|path| path.map(|path| path.0));
        for root in ["", "agents/a/memory"] {
            for path in ["/memories/x.md", "/memories/a/b/c.md"] {
                let inside = there(root, path).unwrap().unwrap();
                assert_eq!(to_memories(root, &inside).unwrap(), path);
            }
            assert_eq!(there(root, "/memories"), Ok(None));
            assert_eq!(there(root, "/memories/"), Ok(None));
        }
        assert_eq!(there("", "/memories/a/"), Ok(Some("a".to_owned())));
        assert_eq!(to_memories("a", "a"), Some("/memories".to_owned()));
        assert_eq!(to_memories("a", "ab"), None);
        for path in ["/memoriesx/a", "memories/a", "/etc", "", "/memorie", "C:\\memories"] {
            assert_eq!(there("", path), Err(format!("Path must start with /memories, got: {path}")));
        }
        let path = "/memories/../secrets";
        assert_eq!(there("", path), Err(format!("Path {path} would escape /memories directory")));
    }
}
