//! Tests the bucket store against the store contract, against a store in memory, and with concurrent writers that are
//! slow or die.

use super::memory::{MemBucket, Shared};
use super::{Claims, Head, KvStore, Native};
use futures::executor::block_on;
use keepsake::MemStore;
use keepsake::store::{Durability, Key, KeyRange, Op, Revision, Space, Store, StoreError, WriteBatch, contract};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Waker};

/// A seeded random generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most.max(1)
    }
}

struct Medium<H>(MemBucket, std::marker::PhantomData<H>);

impl<H: Head<MemBucket>> contract::Medium for Medium<H> {
    type Store = KvStore<MemBucket, H>;

    async fn connect(&self, name: &str) -> Result<Self::Store, StoreError> {
        Ok(KvStore::new(self.0.clone(), name))
    }
}

#[test]
fn both_ways_keep_the_contract_of_stores() {
    let native = Medium::<Native>(MemBucket::default(), std::marker::PhantomData);
    let claims = Medium::<Claims>(MemBucket::default(), std::marker::PhantomData);
    assert_eq!(block_on(contract::check(&native)), Ok(24));
    assert_eq!(block_on(contract::check(&claims)), Ok(24));
}

fn key(number: usize) -> Key {
    Key::default().part(b"t").number(number as u64)
}

fn batch(base: Revision, ops: Vec<Op>) -> WriteBatch {
    WriteBatch { guard: Key::default().part(b"t"), base, ops, durability: Durability::Relaxed }
}

fn random_op(dice: &mut Dice, wide: usize) -> Op {
    let space = Space::ALL[1 + dice.below(4)];
    match dice.below(20) {
        0 => {
            let start = dice.below(wide);
            Op::DeleteRange(space, KeyRange { start: key(start), end: Some(key(start + dice.below(wide / 8))) })
        }
        1..4 => Op::Delete(space, key(dice.below(wide))),
        4 => Op::Put(space, key(dice.below(wide)), vec![7; 20_000 + dice.below(400_000)]),
        _ => Op::Put(space, key(dice.below(wide)), vec![dice.below(256) as u8; dice.below(3_000)]),
    }
}

async fn all(store: &impl Store, space: Space, page: usize) -> Vec<(Key, Vec<u8>)> {
    let mut range = KeyRange { start: Key::default(), end: None };
    let mut items = Vec::new();
    loop {
        let page = store.scan(space, &range, page).await.expect("a scan");
        items.extend(page.items);
        match page.next {
            Some(next) => range = range.from(next),
            None => return items,
        }
    }
}

#[test]
fn a_long_life_is_the_same_as_in_memory_and_leaves_nothing_behind() {
    let bucket = MemBucket::default();
    let (store, model) = (KvStore::<_, Native>::new(bucket.clone(), "t"), MemStore::new());
    let mut dice = Dice(11);
    block_on(async {
        for commit in 0..1_500 {
            // It grows to several levels, and shrinks again.
            let wide = if commit < 1_000 { 6_000 } else { 40 };
            let ops: Vec<Op> = (0..dice.below(12)).map(|_| random_op(&mut dice, wide)).collect();
            let base = Revision(commit);
            store.commit(batch(base, ops.clone())).await.expect("a commit");
            model.commit(batch(base, ops)).await.expect("a commit");
            bucket.shared.now.set(bucket.shared.now.get() + 1_000);
            if commit % 250 == 249 {
                for space in Space::ALL {
                    assert_eq!(all(&store, space, 97).await, all(&model, space, 1_000).await, "{space:?}");
                }
                let keys: Vec<Key> = (0..200).map(|_| key(dice.below(wide))).collect();
                for space in Space::ALL {
                    assert_eq!(store.get(space, &keys).await, model.get(space, &keys).await);
                }
            }
            let size = store.size().await.expect("a size");
            assert!(size.manifest < 128 * 1024, "{size:?}");
            if commit == 999 {
                assert!(size.levels >= 1, "{size:?}");
            }
        }
        let everything = KeyRange { start: Key::default(), end: None };
        let gone = Space::ALL[1..].iter().map(|space| Op::DeleteRange(*space, everything.clone())).collect();
        store.commit(batch(Revision(1_500), gone)).await.expect("a commit");
        // Dead blocks that are old enough are deleted step by step, with each commit.
        for more in 1_501..1_700 {
            bucket.shared.now.set(bucket.shared.now.get() + 60_000);
            store.commit(batch(Revision(more), Vec::new())).await.expect("a commit");
        }
        let size = store.size().await.expect("a size");
        // The manifest, the two counters of its beginning, and dead blocks that are too few to be swept.
        assert!(bucket.shared.len() <= 3 + size.dead + size.tail, "{} {size:?}", bucket.shared.len());
        assert!(size.dead < 64, "{size:?}");
    });
}

