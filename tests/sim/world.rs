//! The world that the simulated programs live in: one disk, requests on their way to it and answers on their way back, clocks
//! that differ, timers. Nothing here happens by itself: the scheduler says what is next.

use super::chance::Chance;
use super::former::{is_newer, write_formerly};
use futures::FutureExt;
use keepsake::memory::EnvError;
use keepsake::memory::scripted::Scripted;
use keepsake::model::Timestamp;
use keepsake::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::{Env, MemStore, Store};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Clone, Debug)]
pub(crate) enum Request {
    Get(Space, Vec<Key>),
    Scan(Space, KeyRange, usize),
    Commit(WriteBatch),
}

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Values(Vec<Option<Vec<u8>>>),
    Page(Page),
    Revision(Revision),
}

/// A request to the disk, or to the clock if there is none.
#[derive(Debug)]
pub(crate) struct Pending {
    /// The life of the program that waits for it.
    pub(crate) life: usize,
    request: Option<Request>,
    /// Present once it has taken effect.
    done: Option<Result<Answer, StoreError>>,
    answered: bool,
    waker: Option<Waker>,
}

impl Pending {
    pub(crate) fn is_commit(&self) -> bool {
        matches!(self.request, Some(Request::Commit(_)))
    }

    pub(crate) fn is_applied(&self) -> bool {
        self.done.is_some()
    }
}

/// The fault that strikes one request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// It fails and has no effect.
    Fails(StoreError),
    /// It takes effect, but nobody is told.
    LosesAnswer,
}

/// A promise that the storage does not keep, to see whether it is found out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flaw {
    /// Commits that were planned on an older state are taken.
    IgnoresGuard,
    /// Now and then a commit is acknowledged and thrown away.
    Forgets,
    /// Now and then only the first half of a commit is written.
    Halves,
}

const AT_ONCE: &str = "a store in memory answers at once";

pub(crate) struct World {
    flaw: Option<Flaw>,
    commits: usize,
    disk: MemStore,
    /// Every commit of the disk, with the step in which it arrived.
    history: Vec<(usize, WriteBatch)>,
    /// How many of them a power cut leaves.
    durable: usize,
    pub(crate) step: usize,
    pub(crate) pending: BTreeMap<usize, Pending>,
    next: usize,
    pub(crate) now: i64,
    /// How far the clock of each life is off.
    pub(crate) skews: BTreeMap<usize, i64>,
    entropy: Chance,
}

pub(crate) type Shared = Rc<RefCell<World>>;

impl World {
    pub(crate) fn new(seed: u64, flaw: Option<Flaw>) -> Shared {
        Rc::new(RefCell::new(Self {
            flaw,
            commits: 0,
            disk: MemStore::new(),
            history: Vec::new(),
            durable: 0,
            step: 0,
            pending: BTreeMap::new(),
            next: 0,
            now: 1_735_812_000_000,
            skews: BTreeMap::new(),
            entropy: Chance::new(seed ^ 0xE27),
        }))
    }

    fn ask(&mut self, life: usize, request: Option<Request>) -> usize {
        self.next += 1;
        self.pending.insert(self.next, Pending { life, request, done: None, answered: false, waker: None });
        self.next
    }

    /// Lets a request take effect.
    pub(crate) fn apply(&mut self, number: usize, trouble: Option<Trouble>) {
        let disk = self.disk.connect();
        let Some(pending) = self.pending.get_mut(&number) else { return };
        let Some(request) = pending.request.clone() else {
            pending.done = Some(Ok(Answer::Values(Vec::new())));
            return;
        };
        if let Some(Trouble::Fails(error)) = trouble {
            pending.done = Some(Err(error));
            return;
        }
        let done = match request {
            Request::Get(space, keys) => disk.get(space, &keys).now_or_never().expect(AT_ONCE).map(Answer::Values),
            Request::Scan(space, range, limit) => {
                disk.scan(space, &range, limit).now_or_never().expect(AT_ONCE).map(Answer::Page)
            }
            Request::Commit(mut batch) => {
                self.commits += 1;
                let now_and_then = self.commits.is_multiple_of(5);
                match self.flaw {
                    Some(Flaw::IgnoresGuard) => {
                        let guard = disk.get(Space::Meta, std::slice::from_ref(&batch.guard));
                        let guard = guard.now_or_never().expect(AT_ONCE).expect("it is in memory");
                        batch.base = Revision::from_bytes(guard[0].as_deref()).expect("it was written by a commit");
                    }
                    Some(Flaw::Forgets) if now_and_then => {
                        pending.done = Some(Ok(Answer::Revision(batch.base.next())));
                        return;
                    }
                    Some(Flaw::Halves) if now_and_then => batch.ops.truncate(batch.ops.len() / 2),
                    _ => {}
                }
                self.write(batch).map(Answer::Revision)
            }
        };
        let Some(pending) = self.pending.get_mut(&number) else { return };
        pending.done = Some(match trouble {
            Some(Trouble::LosesAnswer) => done.and(Err(StoreError::Failed("the answer was lost".into()))),
            _ => done,
        });
    }

    fn write(&mut self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let strict = batch.durability == Durability::Strict;
        let written = self.disk.commit(batch.clone()).now_or_never().expect(AT_ONCE)?;
        self.history.push((self.step, batch));
        if strict {
            self.durable = self.history.len();
        }
        Ok(written)
    }

