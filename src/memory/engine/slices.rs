//! Long work in slices: a long call yields to the host between slices, can be cancelled there, and reports its
//! progress.
//!
//! A slice is measured in work, not in time: a clock may stand still, and the same call yields at the same places
//! everywhere.

use super::note::Note;
use super::{Env, Error, Memory};
use crate::store::Store;
use std::cell::{Cell, OnceCell, RefCell};
use std::future::{pending, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The work of one slice. One unit is about the cost of indexing a byte of text: one or two microseconds.
const SLICE: usize = 8 * 1024;

/// The fixed cost of writing a record or indexing a document, beside its bytes.
pub(in crate::memory) const RECORD: usize = 64;

/// The cost of hashing a link of the log.
pub(in crate::memory) const LINK: usize = 4;

/// The cost of reading a record of any size: decoding and hashing are cheap.
pub(in crate::memory) const READ: usize = 8;

/// The handle of a long call: reports its progress, and cancels it.
#[derive(Debug, Default)]
pub struct Work {
    done: Cell<usize>,
    total: Cell<usize>,
    stopped: Cell<bool>,
    /// Whether its commit has begun: from then on it cannot be cancelled.
    commits: Cell<bool>,
    /// Whether the call waits at a place where it can be dropped.
    halted: Cell<bool>,
    ended: Cell<bool>,
    watcher: RefCell<Option<Waker>>,
    /// The note that goes into its commit.
    pub(in crate::memory) note: OnceCell<Note>,
}

impl Work {
    /// Cancels the call at its next yield, unless its commit has begun by then. Nothing of it is written.
    pub fn stop(&self) {
        self.stopped.set(true);
    }

    /// The numbers of finished and of all steps; both are 0 until the call knows.
    pub fn progress(&self) -> (usize, usize) {
        (self.done.get(), self.total.get())
    }

    /// Waits until the progress differs from `seen`. `None` once the call has ended.
    pub async fn moved(&self, seen: (usize, usize)) -> Option<(usize, usize)> {
        poll_fn(|context| match self.ended.get() {
            true => Poll::Ready(None),
            false if self.progress() != seen => Poll::Ready(Some(self.progress())),
            false => {
                *self.watcher.borrow_mut() = Some(context.waker().clone());
                Poll::Pending
            }
        })
        .await
    }

    fn tell(&self) {
        // Outside of the borrow: a waker may poll at once.
        let watcher = self.watcher.borrow_mut().take();
        if let Some(watcher) = watcher {
            watcher.wake();
        }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Runs a call that can be watched and cancelled. `None` if it was cancelled.
    pub async fn watched<T>(
        &self,
        work: &Rc<Work>,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<Option<T>, Error> {
        let mut call = pin!(call);
        let answer = poll_fn(|context| {
            // Other calls are polled in between, so this is set only during each poll.
            let before = self.inner.work.replace(Some(Rc::clone(work)));
            let polled = call.as_mut().poll(context);
            self.inner.work.replace(before);
            match polled {
                Poll::Ready(answer) => Poll::Ready(answer.map(Some)),
                Poll::Pending if work.halted.get() => Poll::Ready(Ok(None)),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        work.ended.set(true);
        work.tell();
        answer
    }

    /// Reports the progress of the call.
    pub(in crate::memory) fn report(&self, done: usize, total: usize) {
        if let Some(work) = &*self.inner.work.borrow() {
            work.done.set(done);
            work.total.set(total);
        }
    }

    /// Marks the call as committing: it can no longer be cancelled.
    pub(super) fn begin_commit(&self) {
        if let Some(work) = &*self.inner.work.borrow() {
            work.commits.set(true);
        }
    }

    /// Counts work, and yields to the host when a slice is full. A cancelled call ends here, unless its commit has
    /// begun.
    pub(in crate::memory) async fn breathe(&self, cost: usize) {
        if cfg!(feature = "full") && self.is_stopped() {
            return pending().await;
        }
        self.rest(cost).await;
    }

    /// The same, for work that cannot be cancelled.
    pub(in crate::memory) async fn rest(&self, cost: usize) {
        let spent = self.inner.spent.get().saturating_add(cost);
        self.inner.spent.set(if spent < SLICE { spent } else { 0 });
        if spent >= SLICE {
            // The small module has no watched calls.
            if cfg!(feature = "full") {
                self.tell_watcher();
            }
            self.inner.env.pause(0).await;
        }
    }

    fn is_stopped(&self) -> bool {
        let work = self.inner.work.borrow();
        let stopped = work.as_ref().filter(|work| work.stopped.get() && !work.commits.get());
        stopped.inspect(|work| work.halted.set(true)).is_some()
    }

    fn tell_watcher(&self) {
        let work = self.inner.work.borrow().clone();
        if let Some(work) = work {
            work.tell();
        }
    }
}
