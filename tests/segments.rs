//! The stored index: it always says what the records say, whoever wrote, and whatever became of it.

mod shared;

use futures::FutureExt;
use futures::executor::block_on;
use keepsake::index::{DocKind, Ranking, Segment};
use keepsake::memory::ListOptions;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::{RecallOptions, SearchOptions};
use keepsake::model::Changes;
use keepsake::model::Draft;
use keepsake::model::{
    Block, Embedding, EntryId, FactKey, Importance, Json, MessageDraft, ProfileSource, Role, SessionId, Speaker, Tags,
    UserId,
};
use keepsake::store::{FaultyStore, Key, KeyRange, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::{Config, MemStore, Store};
use shared::{Dice, Scene, copy, draft, holding, same, scan};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many places of the log are one segment.
const SPAN: u64 = 256;

fn open(store: &MemStore, seed: u64) -> Scene {
    shared::open(store, seed, &Config::default())
}

/// All that a memory answers: lists, counts, and searches with their scores.
fn answers(memory: &Scene) -> Vec<String> {
    let mut answers = Vec::new();
    let list = block_on(memory.list(&ListOptions::default())).unwrap();
    answers.extend(list.iter().map(|entry| format!("{} {}", entry.id, entry.summary)));
    answers.push(format!("{:?}", block_on(memory.stats()).unwrap()));
    for query in ["topic3 group0", "when did Ann speak of topic1?", "tag2", "nothing of this", "Bob word11"] {
        for ranking in [Ranking::Formula, Ranking::Best] {
            let options = SearchOptions {
                query: query.to_owned(),
                ranking,
                limit: Some(60),
                min_score: Some(0.0),
                explain: true,
                ..SearchOptions::default()
            };
            let hits = block_on(memory.search(&options)).unwrap();
            answers.extend(hits.iter().map(|hit| format!("{hit:?}")));
        }
    }
    answers
}

fn random_draft(dice: &mut Dice, n: u64) -> Draft {
    let long = if dice.roll(9) == 0 { "and so on ".repeat(200) } else { String::new() };
    let said = format!("word{n} of topic{} and group{} {long}", dice.roll(7), dice.roll(3));
    Draft {
        tags: Tags::new("tags", vec![format!("Tag{}", dice.roll(4))]).unwrap(),
        session: (dice.roll(2) == 0).then(|| SessionId::new("session", format!("s{}", dice.roll(3))).unwrap()),
        speaker: (dice.roll(2) == 0).then(|| Speaker::new("speaker", ["Ann", "Bob"][dice.roll(2) as usize]).unwrap()),
        key: (dice.roll(6) == 0).then(|| FactKey::new("key", format!("k{}", dice.roll(9))).unwrap()),
        namespace: Some(["short-term", "long-term"][dice.roll(2) as usize].to_owned()),
        ..draft(&said)
    }
}

/// Something happens: mostly an add, also updates, deletions and clearing.
fn happen(memory: &Scene, dice: &mut Dice, n: u64, ids: &mut Vec<EntryId>) {
    let some = |dice: &mut Dice, ids: &Vec<EntryId>| ids.get(dice.roll(ids.len().max(1) as u64) as usize).cloned();
    match dice.roll(20) {
        0..=12 => {
            let entry = block_on(memory.add(random_draft(dice, n))).unwrap();
            ids.retain(|id| *id != entry.id);
            ids.push(entry.id);
        }
        13..=15 => {
            if let Some(id) = some(dice, ids) {
                let changes =
                    Changes { content: Some(format!("word{n} changed topic{}", dice.roll(7))), ..Changes::default() };
                block_on(memory.update(&id, &changes)).unwrap();
            }
        }
        16..=18 => {
            if let Some(id) = some(dice, ids) {
                block_on(memory.delete(&id)).unwrap();
                ids.retain(|known| *known != id);
            }
        }
        _ if dice.roll(30) == 0 => {
            block_on(memory.clear(Some("short-term"))).unwrap();
            let left = block_on(memory.list(&ListOptions::default())).unwrap();
            ids.retain(|id| left.iter().any(|entry| entry.id == *id));
        }
        _ => {}
    }
}

#[test]
fn f17_f20_whoever_writes_the_stored_index_says_what_the_records_say() {
    for seed in 1..=2 {
        let store = MemStore::new();
        let mut dice = Dice(seed * 0x9E37_79B9);
        let mut handles: Vec<Scene> = (0..3).map(|n| open(&store, seed * 10 + n)).collect();
        let mut ids = Vec::new();
        for n in 0..3 * SPAN + 50 {
            let at = dice.roll(3) as usize;
            happen(&handles[at], &mut dice, n, &mut ids);
            if dice.roll(60) == 0 {
                handles[at] = open(&store, seed * 1000 + n);
            }
            if n % 200 == 199 {
                let rebuilt = open(&copy(&store, |_, _| None), 1);
                let expected = answers(&rebuilt);
                same(&answers(&open(&store, 2)), &expected, &format!("seed {seed}, after {n}: as it is stored"));
                for handle in &handles {
                    same(&answers(handle), &expected, &format!("seed {seed}, after {n}: as it is at hand"));
                }
            }
        }
        assert!(scan(&store, Space::Index).len() > 3, "there are segments");
    }
}

#[test]
fn f40_a_torn_missing_or_foreign_index_is_built_anew_and_stored_again() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    let mut dice = Dice(7);
    for n in 0..2 * SPAN + 14 {
        block_on(memory.add(random_draft(&mut dice, n))).unwrap();
    }
    let expected = answers(&memory);
    let values = scan(&store, Space::Index).len();
    assert!(values >= 3);
    for bad in 0..values {
        let torn = copy(&store, |at, mut value| {
            if at == bad {
                let middle = value.len() / 2;
                value[middle] ^= 1;
            }
            Some(value)
        });
        let short = copy(&store, |at, value| Some(value[..value.len() - usize::from(at == bad)].to_vec()));
        let missing = copy(&store, |at, value| (at != bad).then_some(value));
        for (what, store) in [("torn", torn), ("short", short), ("missing", missing)] {
            let memory = open(&store, 3);
            same(&answers(&memory), &expected, &format!("value {bad} {what}"));
            // As many writes as it takes to pass the end of a segment.
            for n in 0..SPAN {
                block_on(memory.add(random_draft(&mut Dice(n + 1), 1000 + n))).unwrap();
            }
            let again = answers(&memory);
            same(&answers(&open(&store, 4)), &again, &format!("value {bad} {what}, opened again"));
            assert!(scan(&store, Space::Index).len() >= values, "value {bad} {what}: stored again");
        }
    }
}

