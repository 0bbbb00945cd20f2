//! The API for Rust: builders keep the first mistake, errors have sources, and values have the JSON of every other door.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use futures::executor::block_on;
use keepsake::memory::scripted::Scripted;
use keepsake::types::{MessageDraft, Stats, Step, StepDraft};
use keepsake::{Draft, Entry, EntryWithContent, Error, ErrorCode, Json, LongTerm, MemStore, Memory, Message, Role};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::error::Error as _;
use std::path::Path;

type Opened = Memory<MemStore>;

async fn open() -> Opened {
    Memory::open(MemStore::new(), "u-1").await.unwrap()
}

#[test]
fn the_first_invalid_option_is_the_error_of_the_call() {
    block_on(async {
        let memory = open().await;
        let refused = memory.add("x").importance(2.0).id("").at("noon").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (ErrorCode::InvalidInput, Some("importance")));
        let refused = memory.add_many([Draft::new("fine"), Draft::new("x").tag("")]).await.unwrap_err();
        assert_eq!(refused.field(), Some("drafts[1].tags[0]"));
        assert_eq!(memory.count().await.unwrap(), 0, "a refused call has changed nothing");
        let session = memory.session("");
        assert_eq!(session.append(Role::User, "x").await.unwrap_err().field(), Some("session"));
        assert_eq!(session.messages().await.unwrap_err().field(), Some("session"));
        assert_eq!(memory.update("").content("x").await.unwrap_err().field(), Some("id"));
        assert_eq!(memory.search("x").from("noon").await.unwrap_err().field(), Some("from"));
        assert_eq!(Memory::open(MemStore::new(), "").await.map(|_| ()).unwrap_err().field(), Some("user"));
    });
}

#[test]
fn an_error_has_its_source() {
    block_on(async {
        let memory = open().await;
        let refused = memory.add("x").importance(2.0).await.unwrap_err();
        assert!(refused.source().is_some_and(|source| source.is::<keepsake::Invalid>()));
        memory.close().await.unwrap();
        let closed = memory.add("x").await.unwrap_err();
        assert!(matches!(closed, Error::Closed) && closed.source().is_none());
    });
}

#[test]
fn a_future_of_a_builder_outlives_the_memory_that_made_it() {
    let adding = {
        let memory = block_on(open());
        let adding = memory.add("Tea at four").namespace(LongTerm);
        drop(memory);
        adding.into_future()
    };
    assert_eq!(block_on(adding).unwrap().namespace.as_str(), "long-term");
}

