//! The code of the service on a bucket whose operations happen when a trace says so.

use keepsake_service::kv::{Bucket, BucketError, Head, Swapped};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// An operation of the bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Cas(String),
    Set(String, Vec<u8>),
    Add(String, u64),
    Swap(String, Option<Vec<u8>>, Vec<u8>),
    Get(String),
    Pause,
}

/// What a bucket answers; an error if that got lost.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Value(Option<Vec<u8>>),
    Count(u64),
    Swapped(Swap),
    Nothing,
    Lost,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Swap {
    Yes,
    No,
}

/// One writer's handle: it says what it wants, and waits until it is answered.
#[derive(Clone, Default)]
pub(crate) struct Gate {
    pub(crate) wants: Rc<RefCell<Option<Op>>>,
    answer: Rc<RefCell<Option<Answer>>>,
}

impl Gate {
    async fn ask(&self, op: Op) -> Result<Answer, BucketError> {
        *self.wants.borrow_mut() = Some(op);
        let answer = std::future::poll_fn(|_| match self.answer.borrow_mut().take() {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        })
        .await;
        if let Answer::Lost = answer { Err(BucketError("lost".into())) } else { Ok(answer) }
    }

    async fn value(&self, op: Op) -> Result<Option<Vec<u8>>, BucketError> {
        match self.ask(op).await? {
            Answer::Value(value) => Ok(value),
            other => panic!("{other:?}"),
        }
    }
}

impl Bucket for Gate {
    type Cas = (String, Option<Vec<u8>>);

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError> {
        let mut found = Vec::new();
        for key in keys {
            found.push(self.value(Op::Get(key.clone())).await?);
        }
        Ok(found)
    }

    async fn set(&self, items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError> {
        for (key, value) in items {
            self.ask(Op::Set(key, value)).await?;
        }
        Ok(())
    }

    async fn delete(&self, keys: &[String]) -> Result<(), BucketError> {
        panic!("{keys:?}");
    }

    async fn keys(&self) -> Result<Vec<String>, BucketError> {
        panic!("no protocol needs all keys");
    }

    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError> {
        match self.ask(Op::Add(key.to_owned(), by)).await? {
            Answer::Count(count) => Ok(count),
            other => panic!("{other:?}"),
        }
    }

    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError> {
        let value = self.value(Op::Cas(key.to_owned())).await?;
        Ok(((key.to_owned(), value.clone()), value))
    }

    async fn swap(&self, (key, seen): Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError> {
        match self.ask(Op::Swap(key, seen, value)).await? {
            Answer::Swapped(Swap::Yes) => Ok(Swapped::Yes),
            Answer::Swapped(Swap::No) => Ok(Swapped::No),
            other => panic!("{other:?}"),
        }
    }

    async fn pause(&self, _: u32) {
        drop(self.ask(Op::Pause).await);
    }

    fn now(&self) -> u64 {
        0
    }

    fn chance(&self) -> [u8; 16] {
        [0; 16]
    }
}

/// The commits that a manifest holds; none in a blank.
pub(crate) fn commits(manifest: Option<&[u8]>) -> Vec<u8> {
    manifest.and_then(|bytes| bytes.strip_prefix(b"commits")).map(<[u8]>::to_vec).unwrap_or_default()
}

/// A commit of the code's own head.
async fn commit<H: Head<Gate>>(bucket: Gate, who: u8) -> Result<(), BucketError> {
    let head = H::new("t");
    loop {
        let (seen, found) = head.begin(&bucket).await?;
        let next = [b"commits", commits(found.as_deref()).as_slice(), &[who]].concat();
        if head.swap(&bucket, seen, next).await? == Swapped::Yes {
            return Ok(());
        }
        if commits(head.newest(&bucket).await?.as_deref()).contains(&who) {
            return Ok(());
        }
    }
}

type Work = Pin<Box<dyn Future<Output = Result<(), BucketError>>>>;

pub(crate) struct Writer {
    /// Its handle.
    pub(crate) gate: Gate,
    work: Option<Work>,
    /// What it was told, at its end.
    pub(crate) told: Option<Result<(), BucketError>>,
    /// What it had sent when it died.
    sent: Option<Op>,
}

/// The code on a bucket.
pub(crate) struct Replay {
    upserts: bool,
    /// What the bucket holds.
    pub(crate) values: BTreeMap<String, Vec<u8>>,
    /// The writers.
    pub(crate) writers: Vec<Writer>,
}

impl Replay {
    /// So many writers that stand before their first operation.
    pub(crate) fn new<H: Head<Gate> + 'static>(writers: usize, upserts: bool) -> Self {
        let writer = |who: usize| {
            let gate = Gate::default();
            let work = Some(Box::pin(commit::<H>(gate.clone(), who as u8)) as Work);
            Writer { gate, work, told: None, sent: None }
        };
        let mut replay = Self { upserts, values: BTreeMap::new(), writers: (0..writers).map(writer).collect() };
        (0..writers).for_each(|who| replay.go_on(who));
        replay
    }

    /// What a writer was told, and which operation it waits for.
    pub(crate) fn state(&self, who: usize) -> (Option<bool>, Option<String>) {
        (self.writers[who].told.as_ref().map(Result::is_ok), self.wanted(who).as_ref().map(named))
    }

    /// Lets a writer go on to its next operation, or to its end.
    fn go_on(&mut self, who: usize) {
        let writer = &mut self.writers[who];
        let Some(work) = &mut writer.work else { return };
        if let Poll::Ready(told) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            (writer.work, writer.told) = (None, Some(told));
        }
    }

