//! `cargo xtask sim`: the simulation of tests/sim with any number of seeds, optimised a little.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::{eval, run};

/// Enough for compiling, and a hundred thousand seeds.
const LIMIT: Duration = Duration::from_secs(3 * 60 * 60);

/// The seeds to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Seeds {
    /// So many seeds, from 0 on.
    First(u64),
    One(u64),
}

impl Seeds {
    pub(crate) fn parse(options: &[&str]) -> Option<Self> {
        match options {
            ["--seeds", count] => count.parse().ok().map(Self::First),
            ["--seed", seed] => seed.parse().ok().map(Self::One),
            _ => None,
        }
    }
}

pub(crate) fn sim(seeds: Seeds) -> Result<ExitCode> {
    let target = ["test", "--quiet", "--profile", "quick", "--features", "testing", "--test", "sim"];
    let mut cargo = run::cargo(&[target.as_slice(), &["--", "--nocapture", "nothing_is_lost"]].concat());
    match seeds {
        Seeds::First(count) => cargo.env("KEEPSAKE_SEEDS", count.to_string()),
        Seeds::One(seed) => cargo.env("KEEPSAKE_SEED", seed.to_string()),
    };
    eval::report(&mut cargo, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::Seeds;

    #[test]
    fn seeds_are_a_number_of_them_or_one() {
        assert_eq!(Seeds::parse(&["--seeds", "1000"]), Some(Seeds::First(1000)));
        assert_eq!(Seeds::parse(&["--seed", "7"]), Some(Seeds::One(7)));
        for options in [&[] as &[&str], &["--seeds"], &["--seed", "x"], &["--seeds", "1", "--seed", "2"]] {
            assert_eq!(Seeds::parse(options), None, "{options:?}");
        }
    }
}