/// The results reported to a writer.
#[derive(Default)]
struct Told {
    done: Vec<(usize, Revision)>,
}

async fn write<H: Head<MemBucket>>(bucket: MemBucket, who: usize, times: usize, told: Rc<RefCell<Told>>) {
    let store = KvStore::<_, H>::new(bucket, "t");
    let guard = [Key::default().part(b"t")];
    for time in 0..times {
        let name = who * 1_000 + time;
        loop {
            let Ok(found) = store.get(Space::Meta, &guard).await else { return };
            let base = Revision::from_bytes(found[0].as_deref()).expect("a revision");
            let ops = vec![Op::Put(Space::Records, key(name), vec![who as u8; 1_500])];
            match store.commit(batch(base, ops)).await {
                Ok(revision) => break told.borrow_mut().done.push((name, revision)),
                Err(StoreError::Conflict { .. }) => {}
                // The commit may or may not have succeeded.
                Err(_) => return,
            }
        }
    }
}

/// A writer, and the time until which it sleeps.
struct Writer {
    bucket: MemBucket,
    asleep: usize,
    work: Pin<Box<dyn Future<Output = ()>>>,
}

/// Runs concurrent writers, whose steps are interleaved at random. Some are slow, and some die.
fn storm<H: Head<MemBucket> + 'static>(seed: u64, upserts: bool) -> usize {
    let mut dice = Dice(seed);
    let shared = Rc::new(Shared::default());
    let told = Rc::new(RefCell::new(Told::default()));
    let writers = 2 + dice.below(4);
    let mut running: Vec<Writer> = Vec::new();
    for who in 0..writers {
        let dies_after = (who > 0 && dice.below(2) == 0).then(|| dice.below(120));
        let denies = dice.below(3) == 0;
        let bucket = MemBucket { shared: Rc::clone(&shared), dies_after, denies, upserts, ..MemBucket::default() };
        let work = write::<H>(bucket.clone(), who, 1 + dice.below(12), Rc::clone(&told));
        running.push(Writer { bucket, asleep: 0, work: Box::pin(work) });
    }
    let mut context = Context::from_waker(Waker::noop());
    let mut steps = 0;
    while running.iter().any(|writer| !writer.bucket.is_dead()) {
        let at = dice.below(running.len());
        let writer = &mut running[at];
        steps += 1;
        if dice.below(30) == 0 {
            writer.asleep = steps + dice.below(600);
        }
        if steps >= writer.asleep && writer.work.as_mut().poll(&mut context).is_ready() {
            drop(running.swap_remove(at));
        }
    }
    drop(running);
    check::<H>(shared, &told.borrow(), &format!("{}, seed {seed}", std::any::type_name::<H>()));
    told.borrow().done.len()
}

/// Checks that every acknowledged commit is stored exactly once, and that commits still work.
fn check<H: Head<MemBucket>>(shared: Rc<Shared>, told: &Told, which: &str) {
    let store = KvStore::<_, H>::new(MemBucket { shared, ..MemBucket::default() }, "t");
    block_on(async {
        // Commits still work. The write of a dead writer may turn out to be valid: once, since all of them are dead.
        let mut next = Err(StoreError::Lost);
        for _ in 0..2 {
            let found = store.get(Space::Meta, &[Key::default().part(b"t")]).await.expect("a guard");
            let revision = Revision::from_bytes(found[0].as_deref()).expect("a revision");
            next = store.commit(batch(revision, Vec::new())).await;
            if next.is_ok() {
                assert_eq!(next, Ok(revision.next()), "{which}");
                break;
            }
        }
        let revision = next.unwrap_or_else(|error| panic!("{which}: {error}"));
        let there = all(&store, Space::Records, 50).await;
        let revisions: BTreeSet<Revision> = told.done.iter().map(|(_, revision)| *revision).collect();
        assert_eq!(revisions.len(), told.done.len(), "{which}: two commits were told the same revision");
        for (name, at) in &told.done {
            assert!(there.iter().any(|(other, _)| *other == key(*name)), "{which}: lost {name}, told {at:?}");
        }
        // Each commit left one key, except the last.
        assert_eq!(there.len() as u64 + 1, revision.0, "{which}: {} acknowledged", told.done.len());
        assert!(told.done.len() < revision.0 as usize);
    });
}