/// The words of all stored segments.
fn stored_words(store: &MemStore) -> Vec<String> {
    let mut words = Vec::new();
    for (_, value) in scan(store, Space::Index) {
        // After the frame's head, and how many pieces there are.
        if let Some(segment) = value.get(11..).and_then(Segment::read) {
            words.extend(segment.words());
        }
    }
    words
}

#[test]
fn x1_s15_no_word_of_what_was_deleted_stays_in_the_storage() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    let mut secret = Vec::new();
    for n in 0..2 * SPAN {
        let draft = if n % 10 == 3 { draft(&format!("xylophone{n} secret")) } else { draft(&format!("ordinary {n}")) };
        let entry = block_on(memory.add(draft)).unwrap();
        if n % 10 == 3 {
            secret.push(entry.id);
        }
    }
    let holds = |word: &str| holding(&store, word.as_bytes());
    // In a segment, a word is written as what differs from the one before it: there it is looked for as it is read.
    let indexed = |word: &str| stored_words(&store).iter().filter(|known| known.contains(word)).count();
    assert_eq!((holds("xylophone"), indexed("xylophone")), (vec!["records", "index"], 51));
    // One handle that has the index at hand, and one that has just been opened.
    for (at, id) in secret.iter().enumerate() {
        let memory = if at % 2 == 0 { memory.clone() } else { open(&store, 50 + at as u64) };
        assert!(block_on(memory.delete(id)).unwrap());
    }
    assert_eq!((holds("xylophone"), indexed("xylophone")), (vec![], 0));
    assert!(holds("ordina").contains(&"index") && indexed("ordinary") > 0);
    block_on(memory.clear(None)).unwrap();
    assert_eq!((holds("ordina"), stored_words(&store)), (vec![], vec![]));
}

