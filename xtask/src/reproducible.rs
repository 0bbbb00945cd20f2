//! `cargo xtask reproducible`: builds the shipped web modules twice, from copies of the sources in two folders and
//! without caches, and compares their bytes.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::run::{self, command};
use crate::{build, paths, setup};

/// Paths of different lengths, so that a path inside a module would show.
const COPIES: [&str; 2] = ["target/reproducible/a", "target/reproducible/somewhere/else"];

pub(crate) fn reproducible() -> Result<ExitCode> {
    setup::for_building()?;
    let mut builds = Vec::new();
    for copy in COPIES {
        let folder = paths::at(copy);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("could not remove {copy}"))?;
        }
        copy_sources(&folder)?;
        builds.push(build::web_modules(&folder, &folder.join("target"))?);
    }
    let [first, second] = builds.as_slice() else { bail!("two builds are compared") };
    let mut same = true;
    for ((name, one), (_, other)) in first.iter().zip(second) {
        let equal = one == other;
        println!("{name}: {} bytes, {}", one.len(), if equal { "identical" } else { "DIFFERENT" });
        same &= equal;
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Copies the files that git tracks, as in the working tree.
fn copy_sources(to: &Path) -> Result<()> {
    let listed = run::capture(&mut command("git", &["ls-files", "-z"]), run::OTHER)?;
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        let from = paths::at(path);
        // Deleted, but not committed yet.
        if !from.is_file() {
            continue;
        }
        let file = to.join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
        }
        fs::copy(&from, &file).with_context(|| format!("could not copy {path}"))?;
    }
    Ok(())
}
