//! The facade of the six stores (B9–B14): read before a node, write after it. Policies restrict flows and agents (B31).

use super::stores::{task_step, with_score};
use crate::codec::Record;
use crate::codec::json::{self, Fields};
use crate::index::DocKind;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::talk::History;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::stores::flow::TaskStep;
use crate::memory::stores::semantic::KnowledgeQuery;
use crate::model::{
    AgentId, Embedding, Entry, EntryId, Invalid, Json, Message, Metadata, Policy, ProfileSource, Role, Scope,
    SessionId, StepDraft,
};
use crate::store::{Durability, Key, Space, Store};

/// How often a read is retried after a concurrent write before it takes this memory's write lock and queues among the
/// writers.
const PATIENT: u32 = 3;
const TRIES: u32 = 32;

/// The number of facts of a session, failures and traces in a read.
const FACTS: usize = 10;
const FAILURES: usize = 50;

/// The maximum size of a summary in bytes.
const MAX_SUMMARY: usize = 64 * 1024;

/// A read of the facade (B9).
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryQuery {
    /// The expected user; not checked if absent.
    pub user_id: Option<String>,
    /// The session.
    pub session_id: SessionId,
    /// The calling agent.
    pub agent_id: AgentId,
    /// The flow.
    pub flow_id: Option<String>,
    /// The node of the flow.
    pub node_id: Option<String>,
    /// The scopes to read, in this order.
    pub scopes: Vec<Scope>,
    /// The query.
    pub query: Option<String>,
    /// The kind of task.
    pub task_type: Option<String>,
    /// The embedding of the query, from the model that embedded the entries.
    pub embedding: Option<Embedding>,
    /// Further options: `graph`, the number of relations to follow; `filters` of the search; `external`, documents
    /// found elsewhere. Other fields belong to the app and are ignored.
    pub extra: Json,
}

/// A result of the facade (B10).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MemoryResultItem {
    /// The scope.
    pub scope: Scope,
    /// The result.
    pub payload: Json,
}

/// A write of the facade (B11).
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryWriteEvent {
    /// The expected user; not checked if absent.
    pub user_id: Option<String>,
    /// The session.
    pub session_id: SessionId,
    /// The calling agent.
    pub agent_id: AgentId,
    /// The flow.
    pub flow_id: Option<String>,
    /// The node of the flow.
    pub node_id: Option<String>,
    /// The scope.
    pub scope: Scope,
    /// The item to store.
    pub data: Json,
    /// Further data. The trace, cost, latency and skill of a step become its fields; everything else becomes the
    /// metadata of the stored item.
    pub meta: Json,
}