#[test]
fn an_entry_can_be_copied_to_another_memory() {
    block_on(async {
        let (one, other) = (open().await, open().await);
        let added = one.add("Tea at four").id("tea").tag("day").at("2025-01-02T10:00:00Z").await.unwrap();
        let found = one.get(&added.id).await.unwrap().unwrap();
        other.add(found.clone()).await.unwrap();
        let copy = other.get("tea").await.unwrap().unwrap();
        assert_eq!((&copy.content, &copy.tags, copy.at), (&found.content, &found.tags, found.at));
        assert_eq!(copy.created_at, found.created_at);
    });
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Note {
    title: String,
    words: u32,
    ratio: f64,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Part {
    Text(String),
    Picture { width: u16 },
    Rule,
}

#[test]
fn a_collection_keeps_values_of_any_type() {
    block_on(async {
        let memory = open().await;
        let notes = memory.collection("notes");
        let parts = vec![Part::Text("\u{2028}\"".into()), Part::Picture { width: 7 }, Part::Rule];
        let note = Note { title: "Tea".into(), words: u32::MAX, ratio: 0.1 + 0.2, parts };
        notes.set("a", &note).text("green tea").await.unwrap();
        assert_eq!(notes.get::<Note>("a").await.unwrap(), Some(note.clone()));
        assert_eq!(notes.get::<Note>("b").await.unwrap(), None);
        let found = notes.search::<Note>("tea").await.unwrap();
        assert_eq!((found.len(), &found[0].value), (1, &note));

        let added = notes.update("n", |before: Option<i64>| Some(before.unwrap_or(0) + 1)).await.unwrap();
        assert_eq!(added, Some(1));
        let changes = || [keepsake::Change::set("b", &1), keepsake::Change::delete("a")];
        assert!(!notes.write(changes()).expect("n", &7).await.unwrap());
        assert!(notes.write(changes()).expect("n", &1).expect_none("b").await.unwrap());
        assert_eq!(notes.list::<Json>().await.unwrap().len(), 2);
        assert!(notes.delete("b").await.unwrap() && !notes.delete("b").await.unwrap());
        assert_eq!(notes.get_many::<i64, _>(["n", "b"]).await.unwrap(), [Some(1), None]);
    });
}

/// The error of a value of another type names the field, and says nothing of the value.
#[test]
fn s20_a_value_of_another_type_is_an_error_without_its_content() {
    block_on(async {
        let memory = open().await;
        let notes = memory.collection("notes");
        notes.set("a", "the secret").await.unwrap();
        let refused = notes.get::<Note>("a").await.unwrap_err();
        assert_eq!(refused.field(), Some("value"));
        assert!(!refused.to_string().contains("secret"), "{refused}");
    });
}

/// Reads `given` as `T` and writes it again, which must give the same.
fn returns<T: Serialize + DeserializeOwned>(given: &Value, what: &str) {
    let read: T = serde_json::from_str(&given.to_string()).unwrap_or_else(|error| panic!("{what}: {error}\n{given}"));
    assert_eq!(serde_json::to_value(&read).unwrap(), *given, "{what}");
}

/// F42 for serde: every answer of every scenario that holds such values is read and written as it is.
#[test]
fn values_have_the_json_of_every_other_door() {
    let mut seen = [0; 6];
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|of| of != "json") {
            continue;
        }
        let scenario: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for step in scenario["steps"].as_array().unwrap() {
            let Some(gives) = step.get("gives") else { continue };
            let what = format!("{}: {}", path.display(), step["args"]);
            let list = || gives.as_array().map_or_else(|| std::slice::from_ref(gives), Vec::as_slice);
            match step["call"].as_str().unwrap_or_default() {
                "add" | "update" | "promote" | "list" | "addMany" => {
                    list().iter().for_each(|given| returns::<Entry>(given, &what));
                    seen[0] += list().len();
                }
                "get" | "history" if !gives.is_null() => {
                    list().iter().for_each(|given| returns::<EntryWithContent>(given, &what));
                    seen[1] += list().len();
                }
                "append" => {
                    list().iter().for_each(|given| returns::<Message>(given, &what));
                    list().iter().for_each(|given| returns::<MessageDraft>(given, &what));
                    seen[2] += list().len();
                }
                "stats" => {
                    returns::<Stats>(gives, &what);
                    seen[3] += 1;
                }
                "logStep" | "getFailures" => {
                    list().iter().for_each(|given| returns::<Step>(given, &what));
                    seen[4] += list().len();
                }
                "graphRead" | "graphOpen" | "graphSearch" => {
                    returns::<keepsake::types::Graph>(gives, &what);
                    seen[5] += 1;
                }
                _ => {}
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "no scenario has such a value: {seen:?}");
}

/// What a call returns is, through serde, what the verb of the same name answers in JSON.
#[test]
fn a_call_and_its_verb_answer_the_same() {
    block_on(async {
        let clock = Scripted::new(1_735_812_000_000, 7);
        let memory = Memory::open(MemStore::new(), "u-1").env(clock).await.unwrap();
        let call = async |verb: &str, args: Value| -> Value {
            let answer = memory.call(verb, args.to_string().parse().unwrap()).await;
            let answer = answer.unwrap_or_else(|error| panic!("{verb}: {error}"));
            serde_json::from_str(&answer.to_string()).unwrap()
        };
        memory.add("Deploy keys rotate on Mondays").id("keys").namespace(LongTerm).tag("ops").await.unwrap();
        let chat = memory.session("s-1");
        chat.append(Role::User, "I moved to Hanoi. When do deploy keys change?").await.unwrap();
        let document = memory.semantic().add_document("Refunds take five days.").id("refunds.md").await.unwrap();
        assert_eq!(value(&document), json!({ "id": "refunds.md", "chunks": 1, "replaced": 0 }));
        memory.files().write("plan.md", "# Plan\n").await.unwrap();
        memory.experience().log_step(StepDraft::failure("deploy", "push", "denied").trace("t")).await.unwrap();
        let skill = keepsake::types::SkillDraft::new("a refund is asked for").step("orders", None);
        memory.procedural().add_skill(skill).await.unwrap();

        let query = "deploy keys";
        let hits = memory.search(query).explain().include_content().await.unwrap();
        assert_eq!(
            value(&hits),
            call("search", json!({ "query": query, "explain": true, "includeContent": true })).await
        );
        let found = memory.query_memory(query).explain().await.unwrap();
        let told = call("queryMemory", json!({ "query": query, "explain": true })).await;
        assert_eq!(value(&found), *told.get("hits").unwrap_or(&told));
        let miss = memory.search(query).tag("none").explain_miss("keys").await.unwrap();
        assert_eq!(value(&miss), call("explainMiss", json!({ "query": query, "tags": ["none"], "id": "keys" })).await);
        assert_eq!(value(&memory.get("keys").await.unwrap()), call("get", json!({ "id": "keys" })).await);
        assert_eq!(value(&memory.list().await.unwrap()), call("list", json!({})).await);
        assert_eq!(value(&memory.stats().await.unwrap()), call("stats", json!({})).await);

        let session = json!({ "session": "s-1" });
        assert_eq!(value(&chat.info().await.unwrap()), call("session", session.clone()).await);
        assert_eq!(value(&chat.messages().await.unwrap()), call("messages", session.clone()).await);
        assert_eq!(value(&chat.view().await.unwrap()), call("view", session.clone()).await);
        let context = chat.context().budget(4_000).await.unwrap();
        assert_eq!(value(&context), call("context", json!({ "session": "s-1", "budget": 4_000 })).await);
        assert_eq!(value(&memory.digest().await.unwrap()), call("digest", json!({})).await);
        assert_eq!(value(&memory.sessions().await.unwrap()), call("sessions", json!({})).await);

        let known = memory.semantic().search("refunds").await.unwrap();
        assert_eq!(value(&known), call("semanticSearch", json!({ "query": "refunds" })).await);
        assert_eq!(value(&memory.procedural().list().await.unwrap()), call("skills", json!({})).await);
        assert_eq!(value(&memory.experience().failures().await.unwrap()), call("getFailures", json!({})).await);
        assert_eq!(
            value(&memory.files().read("plan.md").await.unwrap()),
            call("file", json!({ "path": "plan.md" })).await
        );
        assert_eq!(value(&memory.log().verify().await.unwrap()), call("logVerify", json!({})).await);
        assert_eq!(value(&memory.verify().await.unwrap()), call("verify", json!({})).await);
        assert_eq!(value(&memory.conflicts().await.unwrap()), call("conflicts", json!({})).await);
        assert_eq!(value(&memory.policy(None, None)), call("policy", json!({})).await);
    });
}

fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).unwrap()
}

