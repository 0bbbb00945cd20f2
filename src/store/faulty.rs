//! A store with injected faults: simulates every failure of a real medium in the tests.

use super::{Key, KeyRange, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::cell::{Cell, RefCell};

/// The fault at the chosen operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails with this error and has no effect; the next one works again.
    Fail(StoreError),
    /// It takes effect, but returns an error: the response was lost.
    LoseAnswer(StoreError),
    /// It has no effect, and neither has anything after it: the process ended.
    Crash,
    /// It takes effect, and nothing after it does: the process ended right after it.
    CrashAfter,
}

/// Forwards everything to `inner` until the chosen operation.
#[derive(Debug)]
pub struct FaultyStore<S> {
    inner: S,
    plan: RefCell<Option<(usize, Fault)>>,
    operations: Cell<usize>,
    dead: Cell<bool>,
}

impl<S: Store> FaultyStore<S> {
    /// A store without a fault.
    pub fn new(inner: S) -> Self {
        Self { inner, plan: RefCell::new(None), operations: Cell::new(0), dead: Cell::new(false) }
    }

    /// Injects `fault` at the `nth` operation from now; 1 is the next.
    pub fn break_at(&self, nth: usize, fault: Fault) {
        *self.plan.borrow_mut() = Some((self.operations.get() + nth, fault));
    }

    /// The number of operations so far.
    pub fn operations(&self) -> usize {
        self.operations.get()
    }

    fn next_fault(&self) -> Result<Option<Fault>, StoreError> {
        if self.dead.get() {
            return Err(StoreError::Failed("crashed".into()));
        }
        self.operations.set(self.operations.get() + 1);
        let due = self.plan.borrow_mut().take_if(|(nth, _)| *nth == self.operations.get());
        Ok(due.map(|(_, fault)| fault))
    }

    async fn run<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        match self.next_fault()? {
            None => work.await,
            Some(Fault::Fail(error)) => Err(error),
            Some(Fault::LoseAnswer(error)) => work.await.and(Err(error)),
            Some(Fault::Crash) => {
                self.dead.set(true);
                Err(StoreError::Failed("crashed".into()))
            }
            Some(Fault::CrashAfter) => {
                let done = work.await;
                self.dead.set(true);
                done.and(Err(StoreError::Failed("crashed".into())))
            }
        }
    }
}

impl<S: Store> Store for FaultyStore<S> {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.run(self.inner.get(space, keys)).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.run(self.inner.scan(space, range, limit)).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.run(self.inner.commit(batch)).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}
