//! `cargo xtask example`: builds the chat in Rust of `examples/leptos-chat`, and serves it or tries it in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::build::optimise;
use crate::{paths, run, setup};

const NAME: &str = "leptos-chat";

/// The files that are served as they are.
const FILES: [&str; 4] = ["index.html", "start.js", "style.css", "sw.js"];

/// What to do with the built page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Then {
    Serve,
    Check,
}

pub(crate) fn example(then: Then) -> Result<ExitCode> {
    run::timed("tools", setup::for_building)?;
    let page = run::timed("page", || build("", "page"))?;
    let mut script = run::command("node", &["tests/e2e/support/leptos-chat.mjs", "--page"]);
    script.arg(page);
    if then == Then::Check {
        let bare = run::timed("page without Keepsake", || build("bare", "bare"))?;
        script.arg("--bare").arg(bare);
        run::timed("browser", setup::browser)?.tell(&mut script);
        run::timed("check", || run::run(&mut script, run::OTHER))?;
        return Ok(ExitCode::SUCCESS);
    }
    // In our own process group and without a limit: it runs until Ctrl-C, which must reach it.
    let status = script.status().with_context(|| format!("could not start `{}`", run::describe(&script)))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the page with these features into a folder of this name.
fn build(features: &str, folder: &str) -> Result<PathBuf> {
    let from = paths::at("examples").join(NAME);
    let target = paths::cargo_target().join(NAME);
    let mut cargo = run::cargo(&["build", "--release", "--locked", "--target", "wasm32-unknown-unknown"]);
    cargo.arg("--features").arg(features).arg("--manifest-path").arg(from.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(&target);
    run::run(&mut cargo, run::COMPILE)?;
    let built = target.join("wasm32-unknown-unknown/release").join(NAME).with_extension("wasm");
    let page = target.join(folder);
    Bindgen::new()
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .input_path(&built)
        .generate(&page)
        .context("wasm-bindgen could not bind the page")?;
    smaller(&page.join(format!("{NAME}_bg.wasm")))?;
    for file in FILES {
        fs::copy(from.join(file), page.join(file)).with_context(|| format!("could not copy {file}"))?;
    }
    Ok(page)
}

fn smaller(module: &Path) -> Result<()> {
    let bytes = fs::read(module).with_context(|| format!("could not read {}", module.display()))?;
    let bytes = optimise::smallest(&bytes)?;
    fs::write(module, bytes).with_context(|| format!("could not write {}", module.display()))
}
