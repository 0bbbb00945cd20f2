//! The component beside the library itself: the same calls give the same answers and leave the same bytes.

use crate::NOW;
use futures::executor::block_on;
use keepsake::Memory;
use keepsake::codec::json::parse;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake_host::{Instance, Storage, json};
use serde_json::{Value, json};

/// Good calls and bad ones. Where a number is wanted, `n` is one that changes from call to call.
fn calls(n: u32) -> Vec<(&'static str, Value)> {
    let id = format!("id-{}", n % 20);
    vec![
        ("add", json!({ "content": format!("remembered {n}") })),
        ("add", json!({ "content": format!("called {n}"), "id": id, "namespace": "long-term" })),
        ("add", json!({ "content": "việt 👩‍🚀 ".repeat(n as usize % 500), "tags": ["a", "b", "a"], "importance": 0.25 })),
        (
            "add",
            json!({ "content": "x".repeat(200_001), "source": "a file", "metadata": { "n": n, "__proto__": [null] } }),
        ),
        ("add", json!({ "content": " " })),
        ("add", json!({})),
        ("add", json!({ "content": 5 })),
        ("add", json!({ "content": "a", "contant": "b" })),
        ("add", json!({ "content": "a", "id": "x".repeat(300) })),
        ("add", json!({ "content": "a", "namespace": "secret" })),
        ("add", json!({ "content": "a", "tags": ["a", ""] })),
        ("add", json!({ "content": "a", "tags": "a" })),
        ("add", json!({ "content": "a", "importance": 1.5 })),
        ("add", json!({ "content": "a", "metadata": [1] })),
        ("add", json!({ "content": "a", "source": "s".repeat(2000) })),
        ("get", json!({ "id": id })),
        ("get", json!({ "id": "nobody" })),
        ("get", json!({ "id": "" })),
        ("get", json!({})),
        ("list", Value::Null),
        ("list", json!({ "namespace": "long-term", "limit": n % 7 })),
        ("list", json!({ "after": id, "limit": 3 })),
        ("list", json!({ "limit": -1 })),
        ("list", json!({ "namespace": "secret" })),
        ("forget", json!({})),
    ]
}

#[test]
fn the_component_answers_as_the_library_does_and_stores_the_same_bytes() {
    let (storage, twin_storage) = (Storage::default(), Storage::default());
    let (world, twin_world) = (Scripted::new(NOW, 42), Scripted::new(NOW, 42));
    let mut instance = Instance::new(&storage, &world);
    let memory = instance.open("u-1").unwrap().unwrap();
    let user = UserId::new("user", "u-1").unwrap();
    let twin = block_on(Memory::open(twin_storage.connect(), twin_world.clone(), user, Config::default())).unwrap();
    // A fixed sequence that looks like chance.
    let mut chance: u32 = 1;
    for _ in 0..400 {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let n = chance >> 16;
        let calls = calls(n / 32);
        let (verb, args) = &calls[n as usize % calls.len()];
        for world in [&world, &twin_world] {
            // Up to four hours on, and now and then one back: some entries expire on the way.
            world.set_now(world.millis() + i64::from(n % 5 * 3_600_000) - 3_600_000);
        }
        let seen = json::call(&mut instance, memory, verb, args.clone()).unwrap();
        let seen = seen.map_err(|error| json::failure(&error));
        let wanted = block_on(twin.call(verb, parse(&args.to_string()).unwrap()));
        let wanted = wanted.map(|answer| serde_json::from_str::<Value>(&answer.to_string()).unwrap());
        let wanted = wanted.map_err(|error| json!({ "code": error.code().as_str(), "field": error.field() }));
        assert_eq!(seen, wanted, "{verb} {args}");
    }
    assert!(storage.holds_the_same_as(&twin_storage));
}
