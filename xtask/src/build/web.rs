//! The web module: wasm-bindgen's output as a small module and a factory for its instances.

use std::fs;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use super::{compile, factory, optimise, write};
use crate::paths;
use crate::run::{self, command};

/// Which web module to build, and so where it goes.
#[derive(Clone, Copy)]
pub(crate) enum Variant {
    Shipped,
    Testing,
}

impl Variant {
    fn features(self) -> &'static str {
        match self {
            Self::Shipped => "web",
            Self::Testing => "web,testing",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Shipped => "pkg/wasm",
            Self::Testing => "target/web-testing",
        }
    }
}

pub(crate) fn build(variant: Variant) -> Result<()> {
    let (wasm, glue) = bind(compile(variant.features())?, variant)?;
    let folder = paths::at(variant.folder());
    write(&folder.join("keepsake.wasm"), optimise::smallest(&wasm)?)?;
    let script = folder.join("keepsake.js");
    write(&script, factory::from_glue(&glue)?)?;
    minify(&script)?;
    // The types of the factory are written by hand: wasm-bindgen would describe its own loader.
    let types = paths::at("pkg/src/glue.d.ts");
    if types.is_file() {
        let text = fs::read(&types).with_context(|| format!("could not read {}", types.display()))?;
        write(&folder.join("keepsake.d.ts"), text)?;
    }
    Ok(())
}

/// Runs wasm-bindgen; returns the module and its glue.
fn bind(module: Vec<u8>, variant: Variant) -> Result<(Vec<u8>, String)> {
    let folder = paths::at("target/bindgen").join(variant.features());
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
    let (wasm, glue) = (folder.join("keepsake_bg.wasm"), folder.join("keepsake.js"));
    Ok((
        fs::read(&wasm).with_context(|| format!("wasm-bindgen did not write {}", wasm.display()))?,
        fs::read_to_string(&glue).with_context(|| format!("wasm-bindgen did not write {}", glue.display()))?,
    ))
}

fn minify(script: &std::path::Path) -> Result<()> {
    let esbuild = paths::npm_bin("esbuild");
    if !esbuild.is_file() {
        return Ok(());
    }
    let mut minify = command(esbuild, &["--minify", "--format=esm", "--target=es2022", "--log-level=warning"]);
    minify.arg("--allow-overwrite").arg(script);
    minify.arg(format!("--outfile={}", script.display()));
    run::run(&mut minify, run::OTHER)
}
