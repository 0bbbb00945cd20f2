//! `cargo xtask reliability`: writes the tables of docs/reliability.md and docs/spec.md from the sources of the tests.

use anyhow::Result;

use crate::run::{self, command};

pub(crate) fn reliability() -> Result<()> {
    run::run(&mut command("node", &["tests/reliability.mjs"]), run::OTHER)
}
