//! `cargo xtask bench`: how fast search is in a real browser, beside other search libraries, and what a long conversation
//! costs, beside IndexedDB alone.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::{build, eval, paths, run, setup};

/// 200,000 writes to a real IndexedDB are part of `--full`.
const LIMIT: Duration = Duration::from_secs(2 * 60 * 60);

/// Passes the options on to the script, which knows them.
pub(crate) fn bench(options: &[&str]) -> Result<ExitCode> {
    // What has to be installed is installed by a run of its own, whose words stay out of the figures.
    eval::on_stderr("setup")?;
    let browser = setup::everything()?;
    eval::build_if_missing()?;
    if let ["--service", rest @ ..] = options {
        return service(rest);
    }
    let mut script = run::command("node", &["benches/bench.mjs"]);
    script.args(options);
    browser.tell(&mut script);
    eval::report(&mut script, LIMIT)
}

/// The service in wasmtime and on Redis, beside one that only puts and gets.
fn service(options: &[&str]) -> Result<ExitCode> {
    let redis = setup::redis()?;
    build::bare()?;
    run::run(&mut run::cargo(&["build", "--profile", "server", "--package", "keepsake-wasmtime"]), run::COMPILE)?;
    let mut script = run::command("node", &["benches/service.mjs"]);
    redis.tell(script.args(options).env("KEEPSAKE_WASMTIME", paths::cargo_target().join("server/keepsake-wasmtime")));
    eval::report(&mut script, LIMIT)
}

/// Whether the script knows all of these.
pub(crate) fn knows(options: &[&str]) -> bool {
    options.iter().all(|option| ["--json", "--full", "--dialog", "--service"].contains(option))
}
