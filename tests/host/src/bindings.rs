//! What `wit/` says, in Rust, from the host's side.

#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated from wit/, where the documentation is")]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "keepsake",
    imports: { default: trappable },
    with: { "keepsake:memory/storage.store": crate::storage::Handle },
    additional_derives: [PartialEq],
});
