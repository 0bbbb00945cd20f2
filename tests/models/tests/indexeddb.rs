//! The revision and the log of a storage: the model has no run that loses a write or shows half of one, models of two mistakes
//! have, and the driver of a memory does what the model says, transaction by transaction.

use futures::executor::block_on;
use keepsake::MemStore;
use keepsake::memory::ListOptions;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::Draft;
use keepsake::model::{Config, UserId};
use keepsake::store::{Key, KeyRange, Page, Revision, Space, Store, StoreError, WriteBatch};
use keepsake_models::bound;
use keepsake_models::indexeddb::{Action, Idb, Next, State, Way};
use stateright::{Checker, Model};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

fn model(way: Way) -> Idb {
    Idb { way, writers: 3, commits: 2, crashes: 1 + bound(), losses: 1, forgets: true }
}

/// Two tabs, and no fault at all.
fn sound(way: Way) -> Idb {
    Idb { writers: 2, crashes: 0, losses: 0, ..model(way) }
}

#[test]
fn pages_that_are_added_lose_nothing_and_everybody_who_lives_is_answered() {
    let checker = model(Way::Add).checker().threads(2).spawn_bfs().join();
    println!("{} states", checker.unique_state_count());
    checker.assert_properties();
}

#[test]
fn pages_that_are_put_without_a_question_lose_a_write() {
    let checker = sound(Way::Put).checker().spawn_bfs().join();
    let trace = checker.discovery("no acknowledged write is lost").expect("a run that loses a write");
    println!("{:?}", trace.into_actions());
}

#[test]
fn a_browser_that_keeps_the_rest_of_a_refused_transaction_shows_half_of_a_commit() {
    let checker = sound(Way::AddInHalves).checker().spawn_bfs().join();
    let trace = checker.discovery("no half of a commit is visible, and none is there twice");
    println!("{:?}", trace.expect("a run that shows half of a commit").into_actions());
}

/// What a memory waits for.
#[derive(Clone, Debug)]
enum Wants {
    Read,
    Commit(WriteBatch),
}

/// One memory's handle on the storage: a transaction happens when the trace says so.
#[derive(Clone)]
struct Gate {
    inner: Rc<MemStore>,
    wants: Rc<RefCell<Option<Wants>>>,
    /// How the next transaction ends.
    granted: Rc<RefCell<Option<Grant>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grant {
    Answer,
    Lose,
    Fail,
}

impl Gate {
    fn new(inner: &Rc<MemStore>) -> Self {
        Self { inner: Rc::clone(inner), wants: Rc::default(), granted: Rc::default() }
    }

    async fn turn(&self, wants: Wants) -> Grant {
        *self.wants.borrow_mut() = Some(wants);
        let granted = std::future::poll_fn(|_| match self.granted.borrow_mut().take() {
            Some(grant) => Poll::Ready(grant),
            None => Poll::Pending,
        });
        let granted = granted.await;
        *self.wants.borrow_mut() = None;
        granted
    }
}

impl Store for Gate {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.turn(Wants::Read).await;
        self.inner.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.turn(Wants::Read).await;
        self.inner.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        match self.turn(Wants::Commit(batch.clone())).await {
            Grant::Answer => self.inner.commit(batch).await,
            Grant::Lose => {
                drop(self.inner.commit(batch).await);
                Err(StoreError::Failed("the answer was lost".into()))
            }
            Grant::Fail => Err(StoreError::Failed("the transaction failed".into())),
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn content(who: usize, at: usize) -> String {
    format!("note {at} of tab {who}")
}

/// Adds notes, and counts those that were acknowledged. Ends at the first error.
async fn work(gate: Gate, who: usize, commits: u8, told: Rc<RefCell<u8>>) -> Result<(), keepsake::Error> {
    let memory = open(gate, who).await?;
    for at in 0..usize::from(commits) {
        memory.add(Draft { content: content(who, at), ..Draft::default() }).await?;
        *told.borrow_mut() += 1;
    }
    Ok(())
}

async fn open<S: Store>(store: S, who: usize) -> Result<Memory<S, Scripted>, keepsake::Error> {
    let env = Scripted::new(1_767_225_600_000, 1_000 + who as u64);
    Memory::open(store, env, UserId::new("user", "ann").expect("a user"), Config::default()).await
}

type Work = Pin<Box<dyn Future<Output = Result<(), keepsake::Error>>>>;

struct Tab {
    gate: Gate,
    told: Rc<RefCell<u8>>,
    work: Option<Work>,
    failed: bool,
    sent: Option<WriteBatch>,
}

impl Tab {
    fn go_on(&mut self) {
        let Some(work) = &mut self.work else { return };
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            (self.work, self.failed) = (None, done.is_err());
        }
    }

    fn reads(&self) -> bool {
        self.work.is_some() && matches!(*self.gate.wants.borrow(), Some(Wants::Read))
    }

    fn batch(&self) -> Option<WriteBatch> {
        match &*self.gate.wants.borrow() {
            Some(Wants::Commit(batch)) if self.work.is_some() => Some(batch.clone()),
            _ => None,
        }
    }

    fn grant(&mut self, grant: Grant) {
        *self.gate.granted.borrow_mut() = Some(grant);
        self.go_on();
    }

    /// Everything that it reads before it commits, or ends.
    fn read(&mut self) {
        while self.reads() {
            self.grant(Grant::Answer);
        }
    }
}

/// Memories on one storage.
struct Replay {
    store: Rc<MemStore>,
    tabs: Vec<Tab>,
}

impl Replay {
    fn new(model: &Idb) -> Self {
        let store = Rc::new(MemStore::new());
        let tab = |who: usize| {
            let (gate, told) = (Gate::new(&store), Rc::default());
            let work = Some(Box::pin(work(gate.clone(), who, model.commits, Rc::clone(&told))) as Work);
            let mut tab = Tab { gate, told, work, failed: false, sent: None };
            tab.go_on();
            // It opens, and stands before its first commit.
            tab.read();
            tab
        };
        let tabs = (0..model.writers).map(tab).collect();
        Self { store, tabs }
    }