#[test]
fn f32_a_segment_is_stored_in_values_below_a_megabyte() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    for n in 0..SPAN {
        let words: String = (0..1000).map(|word| format!("w{n}x{word} ")).collect();
        block_on(memory.add(draft(&words))).unwrap();
    }
    let values = scan(&store, Space::Index);
    assert!(values.len() > 3 && values.iter().all(|(_, value)| value.len() < 1_000_000));
    let hits =
        block_on(open(&store, 2).search(&SearchOptions { query: "w127x999".to_owned(), ..SearchOptions::default() }));
    assert_eq!(hits.unwrap().len(), 1);
}

#[test]
fn d1_the_summary_of_a_hit_is_read_from_its_record_and_then_at_hand() {
    let storage = MemStore::new();
    let memory = open(&storage, 1);
    let session = SessionId::new("session", "s").unwrap();
    let mut first = None;
    for n in 0..SPAN {
        let long = if n % 3 == 0 { "and so on ".repeat(200) } else { String::new() };
        let entry = block_on(memory.add(draft(&format!("word{n} of topic{} {long}", n % 40)))).unwrap();
        first = first.or(Some(entry.id));
        let said = MessageDraft::new(Role::User, vec![Block::text(format!("said{n} of topic{} {long}", n % 40))]);
        block_on(memory.append(&session, None, &[said])).unwrap();
    }
    let store = Rc::new(FaultyStore::new(storage.connect()));
    let user = UserId::new("user", "u-1").unwrap();
    let world = Scripted::new(1_735_812_000_000, 2);
    let opened = block_on(Memory::open(Rc::clone(&store), world, user, Config::default())).unwrap();
    let asked = RecallOptions { limit: 20, ..RecallOptions::default() };
    let expected = block_on(memory.recall("of topic7", &asked)).unwrap();
    assert!(expected.len() > 10 && expected.iter().all(|recalled| !recalled.hit.summary.is_empty()));
    assert!(expected.iter().any(|recalled| recalled.kind == DocKind::Message));
    assert_eq!(block_on(opened.recall("of topic7", &asked)).unwrap(), expected);
    // Once more: only the guard is looked at.
    let before = store.operations();
    assert_eq!(block_on(opened.recall("of topic7", &asked)).unwrap(), expected);
    assert_eq!(store.operations(), before + 1);
    // Somebody takes an entry away, and tells nobody: there is nothing left to say of it.
    opened.hint();
    let search = |query: &str| {
        let options = SearchOptions { query: query.to_owned(), ranking: Ranking::Best, ..SearchOptions::default() };
        block_on(opened.search(&options)).unwrap()
    };
    assert!(search("nothing").is_empty());
    block_on(memory.delete(&first.unwrap())).unwrap();
    assert!(search("word0").is_empty());
    assert_eq!(search("word1")[0].summary, "word1 of topic1");
    let before = store.operations();
    assert_eq!(search("word1").len(), 1);
    assert_eq!(store.operations(), before, "nothing is read");
}

/// A store that reads the index one value at a time. Something else may happen before the `at`th of these reads.
struct Paged<'a> {
    storage: MemStore,
    scans: Cell<usize>,
    at: usize,
    before: RefCell<Option<Box<dyn FnOnce() + 'a>>>,
    /// How many scans of the records there were: none, where the index comes from its segments.
    of_records: Cell<usize>,
}

impl<'a> Paged<'a> {
    fn open(
        storage: &MemStore,
        at: usize,
        before: Option<Box<dyn FnOnce() + 'a>>,
    ) -> (Memory<Rc<Self>, Scripted>, Rc<Self>) {
        let (scans, of_records) = (Cell::new(0), Cell::new(0));
        let store = Self { storage: storage.connect(), scans, at, before: RefCell::new(before), of_records };
        let (store, world) = (Rc::new(store), Scripted::new(1_735_812_000_000, 3));
        let user = UserId::new("user", "u-1").unwrap();
        (block_on(Memory::open(Rc::clone(&store), world, user, Config::default())).unwrap(), store)
    }
}

