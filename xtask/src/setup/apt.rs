//! Programs from neither cargo nor npm: found on the PATH, or installed where that needs no confirmation.

use std::env;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::paths::on_path;
use crate::run::{self, command};

/// A program, and how to find or install it.
pub(super) struct Program {
    /// Its display name.
    pub(super) title: &'static str,
    /// The environment variable with its path.
    pub(super) variable: &'static str,
    /// Its names on the PATH.
    pub(super) names: &'static [&'static str],
    /// Its Debian package.
    pub(super) package: &'static str,
}

impl Program {
    /// Its path. Installs it if it is missing.
    pub(super) fn ensure(&self) -> Result<PathBuf> {
        if let Some(file) = self.find() {
            return Ok(file);
        }
        if !can_install() {
            bail!(self.remedy());
        }
        self.apt_get(&["update"])?;
        self.apt_get(&["install", "-y", "--no-install-recommends", self.package])?;
        let missing =
            || format!("apt-get installed the package, but the program is not on the PATH; {}", self.remedy());
        self.find().with_context(missing)
    }

    /// Whether it is installed, or can be.
    pub(super) fn can_be_had(&self) -> bool {
        self.find().is_some() || can_install()
    }

    fn find(&self) -> Option<PathBuf> {
        let named = env::var_os(self.variable).map(PathBuf::from).filter(|file| file.is_file());
        named.or_else(|| self.names.iter().copied().find_map(on_path))
    }

    fn apt_get(&self, args: &[&str]) -> Result<()> {
        let mut apt_get = command("apt-get", args);
        run::run(apt_get.env("DEBIAN_FRONTEND", "noninteractive"), run::OTHER).with_context(|| self.remedy())
    }

    fn remedy(&self) -> String {
        let Self { title, variable, package, .. } = self;
        format!(
            "{title} is missing; on Debian, as root: apt-get update && apt-get install -y --no-install-recommends \
             {package}; elsewhere install it and put it on the PATH, or name it in {variable}"
        )
    }
}

fn can_install() -> bool {
    on_path("apt-get").is_some() && is_root()
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}
