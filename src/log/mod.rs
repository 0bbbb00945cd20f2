//! The frozen log: one hash-chained link per change, one page per commit. Links outlive their records.

mod chain;
mod page;

pub use chain::{Change, Hash, Head, Link, hash};
pub use page::Page;
