//! `cargo xtask supply`: checks third-party code: licences, duplicates, sources and advisories of crates (`cargo deny`,
//! deny.toml), and the lock files of npm.

use std::env::consts::EXE_SUFFIX;
use std::process::ExitCode;

use anyhow::Result;

use crate::paths;
use crate::run::{self, command};

/// Shipped code has each crate once; the programs that build, test and host have several versions through wasmtime.
const CHECKS: [&[&str]; 3] = [
    &["--manifest-path", "Cargo.toml", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"],
    &["--manifest-path", "service/Cargo.toml", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"],
    &["--workspace", "check", "--hide-inclusion-graph", "--allow", "duplicate", "licenses", "bans", "sources"],
];

pub(crate) fn supply() -> Result<ExitCode> {
    let crates = crates();
    let packages = run::run(&mut command("node", &["tests/lockfiles.mjs"]), run::OTHER);
    for problem in [&crates, &packages].into_iter().filter_map(|outcome| outcome.as_ref().err()) {
        eprintln!("error: {problem:#}");
    }
    Ok(if crates.is_ok() && packages.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn crates() -> Result<()> {
    let name = format!("cargo-deny{EXE_SUFFIX}");
    let installed = paths::cargo_home().join("bin").join(&name);
    let Some(deny) = paths::on_path(&name).or_else(|| installed.is_file().then_some(installed)) else {
        println!("crates: not checked; install cargo-deny: cargo install cargo-deny --locked");
        return Ok(());
    };
    for check in CHECKS {
        run::run(&mut command(&deny, check), run::OTHER)?;
    }
    // The database is a repository on GitHub. Without a network there is no result.
    if run::run(&mut command(&deny, &["fetch", "db"]), run::OTHER).is_err() {
        println!("advisories: not checked; the database could not be fetched");
        return Ok(());
    }
    run::run(&mut command(&deny, &["--workspace", "check", "--disable-fetch", "advisories"]), run::OTHER)
}
