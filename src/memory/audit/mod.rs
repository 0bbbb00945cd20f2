//! Verification: the log against the storage, the export of a log, the repair of stored data, and rollback.

pub(super) mod frozen;
mod inspect;
mod log_lines;
pub(super) mod rollback;
mod thing;
pub(super) mod verify;
