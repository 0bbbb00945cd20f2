//! Long-term memory: what conversations tell about the user is recorded, retrieved and forgotten.

use super::{Memory, call};
use crate::memory::{Env, ForgetOptions, Forgotten, Hit, Origin, Recorded, Understood};
use crate::model::{AgentId, Embedding, Message, SessionId, Trust};
use crate::store::Store;

/// What to record, and where it is from.
#[derive(Debug, Default)]
pub(super) struct Told {
    messages: Vec<Message>,
    texts: Vec<String>,
    understood: Vec<Understood>,
    origin: Origin,
}

call! {
    /// Records facts; see [`Memory::record`].
    Record(Told) -> Vec<Recorded>, |memory, told| {
        let Told { messages, texts, understood, origin } = told;
        let mut kept = memory.record_texts(&texts, &origin).await?;
        kept.extend(memory.record(&messages, &understood, &origin).await?);
        Ok(kept)
    }
}

impl<S, E> Record<S, E> {
    /// Statements to record as they are, beside those in the messages.
    pub fn texts<T: Into<String>>(self, texts: impl IntoIterator<Item = T>) -> Self {
        self.edit(|told| told.texts.extend(texts.into_iter().map(Into::into)))
    }

    /// Facts that a model of the app found in the messages. Messages that it has understood are not judged by rules.
    pub fn understood(self, understood: impl IntoIterator<Item = Understood>) -> Self {
        self.edit(|told| told.understood.extend(understood))
    }

    /// The conversation.
    pub fn session(self, session: impl Into<String>) -> Self {
        self.set(SessionId::new("session", session), |told, session| told.origin.session = Some(session))
    }

    /// The agent that records: what it records is its own.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.set(AgentId::new("agent", agent), |told, agent| told.origin.agent = Some(agent))
    }

    /// The source, in words.
    pub fn source(self, source: impl Into<String>) -> Self {
        self.edit(|told| told.origin.source = Some(source.into()))
    }

    /// The lowest trust of what the recorder has read. Default: [`Trust::Normal`].
    pub fn trust(self, trust: Trust) -> Self {
        self.edit(|told| told.origin.trust = trust)
    }
}

/// What to retrieve, and for whom.
#[derive(Debug)]
pub(super) struct Wanted {
    query: String,
    limit: usize,
    agent: Option<AgentId>,
    embedding: Option<Embedding>,
}

call! {
    /// Retrieves memories; see [`Memory::retrieve`].
    Retrieve(Wanted) -> String, |memory, wanted| {
        memory.retrieve(&wanted.query, wanted.limit, wanted.agent.as_ref(), wanted.embedding).await
    }
}

impl<S, E> Retrieve<S, E> {
    /// The most memories. Default: 5.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|wanted| wanted.limit = limit)
    }

    /// The calling agent, which gets its own memories and those of no agent.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.set(AgentId::new("agent", agent), |wanted, agent| wanted.agent = Some(agent))
    }

    /// The embedding of the query, by the model that embedded the entries.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        self.set(Embedding::new("embedding", embedding.into()), |wanted, made| wanted.embedding = Some(made))
    }
}

call! {
    /// Forgets a statement; see [`Memory::forget`].
    Forget(ForgetOptions) -> Forgotten, |memory, options| memory.forget(&options).await
}

impl<S, E> Forget<S, E> {
    /// Also erases the text of messages that said it, with its copies in tool results, summaries and titles.
    pub fn messages(self) -> Self {
        self.edit(|options| options.messages = true)
    }

    /// Only entries that this agent sees, and conversations that are not another agent's.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.set(AgentId::new("agent", agent), |options, agent| options.agent = Some(agent))
    }
}

call! {
    /// Lists standing instructions; see [`Memory::instructions`].
    Instructions(Option<String>) -> Vec<Hit>, |memory, agent| memory.instructions(agent.as_deref()).await
}

impl<S, E> Instructions<S, E> {
    /// Those for this agent, and those for all.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.set(AgentId::new("agent", agent), |given, agent| *given = Some(agent.to_string()))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Records the facts and the standing instructions in messages, such as those that [`append`] returned. A fact that
    /// is already known becomes stronger, and one that contradicts an older one replaces it.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, Role};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// # let chat = memory.session("s-1");
    /// let said = chat.append(Role::User, "I moved to Hanoi last week. I am allergic to peanuts.").await?;
    /// memory.record([said]).session("s-1").await?;
    ///
    /// let block = memory.retrieve("What may I not eat?").await?;
    /// assert!(block.contains("peanuts"));
    ///
    /// let forgotten = memory.forget("peanuts").messages().await?;
    /// assert_eq!((forgotten.entries.len(), forgotten.messages), (1, 1));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// [`append`]: crate::Session::append
    pub fn record(&self, messages: impl IntoIterator<Item = Message>) -> Record<S, E> {
        Record::new(&self.core, Told { messages: messages.into_iter().collect(), ..Told::default() })
    }

    /// The block of memories that are relevant to a text, quoted for a prompt; empty if there are none.
    pub fn retrieve(&self, query: impl Into<String>) -> Retrieve<S, E> {
        Retrieve::new(&self.core, Wanted { query: query.into(), limit: 5, agent: None, embedding: None })
    }

    /// Erases the entries that a query means ("my PIN"), in every namespace and in the past too. The log keeps salted
    /// hashes only.
    pub fn forget(&self, query: impl Into<String>) -> Forget<S, E> {
        Forget::new(&self.core, ForgetOptions { query: query.into(), ..ForgetOptions::default() })
    }

    /// The standing instructions of the user, such as "always answer in Vietnamese".
    pub fn instructions(&self) -> Instructions<S, E> {
        Instructions::new(&self.core, None)
    }
}
