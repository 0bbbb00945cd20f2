//! A store on a bucket of keys and values: what lies behind `wasi:keyvalue`, whoever serves it.
//!
//! Such a bucket has no order, and no change of two keys at once. So everything but one value is written once and never
//! changed: blocks of a tree, under names that nobody else has. The one value that changes, the manifest, says which
//! blocks count; a commit writes its blocks, and then swaps the manifest.

mod block;
mod bucket;
mod bytes;
mod claims;
mod first;
mod head;
mod manifest;
#[cfg(test)]
pub(crate) mod memory;
mod store;
#[cfg(test)]
mod tests;
mod tree;
mod turns;

pub use bucket::{Bucket, BucketError, Swapped};
pub use claims::Claims;
pub use head::{Head, Native};
pub use store::{KvStore, Size};
