//! Loss is noticed, whatever is lost: every stored row is taken away, damaged and exchanged for another, one at a time.

use crate::shared::{Scene, copy, open, scan};
use crate::verbs::call;
use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::store::{Durability, Key, Op, Revision, Space, WriteBatch};
use keepsake::{Config, ErrorCode, MemStore, Store};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A memory with something of every kind in it.
fn lived_in(store: &MemStore) -> Scene {
    let memory = open(store, 7, &Config::default());
    let long = "Hoa's flight leaves Hà Nội at six in the morning, and she wants a window seat. ".repeat(40);
    call(&memory, "add", json!({"id": "flight", "content": long}));
    call(&memory, "add", json!({"id": "tea", "content": "Hoa trinkt gern grünen Tee"}));
    call(&memory, "update", json!({"id": "tea", "content": "Hoa trinkt jetzt Kaffee"}));
    call(&memory, "update", json!({"id": "tea", "content": "Hoa trinkt wieder Tee"}));
    call(&memory, "add", json!({"id": "near", "content": "ハノイの宿", "embedding": [0.1, 0.2, 0.3]}));
    call(&memory, "add", json!({"id": "far", "content": "Das Hotel in Huế", "embedding": [0.3, 0.2, 0.1]}));
    for (session, count) in [("s-1", 9), ("s-2", 4)] {
        let messages: Vec<Value> = (0..count)
            .map(|at| json!({"id": format!("{session}-{at}"), "role": "user", "content": format!("Message {at} of {session}")}))
            .collect();
        call(&memory, "append", json!({"session": session, "messages": messages}));
        call(&memory, "hide", json!({"session": session, "refs": [format!("{session}-3")]}));
        call(&memory, "saveComponents", json!({"session": session, "components": {"tab": session}}));
        call(&memory, "updateSummary", json!({"session": session, "summary": format!("About {session}")}));
        for version in 0..2 {
            let state = json!({"flow": "f", "session": session, "state": {"status": format!("{version} {session}")}});
            call(&memory, "saveState", state);
        }
    }
    call(&memory, "updateProfile", json!({"changes": {"name": "Hoa", "language": "vi"}}));
    for version in 0..3 {
        for path in ["MEMORY.md", "notes/trip.md"] {
            call(&memory, "writeFile", json!({"path": path, "text": format!("# {path}\n\nversion {version}\n")}));
        }
    }
    for skill in ["pack", "book"] {
        let skill = |when: &str| json!({"id": skill, "use_when": when, "tool_sops": [{"tool": "t", "action": skill}]});
        call(&memory, "addSkill", skill("before a trip"));
        call(&memory, "addSkill", skill("before a long trip"));
        call(&memory, "logStep", json!({"taskType": "trip", "toolName": "calendar", "input": skill("now")["id"]}));
    }
    call(
        &memory,
        "graphAdd",
        json!({"entities": [{"name": "Hoa", "type": "person"}, {"name": "Huế", "type": "city"}]}),
    );
    let edits = json!([
        {"key": "a", "value": {"n": 1}, "text": "the first value"},
        {"key": "b", "value": {"n": 2}, "text": "the second value"}
    ]);
    call(&memory, "editValues", json!({"collection": "c", "changes": edits}));
    memory
}

/// Changes the storage behind the back of every memory on it.
fn tamper(store: &MemStore, ops: Vec<Op>) {
    let guard = Key::default().part(b"tampered");
    let held = block_on(store.get(Space::Meta, std::slice::from_ref(&guard))).unwrap().remove(0);
    let base = Revision::from_bytes(held.as_deref()).unwrap();
    block_on(store.commit(WriteBatch { guard, base, ops, durability: Durability::Relaxed })).unwrap();
}

fn verify(memory: &Scene, repair: bool) -> Value {
    call(memory, "verify", json!({"repair": repair}))
}

/// Every row that holds what users gave, in a storage of its own each.
fn rows(store: &MemStore) -> Vec<(Space, Key, Vec<u8>)> {
    let in_space = |space| scan(store, space).into_iter().map(move |(key, value)| (space, key, value));
    in_space(Space::Records).chain(in_space(Space::Bodies)).collect()
}

