//! Writes under an idempotency key: made once, whatever happens between the write and its answer.

use futures::executor::block_on;
use futures::future::join;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::store::{Fault, FaultyStore, Space};
use keepsake::{Config, Error, ErrorCode, MemStore, Store};
use serde_json::{Value, json};
use std::rc::Rc;

const NOW: i64 = 1_735_812_000_000;

async fn open<S: Store>(store: S, now: i64, seed: u64) -> Memory<S, Scripted> {
    let user = UserId::new("user", "u-1").unwrap();
    Memory::open(store, Scripted::new(now, seed), user, Config::default()).await.unwrap()
}

async fn call<S: Store>(memory: &Memory<S, Scripted>, verb: &str, args: Value) -> Result<Value, Error> {
    let answer = memory.call(verb, parse(&args.to_string()).unwrap()).await?;
    Ok(serde_json::from_str(&answer.to_string()).unwrap())
}

async fn once<S: Store>(memory: &Memory<S, Scripted>, key: &str, (verb, args): (&str, &Value)) -> Result<Value, Error> {
    let request = json!([verb, args]).to_string();
    call(memory, "once", json!({"idempotencyKey": key, "request": request, "verb": verb, "args": args})).await
}

/// Every write that can be made once. Each one would show if it were made twice.
fn writes() -> Vec<(&'static str, Value)> {
    vec![
        ("add", json!({"content": "Anh drinks green tea"})),
        ("add", json!({"content": "trà xanh, không đường", "key": "drink"})),
        ("update", json!({"id": "known", "content": "Anh lives in Da Nang"})),
        ("delete", json!({"id": "known"})),
        ("delete", json!({"id": "nobody"})),
        ("clear", json!({})),
        (
            "append",
            json!({"session": "s", "messages": [{"role": "user", "content": "こんにちは"}, {"role": "assistant", "content": "hello"}]}),
        ),
        ("setTitle", json!({"session": "s", "title": "Tea"})),
        ("deleteSession", json!({"session": "s"})),
        (
            "editValues",
            json!({"collection": "drafts", "changes": [{"key": "n", "value": 2}], "expect": [{"key": "n", "value": 1}]}),
        ),
        ("forget", json!({"query": "Anh lives in Hanoi"})),
        ("forget", json!({"query": "the passport"})),
        ("promote", json!({"id": "told", "trust": "high", "by": "Anh", "why": "I asked"})),
        ("rollback", json!({"source": "page"})),
        ("rollback", json!({"source": "nowhere"})),
    ]
}

/// A storage on which every one of them has something to do.
async fn prepared() -> MemStore {
    let storage = MemStore::new();
    let memory = open(storage.connect(), NOW, 1).await;
    call(&memory, "add", json!({"id": "known", "content": "Anh lives in Hanoi"})).await.unwrap();
    call(&memory, "add", json!({"key": "drink", "content": "coffee"})).await.unwrap();
    let told = json!({"id": "told", "content": "The gate opens at nine", "source": "page", "trust": "low"});
    call(&memory, "add", told).await.unwrap();
    let said = json!({"session": "s", "messages": [{"role": "user", "content": "hi"}]});
    call(&memory, "append", said).await.unwrap();
    let value = json!({"collection": "drafts", "changes": [{"key": "n", "value": 1}]});
    call(&memory, "editValues", value).await.unwrap();
    storage
}

/// Everything that a user can see of a memory, and how often its entries were changed.
async fn seen(storage: &MemStore) -> Value {
    let memory = open(storage.connect(), NOW, 9).await;
    let entries = call(&memory, "list", json!({})).await.unwrap();
    let mut all = Vec::new();
    for entry in entries.as_array().unwrap() {
        let history = call(&memory, "history", json!({"id": entry["id"]})).await.unwrap();
        all.push(json!([entry["summary"], entry["version"], history.as_array().unwrap().len()]));
    }
    let session = call(&memory, "messages", json!({"session": "s"})).await.unwrap();
    let said: Vec<_> = session["messages"].as_array().unwrap().iter().map(|said| said["content"].clone()).collect();
    let title = call(&memory, "session", json!({"session": "s"})).await.unwrap();
    let values = call(&memory, "listValues", json!({"collection": "drafts"})).await.unwrap();
    json!([all, said, title["title"], values])
}

