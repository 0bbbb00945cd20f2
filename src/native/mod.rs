//! The door for programs in Rust on a machine (feature `native`): the environment of the operating system, a store in one
//! file, and, with the feature `tokio`, handles with which the tasks of a server share memories.
//!
//! | the program | how it holds its memory |
//! |---|---|
//! | a command, an agent, a desktop app | [`Memory::open`](crate::Memory::open) on a [`FileStore`] with [`SystemEnv`]; every executor works |
//! | an async server | the same on a `MemoryThread`, and a `SharedMemory` in its handlers |
//! | tests | on a [`MemStore`](crate::MemStore), with the same [`SystemEnv`] |
//!
//! A [`Memory`](crate::Memory) is not `Send`: it belongs to the thread that opened it, because the stores of browsers and of
//! component hosts do. On one thread any number of calls may overlap.

mod answer;
mod env;
mod file;
mod timer;

pub use env::SystemEnv;
pub use file::{FileError, FileStore};
