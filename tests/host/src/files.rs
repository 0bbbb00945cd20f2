//! The calls of the interface `files`.

use crate::instance::{Call, Instance};
use crate::wit_files::{
    Activated, Blocker, Dispatched, Expect, File, FileInfo, FoundLearning, FoundPassage, Handoff, LogEntry,
    MergeConflict, Note, SessionEnd, Status, Warning,
};
use wasmtime::component::ResourceAny;

/// A method for each function: its name, what it is given, and what it answers.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident => $call:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)+) => {
        impl Instance {
            $(
                $(#[$doc])*
                pub fn $name(&mut self, memory: ResourceAny, $($argument: $kind),*) -> Call<$answer> {
                    self.exports.keepsake_memory_files().$call(&mut self.store, memory, $($argument),*)
                }
            )+
        }
    };
}

functions! {
    /// Calls `read-file`.
    read_file => call_read_file(path: &str) -> Option<File>;
    /// Calls `list-files`.
    list_files => call_list_files(folder: Option<&str>) -> Vec<FileInfo>;
    /// Calls `write-file`.
    write_file => call_write_file(path: &str, text: &str, expect: &Expect) -> File;
    /// Calls `append-file`.
    append_file => call_append_file(path: &str, text: &str, expect: &Expect) -> File;
    /// Calls `merge-file`.
    merge_file => call_merge_file(path: &str, base: &str, text: &str) -> (File, Vec<MergeConflict>);
    /// Calls `move-file`.
    move_file => call_move_file(path: &str, to: &str, expect: &Expect) -> File;
    /// Calls `delete-file`.
    delete_file => call_delete_file(path: &str, expect: &Expect) -> bool;
    /// Calls `file-history`.
    file_history => call_file_history(path: &str) -> Vec<File>;
    /// Calls `parse-file`.
    parse_file => call_parse_file(path: &str, text: Option<&str>) -> Option<String>;
    /// Calls `update-file`.
    update_file => call_update_file(path: &str, changes: &String, expect: &Expect) -> File;
    /// Calls `update-section`.
    update_section => call_update_section(path: &str, section: &str, text: &str, expect: &Expect) -> File;
    /// Calls `lint-file`.
    lint_file => call_lint_file(path: &str, text: Option<&str>) -> Vec<Warning>;
    /// Calls `memory-tool`.
    memory_tool => call_memory_tool(root: Option<&str>, writable: &[String], command: &String) -> Result<String, String>;
    /// Calls `activate`.
    activate => call_activate(agent: &str) -> Activated;
    /// Calls `activate-member`.
    activate_member => call_activate_member(agent: &str) -> Activated;
    /// Calls `end-session`.
    end_session => call_end_session(agent: &str, end: &SessionEnd) -> Vec<File>;
    /// Calls `record-notes`.
    record_notes => call_record_notes(path: &str, notes: &[Note]) -> File;
    /// Calls `search-learnings`.
    search_learnings => call_search_learnings(agent: &str, query: &str, limit: Option<u32>) -> Vec<FoundLearning>;
    /// Calls `search-knowledge`.
    search_knowledge => call_search_knowledge(agent: &str, query: &str, limit: Option<u32>) -> Vec<FoundPassage>;
    /// Calls `dispatch`.
    dispatch => call_dispatch(lead: &str, task: &Dispatched) -> Dispatched;
    /// Calls `dispatches`.
    dispatches => call_dispatches(lead: &str) -> Vec<Dispatched>;
    /// Calls `hand-over`.
    hand_over => call_hand_over(handoff: &Handoff) -> LogEntry;
    /// Calls `handoffs`.
    handoffs => call_handoffs(to: Option<&str>, status: Option<Status>) -> Vec<LogEntry>;
    /// Calls `set-handoff`.
    set_handoff => call_set_handoff(
        heading: &str, task: Option<&str>, status: Status, outcome: Option<&str>
    ) -> LogEntry;
    /// Calls `add-blocker`.
    add_blocker => call_add_blocker(blocker: &Blocker) -> LogEntry;
    /// Calls `blockers`.
    blockers => call_blockers(status: Option<Status>) -> Vec<LogEntry>;
    /// Calls `set-blocker`.
    set_blocker => call_set_blocker(
        heading: &str, status: Status, resolved_by: Option<&str>, resolution: Option<&str>
    ) -> LogEntry;
}