impl Store for Paged<'_> {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.storage.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        if space != Space::Index {
            self.of_records.set(self.of_records.get() + usize::from(space == Space::Records));
            return self.storage.scan(space, range, limit).await;
        }
        let before = if self.scans.get() == self.at { self.before.take() } else { None };
        if let Some(before) = before {
            before();
        }
        self.scans.set(self.scans.get() + 1);
        self.storage.scan(space, range, 1).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.storage.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.storage.close().await
    }
}

/// The entries, and for each of them the entries that a search for its word finds. Without an executor, so that a store
/// may use one.
fn entries<S: Store>(memory: &Memory<S, Scripted>) -> Vec<String> {
    let list = memory.list(&ListOptions::default()).now_or_never().expect("it is in memory").unwrap();
    let found = |query: &str| {
        let options = SearchOptions { query: query.to_owned(), ..SearchOptions::default() };
        let hits = memory.search(&options).now_or_never().expect("it is in memory").unwrap();
        hits.iter().map(|hit| hit.id.to_string()).collect::<Vec<_>>()
    };
    list.iter().map(|entry| format!("{}: {:?}", entry.id, found(&entry.summary))).collect()
}

/// Adds links to the log without an entry.
fn visit(memory: &Scene, visits: u64) {
    for _ in 0..visits {
        let changes = Json::Object(vec![("visited".to_owned(), Json::Bool(true))]);
        block_on(memory.update_profile(&changes, &ProfileSource::default())).unwrap();
    }
}

