//! `cargo xtask generate`: generates all code and documents that repeat the contract of `wit/`.

mod codes;
mod component;
mod http;
mod listed;
mod openapi;
mod routes;
mod tools;
mod typescript;
mod verbs;

use crate::paths;
use anyhow::{Result, bail};
use keepsake_contract::{Contract, camel};
use std::fs;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};

/// The first line of every generated file.
pub(crate) const MARK: &str = "Generated from wit/ by `cargo xtask generate`. Do not edit.";

/// Each generated file with its text.
fn files() -> Result<Vec<(&'static str, String)>> {
    let contract = Contract::read(&paths::at("wit"))?;
    Ok(vec![
        ("src/component/generated.rs", formatted(&component::written(&contract)?)?),
        ("src/memory/call/verb.rs", formatted(&verbs::written(&contract)?)?),
        ("src/memory/engine/code.rs", formatted(&codes::rust(&contract)?)?),
        ("pkg/src/wire/verbs.ts", typescript::written(&contract)?),
        ("pkg/src/base/codes.ts", codes::typescript(&contract)?),
        ("pkg/src/wire/tool-names.ts", tools::typescript(&contract)?),
        ("tests/bindings/contract.json", listed::written(&contract)?),
        ("service/src/api/generated.rs", formatted(&routes::rust(&contract)?)?),
        ("pkg/src/serve/http/generated.ts", routes::typescript(&contract)?),
        ("docs/openapi.json", openapi::written(&contract, &fs::read_to_string(paths::at("docs/openapi.base.json"))?)?),
    ])
}

/// Writes the stale files.
pub(crate) fn generate() -> Result<ExitCode> {
    for (path, text) in files()? {
        let at = paths::at(path);
        if fs::read_to_string(&at).ok().as_deref() != Some(text.as_str()) {
            fs::write(&at, text)?;
            println!("{path}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn formatted(text: &str) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--config-path"]).arg(paths::at("rustfmt.toml"));
    let mut child = rustfmt.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("rustfmt refuses what was generated");
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// A WIT name as a Rust type name.
fn upper(name: &str) -> String {
    let name = camel(name);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_as_the_contract_says() {
        for (path, text) in files().unwrap() {
            let found = fs::read_to_string(paths::at(path)).unwrap_or_default();
            assert!(found == text, "{path} is stale: run `cargo xtask generate`");
        }
    }
}