/// The context of a conversation (B15).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DialogContext {
    /// The summary.
    pub summary: Option<String>,
    /// The metadata of a summary set by the app.
    pub summary_metadata: Metadata,
    /// The messages of the last turns, oldest first.
    pub messages: Vec<Message>,
    /// The entries recorded from it.
    pub facts: Vec<Entry>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Reads each requested scope that the policy allows, all from one snapshot.
    pub async fn read(&self, query: &MemoryQuery) -> Result<Vec<MemoryResultItem>, Error> {
        self.check_user(query.user_id.as_deref())?;
        let policy = self.inner.config.policies.of(query.flow_id.as_deref(), Some(query.agent_id.as_str()));
        let mut waiting = None;
        for tries in 0..TRIES {
            if tries == PATIENT {
                waiting = Some(self.inner.writers.enter().await);
                self.inner.store.turn(&self.inner.keys.guard()).await?;
            }
            self.refresh().await?;
            let before = self.revision();
            let mut items: Vec<MemoryResultItem> = Vec::with_capacity(query.scopes.len());
            for scope in query.scopes.iter().copied().filter(|scope| policy.reads(*scope)) {
                if !items.iter().any(|item| item.scope == scope) {
                    items.push(MemoryResultItem { scope, payload: self.payload(scope, query, &policy).await? });
                }
            }
            if self.current_revision().await?.0 == before {
                return Ok(items);
            }
        }
        drop(waiting);
        Err(Error::Contended { tries: TRIES })
    }

    async fn payload(&self, scope: Scope, query: &MemoryQuery, policy: &Policy) -> Result<Json, Error> {
        let words = query.query.as_deref().unwrap_or("");
        let task_type = query.task_type.as_deref();
        let list = |name: &'static str, items: Vec<Json>| Json::Object(vec![(name.to_owned(), Json::Array(items))]);
        Ok(match scope {
            Scope::Dialog => self.context_of(&query.session_id, policy.max_dialog_turns).await?.to_json(),
            Scope::Profile => Json::Object(vec![("profile".to_owned(), self.profile().await?.value)]),
            Scope::State => {
                let snapshot = match &query.flow_id {
                    Some(flow) => {
                        let found = self.state(flow, &query.session_id, None).await?;
                        found.map(|found| json::snapshot(flow, query.session_id.as_str(), &found))
                    }
                    None => None,
                };
                Json::Object(vec![("state".to_owned(), snapshot.unwrap_or_default())])
            }
            Scope::Semantic => {
                let mut extra = object("extra", &query.extra)?;
                let graph = extra.count("graph").unwrap_or(1).min(2);
                let external = super::knowledge::external(&mut extra);
                let filters = super::knowledge::filters(extra.value("filters").unwrap_or_default());
                let filters = extra.accept(filters).unwrap_or_default();
                extra.others().map_err(|mistake| mistake.within("extra"))?;
                let asked = KnowledgeQuery {
                    query: words.to_owned(),
                    top_k: policy.max_docs,
                    filters,
                    graph: Some(graph),
                    external,
                    embedding: query.embedding.clone(),
                };
                let found = if words.trim().is_empty() { Vec::new() } else { self.knowledge(&asked).await? };
                list("docs", found.iter().map(super::knowledge::knowledge).collect())
            }
            Scope::Procedural => {
                let found = self.skills_for(task_type, words, policy.max_skills).await?;
                list("skills", found.iter().map(with_score).collect())
            }
            Scope::Experience => {
                let failures = self.failures(task_type, FAILURES).await?;
                let successes = self.successful_traces(task_type, FACTS).await?;
                Json::object(vec![
                    ("failures", Json::Array(failures.iter().map(json::step).collect())),
                    ("successes", Json::Array(successes.iter().map(json::trace).collect())),
                ])
            }
        })
    }

    /// Stores the item of an event. Returns false if the policy does not allow experience to be written.
    pub async fn write_event(&self, event: &MemoryWriteEvent) -> Result<bool, Error> {
        self.check_user(event.user_id.as_deref())?;
        let policy = self.inner.config.policies.of(event.flow_id.as_deref(), Some(event.agent_id.as_str()));
        let data = |mistake: Invalid| mistake.within("data");
        if !matches!(event.data, Json::Object(_)) {
            return Err(Invalid::value("data", "must be an object").into());
        }
        let mut fields = Fields::of("data", event.data.clone());
        if event.scope == Scope::Experience && !policy.write_experience {
            return Ok(false);
        }
        let mut meta = object("meta", &event.meta)?;
        // Some metadata of a step are fields of the step.
        let of_step = if event.scope == Scope::Experience { json::step_meta(&mut meta) } else { StepDraft::default() };
        let metadata = meta.rest();
        meta.finish().map_err(|mistake| mistake.within("meta"))?;
        let metadata = Metadata::new("meta", Json::Object(metadata))?;
        match event.scope {
            Scope::Dialog if fields.has("summary") => {
                let summary = fields.required_text("summary");
                fields.finish().map_err(data)?;
                self.update_summary(&event.session_id, &summary, &metadata).await?;
            }
            Scope::Dialog => {
                let mut draft = json::free_message_draft(event.data.clone()).map_err(data)?;
                draft.metadata = draft.metadata.or("meta", metadata)?;
                self.append(&event.session_id, Some(&event.agent_id), &[draft]).await.map_err(within_data)?;
            }
            Scope::State => {
                if fields.has("taskId") || fields.has("task_id") {
                    let task = fields.either("taskId", "task_id").unwrap_or_default();
                    let mut step = TaskStep { flow: event.flow_id.clone(), ..task_step(&mut fields) };
                    step.own = fields.own("step", json::TASK_STEP_FIELDS);
                    fields.finish().map_err(data)?;
                    step.metadata = step.metadata.or("meta", metadata)?;
                    self.log_task_step(&task, Some(&event.session_id), &step).await.map_err(within_data)?;
                    return Ok(true);
                }
                // An object that is no step and has no `state` is the state itself (B17).
                let state = match fields.value("state") {
                    Some(state) => {
                        fields.finish().map_err(data)?;
                        json::flow_state("state", state).map_err(data)?
                    }
                    None => json::flow_state("data", event.data.clone())?,
                };
                let flow =
                    event.flow_id.as_deref().ok_or_else(|| Invalid::value("flowId", "is required for a state"))?;
                self.save_state(flow, &event.session_id, &state, None, &metadata).await?;
            }
            Scope::Semantic => {
                let documents = if fields.has("documents") {
                    let documents = fields.list("documents");
                    fields.finish().map_err(data)?;
                    documents
                } else {
                    vec![event.data.clone()]
                };
                let mut documents = super::knowledge::documents(documents).map_err(data)?;
                for document in &mut documents {
                    document.metadata = std::mem::take(&mut document.metadata).or("meta", metadata.clone())?;
                }
                self.add_documents(&documents).await.map_err(within_data)?;
            }
            Scope::Procedural => {
                let mut draft = json::whole_skill(event.data.clone()).map_err(data)?;
                draft.metadata = draft.metadata.or("meta", metadata)?;
                self.add_skill(&draft).await.map_err(within_data)?;
            }
            Scope::Profile => {
                let changes = match fields.value("changes") {
                    Some(changes) => {
                        fields.finish().map_err(data)?;
                        changes
                    }
                    None => event.data.clone(),
                };
                let source = ProfileSource { source: Some(event.agent_id.to_string()), metadata };
                self.update_profile(&changes, &source).await.map_err(within_data)?;
            }
            Scope::Experience => {
                let mut draft = json::step_draft(&mut fields);
                fields.finish().map_err(data)?;
                draft.trace_id = draft.trace_id.or(of_step.trace_id);
                draft.cost = draft.cost.or(of_step.cost);
                draft.latency_ms = draft.latency_ms.or(of_step.latency_ms);
                draft.skill_id = draft.skill_id.or(of_step.skill_id);
                draft.metadata = draft.metadata.or("meta", metadata)?;
                draft.session = Some(event.session_id.to_string());
                draft.agent = Some(event.agent_id.to_string());
                draft.flow = event.flow_id.clone().or(draft.flow);
                draft.node = event.node_id.clone().or(draft.node);
                self.log_step(&draft).await.map_err(within_data)?;
            }
        }
        Ok(true)
    }

    /// The context of a conversation: its summary, its last turns, and the entries recorded from it (B15). A turn is a
    /// message of the user with all replies to it (B16).
    pub async fn dialog_context(&self, session: &SessionId, limit_turns: usize) -> Result<DialogContext, Error> {
        self.refresh().await?;
        self.context_of(session, limit_turns).await
    }

    /// The same at the loaded revision, for a read from one snapshot.
    async fn context_of(&self, session: &SessionId, limit_turns: usize) -> Result<DialogContext, Error> {
        let mut size = (limit_turns as u64).saturating_mul(3).max(1);
        let hidden = self.hidden_until(session, u64::MAX).await?;
        let is_hidden = |place: u64| hidden.iter().any(|item| item.covers(place));
        let messages = loop {
            let mut window = self.messages(session, size, None).await?;
            let places = window.before..;
            let placed = places.zip(window.messages).filter(|(place, _)| !is_hidden(*place));
            window.messages = placed.map(|(_, message)| message).collect();
            let starts = |message: &Message| message.role == Role::User && message.answers().next().is_none();
            let turns: Vec<usize> = (0..window.messages.len()).filter(|at| starts(&window.messages[*at])).collect();
            if turns.len() > limit_turns || window.before == 0 {
                let from = turns.len().checked_sub(limit_turns).and_then(|at| turns.get(at)).copied();
                let from = if turns.len() > limit_turns { from.unwrap_or(window.messages.len()) } else { 0 };
                break window.messages.get(from..).unwrap_or(&[]).to_vec();
            }
            size = size.saturating_mul(2);
        };
        self.load_shelf().await?;
        let now = self.now()?;
        let keys: Vec<Key> = self.with_shelf(|shelf| {
            let of_session = shelf.index.session(session.as_str());
            let kept = of_session.filter(|found| found.kind == DocKind::Entry && found.expires_at > now);
            let ids: Vec<EntryId> = kept.filter_map(|found| EntryId::new("id", found.id).ok()).collect();
            ids.iter().rev().take(FACTS).map(|id| self.inner.keys.entry(id)).collect()
        });
        let mut facts = Vec::with_capacity(keys.len());
        for bytes in self.fetch(Space::Records, &keys).await?.into_iter().flatten() {
            facts.push(Record::decode(&bytes)?.entry);
        }
        let given = self.kept(self.inner.keys.summary(session)).await?;
        let summary = match given.as_ref().and_then(|given| given.get("text").as_str()) {
            Some(text) => Some(text.to_owned()),
            None => {
                // A history of messages that were cleared from the view is stale.
                let shown = |history: &History| !history.spans.iter().any(|span| is_hidden(span.0));
                self.histories(session).await?.into_iter().rfind(shown).map(|history| history.text)
            }
        };
        let metadata = given.map(|given| Metadata::new("metadata", given.get("metadata").clone()));
        let summary_metadata = metadata.and_then(Result::ok).unwrap_or_default();
        Ok(DialogContext { summary, summary_metadata, messages, facts })
    }

    /// Sets the summary of a conversation, and its metadata.
    pub async fn update_summary(&self, session: &SessionId, summary: &str, metadata: &Metadata) -> Result<(), Error> {
        if summary.len() > MAX_SUMMARY {
            return Err(Invalid::too_large("summary", MAX_SUMMARY, summary.len()).into());
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let value = Json::object(vec![
                ("text", summary.into()),
                ("at", plan.now.to_string().into()),
                ("metadata", metadata.to_json_or_null()),
            ]);
            self.plan_kept(plan, self.inner.keys.summary(session), &value)
        })
        .await
    }

    /// The effective policy of a flow and an agent.
    pub fn policy(&self, flow: Option<&str>, agent: Option<&str>) -> Policy {
        self.inner.config.policies.of(flow, agent)
    }

    fn check_user(&self, user: Option<&str>) -> Result<(), Invalid> {
        match user {
            Some(user) if user != self.inner.user.as_str() => {
                Err(Invalid::value("userId", "is another user's: open that user's memory"))
            }
            _ => Ok(()),
        }
    }
}

/// The fields of an optional object.
fn object(name: &str, value: &Json) -> Result<Fields, Invalid> {
    match value {
        Json::Object(_) | Json::Null => Ok(Fields::of(name, value.clone())),
        _ => Err(Invalid::value(name, "must be an object")),
    }
}

/// The same error, with the field's path in the event.
fn within_data(error: Error) -> Error {
    match error {
        Error::Invalid(mistake) => Error::Invalid(mistake.within("data")),
        other => other,
    }
}

impl DialogContext {
    /// As JSON.
    pub(crate) fn to_json(&self) -> Json {
        let mut fields = vec![
            ("summary".to_owned(), self.summary.as_deref().into()),
            ("messages".to_owned(), Json::Array(self.messages.iter().map(json::message).collect())),
            ("facts".to_owned(), Json::Array(self.facts.iter().map(json::entry).collect())),
        ];
        if !self.summary_metadata.is_empty() {
            fields.push(("summaryMetadata".to_owned(), self.summary_metadata.to_json()));
        }
        Json::Object(fields)
    }
}