#[test]
fn a_second_call_under_the_same_key_gets_the_answer_of_the_first_and_writes_nothing() {
    block_on(async {
        for (verb, args) in &writes() {
            let storage = prepared().await;
            let memory = open(storage.connect(), NOW, 2).await;
            let first = once(&memory, "k", (verb, args)).await.unwrap();
            let after = seen(&storage).await;
            let revision = memory.revision();
            assert_eq!(once(&memory, "k", (verb, args)).await.unwrap(), first, "{verb} again");
            let elsewhere = open(storage.connect(), NOW, 3).await;
            assert_eq!(once(&elsewhere, "k", (verb, args)).await.unwrap(), first, "{verb} from elsewhere");
            assert_eq!(elsewhere.revision(), revision, "{verb} wrote again");
            assert_eq!(seen(&storage).await, after, "{verb}");
        }
    });
}

#[test]
fn a_preview_under_a_key_writes_nothing_and_is_made_again() {
    block_on(async {
        let storage = prepared().await;
        let memory = open(storage.connect(), NOW, 2).await;
        let (before, revision) = (seen(&storage).await, memory.revision());
        let preview = ("rollback", &json!({"source": "page", "preview": true}));
        let told = once(&memory, "k", preview).await.unwrap();
        assert_eq!(told, json!({"removed": [{"kind": "entry", "id": "told"}], "restored": []}));
        assert_eq!(once(&memory, "k", preview).await.unwrap(), told);
        assert_eq!((seen(&storage).await, memory.revision()), (before, revision));
        assert_eq!(once(&memory, "k", ("rollback", &json!({"source": "page"}))).await.unwrap(), told);
        let empty = json!({"removed": [], "restored": []});
        assert_eq!(call(&memory, "rollback", json!({"source": "page"})).await.unwrap(), empty);
    });
}

#[test]
fn a_write_that_was_cut_off_anywhere_is_made_once() {
    block_on(async {
        for (verb, args) in &writes() {
            let storage = prepared().await;
            once(&open(storage.connect(), NOW, 2).await, "k", (verb, args)).await.unwrap();
            let wanted = seen(&storage).await;
            for nth in 1.. {
                let mut cut = false;
                for fault in [Fault::Crash, Fault::CrashAfter] {
                    let storage = prepared().await;
                    let store = Rc::new(FaultyStore::new(storage.connect()));
                    let memory = open(Rc::clone(&store), NOW, 2).await;
                    store.break_at(nth, fault);
                    let before = store.operations();
                    // The program ends here, with its answer or without.
                    drop(once(&memory, "k", (verb, args)).await);
                    cut |= store.operations() - before >= nth;
                    let again = open(storage.connect(), NOW, 3).await;
                    once(&again, "k", (verb, args)).await.unwrap();
                    assert_eq!(seen(&storage).await, wanted, "{verb}, cut off at {nth}");
                }
                if !cut {
                    break;
                }
            }
        }
    });
}

#[test]
fn two_at_once_make_one_write() {
    block_on(async {
        for (verb, args) in &writes() {
            let storage = prepared().await;
            let wanted = {
                let storage = prepared().await;
                once(&open(storage.connect(), NOW, 2).await, "k", (verb, args)).await.unwrap();
                seen(&storage).await
            };
            let (here, there) = (open(storage.connect(), NOW, 2).await, open(storage.connect(), NOW, 3).await);
            let (one, other) = join(once(&here, "k", (verb, args)), once(&there, "k", (verb, args))).await;
            assert_eq!(one.unwrap(), other.unwrap(), "{verb}");
            let (one, other) = join(once(&here, "k2", (verb, args)), once(&here, "k2", (verb, args))).await;
            assert_eq!(one.is_ok(), other.is_ok(), "{verb}");
            if *verb != "add" && *verb != "append" && *verb != "update" {
                assert_eq!(seen(&storage).await, wanted, "{verb}");
            }
        }
    });
}

#[test]
fn another_request_under_the_same_key_is_refused_and_does_nothing() {
    block_on(async {
        let all = writes();
        for (verb, args) in &all {
            let storage = prepared().await;
            let memory = open(storage.connect(), NOW, 2).await;
            once(&memory, "k", (verb, args)).await.unwrap();
            let after = seen(&storage).await;
            for (other, its) in all.iter().filter(|other| (other.0, &other.1) != (*verb, args)) {
                let refused = once(&memory, "k", (other, its)).await.unwrap_err();
                assert_eq!(refused.code(), ErrorCode::InvalidInput);
                assert_eq!(refused.field(), Some("idempotencyKey"), "{verb}, then {other}");
            }
            assert_eq!(seen(&storage).await, after, "{verb}");
        }
    });
}

