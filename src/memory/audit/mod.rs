//! Verification: the log against the storage, the export of a log, and the repair of stored data.

pub(super) mod frozen;
mod inspect;
mod log_lines;
mod thing;
pub(super) mod verify;
