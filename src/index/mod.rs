//! The in-memory search index, which answers without reading the records.

mod alike;
mod arena;
mod best;
mod dialog;
mod doc;
mod expansion;
mod formula;
mod listing;
mod meaning;
mod meaning_file;
mod names;
mod pooled;
mod postings;
mod query;
#[cfg(test)]
mod sample;
mod search;
mod segment;
mod store;
mod strings;
mod taking;
mod vector;
mod vocabulary;
mod weights;
mod wordlist;
mod words;
mod writer;
mod writing;

pub use doc::{Doc, DocKind, Found, Span, Text};
pub use meaning_file::Meaning;
pub use query::{Filter, Hit, Miss, Owner, Part, Query, Ranking};
pub use segment::{FORMAT, Segment};
pub use store::Index;
pub use vector::{dimensions, pack};
pub use weights::Weights;
pub use writer::SegmentWriter;
