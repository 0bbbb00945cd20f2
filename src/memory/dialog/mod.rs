//! Conversations: messages, sessions and their records, compression, and views with hidden messages.

pub(super) mod compression;
mod erase;
mod hidden;
pub(super) mod messages;
pub(super) mod session_record;
pub(super) mod talk_embedding;
