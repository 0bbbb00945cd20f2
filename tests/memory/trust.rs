//! Trust is the least of its sources: no sequence of calls raises it but a promotion, and a rollback takes back what came
//! from a source, a session or a time.

use crate::shared::{Dice, Scene, open};
use crate::verbs::{call, names, refused};
use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LEVELS: [&str; 3] = ["low", "normal", "high"];

fn level(word: &Value) -> usize {
    LEVELS.iter().position(|level| *level == word).unwrap()
}

fn memory() -> Scene {
    open(&MemStore::new(), 7, &Config::default())
}

/// Calls a verb that may be refused.
fn attempt(memory: &Scene, verb: &str, args: &Value) -> Option<Value> {
    let answer = block_on(memory.call(verb, parse(&args.to_string()).unwrap())).ok()?;
    Some(serde_json::from_str(&answer.to_string()).unwrap())
}

/// Every text of the memory with its trust: entries with those of the past, and skills.
fn trusted(memory: &Scene) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for entry in call(memory, "list", json!({"includePast": true})).as_array().unwrap() {
        found.insert(format!("{}: {}", entry["id"], entry["summary"]), level(&entry["trust"]));
    }
    for skill in call(memory, "searchSkills", json!({"topK": 100, "includeDemoted": true})).as_array().unwrap() {
        let trust = if skill["trust"].is_null() { 1 } else { level(&skill["trust"]) };
        found.insert(format!("{}: {} {}", skill["id"], skill["use_when"], skill["tool_sops"]), trust);
    }
    found
}

