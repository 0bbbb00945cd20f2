//! One memory for flows and agents: reads before a step, writes after it, under the policy of both.

use super::{Memory, call};
use crate::memory::{DialogContext, Env, Error, MemoryQuery, MemoryResultItem, MemoryWriteEvent};
use crate::model::{AgentId, Embedding, Invalid, Json, Metadata, Policy, Scope, SessionId};
use crate::store::Store;

call! {
    /// Reads for a step; see [`Memory::read`].
    Read(Result<MemoryQuery, Invalid>) -> Vec<MemoryResultItem>, |memory, query| memory.read(&query?).await
}

impl<S, E> Read<S, E> {
    /// The flow.
    pub fn flow(self, flow: impl Into<String>) -> Self {
        self.edit(|query| with(query, |query| query.flow_id = Some(flow.into())))
    }

    /// The node of the flow.
    pub fn node(self, node: impl Into<String>) -> Self {
        self.edit(|query| with(query, |query| query.node_id = Some(node.into())))
    }

    /// The query of scopes that are searched.
    pub fn query(self, text: impl Into<String>) -> Self {
        self.edit(|query| with(query, |query| query.query = Some(text.into())))
    }

    /// The task type, which selects skills and experience.
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        self.edit(|query| with(query, |query| query.task_type = Some(task_type.into())))
    }

    /// Further options, such as `filters` of the search.
    pub fn extra(self, extra: impl Into<Json>) -> Self {
        self.edit(|query| with(query, |query| query.extra = extra.into()))
    }

    /// The embedding of the query, by the model that embedded the entries.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        let embedding = Embedding::new("embedding", embedding.into());
        self.set(embedding, |query, made| with(query, |query| query.embedding = Some(made)))
    }
}

call! {
    /// Writes the outcome of a step; see [`Memory::write`]. Answers whether the policy allows it.
    Write(Result<MemoryWriteEvent, Invalid>) -> bool, |memory, event| memory.write_event(&event?).await
}

impl<S, E> Write<S, E> {
    /// The flow.
    pub fn flow(self, flow: impl Into<String>) -> Self {
        self.edit(|event| with(event, |event| event.flow_id = Some(flow.into())))
    }

    /// The node of the flow.
    pub fn node(self, node: impl Into<String>) -> Self {
        self.edit(|event| with(event, |event| event.node_id = Some(node.into())))
    }

    /// Further data, stored as metadata.
    pub fn meta(self, meta: impl Into<Json>) -> Self {
        self.edit(|event| with(event, |event| event.meta = meta.into()))
    }
}

fn with<T>(given: &mut Result<T, Invalid>, change: impl FnOnce(&mut T)) {
    if let Ok(given) = given {
        change(given);
    }
}

fn ids(session: impl Into<String>, agent: impl Into<String>) -> Result<(SessionId, AgentId), Invalid> {
    Ok((SessionId::new("sessionId", session)?, AgentId::new("agentId", agent)?))
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Reads what an agent needs before a step: each of these scopes that the policy allows, from one snapshot.
    ///
    /// ```
    /// # use keepsake::{Json, MemStore, Memory, types::Scope};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let likes: Json = r#"{ "likes": "tea" }"#.parse().unwrap();
    /// assert!(memory.write("s-1", "planner", Scope::Profile, likes).flow("trip").await?);
    ///
    /// let items = memory.read("s-1", "planner", [Scope::Profile, Scope::Dialog]).flow("trip").await?;
    /// assert_eq!(items[0].payload.get("profile").get("likes").as_str(), Some("tea"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn read(
        &self,
        session: impl Into<String>,
        agent: impl Into<String>,
        scopes: impl IntoIterator<Item = Scope>,
    ) -> Read<S, E> {
        let query = ids(session, agent).map(|(session_id, agent_id)| MemoryQuery {
            user_id: None,
            session_id,
            agent_id,
            flow_id: None,
            node_id: None,
            scopes: scopes.into_iter().collect(),
            query: None,
            task_type: None,
            embedding: None,
            extra: Json::Null,
        });
        Read::new(&self.core, query)
    }

    /// Writes the outcome of a step to a scope.
    pub fn write(
        &self,
        session: impl Into<String>,
        agent: impl Into<String>,
        scope: Scope,
        data: impl Into<Json>,
    ) -> Write<S, E> {
        let event = ids(session, agent).map(|(session_id, agent_id)| MemoryWriteEvent {
            user_id: None,
            session_id,
            agent_id,
            flow_id: None,
            node_id: None,
            scope,
            data: data.into(),
            meta: Json::Null,
        });
        Write::new(&self.core, event)
    }

    /// The policy of a flow and an agent: the narrower one of both.
    pub fn policy(&self, flow: Option<&str>, agent: Option<&str>) -> Policy {
        self.core.policy(flow, agent)
    }

    /// The summary, the last turns and the recorded facts of a conversation, for a prompt of the app's own.
    pub async fn dialog_context(&self, session: impl Into<String>, turns: usize) -> Result<DialogContext, Error> {
        let session = SessionId::new("session", session)?;
        self.core.dialog_context(&session, turns).await
    }

    /// Sets the summary of a conversation, with metadata: a JSON object, or `Json::Null`.
    pub async fn update_summary(
        &self,
        session: impl Into<String>,
        summary: &str,
        metadata: impl Into<Json>,
    ) -> Result<(), Error> {
        let session = SessionId::new("session", session)?;
        let metadata = match metadata.into() {
            Json::Null => Metadata::default(),
            given => Metadata::new("metadata", given)?,
        };
        self.core.update_summary(&session, summary, &metadata).await
    }
}
