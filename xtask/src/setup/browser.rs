//! Chromium, which the browser tests need.

use std::env;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::paths::on_path;
use crate::run::{self, command};

const INSTALL: &[&str] = &["install", "-y", "--no-install-recommends", "chromium"];

/// The browser that the tests drive.
pub(crate) struct Browser {
    chromium: PathBuf,
}

impl Browser {
    /// Tells a child process where the browser is.
    pub(crate) fn tell(&self, command: &mut Command) {
        command.env("CHROMIUM", &self.chromium);
    }
}

pub(crate) fn ensure() -> Result<Browser> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    if on_path("apt-get").is_none() || !is_root() {
        bail!(remedy());
    }
    apt_get(&["update"])?;
    apt_get(INSTALL)?;
    find().with_context(|| format!("apt-get installed the package, but the program is not on the PATH; {}", remedy()))
}

fn find() -> Option<Browser> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|file| file.is_file());
    let chromium = named("CHROMIUM")
        .or_else(|| ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path))?;
    Some(Browser { chromium })
}

fn apt_get(args: &[&str]) -> Result<()> {
    let mut apt_get = command("apt-get", args);
    run::run(apt_get.env("DEBIAN_FRONTEND", "noninteractive"), run::OTHER).with_context(remedy)
}

fn remedy() -> String {
    format!(
        "Chromium is missing; on Debian, as root: apt-get update && apt-get {}; elsewhere install it and put it on the \
         PATH, or name it in CHROMIUM",
        INSTALL.join(" ")
    )
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}
