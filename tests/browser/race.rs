//! Two writers in one page, each with a connection of its own.

use crate::page::everything;
use crate::stubs;
use js_sys::Promise;
use keepsake::browser::{BrowserEnv, IndexedDb};
use keepsake::memory::{ListOptions, Memory, SearchOptions, snapshot};
use keepsake::model::{Draft, EntryId};
use keepsake::store::{Durability, Key, Op, Revision, Space, StoreError, WriteBatch};
use keepsake::{MemStore, Store};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use wasm_bindgen_test::wasm_bindgen_test;

pub(crate) fn draft(id: &str, content: &str) -> Draft {
    Draft {
        id: Some(EntryId::new("id", id.replace(' ', "-")).unwrap()),
        content: content.to_owned(),
        namespace: Some("long-term".to_owned()),
        ..Draft::default()
    }
}

fn query(words: &str) -> SearchOptions {
    SearchOptions { query: words.to_owned(), ..SearchOptions::default() }
}

async fn open(name: &str) -> Memory<IndexedDb, BrowserEnv> {
    keepsake::Memory::open(IndexedDb::open(name).await.unwrap(), "u-1").await.unwrap().core().clone()
}

/// Resolves when all of these have ended.
async fn together(works: Vec<impl Future<Output = ()> + 'static>) {
    let works: js_sys::Array = works
        .into_iter()
        .map(|work| {
            wasm_bindgen_futures::future_to_promise(async {
                work.await;
                Ok(wasm_bindgen::JsValue::UNDEFINED)
            })
        })
        .collect();
    JsFuture::from(Promise::all(&works)).await.unwrap();
}

#[wasm_bindgen_test]
async fn f17_memories_that_write_at_once_lose_nothing_and_agree() {
    let memories = Rc::new([open("race").await, open("race").await]);
    for memory in &*memories {
        // From now on the index follows the log.
        memory.search(&query("note")).await.unwrap();
    }
    let writers = (0..2).map(|who| {
        let memories = Rc::clone(&memories);
        async move {
            for number in 0..60 {
                memories[who].add(draft(&format!("{who}-{number}"), &format!("note {number} by {who}"))).await.unwrap();
            }
        }
    });
    together(writers.collect()).await;
    let mut seen = Vec::new();
    for memory in &*memories {
        let mut ids: Vec<String> =
            memory.list(&ListOptions::default()).await.unwrap().iter().map(|entry| entry.id.to_string()).collect();
        ids.sort();
        assert_eq!(ids.len(), 120);
        // No posting points to a record that is missing.
        let hits = memory.search(&SearchOptions { limit: Some(200), ..query("note") }).await.unwrap();
        assert_eq!(hits.len(), 120);
        assert_eq!(memory.verify(false).await.unwrap().problems, vec![]);
        seen.push(ids);
    }
    assert_eq!(seen[0], seen[1]);
}

fn page(base: u64, name: &str) -> WriteBatch {
    let key = |text: &str| Key::default().part(text.as_bytes());
    let ops = vec![
        Op::Add(Space::Records, key(name), name.into()),
        Op::Put(Space::Log, key("tenant").number(base + 1), format!("page of {name}").into()),
    ];
    WriteBatch { guard: key("tenant"), base: Revision(base), ops, durability: Durability::Relaxed }
}

#[wasm_bindgen_test]
async fn f17_a_revision_that_exists_is_refused_and_nothing_of_it_is_kept() {
    let (one, two) = (IndexedDb::open("pages").await.unwrap(), IndexedDb::open("pages").await.unwrap());
    let refused = |current| Err(StoreError::Conflict { current: Revision(current) });
    // Early ends are tried out after the first commit. Several rounds, so that both kinds of commits are refused.
    for round in 0..4 {
        let base = round * 3;
        let at = |base: u64, what: &str| page(base, &format!("{what} {base}"));
        assert_eq!(one.commit(at(base, "a")).await, Ok(Revision(base + 1)));
        assert_eq!(one.commit(at(base + 1, "b")).await, Ok(Revision(base + 2)));
        assert_eq!(two.commit(at(base + 1, "stale")).await, refused(base + 2));
        assert_eq!(two.commit(at(base + 2, "c")).await, Ok(Revision(base + 3)));
        assert_eq!(one.commit(at(base + 2, "late")).await, refused(base + 3));
    }
    let names: Vec<String> = everything(&one)
        .await
        .into_iter()
        .filter(|(space, ..)| *space == Space::Records)
        .map(|(_, _, value)| String::from_utf8(value).unwrap())
        .collect();
    assert_eq!(names.len(), 12);
    assert!(names.iter().all(|name| !name.starts_with("stale") && !name.starts_with("late")), "{names:?}");
}