#[test]
fn a_note_holds_no_text_and_goes_after_a_day() {
    block_on(async {
        let storage = prepared().await;
        let memory = open(storage.connect(), NOW, 2).await;
        once(&memory, "k", ("add", &json!({"content": "the vault opens with 4711"}))).await.unwrap();
        call(&memory, "clear", json!({})).await.unwrap();
        let notes = async |memory: &Memory<_, _>| {
            let notes =
                call(memory, "listValues", json!({"collection": "keepsake/answers", "limit": 5000})).await.unwrap();
            notes.as_array().unwrap().len()
        };
        let range = keepsake::store::KeyRange::prefix(keepsake::store::Key::default());
        let stored = storage.scan(Space::Records, &range, usize::MAX).await.unwrap();
        for (key, value) in stored.items {
            assert!(!value.windows(4).any(|part| part == b"4711"), "the text is still under {key:?}");
        }
        let gone = once(&memory, "k", ("add", &json!({"content": "the vault opens with 4711"}))).await.unwrap_err();
        assert_eq!(gone.code(), ErrorCode::NotFound, "it was made, and deleted since");
        assert_eq!(notes(&memory).await, 2);
        // A day later, one write in a hundred sweeps.
        let later = open(storage.connect(), NOW + 86_400_001, 4).await;
        for n in 0..1000 {
            once(&later, &format!("later {n}"), ("delete", &json!({"id": "nobody"}))).await.unwrap();
        }
        let left =
            call(&later, "values", json!({"collection": "keepsake/answers", "keys": [note("k")]})).await.unwrap();
        assert_eq!(left, json!([null]));
        assert_eq!(notes(&later).await, 2000);
    });
}

fn note(key: &str) -> String {
    format!("k/{}", keepsake::codec::hex::encode(&keepsake::log::hash(key.as_bytes())))
}

#[test]
fn bad_input_is_refused_and_noted_nowhere() {
    block_on(async {
        let storage = prepared().await;
        let memory = open(storage.connect(), NOW, 2).await;
        for (args, field) in [
            (json!({"request": "", "verb": "add", "args": {}}), "idempotencyKey"),
            (json!({"idempotencyKey": "k", "verb": "add", "args": {}}), "request"),
            (json!({"idempotencyKey": "k", "request": "", "verb": "get", "args": {"id": "a"}}), "verb"),
            (json!({"idempotencyKey": "k", "request": "", "verb": "once", "args": {}}), "verb"),
            (json!({"idempotencyKey": "k", "request": "", "verb": "add", "args": {"content": ""}}), "content"),
            (json!({"idempotencyKey": "k", "request": "", "verb": "add", "args": null}), "content"),
            (json!({"idempotencyKey": "k", "request": "", "verb": "add", "args": {}, "more": 1}), "more"),
        ] {
            let refused = call(&memory, "once", args.clone()).await.unwrap_err();
            assert_eq!(refused.code(), ErrorCode::InvalidInput, "{args}");
            assert_eq!(refused.field(), Some(field), "{args}");
        }
        // The key is still free.
        once(&memory, "k", ("add", &json!({"content": "tea"}))).await.unwrap();
        let missing = once(&memory, "k3", ("update", &json!({"id": "nobody", "content": "tea"}))).await.unwrap_err();
        assert_eq!(missing.code(), ErrorCode::NotFound);
    });
}

#[test]
fn a_watched_write_is_made_once_too() {
    block_on(async {
        let storage = prepared().await;
        let memory = open(storage.connect(), NOW, 2).await;
        let args = json!({"idempotencyKey": "k", "request": "clear", "verb": "clear", "args": {}});
        let watched = json!({"work": 1, "verb": "once", "args": args});
        assert_eq!(call(&memory, "watch", watched.clone()).await.unwrap(), json!({"answer": 3}));
        call(&memory, "add", json!({"content": "said since"})).await.unwrap();
        assert_eq!(call(&memory, "watch", watched).await.unwrap(), json!({"answer": 3}));
        assert_eq!(call(&memory, "count", json!({})).await.unwrap(), json!(1));
    });
}
