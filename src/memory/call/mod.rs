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
pub(super) mod tools;
mod verb;
mod verbs;
mod verify;
