//! Writes that wait at the same time share a commit; each has its own answer and its own failure.

use crate::shared::draft;
use futures::executor::block_on;
use futures::future::{join_all, poll_immediate};
use keepsake::codec::json;
use keepsake::memory::Error;
use keepsake::memory::Memory;
use keepsake::memory::SearchOptions;
use keepsake::memory::scripted::Scripted;
use keepsake::model::Draft;
use keepsake::model::{Config, EntryId, FactKey, Importance, MessageDraft, SessionId, UserId};
use keepsake::store::{Key, KeyRange, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::{Entry, MemStore, Store};
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

/// A storage whose commits take a while, and that may refuse large ones.
struct Slow {
    inner: MemStore,
    /// The number of operations of each commit.
    commits: Rc<RefCell<Vec<usize>>>,
    /// The most operations of a commit.
    most: usize,
    /// How often a commit is polled before it is written, and before it returns.
    polls: [u32; 2],
    /// The number of the next commits that conflict although nobody wrote.
    refusals: Cell<u32>,
}

async fn polled(times: u32) {
    let mut left = times;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl Store for Slow {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.inner.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.inner.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        polled(self.polls[0]).await;
        if self.refusals.get() > 0 {
            self.refusals.set(self.refusals.get() - 1);
            return Err(StoreError::Conflict { current: batch.base });
        }
        if batch.ops.len() > self.most {
            return Err(StoreError::Failed("too many operations".into()));
        }
        self.commits.borrow_mut().push(batch.ops.len());
        let written = self.inner.commit(batch).await;
        polled(self.polls[1]).await;
        written
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}

struct Scene {
    memory: Memory<Slow, Scripted>,
    store: MemStore,
    commits: Rc<RefCell<Vec<usize>>>,
}

fn scene_of(most: usize, polls: [u32; 2], refusals: u32) -> Scene {
    let store = MemStore::new();
    let commits = Rc::new(RefCell::new(Vec::new()));
    let slow =
        Slow { inner: store.connect(), commits: Rc::clone(&commits), most, polls, refusals: Cell::new(refusals) };
    let user = UserId::new("user", "u-1").unwrap();
    let clock = Scripted::new(1_735_812_000_000, 7);
    let memory = block_on(Memory::open(slow, clock, user, Config::default())).unwrap();
    Scene { memory, store, commits }
}

fn scene() -> Scene {
    scene_of(usize::MAX, [3, 0], 0)
}

fn with_id(id: &str) -> Draft {
    Draft { id: Some(EntryId::new("id", id).unwrap()), ..draft(&format!("the text of {id}")) }
}

fn keyed(content: &str) -> Draft {
    Draft { key: Some(FactKey::new("key", "user.city").unwrap()), ..draft(content) }
}

fn lasting(content: &str) -> Draft {
    Draft { namespace: Some("long-term".to_owned()), ..draft(content) }
}

fn added(memory: &Memory<Slow, Scripted>, drafts: Vec<Draft>) -> Vec<Result<Entry, Error>> {
    block_on(join_all(drafts.into_iter().map(|draft| memory.add(draft))))
}

/// What another program reads, with its index built again.
fn listed(store: &MemStore) -> Vec<String> {
    let other = crate::shared::open(store, 1, &Config::default());
    let found = block_on(other.call("verify", json::parse("{}").unwrap())).unwrap();
    assert_eq!(found.get("ok").to_string(), "true", "{found}");
    let listed = block_on(other.call("list", json::parse(r#"{"limit":100000}"#).unwrap())).unwrap();
    let mut ids: Vec<String> =
        listed.as_array().unwrap().iter().map(|entry| entry.get("id").as_str().unwrap().to_owned()).collect();
    ids.reverse();
    ids
}

#[test]
fn overlapping_adds_share_commits_and_keep_their_order() {
    let Scene { memory, store, commits } = scene();
    let ids: Vec<String> = (0..1000).map(|n| format!("e-{n:04}")).collect();
    let answers = added(&memory, ids.iter().map(|id| with_id(id)).collect());
    for (answer, id) in answers.iter().zip(&ids) {
        assert_eq!(answer.as_ref().unwrap().id.as_str(), id);
    }
    assert_eq!(listed(&store), ids);
    assert!(commits.borrow().len() <= 6, "{} commits", commits.borrow().len());
}

#[test]
fn a_refused_call_fails_alone() {
    let Scene { memory, store, commits } = scene();
    let mut drafts: Vec<Draft> = (0..100).map(|n| with_id(&format!("e-{n:02}"))).collect();
    drafts.insert(50, with_id("e-07"));
    let answers = added(&memory, drafts);
    for (at, answer) in answers.iter().enumerate() {
        match answer {
            Ok(_) => assert_ne!(at, 50),
            Err(error) => assert_eq!((at, error), (50, &Error::AlreadyExists { field: "id".to_owned() })),
        }
    }
    assert_eq!(listed(&store).len(), 100);
    assert!(commits.borrow().len() <= 5, "{} commits", commits.borrow().len());
}

#[test]
fn a_call_sees_what_the_calls_before_it_have_written() {
    let Scene { memory, store, .. } = scene();
    let cities = ["Hanoi", "Huế", "Đà Nẵng"];
    let mut drafts = vec![with_id("first"), with_id("second")];
    drafts.extend(cities.map(keyed));
    drafts.extend(["I keep bees.", "I keep bees"].map(lasting));
    let answers: Vec<Entry> = added(&memory, drafts).into_iter().map(Result::unwrap).collect();
    assert_eq!(answers[2..5].iter().map(|entry| entry.version).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(answers[2..5].iter().all(|entry| entry.id == answers[2].id));
    assert_eq!((answers[5].count, answers[6].count), (1, 2));
    assert_eq!(answers[5].id, answers[6].id);
    assert_eq!(listed(&store).len(), 4);
}

#[test]
fn a_storage_that_takes_few_operations_gets_small_groups() {
    for most in [3, 8, 25] {
        let Scene { memory, store, commits } = scene_of(most, [2, 0], 0);
        let answers = added(&memory, (0..60).map(|n| with_id(&format!("e-{n:02}"))).collect());
        assert!(answers.iter().all(Result::is_ok), "{most}");
        let sizes = commits.borrow();
        assert!(sizes.iter().all(|size| *size <= most), "{most}: {sizes:?}");
        assert!(most < 8 || sizes.len() < 40, "{most}: {sizes:?}");
        assert_eq!(listed(&store).len(), 60);
    }
    // One that takes nothing: each call has the storage's error.
    let Scene { memory, .. } = scene_of(0, [2, 0], 0);
    let answers = added(&memory, (0..9).map(|n| with_id(&format!("e-{n}"))).collect());
    assert!(answers.iter().all(|answer| matches!(answer, Err(Error::Store(StoreError::Failed(_))))));
}

#[test]
fn a_conflict_plans_the_whole_group_again() {
    let Scene { memory, store, .. } = scene_of(usize::MAX, [2, 0], 3);
    let ids: Vec<String> = (0..50).map(|n| format!("e-{n:02}")).collect();
    assert!(added(&memory, ids.iter().map(|id| with_id(id)).collect()).iter().all(Result::is_ok));
    assert_eq!(listed(&store), ids);
    // One that never takes it: every call is told.
    let Scene { memory, .. } = scene_of(usize::MAX, [1, 0], u32::MAX);
    let answers = added(&memory, (0..3).map(|n| with_id(&format!("e-{n}"))).collect());
    assert!(answers.iter().all(|answer| matches!(answer, Err(Error::Contended { .. }))));
}

#[test]
fn a_dropped_call_leaves_the_others_whole() {
    // The call that is dropped: the first, one in the group, the one that commits; and when.
    for dropped in 0..6 {
        for after in 0..12 {
            let Scene { memory, store, .. } = scene_of(usize::MAX, [2, 2], 0);
            let ids: Vec<String> = (0..6).map(|n| format!("e-{n}")).collect();
            let mut calls: Vec<_> = ids.iter().map(|id| Some(Box::pin(memory.add(with_id(id))))).collect();
            let mut answers = vec![None; ids.len()];
            for round in 0..100 {
                if round == after {
                    calls[dropped] = None;
                }
                for (call, answer) in calls.iter_mut().zip(&mut answers) {
                    if let Some(future) = call
                        && let Some(done) = block_on(poll_immediate(pin!(&mut *future)))
                    {
                        *answer = Some(done.is_ok());
                        *call = None;
                    }
                }
            }
            let found = listed(&store);
            for (at, answer) in answers.iter().enumerate().filter(|(at, _)| *at != dropped) {
                assert_eq!(*answer, Some(true), "call {at}, dropped {dropped} after {after}");
                assert_eq!(found.iter().filter(|id| **id == ids[at]).count(), 1, "dropped {dropped} after {after}");
            }
            // The queue goes on.
            block_on(memory.add(with_id("last"))).unwrap();
        }
    }
}

fn says(text: &str, id: Option<&str>) -> Vec<MessageDraft> {
    let id = id.map_or(String::new(), |id| format!(r#","id":"{id}""#));
    let draft = json::parse(&format!(r#"{{"role":"user","content":"{text}"{id}}}"#)).unwrap();
    vec![json::message_draft(draft).unwrap()]
}

#[test]
fn overlapping_appends_share_commits_and_keep_their_order() {
    let Scene { memory, store, commits } = scene();
    let sessions: Vec<SessionId> = ["a", "b"].iter().map(|id| SessionId::new("session", *id).unwrap()).collect();
    let mut said: Vec<(usize, Vec<MessageDraft>)> =
        (0..300).map(|n| (n % 2, says(&format!("message {n}"), None))).collect();
    said.insert(20, (0, says("named", Some("m-1"))));
    said.insert(60, (0, says("named again", Some("m-1"))));
    let calls = said.iter().map(|(session, drafts)| memory.append(&sessions[*session], None, drafts));
    let answers = block_on(join_all(calls));
    let refused: Vec<usize> = (0..answers.len()).filter(|at| answers[*at].is_err()).collect();
    assert_eq!(refused, [60]);
    assert_eq!(answers[60], Err(Error::AlreadyExists { field: "messages[0].id".to_owned() }));
    assert!(commits.borrow().len() <= 6, "{} commits", commits.borrow().len());
    let other = crate::shared::open(&store, 1, &Config::default());
    for (session, count) in sessions.iter().zip([151, 150]) {
        let window = block_on(other.messages(session, 1000, None)).unwrap();
        assert_eq!((window.total, window.messages.len()), (count, count as usize));
        let texts: Vec<String> = window.messages.iter().map(|message| json::message(message).to_string()).collect();
        let numbers = texts.iter().filter_map(|text| text.split("message ").nth(1)?.split('"').next()?.parse().ok());
        let numbers: Vec<u32> = numbers.collect();
        assert!(numbers.is_sorted() && numbers.len() == 150);
    }
    let verified = block_on(other.call("verify", json::parse("{}").unwrap())).unwrap();
    assert_eq!(verified.get("ok").to_string(), "true", "{verified}");
}

#[test]
fn many_are_added_in_order_and_in_few_commits() {
    let Scene { memory, store, commits } = scene();
    assert_eq!(block_on(memory.add_many(Vec::new())), Ok(Vec::new()));
    assert_eq!(commits.borrow().len(), 0);
    let ids: Vec<String> = (0..3000).map(|n| format!("e-{n:04}")).collect();
    let lasting = |id: &String| Draft { namespace: Some("long-term".to_owned()), ..with_id(id) };
    let entries = block_on(memory.add_many(ids.iter().map(lasting).collect())).unwrap();
    assert_eq!(entries.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), ids);
    assert!(commits.borrow().len() <= 4, "{} commits", commits.borrow().len());
    assert_eq!(listed(&store), ids);
}

#[test]
fn a_wrong_draft_among_many_leaves_nothing() {
    let wrong = |content: &str, at: usize, field: &str| {
        let Scene { memory, store, .. } = scene();
        block_on(memory.add(with_id("taken"))).unwrap();
        let mut drafts: Vec<Draft> = (0..1000).map(|n| with_id(&format!("e-{n}"))).collect();
        drafts[at] = match content {
            "taken" | "e-3" => with_id(content),
            content => draft(content),
        };
        let error = block_on(memory.add_many(drafts)).unwrap_err();
        let named = match &error {
            Error::Invalid(invalid) => invalid.field().to_owned(),
            Error::AlreadyExists { field } => field.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(named, field);
        assert_eq!(listed(&store), ["taken"]);
    };
    wrong("  ", 999, "drafts[999].content");
    wrong("taken", 500, "drafts[500].id");
    wrong("e-3", 700, "drafts[700].id");
}

/// The ids that a search for this word finds.
fn found<St: Store>(memory: &Memory<St, Scripted>, word: &str) -> Vec<String> {
    let options = SearchOptions { query: word.to_owned(), limit: Some(5000), ..SearchOptions::default() };
    let hits = block_on(memory.search(&options)).unwrap();
    let mut ids: Vec<String> = hits.iter().map(|hit| hit.id.to_string()).collect();
    ids.sort();
    ids
}

/// Entries that are indexed together are evicted, deleted and stored one by one.
#[test]
fn documents_indexed_together_are_found_as_those_indexed_alone() {
    let text = |n: usize| format!("Paket{n} lies in hall{} on shelf{}, 東京{} đã nhận", n % 7, n % 50, n % 3);
    let drafts: Vec<Draft> = (0..2600)
        .map(|n| Draft {
            importance: Importance::new("importance", if n % 5 == 0 { 0.1 } else { 0.9 }).unwrap(),
            content: text(n),
            ..with_id(&format!("e-{n:04}"))
        })
        .collect();
    let (together, alone) = (scene(), scene());
    // The namespace holds 2,000: some are evicted by the commit that adds them.
    block_on(together.memory.add_many(drafts.clone())).unwrap();
    for draft in drafts {
        block_on(alone.memory.add(draft)).unwrap();
    }
    for scene in [&together, &alone] {
        for n in (3..2600).step_by(40) {
            block_on(scene.memory.delete(&EntryId::new("id", format!("e-{n:04}")).unwrap())).unwrap();
        }
    }
    let reopened = [&together, &alone].map(|scene| crate::shared::open(&scene.store, 1, &Config::default()));
    let mut all = 0;
    for word in ["hall3", "shelf7", "東京", "paket12", "paket5", "paket13", "paket1301", "paket2599"] {
        let expected = found(&alone.memory, word);
        all += expected.len();
        assert_eq!(found(&together.memory, word), expected, "{word}");
        for memory in &reopened {
            assert_eq!(found(memory, word), expected, "{word}, from the stored index");
        }
    }
    assert!(all > 500, "{all}");
    assert_eq!(listed(&together.store), listed(&alone.store));
}

#[test]
fn many_may_belong_together() {
    let Scene { memory, store, .. } = scene();
    let mut drafts: Vec<Draft> = ["Hanoi", "Huế"].map(keyed).into();
    drafts.extend(["I keep bees.", "I keep goats.", "I keep bees"].map(lasting));
    let entries = block_on(memory.add_many(drafts)).unwrap();
    assert_eq!(entries.iter().map(|entry| entry.version).collect::<Vec<_>>(), [1, 2, 1, 1, 1]);
    assert_eq!(entries.iter().map(|entry| entry.count).collect::<Vec<_>>(), [1, 1, 1, 1, 2]);
    assert_eq!(listed(&store).len(), 3);
}

#[test]
fn many_fit_into_a_storage_that_takes_few_operations() {
    let Scene { memory, store, commits } = scene_of(25, [1, 0], 0);
    let entries = block_on(memory.add_many((0..100).map(|n| with_id(&format!("e-{n}"))).collect())).unwrap();
    assert_eq!(entries.len(), 100);
    assert!(commits.borrow().iter().all(|size| *size <= 25));
    assert_eq!(listed(&store).len(), 100);
}
