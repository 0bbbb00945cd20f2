//! `cargo xtask tidy`: formatting, and the rules that `tests/tidy.rs` checks; with `--all` also lints of every package.

use anyhow::Result;

use crate::run::{self, cargo};

pub(crate) fn tidy(all: bool) -> Result<()> {
    run::run(&mut cargo(&["fmt", "--all", "--check"]), run::OTHER)?;
    run::run(&mut cargo(&["test", "-p", "keepsake", "--test", "tidy"]), run::COMPILE)?;
    if all {
        let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        run::run(&mut cargo(&lints), run::COMPILE)?;
    }
    Ok(())
}
