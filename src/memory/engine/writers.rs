//! The queue of the writes of one handle. They are planned in the order of their calls, and writes that wait at the same
//! time share a commit: each plans on the plan of the one before it, and the last commits for all of them.
//!
//! A write that cannot be planned beside the others is planned again after their commit; alone, it gets its own error.

use super::Error;
use super::plan::Plan;
use crate::log::Head;
use crate::store::Revision;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The most calls of one commit. More would delay the first of them, and the page while their answers are handed over.
const MOST_CALLS: usize = 256;

/// The queue. A call has a place in it until its commit has succeeded or it has failed.
#[derive(Debug)]
pub(in crate::memory) struct Writers {
    queue: RefCell<Queue>,
}

#[derive(Debug)]
struct Queue {
    /// The calls in their order. The first `planned` of them share `plan`; the next one may plan or commit.
    waiting: VecDeque<Rc<Call>>,
    planned: usize,
    /// Their plan, unless the next call has it in hand.
    plan: Option<Plan>,
    /// Counts the plans that were given up: a call that has one of them in hand must not go on with it.
    given_up: u64,
    /// The most calls of the next commit: few after a failure, then more and more again.
    most: usize,
    /// The commit under way, which is unresolved if its call was dropped.
    flight: Option<Flight>,
    /// Consecutive conflicts, and refusals without another writer's commit.
    tries: Tries,
}

/// A commit under way: it is in the log if the log has this head at this revision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) to: Revision,
    pub(super) head: Head,
    calls: usize,
    /// Whether the call that made it was dropped.
    is_left: bool,
}

/// The attempts to commit since the last success.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tries {
    pub(super) conflicts: u32,
    pub(super) refusals: u32,
}

#[derive(Debug)]
struct Call {
    joins: bool,
    queued: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    outcome: RefCell<Option<Result<(), Error>>>,
}

/// A place in the queue. Dropping it leaves the queue.
#[derive(Debug)]
pub(in crate::memory) struct Turn<'a> {
    writers: &'a Writers,
    call: Rc<Call>,
}

/// The next thing for a call to do.
pub(super) enum Next {
    /// Plan.
    Plan,
    /// Return: another call has committed for this one, or failed.
    Return(Result<(), Error>),
    /// Find out whether this commit succeeded: the call that made it was dropped.
    Resolve(Flight),
}

impl Default for Writers {
    fn default() -> Self {
        let queue = Queue {
            waiting: VecDeque::new(),
            planned: 0,
            plan: None,
            given_up: 0,
            most: MOST_CALLS,
            flight: None,
            tries: Tries::default(),
        };
        Self { queue: RefCell::new(queue) }
    }
}

impl Queue {
    /// Gives up the shared plan: its calls plan again, at most `most` of them together.
    fn give_up(&mut self, most: usize) -> Option<Waker> {
        self.planned = 0;
        self.plan = None;
        self.given_up += 1;
        self.most = most.clamp(1, MOST_CALLS);
        self.next()
    }

    /// The waker of the call whose turn it is.
    fn next(&self) -> Option<Waker> {
        self.waiting.get(self.planned).and_then(|call| call.waker.take())
    }
}

impl Writers {
    /// Joins the queue. With `joins`, the call may share a commit with others.
    pub(super) fn queue(&self, joins: bool) -> Turn<'_> {
        let call = Call { joins, queued: Cell::new(true), waker: RefCell::default(), outcome: RefCell::default() };
        let call = Rc::new(call);
        self.queue.borrow_mut().waiting.push_back(Rc::clone(&call));
        Turn { writers: self, call }
    }

    /// Joins the queue, and returns when every write before has ended. No write is planned until the turn is dropped.
    pub(in crate::memory) async fn enter(&self) -> Turn<'_> {
        let turn = self.queue(false);
        // An unresolved commit stays for the next writer.
        turn.next().await;
        turn
    }
}

