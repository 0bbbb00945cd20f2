//! The npm packages: the TypeScript of `pkg`, and the demo that uses it.

use std::fs;

use anyhow::{Context, Result};

use crate::paths;
use crate::run::{self, command};

pub(crate) fn build() -> Result<()> {
    // npm packs only what is inside the package's folder.
    for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        let copy = fs::copy(paths::at(name), paths::at("pkg").join(name));
        copy.with_context(|| format!("could not copy {name} into the package"))?;
    }
    if paths::at("pkg/tsconfig.json").is_file() {
        // tsc never deletes: without this, a module that was renamed would be shipped under both names.
        let old = paths::at("pkg/dist");
        if old.exists() {
            fs::remove_dir_all(&old).with_context(|| format!("could not remove {}", old.display()))?;
        }
        run::run(&mut command(paths::npm_bin("tsc"), &["-p", "pkg"]), run::OTHER)?;
    }
    if paths::at("www/package.json").is_file() {
        run::run(&mut command("npm", &["run", "--silent", "build", "--workspace", "www"]), run::OTHER)?;
    }
    Ok(())
}
