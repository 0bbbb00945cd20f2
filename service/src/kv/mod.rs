//! A store on a bucket of keys and values, behind any implementation of `wasi:keyvalue`.
//!
//! Such a bucket has no order, and no transaction over two keys. So everything except one value is immutable: blocks of
//! a tree, under unique names. The one mutable value, the manifest, names the live blocks; a commit writes its blocks,
//! and then swaps the manifest.

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
