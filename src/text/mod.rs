//! Text: what is cut, counted, split and compared, in any language.

mod summary;

pub use summary::{cut, summarize};
