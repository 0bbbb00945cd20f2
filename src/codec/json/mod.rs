//! The values of the domain as JSON: what the web door, the scenarios and the tools speak.

mod config;
mod entry;
mod fields;
mod parse;

pub use config::config;
pub use entry::{draft, embedding, entry, entry_with_content, update};
pub use fields::Fields;
pub use parse::{NotJson, parse};
