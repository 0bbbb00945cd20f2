//! A manifest in a key-value store that can only count: slots that are drawn, and settled in turns (`service/src/kv/claims.rs`).
//! One step is one operation of the bucket.

use stateright::{Model, Property};

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Claims {
    /// How many writers there are, each of which commits once.
    pub writers: usize,
    /// How many of them may die, at any step.
    pub crashes: u8,
    /// How many answers may get lost.
    pub losses: u8,
    /// How often a writer may lose its patience with one that is alive.
    pub haste: u8,
}

/// What stands in a turn of a slot: nothing that counts, or the slot that it was planned on and the commits.
pub type Held = Option<(u8, Vec<u8>)>;

/// A slot: what each turn holds, and how often each turn after the first was claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slot {
    /// What is written in each turn.
    pub turns: Vec<Option<Held>>,
    /// How often the turn after each was claimed.
    pub claims: Vec<u8>,
    owners: Vec<Option<usize>>,
}

/// What a writer does next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Reads the hint.
    Hint,
    /// Looks for a later turn of the slot that counts.
    Later(u8),
    /// Reads a turn of the slot that counts.
    Counting(u8),
    /// Reads the slot after those that it knows.
    Look,
    /// Looks whether that slot, which holds something, was taken from its owner.
    LookClaim(Held),
    /// The slot is empty: looks how many were drawn.
    Drawn,
    /// Looks whether the empty slot was taken from its owner.
    LookEmpty,
    /// Reads a turn of a slot.
    Settle(u8, u8),
    /// Looks whether the turn after one that holds something was claimed.
    SettleClaim(u8, u8, Held),
    /// Claims a turn of a slot.
    Claim(u8, u8),
    /// As its owner, reads the turns before it, the latest first; keeps the latest that holds something.
    Before(u8, u8, u8, Option<Held>),
    /// There is none: looks how many were drawn.
    Gone(u8, u8),
    /// Writes its turn.
    SetTurn(u8, u8, Held),
    /// Draws a slot.
    Draw,
    /// Writes its slot.
    SetSlot,
    /// Writes the hint.
    SetHint,
    /// It was told that its commit is written.
    Acknowledged,
    /// It was told of an error.
    Failed,
    /// It died; what it had sent may still happen.
    Dead(Option<Box<Next>>),
}

/// One writer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Writer {
    /// What it does next.
    pub next: Next,
    /// The last slot that counts, and the last that it knows.
    counts: u8,
    looked: u8,
    value: Vec<u8>,
    /// The slot that it drew; 0 while it looks.
    mine: u8,
    /// The last slot that counts, while it settles those up to its own.
    running: u8,
    /// Whether it looks because it lost a race.
    lost: bool,
}

/// The bucket and the writers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// How many slots were drawn.
    pub drawn: u8,
    /// The slots; the first has the number 1.
    pub slots: Vec<Slot>,
    /// The last slot that counts, and the last that was looked at.
    pub hint: Option<(u8, u8)>,
    /// Each writer.
    pub writers: Vec<Writer>,
    crashes: u8,
    losses: u8,
    haste: u8,
}

/// What may happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A writer's operation happens, and is answered.
    Step(usize),
    /// A writer no longer waits for a turn that is empty.
    GiveUp(usize),
    /// An operation happens, and its answer is an error.
    Lose(usize),
    /// A writer dies.
    Crash(usize),
    /// What a dead writer had sent happens.
    Late(usize),
}

impl Default for Writer {
    fn default() -> Self {
        let (counts, looked, value, mine, running) = (0, 0, Vec::new(), 0, 0);
        Self { next: Next::Hint, counts, looked, value, mine, running, lost: false }
    }
}

impl Writer {
    /// The last slot that counts, the one after the last that it has looked at, and its own.
    pub fn known(&self) -> (u8, u8, u8) {
        (self.counts, self.looked + 1, self.mine)
    }
}

impl Slot {
    fn turn(&self, turn: u8) -> Option<&Held> {
        self.turns.get(usize::from(turn)).and_then(Option::as_ref)
    }

    /// Whether the turn after this one was claimed.
    fn is_contested(&self, turn: u8) -> bool {
        self.claims.get(usize::from(turn)).is_some_and(|count| *count > 0)
    }

    fn set(&mut self, turn: u8, held: Held) {
        let turn = usize::from(turn);
        self.turns.resize(self.turns.len().max(turn + 1), None);
        self.turns[turn] = Some(held);
    }
}

impl State {
    fn slot(&mut self, slot: u8) -> &mut Slot {
        let slot = usize::from(slot);
        self.slots.resize_with(self.slots.len().max(slot), Slot::default);
        &mut self.slots[slot - 1]
    }

    fn held(&self, slot: u8, turn: u8) -> Option<Held> {
        self.slots.get(usize::from(slot) - 1).and_then(|slot| slot.turn(turn)).cloned()
    }

