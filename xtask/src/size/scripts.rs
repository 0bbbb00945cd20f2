//! The scripts that a browser loads: the package's browser entry from an app's bundler, minified.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::paths;
use crate::run::{self, command};

/// The output files of the browser entry, including those that are loaded later.
pub(crate) fn of_browser_entry() -> Result<Vec<PathBuf>> {
    let folder = paths::at("target/size");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("could not empty {}", folder.display()))?;
    }
    let options = ["--bundle", "--splitting", "--minify", "--format=esm", "--target=es2022", "--log-level=error"];
    let mut esbuild = command(paths::npm_bin("esbuild"), &options);
    esbuild.args(["pkg/dist/entry/browser.js", "--external:*.wasm", "--external:node:*", "--outdir=target/size"]);
    run::run(esbuild.current_dir(paths::at("")), run::OTHER).context("run `cargo xtask build` first")?;
    let files = fs::read_dir(&folder).with_context(|| format!("esbuild did not write {}", folder.display()))?;
    files.map(|file| Ok(file?.path())).collect()
}
