//! `cargo xtask reference`: the pages about every name that the package exports, made from its sources by TypeDoc.

use anyhow::{Context, Result};

use crate::run::{self, command};
use crate::{paths, setup};

/// Writes the pages to `target/reference`. A name that is exported without a word about it is an error.
pub(crate) fn reference() -> Result<()> {
    setup::for_building()?;
    let folder = paths::at("docs/reference");
    // TypeDoc needs a compiler of its own, so it is installed apart from the workspace.
    let mut install = command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    run::run(install.current_dir(&folder), run::OTHER).context("TypeDoc could not be installed")?;
    let typedoc = folder.join("node_modules/.bin/typedoc");
    let mut typedoc = command(typedoc, &["--options", "docs/reference/typedoc.json", "--logLevel", "Warn"]);
    run::run(typedoc.current_dir(paths::at("")), run::OTHER)
}
