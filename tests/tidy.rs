//! The plan of the house, checked: arrows between folders point down, and every file says what lives there.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::fs;
use std::path::{Path, PathBuf};

/// What each folder of src/ may use. A folder that is not here may not exist.
const ARROWS: [(&str, &[&str]); 13] = [
    ("model", &[]),
    ("text", &["model"]),
    ("codec", &["model"]),
    ("log", &["model", "codec"]),
    ("index", &["model", "codec", "text"]),
    ("context", &["model", "text", "codec"]),
    ("learn", &["model", "text"]),
    ("files", &["model", "text"]),
    ("tools", &["model", "codec"]),
    ("store", &[]),
    ("memory", &["model", "text", "codec", "log", "index", "context", "learn", "files", "tools", "store"]),
    ("web", &["model", "codec", "memory", "store"]),
    ("component", &["model", "codec", "files", "tools", "memory", "store"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    let name = |path: &Path| path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// The folders that a source names after `crate::`, wherever it does.
fn used(source: &str) -> impl Iterator<Item = &str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn arrows_point_down() {
    let mut wrong = Vec::new();
    for (name, source) in sources() {
        let Some(folder) = name.strip_prefix("src/").and_then(|rest| rest.split_once('/')).map(|(folder, _)| folder)
        else {
            continue;
        };
        let Some((_, may)) = ARROWS.iter().find(|(known, _)| *known == folder) else {
            wrong.push(format!("{name}: src/{folder}/ is not in the plan"));
            continue;
        };
        for target in used(&source) {
            if target != folder && !may.contains(&target) {
                wrong.push(format!("{name} uses crate::{target}, and {folder}/ may use only {may:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_waits_below_memory() {
    let waiting = sources().into_iter().filter(|(name, source)| {
        let pure = ["model", "text", "codec", "log", "index", "context", "learn", "files", "tools"]
            .iter()
            .any(|folder| name.starts_with(&format!("src/{folder}/")));
        pure && (source.contains("async ") || source.contains(".await"))
    });
    assert_eq!(waiting.map(|(name, _)| name).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_file_says_what_lives_there() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "xtask"] {
        rust_files(&root().join(folder), &mut files);
    }
    files.retain(|path| !path.components().any(|part| part.as_os_str() == "target"));
    let silent: Vec<_> = files.iter().filter(|path| !fs::read_to_string(path).unwrap().starts_with("//! ")).collect();
    assert!(silent.is_empty(), "no `//!` first line: {silent:?}");
}

#[test]
fn the_arrow_check_sees_every_form() {
    let source =
        "use crate::model::Entry;\n    crate::store::Key\n// crate::web is only spoken of\npub(crate) fn f() {}";
    assert_eq!(used(source).collect::<Vec<_>>(), ["model", "store"]);
}
