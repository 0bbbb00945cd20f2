//! Runs every file of tests/scenarios through the Rust door.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use keepsake::codec::json::{config, parse};
use keepsake::memory::scripted::Scripted;
use keepsake::memory::snapshot;
use keepsake::model::UserId;
use keepsake::{MemStore, Memory};
use serde_json::{Value, json};

/// F42: the same calls give the same answers and the same stored bytes at every door.
#[test]
fn scenarios_give_their_answers() {
    let mut files: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are no scenarios");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let scenario: Value = serde_json::from_str(&text).unwrap();
        futures::executor::block_on(run(&scenario));
    }
}

async fn run(scenario: &Value) {
    let name = &scenario["name"];
    let world = Scripted::new(scenario["now"].as_i64().unwrap(), scenario["seed"].as_u64().unwrap());
    let user = || UserId::new("user", scenario["user"].as_str().unwrap()).unwrap();
    let storage = MemStore::new();
    let config = config(parse(&scenario["config"].to_string()).unwrap()).unwrap();
    let open = || Memory::open(storage.connect(), world.clone(), user(), config.clone());
    let mut memory = open().await.unwrap();
    for (at, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
        if let Some(millis) = step["wait"].as_i64() {
            world.set_now(world.millis() + millis);
        } else if step["reopen"] == true {
            memory.close().await.unwrap();
            memory = open().await.unwrap();
        } else {
            let args = parse(&step["args"].to_string()).unwrap();
            let seen = match memory.call(step["call"].as_str().unwrap(), args).await {
                Ok(answer) => json!({ "gives": serde_json::from_str::<Value>(&answer.to_string()).unwrap() }),
                Err(error) => json!({ "fails": { "code": error.code().as_str(), "field": error.field() } }),
            };
            let mut wanted = step.clone();
            wanted.as_object_mut().unwrap().retain(|key, _| key == "gives" || key == "fails");
            assert_eq!(seen, wanted, "{name}, step {at}: {step}\nsaw {seen}");
        }
    }
    memory.close().await.unwrap();
    assert_eq!(snapshot::of(&storage).await.unwrap(), scenario["snapshot"], "{name}: what is stored in the end");
}
