//! Keepsake's API as a component: `wasi:http` in front, `wasi:keyvalue` behind.

pub mod api;
mod env;
pub mod kv;
#[cfg(any(feature = "draft", feature = "draft2"))]
mod wasi;
