//! Runs one file of tests/scenarios on any store: the calls, and what is stored in the end.

use keepsake::codec::json::{config, parse};
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::snapshot;
use keepsake::model::UserId;
use keepsake::store::contract::Medium;
use serde_json::{Value, json};

pub(crate) fn steps(scenario: &Value) -> &Vec<Value> {
    scenario["steps"].as_array().unwrap()
}

/// The outcome of each step, `{}` if it calls nothing, and the hash of what is stored in the end.
pub(crate) async fn run(medium: &impl Medium, scenario: &Value) -> (Vec<Value>, String) {
    let world = Scripted::new(scenario["now"].as_i64().unwrap(), scenario["seed"].as_u64().unwrap());
    let user = || UserId::new("user", scenario["user"].as_str().unwrap()).unwrap();
    let connect = async || medium.connect(scenario["name"].as_str().unwrap()).await.unwrap();
    let config = config(parse(&scenario["config"].to_string()).unwrap()).unwrap();
    let open = async || Memory::open(connect().await, world.clone(), user(), config.clone()).await.unwrap();
    let mut memory = open().await;
    let mut outcomes = Vec::new();
    for step in steps(scenario) {
        let mut outcome = json!({});
        if let Some(millis) = step["wait"].as_i64() {
            world.set_now(world.millis() + millis);
        } else if step["reopen"] == true {
            memory.close().await.unwrap();
            memory = open().await;
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
    (outcomes, snapshot::of(&connect().await).await.unwrap())
}

/// Holds a scenario to its answers.
pub(crate) fn check(scenario: &Value, seen: Vec<Value>, stored: &str) {
    let name = &scenario["name"];
    for (at, (step, seen)) in steps(scenario).iter().zip(seen).enumerate() {
        let mut wanted = step.clone();
        wanted.as_object_mut().unwrap().retain(|key, _| key == "gives" || key == "fails");
        assert_eq!(seen, wanted, "{name}, step {at}: {step}\nsaw {seen}");
    }
    assert_eq!(stored, scenario["snapshot"], "{name}: what is stored in the end");
}