    fn act(&mut self, action: &Action, before: &State) {
        match *action {
            Action::Step(who, _) if before.writers[who].next == Next::Commit => {
                self.tabs[who].grant(Grant::Answer);
                // After a refusal it reads when the trace says so; before its next commit it reads at once.
                if *self.tabs[who].told.borrow() > before.writers[who].told {
                    self.tabs[who].read();
                }
            }
            Action::Step(who, _) => self.tabs[who].read(),
            Action::Lose(who, _) => self.tabs[who].grant(Grant::Lose),
            Action::Fail(who) => self.tabs[who].grant(Grant::Fail),
            Action::Crash(who, _) => {
                self.tabs[who].sent = self.tabs[who].batch();
                self.tabs[who].work = None;
            }
            Action::Late(who) => {
                let batch = self.tabs[who].sent.take().expect("what a killed tab had sent");
                drop(block_on(self.store.commit(batch)));
            }
        }
    }

    fn check(&self, state: &State, trace: &[Action]) {
        let everything = KeyRange { start: Key::default(), end: None };
        let log = block_on(self.store.scan(Space::Log, &everything, 1_000)).expect("a scan");
        assert_eq!(log.items.len(), state.pages.len(), "{trace:?}");
        for (tab, writer) in self.tabs.iter().zip(&state.writers) {
            assert_eq!(*tab.told.borrow(), writer.told, "{trace:?}");
            match writer.next {
                Next::Commit => {
                    let base = tab.batch().map(|batch| batch.base);
                    assert_eq!(base, Some(Revision(u64::from(writer.known))), "{trace:?}");
                }
                Next::CatchUp | Next::LookUp => assert!(tab.reads(), "{trace:?}"),
                Next::Failed => assert!(tab.failed, "{trace:?}"),
                Next::Done => assert!(tab.work.is_none() && !tab.failed, "{trace:?}"),
                Next::Dead(_) => assert!(tab.work.is_none() && !tab.failed, "{trace:?}"),
            }
        }
    }

    /// What a memory that is opened now holds is what the model's log says, whole.
    fn check_contents(&self, state: &State, trace: &[Action]) {
        let found = block_on(async {
            let memory = open(self.store.connect(), 99).await?;
            let mut found = BTreeSet::new();
            for entry in memory.list(&ListOptions::default()).await? {
                found.extend(memory.get(&entry.id).await?.map(|(_, content)| content));
            }
            Ok::<_, keepsake::Error>(found)
        });
        let told = |(who, at): &(u8, u8)| content(usize::from(*who), usize::from(*at));
        assert_eq!(found.expect("a memory"), state.pages.iter().map(told).collect(), "{trace:?}");
    }
}

#[test]
fn the_driver_does_what_the_model_says_in_random_runs() {
    let model = Idb { crashes: 1, losses: 2, ..model(Way::Add) };
    let (mut seed, mut kinds, mut steps) = (7_u64, BTreeSet::new(), 0);
    let runs = 1_000 << bound().min(8);
    for _ in 0..runs {
        let mut state = model.init_states().remove(0);
        let mut code = Replay::new(&model);
        let mut trace = Vec::new();
        loop {
            code.check(&state, &trace);
            let mut actions = Vec::new();
            model.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let action = actions.swap_remove((seed >> 33) as usize % actions.len());
            kinds.insert(format!("{action:?}").split('(').next().unwrap_or_default().to_owned());
            code.act(&action, &state);
            trace.push(action.clone());
            state = model.next_state(&state, action).expect("a next state");
        }
        code.check_contents(&state, &trace);
        steps += trace.len();
    }
    println!("{runs} runs, {steps} steps: {kinds:?}");
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}
