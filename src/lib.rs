//! Keepsake: agent memory that lives where the agent runs.
//!
//! One core, three doors. Without a feature this crate is the pure core and a store in memory; `web` adds the
//! wasm-bindgen door for JavaScript, `component` the WIT door, `browser` a store in IndexedDB for apps in Rust.
//! ARCHITECTURE.md has the plan of the house.

#![cfg_attr(not(feature = "full"), allow(dead_code, reason = "without its verbs, much of the library has no caller"))]

#[cfg(all(target_arch = "wasm32", feature = "web", feature = "component"))]
compile_error!("`web` and `component` cannot be encoded in one wasm file: build one artefact for each");

#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub mod browser;
pub mod codec;
#[cfg(feature = "component")]
mod component;
pub mod context;
pub mod files;
pub mod index;
pub mod judgement;
pub mod learn;
pub mod log;
pub mod memory;
pub mod model;
pub mod store;
pub mod text;
pub mod tools;
#[cfg(feature = "web")]
pub mod web;

pub use memory::{Env, Error, ErrorCode, ListOptions, Memory, Stats};
pub use model::{Changes, Config, Draft, Entry};
pub use store::{MemStore, Store};
