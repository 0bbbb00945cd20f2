//! Runs every file of tests/scenarios through the Rust door, on a store in memory and on one in a file, and sees that no verb is without a scenario.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use keepsake::codec::json::{config, parse};
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::snapshot;
use keepsake::model::UserId;
use keepsake::native::FileStore;
use keepsake::{MemStore, Store};
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
        let storage = MemStore::new();
        let (seen, stored) = futures::executor::block_on(run(&scenario, || storage.connect()));
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
    for (path, scenario) in scenarios() {
        let folder = Folder::new();
        let file = folder.file(path.file_stem().unwrap().to_str().unwrap());
        let connect = || FileStore::open(&file).unwrap();
        let (seen, stored) = futures::executor::block_on(run(&scenario, connect));
        check(&scenario, seen, &stored);
    }
}

fn check(scenario: &Value, seen: Vec<Value>, stored: &str) {
    let name = &scenario["name"];
    for (at, (step, seen)) in steps(scenario).iter().zip(seen).enumerate() {
        let mut wanted = step.clone();
        wanted.as_object_mut().unwrap().retain(|key, _| key == "gives" || key == "fails");
        assert_eq!(seen, wanted, "{name}, step {at}: {step}\nsaw {seen}");
    }
    assert_eq!(stored, scenario["snapshot"], "{name}: what is stored in the end");
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

fn steps(scenario: &Value) -> &Vec<Value> {
    scenario["steps"].as_array().unwrap()
}

/// The outcome of each step, `{}` if it calls nothing, and the hash of what is stored in the end. Before each `connect` the
/// former store was closed.
async fn run<S: Store>(scenario: &Value, connect: impl Fn() -> S) -> (Vec<Value>, String) {
    let world = Scripted::new(scenario["now"].as_i64().unwrap(), scenario["seed"].as_u64().unwrap());
    let user = || UserId::new("user", scenario["user"].as_str().unwrap()).unwrap();
    let config = config(parse(&scenario["config"].to_string()).unwrap()).unwrap();
    let open = || Memory::open(connect(), world.clone(), user(), config.clone());
    let mut memory = open().await.unwrap();
    let mut outcomes = Vec::new();
    for step in steps(scenario) {
        let mut outcome = json!({});
        if let Some(millis) = step["wait"].as_i64() {
            world.set_now(world.millis() + millis);
        } else if step["reopen"] == true {
            memory.close().await.unwrap();
            memory = open().await.unwrap();
        } else {
            let args = parse(&step["args"].to_string()).unwrap();
            outcome = match memory.call(step["call"].as_str().unwrap(), args).await {
                Ok(answer) => json!({ "gives": serde_json::from_str::<Value>(&answer.to_string()).unwrap() }),
                Err(error) => json!({ "fails": { "code": error.code().as_str(), "field": error.field() } }),
            };
        }
        outcomes.push(outcome);
    }
    memory.close().await.unwrap();
    (outcomes, snapshot::of(&connect()).await.unwrap())
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
