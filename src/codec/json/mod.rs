//! The values of the domain as JSON, for the web door, the scenarios and the tools.

mod config;
mod entry;
mod fields;
mod flow;
mod knowhow;
mod message;
mod parse;

pub use config::config;
pub use entry::{draft, embedding, entry, entry_with_content, update};
pub use fields::{Fields, each};
pub use flow::{
    TASK_FIELDS, TASK_STEP_FIELDS, flow_state, policies, policy, profile, read_profile, read_snapshot, snapshot,
};
pub use knowhow::{
    SKILL_FIELDS, STEP_FIELDS, TOOL_STEP_FIELDS, metadata, read_skill, read_step, skill, skill_draft, step, step_draft,
    step_meta, stored_skill, thrown, trace, whole_skill,
};
pub use message::{agentscope, block, blocks, free_message_draft, message, message_draft, read_block};
pub use parse::{NotJson, parse};
