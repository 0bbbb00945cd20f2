//! What browsers do to databases: the faults of docs/reliability.md on this store.

use crate::page::everything;
use crate::stubs;
use gloo_timers::future::TimeoutFuture;
use keepsake::browser::{BrowserEnv, IndexedDb};
use keepsake::memory::{ListOptions, Memory};
use keepsake::model::UserId;
use keepsake::store::{Durability, Key, Op, Revision, Space, StoreError, WriteBatch};
use keepsake::{Config, ErrorCode, MemStore, Store};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

fn key(text: &str) -> Key {
    Key::default().part(text.as_bytes())
}

/// Puts one record on the revision `base`.
fn put(base: u64, name: &str) -> WriteBatch {
    let ops = vec![Op::Put(Space::Records, key(name), name.into())];
    WriteBatch { guard: key("tenant"), base: Revision(base), ops, durability: Durability::Relaxed }
}

/// The same with a log page, as the core writes it.
fn paged(base: u64, name: &str) -> WriteBatch {
    let mut batch = put(base, name);
    batch.ops.push(Op::Put(Space::Log, key("tenant").number(base + 1), b"page".to_vec()));
    batch
}

async fn read(store: &IndexedDb, name: &str) -> Result<Option<String>, StoreError> {
    let found = store.get(Space::Records, &[key(name)]).await?;
    Ok(found.into_iter().next().flatten().map(|bytes| String::from_utf8(bytes).unwrap()))
}

async fn open(name: &str) -> IndexedDb {
    IndexedDb::open(name).await.unwrap()
}

async fn memory(name: &str) -> Memory<IndexedDb, BrowserEnv> {
    keepsake::Memory::open(IndexedDb::open(name).await.unwrap(), "u-1").await.unwrap().core().clone()
}

#[wasm_bindgen_test]
async fn f1_an_old_tab_gives_way_to_an_upgrade_and_says_reload() {
    let old = Rc::new(open("upgrade").await);
    let pending = {
        let old = Rc::clone(&old);
        wasm_bindgen_futures::future_to_promise(async move {
            let written = old.commit(put(0, "a")).await;
            Ok((written.is_ok() || written == Err(StoreError::Superseded)).into())
        })
    };
    let newer = IndexedDb::open_with_schema("upgrade", 3).await.unwrap();
    let kept = wasm_bindgen_futures::JsFuture::from(pending).await.unwrap();
    assert_eq!(kept.as_bool(), Some(true));
    assert!(read(&newer, "a").await.is_ok());
    assert_eq!(read(&old, "a").await, Err(StoreError::Superseded));
    assert_eq!(old.commit(put(1, "b")).await, Err(StoreError::Superseded));
    assert_eq!(
        old.scan(Space::Log, &keepsake::store::KeyRange::prefix(Key::default()), 1).await,
        Err(StoreError::Superseded)
    );
}

#[wasm_bindgen_test]
async fn f2_an_upgrade_that_a_frozen_tab_blocks_is_refused_in_time_and_is_in_no_way_later() {
    open("blocked").await.close().await.unwrap();
    stubs::note();
    stubs::deaf_connection("blocked").await;
    let begun = js_sys::Date::now();
    let refused = IndexedDb::open_with_schema("blocked", 3).await.unwrap_err();
    assert_eq!(refused, StoreError::Blocked);
    assert!(js_sys::Date::now() - begun < 9_000.0);
    // The tab thaws.
    stubs::close_opened(false, true);
    TimeoutFuture::new(200).await;
    let store = IndexedDb::open_with_schema("blocked", 4).await.unwrap();
    assert_eq!(read(&store, "a").await, Ok(None));
    stubs::restore();
}

