//! Statements that contradict each other and are both held to be true: listed, and settled by the app.

use crate::shared::{Scene, open};
use crate::verbs::{call, refused};
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};

fn memory() -> Scene {
    open(&MemStore::new(), 7, &Config::default())
}

/// Adds a statement.
fn add(memory: &Scene, content: &str, more: Value) -> String {
    let mut args = json!({"content": content, "namespace": "long-term"});
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let entry = call(memory, "add", args);
    entry["id"].as_str().unwrap().to_owned()
}

/// The texts of each conflict, the newer first.
fn listed(memory: &Scene) -> Vec<[String; 2]> {
    let text = |conflict: &Value, of: &str| conflict[of]["content"].as_str().unwrap().to_owned();
    let found = call(memory, "conflicts", json!({}));
    found.as_array().unwrap().iter().map(|one| [text(one, "newer"), text(one, "older")]).collect()
}

#[test]
fn statements_that_an_app_added_conflict_in_any_language() {
    for (old, new) in [
        ("I live in Hanoi", "I live in Da Nang"),
        ("Mình sống ở Hà Nội", "Mình sống ở Đà Nẵng"),
        ("大阪に住んでいます", "福岡に住んでいます"),
        ("Ich wohne in Köln", "Ich wohne in Bremen"),
        ("Mi número de teléfono es 612 334 455", "Mi número de teléfono es 699 887 766"),
        ("User's birthday is 3 May", "User's birthday is 8 May"),
        // A model writes of the user in the third person.
        ("I live in Hanoi", "User lives in Da Nang"),
        ("Tôi sống ở Hà Nội", "Người dùng sống ở Đà Nẵng"),
        ("大阪に住んでいます", "ユーザーは福岡に住んでいます"),
        ("我住在成都", "用户住在上海"),
        ("Ich wohne in Köln", "Der Nutzer wohnt in Bremen"),
    ] {
        let memory = memory();
        add(&memory, old, json!({}));
        add(&memory, "I play the cello", json!({}));
        add(&memory, new, json!({}));
        assert_eq!(listed(&memory), [[new.to_owned(), old.to_owned()]]);
    }
}

#[test]
fn what_stands_beside_another_is_no_conflict() {
    let memory = memory();
    for text in [
        "I live in Hanoi",
        "My brother lives in Hue",
        "My son Tom is allergic to peanuts",
        "My daughter Eva is allergic to milk",
        "I love jazz",
        "I love opera",
        "Invoice 2217 from the roofer is paid",
        "The meeting room has a red door",
    ] {
        add(&memory, text, json!({}));
    }
    add(&memory, "I live in Berlin", json!({"speaker": "Ben"}));
    add(&memory, "I live in Oslo", json!({"speaker": "Ana"}));
    add(&memory, "I live in Rome", json!({"agent": "travel"}));
    let found = listed(&memory);
    assert!(!found.iter().flatten().any(|text| text.contains("Rome")), "{found:?}");
    assert!(!found.iter().any(|[one, other]| one.contains("Oslo") && other.contains("Berlin")), "{found:?}");
    assert!(found.iter().flatten().all(|text| text.starts_with("I live in")), "{found:?}");
}

#[test]
fn a_page_cannot_replace_the_words_of_the_user_and_is_listed() {
    let memory = memory();
    call(&memory, "record", json!({"messages": [{"role": "user", "content": "I live in Hanoi"}]}));
    let page = json!({"role": "tool", "content": [
        {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "a page"}]}]});
    call(&memory, "append", json!({"session": "s", "messages": [page]}));
    call(&memory, "recordToMemory", json!({"content": ["User lives in Berlin"], "session": "s"}));
    let found = call(&memory, "conflicts", json!({}));
    let both: Vec<_> = call(&memory, "list", json!({"namespace": "long-term"})).as_array().unwrap().clone();
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!(found[0]["newer"]["trust"], "low");
    assert_eq!(found[0]["older"]["content"], "I live in Hanoi");
}

#[test]
fn a_conflict_is_settled_for_the_newer_the_older_or_both() {
    for keep in ["newer", "older", "both"] {
        let memory = memory();
        let old = add(&memory, "I live in Hanoi", json!({"key": "home"}));
        let new = add(&memory, "I live in Da Nang", json!({"tags": ["city"]}));
        let found = call(&memory, "conflicts", json!({}));
        let past = call(&memory, "resolve", json!({"id": found[0]["id"], "keep": keep}));
        let gone = match keep {
            "newer" => json!([old]),
            "older" => json!([new]),
            _ => json!([]),
        };
        assert_eq!(past, gone);
        assert_eq!(listed(&memory), Vec::<[String; 2]>::new());
        let current = call(&memory, "list", json!({"namespace": "long-term"}));
        assert_eq!(current.as_array().unwrap().len(), if keep == "both" { 2 } else { 1 });
        let all = call(&memory, "list", json!({"namespace": "long-term", "includePast": true}));
        assert_eq!(all.as_array().unwrap().len(), 2, "nothing is deleted");
        if keep == "newer" {
            let history = call(&memory, "history", json!({"id": new}));
            assert_eq!(history[0]["content"], "I live in Hanoi");
        }
        let again = refused(&memory, "resolve", json!({"id": found[0]["id"], "keep": keep}));
        assert_eq!(again.0, ErrorCode::NotFound);
    }
}

#[test]
fn a_conflict_that_was_settled_for_both_is_open_again_for_another_statement() {
    let memory = memory();
    add(&memory, "I live in Hanoi", json!({}));
    add(&memory, "I live in Da Nang", json!({}));
    let found = call(&memory, "conflicts", json!({}));
    call(&memory, "resolve", json!({"id": found[0]["id"], "keep": "both"}));
    add(&memory, "I live in Hue", json!({}));
    assert_eq!(listed(&memory).len(), 2);
    assert_eq!(call(&memory, "conflicts", json!({"limit": 1})).as_array().unwrap().len(), 1);
    // A move settles all of it.
    call(&memory, "record", json!({"messages": [{"role": "user", "content": "I moved to Can Tho"}]}));
    assert_eq!(listed(&memory), Vec::<[String; 2]>::new());
    let current = call(&memory, "list", json!({"namespace": "long-term"}));
    assert_eq!(current[0]["summary"], "I moved to Can Tho");
    assert_eq!(current[0]["tags"], json!([]));
}

#[test]
fn wrong_arguments_are_refused() {
    let memory = memory();
    for (verb, args, field) in [
        ("resolve", json!({"id": "x", "keep": "none"}), "keep"),
        ("resolve", json!({"id": "x"}), "keep"),
        ("resolve", json!({"keep": "newer"}), "id"),
        ("resolve", json!({"id": "x", "keep": "newer", "force": true}), "force"),
        ("conflicts", json!({"limit": -1}), "limit"),
        ("conflicts", json!({"agents": "a"}), "agents"),
    ] {
        assert_eq!(refused(&memory, verb, args), (ErrorCode::InvalidInput, field.to_owned()));
    }
    assert_eq!(refused(&memory, "resolve", json!({"id": "x", "keep": "both"})).0, ErrorCode::NotFound);
}
