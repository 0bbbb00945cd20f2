//! Runs every file of tests/scenarios through the Rust door, on a store in memory and on one in a file, and sees that no verb is without a scenario.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

#[path = "shared/scenario.rs"]
mod scenario;

use keepsake::MemStore;
use keepsake::native::FileStore;
use keepsake::store::StoreError;
use keepsake::store::contract::Medium;
use scenario::{check, run, steps};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[path = "shared/folder.rs"]
mod folder;

use folder::Folder;

/// F42: the same calls give the same answers and the same stored bytes at every door.
#[test]
fn scenarios_give_their_answers() {
    let recorded = std::env::var("KEEPSAKE_RECORD").ok();
    for (path, scenario) in scenarios() {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if recorded.as_deref().is_some_and(|name| name != stem) {
            continue;
        }
        let (seen, stored) = futures::executor::block_on(run(&One(MemStore::new()), &scenario));
        if recorded.is_some() {
            std::fs::write(&path, record(&scenario, seen, &stored)).unwrap();
            continue;
        }
        check(&scenario, seen, &stored);
    }
}

/// F42: a store in a file, which is closed and opened again wherever a scenario opens its memory again.
#[test]
fn f42_scenarios_give_their_answers_on_a_store_in_a_file() {
    for (_, scenario) in scenarios() {
        let (seen, stored) = futures::executor::block_on(run(&Files(Folder::new()), &scenario));
        check(&scenario, seen, &stored);
    }
}

/// A verb that no scenario calls is held to the same answers at no door.
#[test]
fn each_verb_has_a_scenario() {
    let calls = scenarios().into_iter().flat_map(|(_, scenario)| steps(&scenario).clone());
    let called: BTreeSet<String> = calls.filter_map(|step| step["call"].as_str().map(str::to_owned)).collect();
    let verbs = verbs();
    let unknown: Vec<_> = called.difference(&verbs).collect();
    assert!(unknown.is_empty(), "scenarios call {unknown:?}, which the sources do not name");
    let untried: Vec<_> = verbs.difference(&called).collect();
    assert!(untried.is_empty(), "no scenario calls {untried:?}");
}

fn scenarios() -> Vec<(PathBuf, Value)> {
    let mut files = texts("tests/scenarios", "json");
    files.sort();
    assert!(!files.is_empty(), "there are no scenarios");
    files.into_iter().map(|(path, text)| (path, serde_json::from_str(&text).unwrap())).collect()
}

/// Handles to the same bytes, whatever the name.
struct One(MemStore);

impl Medium for One {
    type Store = MemStore;

    async fn connect(&self, _name: &str) -> Result<MemStore, StoreError> {
        Ok(self.0.connect())
    }
}

/// A file for each name.
struct Files(Folder);

impl Medium for Files {
    type Store = FileStore;

    async fn connect(&self, name: &str) -> Result<FileStore, StoreError> {
        Ok(FileStore::open(self.0.file(name))?)
    }
}

/// The scenario's file with these outcomes. Its author says which steps fail, so that no answer is taken for another.
fn record(scenario: &Value, seen: Vec<Value>, stored: &str) -> String {
    let step = |(step, seen): (&Value, Value)| {
        let fails = |of: &Value| of.get("fails").is_some();
        assert_eq!(fails(step), fails(&seen), "{step}\nsaw {seen}");
        let mut step = step.as_object().unwrap().clone();
        step.remove("gives");
        step.extend(seen.as_object().unwrap().clone());
        format!("\n    {}", spaced(&Value::Object(step)))
    };
    let steps: Vec<String> = steps(scenario).iter().zip(seen).map(step).collect();
    let mut fields = scenario.as_object().unwrap().clone();
    fields.insert("snapshot".to_owned(), stored.into());
    let field = |(name, value): (&String, &Value)| match name.as_str() {
        "steps" => format!("\n  \"steps\": [{}\n  ]", steps.join(",")),
        _ => format!("\n  \"{name}\": {}", spaced(value)),
    };
    format!("{{{}\n}}\n", fields.iter().map(field).collect::<Vec<_>>().join(","))
}

/// JSON on one line, with a space after each colon and comma.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{}: {}", json!(name), spaced(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

/// All verbs, by the generated table of their names.
fn verbs() -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/memory/call/verb.rs");
    let text = std::fs::read_to_string(file).unwrap();
    let names = text.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" =>"));
    let names: BTreeSet<String> = names.map(|(name, _)| name.to_owned()).collect();
    assert!(names.len() > 100, "the table of verbs cannot be read");
    names
}

/// The files with this extension in a folder of the repository.
fn texts(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let items = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let paths =
        items.map(|item| item.unwrap().path()).filter(|path| path.extension().is_some_and(|of| of == extension));
    paths.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
}
