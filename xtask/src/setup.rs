//! `cargo xtask setup`: installs what is missing. What cannot be installed is named with the command that would.

mod browser;
mod npm;
mod toolchain;

use anyhow::{Result, bail};

pub(crate) use browser::Browser;

/// All that `demo` and `test` need. Every part is tried, so that one run names everything that is missing.
pub(crate) fn everything() -> Result<Browser> {
    let tools = for_building();
    let browser = browser::ensure();
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