#[test]
fn f17_a_segment_that_is_stored_anew_between_two_pages_loses_no_entry() {
    let stored = MemStore::new();
    let memory = open(&stored, 1);
    let embedding = Embedding::new("embedding", (0..3000).map(|n| (n % 13) as f32).collect()).unwrap();
    for n in 1..2 * SPAN {
        let id = Some(EntryId::new("id", format!("e{n:03}")).unwrap());
        let namespace = Some(["short-term", "long-term"][(n % 2) as usize].to_owned());
        let draft = Draft { id, namespace, embedding: Some(embedding.clone()), ..draft(&format!("word{n:03}")) };
        block_on(memory.add(draft)).unwrap();
    }
    visit(&memory, 1);
    assert_eq!(scan(&stored, Space::Index).len(), 5, "the manifest, and two segments of two pieces");
    is_used(&stored, "while nobody writes");
    // Half of a segment is one piece. The manifest moves on, so that the number of segments proves nothing.
    let shorten = |memory: &Scene| {
        block_on(memory.clear(Some("short-term"))).unwrap();
        visit(memory, SPAN);
    };
    // As many bytes as before, in another order.
    let reorder = |memory: &Scene| {
        let importance = Some(Importance::new("importance", 0.9).unwrap());
        let changes = Changes { importance, embedding: Some(embedding.clone()), ..Changes::default() };
        block_on(memory.update(&EntryId::new("id", "e300").unwrap(), &changes)).unwrap();
    };
    type Write<'a> = &'a dyn Fn(&Scene);
    let cases: [(&str, usize, Write<'_>); 4] = [
        ("the first segment in fewer pieces", 2, &shorten),
        ("the last segment in fewer pieces", 4, &shorten),
        ("a segment in as many pieces", 4, &reorder),
        ("between two segments", 3, &shorten),
    ];
    for (name, at, write) in cases {
        let storage = copy(&stored, |_, value| Some(value));
        let writer = open(&storage, 2);
        let (reader, _) = Paged::open(&storage, at, Some(Box::new(|| write(&writer))));
        let seen = entries(&reader);
        same(&seen, &entries(&writer), name);
        assert!(seen.len() >= SPAN as usize && !seen.iter().any(|entry| entry.ends_with("[]")), "{name}: {seen:?}");
    }
}

/// Adds entries with these names and moves to the next segment.
fn fill(memory: &Scene, namespace: &str, names: &[&str]) -> Vec<EntryId> {
    let mut ids = Vec::new();
    for name in names {
        let draft = Draft { namespace: Some(namespace.to_owned()), ..draft(name) };
        ids.push(block_on(memory.add(draft)).unwrap().id);
    }
    visit(memory, SPAN - names.len() as u64);
    ids
}

/// A program that opens the memory has its index from the segments, and finds in it what the records say.
#[track_caller]
fn is_used(storage: &MemStore, what: &str) {
    let (reader, store) = Paged::open(storage, usize::MAX, None);
    let seen = entries(&reader);
    assert_eq!(store.of_records.get(), 0, "{what}: the segments are read");
    same(&seen, &entries(&open(&copy(storage, |_, _| None), 9)), what);
}

#[test]
fn d1_a_stored_index_is_read_after_segments_of_it_became_empty() {
    let storage = MemStore::new();
    let memory = open(&storage, 1);
    visit(&memory, SPAN);
    let first = fill(&memory, "short-term", &["ant", "bee"]);
    fill(&memory, "short-term", &[]);
    fill(&memory, "short-term", &["imp"]);
    fill(&memory, "long-term", &["cat"]);
    fill(&memory, "short-term", &["dog", "eel"]);
    let mixed = fill(&memory, "short-term", &["fox"]);
    block_on(memory.add(draft("gnu"))).unwrap();
    is_used(&storage, "seven segments, two of them without an entry");
    block_on(memory.delete(&first[0])).unwrap();
    is_used(&storage, "an entry of two is deleted");
    block_on(memory.delete(&first[1])).unwrap();
    is_used(&storage, "the other one is deleted as well");
    block_on(memory.update(&mixed[0], &Changes { namespace: Some("long-term".to_owned()), ..Changes::default() }))
        .unwrap();
    is_used(&storage, "the only entry is changed");
    let newest = block_on(memory.add(draft("hen"))).unwrap().id;
    block_on(memory.delete(&newest)).unwrap();
    is_used(&storage, "an entry of no segment is deleted");
    assert_eq!(block_on(memory.clear(Some("short-term"))).unwrap(), 4);
    is_used(&storage, "two segments become empty at once");
    visit(&memory, SPAN);
    is_used(&storage, "the next segment is stored");
    // A program that has only the log at hand stores it.
    let other = open(&storage, 2);
    block_on(other.update(&mixed[0], &Changes { source: Some("a book".to_owned()), ..Changes::default() })).unwrap();
    visit(&other, SPAN);
    is_used(&storage, "another program stores one");
}

#[test]
fn f40_an_index_that_was_lost_is_stored_again_and_read() {
    let whole = MemStore::new();
    let memory = open(&whole, 1);
    visit(&memory, SPAN);
    // More segments than one commit stores, and one without an entry.
    let names = ["ant", "bee", "", "cat", "dog", "eel", "fox", "gnu", "hen", "ibis", "jay"];
    for name in names {
        fill(&memory, "short-term", if name.is_empty() { &[] } else { std::slice::from_ref(&name) });
    }
    is_used(&whole, "as it was written");
    let values = scan(&whole, Space::Index).len();
    assert_eq!(values, names.len(), "a segment for each name, and the manifest");
    let lost: [(&str, MemStore); 3] = [
        ("all of it", copy(&whole, |_, _| None)),
        ("the manifest", copy(&whole, |at, value| (at > 0).then_some(value))),
        ("a segment", copy(&whole, |at, value| (at != 4).then_some(value))),
    ];
    for (what, storage) in lost {
        let (reader, store) = Paged::open(&storage, usize::MAX, None);
        assert_eq!(entries(&reader).len(), names.len() - 1, "{what}");
        assert!(store.of_records.get() > 0, "{what}: the records are read");
        let memory = open(&storage, 2);
        assert_eq!(block_on(memory.count(None)).unwrap(), names.len() - 1);
        visit(&memory, SPAN);
        is_used(&storage, what);
        assert_eq!(scan(&storage, Space::Index).len(), values, "{what}");
    }
}
