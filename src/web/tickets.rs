//! Pending host calls: each gets a ticket number and a future that resolves when the host answers it.

use super::executor;
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

enum Owed {
    Asked(Option<Waker>),
    Answered(Vec<u8>),
}

thread_local! {
    static OWED: RefCell<Vec<(u32, Owed)>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// A pending host call.
pub(super) struct Ticket(u32);

impl Ticket {
    pub(super) fn new() -> Self {
        let number = LAST.get().wrapping_add(1);
        LAST.set(number);
        OWED.with_borrow_mut(|owed| owed.push((number, Owed::Asked(None))));
        Self(number)
    }

    /// The number that JavaScript passes with its answer.
    pub(super) fn number(&self) -> u32 {
        self.0
    }
}

impl Future for Ticket {
    type Output = Vec<u8>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Vec<u8>> {
        OWED.with_borrow_mut(|owed| match owed.iter_mut().find(|(number, _)| *number == self.0) {
            Some((_, Owed::Answered(answer))) => Poll::Ready(std::mem::take(answer)),
            Some((_, Owed::Asked(waker))) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            None => Poll::Pending,
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        OWED.with_borrow_mut(|owed| owed.retain(|(number, _)| *number != self.0));
    }
}

/// Delivers JavaScript's answer. The waiting future may already be dropped.
pub(super) fn answer(number: u32, answer: Vec<u8>) {
    let waker = OWED.with_borrow_mut(|owed| {
        let (_, owed) = owed.iter_mut().find(|(known, _)| *known == number)?;
        match std::mem::replace(owed, Owed::Answered(answer)) {
            Owed::Asked(waker) => waker,
            Owed::Answered(_) => None,
        }
    });
    executor::go_on(waker);
}