#[wasm_bindgen_test]
async fn f3_a_database_of_a_newer_schema_is_read_and_never_written() {
    let first = open("newer").await;
    first.commit(put(0, "a")).await.unwrap();
    first.close().await.unwrap();
    stubs::raise_version("newer", 7, false).await;
    let store = open("newer").await;
    assert_eq!(read(&store, "a").await, Ok(Some("a".into())));
    let newer = StoreError::Newer { found: 7, known: 2 };
    assert_eq!(store.commit(put(1, "b")).await, Err(newer.clone()));
    let strict = WriteBatch { durability: Durability::Strict, ..put(1, "b") };
    assert_eq!(store.commit(strict).await, Err(newer));
    assert_eq!(read(&store, "b").await, Ok(None));
}

#[wasm_bindgen_test]
async fn f3_a_newer_schema_that_lacks_what_this_one_reads_is_refused() {
    open("other").await.close().await.unwrap();
    stubs::raise_version("other", 7, true).await;
    assert_eq!(IndexedDb::open("other").await.unwrap_err(), StoreError::Newer { found: 7, known: 2 });
}

/// A memory of the first schema, and what it held.
async fn stored_in_first_schema(name: &str) -> Vec<(Space, Key, Vec<u8>)> {
    let storage = MemStore::new();
    let user = UserId::new("user", "u-1").unwrap();
    let memory = Memory::open(storage.connect(), BrowserEnv, user, Config::default()).await.unwrap();
    for number in 0..20 {
        memory.add(crate::race::draft(&format!("old-{number}"), "from the first schema")).await.unwrap();
    }
    let held = everything(&storage).await;
    stubs::first_schema(name, &held).await;
    held
}

#[wasm_bindgen_test]
async fn a_database_of_the_first_schema_is_upgraded_and_written_on() {
    let held = stored_in_first_schema("first").await;
    let memory = memory("first").await;
    assert_eq!(everything(&open("first").await).await, held);
    memory.add(crate::race::draft("new", "after the upgrade")).await.unwrap();
    assert_eq!(memory.list(&ListOptions::default()).await.unwrap().len(), 21);
    assert_eq!(memory.verify(false).await.unwrap().problems, vec![]);
}

#[wasm_bindgen_test]
async fn f4_an_upgrade_that_ends_half_way_leaves_the_old_schema_and_is_tried_again() {
    let held = stored_in_first_schema("half").await;
    stubs::fail_upgrades();
    let broken = IndexedDb::open("half").await.unwrap_err();
    stubs::restore();
    assert_eq!(broken, StoreError::Unavailable("IndexedDB: AbortError".into()));
    assert_eq!(everything(&open("half").await).await, held);
}

#[wasm_bindgen_test]
async fn f5_a_commit_that_exceeds_the_quota_is_refused_by_its_name_and_works_again_later() {
    let store = open("full").await;
    store.commit(paged(0, "a")).await.unwrap();
    // Whether a transaction may end early is known from now on. The first commit afterwards reads the guard, and the
    // second does not.
    TimeoutFuture::new(100).await;
    store.commit(paged(1, "x")).await.unwrap();
    for strict in [false, true, false] {
        let batch = paged(2, "b");
        let batch = if strict { WriteBatch { durability: Durability::Strict, ..batch } } else { batch };
        stubs::exceed_quota();
        let refused = store.commit(batch).await;
        stubs::restore();
        assert_eq!(refused, Err(StoreError::QuotaExceeded), "strict: {strict}");
        assert_eq!(read(&store, "b").await, Ok(None));
    }
    assert_eq!(read(&store, "a").await, Ok(Some("a".into())));
    assert_eq!(store.commit(paged(2, "b")).await, Ok(Revision(3)));
}

#[wasm_bindgen_test]
async fn f5_a_memory_on_a_full_disk_loses_nothing() {
    let memory = memory("full-memory").await;
    memory.add(crate::race::draft("tea", "Hoa drinks tea")).await.unwrap();
    stubs::exceed_quota();
    let refused = memory.add(crate::race::draft("room", "there is no room")).await.unwrap_err();
    stubs::restore();
    assert_eq!(refused.code(), ErrorCode::QuotaExceeded);
    memory.add(crate::race::draft("room", "there is room")).await.unwrap();
    assert_eq!(memory.list(&ListOptions::default()).await.unwrap().len(), 2);
    assert_eq!(memory.verify(false).await.unwrap().problems, vec![]);
}

