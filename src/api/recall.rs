//! Searches of everything, digests of conversations, and documents that are ingested as entries.

use super::given::When;
use super::{Memory, call};
use crate::index::Ranking;
use crate::memory::{Digest, DigestOptions, Env, IngestOptions, RecallOptions, Recalled};
use crate::model::{AgentId, Embedding, Json, Metadata, SessionId, Tags, Trust};
use crate::store::Store;

call! {
    /// Searches everything; see [`Memory::query_memory`].
    QueryMemory((String, RecallOptions)) -> Vec<Recalled>, |memory, given| {
        let (query, options) = given;
        memory.recall(&query, &options).await
    }
}

impl<S, E> QueryMemory<S, E> {
    /// The most hits. Default: 5.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|(_, options)| options.limit = limit)
    }

    /// Only this conversation.
    pub fn session(self, session: impl Into<String>) -> Self {
        self.set(SessionId::new("session", session), |(_, options), session| options.session = Some(session))
    }

    /// The calling agent: entries of other agents are left out.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        let agent = AgentId::new("agent", agent);
        self.set(agent, |(_, options), agent| options.agent = Some(agent.to_string()))
    }

    /// The ranking. Default: [`Ranking::Best`].
    pub fn ranking(self, ranking: Ranking) -> Self {
        self.edit(|(_, options)| options.ranking = ranking)
    }

    /// The least trust of a hit.
    pub fn min_trust(self, trust: Trust) -> Self {
        self.edit(|(_, options)| options.min_trust = Some(trust))
    }

    /// Only hits that answer the query, and none if there is no answer.
    pub fn only_answers(self) -> Self {
        self.edit(|(_, options)| options.only_answers = true)
    }

    /// Also calls of the memory's own tools and their results.
    pub fn include_tool_traffic(self) -> Self {
        self.edit(|(_, options)| options.include_tool_traffic = true)
    }

    /// Hits with the parts of their score.
    pub fn explain(self) -> Self {
        self.edit(|(_, options)| options.explain = true)
    }

    /// The embedding of the query, by the model that embedded the entries.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        let embedding = Embedding::new("embedding", embedding.into());
        self.set(embedding, |(_, options), made| options.embedding = Some(made))
    }
}

call! {
    /// Summarises conversations; see [`Memory::digest`].
    BuildDigest(DigestOptions) -> Digest, |memory, options| memory.digest(&options).await
}

impl<S, E> BuildDigest<S, E> {
    /// Only this conversation, or another one that is given.
    pub fn session(self, session: impl Into<String>) -> Self {
        self.set(SessionId::new("sessions", session), |options, session| options.sessions.push(session))
    }

    /// Only messages from this time on.
    pub fn since(self, since: impl Into<When>) -> Self {
        self.set(since.into().timestamp("since"), |options, since| options.since = Some(since))
    }

    /// Only messages before this time.
    pub fn until(self, until: impl Into<When>) -> Self {
        self.set(until.into().timestamp("until"), |options, until| options.until = Some(until))
    }

    /// Only messages about this, by its words.
    pub fn topic(self, topic: impl Into<String>) -> Self {
        self.edit(|options| options.topic = Some(topic.into()))
    }

    /// The most tokens of the digest.
    pub fn max_tokens(self, tokens: u32) -> Self {
        self.edit(|options| options.max_tokens = tokens)
    }
}

call! {
    /// Ingests a document; see [`Memory::ingest`]. Answers the numbers of its chunks and of replaced ones.
    Ingest((String, String, IngestOptions)) -> (usize, usize), |memory, given| {
        let (source, text, options) = given;
        memory.ingest(&source, &text, &options).await
    }
}

impl<S, E> Ingest<S, E> {
    /// The namespace of the chunks. Default: `long-term`.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|(.., options)| options.namespace = Some(namespace.into()))
    }

    /// Adds tags to each chunk.
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        let tags = Tags::new("tags", tags.into_iter().map(Into::into).collect());
        self.set(tags, |(.., options), tags| options.tags = tags)
    }

    /// The approximate length of a chunk in characters. Default: 1,200.
    pub fn target_chars(self, chars: usize) -> Self {
        self.edit(|(.., options)| options.target_chars = chars)
    }

    /// The document's title, stored with each chunk.
    pub fn title(self, title: impl Into<String>) -> Self {
        self.edit(|(.., options)| options.title = Some(title.into()))
    }

    /// The app's own data, stored with each chunk: a JSON object.
    pub fn metadata(self, metadata: impl Into<Json>) -> Self {
        let metadata = Metadata::new("metadata", metadata.into());
        self.set(metadata, |(.., options), metadata| options.metadata = metadata)
    }

    /// The trust in the document. Default: [`Trust::Low`], because its author is not the user.
    pub fn trust(self, trust: Trust) -> Self {
        self.edit(|(.., options)| options.trust = Some(trust))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Searches everything: entries, messages of all conversations, and their summaries.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, Role};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// memory.session("s-1").append(Role::User, "My flight to Hanoi is on Friday").await?;
    /// memory.ingest("Hanoi is the capital of Vietnam.", "atlas.md").await?;
    ///
    /// let found = memory.query_memory("when do I fly to Hanoi?").limit(2).await?;
    /// assert_eq!(found[0].hit.session.as_deref(), Some("s-1"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn query_memory(&self, query: impl Into<String>) -> QueryMemory<S, E> {
        let options = RecallOptions { limit: 5, ranking: Ranking::Best, ..RecallOptions::default() };
        QueryMemory::new(&self.core, (query.into(), options))
    }

    /// An overview of conversations: topics, decisions and dates, within a budget of tokens.
    pub fn digest(&self) -> BuildDigest<S, E> {
        BuildDigest::new(&self.core, DigestOptions::default())
    }

    /// Stores a document as entries, one for each chunk. It replaces the document of the same source.
    pub fn ingest(&self, text: impl Into<String>, source: impl Into<String>) -> Ingest<S, E> {
        let options = IngestOptions { target_chars: 1200, ..IngestOptions::default() };
        Ingest::new(&self.core, (source.into(), text.into(), options))
    }
}
