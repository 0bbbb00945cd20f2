//! What the tests drive beside Node: a browser, and a key-value store.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::apt::Program;

const CHROMIUM: Program = Program {
    title: "Chromium",
    variable: "CHROMIUM",
    names: &["chromium", "chromium-browser", "google-chrome"],
    package: "chromium",
};

const REDIS: Program =
    Program { title: "Redis", variable: "REDIS_SERVER", names: &["redis-server"], package: "redis-server" };

/// A program that tests drive.
pub(crate) struct Driven {
    variable: &'static str,
    file: PathBuf,
}

impl Driven {
    /// Tells a child process where it is.
    pub(crate) fn tell(&self, command: &mut Command) {
        command.env(self.variable, &self.file);
    }
}

/// The browser that pages run in.
pub(crate) fn browser() -> Result<Driven> {
    ensure(&CHROMIUM)
}

/// The store behind the tests of the service.
pub(crate) fn redis() -> Result<Driven> {
    ensure(&REDIS)
}

fn ensure(program: &Program) -> Result<Driven> {
    Ok(Driven { variable: program.variable, file: program.ensure()? })
}
