//! A FIFO mutex: it serialises overlapping calls on one handle.

use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// A FIFO mutex. The holder of a [`Turn`] has exclusive access until it is dropped.
#[derive(Debug, Default)]
pub(in crate::memory) struct Lane {
    queue: RefCell<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    next_ticket: u64,
    /// The queue, in order; the first has the turn. A waiting one may have left a waker.
    waiting: Vec<(u64, Option<Waker>)>,
}

/// Exclusive access to the lane. Dropping it, before its time has come or after, leaves the queue.
#[derive(Debug)]
pub(in crate::memory) struct Turn<'a> {
    lane: &'a Lane,
    ticket: u64,
}

impl Lane {
    /// Joins the queue and returns when it is at the front.
    pub(in crate::memory) async fn enter(&self) -> Turn<'_> {
        let turn = {
            let mut queue = self.queue.borrow_mut();
            let ticket = queue.next_ticket;
            queue.next_ticket += 1;
            queue.waiting.push((ticket, None));
            Turn { lane: self, ticket }
        };
        poll_fn(|context| {
            let mut queue = self.queue.borrow_mut();
            match queue.waiting.iter_mut().position(|(ticket, _)| *ticket == turn.ticket) {
                Some(0) | None => Poll::Ready(()),
                Some(place) => {
                    queue.waiting[place].1 = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await;
        turn
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let next = {
            let mut queue = self.lane.queue.borrow_mut();
            queue.waiting.retain(|(ticket, _)| *ticket != self.ticket);
            queue.waiting.first_mut().and_then(|(_, waker)| waker.take())
        };
        // Outside the borrow: a waker may poll at once.
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::Context;

    #[test]
    fn turns_come_in_order_and_a_dropped_place_is_skipped() {
        let lane = Lane::default();
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(first) = pin!(lane.enter()).poll(&mut context) else { panic!("the lane is empty") };
        let mut second = Box::pin(lane.enter());
        let mut third = Box::pin(lane.enter());
        let mut fourth = Box::pin(lane.enter());
        for waiting in [&mut second, &mut third, &mut fourth] {
            assert!(waiting.as_mut().poll(&mut context).is_pending());
        }
        drop(first);
        assert!(third.as_mut().poll(&mut context).is_pending(), "the second came before");
        drop(second);
        assert!(fourth.as_mut().poll(&mut context).is_pending(), "the third came before");
        let Poll::Ready(turn) = third.as_mut().poll(&mut context) else { panic!("nobody is before the third") };
        drop(turn);
        assert!(fourth.as_mut().poll(&mut context).is_ready());
    }
}
