//! The JavaScript and TypeScript steps: lints, types, and tests in Node and in a browser that Node drives.

use std::fs;

use anyhow::{Context, Result, bail};

use super::{Step, count, exists};
use crate::paths;
use crate::run::{self, command};
use crate::setup::Browser;

pub(crate) fn lints() -> Vec<Step> {
    let mut steps = vec![Step::check("biome", || {
        run::run(&mut command(paths::npm_bin("biome"), &["check", "--error-on-warnings"]), run::OTHER)
    })];
    if exists("tests/tsconfig.json") {
        steps.push(Step::check("types of the tests", || {
            run::run(&mut command(paths::npm_bin("tsc"), &["--noEmit", "-p", "tests"]), run::OTHER)
        }));
    }
    steps
}

pub(crate) fn tests(browser: &Browser) -> Vec<Step> {
    vec![
        node_tests("node tests", "tests/js", &[], browser),
        // One at a time: each drives a browser, and two cores do not carry several.
        node_tests("browser tests", "tests/e2e", &["--test-concurrency=1"], browser),
        node_tests("packaging tests", "tests/packaging", &[], browser),
    ]
}

fn node_tests(name: &str, folder: &'static str, options: &[&str], browser: &Browser) -> Step {
    let mut command = command("node", &["--test", "--test-reporter=spec"]);
    command.args(options).env_remove("FORCE_COLOR");
    browser.tell(&mut command);
    Step::new(name, move || {
        command.args(test_files(folder)?);
        count::tests(&mut command, run::OTHER, count::node)
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