    fn is_contested(&self, slot: u8, turn: u8) -> bool {
        self.slots.get(usize::from(slot) - 1).is_some_and(|slot| slot.is_contested(turn))
    }

    /// What a reader finds that comes now, and for whom everybody else stands still.
    pub fn seen(&self) -> Vec<u8> {
        let (mut state, reader) = (self.clone(), self.writers.len());
        state.writers.push(Writer::default());
        loop {
            let next = match state.writers[reader].next.clone() {
                Next::Draw => return std::mem::take(&mut state.writers[reader].value),
                Next::Settle(slot, turn) if state.held(slot, turn).is_none() => Next::Claim(slot, turn + 1),
                next => Claims::run(&mut state, reader, next),
            };
            state.writers[reader].next = next;
        }
    }

    /// Whether nobody will fill a turn.
    fn is_abandoned(&self, slot: u8, turn: u8) -> bool {
        let owner = self.slots.get(usize::from(slot) - 1).and_then(|slot| *slot.owners.get(usize::from(turn))?);
        owner.is_some_and(|owner| matches!(self.writers[owner].next, Next::Dead(_) | Next::Failed))
    }

    fn own(&mut self, slot: u8, turn: u8, who: usize) {
        let owners = &mut self.slot(slot).owners;
        owners.resize(owners.len().max(usize::from(turn) + 1), None);
        owners[usize::from(turn)] = Some(who);
    }
}

fn writes(next: &Next) -> bool {
    use Next::{Claim, Draw, SetHint, SetSlot, SetTurn};
    matches!(next, Claim(..) | SetTurn(..) | Draw | SetSlot | SetHint)
}

fn is_over(next: &Next) -> bool {
    matches!(next, Next::Acknowledged | Next::Failed | Next::Dead(_))
}

impl Claims {
    /// A slot is settled: what comes then.
    fn settled(state: &mut State, who: usize, slot: u8, held: Held) -> Next {
        let writer = &mut state.writers[who];
        if writer.mine == 0 {
            writer.looked = slot;
            if let Some((_, commits)) = held.filter(|(base, _)| *base == writer.counts) {
                (writer.counts, writer.value) = (slot, commits);
            }
            return Next::Look;
        }
        if held.is_some_and(|(base, _)| base == writer.running) {
            writer.running = slot;
        }
        if slot < writer.mine {
            return Next::Settle(slot + 1, 0);
        }
        if writer.running > writer.counts { Next::SetHint } else { Self::swapped(state, who) }
    }

    /// A swap is over: it won, or it looks whether it did all the same.
    fn swapped(state: &mut State, who: usize) -> Next {
        let writer = &mut state.writers[who];
        if writer.running == writer.mine {
            return Next::Acknowledged;
        }
        (writer.mine, writer.lost) = (0, true);
        Next::Hint
    }

    /// Everything that is decided was looked at.
    fn looked(state: &mut State, who: usize) -> Next {
        let writer = &mut state.writers[who];
        if !std::mem::take(&mut writer.lost) {
            return Next::Draw;
        }
        if writer.value.contains(&(who as u8)) { Next::Acknowledged } else { Next::Hint }
    }