#[wasm_bindgen_test]
async fn f8_f10_connections_that_the_browser_closes_are_opened_again_by_the_next_call() {
    stubs::note();
    let store = open("closing").await;
    store.commit(put(0, "a")).await.unwrap();
    let mut revision = 1;
    // The sentinel's, rexie's, and both.
    for which in [[true, false], [false, true], [true, true]] {
        for strict in [false, true] {
            stubs::close_opened(which[0], which[1]);
            assert_eq!(read(&store, "a").await, Ok(Some("a".into())));
            stubs::close_opened(which[0], which[1]);
            let batch = put(revision, "b");
            let batch = if strict { WriteBatch { durability: Durability::Strict, ..batch } } else { batch };
            assert_eq!(store.commit(batch).await, Ok(Revision(revision + 1)), "{which:?}, strict: {strict}");
            revision += 1;
            assert_eq!(read(&store, "b").await, Ok(Some("b".into())));
        }
    }
    stubs::restore();
}

#[wasm_bindgen_test]
async fn f12_a_backing_store_that_cannot_be_opened_is_unavailable_without_a_loop() {
    stubs::fail_to_open("UnknownError", "Internal error opening backing store for indexedDB.open.");
    let refused = IndexedDb::open("backing").await.unwrap_err();
    let attempts = stubs::attempts();
    stubs::restore();
    assert_eq!(refused, StoreError::Unavailable("IndexedDB: UnknownError".into()));
    assert_eq!(attempts, 1);
    assert_eq!(read(&open("backing").await, "a").await, Ok(None));
}

#[wasm_bindgen_test]
async fn f6_a_disk_that_is_full_when_the_database_is_opened_is_a_typed_error() {
    stubs::fail_to_open("QuotaExceededError", "full");
    let refused = IndexedDb::open("full-at-open").await.unwrap_err();
    stubs::restore();
    assert_eq!(refused, StoreError::QuotaExceeded);
}

#[wasm_bindgen_test]
async fn f13_f14_where_there_is_no_indexed_db_that_is_said() {
    stubs::no_indexed_db(false);
    let missing = IndexedDb::open("none").await.unwrap_err();
    stubs::restore();
    stubs::no_indexed_db(true);
    let forbidden = IndexedDb::open("none").await.unwrap_err();
    stubs::restore();
    assert_eq!(missing, StoreError::Unavailable("there is no IndexedDB here".into()));
    assert_eq!(forbidden, StoreError::Unavailable("IndexedDB: SecurityError".into()));
}

#[wasm_bindgen_test]
async fn f9_a_database_that_is_deleted_while_open_is_lost() {
    let memory = memory("lost").await;
    memory.add(crate::race::draft("before", "before")).await.unwrap();
    stubs::delete_database("lost").await;
    assert_eq!(memory.list(&ListOptions::default()).await.unwrap_err().code(), ErrorCode::StoreLost);
    assert_eq!(memory.add(crate::race::draft("after", "after")).await.unwrap_err().code(), ErrorCode::StoreLost);
}

#[wasm_bindgen_test]
async fn f21_a_flush_and_a_strict_commit_reach_a_strict_transaction() {
    let memory = memory("strict").await;
    memory.add(crate::race::draft("a", "a")).await.unwrap();
    TimeoutFuture::new(100).await;
    stubs::note();
    memory.flush().await.unwrap();
    memory.add(crate::race::draft("b", "b")).await.unwrap();
    let asked = stubs::durabilities();
    stubs::restore();
    assert_eq!(asked, ["strict", "relaxed"]);
}

#[wasm_bindgen_test]
async fn a_store_that_is_dropped_blocks_nobody() {
    drop(open("dropped-store").await);
    let begun = js_sys::Date::now();
    IndexedDb::open_with_schema("dropped-store", 3).await.unwrap();
    assert!(js_sys::Date::now() - begun < 1_500.0, "it waited");
}
