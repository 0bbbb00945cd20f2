//! Names that other programs act on: no sync writes them into a real folder, and a model's tools write documents only.
//!
//! Disks and programs treat many spellings as one name, so names are compared in a plain form: decomposed (NFKD, from
//! the caller), without invisible characters, lowercase.

use super::paths::{TreePath, below, refused};
use crate::model::Invalid;
use crate::text::{is_ignorable, small};

/// Folders of version control and of package managers. The next command runs a hook or a module in one of them.
const OTHERS: [&str; 6] = [".git", ".hg", ".svn", ".jj", ".bzr", "node_modules"];

/// The library's own files in a real folder: the record of a sync, and incomplete files.
const OWN: &str = ".keepsake";

/// Names of devices on Windows, with any extension. Names with a digit are matched separately.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Folders that begin with a dot and are documented homes of memory files.
const HOMES: [&str; 2] = [".microai", ".airsspec"];

/// The extensions of documents. An allowlist: no list of executable ones is ever complete.
const DOCUMENTS: [&str; 13] =
    ["md", "markdown", "txt", "text", "rst", "adoc", "csv", "tsv", "json", "jsonl", "ndjson", "xml", "log"];

/// Files with such an extension that build tools, editors or other agents act on.
const ACTED_ON: [&str; 27] = [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "composer.json",
    "deno.json",
    "bower.json",
    "lerna.json",
    "nx.json",
    "turbo.json",
    "angular.json",
    "project.json",
    "workspace.json",
    "rush.json",
    "nodemon.json",
    "cdk.json",
    "mcp.json",
    "tasks.json",
    "launch.json",
    "settings.json",
    "biome.json",
    "pom.xml",
    "build.xml",
    "cmakelists.txt",
    "agents.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
];

/// The plain form of a name: two names with the same plain form may be one file on a disk. Takes the name in NFKD.
pub fn plain_name(decomposed: &str) -> String {
    let plain: String = decomposed.chars().filter(|c| !is_ignorable(*c)).map(small).collect();
    // The dotless ı is an I in capitals.
    plain.replace('ı', "i").trim_end_matches(['.', ' ']).to_owned()
}

/// The reason why a part of a path must not be written into a real folder; `plain` is its plain form.
pub fn refused_in_folders(name: &str, plain: &str) -> Option<&'static str> {
    if let Some(reason) = refused(name) {
        return Some(reason);
    }
    // Compatibility characters can hide a separator, or the colon before an alternate stream of a file.
    plain.split(['/', '\\', ':']).map(str::trim).find_map(reserved)
}

fn reserved(plain: &str) -> Option<&'static str> {
    if OTHERS.contains(&plain) {
        return Some("is reserved for other programs");
    }
    if plain.starts_with(OWN) {
        return Some("is reserved for syncs");
    }
    let stem = plain.split('.').next().unwrap_or(plain).trim_end();
    let numbered = |device: &str| {
        let digit = stem.strip_prefix(device).filter(|rest| rest.len() == 1);
        digit.is_some_and(|rest| rest.bytes().all(|c| c.is_ascii_digit()))
    };
    if DEVICES.contains(&stem) || numbered("com") || numbered("lpt") {
        return Some("is a device name on some systems; rename it");
    }
    is_short(plain).then_some("is the short form of another name on some systems; it needs another name")
}

/// Whether a name has the form of a short (8.3) name of Windows: `GIT~1`, `PROGRA~2.TXT`.
fn is_short(plain: &str) -> bool {
    let (stem, extension) = plain.split_once('.').unwrap_or((plain, ""));
    let Some((base, number)) = stem.rsplit_once('~') else { return false };
    let digits = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    let short = stem.chars().count() <= 8 && extension.chars().count() <= 3 && !extension.contains('.');
    digits && short && !base.is_empty()
}

