//! The stores beside entries and conversations: profile, states, skills, knowledge, experience, and collections.

pub(super) mod collection;
pub(super) mod experience;
pub(super) mod flow;
pub(super) mod graph;
pub(super) mod learning;
pub(super) mod procedural;
mod profile;
pub(super) mod semantic;
