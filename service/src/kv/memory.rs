//! A bucket in memory that yields at every step, for tests.

use super::{Bucket, BucketError, Swapped};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::task::Poll;

/// The state shared by all handles.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    values: RefCell<BTreeMap<String, Vec<u8>>>,
    seed: Cell<u64>,
    /// The number of writes.
    pub(crate) writes: Cell<usize>,
    pub(crate) now: Cell<u64>,
}

impl Shared {
    pub(crate) fn len(&self) -> usize {
        self.values.borrow().len()
    }

    fn chance(&self) -> u64 {
        let seed = self.seed.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.seed.set(seed);
        seed >> 11
    }
}

/// A handle.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemBucket {
    pub(crate) shared: Rc<Shared>,
    /// The number of calls after which it is dead: its calls have no effect and never return.
    pub(crate) dies_after: Option<usize>,
    pub(crate) mine: Rc<Cell<usize>>,
    /// Reports every third swap as failed although it is written, like a host whose response was lost.
    pub(crate) denies: bool,
    /// Executes a swap of an absent key unconditionally, as Spin's stores do.
    pub(crate) upserts: bool,
    /// Answers a plain read of a key from a cache of this handle, as Spin does.
    pub(crate) caches: bool,
    pub(crate) cache: Rc<RefCell<BTreeMap<String, Option<Vec<u8>>>>>,
}

impl MemBucket {
    /// Flips a bit.
    pub(crate) fn damage(&self, key: &str) {
        if let Some(byte) = self.shared.values.borrow_mut().get_mut(key).and_then(|value| value.get_mut(9)) {
            *byte ^= 1;
        }
    }

    fn note(&self, key: &str, value: Option<&[u8]>) {
        self.cache.borrow_mut().insert(key.to_owned(), value.map(<[u8]>::to_vec));
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dies_after.is_some_and(|most| self.mine.get() > most)
    }

    /// Writes a value without yielding.
    pub(crate) fn put(&self, key: &str, value: &str) {
        self.shared.values.borrow_mut().insert(key.to_owned(), value.as_bytes().to_vec());
    }

    async fn writing(&self) {
        self.step().await;
        self.shared.writes.set(self.shared.writes.get() + 1);
    }

    async fn step(&self) {
        self.mine.set(self.mine.get() + 1);
        if self.is_dead() {
            std::future::pending::<()>().await;
        }
        let mut waited = false;
        std::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Bucket for MemBucket {
    type Cas = (String, Option<Vec<u8>>);

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError> {
        let mut found = Vec::new();
        for key in keys {
            // One after the other: a read of many values is not atomic.
            self.step().await;
            let known = self.cache.borrow().get(key).cloned().filter(|_| self.caches);
            let value = known.unwrap_or_else(|| self.shared.values.borrow().get(key).cloned());
            self.note(key, value.as_deref());
            found.push(value);
        }
        Ok(found)
    }

    async fn set(&self, items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError> {
        for (key, value) in items {
            self.writing().await;
            self.note(&key, Some(&value));
            self.shared.values.borrow_mut().insert(key, value);
        }
        Ok(())
    }

    async fn delete(&self, keys: &[String]) -> Result<(), BucketError> {
        for key in keys {
            self.writing().await;
            self.note(key, None);
            self.shared.values.borrow_mut().remove(key);
        }
        Ok(())
    }

    async fn keys(&self) -> Result<Vec<String>, BucketError> {
        self.step().await;
        Ok(self.shared.values.borrow().keys().cloned().collect())
    }

    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError> {
        self.writing().await;
        let mut values = self.shared.values.borrow_mut();
        let text = values.get(key).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let now = text.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) + by;
        values.insert(key.to_owned(), now.to_string().into_bytes());
        Ok(now)
    }

    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError> {
        self.step().await;
        let value = self.shared.values.borrow().get(key).cloned();
        self.note(key, value.as_deref());
        Ok(((key.to_owned(), value.clone()), value))
    }

    async fn swap(&self, (key, seen): Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError> {
        self.writing().await;
        let mut values = self.shared.values.borrow_mut();
        let blind = self.upserts && seen.is_none();
        if !blind && values.get(&key) != seen.as_ref() {
            return Ok(Swapped::No);
        }
        values.insert(key.clone(), value.clone());
        if self.denies && self.mine.get().is_multiple_of(3) {
            return Ok(Swapped::No);
        }
        self.note(&key, Some(&value));
        Ok(Swapped::Yes)
    }

    async fn pause(&self, millis: u32) {
        self.shared.now.set(self.shared.now.get() + u64::from(millis));
        self.step().await;
    }

    fn now(&self) -> u64 {
        self.shared.now.get()
    }

    fn chance(&self) -> [u8; 16] {
        let (high, low) = (self.shared.chance(), self.shared.chance());
        (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
    }
}
