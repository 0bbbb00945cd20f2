//! The component: the core module with its WIT world wrapped around it.

use anyhow::{Context, Result};
use wit_component::ComponentEncoder;

use super::{compile, optimise, write};
use crate::paths;

pub(crate) fn build() -> Result<()> {
    // Optimised before it is wrapped: wasm-opt keeps the section that describes the world, but reads no components.
    let module = optimise::smallest(&compile("component,full")?)?;
    let component = encode(&module).context("the component could not be encoded")?;
    write(&paths::at("target/component/keepsake.component.wasm"), component)
}

fn encode(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default().module(module)?.validate(true).encode()
}