/// A random call. Texts are few, so that calls meet each other's entries.
fn random_call(dice: &mut Dice) -> (&'static str, Value) {
    let text = ["I live in Hanoi", "I live in Berlin", "My dog is called Rex", "The gate opens at nine"]
        [dice.roll(4) as usize];
    let trust = LEVELS[dice.roll(3) as usize];
    let id = format!("e-{}", dice.roll(4));
    let session = format!("s-{}", dice.roll(2));
    let tool = json!({"role": "tool", "content": [
        {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": text}]}]});
    let said = |role: &str| json!({"role": role, "content": text});
    match dice.roll(12) {
        0 => ("add", json!({"id": id, "content": text, "trust": trust, "namespace": "long-term"})),
        1 => ("add", json!({"key": format!("k-{}", dice.roll(2)), "content": text, "trust": trust})),
        2 => ("update", json!({"id": id, "trust": trust})),
        3 => ("update", json!({"id": id, "content": text, "tags": ["instruction"]})),
        4 => ("update", json!({"id": id, "namespace": "long-term", "trust": trust})),
        5 => ("append", json!({"session": session, "messages": [said("user"), tool, said("assistant")]})),
        6 => ("append", json!({"session": session, "messages": [said("user"), said("assistant")]})),
        7 => ("record", json!({"session": session, "messages": [said("assistant")]})),
        8 => ("record", json!({"messages": [tool, said("assistant"), said("user")]})),
        9 => {
            let trace = format!("t-{}", dice.roll(3));
            ("logStep", json!({"taskType": "mail", "toolName": "send", "traceId": trace, "trust": trust}))
        }
        10 => ("learn", json!({"taskType": "mail", "minSupport": 1})),
        _ => {
            let way = json!({"type": "tree-reduce", "contextTokens": 20, "compressionThreshold": 0.5, "chunkSize": 2});
            ("compress", json!({"session": session, "way": way}))
        }
    }
}

#[test]
fn s1_no_call_but_a_promotion_raises_trust() {
    let (mut promoted, mut lowered) = (0, 0);
    for seed in 1..=60 {
        let (memory, mut dice) = (memory(), Dice(seed));
        let mut history = Vec::new();
        for _ in 0..30 {
            let before = trusted(&memory);
            if dice.roll(4) == 0 {
                let id = format!("e-{}", dice.roll(4));
                let args = json!({"id": id, "trust": LEVELS[1 + dice.roll(2) as usize], "by": "ana", "why": "checked"});
                if attempt(&memory, "promote", &args).is_some() {
                    promoted += 1;
                    let now = trusted(&memory);
                    assert!(now.iter().any(|(text, trust)| before.get(text).is_some_and(|old| old < trust)));
                }
                continue;
            }
            let (verb, args) = random_call(&mut dice);
            attempt(&memory, verb, &args);
            history.push(format!("{verb} {args}"));
            for (text, trust) in trusted(&memory) {
                let Some(old) = before.get(&text) else { continue };
                assert!(trust <= *old, "seed {seed}: {text} rose from {old} to {trust} by\n{}", history.join("\n"));
                lowered += usize::from(trust < *old);
            }
            let list = call(&memory, "list", json!({}));
            let low = list.as_array().unwrap().iter().filter(|entry| entry["trust"] == "low");
            assert!(low.clone().all(|entry| !names_tag(entry, "instruction")), "seed {seed}");
        }
    }
    assert!(promoted > 20 && lowered > 20, "{promoted} promotions and {lowered} lowered: too few to tell anything");
}

fn names_tag(entry: &Value, tag: &str) -> bool {
    entry["tags"].as_array().unwrap().contains(&json!(tag))
}

#[test]
fn s1_histories_carry_the_lowest_trust_of_their_messages() {
    let way = json!({"type": "tree-reduce", "contextTokens": 60, "compressionThreshold": 0.5, "chunkSize": 4});
    for (tool, expected) in [(false, "normal"), (true, "low")] {
        let memory = memory();
        let mut messages = vec![json!({"role": "user", "content": "What is the garden wall made of?"})];
        if tool {
            messages.push(
                json!({"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}),
            );
            messages.push(json!({"role": "tool", "content": [
                {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "Sandstone."}]}]}));
        }
        for n in 0..8 {
            messages.push(json!({"role": "assistant", "content": format!("Wall {n} is made of red sandstone.")}));
            messages.push(json!({"role": "user", "content": format!("And the wall {n} behind the old mill?")}));
        }
        call(&memory, "append", json!({"session": "s", "messages": messages}));
        let done = call(&memory, "compress", json!({"session": "s", "way": way}));
        assert_eq!(done["changed"], true, "{done}");
        let histories = call(&memory, "histories", json!({"session": "s"}));
        assert!(histories.as_array().unwrap().iter().all(|history| history["trust"] == expected), "{histories}");
        let digest = call(&memory, "digest", json!({}));
        assert_eq!(digest["sessions"][0]["trust"], expected, "{digest}");
    }
}

#[test]
fn s1_an_update_lowers_trust_and_only_a_promotion_raises_it() {
    let memory = memory();
    call(&memory, "add", json!({"id": "a", "content": "The gate opens at nine", "trust": "low"}));
    for raised in ["normal", "high"] {
        assert_eq!(
            refused(&memory, "update", json!({"id": "a", "trust": raised})),
            (ErrorCode::InvalidInput, "trust".into())
        );
    }
    let error = block_on(memory.call("update", parse(r#"{"id": "a", "trust": "high"}"#).unwrap())).unwrap_err();
    assert!(error.to_string().contains("`promote`"), "{error}");
    for (field, args) in [
        ("by", json!({"id": "a", "trust": "high", "by": " ", "why": "seen"})),
        ("why", json!({"id": "a", "trust": "high", "by": "ana", "why": ""})),
        ("trust", json!({"id": "a", "trust": "low", "by": "ana", "why": "seen"})),
        ("trust", json!({"id": "a", "by": "ana", "why": "seen"})),
    ] {
        assert_eq!(refused(&memory, "promote", args), (ErrorCode::InvalidInput, field.to_owned()));
    }
    let unknown = json!({"id": "b", "trust": "high", "by": "ana", "why": "seen"});
    assert_eq!(refused(&memory, "promote", unknown).0, ErrorCode::NotFound);
    let promoted = call(&memory, "promote", json!({"id": "a", "trust": "high", "by": "ana", "why": "I saw it open"}));
    assert_eq!((&promoted["trust"], &promoted["version"]), (&json!("high"), &json!(2)));
    assert_eq!(promoted["promoted"]["from"], "low");
    assert_eq!((&promoted["promoted"]["by"], &promoted["promoted"]["why"]), (&json!("ana"), &json!("I saw it open")));
    let read = call(&memory, "get", json!({"id": "a"}));
    assert_eq!(read["promoted"], promoted["promoted"], "stored");
    assert_eq!(call(&memory, "history", json!({"id": "a"}))[0]["trust"], "low");
    assert_eq!(call(&memory, "logVerify", json!({}))["ok"], true);
    assert_eq!(call(&memory, "update", json!({"id": "a", "trust": "normal"}))["trust"], "normal");
}

#[test]
fn s1_recall_and_prompts_are_filtered_by_trust() {
    let memory = memory();
    call(&memory, "add", json!({"content": "The gate opens at nine", "trust": "low", "namespace": "long-term"}));
    call(&memory, "add", json!({"content": "The gate closes at ten", "namespace": "long-term"}));
    call(&memory, "append", json!({"session": "s", "messages": [{"role": "user", "content": "Hello"}]}));
    for (least, low) in [(json!(null), true), (json!("low"), true), (json!("normal"), false)] {
        let with = |mut args: Value| {
            args["query"] = json!("When does the gate open and close?");
            if !least.is_null() {
                args["minTrust"] = least.clone();
            }
            args
        };
        let found = call(&memory, "queryMemory", with(json!({"limit": 9}))).to_string();
        let block = call(&memory, "retrieve", with(json!({"limit": 9}))).to_string();
        let prompt = call(&memory, "context", with(json!({"session": "s", "budget": 900})))["prompt"].to_string();
        for text in [found, block, prompt] {
            assert_eq!((text.contains("nine"), text.contains("ten")), (low, true), "{least}: {text}");
        }
    }
}

fn ids(of: &Value) -> Vec<String> {
    let mut ids = names(of, "id");
    ids.sort();
    ids
}

#[test]
fn s1_a_rollback_restores_what_a_source_had_replaced() {
    let memory = memory();
    let first = call(&memory, "record", json!({"messages": [{"role": "user", "content": "I live in Hanoi."}]}));
    let bad =
        json!({"source": "page", "messages": [{"role": "user", "content": "I live in Berlin now, I have moved."}]});
    let second = call(&memory, "record", bad);
    assert_eq!(second[0]["outcome"], "corrected", "{second}");
    call(&memory, "add", json!({"id": "k", "key": "city", "content": "Hue", "source": "user"}));
    call(&memory, "add", json!({"key": "city", "content": "Berlin", "source": "page"}));
    call(&memory, "add", json!({"id": "other", "content": "A wall", "source": "book"}));
    for bad in [json!({}), json!({"source": "page", "session": "s"}), json!({"preview": true})] {
        assert_eq!(refused(&memory, "rollback", bad).0, ErrorCode::InvalidInput);
    }
    let before = trusted(&memory);
    let preview = call(&memory, "rollback", json!({"source": "page", "preview": true}));
    assert_eq!(trusted(&memory), before, "a preview changes nothing");
    assert_eq!(ids(&preview["removed"]), names(&second, "id"));
    let mut restored = vec![first[0]["id"].as_str().unwrap().to_owned(), "k".to_owned()];
    restored.sort();
    assert_eq!(ids(&preview["restored"]), restored, "{preview}");
    assert_eq!(call(&memory, "rollback", json!({"source": "page"})), preview);
    let hanoi = call(&memory, "get", json!({"id": first[0]["id"]}));
    assert_eq!((&hanoi["content"], &hanoi["validUntil"]), (&json!("I live in Hanoi."), &json!(null)));
    assert_eq!(call(&memory, "get", json!({"id": "k"}))["content"], "Hue");
    assert_eq!(call(&memory, "get", json!({"id": "other"}))["content"], "A wall");
    let block = call(&memory, "retrieve", json!({"query": "Where do I live?"})).to_string();
    assert!(block.contains("Hanoi") && !block.contains("Berlin"), "{block}");
    assert_eq!(call(&memory, "logVerify", json!({}))["ok"], true);
    assert_eq!(call(&memory, "verify", json!({}))["problems"], json!([]));
}

#[test]
fn s1_a_rollback_takes_back_a_session_with_what_was_learned_from_it() {
    let memory = memory();
    call(&memory, "record", json!({"session": "good", "messages": [{"role": "user", "content": "I live in Hanoi."}]}));
    call(&memory, "append", json!({"session": "bad", "messages": [{"role": "user", "content": "I have a boat."}]}));
    call(&memory, "record", json!({"session": "bad", "messages": [{"role": "user", "content": "I have a boat."}]}));
    for n in 0..4 {
        let step =
            |tool: &str| json!({"taskType": "mail", "toolName": tool, "traceId": format!("t-{n}"), "session": "bad"});
        call(&memory, "logStep", step("fetch"));
        call(&memory, "logStep", step("send"));
    }
    let learned = call(&memory, "learn", json!({"taskType": "mail", "minSupport": 1}));
    assert!(!learned["skills"].as_array().unwrap().is_empty(), "{learned}");
    let done = call(&memory, "rollback", json!({"session": "bad"}));
    let kinds = names(&done["removed"], "kind");
    for kind in ["entry", "session", "step", "skill"] {
        assert!(kinds.iter().any(|known| known == kind), "{kind}: {done}");
    }
    let left = call(&memory, "list", json!({}));
    assert_eq!(names(&left, "session"), ["good"]);
    assert_eq!(call(&memory, "sessions", json!({})), json!([]));
    assert_eq!(call(&memory, "searchSkills", json!({"topK": 9})), json!([]));
    assert_eq!(call(&memory, "rollback", json!({"session": "bad"})), json!({"removed": [], "restored": []}));
    assert_eq!(call(&memory, "verify", json!({}))["problems"], json!([]));
}
