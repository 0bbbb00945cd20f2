//! Hosts that answer less than they were asked for, and users that share a storage: neither shows in an answer.

use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::store::{Key, KeyRange, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::{Config, MemStore, Store};
use std::cell::Cell;

/// More keys or items than these in one call are refused, as a host that bounds its answers does.
const AT_ONCE: usize = 256;

/// A store that answers a scan with a few items at a time, now and then with none, and refuses calls for many.
struct Sparing {
    inner: MemStore,
    scans: Cell<usize>,
}

impl Store for Sparing {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        if keys.len() > AT_ONCE {
            return Err(StoreError::Failed("too many keys at once".into()));
        }
        self.inner.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        if limit > AT_ONCE {
            return Err(StoreError::Failed("too many items at once".into()));
        }
        self.scans.set(self.scans.get() + 1);
        if self.scans.get().is_multiple_of(3) {
            let first = self.inner.scan(space, range, 1).await?.items.into_iter().next();
            if let Some((key, _)) = first.filter(|(key, _)| *key > range.start) {
                return Ok(Page { items: Vec::new(), next: Some(key) });
            }
        }
        self.inner.scan(space, range, limit.min(3)).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.inner.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}

fn open<S: Store>(store: S, user: &str) -> Memory<S, Scripted> {
    let user = UserId::new("user", user).unwrap();
    block_on(Memory::open(store, Scripted::new(1_735_812_000_000, 1), user, Config::default())).unwrap()
}

fn call<S: Store>(memory: &Memory<S, Scripted>, verb: &str, args: &str) -> String {
    block_on(memory.call(verb, parse(args).unwrap())).unwrap().to_string()
}

/// So many that they fill more than one page of everything that is read in pages.
const MANY: usize = 300;

fn fill<S: Store>(memory: &Memory<S, Scripted>) {
    let long = "and so on ".repeat(300);
    for n in 0..MANY {
        call(
            memory,
            "add",
            &format!(r#"{{"id":"e-{n}","content":"note {n} about tea {long}","tags":["t{}"]}}"#, n % 7),
        );
        call(memory, "append", &format!(r#"{{"session":"s","messages":[{{"role":"user","content":"message {n}"}}]}}"#));
    }
}

const QUESTIONS: [(&str, &str); 8] = [
    ("list", r#"{"limit":1000}"#),
    ("get", r#"{"id":"e-299"}"#),
    ("count", "{}"),
    ("stats", "{}"),
    ("search", r#"{"query":"note 17 about tea","limit":20}"#),
    ("session", r#"{"session":"s"}"#),
    ("messages", r#"{"session":"s","limit":500}"#),
    ("logVerify", "{}"),
];

#[test]
fn f37_a_host_that_answers_a_little_at_a_time_gives_the_same_answers() {
    let storage = MemStore::new();
    fill(&open(storage.connect(), "u-1"));
    let plain = open(storage.connect(), "u-1");
    let sparing = open(Sparing { inner: storage.connect(), scans: Cell::new(0) }, "u-1");
    for (verb, args) in QUESTIONS {
        assert_eq!(call(&sparing, verb, args), call(&plain, verb, args), "{verb}");
    }
    assert!(sparing_was_asked(&storage), "the host was asked in pieces");
}

/// Whether reading everything takes more scans than there are spaces.
fn sparing_was_asked(storage: &MemStore) -> bool {
    let store = Sparing { inner: storage.connect(), scans: Cell::new(0) };
    let mut range = KeyRange::prefix(Key::default());
    while let Some(next) = block_on(store.scan(Space::Records, &range, AT_ONCE)).unwrap().next {
        range.start = next;
    }
    store.scans.get() > MANY / 3
}

/// The same entries are scored the same, to the bit, whatever another user of the storage has: neither how often a word
/// occurs there nor how much there is can be read off a score.
#[test]
fn s19_what_others_keep_does_not_show_in_a_score() {
    let alone = MemStore::new();
    let shared = MemStore::new();
    let other = open(shared.connect(), "other");
    for n in 0..300 {
        call(&other, "add", &format!(r#"{{"content":"merger with Acme, draft {n}","tags":["acme"]}}"#));
    }
    let searched = |storage: &MemStore| {
        let memory = open(storage.connect(), "u-1");
        for content in ["Acme called about the merger", "Tea with Ann on Monday", "The merger is off"] {
            call(&memory, "add", &format!(r#"{{"content":"{content}"}}"#));
        }
        ["acme merger", "tea", "draft"].map(|query| {
            ["best", "formula"].map(|ranking| {
                call(&memory, "search", &format!(r#"{{"query":"{query}","ranking":"{ranking}","explain":true}}"#))
            })
        })
    };
    let (alone, shared) = (searched(&alone), searched(&shared));
    assert!(alone[0][0].contains("score"), "{alone:?}");
    assert_eq!(alone, shared);
}
