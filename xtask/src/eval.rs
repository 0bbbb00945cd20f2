//! `cargo xtask eval`: the quality of search, measured on a folder of data.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::{paths, run};

/// Large folders take long, but no single step does.
const LIMIT: Duration = Duration::from_secs(60 * 60);

/// The options of the command line.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    folder: PathBuf,
    /// Passed to the script unchanged.
    flags: Vec<String>,
}

impl Options {
    pub(crate) fn parse(mut args: &[&str]) -> Option<Self> {
        let mut folder = None;
        let mut flags = Vec::new();
        loop {
            args = match args {
                [] => return Some(Self { folder: folder?, flags }),
                [flag @ ("--json" | "--no-peers" | "--apart" | "--check"), rest @ ..] => {
                    flags.push((*flag).to_owned());
                    rest
                }
                ["--ranking", which @ ("best" | "formula" | "both"), rest @ ..] => {
                    flags.push(format!("--ranking={which}"));
                    rest
                }
                ["--set", name, rest @ ..] if !name.starts_with('-') => {
                    flags.push(format!("--set={name}"));
                    rest
                }
                ["--meaning", file, rest @ ..] if !file.starts_with('-') => {
                    // The script runs in the repository's root; the path is relative to the user's folder.
                    flags.push(format!("--meaning={}", std::path::absolute(file).ok()?.display()));
                    rest
                }
                [path, rest @ ..] if !path.starts_with('-') && folder.is_none() => {
                    folder = Some(PathBuf::from(path));
                    rest
                }
                _ => return None,
            }
        }
    }
}

pub(crate) fn eval(options: &Options) -> Result<ExitCode> {
    build_if_missing()?;
    // The script runs in the repository's root; the path is relative to the user's folder.
    let folder = std::path::absolute(&options.folder).context("could not make the path absolute")?;
    let mut script = run::command("node", &["benches/eval.mjs"]);
    script.args(&options.flags).arg("--").arg(folder);
    report(&mut script, LIMIT)
}

/// Builds the npm package if it is missing. An existing one is measured unchanged.
pub(crate) fn build_if_missing() -> Result<()> {
    let parts =
        ["pkg/dist/entry/node.js", "pkg/dist/entry/browser.js", "pkg/wasm/keepsake.wasm", "node_modules/keepsake"];
    if parts.iter().all(|part| paths::at(part).exists()) { Ok(()) } else { on_stderr("build") }
}

/// Runs another command of this program with its output on stderr: stdout is for the figures.
pub(crate) fn on_stderr(name: &str) -> Result<()> {
    let this_program = std::env::current_exe().context("could not find out where this program is")?;
    let mut command = run::command(this_program, &[name]);
    let outcome = run::watch(&mut command, LIMIT, &mut |line| eprintln!("{line}"))?;
    run::success(&command, &outcome, LIMIT)
}

/// Runs a script that reports its own errors.
pub(crate) fn report(script: &mut Command, limit: Duration) -> Result<ExitCode> {
    let outcome = run::watch(script, limit, &mut |line| println!("{line}"))?;
    match outcome {
        run::Outcome::Ended(status) if status.code() == Some(1) => Ok(ExitCode::FAILURE),
        outcome => run::success(script, &outcome, limit).map(|()| ExitCode::SUCCESS),
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn options(folder: &str, flags: &[&str]) -> Option<Options> {
        Some(Options { folder: folder.into(), flags: flags.iter().map(|&flag| flag.to_owned()).collect() })
    }

    #[test]
    fn parsing() {
        assert_eq!(Options::parse(&["data"]), options("data", &[]));
        assert_eq!(
            Options::parse(&["--json", "data", "--ranking", "best"]),
            options("data", &["--json", "--ranking=best"])
        );
        assert_eq!(
            Options::parse(&["data", "--set", "beam", "--no-peers", "--apart", "--check"]),
            options("data", &["--set=beam", "--no-peers", "--apart", "--check"])
        );
        assert_eq!(
            Options::parse(&["data", "--meaning", "/data/meaning-en.bin"]),
            options("data", &["--meaning=/data/meaning-en.bin"])
        );
        assert_eq!(Options::parse(&["data", "--meaning"]), None);
        assert_eq!(Options::parse(&[]), None);
        assert_eq!(Options::parse(&["--check"]), None);
        assert_eq!(Options::parse(&["data", "more"]), None);
        assert_eq!(Options::parse(&["data", "--ranking", "worst"]), None);
        assert_eq!(Options::parse(&["data", "--set"]), None);
        assert_eq!(Options::parse(&["data", "--set", "--json"]), None);
        assert_eq!(Options::parse(&["data", "--jsno"]), None);
    }
}
