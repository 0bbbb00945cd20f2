//! The tests of the Rust door of a browser, as a module for pages: `tests/browser/`, bound by the library of wasm-bindgen.
//! Pages of the browser tests load it, in place of the runner of wasm-bindgen's command line.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::{paths, run, setup};

/// Builds the module for the tests.
pub(crate) fn for_tests() -> Result<()> {
    setup::for_building()?;
    build("dev", "target/rust-door")
}

/// Builds the module as apps ship it, for benchmarks.
pub(crate) fn optimised() -> Result<()> {
    setup::for_building()?;
    build("release", "target/rust-door-release")
}

fn build(profile: &str, folder: &str) -> Result<()> {
    let module = compile(profile)?;
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(false).out_name("page").keep_debug(false).input_path(&module);
    bindgen.generate(paths::at(folder)).context("wasm-bindgen could not bind the tests of the Rust door")
}

/// Compiles the tests, and returns the path of their module, whose name has a hash.
fn compile(profile: &str) -> Result<PathBuf> {
    let mut cargo = run::cargo(&[
        "test",
        "--no-run",
        "--package",
        "keepsake",
        "--profile",
        profile,
        "--target",
        "wasm32-unknown-unknown",
        "--features",
        "browser,testing",
        "--test",
        "browser",
        "--message-format=json-render-diagnostics",
    ]);
    let messages = run::capture(&mut cargo, run::COMPILE)?;
    let mut modules = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == "browser").then(|| message["executable"].as_str().map(PathBuf::from))?
    });
    modules.next_back().context("cargo did not say where the tests of the Rust door are")
}
