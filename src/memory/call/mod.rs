//! JSON in and out: verbs by name, the facade of the six stores, and the tools of models. Decode, call, encode.

mod collection_json;
mod dialog_json;
mod digest_json;
pub(super) mod document_json;
mod documented;
pub(super) mod facade;
pub(super) mod files_json;
mod knowledge_json;
mod once;
mod prompt_json;
mod rerank;
mod search_json;
mod slices_json;
mod stores_json;
pub(super) mod tools;
mod verbs;
mod verify_json;
