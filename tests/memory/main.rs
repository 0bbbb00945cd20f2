//! Memories as a whole, by their calls. One program, because each would take ten seconds to compile.

mod adding;
mod agent_files;
mod api;
mod collections;
mod conflicts;
mod dialog;
mod eviction;
mod facade;
mod forget;
mod groups;
mod host_limits;
mod learning;
mod log_export;
mod once;
mod poisoning;
mod recording;
mod repeated;
mod search;
mod slices;
mod tools;
mod trust;
mod vectors;
mod verify;

#[path = "../shared/mod.rs"]
mod shared;
#[path = "../shared/verbs.rs"]
mod verbs;
