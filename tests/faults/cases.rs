//! What happens to a memory when its storage fails, conflicts or ends in the middle: nothing is half written.

use super::Disk;
use futures::executor::block_on;
use futures::future::{join, join_all};
use keepsake::memory::ListOptions;
use keepsake::memory::Memory;
use keepsake::memory::SearchOptions;
use keepsake::memory::scripted::Scripted;
use keepsake::model::Changes;
use keepsake::model::Draft;
use keepsake::model::{Block, FactKey, MessageDraft, Role, SessionId, UserId};
use keepsake::store::{
    Durability, Fault, FaultyStore, Key, KeyRange, Op, Page, Revision, Space, StoreError, WriteBatch,
};
use keepsake::{Config, Entry, Env, Error, ErrorCode, Store};
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

type Broken = Rc<FaultyStore<Disk>>;

fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

/// Longer than its summary, so that there is a body beside the record.
fn long_draft(content: &str) -> Draft {
    draft(&format!("{content} {}", "and so on ".repeat(500)))
}

async fn open<S: Store>(store: S, seed: u64) -> Memory<S, Scripted> {
    let user = UserId::new("user", "u-1").unwrap();
    Memory::open(store, Scripted::new(1_735_812_000_000, seed), user, Config::default()).await.unwrap()
}

async fn list<S: Store, E: Env>(memory: &Memory<S, E>) -> Vec<Entry> {
    memory.list(&ListOptions::default()).await.unwrap()
}

/// The first word of each entry, newest first, after every content has been read.
async fn words<S: Store, E: Env>(memory: &Memory<S, E>) -> Vec<String> {
    let mut words = Vec::new();
    for entry in list(memory).await {
        let (_, content) = memory.get(&entry.id).await.unwrap().expect("what is listed is there");
        words.push(content.split(' ').next().unwrap().to_owned());
    }
    words
}

/// Every byte of every space.
async fn dump(store: &Disk) -> Vec<(Space, Key, Vec<u8>)> {
    let mut all = Vec::new();
    for space in Space::ALL {
        let page = store.scan(space, &KeyRange::prefix(Key::default()), usize::MAX).await.unwrap();
        all.extend(page.items.into_iter().map(|(key, value)| (space, key, value)));
    }
    all
}

/// A storage with one entry, and a memory on it whose store can be broken.
async fn prepared() -> (Disk, Broken, Memory<Broken, Scripted>) {
    let storage = Disk::new();
    let store = Rc::new(FaultyStore::new(storage.connect()));
    let memory = open(Rc::clone(&store), 1).await;
    memory.add(long_draft("first")).await.unwrap();
    list(&memory).await;
    (storage, store, memory)
}

/// How many operations an add takes when nothing fails.
async fn operations_of_an_add() -> usize {
    let (_, store, memory) = prepared().await;
    let before = store.operations();
    memory.add(long_draft("second")).await.unwrap();
    store.operations() - before
}

#[test]
fn a_failure_at_any_operation_leaves_storage_and_memory_as_they_were() {
    for nth in 1..=block_on(operations_of_an_add()) {
        block_on(async {
            let (storage, store, memory) = prepared().await;
            let before = dump(&storage).await;
            store.break_at(nth, Fault::Fail(StoreError::QuotaExceeded));
            let failed = memory.add(long_draft("second")).await.unwrap_err();
            assert_eq!(failed.code(), ErrorCode::QuotaExceeded, "operation {nth}");
            assert_eq!(dump(&storage).await, before, "operation {nth}");
            assert_eq!(words(&memory).await, ["first"]);
            memory.add(long_draft("third")).await.unwrap();
            assert_eq!(words(&memory).await, ["third", "first"]);
        });
    }
}

#[test]
fn f20_f38_a_crash_at_any_operation_leaves_the_old_or_the_new_state() {
    let mut outcomes = Vec::new();
    for nth in 1..=block_on(operations_of_an_add()) {
        for fault in [Fault::Crash, Fault::CrashAfter] {
            block_on(async {
                let (storage, store, memory) = prepared().await;
                store.break_at(nth, fault.clone());
                memory.add(long_draft("second")).await.unwrap_err();
                let after = open(storage.connect(), 2).await;
                outcomes.push(words(&after).await.len());
                after.add(draft("third")).await.unwrap();
                assert_eq!(words(&after).await[0], "third", "operation {nth}, {fault:?}");
            });
        }
    }
    assert!(outcomes.contains(&1) && outcomes.contains(&2), "both ends were seen: {outcomes:?}");
}

