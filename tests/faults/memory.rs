//! The cases on a store in memory.

pub(crate) use keepsake::MemStore as Disk;

#[path = "cases.rs"]
#[allow(clippy::duplicate_mod, reason = "the same cases on another store")]
mod cases;
