//! The scripts that a browser loads first: the package's browser entry from an app's bundler, minified.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::paths;
use crate::run::{self, command};

const ENTRY: &str = "target/size/browser.js";

/// The output files of the browser entry, without those that it loads later: language packs.
pub(crate) fn of_browser_entry() -> Result<Vec<PathBuf>> {
    let folder = paths::at("target/size");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("could not empty {}", folder.display()))?;
    }
    let options = ["--bundle", "--splitting", "--minify", "--format=esm", "--target=es2022", "--log-level=error"];
    let mut esbuild = command(paths::npm_bin("esbuild"), &options);
    esbuild.args(["pkg/dist/entry/browser.js", "--external:*.wasm", "--external:node:*", "--outdir=target/size"]);
    esbuild.arg("--metafile=target/size/meta.json").current_dir(paths::at(""));
    run::run(&mut esbuild, run::OTHER).context("run `cargo xtask build` first")?;
    let text = fs::read_to_string(folder.join("meta.json")).context("esbuild did not write its metafile")?;
    let meta: Value = serde_json::from_str(&text).context("the metafile of esbuild is not JSON")?;
    let outputs = meta.get("outputs").context("the metafile of esbuild has no outputs")?;
    Ok(imported(outputs, ENTRY).iter().map(|name| paths::at(name)).collect())
}

/// The output and those that it imports, directly or not, without dynamic imports.
fn imported(outputs: &Value, entry: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([entry.to_owned()]);
    let mut left = vec![entry.to_owned()];
    while let Some(name) = left.pop() {
        let imports = outputs.get(&name).and_then(|output| output.get("imports")).and_then(Value::as_array);
        for import in imports.into_iter().flatten() {
            let is_static = import.get("kind").and_then(Value::as_str) == Some("import-statement");
            let path = import.get("path").and_then(Value::as_str).filter(|path| outputs.get(path).is_some());
            if let Some(path) = path.filter(|_| is_static)
                && found.insert(path.to_owned())
            {
                left.push(path.to_owned());
            }
        }
    }
    found
}