#[test]
fn a_lost_answer_is_not_a_lost_write_and_not_a_second_one() {
    block_on(async {
        let (_, store, memory) = prepared().await;
        store
            .break_at(operations_of_an_add().await, Fault::LoseAnswer(StoreError::Failed("the line went dead".into())));
        memory.add(long_draft("second")).await.unwrap();
        assert_eq!(words(&memory).await, ["second", "first"]);
    });
}

#[test]
fn a_failed_commit_that_was_not_written_is_reported() {
    block_on(async {
        let (_, store, memory) = prepared().await;
        store.break_at(operations_of_an_add().await, Fault::Fail(StoreError::Failed("broken".into())));
        assert_eq!(memory.add(draft("second")).await.unwrap_err().code(), ErrorCode::StorageFailed);
        assert_eq!(words(&memory).await, ["first"]);
    });
}

#[test]
fn f17_memories_on_one_storage_lose_nothing_and_agree() {
    block_on(async {
        let storage = Disk::new();
        let memories =
            [open(storage.connect(), 1).await, open(storage.connect(), 2).await, open(storage.connect(), 3).await];
        // One has its catalog already and follows the log; the others read it whole.
        list(&memories[0]).await;
        for round in 0..50 {
            let adds = memories.iter().enumerate().map(|(who, memory)| memory.add(draft(&format!("{who}/{round} x"))));
            for added in join_all(adds).await {
                added.unwrap();
            }
        }
        let seen = words(&memories[0]).await;
        assert_eq!(seen.len(), 150);
        for memory in &memories {
            assert_eq!(words(memory).await, seen);
            assert_eq!(memory.revision(), 150);
        }
        assert_eq!(words(&open(storage.connect(), 4).await).await, seen);
    });
}

#[test]
fn f25_overlapping_calls_on_one_memory_are_answered_in_order() {
    block_on(async {
        let memory = open(Disk::new(), 1).await;
        let drafts: Vec<Draft> = (0..100).map(|n| draft(&format!("{n} x"))).collect();
        join_all(drafts.into_iter().map(|draft| memory.add(draft))).await;
        let wanted: Vec<String> = (0..100).rev().map(|n| n.to_string()).collect();
        assert_eq!(words(&memory).await, wanted);
    });
}

/// A store on which a commit is refused for the first `left` times.
struct Refusing {
    inner: Disk,
    left: Cell<u32>,
    /// Whether somebody else writes first each time; otherwise nobody has.
    beaten: bool,
    /// How many revisions it then says that it is ahead.
    ahead: u64,
}

