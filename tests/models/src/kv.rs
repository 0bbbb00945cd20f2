//! A manifest in a key-value store that can compare and swap: how it begins, and how it is swapped (`service/src/kv/head.rs`,
//! `first.rs`). One step is one operation of the bucket.

use stateright::{Model, Property};

/// How many turns there may be; see `first.rs`.
pub const TURNS: usize = 6;

/// How a writer begins where there is no manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// It swaps from nothing, as it did before.
    SwapFromNothing,
    /// One writer, found by a counter and by turns, begins with a blank.
    Blank,
}

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Kv {
    /// How a manifest begins.
    pub protocol: Protocol,
    /// Whether the store writes a swap of an absent key whatever is there by then.
    pub upserts: bool,
    /// How many writers there are, each of which commits once.
    pub writers: usize,
    /// How many of them may die, at any step.
    pub crashes: u8,
    /// How many answers may get lost: the operation has happened, and its caller is told of an error, or of a lost race.
    pub losses: u8,
    /// How often a writer may lose its patience with one that is alive.
    pub haste: u8,
}

/// A manifest: none, a blank, or the writers whose commits it holds, in their order.
pub type Manifest = Option<Vec<u8>>;

/// What a writer does next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Reads the first manifest, to swap it.
    Begin,
    /// Reads which other manifest counts.
    Elsewhere,
    /// Counts, to own a turn.
    Claim(usize),
    /// As the owner of a turn, reads what an earlier one has chosen.
    Earlier(usize, usize),
    /// Writes the blank of its turn.
    SetBlank(usize),
    /// Writes the choice of its turn.
    SetChoice(usize, usize),
    /// Reads what a turn has chosen.
    Wait(usize),
    /// Looks whether somebody has claimed the turn after it.
    Contested(usize, usize),
    /// Writes that another manifest than the first one counts.
    SetElsewhere(usize),
    /// Reads the manifest of a turn, to swap it.
    Read(usize),
    /// Swaps it.
    Swap(usize, Manifest),
    /// After a lost race: reads the first manifest.
    Newest,
    /// Reads which other manifest counts.
    NewestElsewhere,
    /// Reads that one.
    NewestAt(usize),
    /// It was told that its commit is written.
    Acknowledged,
    /// It was told of an error: its commit is written, or not.
    Failed,
    /// It died; what it had sent may still happen.
    Dead(Option<Box<Next>>),
}

/// The bucket and the writers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The manifest of each turn.
    pub manifests: [Manifest; TURNS],
    /// How often each turn was claimed.
    pub claims: [u8; TURNS],
    /// What each turn has chosen; the first one's blank is its choice.
    pub choices: [Option<usize>; TURNS],
    /// Which other manifest counts.
    pub elsewhere: Option<usize>,
    /// Each writer.
    pub writers: Vec<Next>,
    owners: [Option<usize>; TURNS],
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
    /// A swap happens, and its answer is that somebody was faster.
    Deny(usize),
    /// A writer dies.
    Crash(usize),
    /// What a dead writer had sent happens.
    Late(usize),
}

impl State {
    /// The manifest that a reader sees.
    pub fn seen(&self) -> &Manifest {
        let first = &self.manifests[0];
        match self.elsewhere {
            Some(turn) if !is_begun(first) => &self.manifests[turn],
            _ => first,
        }
    }

    fn chosen(&self, turn: usize) -> Option<usize> {
        if turn == 0 { self.manifests[0].as_ref().map(|_| 0) } else { self.choices[turn] }
    }

    /// Whether nobody will fill a turn.
    fn is_abandoned(&self, turn: usize) -> bool {
        self.owners[turn].is_some_and(|owner| matches!(self.writers[owner], Next::Dead(_) | Next::Failed))
    }
}

fn is_begun(manifest: &Manifest) -> bool {
    manifest.as_ref().is_some_and(|commits| !commits.is_empty())
}

/// Whether an operation changes something: only such a one can come late.
fn writes(next: &Next) -> bool {
    use Next::{Claim, SetBlank, SetChoice, SetElsewhere, Swap};
    matches!(next, Claim(_) | SetBlank(_) | SetChoice(..) | SetElsewhere(_) | Swap(..))
}

fn is_over(next: &Next) -> bool {
    matches!(next, Next::Acknowledged | Next::Failed | Next::Dead(_))
}