#[wasm_bindgen_test]
async fn records_are_carried_by_pages_as_in_typescript() {
    let store = IndexedDb::open("carried").await.unwrap();
    for base in 0..5 {
        store.commit(page(base, &format!("record {base}"))).await.unwrap();
    }
    assert_eq!(stubs::dump_log("carried").await, (5, 5));
    let guard = Key::default().part(b"tenant");
    let gone = Op::Delete(Space::Records, Key::default().part(b"record 2"));
    let batch = WriteBatch { guard, base: Revision(5), ops: vec![gone], durability: Durability::Relaxed };
    store.commit(batch).await.unwrap();
    assert_eq!(stubs::dump_log("carried").await, (4, 5));
}

#[wasm_bindgen_test]
async fn what_is_written_in_any_order_is_read_as_from_a_plain_store() {
    let (real, plain) = (IndexedDb::open("random").await.unwrap(), MemStore::new());
    let mut state = 20_261_118_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let guard = Key::default().part(b"tenant");
    let name = |place: u64| Key::from_bytes(vec![b'a' + place as u8]);
    let mut there = std::collections::BTreeSet::new();
    let mut carried = 0;
    for base in 0..200_u64 {
        let mut ops = Vec::new();
        for _ in 0..below(4) {
            let key = name(below(26));
            match below(5) {
                0 => {
                    let range = keepsake::store::KeyRange { start: key, end: (below(4) > 0).then(|| name(below(26))) };
                    there.retain(|known| !range.contains(known));
                    ops.push(Op::DeleteRange(Space::Records, range));
                }
                1 => {
                    there.remove(&key);
                    ops.push(Op::Delete(Space::Records, key));
                }
                // Only what is new is said to be.
                _ if there.insert(key.clone()) => ops.push(Op::Add(Space::Records, key, base.to_be_bytes().to_vec())),
                _ => ops.push(Op::Delete(Space::Bodies, key)),
            }
        }
        ops.push(Op::Put(Space::Log, guard.clone().number(base + 1), vec![7]));
        let durability = if below(8) == 0 { Durability::Strict } else { Durability::Relaxed };
        let batch = WriteBatch { guard: guard.clone(), base: Revision(base), ops, durability };
        plain.commit(batch.clone()).await.unwrap();
        real.commit(batch).await.unwrap();
        let range = keepsake::store::KeyRange { start: name(below(26)), end: None };
        let limit = 1 + below(8) as usize;
        for space in [Space::Records, Space::Log, Space::Meta] {
            let (seen, wanted) = (real.scan(space, &range, limit).await, plain.scan(space, &range, limit).await);
            assert_eq!(seen, wanted, "scan of {space:?} after {base}");
        }
        let keys = [name(below(26)), name(below(26)), guard.clone()];
        assert_eq!(real.get(Space::Records, &keys).await, plain.get(Space::Records, &keys).await, "get after {base}");
        if base % 10 == 0 {
            assert_eq!(snapshot::of(&real).await, snapshot::of(&plain).await, "everything after {base}");
            carried += u32::from(stubs::dump_log("random").await.0 > 0);
        }
    }
    assert!(carried > 5, "something was carried {carried} times");
}

#[wasm_bindgen_test]
async fn a_call_that_is_dropped_has_all_of_its_effect() {
    let store = Rc::new(IndexedDb::open("dropped").await.unwrap());
    let many = (0..1000_u32).map(|n| Op::Put(Space::Records, Key::default().number(n.into()), vec![1; 100])).collect();
    let guard = Key::default().part(b"tenant");
    let batch = WriteBatch { guard: guard.clone(), base: Revision(0), ops: many, durability: Durability::Relaxed };
    {
        let mut commit = Box::pin(store.commit(batch));
        let waker = std::task::Waker::noop();
        assert!(commit.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
    }
    // Its transaction is before this one.
    let found = everything(&*store).await;
    assert!([1001, 0].contains(&found.len()), "{} values", found.len());
    gloo_timers::future::TimeoutFuture::new(500).await;
    assert_eq!(everything(&*store).await.len(), 1001);
}

#[wasm_bindgen_test]
async fn another_handle_is_told_of_a_write_before_a_search() {
    let (one, two) = (open("told").await, open("told").await);
    let heard = Rc::new(RefCell::new(Vec::new()));
    for memory in [&one, &two] {
        memory.search(&query("tea")).await.unwrap();
    }
    one.add(draft("tea", "Hoa drinks tea")).await.unwrap();
    let (searched, note) = (two.clone(), Rc::clone(&heard));
    spawn_local(async move {
        for _ in 0..50 {
            let hits = searched.search(&query("tea")).await.unwrap().len();
            note.borrow_mut().push(hits);
            gloo_timers::future::TimeoutFuture::new(10).await;
        }
    });
    gloo_timers::future::TimeoutFuture::new(800).await;
    assert_eq!(heard.borrow().last(), Some(&1));
}