impl Store for Refusing {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.inner.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<keepsake::store::Page, StoreError> {
        self.inner.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        match self.left.get().checked_sub(1) {
            None => {}
            Some(left) => {
                self.left.set(left);
                if !self.beaten {
                    return Err(StoreError::Conflict { current: Revision(batch.base.0 + self.ahead) });
                }
                open(self.inner.connect(), batch.base.0).await.add(draft("faster")).await.unwrap();
            }
        }
        self.inner.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}

#[test]
fn a_memory_that_is_beaten_again_and_again_writes_in_the_end() {
    block_on(async {
        let storage = Disk::new();
        let store = Refusing { inner: storage.connect(), left: Cell::new(200), beaten: true, ahead: 0 };
        let memory = open(store, u64::MAX).await;
        memory.add(draft("slower")).await.unwrap();
        let entries = list(&memory).await;
        assert_eq!(entries.len(), 201);
        assert_eq!(entries.iter().filter(|entry| entry.summary == "slower").count(), 1);
    });
}

#[test]
fn a_storage_that_refuses_although_nobody_wrote_is_given_up_on() {
    // Whether it says so, or speaks of a revision that its log does not lead to.
    for ahead in [0, 1] {
        block_on(async {
            let storage = Disk::new();
            let store = Refusing { inner: storage.connect(), left: Cell::new(u32::MAX), beaten: false, ahead };
            let memory = open(store, u64::MAX).await;
            assert_eq!(memory.add(draft("refused")).await.unwrap_err(), Error::Contended { tries: 64 });
            assert_eq!(list(&memory).await.len(), 0);
        });
    }
}

/// Takes everything away, as a browser does that resets a database.
async fn wipe(storage: &Disk) {
    let everything = |space| Op::DeleteRange(space, KeyRange::prefix(Key::default()));
    let ops = Space::ALL.into_iter().map(everything).collect();
    let batch = WriteBatch { guard: Key::default(), base: Revision(0), ops, durability: Durability::Relaxed };
    storage.commit(batch).await.unwrap();
}

#[test]
fn f9_a_storage_that_was_emptied_is_reported_and_not_filled_again() {
    block_on(async {
        let (storage, _, memory) = prepared().await;
        wipe(&storage).await;
        assert_eq!(memory.list(&ListOptions::default()).await.unwrap_err().code(), ErrorCode::StoreLost);
        assert_eq!(memory.add(draft("second")).await.unwrap_err().code(), ErrorCode::StoreLost);
    });
}

#[test]
fn f16_a_storage_that_was_replaced_by_another_is_reported() {
    block_on(async {
        let (storage, _, memory) = prepared().await;
        wipe(&storage).await;
        let other = open(storage.connect(), 9).await;
        for n in 0..5 {
            other.add(draft(&format!("other {n}"))).await.unwrap();
        }
        assert_eq!(memory.list(&ListOptions::default()).await.unwrap_err().code(), ErrorCode::StoreLost);
        assert_eq!(memory.add(draft("second")).await.unwrap_err().code(), ErrorCode::StoreLost);
        assert_eq!(words(&other).await.len(), 5);
    });
}

#[test]
fn f40_a_damaged_value_is_an_error_of_its_own_and_the_others_stay_readable() {
    block_on(async {
        let (storage, _, memory) = prepared().await;
        let good = memory.add(draft("good")).await.unwrap();
        let [damaged] = &list(&memory).await[1..] else { panic!("there are two") };
        let stored = dump(&storage).await;
        let (space, key, bytes) = stored.iter().find(|(space, ..)| *space == Space::Bodies).unwrap();
        let mut bytes = bytes.clone();
        *bytes.last_mut().unwrap() ^= 1;
        let guard = stored.iter().find(|(space, ..)| *space == Space::Meta).unwrap().1.clone();
        let ops = vec![Op::Put(*space, key.clone(), bytes)];
        storage.commit(WriteBatch { guard, base: Revision(2), ops, durability: Durability::Relaxed }).await.unwrap();
        assert_eq!(memory.get(&damaged.id).await.unwrap_err().code(), ErrorCode::Corrupt);
        assert_eq!(memory.get(&good.id).await.unwrap().unwrap().1, "good");
    });
}

#[test]
fn f39_a_clock_that_stands_still_or_jumps_back_changes_no_order() {
    block_on(async {
        let world = Scripted::new(1_735_812_000_000, 1);
        let memory = Memory::open(Disk::new(), world.clone(), UserId::new("user", "u").unwrap(), Config::default())
            .await
            .unwrap();
        memory.add(draft("first")).await.unwrap();
        memory.add(draft("second")).await.unwrap();
        world.set_now(world.millis() - 86_400_000);
        memory.add(draft("third")).await.unwrap();
        assert_eq!(words(&memory).await, ["third", "second", "first"]);
    });
}

#[test]
fn s4_no_user_sees_another_whatever_they_are_called() {
    let users = [
        "a",
        "a:b",
        "b",
        "user1",
        "user10",
        "%",
        "_",
        "\u{0}",
        "\u{0}\u{1}",
        "__proto__",
        "việt",
        "vie\u{323}\u{302}t",
    ];
    block_on(async {
        let storage = Disk::new();
        let mut memories = Vec::new();
        for (seed, name) in users.into_iter().enumerate() {
            let user = UserId::new("user", name).unwrap();
            let memory =
                Memory::open(storage.connect(), Scripted::new(0, seed as u64), user, Config::default()).await.unwrap();
            memory.add(long_draft(&format!("{seed}"))).await.unwrap();
            memories.push(memory);
        }
        for (seed, memory) in memories.iter().enumerate() {
            assert_eq!(words(memory).await, [seed.to_string()]);
        }
    });
}

/// Waits inside of a poll, where an executor cannot be entered again.
fn finished<T>(work: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}

/// A store before whose next read of contents something else happens.
struct Interrupted {
    storage: Disk,
    before: RefCell<Option<Box<dyn FnOnce()>>>,
}

impl Store for Interrupted {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let before = if space == Space::Bodies && !keys.is_empty() { self.before.take() } else { None };
        if let Some(before) = before {
            before();
        }
        self.storage.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let before = if space == Space::Records { self.before.take() } else { None };
        if let Some(before) = before {
            before();
        }
        self.storage.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.storage.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.storage.close().await
    }
}

