//! `cargo xtask demo`: serves the demo, or checks it in a browser.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::{build, run, setup};

/// The options of the command line.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) check: bool,
    pub(crate) port: u16,
}

/// The port without `--port`.
pub(crate) const PORT: u16 = 4173;

impl Options {
    /// Of a command that serves a page on `port`, or checks it.
    pub(crate) fn parse(mut args: &[&str], port: u16) -> Option<Self> {
        let mut options = Self { check: false, port };
        loop {
            match args {
                [] => return Some(options),
                ["--check", rest @ ..] => {
                    options.check = true;
                    args = rest;
                }
                ["--port", port, rest @ ..] => {
                    options.port = port.parse().ok()?;
                    args = rest;
                }
                _ => return None,
            }
        }
    }
}

pub(crate) fn demo(options: &Options) -> Result<ExitCode> {
    run::timed("tools", setup::for_building)?;
    build::page()?;
    if options.check {
        let browser = run::timed("browser", setup::browser)?;
        run::timed("check", || run::run(&mut check(&browser), run::OTHER))?;
        return Ok(ExitCode::SUCCESS);
    }
    // In our own process group and without a limit: it runs until Ctrl-C, which must reach it.
    let port = options.port.to_string();
    let mut server = run::command("node", &["www/serve.mjs", "--port", &port]);
    let status = server.status().with_context(|| format!("could not start `{}`", run::describe(&server)))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The check of the built demo in a browser.
pub(crate) fn check(browser: &setup::Driven) -> Command {
    let mut command = run::command("node", &["tests/e2e/support/demo-check.mjs"]);
    browser.tell(&mut command);
    command
}

#[cfg(test)]
mod tests {
    use super::{Options, PORT};

    #[test]
    fn options() {
        let parse = |args| Options::parse(args, PORT);
        assert_eq!(parse(&[]), Some(Options { check: false, port: PORT }));
        assert_eq!(parse(&["--port", "80", "--check"]), Some(Options { check: true, port: 80 }));
        assert_eq!(parse(&["--port"]), None);
        assert_eq!(parse(&["--port", "x"]), None);
        assert_eq!(parse(&["--chekc"]), None);
    }
}