    fn run(&mut self, op: Op) -> Answer {
        match op {
            Op::Cas(key) | Op::Get(key) => Answer::Value(self.values.get(&key).cloned()),
            Op::Set(key, value) => {
                self.values.insert(key, value);
                Answer::Nothing
            }
            Op::Add(key, by) => {
                let count = self.number(&key).unwrap_or(0) + by;
                self.values.insert(key, count.to_string().into_bytes());
                Answer::Count(count)
            }
            Op::Swap(key, seen, value) => {
                let blind = self.upserts && seen.is_none();
                if !blind && self.values.get(&key) != seen.as_ref() {
                    return Answer::Swapped(Swap::No);
                }
                self.values.insert(key, value);
                Answer::Swapped(Swap::Yes)
            }
            Op::Pause => Answer::Nothing,
        }
    }

    /// A counter, or a number that was written.
    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.values.get(key).and_then(|bytes| std::str::from_utf8(bytes).ok()?.parse().ok())
    }

    fn wanted(&self, who: usize) -> Option<Op> {
        self.writers[who].work.as_ref().and(self.writers[who].gate.wants.borrow().clone())
    }

    /// A writer's operation happens; it is answered so, or as it was.
    pub(crate) fn step(&mut self, who: usize, instead: Option<Answer>) {
        let op = self.wanted(who).expect("a writer that waits");
        let answer = self.run(op);
        *self.writers[who].gate.answer.borrow_mut() = Some(instead.unwrap_or(answer));
        self.go_on(who);
    }

    /// A writer dies; what it had sent may still happen.
    pub(crate) fn crash(&mut self, who: usize) {
        self.writers[who].sent = self.wanted(who);
        self.writers[who].work = None;
    }

    /// What a dead writer had sent happens.
    pub(crate) fn late(&mut self, who: usize) {
        let sent = self.writers[who].sent.take().expect("what a dead writer had sent");
        drop(self.run(sent));
    }

    /// A writer waits in vain, until it goes on otherwise.
    pub(crate) fn give_up(&mut self, who: usize) {
        let mut reads = 0;
        while let Some(Op::Cas(_) | Op::Get(_) | Op::Pause) = self.wanted(who) {
            self.step(who, None);
            reads += 1;
            assert!(reads < 100, "it waits for ever");
        }
    }
}

/// An operation and its key.
fn named(op: &Op) -> String {
    match op {
        Op::Cas(key) => format!("cas {key}"),
        Op::Set(key, _) => format!("set {key}"),
        Op::Add(key, by) => format!("add {by} {key}"),
        Op::Swap(key, ..) => format!("swap {key}"),
        Op::Get(key) => format!("get {key}"),
        Op::Pause => "pause".into(),
    }
}

/// A number out of a seed.
pub(crate) fn below(seed: &mut u64, most: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % most.max(1)
}
