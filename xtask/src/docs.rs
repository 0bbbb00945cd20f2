//! `cargo xtask docs`: builds the documentation site and serves it, or checks it in a browser.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::demo::Options;
use crate::{eval, paths, reference, run, setup};

/// The port without `--port`.
pub(crate) const PORT: u16 = 4175;

pub(crate) fn docs(options: &Options) -> Result<ExitCode> {
    run::timed("tools", setup::for_building)?;
    // The search of the site is the package.
    eval::build_if_missing()?;
    // TypeDoc takes longer than the site: its pages stay as they are until `cargo xtask reference` writes them again.
    if !paths::at("target/reference").exists() {
        run::timed("reference", reference::reference)?;
    }
    if options.check {
        let browser = run::timed("browser", setup::browser)?;
        run::timed("check", || run::run(&mut check(&browser), run::OTHER))?;
        return Ok(ExitCode::SUCCESS);
    }
    // In our own process group and without a limit: it runs until Ctrl-C, which must reach it.
    let port = options.port.to_string();
    let mut site = run::command("node", &["docs/site/build.mjs", "--port", &port]);
    let status = site.status().with_context(|| format!("could not start `{}`", run::describe(&site)))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tests of the site, which build it.
fn check(browser: &setup::Driven) -> Command {
    let mut command = run::command("node", &["--test", "--test-reporter=spec", "--test-concurrency=1"]);
    command.args(["tests/js/docs-pages.test.mjs", "tests/e2e/docs-site.test.mjs"]);
    browser.tell(&mut command);
    command
}
