//! The manifest of a key-value store: the model has no run that loses a write, that of the protocol before it has one, and the
//! code does what the model says, operation by operation.

mod gate;

use gate::{Answer, Replay, Swap, below, commits};
use keepsake_models::bound;
use keepsake_models::kv::{Action, Kv, Next, Protocol, State, TURNS};
use keepsake_service::kv::Native;
use stateright::{Checker, Model};
use std::collections::BTreeSet;

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

fn act(code: &mut Replay, action: &Action) {
    match *action {
        Action::Step(who) => code.step(who, None),
        Action::GiveUp(who) => code.give_up(who),
        Action::Lose(who) => code.step(who, Some(Answer::Lost)),
        Action::Deny(who) => code.step(who, Some(Answer::Swapped(Swap::No))),
        Action::Crash(who) => code.crash(who),
        Action::Late(who) => code.late(who),
    }
}

/// The bucket is as the model says, and so is each writer.
fn check(code: &Replay, state: &State, trace: &[Action]) {
    for turn in 0..TURNS {
        let manifest = code.values.get(&manifest_key(turn)).map(|bytes| commits(Some(bytes)));
        assert_eq!(manifest, state.manifests[turn], "{trace:?}");
        let claims = code.number(&format!("t.f.{turn}")).unwrap_or(0);
        assert_eq!(claims, u64::from(state.claims[turn]), "{trace:?}");
        let choice = code.number(&format!("t.g.{turn}"));
        assert_eq!(choice, state.choices[turn].map(|chosen| chosen as u64), "{trace:?}");
    }
    assert_eq!(code.number("t.e"), state.elsewhere.map(|turn| turn as u64), "{trace:?}");
    for (who, next) in state.writers.iter().enumerate() {
        let expected = match next {
            Next::Acknowledged => (Some(true), None),
            Next::Failed => (Some(false), None),
            Next::Dead(_) => (None, None),
            waits => (None, Some(operation(waits))),
        };
        assert_eq!(code.state(who), expected, "{who}: {trace:?}");
    }
}

fn manifest_key(turn: usize) -> String {
    if turn == 0 { "t.m".into() } else { format!("t.m.{turn}") }
}

fn choice_key(turn: usize) -> String {
    if turn == 0 { "t.m".into() } else { format!("t.g.{turn}") }
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
    let mut code = Replay::new::<Native>(model.writers, model.upserts);
    let mut trace = Vec::new();
    check(&code, &state, &trace);
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
        act(&mut code, &action);
        trace.push(action.clone());
        state = model.next_state(&state, action).expect("a next state");
        check(&code, &state, &trace);
    }
}

#[test]
fn the_code_does_what_the_model_says_in_random_runs() {
    let model = Kv { writers: 3, crashes: 2, losses: 2, haste: 2, ..model(Protocol::Blank, true) };
    let (mut seed, mut kinds, mut steps) = (7_u64, BTreeSet::new(), 0);
    let runs = 4_000 << bound().min(8);
    for _ in 0..runs {
        let choose = |actions: &[Action]| {
            let at = below(&mut seed, actions.len());
            // Faults are few and far between: otherwise they all come first.
            let is_fault = |at: usize| matches!(actions[at], Action::Crash(_) | Action::Lose(_));
            let at = if !actions.is_empty() && is_fault(at) && below(&mut seed, 4) > 0 {
                below(&mut seed, actions.len())
            } else {
                at
            };
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
