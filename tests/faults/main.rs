//! What happens to a memory when its storage fails, conflicts or ends in the middle, on a store in memory and on one in a
//! file.

#[path = "../shared/disk.rs"]
mod disk;
mod file;
#[path = "../shared/folder.rs"]
mod folder;
mod memory;
