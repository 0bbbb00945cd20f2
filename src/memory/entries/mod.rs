//! Entries: added, read, searched, embedded; and documents in chunks, each of which is an entry.

pub(super) mod embedding;
pub(super) mod promote;
pub(super) mod reading;
pub(super) mod repeated;
pub(super) mod search;
mod secrets;
pub(super) mod sources;
pub(super) mod writing;
