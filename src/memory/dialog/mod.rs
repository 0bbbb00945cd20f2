//! Conversations: messages, sessions and their records, compression, views with hidden messages, and forgotten
//! texts.

pub(super) mod compression;
mod erase;
mod forgotten;
mod hidden;
pub(super) mod messages;
pub(super) mod session_record;
pub(super) mod talk_embedding;
