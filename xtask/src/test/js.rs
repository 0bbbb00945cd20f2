//! The JavaScript and TypeScript steps: lints, types, and tests in Node and in a browser that Node drives.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Step, count, exists};
use crate::run::{self, command};
use crate::setup::{self, Driven};
use crate::{demo, paths};

pub(crate) fn lints() -> Vec<Step> {
    let mut steps = vec![Step::check("biome", || {
        run::run(&mut command(paths::npm_bin("biome"), &["check", "--error-on-warnings"]), run::OTHER)
    })];
    for (name, folder) in [("types of the tests", "tests"), ("types of the docs site", "docs/site")] {
        if exists(&format!("{folder}/tsconfig.json")) {
            steps.push(Step::check(name, move || {
                run::run(&mut command(paths::npm_bin("tsc"), &["--noEmit", "-p", folder]), run::OTHER)
            }));
        }
    }
    steps
}

pub(crate) fn tests(browser: &Driven) -> Vec<Step> {
    vec![
        node(),
        // One at a time: each drives a browser, and two cores are too few for several.
        node_tests("browser tests", "tests/e2e", &["--test-concurrency=1"], Some(browser)),
        node_tests("packaging tests", "tests/packaging", &[], Some(browser)),
    ]
}

/// The tests in Node, which drive no browser.
pub(crate) fn node() -> Step {
    node_tests("node tests", "tests/js", &["--test-concurrency=2"], None)
}

/// The tests in Node that a quick run leaves out, because each takes many seconds: programs that are killed again and again or
/// started one by one, fuzzing, writers that compete, examples that are compiled, large frameworks, another runtime, benchmarks.
const SLOW: [&str; 13] = [
    "cli",
    "cloudflare",
    "commands",
    "docs",
    "edge-crash",
    "eval",
    "fairness",
    "fuzz",
    "jsonl-crash",
    "kills",
    "langgraph",
    "wasm-memory",
    "workerd",
];

/// The other tests in Node.
pub(crate) fn quick_node() -> Step {
    Step::new("node tests, fast ones", || {
        println!("left out: {}", SLOW.join(", "));
        // More than there are cores, because many of them wait for timers.
        let mut command = command("node", &["--test", "--test-reporter=spec", "--test-concurrency=3"]);
        let slow = |file: &String| SLOW.iter().any(|name| *file == slow_file(name));
        command.args(test_files("tests/js")?.iter().filter(|file| !slow(file))).env_remove("FORCE_COLOR");
        count::tests(&mut command, run::TESTS, count::node)
    })
}

fn slow_file(name: &str) -> String {
    format!("tests/js/{name}.test.mjs")
}

/// The components in hosts of other languages.
pub(crate) fn bindings_tests() -> Step {
    node_tests("bindings tests", "tests/bindings", &[], None)
}

/// The regular tests in Firefox: its storage, conversations in two tabs at once, the Rust door, and a visit to the demo. All of
/// tests/e2e there and in WebKit takes another fifteen minutes: `cargo xtask browsers`.
const ELSEWHERE: [&str; 5] = ["indexeddb", "indexeddb-pages", "sessions", "rust-door", "two-worlds"];

pub(crate) fn firefox() -> Step {
    let files = || Ok(ELSEWHERE.iter().map(|name| format!("tests/e2e/{name}.test.mjs")).collect());
    elsewhere("firefox", setup::firefox(), files)
}

/// All browser tests, and the visit to the demo, in the other browsers.
pub(crate) fn all_in_other_browsers() -> Vec<Step> {
    let files = || test_files("tests/e2e");
    vec![elsewhere("firefox", setup::firefox(), files), elsewhere("webkit", setup::webkit(), files)]
}

fn elsewhere(name: &'static str, browser: Result<Option<Driven>>, files: fn() -> Result<Vec<String>>) -> Step {
    Step::new(format!("in {name}"), move || {
        let Some(browser) = browser? else {
            println!("left out: {name} is not here, and cannot be installed without asking");
            return Ok(count::Tally::default());
        };
        let tell = |mut command: Command| {
            browser.tell(command.env("KEEPSAKE_BROWSER", name).env_remove("FORCE_COLOR"));
            command
        };
        let mut tests = tell(command("node", &["--test", "--test-reporter=spec", "--test-concurrency=1"]));
        let mut tally = count::tests(tests.args(files()?), run::TESTS, count::node)?;
        run::run(&mut tell(demo::check(&browser)), run::OTHER)?;
        tally.passed += 1;
        Ok(tally)
    })
}

/// The API as a component, in wasmtime and on Redis: the example is the host.
pub(crate) fn service_tests() -> Step {
    Step::new("service tests", || {
        let redis = setup::redis()?;
        // Together with the packages built before: alone it would need wasmtime with other features, which takes
        // minutes.
        run::run(
            &mut run::cargo(&["build", "--all-targets", "-p", "keepsake-host", "-p", "keepsake-wasmtime"]),
            run::COMPILE,
        )?;
        let host = paths::cargo_target().join("debug/keepsake-wasmtime");
        let mut command = command("node", &["--test", "--test-reporter=spec", "--test-concurrency=1"]);
        redis.tell(command.env("KEEPSAKE_WASMTIME", host).env_remove("FORCE_COLOR"));
        command.args(test_files("tests/service")?);
        count::tests(&mut command, run::TESTS, count::node)
    })
}

/// The examples, each as its README says, on the packed package.
pub(crate) fn examples(browser: &Driven) -> Step {
    node_tests("examples", "tests/examples", &["--test-concurrency=2"], Some(browser))
}

fn node_tests(name: &str, folder: &'static str, options: &[&str], browser: Option<&Driven>) -> Step {
    let mut command = command("node", &["--test", "--test-reporter=spec"]);
    command.args(options).env_remove("FORCE_COLOR");
    if let Some(browser) = browser {
        browser.tell(&mut command);
    }
    Step::new(name, move || {
        command.args(test_files(folder)?);
        count::tests(&mut command, run::TESTS, count::node)
    })
}

/// The test files of a folder. Node 20 expands no patterns.
fn test_files(folder: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(paths::at(folder)).with_context(|| format!("could not read {folder}"))?;
    let mut files = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".test.mjs") {
            files.push(format!("{folder}/{name}"));
        }
    }
    if files.is_empty() {
        bail!("{folder} has no *.test.mjs");
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slow_tests_exist() {
        for name in SLOW {
            assert!(exists(&slow_file(name)), "tests/js has no {name}.test.mjs");
        }
    }
}
