//! What a memory keeps at hand of its records, so that it can answer without reading them all.

mod catalog;

pub use catalog::Catalog;
