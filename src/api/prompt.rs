//! The context of a conversation's next turn.

use super::{Session, call};
use crate::context::formats::Format;
use crate::context::prompt::Kind;
use crate::memory::{Context, ContextOptions, Env, Error};
use crate::model::{AgentId, Embedding, Invalid, Json, SessionId, Trust};
use crate::store::Store;

call! {
    /// Builds a prompt; see [`Session::context`].
    BuildContext((Result<SessionId, Invalid>, ContextOptions)) -> Context, |memory, given| {
        let (session, options) = given;
        memory.context(&session?, &options).await
    }
}

impl<S, E> BuildContext<S, E> {
    /// The most tokens of the prompt. Required.
    pub fn budget(self, tokens: u32) -> Self {
        self.edit(|(_, options)| options.budget = tokens)
    }

    /// The subject of the prompt. Default: the user's last message.
    pub fn query(self, query: impl Into<String>) -> Self {
        self.edit(|(_, options)| options.query = Some(query.into()))
    }

    /// Instructions of the app, which come first.
    pub fn system(self, system: impl Into<String>) -> Self {
        self.edit(|(_, options)| options.system = Some(system.into()))
    }

    /// The kinds to include, in this order. Default: all.
    pub fn include(self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        self.edit(|(_, options)| options.order = kinds.into_iter().collect())
    }

    /// The most messages. Default: as many as the budget allows.
    pub fn window(self, messages: usize) -> Self {
        self.edit(|(_, options)| options.window = Some(messages))
    }

    /// The most memories and documents. Default: 5, or what the policy allows.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|(_, options)| options.limit = Some(limit))
    }

    /// The task type, which selects skills.
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        self.edit(|(_, options)| options.task_type = Some(task_type.into()))
    }

    /// The calling agent. Default: the session's.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.edit(|(_, options)| options.agent = Some(agent.into()))
    }

    /// The flow, whose policy applies.
    pub fn flow(self, flow: impl Into<String>) -> Self {
        self.edit(|(_, options)| options.flow = Some(flow.into()))
    }

    /// The least trust of memories, documents and summaries.
    pub fn min_trust(self, trust: Trust) -> Self {
        self.edit(|(_, options)| options.min_trust = Some(trust))
    }

    /// The embedding of the query, by the model that embedded the entries.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        let embedding = Embedding::new("embedding", embedding.into());
        self.set(embedding, |(_, options), made| options.embedding = Some(made))
    }
}

impl<S: Store, E: Env> BuildContext<S, E> {
    /// The request for a provider, in its JSON, in place of the parts: the prompt as the app's instructions, and the
    /// messages.
    pub async fn format(self, format: Format) -> Result<Json, Error> {
        let (session, options) = self.given.checked()?;
        let context = self.memory.context(&session?, &options).await?;
        self.memory.sent(format, &context, options.system.as_deref())
    }
}

impl<S: Store, E: Env> Session<S, E> {
    /// Builds the prompt of the next turn within a budget of tokens: instructions, profile, summaries, skills, memories
    /// and documents that matter for it, and the last messages. Everything that was left out is named.
    ///
    /// ```
    /// # use keepsake::{LongTerm, MemStore, Memory, Role};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// memory.add("The user's deploys are on Tuesdays").namespace(LongTerm).await?;
    /// let chat = memory.session("s-1");
    /// chat.append(Role::User, "When do we deploy?").await?;
    ///
    /// let context = chat.context().budget(4_000).system("You are brief.").await?;
    /// assert!(context.prompt.contains("Tuesdays") && context.tokens <= 4_000);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn context(&self) -> BuildContext<S, E> {
        let named = self.named();
        let agent = named.as_ref().ok().and_then(|(_, agent)| agent.as_ref().map(AgentId::to_string));
        let options = ContextOptions {
            query: None,
            budget: 0,
            order: Kind::ORDER.to_vec(),
            window: None,
            limit: None,
            system: None,
            embedding: None,
            task_type: None,
            agent,
            flow: None,
            ranked: Vec::new(),
            min_trust: None,
        };
        BuildContext::new(&self.memory, (named.map(|(session, _)| session), options))
    }
}
