//! wasm-opt, from npm's `binaryen`. It takes seconds and is deterministic, so results are cached in `target/optimised`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::write;
use crate::paths;
use crate::run::{self, command};

/// The level with the smallest compressed modules: `-O3` is 145 to 512 bytes larger, and takes twice as long.
const LEVEL: &str = "-Os";

/// The default features of rustc for wasm32-unknown-unknown; all recent browsers and Node 20 have them.
const FEATURES: [&str; 13] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    // The first kilobyte is the end of the stack: no address is computed from one in there.
    "--low-memory-unused",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
    // An engine compiles a function before it first runs it, and a function with one caller would be part of that caller, however
    // large both are: the call of a verb would be one function of 220 KB.
    "--one-caller-inline-max-function-size=30",
];

/// The module, optimised for size.
pub(crate) fn smallest(module: &[u8]) -> Result<Vec<u8>> {
    let answer = cached(module)?;
    if let Ok(known) = fs::read(&answer) {
        return Ok(known);
    }
    let smallest = uncached(module)?;
    write(&answer, &smallest)?;
    Ok(smallest)
}

/// The same, bypassing the cache.
pub(crate) fn uncached(module: &[u8]) -> Result<Vec<u8>> {
    optimise(module, &cached(module)?)
}

fn optimise(module: &[u8], answer: &Path) -> Result<Vec<u8>> {
    let wasm_opt = paths::npm_bin("wasm-opt");
    if !wasm_opt.is_file() {
        bail!("wasm-opt is missing from node_modules; install it with: npm ci");
    }
    let (input, output) = (answer.with_extension("in"), answer.with_extension("out"));
    write(&input, module)?;
    let mut command = command(wasm_opt, &FEATURES);
    command.arg(LEVEL).arg(&input).arg("-o").arg(&output);
    run::run(&mut command, run::OTHER)?;
    let bytes = fs::read(&output).with_context(|| format!("wasm-opt did not write {}", output.display()))?;
    for scratch in [input, output] {
        fs::remove_file(&scratch).with_context(|| format!("could not remove {}", scratch.display()))?;
    }
    Ok(bytes)
}

/// The path of the cached result: its name covers all inputs.
fn cached(module: &[u8]) -> Result<PathBuf> {
    let manifest = paths::at("node_modules/binaryen/package.json");
    let tool = fs::read(&manifest).with_context(|| format!("could not read {}; try: npm ci", manifest.display()))?;
    let mut hasher = DefaultHasher::new();
    (tool, LEVEL, FEATURES, module).hash(&mut hasher);
    Ok(paths::at("target/optimised").join(format!("{:016x}.wasm", hasher.finish())))
}
