//! Prompts: recall, the context of the next prompt, digests, long-term memory, and forgetting.

mod answers;
mod candidates;
pub(super) mod conflicts;
pub(super) mod context;
pub(super) mod digest;
mod digest_text;
mod fading;
pub(super) mod forget;
pub(super) mod long_term;
pub(super) mod recall;
pub(super) mod recent;
pub(super) mod retrieval;
mod sent;
pub(super) mod standing;
pub(super) mod understood;
