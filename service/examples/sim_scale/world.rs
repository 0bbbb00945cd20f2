//! A clock that jumps from one event to the next, and the tasks that wait for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// When the simulated time begins: 2026-01-01, in milliseconds since 1970.
const BEGIN_MS: u64 = 1_767_225_600_000;

/// A task.
pub(crate) type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// The clock, in microseconds since the beginning.
#[derive(Debug, Default)]
pub(crate) struct World {
    now: Cell<u64>,
    running: Cell<usize>,
    /// Who goes on when; the number in the middle keeps the order of those who go on at the same time.
    waiting: RefCell<BTreeMap<(u64, u64), usize>>,
    order: Cell<u64>,
}

impl World {
    pub(crate) fn micros(&self) -> u64 {
        self.now.get()
    }

    /// Milliseconds since 1970.
    pub(crate) fn millis(&self) -> u64 {
        BEGIN_MS + self.now.get() / 1000
    }

    /// Moves the clock of a world in which nobody waits.
    pub(crate) fn pass(&self, micros: u64) {
        self.now.set(self.now.get() + micros);
    }

    fn wake(&self, task: usize, at: u64) {
        self.order.set(self.order.get() + 1);
        self.waiting.borrow_mut().insert((at, self.order.get()), task);
    }

    /// Waits for so many microseconds.
    pub(crate) async fn sleep(&self, micros: u64) {
        let due = self.now.get() + micros;
        let mut waits = false;
        // A memory looks at what it waits for more than once: only the clock says that it is over.
        std::future::poll_fn(|_| {
            if self.now.get() >= due && waits {
                return Poll::Ready(());
            }
            if !std::mem::replace(&mut waits, true) {
                self.wake(self.running.get(), due);
            }
            Poll::Pending
        })
        .await;
    }

    /// Runs all tasks to their ends, each from its beginning on.
    ///
    /// # Panics
    /// If a task waits for something else than this clock.
    pub(crate) fn run(&self, tasks: Vec<(u64, Task<'_>)>) {
        let mut tasks: Vec<Option<Task<'_>>> = tasks
            .into_iter()
            .enumerate()
            .map(|(at, (begin, task))| {
                self.wake(at, begin);
                Some(task)
            })
            .collect();
        loop {
            let Some(((at, _), task)) = self.waiting.borrow_mut().pop_first() else { break };
            self.now.set(at);
            self.running.set(task);
            let Some(running) = tasks[task].as_mut() else { continue };
            if running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                tasks[task] = None;
            }
        }
        assert!(tasks.iter().all(Option::is_none), "a task waits for what never comes");
    }
}