impl Kv {
    /// Does what `next` says, and answers what its writer does then.
    fn run(&self, state: &mut State, who: usize, next: Next) -> Next {
        let contains = |manifest: &Manifest| manifest.as_ref().is_some_and(|commits| commits.contains(&(who as u8)));
        let after = |manifest: &Manifest| if contains(manifest) { Next::Acknowledged } else { Next::Begin };
        match next {
            Next::Begin if self.protocol == Protocol::SwapFromNothing => Next::Swap(0, state.manifests[0].clone()),
            Next::Begin if is_begun(&state.manifests[0]) => Next::Swap(0, state.manifests[0].clone()),
            Next::Begin => Next::Elsewhere,
            Next::Elsewhere => state.elsewhere.map_or(Next::Claim(0), Next::Read),
            Next::Claim(turn) => {
                state.claims[turn] += 1;
                if state.claims[turn] > 1 {
                    return Next::Wait(turn);
                }
                state.owners[turn] = Some(who);
                if turn == 0 { Next::SetBlank(0) } else { Next::Earlier(turn, turn - 1) }
            }
            Next::Earlier(turn, earlier) => match state.chosen(earlier) {
                Some(chosen) => Next::SetChoice(turn, chosen),
                None if earlier > 0 => Next::Earlier(turn, earlier - 1),
                None => Next::SetBlank(turn),
            },
            Next::SetBlank(turn) => {
                state.manifests[turn] = Some(Vec::new());
                if turn == 0 { Next::Wait(0) } else { Next::SetChoice(turn, turn) }
            }
            Next::SetChoice(turn, chosen) => {
                state.choices[turn] = Some(chosen);
                Next::Wait(turn)
            }
            Next::Wait(turn) => state.chosen(turn).map_or(Next::Wait(turn), |chosen| Next::Contested(turn, chosen)),
            Next::Contested(turn, chosen) => match (state.claims[turn + 1], chosen) {
                (0, 0) => Next::Read(0),
                (0, _) => Next::SetElsewhere(chosen),
                _ => Next::Claim(turn + 1),
            },
            Next::SetElsewhere(chosen) => {
                state.elsewhere = Some(chosen);
                Next::Read(chosen)
            }
            Next::Read(turn) => Next::Swap(turn, state.manifests[turn].clone()),
            Next::Swap(turn, seen) => {
                let blind = self.upserts && seen.is_none();
                if !blind && state.manifests[turn] != seen {
                    return Next::Newest;
                }
                let mut commits = seen.unwrap_or_default();
                commits.push(who as u8);
                state.manifests[turn] = Some(commits);
                Next::Acknowledged
            }
            Next::Newest if self.protocol == Protocol::Blank && !is_begun(&state.manifests[0]) => Next::NewestElsewhere,
            Next::Newest => after(&state.manifests[0]),
            Next::NewestElsewhere => state.elsewhere.map_or(Next::Begin, Next::NewestAt),
            Next::NewestAt(turn) => after(&state.manifests[turn]),
            over @ (Next::Acknowledged | Next::Failed | Next::Dead(_)) => over,
        }
    }
}

impl Model for Kv {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            manifests: Default::default(),
            claims: Default::default(),
            choices: Default::default(),
            elsewhere: None,
            writers: vec![Next::Begin; self.writers],
            owners: Default::default(),
            crashes: self.crashes,
            losses: self.losses,
            haste: self.haste,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (who, next) in state.writers.iter().enumerate() {
            if let Next::Dead(Some(_)) = next {
                actions.push(Action::Late(who));
            }
            if is_over(next) {
                continue;
            }
            match next {
                Next::Wait(turn) if state.chosen(*turn).is_none() => {
                    if state.haste > 0 || state.is_abandoned(*turn) {
                        actions.push(Action::GiveUp(who));
                    }
                }
                _ => actions.push(Action::Step(who)),
            }
            if state.crashes > 0 {
                actions.push(Action::Crash(who));
            }
            if state.losses > 0 && writes(next) {
                actions.push(Action::Lose(who));
            }
            let happens = matches!(next, Next::Swap(turn, seen) if state.manifests[*turn] == *seen);
            if state.losses > 0 && happens {
                actions.push(Action::Deny(who));
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Step(who) => {
                let next = state.writers[who].clone();
                state.writers[who] = self.run(&mut state, who, next);
            }
            Action::GiveUp(who) => {
                let Next::Wait(turn) = state.writers[who] else { return None };
                if !state.is_abandoned(turn) {
                    state.haste -= 1;
                }
                state.writers[who] = Next::Claim(turn + 1);
            }
            Action::Lose(who) => {
                let next = state.writers[who].clone();
                self.run(&mut state, who, next);
                state.losses -= 1;
                state.writers[who] = Next::Failed;
            }
            Action::Deny(who) => {
                let next = state.writers[who].clone();
                self.run(&mut state, who, next);
                state.losses -= 1;
                state.writers[who] = Next::Newest;
            }
            Action::Crash(who) => {
                let next = state.writers[who].clone();
                state.crashes -= 1;
                state.writers[who] = Next::Dead(writes(&next).then(|| Box::new(next)));
            }
            Action::Late(who) => {
                let Next::Dead(Some(next)) = state.writers[who].clone() else { return None };
                self.run(&mut state, who, *next);
                state.writers[who] = Next::Dead(None);
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("no acknowledged write is lost", |_, state: &State| {
                let held = |who: usize| state.seen().as_ref().is_some_and(|commits| commits.contains(&(who as u8)));
                (0..state.writers.len()).all(|who| state.writers[who] != Next::Acknowledged || held(who))
            }),
            Property::always("one manifest is committed to, and holds each commit once", |_, state: &State| {
                let begun: Vec<&Manifest> = state.manifests.iter().filter(|manifest| is_begun(manifest)).collect();
                let once = |commits: &Vec<u8>| (1..commits.len()).all(|at| !commits[..at].contains(&commits[at]));
                begun.len() <= 1 && begun.iter().all(|manifest| manifest.as_ref().is_some_and(once))
            }),
            Property::sometimes("all writers are acknowledged", |_, state: &State| {
                state.writers.iter().all(|next| *next == Next::Acknowledged)
            }),
            Property::sometimes("a manifest of another turn counts", |model: &Self, state: &State| {
                model.protocol == Protocol::SwapFromNothing
                    || state.elsewhere.is_some_and(|turn| is_begun(&state.manifests[turn]))
            }),
            Property::eventually("every writer that lives is answered", |_, state: &State| {
                state.writers.iter().all(is_over)
            }),
        ]
    }
}
