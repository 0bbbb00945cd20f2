//! Programs that tests drive beside Node: browsers, and a key-value store.

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

const FIREFOX: Program =
    Program { title: "Firefox", variable: "FIREFOX", names: &["firefox-esr", "firefox"], package: "firefox-esr" };

const WEBKIT: Program = Program {
    title: "the driver of WebKitGTK",
    variable: "WEBKIT_DRIVER",
    names: &["WebKitWebDriver"],
    package: "webkit2gtk-driver",
};

/// WebKitGTK needs a display: this one is virtual.
const SCREEN: Program = Program { title: "Xvfb", variable: "XVFB", names: &["Xvfb"], package: "xvfb" };

const REDIS: Program =
    Program { title: "Redis", variable: "REDIS_SERVER", names: &["redis-server"], package: "redis-server" };

/// A program that tests drive.
pub(crate) struct Driven {
    variable: &'static str,
    file: PathBuf,
}

impl Driven {
    /// Passes its path to a child process.
    pub(crate) fn tell(&self, command: &mut Command) {
        command.env(self.variable, &self.file);
    }
}

/// The main browser.
pub(crate) fn browser() -> Result<Driven> {
    ensure(&CHROMIUM)
}

/// Firefox; `None` if it cannot be installed.
pub(crate) fn firefox() -> Result<Option<Driven>> {
    installable(&FIREFOX)
}

/// The driver of WebKit, with a display for it; `None` if one of them cannot be installed.
pub(crate) fn webkit() -> Result<Option<Driven>> {
    if installable(&SCREEN)?.is_none() { Ok(None) } else { installable(&WEBKIT) }
}

/// An installed or installable program; `None` if it is neither. A failed installation is an error.
fn installable(program: &Program) -> Result<Option<Driven>> {
    if program.can_be_had() { ensure(program).map(Some) } else { Ok(None) }
}

/// The store behind the tests of the service.
pub(crate) fn redis() -> Result<Driven> {
    ensure(&REDIS)
}

fn ensure(program: &Program) -> Result<Driven> {
    Ok(Driven { variable: program.variable, file: program.ensure()? })
}
