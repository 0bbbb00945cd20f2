//! The values of the domain as JSON: what the web door, the scenarios and the tools speak.

mod config;
mod entry;
mod fields;
mod flow;
mod knowhow;
mod message;
mod parse;

pub use config::config;
pub use entry::{draft, embedding, entry, entry_with_content, update};
pub use fields::Fields;
pub use flow::{flow_state, policies, policy, profile, read_profile, read_snapshot, snapshot};
pub use knowhow::{read_skill, read_step, skill, skill_draft, step, step_draft, stored_skill, trace, whole_skill};
pub use message::{agentscope, block, blocks, message, message_draft, read_block};
pub use parse::{NotJson, parse};
