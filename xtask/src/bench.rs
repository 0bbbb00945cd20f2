//! `cargo xtask bench`: the speed of search in a real browser, compared with other search libraries, and of a long
//! conversation, compared with plain IndexedDB.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::{build, eval, paths, run, setup};

/// 200,000 writes to a real IndexedDB are part of `--full`.
const LIMIT: Duration = Duration::from_secs(2 * 60 * 60);

/// Flags for the script.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    service: bool,
    flags: Vec<OsString>,
}

impl Options {
    pub(crate) fn parse(mut args: &[&str]) -> Option<Self> {
        let mut options = Self { service: false, flags: Vec::new() };
        loop {
            args = match args {
                [] => return Some(options),
                ["--service", rest @ ..] => {
                    options.service = true;
                    rest
                }
                [flag @ ("--json" | "--full" | "--dialog" | "--search"), rest @ ..] => {
                    options.flags.push(flag.into());
                    rest
                }
                // The script runs in the repository's root; the path is relative to the user's folder.
                ["--chats", file, rest @ ..] if !file.starts_with('-') => {
                    options.flags.push("--chats".into());
                    options.flags.push(std::path::absolute(file).ok()?.into());
                    rest
                }
                _ => return None,
            }
        }
    }
}

pub(crate) fn bench(options: &Options) -> Result<ExitCode> {
    // Setup runs in its own process, so that its output stays out of the figures.
    eval::on_stderr("setup")?;
    let browser = setup::everything()?;
    eval::build_if_missing()?;
    if options.service {
        return service(&options.flags);
    }
    let mut script = run::command("node", &["benches/bench.mjs"]);
    script.args(&options.flags);
    browser.tell(&mut script);
    eval::report(&mut script, LIMIT)
}

/// The service in wasmtime and on Redis, compared with one that only puts and gets.
fn service(flags: &[OsString]) -> Result<ExitCode> {
    let redis = setup::redis()?;
    build::bare()?;
    run::run(&mut run::cargo(&["build", "--profile", "server", "--package", "keepsake-wasmtime"]), run::COMPILE)?;
    let mut script = run::command("node", &["benches/service.mjs"]);
    redis.tell(script.args(flags).env("KEEPSAKE_WASMTIME", paths::cargo_target().join("server/keepsake-wasmtime")));
    eval::report(&mut script, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn parsing() {
        let parsed = Options::parse(&["--json", "--chats", "/data/chats.json", "--search"]).unwrap();
        assert_eq!(parsed.flags, ["--json", "--chats", "/data/chats.json", "--search"]);
        assert!(!parsed.service);
        let relative = Options::parse(&["--chats", "chats.json"]).unwrap();
        assert!(std::path::Path::new(&relative.flags[1]).is_absolute());
        assert!(Options::parse(&["--service", "--json"]).unwrap().service);
        assert_eq!(Options::parse(&["--chats"]), None);
        assert_eq!(Options::parse(&["--chats", "--json"]), None);
        assert_eq!(Options::parse(&["--fast"]), None);
        assert_eq!(Options::parse(&["more"]), None);
    }
}
