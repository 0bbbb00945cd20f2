//! The conversations of a memory, through the WIT door. Decode, call, encode.

use super::bindings::exports::keepsake::memory::dialog as door;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use super::{Keepsake, convert, dialog_convert as twins};
use crate::memory::{ContextOptions, DigestOptions, Format, IngestOptions, Memory, Origin};
use crate::model::{AgentId, MessageId, SessionId};

type Open = Memory<HostStore, HostEnv>;

/// A session of an open memory, and who talks in it.
pub(super) struct Session {
    pub(super) memory: Open,
    pub(super) id: SessionId,
    agent: Option<AgentId>,
}

/// How many messages a page has, and how many results a search, if nobody says.
pub(super) const WINDOW: u32 = 30;
pub(super) const RESULTS: u32 = 5;

impl door::Guest for Keepsake {
    type Session = Session;

    fn sessions(memory: door::MemoryBorrow<'_>) -> Result<Vec<door::SessionInfo>, door::Error> {
        let sessions = ready(memory.get::<Open>().sessions())?;
        Ok(sessions.into_iter().map(Into::into).collect())
    }

    fn query_memory(memory: door::MemoryBorrow<'_>, recall: door::Recall) -> Result<Vec<door::Recalled>, door::Error> {
        let (query, options) = twins::recall(recall)?;
        let found = ready(memory.get::<Open>().recall(&query, &options))?;
        Ok(found.into_iter().map(Into::into).collect())
    }

    fn digest(memory: door::MemoryBorrow<'_>, options: door::DigestOptions) -> Result<door::Digested, door::Error> {
        let options = DigestOptions::try_from(options)?;
        Ok(ready(memory.get::<Open>().digest(&options))?.into())
    }

    fn ingest(
        memory: door::MemoryBorrow<'_>,
        source: String,
        text: String,
        options: door::IngestOptions,
    ) -> Result<door::Ingested, door::Error> {
        let options = IngestOptions::try_from(options)?;
        let (chunks, replaced) = ready(memory.get::<Open>().ingest(&source, &text, &options))?;
        Ok(door::Ingested { chunks: chunks as u64, replaced: replaced as u64 })
    }

    fn record(
        memory: door::MemoryBorrow<'_>,
        messages: Vec<door::Message>,
        texts: Vec<String>,
        origin: door::Origin,
    ) -> Result<Vec<door::Recorded>, door::Error> {
        let (memory, origin) = (memory.get::<Open>(), Origin::try_from(origin)?);
        let said = memory.said(twins::drafts(messages)?)?;
        let mut kept = ready(memory.record_texts(&texts, &origin))?;
        kept.extend(ready(memory.record(&said, &origin))?);
        Ok(kept.into_iter().map(Into::into).collect())
    }

    fn retrieve(
        memory: door::MemoryBorrow<'_>,
        query: String,
        limit: Option<u32>,
        agent: Option<String>,
        embedding: Option<door::Embedding>,
    ) -> Result<String, door::Error> {
        let agent = agent.map(|id| AgentId::new("agent", id)).transpose()?;
        let (limit, embedding) = (limit.unwrap_or(RESULTS) as usize, convert::embedding(embedding)?);
        Ok(ready(memory.get::<Open>().retrieve(&query, limit, agent.as_ref(), embedding))?)
    }

    fn verify_log(memory: door::MemoryBorrow<'_>) -> Result<door::Verdict, door::Error> {
        let verdict = ready(memory.get::<Open>().verify_log())?;
        Ok(verdict.into())
    }

    fn verify(memory: door::MemoryBorrow<'_>, repair: bool) -> Result<door::Verification, door::Error> {
        let verification = ready(memory.get::<Open>().verify(repair))?;
        Ok(verification.into())
    }

    fn check_lines(memory: door::MemoryBorrow<'_>, lines: Vec<String>) -> Result<door::Verdict, door::Error> {
        let verdict = ready(memory.get::<Open>().check_lines(&lines))?;
        Ok(verdict.into())
    }

    fn count_tokens(memory: door::MemoryBorrow<'_>, text: String) -> u32 {
        memory.get::<Open>().count_tokens(&text)
    }

    fn to_format(
        memory: door::MemoryBorrow<'_>,
        format: door::Format,
        messages: Vec<door::Message>,
    ) -> Result<door::Json, door::Error> {
        let said = memory.get::<Open>().said(twins::drafts(messages)?)?;
        Ok(Format::from(format).write(&said).to_string())
    }

    fn from_format(format: door::Format, value: door::Json) -> Result<Vec<door::Message>, door::Error> {
        let drafts = Format::from(format).read(&convert::value("value", &value)?)?;
        Ok(drafts.into_iter().map(Into::into).collect())
    }
}

impl door::GuestSession for Session {
    fn open(
        memory: door::MemoryBorrow<'_>,
        id: door::SessionId,
        agent: Option<String>,
    ) -> Result<door::Session, door::Error> {
        let (memory, id) = (memory.get::<Open>().clone(), SessionId::new("id", id)?);
        let agent = agent.map(|id| AgentId::new("agent", id)).transpose()?;
        Ok(door::Session::new(Self { memory, id, agent }))
    }

