//! Runs every file of tests/scenarios through the component.

use futures::executor::block_on;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::snapshot;
use keepsake_host::{Instance, ResourceAny, Storage, json};
use serde_json::{Value, json};
use std::path::Path;

/// F42: the same calls give the same answers and the same stored bytes at every door.
#[test]
fn scenarios_give_their_answers() {
    for scenario in scenarios() {
        run(&scenario, false);
    }
}

#[test]
fn scenarios_give_their_answers_when_each_reopen_is_another_instance() {
    for scenario in scenarios() {
        run(&scenario, true);
    }
}

fn scenarios() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are no scenarios");
    let read = |path: &std::path::PathBuf| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (untyped, typed): (Vec<Value>, Vec<Value>) =
        files.iter().map(read).partition(|scenario: &Value| scenario.get("untyped").is_some());
    for scenario in untyped {
        let unknown = scenario["steps"].as_array().unwrap().iter().filter_map(|step| step["call"].as_str());
        assert!(unknown.into_iter().any(|verb| !json::knows(verb)), "{}: all of it can be said", scenario["name"]);
    }
    typed
}

fn run(scenario: &Value, fresh_instances: bool) {
    let name = &scenario["name"];
    let world = Scripted::new(scenario["now"].as_i64().unwrap(), scenario["seed"].as_u64().unwrap());
    let config = scenario.get("config").map(Value::to_string);
    let storage = Storage::default();
    let mut instance = Instance::new(&storage, &world);
    let open = |instance: &mut Instance| -> ResourceAny {
        instance.open_with(scenario["user"].as_str().unwrap(), config.as_deref()).unwrap().unwrap()
    };
    let mut memory = open(&mut instance);
    for (at, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
        if let Some(millis) = step["wait"].as_i64() {
            world.set_now(world.millis() + millis);
        } else if step["reopen"] == true {
            instance.close(memory).unwrap().unwrap();
            if fresh_instances {
                instance = Instance::new(&storage, &world);
            }
            memory = open(&mut instance);
        } else {
            let verb = step["call"].as_str().unwrap();
            // What cannot be said through WIT changes nothing; the bytes in the end are compared all the same.
            if step.get("untyped").is_some() || !json::knows(verb) {
                continue;
            }
            // Some arguments have a shorter form in JSON, which types cannot say.
            let args = step.get("typed").unwrap_or(&step["args"]);
            let seen = match json::call(&mut instance, memory, verb, args).unwrap() {
                Ok(answer) => json!({ "gives": answer }),
                Err(failure) => json!({ "fails": json::sayable_failure(&failure) }),
            };
            let mut wanted = step.clone();
            wanted.as_object_mut().unwrap().retain(|key, _| key == "gives" || key == "fails");
            if let Some(gives) = wanted.get_mut("gives") {
                *gives = json::sayable(verb, args, gives);
            }
            if let Some(fails) = wanted.get_mut("fails") {
                *fails = json::sayable_failure(fails);
            }
            assert_eq!(seen, wanted, "{name}, step {at}: {step}\nsaw {seen}");
        }
    }
    instance.close(memory).unwrap().unwrap();
    let stored = block_on(snapshot::of(&storage.connect())).unwrap();
    assert_eq!(stored, scenario["snapshot"], "{name}: what is stored in the end");
}