fn whole() -> MemStore {
    let store = MemStore::new();
    let memory = lived_in(&store);
    assert_eq!(verify(&memory, false)["problems"], json!([]));
    assert_eq!(call(&memory, "logVerify", json!({}))["ok"], true);
    store
}

/// Everything that can be read, whether it answers or fails.
fn read_all(memory: &Scene) -> Vec<Result<Value, ErrorCode>> {
    let reads = [
        ("get", json!({"id": "flight"})),
        ("get", json!({"id": "tea"})),
        ("history", json!({"id": "tea"})),
        ("messages", json!({"session": "s-1"})),
        ("message", json!({"session": "s-1", "id": "s-1-4"})),
        ("view", json!({"session": "s-1"})),
        ("loadComponents", json!({"session": "s-1"})),
        ("getState", json!({"session": "s-1", "flow": "f"})),
        ("getProfile", json!({})),
        ("file", json!({"path": "MEMORY.md"})),
        ("fileHistory", json!({"path": "MEMORY.md"})),
        ("skills", json!({})),
        ("graphRead", json!({})),
        ("values", json!({"collection": "c", "keys": ["a", "b"]})),
        ("sessions", json!({})),
        ("search", json!({"query": "Hoa"})),
    ];
    let read = |(verb, args): (&str, Value)| {
        let answer = block_on(memory.call(verb, parse(&args.to_string()).unwrap()));
        answer.map(|answer| serde_json::from_str(&answer.to_string()).unwrap()).map_err(|error| error.code())
    };
    reads.into_iter().map(read).collect()
}

