//! The web module: wasm-bindgen's output as a small module and a factory for its instances.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use super::{For, compile_in, factory, optimise, write};
use crate::paths;
use crate::run::{self, command};

/// The web module to build, which decides its path.
#[derive(Clone, Copy)]
enum Variant {
    /// Every verb.
    Full,
    /// The verbs that a page needs first: entries and searches.
    First,
    Testing,
}

impl Variant {
    fn features(self) -> &'static str {
        match self {
            Self::Full => "web,full",
            Self::First => "web",
            Self::Testing => "web,full,testing",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Full | Self::Testing => "keepsake.wasm",
            Self::First => "first.wasm",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Full | Self::First => "pkg/wasm",
            Self::Testing => "target/web-testing",
        }
    }

    /// The folder that wasm-bindgen writes to.
    fn bound(self) -> PathBuf {
        paths::at("target/bindgen").join(self.features())
    }
}

/// Both shipped modules. One script works with either: the imports of the first are a subset of the full one's.
pub(crate) fn shipped() -> Result<()> {
    let full = run::timed(Variant::Full.file(), || module(Variant::Full))?;
    let first = run::timed(Variant::First.file(), || module(Variant::First))?;
    let mut lines = full.lines();
    if !first.lines().all(|line| lines.any(|known| known == line)) {
        bail!(
            "the first web module needs glue that the full one does not have, and the package has one script for both"
        );
    }
    script(Variant::Full, &full)
}

/// The module for tests, unoptimised.
pub(crate) fn testing() -> Result<()> {
    let (wasm, glue) = for_tests()?;
    write(&paths::at(Variant::Testing.folder()).join(Variant::Testing.file()), wasm)?;
    script(Variant::Testing, &glue)
}

/// The module for tests in place of all three, compiled incrementally and without wasm-opt.
pub(crate) fn quick() -> Result<()> {
    let (wasm, glue) = for_tests()?;
    for variant in [Variant::Full, Variant::First, Variant::Testing] {
        write(&paths::at(variant.folder()).join(variant.file()), &wasm)?;
        script(variant, &glue)?;
    }
    Ok(())
}

/// The module for tests and its glue. They are bound again only if the compiler's output has changed: to bind a module that is
/// not optimised takes seconds.
fn for_tests() -> Result<(Vec<u8>, String)> {
    let module = For::Web.compile_with("quick", "keepsake", Variant::Testing.features())?;
    let last = paths::at("target/bindgen/last-for-tests.wasm");
    if fs::read(&last).is_ok_and(|last| last == module)
        && let Ok(bound) = bound(Variant::Testing)
    {
        return Ok(bound);
    }
    let bound = bind(module.clone(), Variant::Testing)?;
    write(&last, module)?;
    Ok(bound)
}

/// Writes the module and returns its glue.
fn module(variant: Variant) -> Result<String> {
    let (wasm, glue) = bind(For::Web.compile(variant.features())?, variant)?;
    write(&paths::at(variant.folder()).join(variant.file()), optimise::smallest(&wasm)?)?;
    Ok(glue)
}

/// The names and bytes of both shipped modules, from the sources in `root`. Nothing is written to the package.
pub(crate) fn modules(root: &Path, target: &Path) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let made = |variant: Variant| {
        let (wasm, _) = bind(compile_in(root, target, "release", "keepsake", variant.features())?, variant)?;
        Ok((variant.file(), optimise::uncached(&wasm)?))
    };
    [Variant::Full, Variant::First].into_iter().map(made).collect()
}

fn script(variant: Variant, glue: &str) -> Result<()> {
    let folder = paths::at(variant.folder());
    let script = folder.join("keepsake.js");
    write(&script, factory::from_glue(glue)?)?;
    minify(&script)?;
    // The types of the factory are hand-written: wasm-bindgen would describe its own loader.
    let types = paths::at("pkg/src/engine/glue.d.ts");
    if types.is_file() {
        let text = fs::read(&types).with_context(|| format!("could not read {}", types.display()))?;
        write(&folder.join("keepsake.d.ts"), text)?;
    }
    Ok(())
}

/// Runs wasm-bindgen and returns the module and its glue.
fn bind(module: Vec<u8>, variant: Variant) -> Result<(Vec<u8>, String)> {
    let folder = variant.bound();
    let mut bindgen = Bindgen::new();
    bindgen
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .input_bytes("keepsake", module);
    bindgen.generate(&folder).context("wasm-bindgen could not bind the module")?;
    if folder.join("snippets").exists() {
        bail!(
            "the module brings JavaScript snippets along ({}), which the factory has no place for",
            folder.join("snippets").display()
        );
    }
    bound(variant)
}

/// The module that wasm-bindgen wrote last, and its glue.
fn bound(variant: Variant) -> Result<(Vec<u8>, String)> {
    let folder = variant.bound();
    let (wasm, glue) = (folder.join("keepsake_bg.wasm"), folder.join("keepsake.js"));
    Ok((
        fs::read(&wasm).with_context(|| format!("wasm-bindgen did not write {}", wasm.display()))?,
        fs::read_to_string(&glue).with_context(|| format!("wasm-bindgen did not write {}", glue.display()))?,
    ))
}

fn minify(script: &Path) -> Result<()> {
    let esbuild = paths::npm_bin("esbuild");
    if !esbuild.is_file() {
        return Ok(());
    }
    let mut minify = command(esbuild, &["--minify", "--format=esm", "--target=es2022", "--log-level=warning"]);
    minify.arg("--allow-overwrite").arg(script);
    minify.arg(format!("--outfile={}", script.display()));
    run::run(&mut minify, run::OTHER)
}
