//! The store in a file: the contract of stores, and what only a file can do: be locked, damaged, foreign, full, rewritten.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

mod child;
mod damage;
mod file;
#[path = "../shared/folder.rs"]
mod folder;
mod kills;
mod processes;
mod shared;
