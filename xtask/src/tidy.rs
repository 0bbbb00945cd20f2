//! `cargo xtask tidy`: formatting, and the rules that `tests/tidy.rs` checks.

use anyhow::Result;

use crate::run::{self, cargo};

pub(crate) fn tidy() -> Result<()> {
    run::run(&mut cargo(&["fmt", "--all", "--check"]), run::OTHER)?;
    run::run(&mut cargo(&["test", "-p", "keepsake", "--test", "tidy"]), run::COMPILE)
}
