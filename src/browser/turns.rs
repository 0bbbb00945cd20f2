//! Turns: writers that conflict queue up, so that a slow one is not starved. Turns are for fairness only: the guard
//! decides whether a commit is written, and a writer whose turn does not come goes on without it. The rules are those of
//! `pkg/src/storage/turns.ts`.

use super::locks::{Held, take};
use super::task::either;
use crate::store::{Key, Revision};
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// After a conflict, commits wait for a turn until this many of them had no other write between them.
const POLITE: u32 = 8;

/// A writer without conflicts waits for a turn at every n-th commit: it may be the one that starves the others.
const LOOK: u32 = 16;

/// How long (ms) to wait for a turn.
const PATIENCE: u32 = 10_000;

/// How long (ms) a turn lasts at most: a call that fails after a conflict does not commit any more, and the store is not
/// told.
const LONGEST: u32 = 1_000;

/// The turns of one writer.
pub(super) struct Turns {
    app: String,
    turn: Rc<RefCell<Option<Held>>>,
    /// Ends the turn when it has lasted too long.
    timer: RefCell<Option<Timeout>>,
    polite: Cell<u32>,
    /// The number of commits since a turn was waited for.
    since_look: Cell<u32>,
    /// The revision after this writer's last commit.
    last: Cell<Revision>,
}

impl Turns {
    pub(super) fn new(app: &str) -> Self {
        Self {
            app: app.to_owned(),
            turn: Rc::default(),
            timer: RefCell::default(),
            polite: Cell::default(),
            since_look: Cell::default(),
            last: Cell::default(),
        }
    }

    /// Waits for a turn before a commit, if this writer has had conflicts, or has had none for a while. Whether others
    /// are likely to have written meanwhile.
    pub(super) async fn enter(&self, guard: &Key) -> bool {
        self.since_look.set(self.since_look.get() + 1);
        let is_polite = self.polite.get() > 0;
        if self.turn.borrow().is_some() || !is_polite && self.since_look.get() < LOOK {
            return false;
        }
        self.since_look.set(0);
        self.wait(guard).await;
        is_polite
    }

    /// A commit on `base` was written.
    pub(super) fn committed(&self, base: Revision) {
        self.end();
        let polite = self.polite.get();
        if polite > 0 {
            self.polite.set(if base == self.last.get() { polite - 1 } else { POLITE });
        }
        self.last.set(base.next());
    }

    /// A commit was refused: the call plans again during its turn.
    pub(super) async fn refused(&self, guard: &Key) {
        self.polite.set(POLITE);
        self.wait(guard).await;
    }

    /// Waits for a turn, which lasts until the next commit, or for a second.
    pub(super) async fn wait(&self, guard: &Key) {
        if self.turn.borrow().is_some() {
            return;
        }
        let mut taking = Box::pin(take(&self.app, guard));
        if let super::task::Either::One(Some(held)) = either(&mut taking, &mut TimeoutFuture::new(PATIENCE)).await {
            *self.turn.borrow_mut() = Some(held);
            let turn = Rc::downgrade(&self.turn);
            *self.timer.borrow_mut() = Some(Timeout::new(LONGEST, move || {
                if let Some(turn) = turn.upgrade() {
                    turn.take();
                }
            }));
        }
    }

    /// Ends the turn, if there is one.
    pub(super) fn end(&self) {
        self.timer.take();
        self.turn.take();
    }
}
