//! The frozen log: one hash-chained link for each change, in pages of one commit. Links outlive what they speak of.

mod chain;
mod page;

pub use chain::{Change, Hash, Head, Link, hash};
pub use page::Page;