/// Simulation, seed 6636: a session was deleted and begun again between the reads of its record and of its messages. The
/// reader saw one of three messages that were appended together.
#[test]
fn f17_a_session_that_is_begun_again_between_two_reads_is_seen_whole() {
    block_on(async {
        for (old, new) in [(1, 3), (3, 1), (3, 3), (5, 12)] {
            let storage = Disk::new();
            let writer = Rc::new(open(storage.connect(), 1).await);
            let reader = Rc::new(Interrupted { storage: storage.connect(), before: RefCell::new(None) });
            let memory = open(Rc::clone(&reader), 2).await;
            let session = SessionId::new("session", "s").unwrap();
            let said = |count: usize, text: &str| -> Vec<MessageDraft> {
                (0..count).map(|at| MessageDraft::new(Role::User, vec![Block::text(format!("{text} {at}"))])).collect()
            };
            writer.append(&session, None, &said(old, "old")).await.unwrap();
            let (other, place, fresh) = (Rc::clone(&writer), session.clone(), said(new, "new"));
            reader.before.replace(Some(Box::new(move || {
                finished(other.delete_session(&place, false)).unwrap();
                finished(other.append(&place, None, &fresh)).unwrap();
            })));
            let window = memory.messages(&session, 30, None).await.unwrap();
            assert_eq!((window.messages.len(), window.total, window.before), (new, new as u64, 0), "{old} to {new}");
        }
    });
}

/// Simulation, seed 16491: an entry that another tab made short, between the reads of its record and of its content, was
/// found by nobody and looked deleted.
#[test]
fn f17_an_entry_that_is_updated_between_two_reads_is_not_gone() {
    block_on(async {
        let storage = Disk::new();
        let writer = Rc::new(open(storage.connect(), 1).await);
        let reader = Rc::new(Interrupted { storage: storage.connect(), before: RefCell::new(None) });
        let memory = open(Rc::clone(&reader), 2).await;
        memory.count(None).await.unwrap();
        let id = writer.add(long_draft("tea")).await.unwrap().id;
        let shorten = |content: &'static str| {
            let (writer, id) = (Rc::clone(&writer), id.clone());
            Box::new(move || {
                let changes = Changes { content: Some(content.to_owned()), ..Changes::default() };
                finished(writer.update(&id, &changes)).unwrap();
            })
        };
        reader.before.replace(Some(shorten("coffee")));
        let options = |query: &str| SearchOptions { query: query.to_owned(), ..SearchOptions::default() };
        let found = memory.search(&options("coffee")).await.unwrap();
        assert_eq!(found.len(), 1, "a search while it is updated finds it");
        writer.update(&id, &Changes { content: Some(long_draft("milk").content), ..Changes::default() }).await.unwrap();
        reader.before.replace(Some(shorten("water")));
        let (entry, content) = memory.get(&id).await.unwrap().expect("it was never deleted");
        assert_eq!((entry.version, content.as_str()), (4, "water"));
    });
}

/// Simulation, seed 8642: a repair that ran beside them dropped the index under a `clear`, which then deleted nothing and
/// said so.
#[test]
fn f40_a_repair_does_not_take_the_index_from_under_the_writes_beside_it() {
    block_on(async {
        let storage = Disk::new();
        let memory = open(Slow(storage.connect()), 1).await;
        for turn in 0..60 {
            memory.add(draft(&format!("green tea {turn}"))).await.unwrap();
            let keyed = || Draft { key: Some(FactKey::new("key", "drink").unwrap()), ..draft("coffee") };
            memory.add(keyed()).await.unwrap();
            let lost = memory.add(draft("a lost one")).await.unwrap().id;
            tamper(&storage, lost.as_str()).await;
            // The others begin after so many polls of the repair.
            let writes = async {
                for _ in 0..turn {
                    poll_once().await;
                }
                join(memory.add(keyed()), memory.clear(None)).await
            };
            let ((added, cleared), repaired) = join(writes, memory.verify(true)).await;
            assert_eq!(added.unwrap().version, 2, "turn {turn}: the key was not found");
            assert!(cleared.unwrap() >= 2, "turn {turn}");
            repaired.unwrap();
            assert!(list(&memory).await.is_empty(), "turn {turn}");
        }
    });
}

/// Takes the record of an entry away, behind the back of every memory.
async fn tamper(storage: &Disk, id: &str) {
    let guard = Key::default().part(b"tampered");
    let held = storage.get(Space::Meta, std::slice::from_ref(&guard)).await.unwrap().remove(0);
    let base = Revision::from_bytes(held.as_deref()).unwrap();
    let all = storage.scan(Space::Records, &KeyRange::prefix(Key::default()), usize::MAX).await.unwrap().items;
    let of_it = |key: &Key| key.as_bytes().windows(id.len()).any(|part| part == id.as_bytes());
    let ops = all.into_iter().filter(|(key, _)| of_it(key)).map(|(key, _)| Op::Delete(Space::Records, key)).collect();
    storage.commit(WriteBatch { guard, base, ops, durability: Durability::Relaxed }).await.unwrap();
}

async fn poll_once() {
    let mut came_back = false;
    std::future::poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut came_back, true) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

/// A storage that lets others go on before each request.
struct Slow(Disk);

impl Store for Slow {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        poll_once().await;
        self.0.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        poll_once().await;
        self.0.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        poll_once().await;
        self.0.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.0.close().await
    }
}
