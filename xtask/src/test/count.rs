//! How many tests passed and failed, read from what cargo and Node print.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::run::{self, Outcome};

/// Tests that passed and tests that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
}

impl Tally {
    pub(crate) const FAILURE: Self = Self { passed: 0, failed: 1 };

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

/// Runs tests, passes their output on, and counts.
pub(crate) fn tests(command: &mut Command, limit: Duration, parse: fn(&mut Tally, &str)) -> Result<Tally> {
    let mut tally = Tally::default();
    let outcome = run::watch(command, limit, &mut |line| {
        println!("{line}");
        parse(&mut tally, line);
    })?;
    judge(tally, run::success(command, &outcome, limit), matches!(outcome, Outcome::TimedOut))
}

/// A run that found no test, that broke without a failed test, or that was stopped has failed, whatever it counted.
fn judge(mut tally: Tally, outcome: Result<()>, stopped: bool) -> Result<Tally> {
    if let Err(error) = outcome {
        println!("error: {error:#}");
        if tally.failed == 0 || stopped {
            tally.failed += 1;
        }
    } else if tally == Tally::default() {
        println!("error: no test was found");
        tally.failed = 1;
    }
    Ok(tally)
}

/// `test result: ok. 3 passed; 1 failed; …`, once for each test executable.
pub(crate) fn cargo(tally: &mut Tally, line: &str) {
    let Some((_, counts)) = line.split_once("test result: ") else {
        return;
    };
    let number_before = |word: &str| {
        let (before, _) = counts.split_once(word)?;
        before.trim_end().rsplit([' ', ';', '.']).next()?.parse().ok()
    };
    if let (Some(passed), Some(failed)) = (number_before(" passed"), number_before(" failed")) {
        *tally = tally.plus(Tally { passed, failed });
    }
}

/// The summary that ends Node's report: `ℹ pass 3`, `ℹ fail 1`, `ℹ cancelled 0`. What a test prints comes
/// before it, and the last word counts: `ℹ tests` opens the summary and starts the count anew.
pub(crate) fn node(tally: &mut Tally, line: &str) {
    let mut words = line.split_whitespace();
    let (Some("ℹ"), Some(kind), Some(number), None) = (words.next(), words.next(), words.next(), words.next()) else {
        return;
    };
    let Ok(number) = number.parse::<u32>() else {
        return;
    };
    match kind {
        "tests" => *tally = Tally::default(),
        "pass" => tally.passed = number,
        "fail" | "cancelled" => tally.failed += number,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(parse: fn(&mut Tally, &str), text: &str) -> (u32, u32) {
        let mut tally = Tally::default();
        text.lines().for_each(|line| parse(&mut tally, line));
        (tally.passed, tally.failed)
    }

    #[test]
    fn cargo_results_are_summed() {
        let text = "running 2 tests\ntest a ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.1s\n\
                    test result: FAILED. 10 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(count(cargo, text), (12, 3));
    }

    #[test]
    fn the_last_node_summary_counts() {
        let text = "ℹ pass 99\n✔ a (1ms)\nℹ tests 4\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n\
                    ℹ duration_ms 4.5\n";
        assert_eq!(count(node, text), (2, 2));
    }

    #[test]
    fn silence_and_breakage_are_failures() {
        let counted = Tally { passed: 3, failed: 0 };
        let broken = || Err(anyhow::anyhow!("broken"));
        assert_eq!(judge(Tally::default(), Ok(()), false).unwrap(), Tally::FAILURE);
        assert_eq!(judge(counted, Ok(()), false).unwrap(), counted);
        assert_eq!(judge(counted, broken(), false).unwrap(), Tally { passed: 3, failed: 1 });
        let one_failed = Tally { passed: 3, failed: 1 };
        assert_eq!(judge(one_failed, broken(), false).unwrap(), one_failed);
        assert_eq!(judge(one_failed, broken(), true).unwrap(), Tally { passed: 3, failed: 2 });
    }
}
