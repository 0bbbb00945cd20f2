//! Entries: added, read, searched, embedded; and documents in pieces, each of which is one.

pub(super) mod embedding;
pub(super) mod reading;
pub(super) mod search;
pub(super) mod sources;
pub(super) mod writing;