    /// Takes away what can be derived. No commit of a memory's does this: the guard belongs to nobody.
    pub(crate) fn drop_index(&mut self) {
        let guard = Key::from_bytes(b"simulation".to_vec());
        let held = self.disk.get(Space::Meta, std::slice::from_ref(&guard)).now_or_never().expect(AT_ONCE);
        let base = Revision::from_bytes(held.expect("it is in memory")[0].as_deref()).expect("it was written here");
        let ops = vec![Op::DeleteRange(Space::Index, KeyRange::prefix(Key::default()))];
        self.write(WriteBatch { guard, base, ops, durability: Durability::Relaxed }).expect("nobody else uses it");
    }

    /// Loses the last commits that were not handed to the disk, but for a part of them: `keeps` hundredths. All that was
    /// acknowledged up to the step that this returns is kept.
    pub(crate) fn cut_power(&mut self, keeps: usize) -> usize {
        let kept = self.durable + (self.history.len() - self.durable) * keeps / 100;
        let until = self.history.get(kept).map_or(usize::MAX, |(step, _)| *step);
        let history: Vec<(usize, WriteBatch)> = self.history.drain(..kept).collect();
        self.history.clear();
        self.disk = MemStore::new();
        for (_, batch) in &history {
            self.disk.commit(batch.clone()).now_or_never().expect(AT_ONCE).expect("it was committed once");
        }
        self.history = history;
        until
    }

    /// What was written in the last commit.
    pub(crate) fn last_commit(&self) -> Option<&WriteBatch> {
        self.history.last().map(|(_, batch)| batch)
    }

    /// Lets the last commit have been another one.
    pub(crate) fn replace_last(&mut self, batch: WriteBatch) {
        let Some((_, last)) = self.history.last_mut() else { return };
        *last = batch;
        self.durable = self.history.len();
        self.cut_power(100);
    }

    pub(crate) fn empty(&mut self) {
        self.disk = MemStore::new();
        self.history.clear();
        self.durable = 0;
    }

    /// Requests that have not arrived fail.
    pub(crate) fn close_connections(&mut self) {
        let on_their_way = |pending: &&mut Pending| pending.done.is_none() && pending.request.is_some();
        for pending in self.pending.values_mut().filter(on_their_way) {
            pending.done = Some(Err(StoreError::Failed("the connection was closed".into())));
        }
    }

    /// Tells who waits that it has taken effect.
    pub(crate) fn answer(&mut self, number: usize) {
        if let Some(pending) = self.pending.get_mut(&number) {
            pending.answered = true;
            if let Some(waker) = pending.waker.take() {
                waker.wake();
            }
        }
    }
}

/// Waits for an answer.
struct Waiting {
    world: Shared,
    number: usize,
}

impl Future for Waiting {
    type Output = Result<Answer, StoreError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut world = self.world.borrow_mut();
        let pending = world.pending.get_mut(&self.number).expect("nobody else takes it away");
        if !pending.answered {
            pending.waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        let done = pending.done.clone().expect("it is answered after it has taken effect");
        Poll::Ready(done)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut world = self.world.borrow_mut();
        // A request that nobody waits for any more may be on its way still.
        let gone = world.pending.get(&self.number).is_some_and(|pending| pending.answered || pending.done.is_some());
        let timer = world.pending.get(&self.number).is_some_and(|pending| pending.request.is_none());
        if gone || timer {
            world.pending.remove(&self.number);
        }
    }
}

/// One program's way to the disk, and its clock.
#[derive(Clone)]
pub(crate) struct Machine {
    pub(crate) world: Shared,
    pub(crate) life: usize,
    /// Whether it writes the format before this one, and reads no newer one.
    pub(crate) former: bool,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "life {}", self.life)
    }
}

impl Machine {
    fn send(&self, request: Option<Request>) -> Waiting {
        let number = self.world.borrow_mut().ask(self.life, request);
        Waiting { world: Rc::clone(&self.world), number }
    }
}

impl Store for Machine {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        match self.send(Some(Request::Get(space, keys.to_vec()))).await? {
            Answer::Values(values) if self.former && values.iter().flatten().any(|value| is_newer(value)) => {
                Err(StoreError::Superseded)
            }
            Answer::Values(values) => Ok(values),
            other => panic!("another answer than asked for: {other:?}"),
        }
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        match self.send(Some(Request::Scan(space, range.clone(), limit))).await? {
            Answer::Page(page) if self.former && page.items.iter().any(|(_, value)| is_newer(value)) => {
                Err(StoreError::Superseded)
            }
            Answer::Page(page) => Ok(page),
            other => panic!("another answer than asked for: {other:?}"),
        }
    }

    async fn commit(&self, mut batch: WriteBatch) -> Result<Revision, StoreError> {
        if self.former {
            batch.ops.iter_mut().for_each(write_formerly);
        }
        match self.send(Some(Request::Commit(batch))).await? {
            Answer::Revision(revision) => Ok(revision),
            other => panic!("another answer than asked for: {other:?}"),
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Env for Machine {
    fn now(&self) -> Result<Timestamp, EnvError> {
        let world = self.world.borrow();
        let skew = world.skews.get(&self.life).copied().unwrap_or(0);
        Timestamp::from_millis("now", world.now + skew).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        let mut world = self.world.borrow_mut();
        bytes.iter_mut().for_each(|byte| *byte = world.entropy.next() as u8);
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        Scripted::new(0, 0).decompose(text)
    }

    async fn pause(&self, _millis: u32) {
        let _ = self.send(None).await;
    }
}
