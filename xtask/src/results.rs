//! `cargo xtask results`: figures that anyone can repeat, beside other libraries, as a page in target/results.

use std::ffi::OsString;
use std::fs;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::{eval, paths, run, setup};

/// A million entries in several libraries are part of `--full`.
const LIMIT: Duration = Duration::from_secs(8 * 60 * 60);

/// The folder with the libraries that only this command needs.
const FOLDER: &str = "benches/results";

/// A copy of the lock file that the libraries were installed from.
const STAMP: &str = "benches/results/node_modules/.installed-from.json";

/// Flags for the script.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    /// Whether the libraries that only this command needs take part.
    all_rivals: bool,
    flags: Vec<OsString>,
}

impl Options {
    pub(crate) fn parse(args: &[&str]) -> Option<Self> {
        let flags = match args {
            [] | ["--quick" | "--full" | "--render" | "--publish" | "--republish"] | ["--quick", "--record"] => {
                args.iter().map(OsString::from).collect()
            }
            ["--data", folder] => data(folder)?,
            ["--full", "--data", folder] | ["--data", folder, "--full"] => {
                let mut flags = data(folder)?;
                flags.push("--full".into());
                flags
            }
            _ => return None,
        };
        let without = ["--quick", "--render", "--publish", "--republish"];
        let all_rivals = !args.iter().any(|flag| without.contains(flag));
        Some(Self { all_rivals, flags })
    }
}

/// The script runs in the repository's root; the path is relative to the user's folder.
fn data(folder: &str) -> Option<Vec<OsString>> {
    if folder.starts_with('-') {
        return None;
    }
    Some(vec!["--data".into(), std::path::absolute(folder).ok()?.into()])
}

pub(crate) fn results(options: &Options) -> Result<ExitCode> {
    // Setup runs in its own process, so that its output stays out of the figures.
    eval::on_stderr("setup")?;
    let browser = setup::everything()?;
    eval::build_if_missing()?;
    if options.all_rivals {
        install()?;
    }
    let mut script = run::command("node", &["benches/results.mjs"]);
    script.args(&options.flags);
    browser.tell(&mut script);
    eval::report(&mut script, LIMIT)
}

/// The guard against slower code, on the modules of `build::web`.
pub(crate) fn guard(browser: &setup::Driven) -> Command {
    let mut script = run::command("node", &["benches/results.mjs", "--quick"]);
    browser.tell(&mut script);
    script
}

/// Installs the libraries, unless those of this lock file are there.
fn install() -> Result<()> {
    let lock = fs::read_to_string(paths::at(FOLDER).join("package-lock.json"))
        .with_context(|| format!("{FOLDER}/package-lock.json is missing"))?;
    if fs::read_to_string(paths::at(STAMP)).is_ok_and(|stamp| stamp == lock) {
        return Ok(());
    }
    let mut npm = run::command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    run::run(npm.current_dir(paths::at(FOLDER)), run::OTHER)
        .with_context(|| format!("the libraries to compare with could not be installed; try: npm ci in {FOLDER}"))?;
    fs::write(paths::at(STAMP), lock).with_context(|| format!("could not write {STAMP}"))
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn flags(args: &[&str]) -> Option<Vec<String>> {
        let parsed = Options::parse(args)?;
        Some(parsed.flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn parsing() {
        assert_eq!(flags(&[]).unwrap(), Vec::<String>::new());
        assert_eq!(flags(&["--quick", "--record"]).unwrap(), ["--quick", "--record"]);
        assert_eq!(flags(&["--full", "--data", "/data"]).unwrap(), ["--data", "/data", "--full"]);
        assert!(std::path::Path::new(&flags(&["--data", "data"]).unwrap()[1]).is_absolute());
        assert!(Options::parse(&["--full"]).unwrap().all_rivals);
        assert!(!Options::parse(&["--quick"]).unwrap().all_rivals);
        for flag in ["--render", "--publish", "--republish"] {
            assert_eq!(flags(&[flag]).unwrap(), [flag]);
            assert!(!Options::parse(&[flag]).unwrap().all_rivals, "{flag}");
        }
        assert_eq!(flags(&["--publish", "--full"]), None);
        assert_eq!(flags(&["--quick", "--publish"]), None);
        assert_eq!(flags(&["--record"]), None);
        assert_eq!(flags(&["--quick", "--full"]), None);
        assert_eq!(flags(&["--data"]), None);
        assert_eq!(flags(&["--data", "--full"]), None);
        assert_eq!(flags(&["--fast"]), None);
    }
}
