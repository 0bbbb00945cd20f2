//! Runs every file of tests/scenarios through the Rust door, and sees that no verb is without a scenario.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use keepsake::codec::json::{config, parse};
use keepsake::memory::scripted::Scripted;
use keepsake::memory::snapshot;
use keepsake::model::{Json, UserId};
use keepsake::{MemStore, Memory};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// F42: the same calls give the same answers and the same stored bytes at every door.
#[test]
fn scenarios_give_their_answers() {
    let recorded = std::env::var("KEEPSAKE_RECORD").ok();
    for (path, scenario) in scenarios() {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if recorded.as_deref().is_some_and(|name| name != stem) {
            continue;
        }
        let (seen, stored) = futures::executor::block_on(run(&scenario));
        if recorded.is_some() {
            std::fs::write(&path, record(&scenario, seen, &stored)).unwrap();
            continue;
        }
        let name = &scenario["name"];
        for (at, (step, seen)) in steps(&scenario).iter().zip(seen).enumerate() {
            let mut wanted = step.clone();
            wanted.as_object_mut().unwrap().retain(|key, _| key == "gives" || key == "fails");
            assert_eq!(seen, wanted, "{name}, step {at}: {step}\nsaw {seen}");
        }
        assert_eq!(stored, scenario["snapshot"], "{name}: what is stored in the end");
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

fn steps(scenario: &Value) -> &Vec<Value> {
    scenario["steps"].as_array().unwrap()
}

/// The outcome of each step, `{}` if it calls nothing, and the hash of what is stored in the end.
async fn run(scenario: &Value) -> (Vec<Value>, String) {
    let world = Scripted::new(scenario["now"].as_i64().unwrap(), scenario["seed"].as_u64().unwrap());
    let user = || UserId::new("user", scenario["user"].as_str().unwrap()).unwrap();
    let storage = MemStore::new();
    let config = config(parse(&scenario["config"].to_string()).unwrap()).unwrap();
    let open = || Memory::open(storage.connect(), world.clone(), user(), config.clone());
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
    (outcomes, snapshot::of(&storage).await.unwrap())
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

/// All verbs: of the strings in `src/memory/call` and the functions in `wit` those that `Memory::call` knows.
fn verbs() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, text) in texts("src/memory/call", "rs") {
        let strings = text.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
        let is_name = |text: &&str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphabetic());
        names.extend(strings.filter(is_name).map(str::to_owned));
    }
    for (_, text) in texts("wit", "wit") {
        let functions = text.lines().filter_map(|line| line.split_once(':').filter(|(_, what)| what.contains("func(")));
        names.extend(functions.map(|(name, _)| camel(name.trim().trim_start_matches('%'))));
    }
    let refused = |verb: &str| futures::executor::block_on(refusal(verb));
    let unknown = refused("noSuchVerb");
    assert!(unknown.is_some());
    names.retain(|name| refused(name) != unknown);
    names
}

/// The error of a verb without arguments, in a memory of its own.
async fn refusal(verb: &str) -> Option<String> {
    let user = UserId::new("user", "u-1").unwrap();
    let config = config(Json::Null).unwrap();
    let memory = Memory::open(MemStore::new().connect(), Scripted::new(0, 1), user, config).await.unwrap();
    memory.call(verb, Json::Null).await.err().map(|error| error.to_string())
}

/// `set-title` as a verb: `setTitle`.
fn camel(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + &part[..1].to_uppercase() + &part[1..])
}

/// The files with this extension in a folder of the repository.
fn texts(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let items = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let paths =
        items.map(|item| item.unwrap().path()).filter(|path| path.extension().is_some_and(|of| of == extension));
    paths.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
}
