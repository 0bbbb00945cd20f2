//! The calls of the interface `dialog`.

use crate::instance::{Call, Instance};
use crate::wit::Trust;
use crate::wit_dialog::{
    Compressed, Context, ContextOptions, Format, History, IngestOptions, Ingested, Message, Origin, Progress, Recall,
    Recalled, Recorded, SessionInfo, Strategy, Verdict, Verification, ViewItem, Window,
};
use wasmtime::component::ResourceAny;

/// Calls a method of `session`.
macro_rules! method {
    ($instance:ident.$call:ident($($argument:expr),*)) => {
        $instance.exports.keepsake_memory_dialog().session().$call(&mut $instance.store, $($argument),*)
    };
}

/// Calls a function beside it.
macro_rules! function {
    ($instance:ident.$call:ident($($argument:expr),*)) => {
        $instance.exports.keepsake_memory_dialog().$call(&mut $instance.store, $($argument),*)
    };
}

impl Instance {
    /// Calls `session.open` without an agent.
    pub fn session(&mut self, memory: ResourceAny, id: &str) -> Call<ResourceAny> {
        self.session_with(memory, id, None)
    }

    /// Calls `session.open`.
    pub fn session_with(&mut self, memory: ResourceAny, id: &str, agent: Option<&str>) -> Call<ResourceAny> {
        method!(self.call_open(memory, &id.to_owned(), agent))
    }

    /// Calls `session.append`.
    pub fn append(&mut self, session: ResourceAny, messages: &[Message]) -> Call<Vec<Message>> {
        method!(self.call_append(session, messages))
    }

    /// Calls `session.messages`.
    pub fn messages(&mut self, session: ResourceAny, limit: Option<u32>, before: Option<&str>) -> Call<Window> {
        method!(self.call_messages(session, limit, before.map(str::to_owned).as_ref()))
    }

    /// Calls `session.message`.
    pub fn message(&mut self, session: ResourceAny, id: &str) -> Call<Option<Message>> {
        method!(self.call_message(session, &id.to_owned()))
    }

    /// Calls `session.info`.
    pub fn info(&mut self, session: ResourceAny) -> Call<Option<SessionInfo>> {
        method!(self.call_info(session))
    }

    /// Calls `session.set-title`.
    pub fn set_title(&mut self, session: ResourceAny, title: &str) -> Call<SessionInfo> {
        method!(self.call_set_title(session, title))
    }

    /// Calls `session.fork`.
    pub fn fork(&mut self, session: ResourceAny, at: &str, to: &str) -> Call<SessionInfo> {
        method!(self.call_fork(session, &at.to_owned(), &to.to_owned()))
    }

    /// Calls `session.delete`.
    pub fn delete_session(&mut self, session: ResourceAny) -> Call<u64> {
        method!(self.call_delete(session))
    }

    /// Calls `session.view`.
    pub fn view(&mut self, session: ResourceAny) -> Call<Vec<ViewItem>> {
        method!(self.call_view(session))
    }

    /// Calls `session.compress`.
    pub fn compress(&mut self, session: ResourceAny, way: Option<Strategy>) -> Call<Compressed> {
        method!(self.call_compress(session, way))
    }

    /// Calls `session.start-compression`.
    pub fn start_compression(&mut self, session: ResourceAny, way: Option<Strategy>) -> Call<Progress> {
        method!(self.call_start_compression(session, way))
    }

    /// Calls `session.continue-compression`.
    pub fn continue_compression(
        &mut self,
        session: ResourceAny,
        token: u64,
        summaries: &[Option<String>],
    ) -> Call<Progress> {
        method!(self.call_continue_compression(session, token, summaries))
    }

    /// Calls `session.histories`.
    pub fn histories(&mut self, session: ResourceAny) -> Call<Vec<History>> {
        method!(self.call_histories(session))
    }

    /// Calls `session.context`.
    pub fn context(&mut self, session: ResourceAny, options: &ContextOptions) -> Call<Context> {
        method!(self.call_context(session, options))
    }

    /// Calls `session.export-log`.
    pub fn export_log(&mut self, session: ResourceAny) -> Call<Vec<String>> {
        method!(self.call_export_log(session))
    }

    /// Calls `session.save-components`.
    pub fn save_components(&mut self, session: ResourceAny, components: &str) -> Call<()> {
        method!(self.call_save_components(session, &components.to_owned()))
    }

    /// Calls `session.load-components`.
    pub fn load_components(&mut self, session: ResourceAny) -> Call<Option<String>> {
        method!(self.call_load_components(session))
    }

    /// Calls `sessions`.
    pub fn sessions(&mut self, memory: ResourceAny) -> Call<Vec<SessionInfo>> {
        function!(self.call_sessions(memory))
    }

    /// Calls `query-memory`.
    pub fn query_memory(&mut self, memory: ResourceAny, recall: &Recall) -> Call<Vec<Recalled>> {
        function!(self.call_query_memory(memory, recall))
    }

    /// Calls `ingest`.
    pub fn ingest(&mut self, memory: ResourceAny, source: &str, text: &str, options: &IngestOptions) -> Call<Ingested> {
        function!(self.call_ingest(memory, source, text, options))
    }

    /// Calls `record`.
    pub fn record(
        &mut self,
        memory: ResourceAny,
        messages: &[Message],
        texts: &[String],
        origin: &Origin,
    ) -> Call<Vec<Recorded>> {
        function!(self.call_record(memory, messages, texts, &[], origin))
    }

    /// Calls `retrieve`.
    pub fn retrieve(
        &mut self,
        memory: ResourceAny,
        query: &str,
        limit: Option<u32>,
        agent: Option<&str>,
        embedding: Option<&[f32]>,
        min_trust: Option<Trust>,
    ) -> Call<String> {
        let embedding = embedding.map(<[f32]>::to_vec);
        function!(self.call_retrieve(memory, query, limit, agent, None, embedding.as_ref(), min_trust))
    }

    /// Calls `verify-log`.
    pub fn verify_log(&mut self, memory: ResourceAny) -> Call<Verdict> {
        function!(self.call_verify_log(memory))
    }

    /// Calls `verify`.
    pub fn verify(&mut self, memory: ResourceAny, repair: bool) -> Call<Verification> {
        function!(self.call_verify(memory, repair))
    }

    /// Calls `check-lines`.
    pub fn check_lines(&mut self, memory: ResourceAny, lines: &[String]) -> Call<Verdict> {
        function!(self.call_check_lines(memory, lines))
    }

    /// Calls `count-tokens`.
    pub fn count_tokens(&mut self, memory: ResourceAny, text: &str) -> Call<u32> {
        function!(self.call_count_tokens(memory, text))
    }

    /// Calls `to-format`.
    pub fn to_format(&mut self, memory: ResourceAny, format: Format, messages: &[Message]) -> Call<String> {
        function!(self.call_to_format(memory, format, messages))
    }

    /// Calls `from-format`.
    pub fn from_format(&mut self, memory: ResourceAny, format: Format, value: &str) -> Call<Vec<Message>> {
        function!(self.call_from_format(memory, format, &value.to_owned()))
    }
}
