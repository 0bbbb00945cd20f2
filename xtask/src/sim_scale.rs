//! `cargo xtask sim-scale`: simulates a million tenants on the limits of each service. The options are the
//! simulation's.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::{eval, run};

/// Enough for compiling, and a run of many requests.
const LIMIT: Duration = Duration::from_secs(60 * 60);

pub(crate) fn sim_scale(options: &[&str]) -> Result<ExitCode> {
    let mut cargo =
        run::cargo(&["run", "--quiet", "--release", "-p", "keepsake-service", "--example", "sim_scale", "--"]);
    cargo.args(options);
    eval::report(&mut cargo, LIMIT)
}

/// Whether these are options of the simulation, each with its value.
pub(crate) fn knows(options: &[&str]) -> bool {
    options.chunks(2).all(|pair| matches!(pair, ["--requests" | "--tenants" | "--rate" | "--engine", _]))
}

#[cfg(test)]
mod tests {
    use super::knows;

    #[test]
    fn options_come_with_their_values() {
        assert!(knows(&[]));
        assert!(knows(&["--requests", "500", "--engine", "redis"]));
        assert!(!knows(&["--requests"]));
        assert!(!knows(&["redis"]));
        assert!(!knows(&["--engin", "redis"]));
    }
}
