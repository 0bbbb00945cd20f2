//! A statement that is made again strengthens one entry, one that an answer uses gains, and one that is never used fades.

use crate::shared::Scene;
use crate::verbs::{call, names, refused};
use futures::executor::block_on;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A memory, and the clock of its world.
fn memory() -> (Scene, Scripted) {
    let world = Scripted::new(1_735_812_000_000, 7);
    let user = UserId::new("user", "u-1").unwrap();
    let memory = block_on(Memory::open(MemStore::new(), world.clone(), user, Config::default())).unwrap();
    (memory, world)
}

fn wait(world: &Scripted, days: i64) {
    world.set_now(world.millis() + days * DAY);
}

fn add(memory: &Scene, content: &str, more: &Value) -> Value {
    let mut args = json!({"content": content, "namespace": "long-term"});
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    call(memory, "add", args)
}

fn said(role: &str, content: &str) -> Value {
    json!({"messages": [{"role": role, "content": content}]})
}

#[test]
fn a_statement_that_is_added_again_strengthens_one_entry() {
    for (one, other) in [
        ("I like green tea", "i like  green tea."),
        ("Mình thích trà xanh", "mình thích trà xanh"),
        ("緑茶が好きです", "緑茶が好きです。"),
        ("Я люблю зелёный чай", "я люблю зелёный чай!"),
    ] {
        let (memory, world) = memory();
        let first = add(&memory, one, &json!({}));
        assert_eq!((&first["count"], &first["seenAt"]), (&Value::Null, &Value::Null));
        wait(&world, 3);
        let second = add(&memory, other, &json!({"importance": 0.5}));
        assert_eq!((&second["id"], &second["count"], &second["version"]), (&first["id"], &json!(2), &json!(1)));
        assert_eq!(second["seenAt"], second["updatedAt"]);
        assert_eq!(second["importance"], 0.5);
        assert!(second["expiresAt"].as_str() > first["expiresAt"].as_str());
        assert_eq!(call(&memory, "count", json!({})), 1);
        // A repetition in a conversation counts as well.
        let recorded = call(&memory, "record", json!({"texts": [one]}));
        assert_eq!((&recorded[0]["outcome"], &recorded[0]["count"]), (&json!("same"), &json!(3)));
        // A new text is counted anew.
        let changed = call(&memory, "update", json!({"id": first["id"], "content": "I like black tea"}));
        assert_eq!((&changed["count"], &changed["seenAt"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn a_draft_that_says_more_or_is_to_be_kept_is_an_entry_of_its_own() {
    for more in [
        json!({"duplicates": "keep"}),
        json!({"id": "mine"}),
        json!({"key": "drink"}),
        json!({"tags": ["drink"]}),
        json!({"metadata": {"page": 3}}),
        json!({"source": "https://example.com"}),
        json!({"session": "s-1"}),
        json!({"agent": "cook"}),
        json!({"speaker": "Ben"}),
        json!({"trust": "low"}),
        json!({"at": "2024-05-01"}),
        json!({"validUntil": "2030-01-01"}),
        json!({"ttl": 1000}),
        json!({"namespace": "short-term"}),
    ] {
        let (memory, _) = memory();
        let first = add(&memory, "I like green tea", &json!({}));
        let second = add(&memory, "I like green tea", &more);
        assert_ne!(first["id"], second["id"], "{more}");
        assert_eq!(second["count"], Value::Null, "{more}");
    }
    let (memory, _) = memory();
    let long = "word ".repeat(300);
    assert_ne!(add(&memory, &long, &json!({}))["id"], add(&memory, &long, &json!({}))["id"], "a document");
    assert_ne!(
        add(&memory, "The bill is 1.5", &json!({}))["id"],
        add(&memory, "The bill is 15", &json!({}))["id"],
        "other words"
    );
    let wrong = json!({"content": "I like tea", "duplicates": "drop"});
    assert_eq!(refused(&memory, "add", wrong), (ErrorCode::InvalidInput, "duplicates".to_owned()));
}

#[test]
fn an_entry_that_is_past_or_deleted_is_not_repeated() {
    let (memory, _) = memory();
    let first = add(&memory, "I like green tea", &json!({}));
    call(&memory, "delete", json!({"id": first["id"]}));
    let second = add(&memory, "I like green tea", &json!({}));
    assert_ne!(first["id"], second["id"]);
    call(&memory, "record", said("user", "I live in Hanoi"));
    call(&memory, "record", said("user", "I moved to Da Nang"));
    add(&memory, "I live in Hanoi", &json!({"speaker": "user"}));
    assert_eq!(
        call(&memory, "list", json!({"namespace": "long-term", "includePast": true})).as_array().unwrap().len(),
        4
    );
}

/// The entry with this id.
fn entry(memory: &Scene, id: &Value) -> Value {
    call(memory, "get", json!({"id": id}))
}

#[test]
fn a_statement_that_an_answer_uses_gains_once_a_day_and_one_of_low_trust_never() {
    let (memory, world) = memory();
    let cat = add(&memory, "My cat is called Misha", &json!({}));
    let dog = add(&memory, "My dog is called Rex", &json!({}));
    let page = add(&memory, "The vet is called Bello Clinic", &json!({"trust": "low"}));
    let ask = |question: &str, answer: &str| {
        call(&memory, "retrieve", json!({"query": question}));
        call(&memory, "record", said("assistant", answer));
    };
    let importance = |id: &Value| entry(&memory, id)["importance"].as_f64().unwrap();
    // On the day of the statement a use says nothing new.
    ask("What is my cat called?", "Your cat is called Misha.");
    assert!(importance(&cat["id"]) == 0.0);
    wait(&world, 2);
    ask("What is my cat called?", "Your cat is called Misha.");
    ask("What is my cat called?", "Misha, as you told me.");
    assert_eq!(importance(&cat["id"]), 0.1, "once a day");
    assert_eq!(entry(&memory, &cat["id"])["count"], Value::Null, "it was not stated again");
    assert_eq!(entry(&memory, &cat["id"])["version"], 1);
    ask("What is my dog called?", "I would have to look that up.");
    assert_eq!(importance(&dog["id"]), 0.0, "recalled, not used");
    ask("What is the vet called?", "The vet is called Bello Clinic.");
    assert_eq!(importance(&page["id"]), 0.0, "a page gains nothing by being repeated");
    wait(&world, 2);
    ask("What is my cat called?", "Misha!");
    assert_eq!(importance(&cat["id"]), 0.19);
}

#[test]
fn what_is_never_used_fades_in_rank_and_stays_in_memory() {
    let (memory, world) = memory();
    let old = add(&memory, "The tulips are planted by the shed", &json!({}));
    let pinned = add(&memory, "The tulips are planted by the pond", &json!({"importance": 1}));
    wait(&world, 365);
    let new = add(&memory, "The tulips are planted by the gate", &json!({}));
    let ask = json!({"query": "where are the tulips planted?", "onlyAnswers": true, "explain": true});
    let found = call(&memory, "queryMemory", ask);
    let of = |id: &Value| {
        let hit = found.as_array().unwrap().iter().find(|hit| hit["ref"] == *id).unwrap().clone();
        let parts = hit["receipt"].as_array().unwrap().clone();
        let fading: Vec<f64> =
            parts.iter().filter(|part| part["label"] == "fading").map(|part| part["value"].as_f64().unwrap()).collect();
        let sum: f64 = parts.iter().map(|part| part["value"].as_f64().unwrap()).sum();
        assert!((sum - hit["score"].as_f64().unwrap()).abs() < 1e-9, "the receipt adds up: {hit}");
        fading
    };
    let order = names(&found, "ref");
    assert_eq!(order.last().unwrap(), old["id"].as_str().unwrap(), "{order:?}");
    assert!(of(&old["id"])[0] < 0.0);
    assert!(of(&pinned["id"]).is_empty(), "of the highest importance: it does not fade");
    assert!(of(&new["id"]).is_empty());
    // Years later it still answers.
    wait(&world, 3000);
    let found = call(&memory, "queryMemory", json!({"query": "what is planted by the shed?", "onlyAnswers": true}));
    assert!(names(&found, "ref").contains(&old["id"].as_str().unwrap().to_owned()), "{found}");
}
