//! Chromium and its driver, which the browser tests need.

use std::env;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::paths::on_path;
use crate::run::{self, command};

const INSTALL: &[&str] = &["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"];

/// The browser that the tests drive.
pub(crate) struct Browser {
    chromium: PathBuf,
    driver: PathBuf,
}

impl Browser {
    /// Tells a child process where the browser is: `CHROMIUM` for our own scripts, `CHROMEDRIVER` for the
    /// runner of wasm tests.
    pub(crate) fn tell(&self, command: &mut Command) {
        command.env("CHROMIUM", &self.chromium).env("CHROMEDRIVER", &self.driver);
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
    find()
        .with_context(|| format!("apt-get installed the packages, but the programs are not on the PATH; {}", remedy()))
}

fn find() -> Option<Browser> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|file| file.is_file());
    let chromium = named("CHROMIUM")
        .or_else(|| ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path))?;
    let driver = named("CHROMEDRIVER").or_else(|| on_path("chromedriver"))?;
    Some(Browser { chromium, driver })
}

fn apt_get(args: &[&str]) -> Result<()> {
    let mut apt_get = command("apt-get", args);
    run::run(apt_get.env("DEBIAN_FRONTEND", "noninteractive"), run::OTHER).with_context(remedy)
}

fn remedy() -> String {
    format!(
        "Chromium or its driver is missing; on Debian, as root: apt-get update && apt-get {}; elsewhere install \
         both and put them on the PATH, or name them in CHROMIUM and CHROMEDRIVER",
        INSTALL.join(" ")
    )
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}