#[test]
fn f9_no_row_is_lost_unnoticed_and_a_repair_leaves_the_rest_whole() {
    let store = whole();
    let mut kinds = BTreeSet::new();
    for (space, key, _) in rows(&store) {
        let damaged = copy(&store, |_, value| Some(value));
        tamper(&damaged, vec![Op::Delete(space, key.clone())]);
        let memory = open(&damaged, 8, &Config::default());
        let found = verify(&memory, false);
        assert_eq!(found["ok"], false, "{} {key:?} is not missed", space.name());
        kinds.insert(found["problems"][0]["kind"].as_str().unwrap().to_owned());
        let repaired = verify(&memory, true);
        assert_eq!(repaired["ok"], true, "{key:?}: {repaired}");
        let fresh = open(&damaged, 9, &Config::default());
        assert_eq!(verify(&fresh, false)["problems"], json!([]), "{} {key:?} after {repaired}", space.name());
        for answer in read_all(&fresh) {
            assert!(!matches!(answer, Err(ErrorCode::Corrupt | ErrorCode::StoreLost)), "{key:?}: {answer:?}");
        }
        call(&fresh, "add", json!({"content": "Life goes on"}));
        call(&fresh, "append", json!({"session": "s-1", "messages": [{"role": "user", "content": "Ja"}]}));
        assert_eq!(verify(&fresh, false)["problems"], json!([]));
    }
    let expected = [
        "components",
        "entity",
        "entry",
        "entry version",
        "file",
        "file version",
        "message",
        "profile",
        "session",
        "skill",
        "skill version",
        "state",
        "state version",
        "step",
        "summary",
        "value",
        "view",
        "words of a value",
    ];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn f9_a_row_under_the_key_of_another_is_refused_when_it_is_read_and_found_by_a_check() {
    let store = whole();
    let rows = rows(&store);
    let before = read_all(&open(&store, 8, &Config::default()));
    for pair in rows.windows(2) {
        let [(space, one, first), (other, two, second)] = pair else { continue };
        if space != other {
            continue;
        }
        let damaged = copy(&store, |_, value| Some(value));
        tamper(
            &damaged,
            vec![Op::Put(*space, one.clone(), second.clone()), Op::Put(*space, two.clone(), first.clone())],
        );
        let memory = open(&damaged, 8, &Config::default());
        for (answer, expected) in read_all(&memory).into_iter().zip(&before) {
            assert!(answer == *expected || answer == Err(ErrorCode::Corrupt), "{one:?} and {two:?}: {answer:?}");
        }
        assert_eq!(verify(&memory, false)["ok"], false, "{one:?} and {two:?}");
        assert_eq!(verify(&memory, true)["ok"], true, "{one:?} and {two:?}");
        assert_eq!(verify(&open(&damaged, 9, &Config::default()), false)["problems"], json!([]));
    }
}

#[test]
fn f40_a_damaged_row_is_found_and_given_up() {
    let store = whole();
    for (space, key, mut value) in rows(&store) {
        let middle = value.len() / 2;
        value[middle] ^= 0x10;
        let damaged = copy(&store, |_, value| Some(value));
        tamper(&damaged, vec![Op::Put(space, key.clone(), value)]);
        // With an index that has to be built from the records as well.
        tamper(
            &damaged,
            scan(&damaged, Space::Index).into_iter().map(|(key, _)| Op::Delete(Space::Index, key)).collect(),
        );
        let memory = open(&damaged, 8, &Config::default());
        assert_eq!(verify(&memory, false)["ok"], false, "{} {key:?}", space.name());
        assert_eq!(verify(&memory, true)["ok"], true, "{} {key:?}", space.name());
        let fresh = open(&damaged, 9, &Config::default());
        assert_eq!(verify(&fresh, false)["problems"], json!([]), "{} {key:?}", space.name());
        assert!(read_all(&fresh).iter().all(|answer| *answer != Err(ErrorCode::Corrupt)), "{key:?}");
    }
}

#[test]
fn f17_what_was_deleted_and_came_back_is_found_and_taken_away_again() {
    let store = whole();
    let before = rows(&store);
    let memory = open(&store, 8, &Config::default());
    call(&memory, "clear", json!({}));
    call(&memory, "deleteSession", json!({"session": "s-1"}));
    call(&memory, "deleteFile", json!({"path": "MEMORY.md"}));
    call(&memory, "deleteSkill", json!({"id": "pack"}));
    call(&memory, "graphDelete", json!({"entities": ["Huế"]}));
    call(&memory, "editValues", json!({"collection": "c", "changes": [{"key": "a", "delete": true}]}));
    assert_eq!(verify(&memory, false)["problems"], json!([]));
    let after: Vec<Key> = rows(&store).into_iter().map(|(_, key, _)| key).collect();
    let answers = read_all(&memory);
    let (mut back, mut silent) = (0, Vec::new());
    for (space, key, value) in before.into_iter().filter(|(_, key, _)| !after.contains(key)) {
        let torn = copy(&store, |_, value| Some(value));
        tamper(&torn, vec![Op::Put(space, key.clone(), value)]);
        let memory = open(&torn, 9, &Config::default());
        back += 1;
        if verify(&memory, false)["ok"] == true {
            // Nothing leads to it: the index to a place, an embedding.
            assert_eq!(read_all(&memory), answers, "{} {key:?}", space.name());
            silent.push(key);
            continue;
        }
        assert_eq!(verify(&memory, true)["ok"], true, "{} {key:?}", space.name());
        let fresh = open(&torn, 10, &Config::default());
        assert_eq!(verify(&fresh, false)["problems"], json!([]), "{} {key:?}", space.name());
        assert_eq!(read_all(&fresh), answers, "{} {key:?}", space.name());
        assert!(rows(&torn).iter().all(|(_, stored, _)| *stored != key), "{} {key:?} is still there", space.name());
    }
    assert!(back > 40 && silent.len() * 3 < back, "{back}: {silent:?}");
}

#[test]
fn a_broken_log_is_named_and_its_records_are_checked_all_the_same() {
    let store = whole();
    let pages = scan(&store, Space::Log);
    let damaged = copy(&store, |_, value| Some(value));
    tamper(&damaged, vec![Op::Delete(Space::Log, pages[2].0.clone())]);
    let memory = open(&damaged, 8, &Config::default());
    let found = verify(&memory, true);
    assert_eq!(found["ok"], false);
    let log: Vec<&Value> = found["problems"].as_array().unwrap().iter().filter(|it| it["kind"] == "log").collect();
    assert_eq!(log.len(), 1, "{found}");
    assert_eq!((log[0]["damage"].as_str(), log[0]["repaired"].as_bool()), (Some("missing"), Some(false)));
}
