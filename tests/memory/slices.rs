//! Calls over many things work in slices: they yield to the host, can be stopped, and report how far they have come.
//! Counted in work between two yields, never in time.

use futures::executor::block_on;
use futures::future::join;
use keepsake::codec::json::{config, parse};
use keepsake::memory::EnvError;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::{Timestamp, UserId};
use keepsake::{Env, MemStore};
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// The work of a memory between two yields.
#[derive(Clone, Debug, Default)]
struct Counts {
    yields: Rc<Cell<usize>>,
    /// Bytes that were brought into the form of the index since the last yield, and the most of any slice.
    bytes: Rc<Cell<usize>>,
    most: Rc<Cell<usize>>,
}

impl Counts {
    fn begin(&self) {
        self.yields.set(0);
        self.bytes.set(0);
        self.most.set(0);
    }
}

/// A world that counts, and whose pauses let other calls go on.
struct Counting {
    world: Scripted,
    counts: Counts,
}

impl Env for Counting {
    fn now(&self) -> Result<Timestamp, EnvError> {
        self.world.now()
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        self.world.entropy(bytes)
    }

    fn decompose(&self, text: &str) -> String {
        let Counts { bytes, most, .. } = &self.counts;
        bytes.set(bytes.get() + text.len());
        most.set(most.get().max(bytes.get()));
        self.world.decompose(text)
    }

