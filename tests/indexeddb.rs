//! The IndexedDB store in a real browser: the contract, and what only browsers do to a database.

#![cfg(target_arch = "wasm32")]

use idb::{Factory, ObjectStoreParams};
use js_sys::futures::JsFuture;
use js_sys::{Promise, Uint8Array};
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::store::contract::{Medium, check};
use keepsake::store::{Durability, Key, Op, Revision, Space, StoreError, WriteBatch};
use keepsake::web::{IndexedDbStore, sleep};
use keepsake::{Config, Draft, ErrorCode, ListOptions, Memory, Store};
use rexie::{Rexie, TransactionMode};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A name that no earlier run has used.
fn fresh(name: &str) -> String {
    format!("{name}-{}-{}", js_sys::Date::now(), js_sys::Math::random())
}

struct Browser(String);

impl Medium for Browser {
    type Store = IndexedDbStore;

    async fn connect(&self, name: &str) -> Result<IndexedDbStore, StoreError> {
        IndexedDbStore::open(&format!("{}-{name}", self.0)).await
    }
}

fn key(text: &str) -> Key {
    Key::default().part(text.as_bytes())
}

fn put(base: u64, name: &str) -> WriteBatch {
    WriteBatch {
        guard: key("tenant"),
        base: Revision(base),
        ops: vec![Op::Put(Space::Records, key(name), name.into())],
        durability: Durability::Relaxed,
    }
}

async fn memory(name: &str, seed: u64) -> Memory<IndexedDbStore, Scripted> {
    let store = IndexedDbStore::open(name).await.unwrap();
    let user = UserId::new("user", "u-1").unwrap();
    Memory::open(store, Scripted::new(1_735_812_000_000, seed), user, Config::default()).await.unwrap()
}

fn draft(content: String) -> Draft {
    Draft { content, ..Draft::default() }
}

#[wasm_bindgen_test]
async fn the_indexeddb_store_keeps_the_contract() {
    assert_eq!(check(&Browser(fresh("contract"))).await, Ok(21));
}

#[wasm_bindgen_test]
async fn f17_two_memories_on_two_connections_lose_nothing() {
    let name = fresh("two");
    let (one, two) = (memory(&name, 1).await, memory(&name, 2).await);
    let add = |memory: Memory<IndexedDbStore, Scripted>, who: &'static str| async move {
        for n in 0..50 {
            memory.add(draft(format!("{who} {n}"))).await.unwrap();
        }
        JsValue::UNDEFINED
    };
    // As promises, so that both are really under way at once.
    let first = js_sys::futures::future_to_promise({
        let work = add(one.clone(), "one");
        async move { Ok(work.await) }
    });
    let second = js_sys::futures::future_to_promise({
        let work = add(two.clone(), "two");
        async move { Ok(work.await) }
    });
    JsFuture::from(first).await.unwrap();
    JsFuture::from(second).await.unwrap();
    for memory in [one, two] {
        assert_eq!(memory.list(&ListOptions::default()).await.unwrap().len(), 100);
        assert_eq!(memory.revision(), 100);
    }
}

#[wasm_bindgen_test]
async fn an_independent_reader_finds_what_was_stored() {
    let name = fresh("rexie");
    let store = IndexedDbStore::open(&name).await.unwrap();
    store.commit(put(0, "a")).await.unwrap();
    let rexie = Rexie::builder(&IndexedDbStore::database_name(&name)).build().await.unwrap();
    let mut spaces = rexie.store_names();
    spaces.sort();
    assert_eq!(spaces, ["bodies", "index", "log", "meta", "records"]);
    let transaction = rexie.transaction(&["records"], TransactionMode::ReadOnly).unwrap();
    let records = transaction.store("records").unwrap();
    let stored = records.get(Uint8Array::from(key("a").as_bytes()).into()).await.unwrap().unwrap();
    assert_eq!(Uint8Array::new(&stored).to_vec(), b"a");
}

#[wasm_bindgen_test]
async fn f1_an_old_tab_gives_way_to_an_upgrade_and_says_reload() {
    let name = fresh("upgrade");
    let old = IndexedDbStore::open(&name).await.unwrap();
    let under_way = js_sys::futures::future_to_promise({
        let batch = put(0, "a");
        async move {
            let outcome = old.commit(batch).await;
            assert!(matches!(outcome, Ok(Revision(1)) | Err(StoreError::Superseded)), "{outcome:?}");
            sleep(100).await;
            let later = old.get(Space::Records, &[key("a")]).await;
            assert_eq!(later, Err(StoreError::Superseded));
            assert_eq!(old.commit(put(1, "b")).await, Err(StoreError::Superseded));
            Ok(JsValue::UNDEFINED)
        }
    });
    let newer = IndexedDbStore::open_with_schema(&name, 2).await.unwrap();
    assert!(newer.get(Space::Records, &[key("a")]).await.is_ok());
    JsFuture::from(under_way).await.unwrap();
}

