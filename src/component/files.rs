//! Files of Markdown, through the WIT door. Decode, call, encode.

use super::bindings::exports::keepsake::memory::files as door;
use super::env::HostEnv;
use super::files_convert::{self as twins, all, expect, path};
use super::ready::ready;
use super::store::HostStore;
use super::{Keepsake, convert};
use crate::files::{Kind, TreePath};
use crate::memory::{Memory, file_changes, file_document, tool_command};
use crate::model::SessionId;

type Open = Memory<HostStore, HostEnv>;

/// How many learnings or passages are answered if nobody says.
const LEARNINGS: u32 = 5;

impl door::Guest for Keepsake {
    fn read_file(memory: door::MemoryBorrow<'_>, at: String) -> Result<Option<door::File>, door::Error> {
        let at = path(at)?;
        Ok(ready(memory.get::<Open>().file(&at))?.map(Into::into))
    }

    fn list_files(memory: door::MemoryBorrow<'_>, folder: Option<String>) -> Result<Vec<door::File>, door::Error> {
        let folder = folder.map(|folder| TreePath::new("folder", folder)).transpose()?;
        Ok(all(ready(memory.get::<Open>().files(folder.as_ref()))?))
    }

    fn write_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        text: String,
        before: door::Expect,
    ) -> Result<door::File, door::Error> {
        let at = path(at)?;
        Ok(ready(memory.get::<Open>().write_file(&at, &text, expect(&before)))?.into())
    }

    fn append_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        text: String,
        before: door::Expect,
    ) -> Result<door::File, door::Error> {
        let at = path(at)?;
        Ok(ready(memory.get::<Open>().append_file(&at, &text, expect(&before)))?.into())
    }

    fn merge_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        base: String,
        text: String,
    ) -> Result<(door::File, Vec<door::MergeConflict>), door::Error> {
        let at = path(at)?;
        let (file, merged) = ready(memory.get::<Open>().merge_file(&at, &base, &text))?;
        Ok((file.into(), all(merged.conflicts)))
    }

    fn move_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        to: String,
        before: door::Expect,
    ) -> Result<door::File, door::Error> {
        let (at, to) = (path(at)?, TreePath::new("to", to)?);
        Ok(ready(memory.get::<Open>().move_file(&at, &to, expect(&before)))?.into())
    }

    fn delete_file(memory: door::MemoryBorrow<'_>, at: String, before: door::Expect) -> Result<bool, door::Error> {
        let at = path(at)?;
        Ok(ready(memory.get::<Open>().delete_file(&at, expect(&before)))?)
    }

    fn file_history(memory: door::MemoryBorrow<'_>, at: String) -> Result<Vec<door::File>, door::Error> {
        let at = path(at)?;
        Ok(all(ready(memory.get::<Open>().file_history(&at))?))
    }

    fn parse_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        text: Option<String>,
    ) -> Result<Option<door::Json>, door::Error> {
        let at = path(at)?;
        let text = match text {
            Some(text) => Some(text),
            None => ready(memory.get::<Open>().file(&at))?.map(|file| file.text),
        };
        Ok(text.map(|text| file_document(Kind::of(at.as_str()), &text).to_string()))
    }

    fn update_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        changes: door::JsonObject,
        before: door::Expect,
    ) -> Result<door::File, door::Error> {
        let at = path(at)?;
        let changes = file_changes(Kind::of(at.as_str()), convert::object("changes", &changes)?)?;
        Ok(ready(memory.get::<Open>().update_file(&at, &changes, expect(&before)))?.into())
    }

    fn update_section(
        memory: door::MemoryBorrow<'_>,
        at: String,
        section: String,
        text: String,
        before: door::Expect,
    ) -> Result<door::File, door::Error> {
        let at = path(at)?;
        Ok(ready(memory.get::<Open>().update_section(&at, &section, &text, expect(&before)))?.into())
    }

    fn lint_file(
        memory: door::MemoryBorrow<'_>,
        at: String,
        text: Option<String>,
    ) -> Result<Vec<door::Warning>, door::Error> {
        let at = path(at)?;
        Ok(all(ready(memory.get::<Open>().lint_file(&at, text.as_deref()))?))
    }

    fn memory_tool(
        memory: door::MemoryBorrow<'_>,
        root: String,
        writable: Vec<String>,
        command: door::JsonObject,
    ) -> Result<Result<String, String>, door::Error> {
        let command = tool_command(convert::object("command", &command)?)?;
        Ok(ready(memory.get::<Open>().memory_tool(&root, &writable, &command))?)
    }

    fn activate(memory: door::MemoryBorrow<'_>, agent: String) -> Result<door::Activated, door::Error> {
        Ok(ready(memory.get::<Open>().activate(&agent))?.into())
    }

    fn activate_member(memory: door::MemoryBorrow<'_>, agent: String) -> Result<door::Activated, door::Error> {
        Ok(ready(memory.get::<Open>().activate_member(&agent))?.into())
    }

    fn end_session(
        memory: door::MemoryBorrow<'_>,
        agent: String,
        end: door::SessionEnd,
    ) -> Result<Vec<door::File>, door::Error> {
        let memory = memory.get::<Open>();
        let end = twins::session_end(end, &memory.today()?)?;
        Ok(all(ready(memory.end_session(&agent, &end))?))
    }

    fn record_notes(
        memory: door::MemoryBorrow<'_>,
        at: String,
        notes: Vec<door::Note>,
    ) -> Result<door::File, door::Error> {
        let (at, memory) = (path(at)?, memory.get::<Open>());
        let today = memory.today()?;
        let notes: Vec<_> = notes.into_iter().map(|note| twins::note(note, &today)).collect();
        Ok(ready(memory.record_notes(&at, &notes))?.into())
    }

    fn search_learnings(
        memory: door::MemoryBorrow<'_>,
        agent: String,
        query: String,
        limit: Option<u32>,
    ) -> Result<Vec<door::FoundLearning>, door::Error> {
        let limit = limit.unwrap_or(LEARNINGS) as usize;
        Ok(all(ready(memory.get::<Open>().search_learnings(&agent, &query, limit))?))
    }

    fn search_knowledge(
        memory: door::MemoryBorrow<'_>,
        agent: String,
        query: String,
        limit: Option<u32>,
    ) -> Result<Vec<door::FoundPassage>, door::Error> {
        let limit = limit.unwrap_or(LEARNINGS) as usize;
        Ok(all(ready(memory.get::<Open>().search_knowledge(&agent, &query, limit))?))
    }

    fn write_session(
        memory: door::MemoryBorrow<'_>,
        session: String,
        folder: Option<String>,
    ) -> Result<Vec<door::File>, door::Error> {
        let session = SessionId::new("session", session)?;
        let folder = folder.map(|folder| TreePath::new("folder", folder)).transpose()?;
        Ok(all(ready(memory.get::<Open>().write_session(&session, folder.as_ref()))?))
    }

    fn ingest_sources(memory: door::MemoryBorrow<'_>) -> Result<door::SourceChanges, door::Error> {
        let changes = ready(memory.get::<Open>().ingest_sources())?;
        Ok(door::SourceChanges { added: changes.added, removed: changes.removed })
    }

    fn dispatch(
        memory: door::MemoryBorrow<'_>,
        lead: String,
        task: door::Dispatched,
    ) -> Result<door::Dispatched, door::Error> {
        let memory = memory.get::<Open>();
        let dispatch = twins::dispatch(task, &memory.this_minute()?);
        Ok(ready(memory.dispatch(&lead, &dispatch))?.into())
    }

    fn dispatches(memory: door::MemoryBorrow<'_>, lead: String) -> Result<Vec<door::Dispatched>, door::Error> {
        Ok(all(ready(memory.get::<Open>().dispatches(&lead))?))
    }

    fn hand_over(memory: door::MemoryBorrow<'_>, handoff: door::Handoff) -> Result<door::LogEntry, door::Error> {
        let memory = memory.get::<Open>();
        let handoff = twins::handoff(handoff, &memory.this_minute()?);
        Ok(ready(memory.hand_over(&handoff))?.into())
    }

    fn handoffs(
        memory: door::MemoryBorrow<'_>,
        to: Option<String>,
        status: Option<door::Status>,
    ) -> Result<Vec<door::LogEntry>, door::Error> {
        Ok(all(ready(memory.get::<Open>().handoffs(to.as_deref(), status.map(Into::into)))?))
    }

    fn set_handoff(
        memory: door::MemoryBorrow<'_>,
        heading: String,
        task: Option<String>,
        status: door::Status,
        outcome: Option<String>,
    ) -> Result<door::LogEntry, door::Error> {
        let (task, outcome) = (task.as_deref(), outcome.as_deref());
        Ok(ready(memory.get::<Open>().set_handoff(&heading, task, status.into(), outcome))?.into())
    }

    fn add_blocker(memory: door::MemoryBorrow<'_>, blocker: door::Blocker) -> Result<door::LogEntry, door::Error> {
        Ok(ready(memory.get::<Open>().add_blocker(&blocker.into()))?.into())
    }

    fn blockers(
        memory: door::MemoryBorrow<'_>,
        status: Option<door::Status>,
    ) -> Result<Vec<door::LogEntry>, door::Error> {
        Ok(all(ready(memory.get::<Open>().blockers(status.map(Into::into)))?))
    }

    fn set_blocker(
        memory: door::MemoryBorrow<'_>,
        heading: String,
        status: door::Status,
        resolved_by: Option<String>,
        resolution: Option<String>,
    ) -> Result<door::LogEntry, door::Error> {
        let (resolved_by, resolution) = (resolved_by.as_deref(), resolution.as_deref());
        Ok(ready(memory.get::<Open>().set_blocker(&heading, status.into(), resolved_by, resolution))?.into())
    }
}