    async fn pause(&self, _millis: u32) {
        self.counts.yields.set(self.counts.yields.get() + 1);
        self.counts.bytes.set(0);
        let mut came_back = false;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut came_back, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

type Scene = Memory<MemStore, Counting>;

/// No slice brings more bytes into the form of the index, however much there is to do.
const MOST_BYTES: usize = 32 * 1024;

fn open(store: &MemStore) -> (Scene, Counts) {
    let counts = Counts::default();
    let env = Counting { world: Scripted::new(1_735_812_000_000, 7), counts: counts.clone() };
    let settings = json!({"namespaces": {"notes": {"maxEntries": 100_000}}});
    let settings = config(parse(&settings.to_string()).unwrap()).unwrap();
    let user = UserId::new("user", "u-1").unwrap();
    (block_on(Memory::open(store.connect(), env, user, settings)).unwrap(), counts)
}

async fn ask(memory: &Scene, verb: &str, args: Value) -> Value {
    match memory.call(verb, parse(&args.to_string()).unwrap()).await {
        Ok(answer) => serde_json::from_str(&answer.to_string()).unwrap(),
        Err(error) => panic!("{verb}: {error}"),
    }
}

fn call(memory: &Scene, verb: &str, args: Value) -> Value {
    block_on(ask(memory, verb, args))
}

/// A text of so many passages.
fn text(passages: usize, word: &str) -> String {
    let passage = |at: usize| format!("# {word} {at}\n\n{}", format!("{word}{at} stands on the shelf. ").repeat(8));
    (0..passages).map(passage).collect::<Vec<_>>().join("\n\n")
}

fn ingest(passages: usize, word: &str) -> Value {
    json!({"source": "book", "text": text(passages, word), "namespace": "notes", "targetChars": 160})
}

/// A conversation of so many messages; answers the id of the last.
fn talk(memory: &Scene, count: usize) -> String {
    let mut last = String::new();
    for from in (0..count).step_by(200) {
        let messages: Vec<Value> = (from..from + 200)
            .map(|at| json!({"role": if at % 2 == 0 { "user" } else { "assistant" }, "content": format!("Parcel {at} went to shelf {} of the hall.", at % 97)}))
            .collect();
        let said = call(memory, "append", json!({"session": "s", "messages": messages}));
        last = said.as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    }
    last
}

/// Runs a verb with `n` and with `2n` things, and answers how often each yielded.
fn yields(counts: &Counts, run: impl FnOnce()) -> usize {
    counts.begin();
    run();
    assert!(counts.most.get() <= MOST_BYTES, "{} bytes in one slice", counts.most.get());
    counts.yields.get()
}

#[test]
fn documents_are_taken_in_replaced_and_cleared_in_slices() {
    let run = |passages: usize| {
        let store = MemStore::new();
        let (memory, counts) = open(&store);
        let first = yields(&counts, || assert!(call(&memory, "ingest", ingest(passages, "lamp")).is_object()));
        let again = yields(&counts, || assert!(call(&memory, "ingest", ingest(passages, "river")).is_object()));
        // Another tab comes to the same index.
        let (other, counts) = open(&store);
        let opened = yields(&counts, || assert!(call(&other, "count", json!({})).as_u64().unwrap() > 0));
        let counts = Counts { yields: Rc::clone(&counts.yields), ..counts };
        let cleared = yields(&counts, || assert!(call(&other, "clear", json!({})).as_u64().unwrap() > 0));
        [first, again, opened, cleared]
    };
    let (small, large) = (run(400), run(800));
    for (small, large) in small.into_iter().zip(large) {
        assert!(small >= 2 && 2 * large >= 3 * small && large <= 3 * small, "{small} yields, then {large}");
    }
}

#[test]
fn a_conversation_is_forked_checked_compressed_and_exported_in_slices() {
    let run = |messages: usize| {
        let store = MemStore::new();
        let (memory, counts) = open(&store);
        let last = talk(&memory, messages);
        let forked = yields(&counts, || {
            call(&memory, "fork", json!({"session": "s", "at": last, "to": "t"}));
        });
        let verified = yields(&counts, || {
            assert_eq!(call(&memory, "logVerify", json!({}))["ok"], json!(true));
        });
        let exported = yields(&counts, || {
            call(&memory, "logExport", json!({"session": "s"}));
        });
        let compressed = yields(&counts, || {
            let way = json!({"type": "tree-reduce", "contextTokens": 2000});
            assert_eq!(
                call(&memory, "compress", json!({"session": "s", "way": way, "hook": false}))["changed"],
                json!(true)
            );
        });
        [forked, verified, exported, compressed]
    };
    let (small, large) = (run(1000), run(2000));
    for (small, large) in small.into_iter().zip(large) {
        assert!(small >= 2 && 2 * large >= 3 * small && large <= 3 * small, "{small} yields, then {large}");
    }
}

#[test]
fn a_call_that_is_stopped_leaves_nothing_and_the_next_one_works() {
    let store = MemStore::new();
    let (memory, _) = open(&store);
    call(&memory, "ingest", ingest(20, "lamp"));
    let revision = memory.revision();
    let watched = json!({"work": 7, "verb": "ingest", "args": ingest(400, "river")});
    let stop = async {
        // Once it is under way, and well before its end.
        let seen = ask(&memory, "progress", json!({"work": 7})).await;
        assert!(seen["done"].as_u64().unwrap() > 0 && seen["total"].as_u64().unwrap() >= 400, "{seen}");
        ask(&memory, "stop", json!({"work": 7})).await;
    };
    let (answer, ()) = block_on(join(ask(&memory, "watch", watched), stop));
    assert_eq!(answer, json!({}));
    assert_eq!(memory.revision(), revision);
    assert_eq!(call(&memory, "search", json!({"query": "river3"})), json!([]));
    assert_eq!(call(&memory, "progress", json!({"work": 7})), Value::Null);
    assert!(call(&memory, "ingest", ingest(20, "river")).is_object());
    assert_ne!(call(&memory, "search", json!({"query": "river3"})), json!([]));
}

#[test]
fn progress_rises_to_its_end_and_an_answer_comes_as_without_it() {
    let store = MemStore::new();
    let (memory, _) = open(&store);
    let watched = json!({"work": 1, "verb": "ingest", "args": ingest(400, "lamp")});
    let watch = async {
        let (mut seen, mut all) = (json!({"work": 1}), Vec::new());
        loop {
            let next = ask(&memory, "progress", seen).await;
            let Value::Object(fields) = &next else { return all };
            all.push((fields["done"].as_u64().unwrap(), fields["total"].as_u64().unwrap()));
            seen = json!({"work": 1, "done": fields["done"], "total": fields["total"]});
        }
    };
    let (answer, all) = block_on(join(ask(&memory, "watch", watched), watch));
    let chunks = answer["answer"]["chunks"].as_u64().unwrap();
    assert!(all.len() > 5 && all.windows(2).all(|two| two[0].0 < two[1].0), "{all:?}");
    assert!(all.iter().all(|(done, total)| *done <= *total && *total == chunks), "{all:?}");
}

#[test]
fn who_asks_while_a_batch_is_applied_sees_all_of_it_or_nothing() {
    let store = MemStore::new();
    let (memory, counts) = open(&store);
    let chunks = call(&memory, "ingest", ingest(300, "lamp"))["chunks"].as_u64().unwrap();
    call(&memory, "hint", json!({}));
    counts.begin();
    let seen = Rc::new(Cell::new(0));
    let ended = Cell::new(false);
    let write = async {
        let answer = ask(&memory, "ingest", ingest(300, "river")).await;
        ended.set(true);
        answer
    };
    let look = async {
        while !ended.get() {
            let count = ask(&memory, "count", json!({"namespace": "notes"})).await.as_u64().unwrap();
            let old = ask(&memory, "search", json!({"query": "lamp7", "namespace": "notes"})).await;
            let new = ask(&memory, "search", json!({"query": "river7", "namespace": "notes"})).await;
            assert_eq!(count, chunks);
            assert!(old.as_array().unwrap().is_empty() || new.as_array().unwrap().is_empty());
            seen.set(seen.get() + 1);
            let mut once = false;
            poll_fn(|_| if std::mem::replace(&mut once, true) { Poll::Ready(()) } else { Poll::Pending }).await;
        }
    };
    block_on(join(write, look));
    assert!(seen.get() > 10, "{} looks", seen.get());
}

#[test]
fn an_index_of_which_more_has_gone_than_stayed_is_cleared_in_slices_and_answers_the_same() {
    let store = MemStore::new();
    let (memory, counts) = open(&store);
    let stays = json!({"source": "kept", "text": text(280, "lamp"), "namespace": "notes", "targetChars": 160});
    call(&memory, "ingest", stays);
    call(&memory, "ingest", ingest(600, "river"));
    call(&memory, "deleteDocument", json!({"id": "book"}));
    let looked_up = |memory: &Scene| {
        ["lamp7 stands", "shelf", "river7"]
            .map(|query| call(memory, "search", json!({"query": query, "namespace": "notes", "limit": 20})))
    };
    let cleared = yields(&counts, || assert!(call(&memory, "count", json!({})).as_u64().unwrap() >= 280));
    assert!(cleared >= 2, "{cleared} yields");
    let again = yields(&counts, || assert!(call(&memory, "count", json!({})).as_u64().unwrap() >= 280));
    assert_eq!(again, 0);
    assert_eq!(looked_up(&memory), looked_up(&open(&store).0));
    call(&memory, "ingest", ingest(20, "stone"));
    assert_eq!(looked_up(&memory), looked_up(&open(&store).0));
    assert_eq!(call(&memory, "verify", json!({}))["problems"], json!([]));
}
