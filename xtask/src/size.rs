//! `cargo xtask size`: the size of each artefact, raw and compressed, against the limits in budgets.json.

mod budget;
mod scripts;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use crate::paths;
use crate::run::{self, command};

/// The bytes of one artefact: raw, after gzip -9, after brotli at its best.
#[derive(Clone, Copy, Default)]
pub(crate) struct Weight {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Weight {
    fn of(file: &Path) -> Result<Self> {
        let mut node = command("node", &["--input-type=module", "--eval", COMPRESS, "--"]);
        let printed = run::capture(node.arg(file), run::OTHER)
            .with_context(|| format!("could not read {}; run `cargo xtask build` first", file.display()))?;
        let [raw, gzip, brotli] = serde_json::from_str(&printed).context("Node did not print three numbers")?;
        Ok(Self { raw, gzip, brotli })
    }

    /// Files are fetched one by one, so each is compressed alone.
    fn plus(self, other: Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

/// The bytes of a file: raw, after gzip -9, after brotli at quality 11 with the window that servers use.
const COMPRESS: &str = r#"
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
const bytes = readFileSync(process.argv.at(-1));
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 };
const gzip = gzipSync(bytes, { level: 9 });
console.log(JSON.stringify([bytes.length, gzip.length, brotliCompressSync(bytes, { params }).length]));
"#;

/// Prints the table, and fails when an artefact is over its budget.
pub(crate) fn size(as_json: bool) -> Result<ExitCode> {
    let weights = weigh()?;
    let over = budget::exceeded(&weights)?;
    if as_json {
        let rows: serde_json::Map<String, Value> = weights
            .iter()
            .map(|(name, w)| ((*name).to_owned(), json!({ "raw": w.raw, "gzip": w.gzip, "brotli": w.brotli })))
            .collect();
        println!("{}", serde_json::to_string_pretty(&json!({ "artefacts": rows, "over": over }))?);
    } else {
        println!("{:<12} {:>9} {:>9} {:>9}", "artefact", "raw", "gzip -9", "brotli 11");
        for (name, weight) in &weights {
            println!("{name:<12} {:>9} {:>9} {:>9}", weight.raw, weight.gzip, weight.brotli);
        }
        for line in &over {
            println!("{line}");
        }
    }
    Ok(if over.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the table; an error if a budget is exceeded.
pub(crate) fn check() -> Result<()> {
    if size(false)? == ExitCode::SUCCESS { Ok(()) } else { Err(anyhow!("an artefact is over its budget")) }
}

fn weigh() -> Result<Vec<(&'static str, Weight)>> {
    let full = Weight::of(&paths::at("pkg/wasm/keepsake.wasm"))?;
    let mut scripts = Weight::default();
    for file in scripts::of_browser_entry()? {
        scripts = scripts.plus(Weight::of(&file)?);
    }
    let component = Weight::of(&paths::at("target/component/keepsake.component.wasm"))?;
    let first = Weight::of(&paths::at("pkg/wasm/first.wasm"))?;
    Ok(vec![
        ("first wasm", first),
        ("web scripts", scripts),
        ("first", first.plus(scripts)),
        ("full wasm", full),
        ("component", component),
    ])
}