impl Turn<'_> {
    /// Waits until there is something to do.
    pub(super) async fn next(&self) -> Next {
        poll_fn(|context| {
            if let Some(outcome) = self.call.outcome.take() {
                return Poll::Ready(Next::Return(outcome));
            }
            let queue = self.writers.queue.borrow();
            let is_next = queue.waiting.get(queue.planned).is_some_and(|next| Rc::ptr_eq(next, &self.call));
            if !is_next || (queue.planned > 0 && !self.call.joins) {
                self.call.waker.replace(Some(context.waker().clone()));
                return Poll::Pending;
            }
            Poll::Ready(match queue.flight {
                Some(flight) => Next::Resolve(flight),
                None => Next::Plan,
            })
        })
        .await
    }

    /// The plan of the calls before this one, if they wait for a commit.
    pub(super) fn take(&self) -> Option<Plan> {
        self.writers.queue.borrow_mut().plan.take()
    }

    /// The number of calls before this one that share its plan.
    pub(super) fn others(&self) -> usize {
        self.writers.queue.borrow().planned
    }

    /// The number of plans that were given up so far.
    pub(super) fn given_up(&self) -> u64 {
        self.writers.queue.borrow().given_up
    }

    /// Hands the plan on to the next call, if that can join; otherwise the plan is to be committed now.
    pub(super) fn pass(&self, mut plan: Plan) -> Option<Plan> {
        let next = {
            let mut queue = self.writers.queue.borrow_mut();
            let joins = queue.waiting.get(queue.planned + 1).is_some_and(|next| next.joins);
            if !self.call.joins || !joins || queue.planned + 1 >= queue.most || plan.is_full() {
                return Some(plan);
            }
            queue.plan = Some(plan);
            queue.planned += 1;
            queue.next()
        };
        wake(next);
        None
    }

    /// Plans again, without this call beside the others: it could not be planned beside them.
    pub(super) fn step_back(&self) {
        let next = {
            let mut queue = self.writers.queue.borrow_mut();
            let most = queue.planned;
            queue.give_up(most)
        };
        wake(next);
    }

    /// Plans again, all of them.
    pub(super) fn again(&self) {
        let next = {
            let mut queue = self.writers.queue.borrow_mut();
            queue.flight = None;
            let most = queue.most;
            queue.give_up(most)
        };
        wake(next);
    }

    /// Plans again in smaller groups: the storage did not take this one. `false` if the call is alone.
    pub(super) fn in_parts(&self) -> bool {
        let next = {
            let mut queue = self.writers.queue.borrow_mut();
            queue.flight = None;
            if queue.planned == 0 {
                return false;
            }
            let most = queue.planned.div_ceil(2);
            queue.give_up(most)
        };
        wake(next);
        true
    }

    /// The commit begins.
    pub(super) fn begin(&self, to: Revision, head: Head) {
        let mut queue = self.writers.queue.borrow_mut();
        queue.flight = Some(Flight { to, head, calls: queue.planned + 1, is_left: false });
    }

    /// The commit has ended, with this outcome for all of its calls.
    pub(super) fn end(&self, outcome: &Result<(), Error>) {
        let calls = self.writers.queue.borrow().planned + 1;
        self.settle(calls, outcome);
    }

    /// The commit of a dropped call has succeeded.
    pub(super) fn resolve(&self, flight: Flight) {
        self.settle(flight.calls.saturating_sub(1), &Ok(()));
    }

    fn settle(&self, calls: usize, outcome: &Result<(), Error>) {
        let mut woken: Vec<Waker> = Vec::with_capacity(calls + 1);
        {
            let mut queue = self.writers.queue.borrow_mut();
            let calls = calls.min(queue.waiting.len());
            for call in queue.waiting.drain(..calls) {
                call.queued.set(false);
                call.outcome.replace(Some(outcome.clone()));
                woken.extend(call.waker.take());
            }
            queue.flight = None;
            queue.tries = Tries::default();
            let most = queue.most * 2;
            woken.extend(queue.give_up(most));
        }
        woken.into_iter().for_each(Waker::wake);
    }

    /// Counts an attempt that did not succeed.
    pub(super) fn tried(&self, count: impl FnOnce(&mut Tries)) -> Tries {
        let mut queue = self.writers.queue.borrow_mut();
        count(&mut queue.tries);
        queue.tries
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.call.queued.get() {
            return;
        }
        let next = {
            let mut queue = self.writers.queue.borrow_mut();
            let Some(place) = queue.waiting.iter().position(|call| Rc::ptr_eq(call, &self.call)) else { return };
            queue.waiting.remove(place);
            let planned = queue.planned;
            let most = queue.most;
            match &mut queue.flight {
                // Its commit is under way: it may be written, but nobody is told.
                Some(flight) if !flight.is_left && place < planned => {
                    flight.calls -= 1;
                    queue.planned -= 1;
                    None
                }
                // It made the commit: the first of the others finds out.
                Some(flight) if !flight.is_left && place == planned => {
                    flight.is_left = true;
                    queue.give_up(most)
                }
                Some(flight) if flight.is_left => {
                    flight.calls -= usize::from(place + 1 < flight.calls);
                    if place == 0 { queue.next() } else { None }
                }
                // Its part is in the plan, or it was to commit the plan: the others plan again.
                None if place < planned || (place == planned && planned > 0) => queue.give_up(most),
                None if place == planned => queue.next(),
                _ => None,
            }
        };
        wake(next);
    }
}

/// Wakes outside of a borrow: a waker may poll at once.
fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}
