//! Explicit writes and the text they are given: secrets in it are replaced or refused if the caller asks for it,
//! and binary data is refused.

use crate::shared::{Scene, open};
use crate::verbs::{call, refused};
use futures::executor::block_on;
use keepsake::model::Changes;
use keepsake::model::Draft;
use keepsake::model::{SecretKind, SecretRule};
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};

const KEY: &str = "sk-proj-Ab12Cd34Ef56Gh78Ij90";

fn memory() -> Scene {
    open(&MemStore::new(), 7, &Config::default())
}

fn content(memory: &Scene, id: &Value) -> String {
    call(memory, "get", json!({"id": id}))["content"].as_str().unwrap().to_owned()
}

#[test]
fn a_secret_is_kept_as_given_unless_a_rule_says_otherwise() {
    let memory = memory();
    let text = format!("The deploy key is {KEY}");
    let kept = call(&memory, "add", json!({"content": text}));
    assert_eq!(content(&memory, &kept["id"]), text);
    assert_eq!(kept["secrets"], Value::Null);
}

#[test]
fn redact_replaces_each_secret_by_its_kind_and_names_the_kinds() {
    let memory = memory();
    let text = format!("The deploy key is {KEY}. My PIN is 4711. The old PIN is 4712.");
    let added = call(&memory, "add", json!({"content": text, "secrets": "redact"}));
    let expected = "The deploy key is [secret: api key]. My PIN is [secret: pin]. The old PIN is [secret: pin].";
    assert_eq!(content(&memory, &added["id"]), expected);
    assert_eq!(added["summary"], expected);
    assert_eq!(added["secrets"], json!(["api key", "pin"]));
    // The kinds are part of the entry.
    assert_eq!(call(&memory, "get", json!({"id": added["id"]}))["secrets"], json!(["api key", "pin"]));
    assert_eq!(call(&memory, "search", json!({"query": KEY})), json!([]));
    // Marks that the caller wrote are no secrets.
    let plain = call(&memory, "add", json!({"content": "Write [secret: pin] on it", "secrets": "redact"}));
    assert_eq!(plain["secrets"], Value::Null);
}

#[test]
fn a_secret_is_known_by_the_words_of_any_language_with_a_pack() {
    let memory = memory();
    for (text, expected) in [
        ("Mein WLAN-Passwort ist Sommerregen", "Mein WLAN-Passwort ist [secret: password]"),
        ("Mật khẩu wifi là caphesua", "Mật khẩu wifi là [secret: password]"),
    ] {
        let added = call(&memory, "add", json!({"content": text, "secrets": "redact"}));
        assert_eq!(content(&memory, &added["id"]), expected);
    }
}

#[test]
fn a_summary_does_not_repeat_a_secret() {
    let memory = memory();
    let args = json!({"content": "My wifi password is swordfish", "summary": "Wifi: swordfish", "secrets": "redact"});
    let added = call(&memory, "add", args);
    assert_eq!(added["summary"], "Wifi: [secret: password]");
    // A mark may be longer than the secret, and a summary has a limit.
    let full = format!("{} My PIN is 4711", "x".repeat(1185));
    let long = call(&memory, "add", json!({"content": "The door", "summary": full, "secrets": "redact"}));
    assert_eq!(long["summary"].as_str().unwrap().len(), 1200);
    let changed = call(&memory, "update", json!({"id": added["id"], "summary": "My PIN is 4711", "secrets": "redact"}));
    assert_eq!(changed["summary"], "My PIN is [secret: pin]");
    assert_eq!(changed["secrets"], json!(["password", "pin"]));
}

#[test]
fn refuse_names_the_field_and_the_kind_and_stores_nothing() {
    let memory = memory();
    let text = format!("The deploy key is {KEY}");
    let draft = || Draft { content: text.clone(), secrets: Some(SecretRule::Refuse), ..Draft::default() };
    let error = block_on(memory.add(draft())).unwrap_err();
    assert_eq!((error.code(), error.field()), (ErrorCode::InvalidInput, Some("content")));
    let said = error.to_string();
    assert!(said.contains("api key") && said.contains("redact") && !said.contains("sk-proj"), "{said}");
    let args = json!({"content": "The gate", "summary": "My PIN is 4711", "secrets": "refuse"});
    assert_eq!(refused(&memory, "add", args), (ErrorCode::InvalidInput, "summary".to_owned()));
    assert_eq!(call(&memory, "count", json!({})), 0);
    call(&memory, "add", json!({"content": "The gate opens at nine", "secrets": "refuse"}));
    assert_eq!(call(&memory, "count", json!({})), 1);
}

