//! `cargo xtask fuzz`: the fuzzer of tests/fuzz with any number of inputs, optimised a little.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::{eval, run};

/// Enough for compiling, and ten million inputs.
const LIMIT: Duration = Duration::from_secs(6 * 60 * 60);

/// The environment variable of the test for each option.
const OPTIONS: [(&str, &str); 4] = [
    ("--inputs", "KEEPSAKE_FUZZ"),
    ("--from", "KEEPSAKE_FUZZ_FROM"),
    ("--input", "KEEPSAKE_FUZZ_INPUT"),
    ("--target", "KEEPSAKE_FUZZ_TARGET"),
];

/// The inputs to run, as variables and their values.
#[derive(Debug, PartialEq)]
pub(crate) struct Options(Vec<(&'static str, String)>);

impl Options {
    pub(crate) fn parse(options: &[&str]) -> Option<Self> {
        let mut set = Vec::new();
        for option in options.chunks(2) {
            let [name, value] = option else { return None };
            let (_, variable) = OPTIONS.into_iter().find(|(known, _)| known == name)?;
            if *name != "--target" {
                value.parse::<u64>().ok()?;
            }
            set.push((variable, (*value).to_owned()));
        }
        Some(Self(set))
    }
}

pub(crate) fn fuzz(options: &Options) -> Result<ExitCode> {
    let target = ["test", "--quiet", "--profile", "quick", "--features", "testing", "--test", "fuzz"];
    let mut cargo = run::cargo(&[target.as_slice(), &["--", "--nocapture", "whatever_is_read"]].concat());
    cargo.envs(options.0.iter().map(|(name, value)| (*name, value)));
    eval::report(&mut cargo, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_are_names_with_values() {
        let set = |pairs: &[(&'static str, &str)]| {
            Some(Options(pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()))
        };
        assert_eq!(Options::parse(&[]), set(&[]));
        assert_eq!(
            Options::parse(&["--inputs", "10000", "--target", "keys"]),
            set(&[("KEEPSAKE_FUZZ", "10000"), ("KEEPSAKE_FUZZ_TARGET", "keys")])
        );
        for options in [&["--inputs"] as &[&str], &["--inputs", "x"], &["keys"], &["--seed", "1"]] {
            assert_eq!(Options::parse(options), None, "{options:?}");
        }
    }
}
