//! The npm packages: the TypeScript of `pkg`, and the demo that uses it.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::paths;
use crate::run::{self, command};

pub(crate) fn build() -> Result<()> {
    package()?;
    if paths::at("www/package.json").is_file() {
        run::run(&mut command("npm", &["run", "--silent", "build", "--workspace", "www"]), run::OTHER)?;
    }
    Ok(())
}

/// The package alone, without the demo.
pub(crate) fn package() -> Result<()> {
    // npm packs only files inside the package's folder.
    let mut documents = command("node", &["xtask/src/build/documents.mjs"]);
    run::run(documents.current_dir(paths::at("")), run::OTHER)?;
    if paths::at("pkg/tsconfig.json").is_file() {
        // Neither tool deletes old files: a renamed module would be shipped under both names.
        let old = paths::at("pkg/dist");
        if old.exists() {
            fs::remove_dir_all(&old).with_context(|| format!("could not remove {}", old.display()))?;
        }
        run::run(&mut command(paths::npm_bin("tsc"), &["-p", "pkg", "--emitDeclarationOnly"]), run::OTHER)?;
        bundle(&entries()?)?;
    }
    Ok(())
}

/// The page of the demo, without type checks.
pub(crate) fn page() -> Result<()> {
    run::run(command(paths::npm_bin("vite"), &["build", "--logLevel=warn"]).current_dir(paths::at("www")), run::OTHER)
}

/// The entries that the page of the demo imports. Other entries stay unchanged.
pub(crate) fn bundle_for_page() -> Result<()> {
    bundle(&["pkg/src/entry/browser.ts", "pkg/src/inspector/inspector.ts"].map(str::to_owned).into())
}

/// Bundles the scripts of each entry into one file, and shared code into chunks. A page fetches modules one after the
/// other as it finds their imports: with fifty small ones, opening a memory takes three times as long.
fn bundle(entries: &BTreeSet<String>) -> Result<()> {
    let mut rolldown = command("node", &["xtask/src/build/bundle.mjs"]);
    rolldown.args(entries).current_dir(paths::at(""));
    run::run(&mut rolldown, run::OTHER)
}

/// The sources of the scripts that package.json exports, and of its commands.
fn entries() -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(paths::at("pkg/package.json")).context("could not read pkg/package.json")?;
    let manifest: Value = serde_json::from_str(&text).context("pkg/package.json is not JSON")?;
    let mut found = BTreeSet::new();
    collect(manifest.get("exports").context("pkg/package.json has no `exports`")?, &mut found);
    collect(manifest.get("bin").unwrap_or(&Value::Null), &mut found);
    Ok(found)
}

fn collect(exports: &Value, found: &mut BTreeSet<String>) {
    if let Value::Object(conditions) = exports {
        conditions.values().for_each(|choice| collect(choice, found));
    }
    // npm requires commands without the `./`.
    let file = exports.as_str().map(|file| file.trim_start_matches("./"));
    let script = file.and_then(|file| file.strip_prefix("dist/")?.strip_suffix(".js"));
    found.extend(script.map(|name| format!("pkg/src/{name}.ts")));
}

/// The parts for tests that compose them differently, beside their wasm module.
pub(crate) fn bundle_inner() -> Result<()> {
    let options = ["--bundle", "--format=esm", "--target=es2022", "--log-level=warning", "--loader:.txt=text"];
    let mut esbuild = command(paths::npm_bin("esbuild"), &options);
    esbuild.args(["tests/inner.ts", "tests/inner-node.ts", "--outdir=target/web-testing", "--external:node:*"]);
    esbuild.current_dir(paths::at(""));
    run::run(&mut esbuild, run::OTHER)
}
