//! Markdown memory: files that people and agents write by hand, read without losing a byte and edited in place.
//!
//! Nothing here reads a disk or a clock: texts, dates and trees come in, texts and changes go out. A file is split into
//! sections (`document`); documented formats are read from them with line numbers (`sheet`, `log`), and an edit
//! replaces only its own bytes. Everything unknown stays in place.

mod changes;
mod code;
mod diff;
mod dispatch;
mod document;
mod drafts;
mod lines;
mod lint;
mod list;
mod log;
mod merge;
mod names;
mod paths;
mod reserved;
mod select;
mod sheet;
mod table;
mod tool;
mod vague;
mod values;
mod view;

pub use changes::{Changes, Content};
pub use diff::{Mark, diff};
pub use dispatch::{Dispatch, Subtask, dispatches};
pub use document::{Document, Section};
pub use drafts::{Blocker, Decision, Handoff, Issue, Learning, SessionArchive};
pub use lint::{Warning, lint};
pub use list::Item;
pub use log::{Entry, FieldText, Log};
pub use merge::{Conflict, Merged, merge};
pub use names::{Field, Kind, Part};
pub use paths::{MAX_PART, MAX_PATH, ROOTS, TreePath, below, folder_of, from_memories, path_of, to_memories};
pub use reserved::{check_writable, plain_name, refused_in_folders, refused_to_tools};
pub use select::{
    MemberFiles, RECENT_DECISIONS, RECENT_TEAM_DECISIONS, inject, inject_member, newest, pending, pending_handoffs,
    recent_decisions,
};
pub use sheet::{Sheet, skeleton};
pub use table::Row;
pub use tool::{Answer, Change, Command, Tree, run};
pub use values::Status;
