//! Fuzzing in one process, on stable Rust: each input follows from a target and a number alone, mutated from real seeds, and
//! is held to a property, not only to "no panic".
//!
//! `cargo xtask fuzz --inputs N [--target NAME]` runs more of them; a failure names the command that repeats it.

#![allow(
    clippy::disallowed_methods,
    reason = "seeds are files, and how many inputs there are is said by the environment"
)]

mod calls;
mod dice;
mod search;
mod stored;
mod texts;

#[path = "../shared/mutate.rs"]
mod mutate;

use dice::Dice;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So many in every test run, over all targets.
const INPUTS: u64 = 30_000;

/// Something that reads what others wrote.
struct Target {
    name: &'static str,
    /// How many of a thousand inputs it gets: the slow ones fewer.
    share: u64,
    /// Makes one input of the dice and checks it. Panics where a property does not hold.
    run: fn(&mut Dice),
}

const TARGETS: [Target; 14] = [
    Target { name: "frames", share: 220, run: stored::frames },
    Target { name: "values", share: 200, run: stored::values },
    Target { name: "pages", share: 120, run: stored::pages },
    Target { name: "keys", share: 180, run: stored::keys },
    Target { name: "json", share: 100, run: texts::json },
    Target { name: "paths", share: 116, run: texts::paths },
    Target { name: "markdown", share: 8, run: texts::markdown },
    Target { name: "merge", share: 5, run: texts::merging },
    Target { name: "text", share: 2, run: texts::text },
    Target { name: "segments", share: 20, run: search::segments },
    Target { name: "index", share: 10, run: search::index },
    Target { name: "formula", share: 10, run: search::formula },
    Target { name: "calls", share: 6, run: calls::verbs },
    Target { name: "export", share: 3, run: calls::export },
];

fn told(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("it is a number"))
}

/// Runs inputs of a target; the first that fails, with what went wrong.
fn fuzz(target: &Target, inputs: std::ops::Range<u64>) -> Result<(), String> {
    for input in inputs {
        let mut dice = Dice::new(target.name, input);
        catch_unwind(AssertUnwindSafe(|| (target.run)(&mut dice))).map_err(|problem| {
            let said = problem.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| problem.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
            let name = target.name;
            format!("{name} fails; repeat it with: cargo xtask fuzz --target {name} --input {input}\n{said}")
        })?;
    }
    Ok(())
}

#[test]
fn f40_s12_whatever_is_read_is_refused_or_means_the_same() {
    let only = std::env::var("KEEPSAKE_FUZZ_TARGET").ok();
    let chosen: Vec<&Target> =
        TARGETS.iter().filter(|target| only.as_deref().is_none_or(|name| name == target.name)).collect();
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert!(!chosen.is_empty(), "the targets are {}", names.join(", "));
    let shares: u64 = chosen.iter().map(|target| target.share).sum();
    let all = told("KEEPSAKE_FUZZ").unwrap_or(INPUTS);
    let from = told("KEEPSAKE_FUZZ_FROM").unwrap_or(0);
    let mut failures = Vec::new();
    // Panics are caught and told once.
    std::panic::set_hook(Box::new(|_| {}));
    for target in chosen {
        let inputs = match told("KEEPSAKE_FUZZ_INPUT") {
            Some(input) => input..input + 1,
            None => from..from + (all * target.share).div_ceil(shares),
        };
        let count = inputs.end - inputs.start;
        match fuzz(target, inputs) {
            Ok(()) => println!("{}: {count} inputs", target.name),
            Err(problem) => failures.push(problem),
        }
    }
    let _ = std::panic::take_hook();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn an_input_follows_from_its_number_alone() {
    for target in &TARGETS {
        let bytes = |input| Dice::new(target.name, input).bytes(64);
        assert_eq!(bytes(7), bytes(7));
        assert_ne!(bytes(7), bytes(8));
    }
    assert_ne!(Dice::new("frames", 0).bytes(64), Dice::new("values", 0).bytes(64));
}

#[test]
fn a_property_that_does_not_hold_is_told_with_its_input() {
    let never = Target { name: "never", share: 1, run: |dice| assert!(dice.below(3) != 0, "found") };
    std::panic::set_hook(Box::new(|_| {}));
    let found = fuzz(&never, 0..1000).unwrap_err();
    let _ = std::panic::take_hook();
    assert!(found.contains("cargo xtask fuzz --target never --input ") && found.ends_with("found"), "{found}");
}
