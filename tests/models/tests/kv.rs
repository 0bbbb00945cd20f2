//! The manifest of a key-value store: the model has no run that loses a write, that of the protocol before it has one, and the
//! code does what the model says, operation by operation.

use keepsake_models::bound;
use keepsake_models::kv::{Action, Kv, Next, Protocol, State, TURNS};
use keepsake_service::kv::{Bucket, BucketError, Head, Native, Swapped};
use stateright::{Checker, Model};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

fn model(protocol: Protocol, upserts: bool) -> Kv {
    let more = bound();
    Kv { protocol, upserts, writers: 3, crashes: 1 + more, losses: 1, haste: 1 + more.min(2) }
}

#[test]
fn a_swap_from_nothing_loses_a_write_where_the_store_upserts() {
    // No fault is needed.
    let sound = Kv { crashes: 0, losses: 0, haste: 0, ..model(Protocol::SwapFromNothing, true) };
    let checker = sound.clone().checker().spawn_bfs().join();
    let trace = checker.discovery("no acknowledged write is lost").expect("a run that loses a write");
    println!("{} states; {:?}", checker.unique_state_count(), trace.clone().into_actions());
    // Two writers read nothing, and both swap.
    assert!(trace.into_actions().iter().all(|action| matches!(action, Action::Step(_))));
    // A store that compares is not to blame.
    let checker = Kv { upserts: false, ..sound }.checker().spawn_bfs().join();
    assert!(checker.discovery("no acknowledged write is lost").is_none());
}

#[test]
fn a_blank_loses_nothing_and_everybody_who_lives_is_answered() {
    let checker = model(Protocol::Blank, true).checker().threads(2).spawn_bfs().join();
    println!("{} states", checker.unique_state_count());
    checker.assert_properties();
}

/// An operation of the bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Op {
    Cas(String),
    Set(String, Vec<u8>),
    Add(String, u64),
    Swap(String, Option<Vec<u8>>, Vec<u8>),
    Get(String),
    Pause,
}

/// What a bucket answers; an error if that got lost.
#[derive(Clone, Debug)]
enum Answer {
    Value(Option<Vec<u8>>),
    Count(u64),
    Swapped(Swapped2),
    Nothing,
    Lost,
}

#[derive(Clone, Copy, Debug)]
enum Swapped2 {
    Yes,
    No,
}

/// One writer's handle: it says what it wants, and waits until it is answered.
#[derive(Clone, Default)]
struct Gate {
    wants: Rc<RefCell<Option<Op>>>,
    answer: Rc<RefCell<Option<Answer>>>,
}

impl Gate {
    async fn ask(&self, op: Op) -> Result<Answer, BucketError> {
        *self.wants.borrow_mut() = Some(op);
        let answer = std::future::poll_fn(|_| match self.answer.borrow_mut().take() {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        })
        .await;
        if let Answer::Lost = answer { Err(BucketError("lost".into())) } else { Ok(answer) }
    }

    async fn value(&self, op: Op) -> Result<Option<Vec<u8>>, BucketError> {
        match self.ask(op).await? {
            Answer::Value(value) => Ok(value),
            other => panic!("{other:?}"),
        }
    }
}

impl Bucket for Gate {
    type Cas = (String, Option<Vec<u8>>);

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError> {
        let mut found = Vec::new();
        for key in keys {
            found.push(self.value(Op::Get(key.clone())).await?);
        }
        Ok(found)
    }

