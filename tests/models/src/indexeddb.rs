//! The revision and the log of a storage in IndexedDB: how a commit is guarded (`pkg/src/storage/indexeddb/store.ts`, `guard.ts`), and
//! how a writer goes on that lost a race or an answer (`src/memory/engine/driver.rs`). One step is one transaction.
//!
//! A commit writes the page of its revision, and its record. One that asks reads the guard, or the last page if that is later,
//! and writes the guard too. One whose connection has asked not long ago adds its page, which is refused if there is one of
//! that revision already.

use stateright::{Model, Property};

/// What the browser does, and what the code asks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The page is added: one that is there refuses the transaction.
    Add,
    /// The page is put without a question: a mistake.
    Put,
    /// The page is added, and the transaction ended early in a browser that then keeps the rest of a refused one.
    AddInHalves,
}

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Idb {
    /// How pages are written by a connection that has asked.
    pub way: Way,
    /// How many writers there are: tabs.
    pub writers: usize,
    /// How many commits each makes.
    pub commits: u8,
    /// How many tabs may be killed, at any step.
    pub crashes: u8,
    /// How many answers may get lost.
    pub losses: u8,
    /// Whether a connection's question may grow old: then it asks again.
    pub forgets: bool,
}

/// A commit: whose, and which of theirs.
pub type Commit = (u8, u8);

/// What a writer does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Commits on the revision that it knows.
    Commit,
    /// Follows the log: its commit was refused.
    CatchUp,
    /// Looks whether its commit is in the log: its answer was lost.
    LookUp,
    /// Was told of an error, and tries no more.
    Failed,
    /// All of its commits are written.
    Done,
    /// Was killed, and its transaction may still happen: a commit that asks, or that adds.
    Dead(Option<bool>),
}

/// One tab.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Writer {
    /// What it does next.
    pub next: Next,
    /// The revision that it knows.
    pub known: u8,
    /// How many of its commits it was told are written.
    pub told: u8,
    /// Whether its connection has asked not long ago.
    pub checked: bool,
}

/// The database and the tabs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Page `n` of the log has the revision `n + 1`.
    pub pages: Vec<Commit>,
    /// The records, in the order in which they were written.
    pub records: Vec<Commit>,
    /// What the guard holds.
    pub guard: u8,
    /// Each tab.
    pub writers: Vec<Writer>,
    crashes: u8,
    losses: u8,
}

/// What may happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A transaction happens, and is answered. A commit asks first, or adds.
    Step(usize, bool),
    /// A transaction happens, and its answer is lost.
    Lose(usize, bool),
    /// A transaction fails, and nothing happens.
    Fail(usize),
    /// A tab is killed; the commit that it may have sent asks, or adds.
    Crash(usize, bool),
    /// The commit that a killed tab had sent happens.
    Late(usize),
}

impl State {
    /// The revision that the guard stands for.
    pub fn revision(&self) -> u8 {
        self.guard.max(self.pages.len() as u8)
    }
}

impl Idb {
    /// A commit's transaction. Answers whether it was written.
    fn commit(&self, state: &mut State, who: usize, asks: bool) -> bool {
        let Writer { known, told, .. } = state.writers[who];
        let mine = (who as u8, told);
        if asks {
            if state.revision() != known {
                return false;
            }
            state.guard = known + 1;
            state.pages.push(mine);
        } else if usize::from(known) < state.pages.len() {
            match self.way {
                Way::Add => return false,
                Way::Put => state.pages[usize::from(known)] = mine,
                Way::AddInHalves => {
                    state.records.push(mine);
                    return false;
                }
            }
        } else {
            state.pages.push(mine);
        }
        state.records.push(mine);
        true
    }

    /// A commit of a writer is written, and it knows.
    fn tell(&self, writer: &mut Writer) {
        writer.told += 1;
        writer.known += 1;
        writer.next = if writer.told == self.commits { Next::Done } else { Next::Commit };
    }
}