#[test]
fn drafts_and_settings_are_read_by_their_documented_names() {
    let draft: Draft =
        serde_json::from_value(json!({ "content": "x", "validFrom": "2025-01-02", "tags": ["a"] })).unwrap();
    let added = block_on(async { open().await.add(draft).await }).unwrap();
    assert_eq!(added.valid_from.map(|at| at.to_string()).as_deref(), Some("2025-01-02T00:00:00.000Z"));
    let refused = serde_json::from_value::<Draft>(json!({ "content": "x", "taggs": [] })).unwrap_err();
    assert!(refused.to_string().contains("did you mean `tags`?"), "{refused}");
    let config: keepsake::Config = serde_json::from_value(json!({ "retrieval": { "topK": 9 } })).unwrap();
    assert_eq!(config.retrieval.top_k, 9);
}

/// A recorded message is an entry too: a model reads the fact once, and what else was said beside it.
#[test]
fn a_prompt_has_a_recorded_fact_once() {
    for (told, asked) in [
        ("By the way, I'm allergic to peanuts.", "Which snack has no peanuts?"),
        ("I live in Hanoi. The weather is fine.", "Where do I live?"),
        ("Tôi sống ở Huế.", "Tôi sống ở đâu?"),
        ("私は大阪に住んでいます。", "私はどこに住んでいますか？"),
        ("Ich wohne in Köln.", "Wo wohne ich?"),
    ] {
        block_on(async {
            let memory = open().await;
            let said = memory.session("monday").append(Role::User, told).await.unwrap();
            memory.record([said]).session("monday").await.unwrap();
            let friday = memory.session("friday");
            friday.append(Role::User, asked).await.unwrap();
            let prompt = friday.context().budget(2_000).await.unwrap().prompt;
            assert_eq!(prompt.matches(told).count(), 1, "{prompt}");
        });
    }
    block_on(async {
        let memory = open().await;
        let told =
            "I live in Hanoi. Yesterday the landlord of the house with the red door came by, and we talked for hours.";
        memory.session("monday").append(Role::User, told).await.unwrap();
        memory.add("I live in Hanoi.").namespace(LongTerm).await.unwrap();
        let friday = memory.session("friday");
        friday.append(Role::User, "Where do I live, and who came by?").await.unwrap();
        let prompt = friday.context().budget(2_000).await.unwrap().prompt;
        assert!(prompt.contains("> I live in Hanoi.\n"), "{prompt}");
        assert!(prompt.contains("> user said: I live in Hanoi. Yesterday"), "{prompt}");
    });
}
