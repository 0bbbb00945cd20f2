//! The cases on a store in a file.

pub(crate) use crate::disk::FileDisk as Disk;

#[path = "cases.rs"]
#[allow(clippy::duplicate_mod, reason = "the same cases on another store")]
mod cases;
