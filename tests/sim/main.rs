//! Deterministic simulation: several programs on one disk, with clock, chance, scheduler and storage under control, and a
//! plain model beside them. A seed is a run; one that fails is made small and printed.
//!
//! `cargo xtask sim --seeds 100000` runs more of them, `cargo xtask sim --seed 7` one.

#![allow(clippy::disallowed_methods, reason = "how many seeds there are is said by the environment")]

mod calls;
mod chains;
mod chance;
mod coverage;
mod former;
mod mishaps;
mod model;
mod plan;
mod reading;
mod run;
mod shrink;
mod task;
mod torn;
mod verbs;
mod world;

use plan::{Mishap, Plan, Wrong};
use run::{Figures, run};
use shrink::{attempt, shrink};
use world::Flaw;

/// So many in every test run: they take half a minute.
const SEEDS: u64 = 500;

/// Whose programs end at each of their steps in turn.
const CRASHED: [u64; 1] = [3];

fn told(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("it is a number"))
}

/// F9 F17 F20 F39.
#[test]
fn nothing_is_lost_whatever_happens() {
    let seeds = match told("KEEPSAKE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..told("KEEPSAKE_SEEDS").unwrap_or(SEEDS),
    };
    let mut all = Figures::default();
    // Panics are caught and told once.
    std::panic::set_hook(Box::new(|_| {}));
    for seed in seeds.clone() {
        let plan = Plan::random(seed);
        match attempt(&plan, seed, None) {
            Ok(figures) => {
                all.steps += figures.steps;
                all.calls += figures.calls;
                all.crashes += figures.crashes;
                all.lost += figures.lost;
            }
            Err(why) => {
                let (plan, order, why) = shrink(&plan, seed, why);
                let _ = std::panic::take_hook();
                panic!("seed {seed} fails; the smallest plan that does (in the order of {order}):\n{plan}{why}");
            }
        }
    }
    let _ = std::panic::take_hook();
    println!(
        "{} seeds: {} calls answered, {} lost in {} crashes, {} steps",
        seeds.end - seeds.start,
        all.calls,
        all.lost,
        all.crashes,
        all.steps
    );
}

#[test]
fn a_seed_is_a_run() {
    let figures = |seed: u64| format!("{:?}", run(&Plan::random(seed), seed, None));
    assert!((0..20).all(|seed| Plan::random(seed) == Plan::random(seed) && figures(seed) == figures(seed)));
}

/// F17.
#[test]
fn a_program_may_end_at_every_step() {
    for seed in CRASHED {
        let plan = Plan { mishaps: Vec::new(), ..Plan::random(seed) };
        let steps = run(&plan, seed, None).expect("it is one of the seeds that pass").steps;
        for at in 0..steps {
            let program = at % plan.calls.len();
            let mishaps = vec![Mishap { at, what: Wrong::Crash { program } }];
            let done = attempt(&Plan { mishaps, ..plan.clone() }, seed, None);
            assert!(done.is_ok(), "seed {seed}, program {program} ends after {at} steps: {done:?}\n{plan}");
        }
    }
}

#[test]
fn a_storage_that_breaks_its_promise_is_found_out() {
    std::panic::set_hook(Box::new(|_| {}));
    let flaws = [Flaw::IgnoresGuard, Flaw::Forgets, Flaw::Halves];
    let found = flaws.map(|flaw| (0..60).any(|seed| attempt(&Plan::random(seed), seed, Some(flaw)).is_err()));
    let _ = std::panic::take_hook();
    assert_eq!(found, [true; 3], "{flaws:?}");
}
