//! WIT functions without a verb: they open a handle, need no memory, or have a special result.

use super::bindings::exports::keepsake::memory::{dialog, files, memory};
use super::bindings::keepsake::memory::types::Error;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use super::wire::{ObjectText, Open, Writer, call, fields};
use crate::codec::json;
use crate::model::{AgentId, Config, Invalid, SessionId, UserId};
use crate::tools::GUIDANCE;

/// A session of an open memory, and its agent.
pub(super) struct Session {
    pub(super) memory: Open,
    pub(super) id: SessionId,
    pub(super) agent: Option<AgentId>,
}

pub(super) fn memory_open(user: String, config: Option<String>) -> Result<memory::Memory, Error> {
    let user = UserId::new("user", user)?;
    let config = match config {
        None => Config::default(),
        Some(text) => {
            let value = json::parse(&text);
            json::config(value.map_err(|_| Invalid::value("config", "must be the JSON text of an object"))?)?
        }
    };
    Ok(memory::Memory::new(ready(Open::open(HostStore::open()?, HostEnv, user, config))?))
}

pub(super) fn memory_hint(memory: &Open) {
    memory.hint();
}

pub(super) fn memory_use_meaning(memory: &Open, file: Vec<u8>) -> Result<(), Error> {
    Ok(memory.use_meaning(&file)?)
}

pub(super) fn session_open(
    memory: dialog::MemoryBorrow<'_>,
    id: String,
    agent: Option<String>,
) -> Result<dialog::Session, Error> {
    let (memory, id) = (memory.get::<Open>().clone(), SessionId::new("id", id)?);
    let agent = agent.map(|id| AgentId::new("agent", id)).transpose()?;
    Ok(dialog::Session::new(Session { memory, id, agent }))
}

/// A missing file is an answer to the model, not an error of the call.
pub(super) fn files_memory_tool(
    memory: files::MemoryBorrow<'_>,
    root: Option<String>,
    writable: Vec<String>,
    command: String,
) -> Result<Result<String, String>, Error> {
    let mut args = Writer::default();
    args.put("root", root);
    args.put("writable", writable);
    args.put("command", ObjectText(command));
    let mut answer = fields(call(memory.get::<Open>(), "memoryTool", args)?)?;
    let text = answer.told("text")?;
    Ok(if answer.told("isError")? { Err(text) } else { Ok(text) })
}

pub(super) fn tools_guidance() -> String {
    GUIDANCE.to_owned()
}
