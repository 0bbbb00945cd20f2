//! `cargo xtask setup`: installs missing tools, or names the command to install them.

mod apt;
mod npm;
mod programs;
mod toolchain;

use anyhow::{Result, bail};

pub(crate) use programs::{Driven, browser, firefox, redis, webkit};

/// Installs everything for `demo` and `test`. Every part is tried, so that one run names everything that is missing.
pub(crate) fn everything() -> Result<Driven> {
    let tools = for_building();
    let browser = programs::browser();
    match (tools, browser) {
        (Ok(()), Ok(browser)) => Ok(browser),
        (Err(tools), Err(browser)) => bail!("{tools:#}\n{browser:#}"),
        (Err(error), Ok(_)) | (Ok(()), Err(error)) => Err(error),
    }
}

/// Installs everything for `build`.
pub(crate) fn for_building() -> Result<()> {
    let missing: Vec<String> = [toolchain::ensure_wasm_target(), npm::ensure()]
        .into_iter()
        .filter_map(|result| result.err().map(|error| format!("{error:#}")))
        .collect();
    if missing.is_empty() { Ok(()) } else { bail!("{}", missing.join("\n")) }
}
