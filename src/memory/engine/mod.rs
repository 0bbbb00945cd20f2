//! The engine: the open memory, its state, and how it reads, plans, commits and catches up. Every other room uses it.

mod code;
pub(super) mod derived;
mod driver;
mod env;
mod error;
pub(super) mod fetch;
pub(super) mod judging;
pub(super) mod kept;
pub(super) mod keys;
mod lane;
mod memory;
pub(super) mod note;
pub(super) mod plan;
mod room;
#[cfg(feature = "testing")]
pub mod scripted;
mod segments;
pub(super) mod slices;
#[cfg(feature = "testing")]
pub mod snapshot;
pub(super) mod state;
pub(super) mod talk;
pub(super) mod traffic;
pub(super) mod vectors;
mod writers;

pub use env::{Env, EnvError};
pub use error::{Error, ErrorCode};
pub use memory::Memory;
