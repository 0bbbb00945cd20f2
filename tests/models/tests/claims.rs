//! The manifest of a store that can only count: the model has no run that loses a write, and the code does what the model says,
//! operation by operation.

mod gate;

use gate::{Answer, Replay, below, commits};
use keepsake_models::bound;
use keepsake_models::claims::{Action, Claims, Held, Next, State};
use keepsake_service::kv::Claims as Head;
use stateright::{Checker, Model};
use std::collections::BTreeSet;

#[test]
fn two_writers_one_of_whom_may_die_or_be_taken_for_dead_lose_nothing() {
    let model = Claims { writers: 2, crashes: 1, losses: 1, haste: 3 + bound() };
    let checker = model.checker().threads(2).spawn_bfs().join();
    println!("{} states", checker.unique_state_count());
    checker.assert_properties();
}

#[test]
fn three_writers_lose_nothing() {
    let model = Claims { writers: 3, crashes: bound().min(1), losses: 0, haste: bound() / 2 };
    let checker = model.checker().threads(2).spawn_bfs().join();
    println!("{} states", checker.unique_state_count());
    checker.assert_properties();
}

fn act(code: &mut Replay, action: &Action) {
    match *action {
        Action::Step(who) => code.step(who, None),
        Action::GiveUp(who) => code.give_up(who),
        Action::Lose(who) => code.step(who, Some(Answer::Lost)),
        Action::Crash(who) => code.crash(who),
        Action::Late(who) => code.late(who),
    }
}

/// What a turn of a slot holds: a mark, the number of the slot that it was planned on, the length of the value and the value.
fn held(bytes: &[u8]) -> Held {
    let [_, _, _, base, length, rest @ ..] = bytes else { return None };
    (bytes != b"void").then(|| (*base, commits(Some(&rest[..usize::from(*length)]))))
}

/// The bucket is as the model says, and so is each writer.
fn check(code: &Replay, state: &State, trace: &[Action]) {
    assert_eq!(code.number("t.c").unwrap_or(0), u64::from(state.drawn), "{trace:?}");
    let hint = code.values.get("t.h").map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(hint, state.hint.map(|(counts, looked)| format!("{counts} {looked}")), "{trace:?}");
    for (at, slot) in state.slots.iter().enumerate() {
        for turn in 0..4 {
            let written = code.values.get(&format!("t.p.{}.{turn}", at + 1)).map(|bytes| held(bytes));
            assert_eq!(written, slot.turns.get(turn).cloned().flatten(), "{trace:?}");
            let claims = code.number(&format!("t.s.{}.{}", at + 1, turn + 1)).unwrap_or(0);
            assert_eq!(claims, slot.claims.get(turn).copied().map_or(0, u64::from), "{trace:?}");
        }
    }
    for (who, writer) in state.writers.iter().enumerate() {
        let expected = match &writer.next {
            Next::Acknowledged => (Some(true), None),
            Next::Failed => (Some(false), None),
            Next::Dead(_) => (None, None),
            waits => (None, Some(operation(waits, writer.known()))),
        };
        assert_eq!(code.state(who), expected, "{who}: {trace:?}");
    }
}

/// The operation that the model means, of a writer that knows these slots: the last that counts, the one after the last that it
/// has looked at, and its own.
fn operation(next: &Next, (counts, after, mine): (u8, u8, u8)) -> String {
    match next {
        Next::Hint => "get t.h".into(),
        Next::Later(turn) => format!("get t.p.{counts}.{}", turn + 1),
        Next::Counting(turn) => format!("get t.p.{counts}.{turn}"),
        Next::Look => format!("get t.p.{after}.0"),
        Next::LookClaim(_) | Next::LookEmpty => format!("get t.s.{after}.1"),
        Next::Drawn | Next::Gone(..) => "add 0 t.c".into(),
        Next::Settle(slot, turn) => format!("get t.p.{slot}.{turn}"),
        Next::SettleClaim(slot, turn, _) => format!("get t.s.{slot}.{}", turn + 1),
        Next::Claim(slot, turn) => format!("add 1 t.s.{slot}.{turn}"),
        Next::Before(slot, _, at, _) => format!("get t.p.{slot}.{at}"),
        Next::SetTurn(slot, turn, _) => format!("set t.p.{slot}.{turn}"),
        Next::Draw => "add 1 t.c".into(),
        Next::SetSlot => format!("set t.p.{mine}.0"),
        Next::SetHint => "set t.h".into(),
        Next::Acknowledged | Next::Failed | Next::Dead(_) => "nothing".into(),
    }
}

#[test]
fn the_code_does_what_the_model_says_in_random_runs() {
    let model = Claims { writers: 3, crashes: 1, losses: 1, haste: 2 };
    let (mut seed, mut kinds, mut steps) = (7_u64, BTreeSet::new(), 0);
    let runs = 2_000 << bound().min(8);
    for _ in 0..runs {
        let mut state = model.init_states().remove(0);
        let mut code = Replay::new::<Head>(model.writers, false);
        let mut trace = Vec::new();
        loop {
            check(&code, &state, &trace);
            let mut actions = Vec::new();
            model.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            let mut at = below(&mut seed, actions.len());
            // Faults are few and far between: otherwise they all come first.
            if matches!(actions[at], Action::Crash(_) | Action::Lose(_)) && below(&mut seed, 8) > 0 {
                at = below(&mut seed, actions.len());
            }
            let action = actions.swap_remove(at);
            let (Action::Step(who) | Action::GiveUp(who) | Action::Lose(who) | Action::Crash(who) | Action::Late(who)) =
                action;
            let kind = |text: String| text.split('(').next().unwrap_or_default().to_owned();
            kinds.insert(format!("{} {}", kind(format!("{action:?}")), kind(format!("{:?}", state.writers[who].next))));
            act(&mut code, &action);
            trace.push(action.clone());
            state = model.next_state(&state, action).expect("a next state");
        }
        steps += trace.len();
    }
    println!("{runs} runs, {steps} steps; {kinds:?}");
    let all = "Hint Later Counting Look LookClaim Drawn LookEmpty Settle SettleClaim Claim Before Gone SetTurn Draw SetSlot SetHint";
    for what in all.split(' ').map(|what| format!("Step {what}")).chain(["Late Dead".into(), "GiveUp Settle".into()]) {
        assert!(kinds.contains(&what), "{what}: {kinds:?}");
    }
}
