//! Node, npm, and the packages in package-lock.json.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::paths;
use crate::run::{self, command};

const OLDEST_NODE: u32 = 20;

/// A copy of the lock file that `node_modules` was installed from. Compared by content and not by age, because a
/// checkout sets arbitrary file times.
const STAMP: &str = "node_modules/.installed-from.json";

pub(crate) fn ensure() -> Result<()> {
    let version = run::capture(&mut command("node", &["--version"]), run::OTHER)
        .context("Node 20 or newer is missing; on Debian: apt-get install -y nodejs npm")?;
    match major(&version) {
        Some(major) if major >= OLDEST_NODE => {}
        _ => bail!("Node {} is too old; install Node {OLDEST_NODE} or newer", version.trim()),
    }
    run::capture(&mut command("npm", &["--version"]), run::OTHER)
        .context("npm is missing; on Debian: apt-get install -y npm")?;
    packages()
}

fn packages() -> Result<()> {
    let lock = fs::read_to_string(paths::at("package-lock.json"))
        .context("package-lock.json is missing; make it with: npm install --package-lock-only")?;
    if fs::read_to_string(paths::at(STAMP)).is_ok_and(|stamp| stamp == lock) {
        return Ok(());
    }
    run::run(&mut command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]), run::OTHER)
        .context("the npm packages could not be installed; try: npm ci")?;
    fs::write(paths::at(STAMP), lock).with_context(|| format!("could not write {STAMP}"))
}

/// `v20.11.1` is 20.
fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn major_version() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("20.20.2"), None);
        assert_eq!(major(""), None);
    }
}
