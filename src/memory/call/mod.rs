//! The JSON interface: verbs by name, the facade of the six stores, and the tools of models. Decode, call, encode.

mod collection;
mod dialog;
mod digest;
mod document;
mod documented;
pub(super) mod facade;
mod files;
mod knowledge;
mod once;
mod prompt;
mod rerank;
mod search;
mod slices;
mod stores;
mod tool_search;
pub(super) mod tools;
mod verb;
mod verbs;
mod verify;

/// The JSON of answers, for values that are serialised by another door.
#[cfg(feature = "serde")]
pub(crate) mod json {
    pub(crate) use super::dialog::{draft as message_draft, info, recalled, recorded, view_item, window};
    pub(crate) use super::digest::digest;
    pub(crate) use super::files::{entry as log_entry, file, found, passage, warning};
    pub(crate) use super::knowledge::{counts, documents, graph as read_graph, knowledge, to_json as graph};
    pub(crate) use super::prompt::context;
    pub(crate) use super::search::{hit, miss};
    pub(crate) use super::verbs::stats;
    pub(crate) use super::verify::{conflict, verdict, verification};
    pub(crate) use crate::memory::audit::rollback::rolled_back;
    pub(crate) use crate::memory::prompt::forget::forgotten;
}