/// Checks the paths that an app makes writable for a model's tools: `/` is the whole tree.
pub fn check_writable(writable: &[String]) -> Result<(), Invalid> {
    for (at, path) in writable.iter().enumerate().filter(|(_, path)| *path != "/") {
        TreePath::new(&format!("writable[{at}]"), path.as_str())?;
    }
    Ok(())
}

/// The reason why a model's tool must not change the file at `path`; `shown` is the part that the model chose.
/// `writable` are the files and folders that the app allows whatever their names are; `plain` makes the plain form of a
/// name.
pub fn refused_to_tools(
    path: &TreePath,
    shown: &str,
    writable: &[String],
    plain: &dyn Fn(&str) -> String,
) -> Option<String> {
    let path = path.as_str();
    if let Some(reason) = path.split('/').find_map(|name| refused_in_folders(name, &plain(name))) {
        return Some(reason.to_owned());
    }
    let allowed = |place: &String| place == "/" || place == path || below(path, place).is_some();
    if writable.iter().any(allowed) {
        return None;
    }
    let shown = HOMES.iter().find_map(|home| below(shown, home)).unwrap_or(shown);
    if shown.split('/').any(|name| plain(name).starts_with('.')) {
        return Some("must not have a part that begins with a dot".to_owned());
    }
    let name = plain(shown.rsplit('/').next().unwrap_or(shown));
    let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
    if !DOCUMENTS.contains(&extension) {
        return Some(format!("must be a document with the extension .{}", DOCUMENTS.join(", .")));
    }
    let configures = extension == "json" && stem.contains("config");
    let requires = extension == "txt" && (stem.starts_with("requirements") || stem.starts_with("constraints"));
    (configures || requires || ACTED_ON.contains(&name.as_str()))
        .then(|| "is a file that other programs act on; it needs another name".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> Option<&'static str> {
        refused_in_folders(name, &plain_name(name))
    }

    fn tools(path: &str, writable: &[&str]) -> Option<String> {
        let writable: Vec<String> = writable.iter().map(|path| (*path).to_owned()).collect();
        check_writable(&writable).unwrap();
        refused_to_tools(&TreePath::new("path", path).unwrap(), path, &writable, &plain_name)
    }

    #[test]
    fn a_name_is_reserved_in_every_spelling() {
        for name in [".git", ".GIT", ".g\u{200c}it", ".gıt", "git~1", "GIT~12", "nul", "Aux.md", "com1.txt", "LPT0"] {
            assert!(folder(name).is_some(), "{name}");
        }
        for name in [".git.", "a:b", "a\\b", "..", "", ".keepsake-0.tmp", "prn .txt", "con.tar.gz"] {
            assert!(folder(name).is_some(), "{name}");
        }
        for name in ["git", ".github", "~1", "a~b", "abcdefg~1", "a~1.html", "console.md", "com10", "com", "ab~1.x.y"] {
            assert_eq!(folder(name), None, "{name}");
        }
    }

    #[test]
    fn an_app_allows_files_and_folders_and_nothing_that_is_reserved() {
        assert_eq!(tools("a/b.md", &[]), None);
        assert!(tools("a/b.sh", &[]).unwrap().contains(".md"));
        assert_eq!(tools("a/b.sh", &["a"]), None);
        assert_eq!(tools("a/b.sh", &["a/b.sh"]), None);
        assert!(tools("ab/b.sh", &["a"]).is_some());
        assert_eq!(tools(".github/x.yml", &["/"]), None);
        assert!(tools(".git/x.md", &["/", ".git"]).is_some());
        assert_eq!(tools(".microai/agents/a/memory/context.md", &[]), None);
        assert!(tools(".microai/.env", &[]).is_some());
        for path in ["../x", "", "a//b", "//"] {
            let mistake = check_writable(&["ok".to_owned(), path.to_owned()]).unwrap_err();
            assert_eq!(mistake.field(), "writable[1]", "{path}");
        }
    }
}