    async fn set(&self, items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError> {
        for (key, value) in items {
            self.ask(Op::Set(key, value)).await?;
        }
        Ok(())
    }

    async fn delete(&self, keys: &[String]) -> Result<(), BucketError> {
        panic!("{keys:?}");
    }

    async fn keys(&self) -> Result<Vec<String>, BucketError> {
        panic!("no protocol needs all keys");
    }

    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError> {
        match self.ask(Op::Add(key.to_owned(), by)).await? {
            Answer::Count(count) => Ok(count),
            other => panic!("{other:?}"),
        }
    }

    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError> {
        let value = self.value(Op::Cas(key.to_owned())).await?;
        Ok(((key.to_owned(), value.clone()), value))
    }

    async fn swap(&self, (key, seen): Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError> {
        match self.ask(Op::Swap(key, seen, value)).await? {
            Answer::Swapped(Swapped2::Yes) => Ok(Swapped::Yes),
            Answer::Swapped(Swapped2::No) => Ok(Swapped::No),
            other => panic!("{other:?}"),
        }
    }

    async fn pause(&self, _: u32) {
        drop(self.ask(Op::Pause).await);
    }

    fn now(&self) -> u64 {
        0
    }

    fn chance(&self) -> [u8; 16] {
        [0; 16]
    }
}

/// The commits that a manifest holds; none in a blank.
fn commits(manifest: Option<&[u8]>) -> Vec<u8> {
    manifest.and_then(|bytes| bytes.strip_prefix(b"commits")).map(<[u8]>::to_vec).unwrap_or_default()
}

/// A commit of the code's own head.
async fn commit(bucket: Gate, who: u8) -> Result<(), BucketError> {
    let head = <Native as Head<Gate>>::new("t");
    loop {
        let (seen, found) = head.begin(&bucket).await?;
        let next = [b"commits", commits(found.as_deref()).as_slice(), &[who]].concat();
        if head.swap(&bucket, seen, next).await? == Swapped::Yes {
            return Ok(());
        }
        if commits(head.newest(&bucket).await?.as_deref()).contains(&who) {
            return Ok(());
        }
    }
}

struct Writer {
    gate: Gate,
    work: Option<Pin<Box<dyn Future<Output = Result<(), BucketError>>>>>,
    told: Option<Result<(), BucketError>>,
    /// What it had sent when it died.
    sent: Option<Op>,
}

/// The code on a bucket.
struct Replay {
    upserts: bool,
    values: BTreeMap<String, Vec<u8>>,
    writers: Vec<Writer>,
}

impl Replay {
    fn new(model: &Kv) -> Self {
        let writer = |who: usize| {
            let gate = Gate::default();
            let work = Some(Box::pin(commit(gate.clone(), who as u8)) as Pin<Box<dyn Future<Output = _>>>);
            Writer { gate, work, told: None, sent: None }
        };
        let mut replay =
            Self { upserts: model.upserts, values: BTreeMap::new(), writers: (0..model.writers).map(writer).collect() };
        (0..model.writers).for_each(|who| replay.go_on(who));
        replay
    }

    /// Lets a writer go on to its next operation, or to its end.
    fn go_on(&mut self, who: usize) {
        let writer = &mut self.writers[who];
        let Some(work) = &mut writer.work else { return };
        if let Poll::Ready(told) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            (writer.work, writer.told) = (None, Some(told));
        }
    }

    fn run(&mut self, op: Op) -> Answer {
        match op {
            Op::Cas(key) | Op::Get(key) => Answer::Value(self.values.get(&key).cloned()),
            Op::Set(key, value) => {
                self.values.insert(key, value);
                Answer::Nothing
            }
            Op::Add(key, by) => {
                let count = self.number(&key).unwrap_or(0) + by;
                self.values.insert(key, count.to_string().into_bytes());
                Answer::Count(count)
            }
            Op::Swap(key, seen, value) => {
                let blind = self.upserts && seen.is_none();
                if !blind && self.values.get(&key) != seen.as_ref() {
                    return Answer::Swapped(Swapped2::No);
                }
                self.values.insert(key, value);
                Answer::Swapped(Swapped2::Yes)
            }
            Op::Pause => Answer::Nothing,
        }
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.values.get(key).and_then(|bytes| std::str::from_utf8(bytes).ok()?.parse().ok())
    }

    fn wanted(&self, who: usize) -> Option<Op> {
        self.writers[who].work.as_ref().and(self.writers[who].gate.wants.borrow().clone())
    }

    /// A writer's operation happens; it is answered so, or as it was.
    fn step(&mut self, who: usize, instead: Option<Answer>) {
        let op = self.wanted(who).expect("a writer that waits");
        let answer = self.run(op);
        *self.writers[who].gate.answer.borrow_mut() = Some(instead.unwrap_or(answer));
        self.go_on(who);
    }

    fn act(&mut self, action: &Action) {
        match *action {
            Action::Step(who) => self.step(who, None),
            Action::GiveUp(who) => {
                while let Some(Op::Cas(_) | Op::Pause) = self.wanted(who) {
                    self.step(who, None);
                }
            }
            Action::Lose(who) => self.step(who, Some(Answer::Lost)),
            Action::Deny(who) => self.step(who, Some(Answer::Swapped(Swapped2::No))),
            Action::Crash(who) => {
                self.writers[who].sent = self.wanted(who);
                self.writers[who].work = None;
            }
            Action::Late(who) => {
                let sent = self.writers[who].sent.take().expect("what a dead writer had sent");
                drop(self.run(sent));
            }
        }
    }

    /// The bucket as the model writes it, and each writer as the model says.
    fn check(&self, state: &State, trace: &[Action]) {
        for turn in 0..TURNS {
            let manifest = self.values.get(&manifest_key(turn)).map(|bytes| commits(Some(bytes)));
            assert_eq!(manifest, state.manifests[turn], "{trace:?}");
            let claims = self.number(&format!("t.f.{turn}")).unwrap_or(0);
            assert_eq!(claims, u64::from(state.claims[turn]), "{trace:?}");
            let choice = self.number(&format!("t.g.{turn}"));
            assert_eq!(choice, state.choices[turn].map(|chosen| chosen as u64), "{trace:?}");
        }
        assert_eq!(self.number("t.e"), state.elsewhere.map(|turn| turn as u64), "{trace:?}");
        for (writer, next) in self.writers.iter().zip(&state.writers) {
            let told = writer.told.as_ref().map(Result::is_ok);
            match next {
                Next::Acknowledged => assert_eq!(told, Some(true), "{trace:?}"),
                Next::Failed => assert_eq!(told, Some(false), "{trace:?}"),
                Next::Dead(_) => assert_eq!(told, None, "{trace:?}"),
                waits => {
                    assert_eq!(told, None, "{trace:?}");
                    let wants = writer.gate.wants.borrow();
                    assert_eq!(wants.as_ref().map(named).as_deref(), Some(&*operation(waits)), "{trace:?}");
                }
            }
        }
    }
}

fn manifest_key(turn: usize) -> String {
    if turn == 0 { "t.m".into() } else { format!("t.m.{turn}") }
}

fn choice_key(turn: usize) -> String {
    if turn == 0 { "t.m".into() } else { format!("t.g.{turn}") }
}

/// An operation and its key.
fn named(op: &Op) -> String {
    match op {
        Op::Cas(key) => format!("cas {key}"),
        Op::Set(key, _) => format!("set {key}"),
        Op::Add(key, by) => format!("add {by} {key}"),
        Op::Swap(key, ..) => format!("swap {key}"),
        Op::Get(key) => format!("get {key}"),
        Op::Pause => "pause".into(),
    }
}

/// The operation that the model means.
fn operation(next: &Next) -> String {
    match next {
        Next::Begin | Next::Newest => "cas t.m".into(),
        Next::Elsewhere | Next::NewestElsewhere => "cas t.e".into(),
        Next::Claim(turn) => format!("add 1 t.f.{turn}"),
        Next::Earlier(_, turn) | Next::Wait(turn) => format!("cas {}", choice_key(*turn)),
        Next::SetBlank(turn) => format!("set {}", manifest_key(*turn)),
        Next::SetChoice(turn, _) => format!("set t.g.{turn}"),
        Next::Contested(turn, _) => format!("add 0 t.f.{}", turn + 1),
        Next::SetElsewhere(_) => "set t.e".into(),
        Next::Read(turn) | Next::NewestAt(turn) => format!("cas {}", manifest_key(*turn)),
        Next::Swap(turn, _) => format!("swap {}", manifest_key(*turn)),
        Next::Acknowledged | Next::Failed | Next::Dead(_) => "nothing".into(),
    }
}

/// Replays a run of the model on the code, and compares after each step. Answers what happened in it.
fn replay(model: &Kv, mut choose: impl FnMut(&[Action]) -> Option<usize>, kinds: &mut BTreeSet<String>) -> usize {
    let mut state = model.init_states().remove(0);
    let mut code = Replay::new(model);
    let mut trace = Vec::new();
    code.check(&state, &trace);
    loop {
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        let Some(action) = choose(&actions).map(|at| actions.swap_remove(at)) else { return trace.len() };
        let (Action::Step(who)
        | Action::GiveUp(who)
        | Action::Lose(who)
        | Action::Deny(who)
        | Action::Crash(who)
        | Action::Late(who)) = action;
        let kind = |text: String| text.split('(').next().unwrap_or_default().to_owned();
        kinds.insert(format!("{} {}", kind(format!("{action:?}")), kind(format!("{:?}", state.writers[who]))));
        code.act(&action);
        trace.push(action.clone());
        state = model.next_state(&state, action).expect("a next state");
        code.check(&state, &trace);
    }
}

#[test]
fn the_code_does_what_the_model_says_in_random_runs() {
    let model = Kv { writers: 3, crashes: 2, losses: 2, haste: 2, ..model(Protocol::Blank, true) };
    let (mut seed, mut kinds, mut steps) = (7_u64, BTreeSet::new(), 0);
    let runs = 4_000 << bound().min(8);
    for _ in 0..runs {
        let mut below = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % most.max(1)
        };
        let choose = |actions: &[Action]| {
            let at = below(actions.len());
            // Faults are few and far between: otherwise they all come first.
            let is_fault = |at: usize| matches!(actions[at], Action::Crash(_) | Action::Lose(_));
            let at = if !actions.is_empty() && is_fault(at) && below(4) > 0 { below(actions.len()) } else { at };
            (!actions.is_empty()).then_some(at)
        };
        steps += replay(&model, choose, &mut kinds);
    }
    println!("{runs} runs, {steps} steps; {} kinds of steps", kinds.len());
    // Every operation happened, and each that writes was sent by one who died.
    let reads = ["Begin", "Elsewhere", "Earlier", "Wait", "Contested", "Read", "Newest", "NewestElsewhere", "NewestAt"];
    let writes = ["Claim", "SetBlank", "SetChoice", "SetElsewhere", "Swap"];
    let faults = ["Late Dead", "GiveUp Wait", "Deny Swap", "Lose Swap", "Lose Claim", "Lose SetBlank"];
    let steps = reads.iter().chain(&writes).map(|what| format!("Step {what}"));
    let crashes = writes.iter().map(|what| format!("Crash {what}"));
    for what in steps.chain(crashes).chain(faults.map(String::from)) {
        assert!(kinds.contains(&what), "{what}: {kinds:?}");
    }
}

#[test]
fn the_code_does_what_the_model_says_in_every_run_up_to_a_depth() {
    let model = Kv { writers: 2, crashes: 1, losses: 1, haste: 1, ..model(Protocol::Blank, true) };
    let depth = 9 + usize::from(bound());
    // Each run is a number in a system whose digits are choices: the next run counts the last digit up.
    let (mut digits, mut runs): (Vec<(usize, usize)>, usize) = (Vec::new(), 0);
    loop {
        let mut at = 0;
        let choose = |actions: &[Action]| {
            let most = actions.len();
            if at == depth || most == 0 {
                return None;
            }
            if at == digits.len() {
                digits.push((0, most));
            }
            at += 1;
            Some(digits[at - 1].0)
        };
        replay(&model, choose, &mut BTreeSet::new());
        runs += 1;
        while digits.last().is_some_and(|(digit, most)| digit + 1 == *most) {
            digits.pop();
        }
        let Some((digit, _)) = digits.last_mut() else { break };
        *digit += 1;
    }
    println!("{runs} runs of {depth} steps");
    assert!(runs > 1_000);
}