#[test]
fn f35_writers_that_meet_are_slow_or_die_lose_nothing() {
    let mut written = [0; 3];
    for seed in 0..200 {
        written[0] += storm::<Native>(seed, false);
        written[1] += storm::<Native>(seed, true);
        written[2] += storm::<Claims>(seed, false);
    }
    assert!(written.iter().all(|count| *count > 1_000), "{written:?}");
}

/// Stops writers one after the other, each after its number of steps in `stops`, and then runs each to its end.
fn meet<H: Head<MemBucket> + 'static>(stops: &[usize], upserts: bool) {
    let shared = Rc::new(Shared::default());
    let told = Rc::new(RefCell::new(Told::default()));
    let mut context = Context::from_waker(Waker::noop());
    let mut writers: Vec<_> = (0..stops.len())
        .map(|who| {
            let bucket = MemBucket { shared: Rc::clone(&shared), upserts, ..MemBucket::default() };
            Some(Box::pin(write::<H>(bucket, who, 1, Rc::clone(&told))))
        })
        .collect();
    let ends = (0..writers.len()).map(|who| (who, usize::MAX));
    for (who, steps) in stops.iter().copied().enumerate().chain(ends) {
        for _ in 0..steps {
            let Some(writer) = &mut writers[who] else { break };
            if writer.as_mut().poll(&mut context).is_ready() {
                writers[who] = None;
            }
        }
    }
    assert_eq!(told.borrow().done.len(), stops.len(), "{stops:?}");
    drop(writers);
    check::<H>(shared, &told.borrow(), &format!("{stops:?}"));
}

#[test]
fn f35_two_writers_meet_at_every_step() {
    for first in 0..24 {
        for second in 0..64 {
            for upserts in [false, true] {
                meet::<Native>(&[first, second], upserts);
            }
            meet::<Claims>(&[first, second], false);
        }
    }
}

#[test]
fn f35_four_writers_of_a_new_tenant_meet_at_every_step_of_a_store_that_upserts() {
    for first in 0..12 {
        for second in 0..12 {
            for third in 0..12 {
                meet::<Native>(&[first, second, third, usize::MAX], true);
            }
        }
    }
}

#[test]
fn a_swap_that_happened_and_was_denied_is_found_and_nothing_of_it_is_taken_away() {
    for caches in [false, true] {
        let bucket = MemBucket { denies: true, caches, ..MemBucket::default() };
        block_on(commits(&KvStore::<_, Native>::new(bucket, "t")));
    }
}

async fn commits(store: &impl Store) {
    for number in 0..300 {
        let ops = vec![Op::Put(Space::Records, key(number), vec![7; 3_000])];
        let done = store.commit(batch(Revision(number as u64), ops)).await;
        assert_eq!(done, Ok(Revision(number as u64 + 1)));
    }
    assert_eq!(all(store, Space::Records, 50).await.len(), 300);
}

#[test]
fn values_that_were_damaged_are_refused() {
    let bucket = MemBucket::default();
    let store = KvStore::<_, Native>::new(bucket.clone(), "t");
    block_on(async {
        let ops = vec![Op::Put(Space::Records, key(1), vec![1; 100])];
        store.commit(batch(Revision(0), ops)).await.expect("a commit");
        bucket.damage("t.m");
        let error = store.get(Space::Records, &[key(1)]).await.expect_err("damaged");
        assert!(matches!(error, StoreError::Failed(_)), "{error:?}");
    });
}