#[test]
fn an_update_follows_the_same_rules() {
    let memory = memory();
    let id = block_on(memory.add(Draft { content: "The gate".to_owned(), ..Draft::default() })).unwrap().id;
    let changes =
        |content: &str, rule| Changes { content: Some(content.to_owned()), secrets: Some(rule), ..Changes::default() };
    let error = block_on(memory.update(&id, &changes("My PIN is 4711", SecretRule::Refuse))).unwrap_err();
    assert_eq!(error.field(), Some("content"));
    let entry = block_on(memory.update(&id, &changes("My PIN is 4711", SecretRule::Redact))).unwrap();
    assert_eq!((entry.summary.as_str(), entry.secrets.as_slice()), ("My PIN is [secret: pin]", &[SecretKind::Pin][..]));
    // They are those of the text: another text has others.
    let tagged = call(&memory, "update", json!({"id": id.as_str(), "tags": ["door"]}));
    assert_eq!(tagged["secrets"], json!(["pin"]));
    let other = call(&memory, "update", json!({"id": id.as_str(), "content": "The gate is green"}));
    assert_eq!(other["secrets"], Value::Null);
}

#[test]
fn the_tool_of_a_model_stores_no_secret_and_says_so() {
    let memory = memory();
    let text = format!("The deploy key is {KEY}. My PIN is 4711.");
    let answer = call(&memory, "callTool", json!({"name": "memory_add", "args": {"content": text}}));
    assert_eq!(answer["data"]["summary"], "The deploy key is [secret: api key]. My PIN is [secret: pin].");
    let said = answer["text"].as_str().unwrap();
    assert!(said.contains("Secrets were left out: api key, pin") && !said.contains("sk-proj"), "{said}");
    let plain = call(&memory, "callTool", json!({"name": "memory_add", "args": {"content": "The gate opens at nine"}}));
    assert!(!plain["text"].as_str().unwrap().contains("Secrets"));
    // An app that calls the documented function itself decides for itself.
    let kept = call(&memory, "memoryAdd", json!({"content": text}));
    assert_eq!(kept["summary"], text);
}

#[test]
fn binary_data_is_refused_and_nothing_is_stored() {
    let memory = memory();
    let id = &call(&memory, "add", json!({"content": "The gate opens at nine"}))["id"];
    let refusal = |verb: &str, args: Value| refused(&memory, verb, args);
    let content = (ErrorCode::InvalidInput, "content".to_owned());
    for binary in ["PK\u{3}\u{4}", "a\0b", "\u{fffd}\u{fffd}\u{fffd}JFIF"] {
        assert_eq!(refusal("add", json!({"content": binary})), content);
        assert_eq!(refusal("update", json!({"id": id, "content": binary})), content);
        assert_eq!(refusal("record", json!({"texts": ["I live in Hanoi", binary]})), content);
        let said = |content: &str| json!({"role": "user", "content": content});
        let messages = json!({"messages": [said("I live in Hanoi"), said(binary)]});
        assert_eq!(refusal("record", messages), (ErrorCode::InvalidInput, "messages[1].content".to_owned()));
        let facts = json!([{"message": 0, "facts": [{"text": binary}]}]);
        let field = "understood[0].facts[0].text".to_owned();
        let args = json!({"messages": [said("x")], "understood": facts});
        assert_eq!(refusal("record", args), (ErrorCode::InvalidInput, field));
    }
    let error = block_on(memory.add(Draft { content: "a\0b".to_owned(), ..Draft::default() })).unwrap_err();
    assert!(error.to_string().contains("binary data"), "{error}");
    assert_eq!(call(&memory, "count", json!({})), 1);
    // A tool's result is not recorded, so it may hold anything.
    let tool = json!({"role": "tool", "content": [
        {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "a\0b"}]}]});
    call(&memory, "record", json!({"messages": [tool]}));
}

#[test]
fn another_rule_is_refused() {
    let memory = memory();
    for rule in [json!("keep"), json!(true), json!(["redact"])] {
        let args = json!({"content": "The gate", "secrets": rule});
        assert_eq!(refused(&memory, "add", args), (ErrorCode::InvalidInput, "secrets".to_owned()));
    }
}
