//! A future that goes on only when it is told to, as with a real executor.

use futures::task::{ArcWake, waker};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

/// Whether a task was told to go on. Who is never told stands still, as with a real executor.
#[derive(Default)]
struct Flag(AtomicBool);

impl ArcWake for Flag {
    fn wake_by_ref(flag: &Arc<Self>) {
        flag.0.store(true, Ordering::Relaxed);
    }
}

pub(crate) struct Task<F> {
    work: F,
    flag: Arc<Flag>,
}

impl<F: Future + Unpin> Task<F> {
    pub(crate) fn new(work: F) -> Self {
        Self { work, flag: Arc::new(Flag(AtomicBool::new(true))) }
    }

    /// Whether it was told to go on.
    pub(crate) fn is_told(&self) -> bool {
        self.flag.0.load(Ordering::Relaxed)
    }

    /// Its outcome, if it was told to go on and came to its end.
    pub(crate) fn go_on(&mut self) -> Option<F::Output> {
        if !self.flag.0.swap(false, Ordering::Relaxed) {
            return None;
        }
        match Pin::new(&mut self.work).poll(&mut Context::from_waker(&waker(Arc::clone(&self.flag)))) {
            Poll::Ready(outcome) => Some(outcome),
            Poll::Pending => None,
        }
    }
}
