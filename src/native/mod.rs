//! The door for programs in Rust on a machine: the environment of the operating system, a store in one file, and a handle
//! with which the threads of a server share memories.

mod answer;
mod env;
mod file;
#[cfg(feature = "tokio")]
mod shared;
mod timer;

pub use env::SystemEnv;
pub use file::{FileError, FileStore};
#[cfg(feature = "tokio")]
pub use shared::{CallError, MemoryThread, SharedMemory};
