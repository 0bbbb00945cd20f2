//! One value from another thread, as a future that needs no runtime.

#![allow(clippy::disallowed_types, reason = "the value crosses threads, which nothing below a door does")]

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A promise of one value: [`send`](Self::send) keeps it, dropping it breaks it.
#[derive(Debug)]
pub(super) struct Promise<T>(Arc<Slot<T>>);

/// The value of a promise; `None` if the promise was dropped.
#[derive(Debug)]
pub(super) struct Answer<T>(Arc<Slot<T>>);

type Slot<T> = Mutex<State<T>>;

#[derive(Debug)]
enum State<T> {
    Pending(Option<Waker>),
    Ready(Option<T>),
}

/// A promise and the future of its value.
pub(super) fn promise<T>() -> (Promise<T>, Answer<T>) {
    let slot = Arc::new(Mutex::new(State::Pending(None)));
    (Promise(Arc::clone(&slot)), Answer(slot))
}

/// Nothing panics while it holds the lock.
fn locked<T>(slot: &Slot<T>) -> MutexGuard<'_, State<T>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Promise<T> {
    pub(super) fn send(self, value: T) {
        self.settle(Some(value));
    }

    fn settle(&self, value: Option<T>) {
        let mut state = locked(&self.0);
        let State::Pending(waker) = &mut *state else { return };
        let waker = waker.take();
        *state = State::Ready(value);
        // A waker may poll at once, which needs the lock.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        self.settle(None);
    }
}

impl<T> Future for Answer<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *locked(&self.0) {
            State::Pending(waker) => {
                waker.replace(context.waker().clone());
                Poll::Pending
            }
            State::Ready(value) => Poll::Ready(value.take()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the promise is kept by another thread")]
    fn a_promise_is_kept_or_broken() {
        let (promised, answer) = promise();
        let thread = std::thread::spawn(move || promised.send(7));
        assert_eq!(block_on(answer), Some(7));
        thread.join().unwrap();
        let (promised, answer) = promise::<u8>();
        let thread = std::thread::spawn(move || drop(promised));
        assert_eq!(block_on(answer), None);
        thread.join().unwrap();
    }
}