    /// Does what `next` says, and answers what its writer does then.
    fn run(state: &mut State, who: usize, next: Next) -> Next {
        let (counts, looked) = (state.writers[who].counts, state.writers[who].looked);
        match next {
            Next::Hint => {
                let (counts, looked) = state.hint.unwrap_or_default();
                let writer = &mut state.writers[who];
                (writer.counts, writer.looked, writer.value) = (counts, looked, Vec::new());
                if counts == 0 { Next::Look } else { Next::Later(0) }
            }
            Next::Later(turn) if state.held(counts, turn + 1).is_some() => Next::Later(turn + 1),
            Next::Later(turn) => Next::Counting(turn),
            Next::Counting(turn) => {
                let held = state.held(counts, turn).flatten();
                state.writers[who].value = held.map(|(_, commits)| commits).unwrap_or_default();
                Next::Look
            }
            Next::Look => state.held(looked + 1, 0).map_or(Next::Drawn, Next::LookClaim),
            Next::LookClaim(_) if state.is_contested(looked + 1, 0) => Next::Settle(looked + 1, 0),
            Next::LookClaim(held) => Self::settled(state, who, looked + 1, held),
            Next::Drawn => Next::LookEmpty,
            Next::LookEmpty if state.is_contested(looked + 1, 0) => Next::Settle(looked + 1, 0),
            Next::LookEmpty => Self::looked(state, who),
            Next::Settle(slot, turn) => {
                state.held(slot, turn).map_or(Next::Settle(slot, turn), |held| Next::SettleClaim(slot, turn, held))
            }
            Next::SettleClaim(slot, turn, _) if state.is_contested(slot, turn) => Next::Settle(slot, turn + 1),
            Next::SettleClaim(slot, _, held) => Self::settled(state, who, slot, held),
            Next::Claim(slot, turn) => {
                let claims = &mut state.slot(slot).claims;
                claims.resize(claims.len().max(usize::from(turn)), 0);
                claims[usize::from(turn) - 1] += 1;
                if claims[usize::from(turn) - 1] > 1 {
                    return Next::Settle(slot, turn);
                }
                state.own(slot, turn, who);
                Next::Before(slot, turn, turn - 1, None)
            }
            Next::Before(slot, turn, at, latest) => {
                let latest = latest.or_else(|| state.held(slot, at));
                match latest {
                    latest if at > 0 => Next::Before(slot, turn, at - 1, latest),
                    Some(held) => Next::SetTurn(slot, turn, held),
                    None => Next::Gone(slot, turn),
                }
            }
            Next::Gone(slot, turn) => Next::SetTurn(slot, turn, None),
            Next::SetTurn(slot, turn, held) => {
                state.slot(slot).set(turn, held);
                Next::Settle(slot, turn)
            }
            Next::Draw => {
                state.drawn += 1;
                let drawn = state.drawn;
                state.own(drawn, 0, who);
                let writer = &mut state.writers[who];
                (writer.mine, writer.running) = (drawn, writer.counts);
                Next::SetSlot
            }
            Next::SetSlot => {
                let writer = &state.writers[who];
                let (mine, mut commits) = (writer.mine, writer.value.clone());
                commits.push(who as u8);
                state.slot(mine).set(0, Some((counts, commits)));
                Next::Settle(looked + 1, 0)
            }
            Next::SetHint => {
                let writer = &state.writers[who];
                state.hint = Some((writer.running, writer.mine));
                Self::swapped(state, who)
            }
            over @ (Next::Acknowledged | Next::Failed | Next::Dead(_)) => over,
        }
    }
}

impl Model for Claims {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            drawn: 0,
            slots: Vec::new(),
            hint: None,
            writers: vec![Writer::default(); self.writers],
            crashes: self.crashes,
            losses: self.losses,
            haste: self.haste,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (who, writer) in state.writers.iter().enumerate() {
            if let Next::Dead(Some(_)) = writer.next {
                actions.push(Action::Late(who));
            }
            if is_over(&writer.next) {
                continue;
            }
            match writer.next {
                Next::Settle(slot, turn) if state.held(slot, turn).is_none() => {
                    if state.haste > 0 || state.is_abandoned(slot, turn) {
                        actions.push(Action::GiveUp(who));
                    }
                }
                _ => actions.push(Action::Step(who)),
            }
            if state.crashes > 0 {
                actions.push(Action::Crash(who));
            }
            if state.losses > 0 && writes(&writer.next) {
                actions.push(Action::Lose(who));
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        let next = |state: &State, who: usize| state.writers[who].next.clone();
        match action {
            Action::Step(who) => {
                let next = next(&state, who);
                state.writers[who].next = Self::run(&mut state, who, next);
            }
            Action::GiveUp(who) => {
                let Next::Settle(slot, turn) = next(&state, who) else { return None };
                if !state.is_abandoned(slot, turn) {
                    state.haste -= 1;
                }
                state.writers[who].next = Next::Claim(slot, turn + 1);
            }
            Action::Lose(who) => {
                let next = next(&state, who);
                Self::run(&mut state, who, next);
                state.losses -= 1;
                state.writers[who].next = Next::Failed;
            }
            Action::Crash(who) => {
                let next = next(&state, who);
                state.crashes -= 1;
                state.writers[who].next = Next::Dead(writes(&next).then(|| Box::new(next)));
            }
            Action::Late(who) => {
                let Next::Dead(Some(next)) = next(&state, who) else { return None };
                Self::run(&mut state, who, *next);
                state.writers[who].next = Next::Dead(None);
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("no acknowledged write is lost", |_, state: &State| {
                let seen = state.seen();
                (0..state.writers.len())
                    .all(|who| state.writers[who].next != Next::Acknowledged || seen.contains(&(who as u8)))
            }),
            Property::always("each commit counts once", |_, state: &State| {
                let seen = state.seen();
                (1..seen.len()).all(|at| !seen[..at].contains(&seen[at]))
            }),
            Property::sometimes("all writers are acknowledged", |_, state: &State| {
                state.writers.iter().all(|writer| writer.next == Next::Acknowledged)
            }),
            Property::sometimes("a slot is void", |model: &Self, state: &State| {
                let is_void = |slot: &Slot| slot.turns.contains(&Some(None));
                model.crashes + model.haste == 0 || state.slots.iter().any(is_void)
            }),
            Property::eventually("every writer that lives is answered", |_, state: &State| {
                state.writers.iter().all(|writer| is_over(&writer.next))
            }),
        ]
    }
}
