//! `cargo xtask tidy`: formatting, and the rules that `tests/tidy.rs` checks; with `--all` also lints of every package.

use anyhow::Result;

use crate::run::{self, cargo};

const WASM: &str = "wasm32-unknown-unknown";

/// What `cargo xtask test` does not lint, because it takes minutes and rarely finds anything.
const LINTED: [&[&str]; 6] = [
    &["--workspace", "--all-targets"],
    &["--target", WASM],
    &["--target", WASM, "--features", "web"],
    &["--target", WASM, "--features", "web,testing"],
    &["-p", "keepsake-service", "--target", WASM, "--features", "draft"],
    &["-p", "keepsake-service", "--target", WASM, "--features", "draft2"],
];

pub(crate) fn tidy(all: bool) -> Result<()> {
    run::run(&mut cargo(&["fmt", "--all", "--check"]), run::OTHER)?;
    run::run(&mut cargo(&["test", "-p", "keepsake", "--test", "tidy"]), run::COMPILE)?;
    if all {
        for packages in LINTED {
            run::run(&mut cargo(&[&["clippy"], packages, &["--", "-D", "warnings"]].concat()), run::COMPILE)?;
        }
    }
    Ok(())
}
