//! Counts passed and failed tests in the output of cargo and Node.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::run::{self, Outcome};

/// The numbers of passed and failed tests, and the output about failures.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) failures: Vec<String>,
}

impl Tally {
    pub(crate) fn passed(passed: u32) -> Self {
        Self { passed, ..Self::default() }
    }

    pub(crate) fn failure(reason: &str) -> Self {
        Self { passed: 0, failed: 1, failures: vec![reason.to_owned()] }
    }
}

/// Runs tests, passes their output on, and counts.
pub(crate) fn tests(command: &mut Command, limit: Duration, parse: fn(&mut Tally, &str)) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut about_failures = false;
    let outcome = run::watch(command, limit, &mut |line| {
        println!("{line}");
        parse(&mut tally, line);
        // Cargo's list of failures ends with its count; Node's is at the end of its report.
        about_failures = (about_failures || is_list_of_failures(line)) && !line.starts_with("test result: ");
        if about_failures {
            tally.failures.push(line.to_owned());
        }
    })?;
    Ok(judge(tally, run::success(command, &outcome, limit), matches!(outcome, Outcome::TimedOut)))
}

fn is_list_of_failures(line: &str) -> bool {
    matches!(line.trim(), "failures:" | "✖ failing tests:")
}

/// A run without tests, one that broke without a failed test, and one that was stopped have failed, whatever the
/// counts.
fn judge(mut tally: Tally, outcome: Result<()>, stopped: bool) -> Tally {
    let reason = match outcome {
        Err(error) => format!("error: {error:#}"),
        Ok(()) if tally.passed + tally.failed == 0 => "error: no test was found".to_owned(),
        Ok(()) => return tally,
    };
    println!("{reason}");
    tally.failures.push(reason);
    if tally.failed == 0 || stopped {
        tally.failed += 1;
    }
    tally
}

/// `test result: ok. 3 passed; 1 failed; …`, once per test executable.
pub(crate) fn cargo(tally: &mut Tally, line: &str) {
    let Some((_, counts)) = line.split_once("test result: ") else {
        return;
    };
    let number_before = |word: &str| {
        let (before, _) = counts.split_once(word)?;
        before.trim_end().rsplit([' ', ';', '.']).next()?.parse().ok()
    };
    if let (Some(passed), Some(failed)) = (number_before(" passed"), number_before(" failed")) {
        let (passed, failed): (u32, u32) = (passed, failed);
        tally.passed += passed;
        tally.failed += failed;
    }
}

/// The summary at the end of Node's report: `ℹ pass 3`, `ℹ fail 1`, `ℹ cancelled 0`. Tests may print the same before
/// it, so the last one counts: `ℹ tests` opens the summary and resets the counts.
pub(crate) fn node(tally: &mut Tally, line: &str) {
    let mut words = line.split_whitespace();
    let (Some("ℹ"), Some(kind), Some(number), None) = (words.next(), words.next(), words.next(), words.next()) else {
        return;
    };
    let Ok(number) = number.parse::<u32>() else {
        return;
    };
    match kind {
        "tests" => (tally.passed, tally.failed) = (0, 0),
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
        let judged = |passed, failed, broken: bool, stopped| {
            let outcome = if broken { Err(anyhow::anyhow!("broken")) } else { Ok(()) };
            let tally = judge(Tally { passed, failed, failures: Vec::new() }, outcome, stopped);
            (tally.passed, tally.failed, tally.failures.len())
        };
        assert_eq!(judged(0, 0, false, false), (0, 1, 1));
        assert_eq!(judged(3, 0, false, false), (3, 0, 0));
        assert_eq!(judged(3, 0, true, false), (3, 1, 1));
        assert_eq!(judged(3, 1, true, false), (3, 1, 1));
        assert_eq!(judged(3, 1, true, true), (3, 2, 1));
    }

    #[test]
    fn the_lists_of_failures_are_kept() {
        let list = "✔ one (1ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.mjs:1:1\n✖ two (2ms)";
        let shell = |text: &str| run::command("printf", &["%s\n", text]);
        let node = tests(&mut shell(list), run::OTHER, node).unwrap();
        assert_eq!(node.failures, ["✖ failing tests:", "", "test at a.mjs:1:1", "✖ two (2ms)"]);
        let list = "test a ... FAILED\n\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\nmore";
        let cargo = tests(&mut shell(list), run::OTHER, cargo).unwrap();
        assert_eq!((cargo.failed, cargo.failures), (1, ["failures:", "    a", ""].map(str::to_owned).to_vec()));
    }
}