    fn append(&self, messages: Vec<door::Message>) -> Result<Vec<door::Message>, door::Error> {
        let drafts = twins::drafts(messages)?;
        let kept = ready(self.memory.append(&self.id, self.agent.as_ref(), &drafts))?;
        Ok(twins::messages(kept))
    }

    fn messages(&self, limit: Option<u32>, before: Option<door::MessageId>) -> Result<door::Window, door::Error> {
        let before = before.map(|id| MessageId::new("before", id)).transpose()?;
        let window = ready(self.memory.messages(&self.id, limit.unwrap_or(WINDOW).into(), before.as_ref()))?;
        Ok(window.into())
    }

    fn message(&self, id: door::MessageId) -> Result<Option<door::Message>, door::Error> {
        let id = MessageId::new("id", id)?;
        let found = ready(self.memory.message(&self.id, &id))?;
        Ok(found.map(Into::into))
    }

    fn info(&self) -> Result<Option<door::SessionInfo>, door::Error> {
        let found = ready(self.memory.session(&self.id))?;
        Ok(found.map(Into::into))
    }

    fn set_title(&self, title: String) -> Result<door::SessionInfo, door::Error> {
        let info = ready(self.memory.set_title(&self.id, &title))?;
        Ok(info.into())
    }

    fn fork(&self, at: door::MessageId, to: door::SessionId) -> Result<door::SessionInfo, door::Error> {
        let (at, to) = (MessageId::new("at", at)?, SessionId::new("to", to)?);
        let info = ready(self.memory.fork(&self.id, &at, &to))?;
        Ok(info.into())
    }

    fn delete(&self) -> Result<u64, door::Error> {
        Ok(ready(self.memory.delete_session(&self.id, false))?)
    }

    fn view(&self) -> Result<Vec<door::ViewItem>, door::Error> {
        let view = ready(self.memory.session_view(&self.id))?;
        Ok(view.into_iter().map(Into::into).collect())
    }

    fn view_messages(&self) -> Result<Vec<door::Message>, door::Error> {
        let messages = ready(self.memory.view_messages(&self.id))?;
        Ok(messages.into_iter().map(Into::into).collect())
    }

    fn hide(&self, references: Vec<String>) -> Result<u64, door::Error> {
        Ok(ready(self.memory.hide(&self.id, &references))?)
    }

    fn clear_view(&self) -> Result<u64, door::Error> {
        Ok(ready(self.memory.clear_view(&self.id))?)
    }

    fn restore_view(&self, messages: Vec<door::Message>) -> Result<u64, door::Error> {
        let drafts = twins::drafts(messages)?;
        Ok(ready(self.memory.restore_view(&self.id, self.agent.as_ref(), &drafts))?)
    }

    fn hidden(&self) -> Result<Vec<door::MessageId>, door::Error> {
        let hidden = ready(self.memory.hidden(&self.id))?;
        Ok(hidden.iter().map(ToString::to_string).collect())
    }

    fn compress(&self, way: Option<door::Way>) -> Result<door::Compressed, door::Error> {
        let way = twins::way(way, self.memory.tree_reduce())?;
        let progress = ready(self.memory.compress(&self.id, &way, false))?;
        match progress.into() {
            door::Progress::Done(done) => Ok(done),
            door::Progress::Waiting(_) => unreachable!("without a hook there is nobody to wait for"),
        }
    }

    fn start_compression(&self, way: Option<door::Way>) -> Result<door::Progress, door::Error> {
        let way = twins::way(way, self.memory.tree_reduce())?;
        let progress = ready(self.memory.compress(&self.id, &way, true))?;
        Ok(progress.into())
    }

    fn continue_compression(&self, token: u64, summaries: Vec<Option<String>>) -> Result<door::Progress, door::Error> {
        let progress = ready(self.memory.compressed(token, summaries))?;
        Ok(progress.into())
    }

    fn histories(&self) -> Result<Vec<door::History>, door::Error> {
        let histories = ready(self.memory.histories_with_ends(&self.id))?;
        Ok(histories.into_iter().map(Into::into).collect())
    }

    fn context(&self, options: door::ContextOptions) -> Result<door::Context, door::Error> {
        let options = ContextOptions::try_from(options)?;
        let context = ready(self.memory.context(&self.id, &options))?;
        Ok(context.into())
    }

    fn export_log(&self) -> Result<Vec<String>, door::Error> {
        Ok(ready(self.memory.export_log(&self.id))?)
    }

    fn save_components(&self, components: door::JsonObject) -> Result<(), door::Error> {
        let components = convert::object("components", &components)?;
        Ok(ready(self.memory.save_components(&self.id, &components))?)
    }

    fn load_components(&self) -> Result<Option<door::JsonObject>, door::Error> {
        let kept = ready(self.memory.components(&self.id))?;
        Ok(kept.map(|kept| kept.to_string()))
    }
}