#[wasm_bindgen_test]
async fn f2_an_upgrade_that_a_frozen_tab_blocks_is_refused_in_time() {
    let name = fresh("blocked");
    IndexedDbStore::open(&name).await.unwrap().close().await.unwrap();
    // A connection that does not listen, as that of a frozen tab.
    let factory = Factory::new().unwrap();
    let frozen = factory.open(&IndexedDbStore::database_name(&name), None).unwrap().await.unwrap();
    let refused = IndexedDbStore::open_with_schema(&name, 2).await;
    assert!(matches!(refused, Err(StoreError::Blocked)), "{refused:?}");
    frozen.close();
    // The request that came too late has let go again, so nobody is in the way of the next.
    sleep(100).await;
    IndexedDbStore::open_with_schema(&name, 3).await.unwrap();
}

#[wasm_bindgen_test]
async fn f4_an_upgrade_that_ends_half_way_leaves_the_old_schema() {
    let name = fresh("half");
    let store = IndexedDbStore::open(&name).await.unwrap();
    store.commit(put(0, "a")).await.unwrap();
    store.close().await.unwrap();
    let mut request = Factory::new().unwrap().open(&IndexedDbStore::database_name(&name), Some(2)).unwrap();
    request.on_upgrade_needed(|event| {
        let request = idb::Event::target(&event).unwrap();
        let database = request.database().unwrap();
        database.delete_object_store("records").unwrap();
        idb::Request::transaction(&request).unwrap().abort().unwrap();
    });
    assert!(request.await.is_err());
    let store = IndexedDbStore::open(&name).await.unwrap();
    assert_eq!(store.get(Space::Records, &[key("a")]).await.unwrap(), [Some(b"a".to_vec())]);
}

#[wasm_bindgen_test]
async fn f3_a_database_of_a_newer_schema_is_read_and_never_written() {
    let name = fresh("newer");
    let store = IndexedDbStore::open(&name).await.unwrap();
    store.commit(put(0, "a")).await.unwrap();
    store.close().await.unwrap();
    let mut request = Factory::new().unwrap().open(&IndexedDbStore::database_name(&name), Some(7)).unwrap();
    request.on_upgrade_needed(|event| {
        let request = idb::Event::target(&event).unwrap();
        request.database().unwrap().create_object_store("from the future", ObjectStoreParams::new()).unwrap();
    });
    request.await.unwrap().close();
    let store = IndexedDbStore::open(&name).await.unwrap();
    let seen = store.get(Space::Records, &[key("a")]).await.unwrap();
    assert_eq!(seen, [Some(b"a".to_vec())]);
    assert_eq!(store.commit(put(1, "b")).await, Err(StoreError::Newer { found: 7, known: 1 }));
}

#[wasm_bindgen_test]
async fn f9_f15_a_database_that_is_deleted_while_open_is_reported_lost() {
    let name = fresh("lost");
    let memory = memory(&name, 1).await;
    memory.add(draft("before".into())).await.unwrap();
    let factory = Factory::new().unwrap();
    factory.delete(&IndexedDbStore::database_name(&name)).unwrap().await.unwrap();
    let listed = memory.list(&ListOptions::default()).await.unwrap_err();
    assert_eq!(listed.code(), ErrorCode::StoreLost);
    let added = memory.add(draft("after".into())).await.unwrap_err();
    assert_eq!(added.code(), ErrorCode::StoreLost);
}

#[wasm_bindgen_test]
async fn f25_overlapping_calls_on_one_handle_are_all_answered() {
    let memory = memory(&fresh("overlap"), 1).await;
    let calls: js_sys::Array = (0..40)
        .map(|n| {
            let memory = memory.clone();
            js_sys::futures::future_to_promise(async move {
                if n % 4 == 3 {
                    memory.list(&ListOptions::default()).await.unwrap();
                } else {
                    memory.add(draft(format!("entry {n}"))).await.unwrap();
                }
                Ok(JsValue::UNDEFINED)
            })
        })
        .collect();
    JsFuture::from(Promise::all(&calls)).await.unwrap();
    let entries = memory.list(&ListOptions::default()).await.unwrap();
    let wanted: Vec<String> = (0..40).rev().filter(|n| n % 4 != 3).map(|n| format!("entry {n}")).collect();
    assert_eq!(entries.iter().map(|entry| entry.summary.clone()).collect::<Vec<_>>(), wanted);
}

#[wasm_bindgen_test]
async fn f21_strict_commits_reach_the_transaction() {
    let store = IndexedDbStore::open(&fresh("strict")).await.unwrap();
    let strict = WriteBatch { durability: Durability::Strict, ..put(0, "a") };
    assert_eq!(store.commit(strict).await, Ok(Revision(1)));
}
