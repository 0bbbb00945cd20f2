//! The Rust steps: formatting, lints, documentation, and tests, native and in wasmtime.

use std::process::Command;

use super::{Step, count};
use crate::run::{self, cargo};

const WASM: &str = "wasm32-unknown-unknown";

/// A separate target folder, because cargo locks it, and the tests are built at the same time.
const LINTS: &str = "target/lints";

pub(crate) fn lints() -> Vec<Step> {
    let mut steps = vec![rustfmt()];
    // The feature sets that together compile every line of the crate that is shipped. The rest is checked by `cargo xtask tidy
    // --all`: subsets of these, the service, the tools, the examples and the hosts of wasmtime take nine minutes, and what they
    // find breaks nothing.
    let feature_sets: [(&str, &[&str]); 4] = [
        // Not the example, which is a page.
        ("clippy all features", &["--lib", "--tests", "--benches", "--all-features"]),
        ("clippy wasm web, small", &["--target", WASM, "--no-default-features", "--features", "web"]),
        ("clippy wasm component", &["--target", WASM, "--features", "component"]),
        (
            "clippy wasm browser",
            &["--target", WASM, "--features", "browser,testing", "--test", "browser", "--example", "rust-page"],
        ),
    ];
    steps.extend(feature_sets.map(|(name, options)| clippy(name, options)));
    // Links to what a feature hides would break: the documentation of a plain `cargo doc`, of docs.rs, and of a page.
    steps.push(documentation("cargo doc", &[]));
    steps.push(documentation("cargo doc native", &["--features", "serde,tokio"]));
    steps.push(documentation("cargo doc browser", &["--target", WASM, "--features", "browser,serde"]));
    steps
}

/// The lints of a quick run: the crate, with its tests.
pub(crate) fn quick_lints() -> Vec<Step> {
    vec![rustfmt(), clippy("clippy", &["--all-targets", "--features", "testing"])]
}

fn rustfmt() -> Step {
    passes("rustfmt", cargo(&["fmt", "--all", "--check"]))
}

fn clippy(name: &str, options: &[&str]) -> Step {
    let args = [&["clippy", "--target-dir", LINTS], options, &["--", "-D", "warnings"]].concat();
    passes(name, cargo(&args))
}

fn documentation(name: &str, options: &[&str]) -> Step {
    let mut doc = cargo(&[&["doc", "--no-deps", "-p", "keepsake", "--target-dir", LINTS], options].concat());
    doc.env("RUSTDOCFLAGS", "-D warnings");
    passes(name, doc)
}

/// The native tests of the crate.
pub(crate) fn crate_tests() -> Step {
    tests("cargo test", cargo(&["test", "-p", "keepsake", "--features", "testing", "--no-fail-fast"]))
}

/// The tests of the crate and of the service.
pub(crate) fn native_tests() -> Vec<Step> {
    vec![crate_tests(), tests("cargo test service", cargo(&["test", "-p", "keepsake-service", "--no-fail-fast"]))]
}

/// The tests of what is beside them: models of the protocols, examples and tools.
pub(crate) fn other_tests() -> Vec<Step> {
    vec![
        tests("cargo test models", cargo(&["test", "-p", "keepsake-models", "--no-fail-fast"])),
        tests(
            "cargo test examples",
            cargo(&["test", "-p", "keepsake-native-agent", "-p", "keepsake-axum", "--no-fail-fast"]),
        ),
        tests("cargo test xtask", cargo(&["test", "-p", "xtask", "--no-fail-fast"])),
    ]
}

/// The component in wasmtime; it must have been built.
pub(crate) fn component_tests() -> Step {
    // With the host of the service tests, so that wasmtime is built once for both.
    let packages = ["-p", "keepsake-host", "-p", "keepsake-wasmtime"];
    tests("component in wasmtime", cargo(&[&["test", "--no-fail-fast"], packages.as_slice()].concat()))
}

fn passes(name: &str, mut command: Command) -> Step {
    Step::check(name, move || run::run(&mut command, run::COMPILE))
}

fn tests(name: &str, mut command: Command) -> Step {
    Step::new(name, move || count::tests(&mut command, run::COMPILE, count::cargo))
}
