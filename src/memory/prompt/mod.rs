//! Prompts: recall, the context of the next prompt, digests, and long-term memory.

mod answers;
mod candidates;
pub(super) mod context;
pub(super) mod digest;
mod digest_text;
pub(super) mod long_term;
pub(super) mod recall;
pub(super) mod recent;
mod sent;
pub(super) mod standing;
