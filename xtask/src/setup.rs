//! `cargo xtask setup`: installs what is missing. What cannot be installed is named with the command that would.

mod apt;
mod npm;
mod programs;
mod toolchain;

use anyhow::{Result, bail};

pub(crate) use programs::{Driven, browser, firefox, redis, webkit};

/// All that `demo` and `test` need. Every part is tried, so that one run names everything that is missing.
pub(crate) fn everything() -> Result<Driven> {
    let tools = for_building();
    let browser = programs::browser();
    match (tools, browser) {
        (Ok(()), Ok(browser)) => Ok(browser),
        (Err(tools), Err(browser)) => bail!("{tools:#}\n{browser:#}"),
        (Err(error), Ok(_)) | (Ok(()), Err(error)) => Err(error),
    }
}

/// All that `build` needs.
pub(crate) fn for_building() -> Result<()> {
    let missing: Vec<String> = [toolchain::ensure_wasm_target(), npm::ensure()]
        .into_iter()
        .filter_map(|result| result.err().map(|error| format!("{error:#}")))
        .collect();
    if missing.is_empty() { Ok(()) } else { bail!("{}", missing.join("\n")) }
}