impl Model for Idb {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let writer = Writer { next: Next::Commit, known: 0, told: 0, checked: false };
        vec![State {
            pages: Vec::new(),
            records: Vec::new(),
            guard: 0,
            writers: vec![writer; self.writers],
            crashes: self.crashes,
            losses: self.losses,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (who, writer) in state.writers.iter().enumerate() {
            // A connection that has asked adds, until that is too long ago.
            let ways: &[bool] = match (writer.checked, self.forgets) {
                (false, _) => &[true],
                (true, false) => &[false],
                (true, true) => &[true, false],
            };
            match writer.next {
                Next::Commit => {
                    actions.extend(ways.iter().map(|asks| Action::Step(who, *asks)));
                    if state.losses > 0 {
                        actions.extend(ways.iter().map(|asks| Action::Lose(who, *asks)));
                        actions.push(Action::Fail(who));
                    }
                    if state.crashes > 0 {
                        actions.extend(ways.iter().map(|asks| Action::Crash(who, *asks)));
                    }
                }
                Next::CatchUp | Next::LookUp => {
                    actions.push(Action::Step(who, true));
                    if state.crashes > 0 {
                        actions.push(Action::Crash(who, true));
                    }
                }
                Next::Dead(Some(_)) => actions.push(Action::Late(who)),
                Next::Failed | Next::Done | Next::Dead(None) => {}
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Step(who, asks) => match state.writers[who].next {
                Next::Commit => {
                    let written = self.commit(&mut state, who, asks);
                    let writer = &mut state.writers[who];
                    // Only a question that was answered well says that the database is the one that it was.
                    writer.checked = if asks { writer.checked || written } else { writer.checked };
                    if written { self.tell(writer) } else { writer.next = Next::CatchUp }
                }
                Next::CatchUp => {
                    let revision = state.revision();
                    let writer = &mut state.writers[who];
                    (writer.known, writer.next) = (revision, Next::Commit);
                }
                Next::LookUp => {
                    let Writer { known, told, .. } = state.writers[who];
                    let page = state.pages.get(usize::from(known)).copied();
                    let writer = &mut state.writers[who];
                    if page == Some((who as u8, told)) { self.tell(writer) } else { writer.next = Next::Failed }
                }
                _ => return None,
            },
            Action::Lose(who, asks) => {
                self.commit(&mut state, who, asks);
                state.losses -= 1;
                state.writers[who].next = Next::LookUp;
            }
            Action::Fail(who) => {
                state.losses -= 1;
                state.writers[who].next = Next::LookUp;
            }
            Action::Crash(who, asks) => {
                let sent = (state.writers[who].next == Next::Commit).then_some(asks);
                state.crashes -= 1;
                state.writers[who].next = Next::Dead(sent);
            }
            Action::Late(who) => {
                let Next::Dead(Some(asks)) = state.writers[who].next else { return None };
                self.commit(&mut state, who, asks);
                state.writers[who].next = Next::Dead(None);
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("no acknowledged write is lost", |_, state: &State| {
                let is_there = |commit: Commit| state.pages.contains(&commit) && state.records.contains(&commit);
                let all = |who: usize| (0..state.writers[who].told).all(|at| is_there((who as u8, at)));
                (0..state.writers.len()).all(all)
            }),
            Property::always("no half of a commit is visible, and none is there twice", |_, state: &State| {
                state.pages == state.records
                    && (1..state.pages.len()).all(|at| !state.pages[..at].contains(&state.pages[at]))
            }),
            Property::always("nobody knows a revision that is not there", |_, state: &State| {
                state.writers.iter().all(|writer| writer.known <= state.revision())
            }),
            Property::sometimes("all commits are acknowledged", |_, state: &State| {
                state.writers.iter().all(|writer| writer.next == Next::Done)
            }),
            Property::eventually("every writer that lives is answered", |_, state: &State| {
                let is_over = |writer: &Writer| matches!(writer.next, Next::Done | Next::Failed | Next::Dead(_));
                state.writers.iter().all(is_over)
            }),
        ]
    }
}
