//! The components: a module wrapped with its WIT world. Two are the core, one of which calls the host's models; two are
//! the service that keeps memories in a host's key-value store, for the two versions of that interface.

use anyhow::{Context, Result};
use wit_component::ComponentEncoder;

use super::{For, optimise, write};
use crate::paths;

pub(crate) fn build() -> Result<()> {
    // Optimised before it is wrapped: wasm-opt keeps the section that describes the world, but reads no components.
    let module = optimise::smallest(&For::Components.compile("component,full,packs")?)?;
    wrap(&module, "keepsake.component.wasm")?;
    wrap(&for_servers("keepsake", "hooks,full,packs")?, "keepsake-hooks.component.wasm")?;
    wrap(&for_servers("keepsake-service", "draft")?, "keepsake-service-draft.wasm")?;
    wrap(&for_servers("keepsake-service", "draft2")?, "keepsake-service-draft2.wasm")
}

/// The baseline of the service's benchmark: never shipped.
pub(crate) fn bare() -> Result<()> {
    wrap(&for_servers("keepsake-service", "bare")?, "keepsake-service-bare.wasm")
}

/// Compiles for servers, where size does not matter.
fn for_servers(package: &str, features: &str) -> Result<Vec<u8>> {
    For::Components.compile_with("server", package, features)
}

fn wrap(module: &[u8], file: &str) -> Result<()> {
    let component = encode(module).with_context(|| format!("{file} could not be encoded"))?;
    write(&paths::at("target/component").join(file), component)
}

fn encode(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default().module(module)?.validate(true).encode()
}
