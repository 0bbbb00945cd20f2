//! The Rust target that the artefacts are built for.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::run::{self, command};

const TARGET: &str = "wasm32-unknown-unknown";
const LIMIT: Duration = Duration::from_secs(2 * 60);

pub(crate) fn ensure_wasm_target() -> Result<()> {
    if is_installed()? {
        return Ok(());
    }
    let mut add = command("rustup", &["target", "add", TARGET]);
    run::run(&mut add, LIMIT).with_context(|| remedy("could not be installed"))?;
    if is_installed()? { Ok(()) } else { bail!(remedy("is still missing after `rustup target add`")) }
}

/// Asks the compiler and not rustup, because a compiler from elsewhere may have the target too.
fn is_installed() -> Result<bool> {
    let mut ask = command("rustc", &["--print", "target-libdir", "--target", TARGET]);
    let folder = run::capture(&mut ask, LIMIT)?;
    Ok(Path::new(folder.trim()).is_dir())
}

fn remedy(problem: &str) -> String {
    format!("the Rust target {TARGET} {problem}; install it with: rustup target add {TARGET}")
}
