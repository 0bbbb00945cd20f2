//! The twins of the facade, of profiles and of states: each value of the interface `stores` beside the value of the
//! library that it stands for.

use super::bindings::exports::keepsake::memory::stores;
use super::convert;
use super::dialog_convert::twins;
use crate::codec::{CodecError, Kind, json};
use crate::memory::{Error, MemoryQuery, MemoryResultItem, MemoryWriteEvent, TaskStep};
use crate::model::{
    AgentId, FlowState, Invalid, Json, Policy, Profile, ProfileField, Scope, SessionId, Snapshot, Task, TaskStatus,
    Timestamp,
};

twins!(stores::Scope, Scope, Dialog, State, Semantic, Procedural, Profile, Experience);

/// An object that may be absent.
fn optional(field: &str, text: Option<stores::JsonObject>) -> Result<Json, Invalid> {
    text.map_or(Ok(Json::Null), |text| convert::object(field, &text))
}

impl TryFrom<stores::MemoryQuery> for MemoryQuery {
    type Error = Invalid;

    fn try_from(query: stores::MemoryQuery) -> Result<Self, Invalid> {
        Ok(Self {
            user_id: query.user_id,
            session_id: SessionId::new("sessionId", query.session_id)?,
            agent_id: AgentId::new("agentId", query.agent_id)?,
            flow_id: query.flow_id,
            node_id: query.node_id,
            scopes: query.scopes.into_iter().map(Into::into).collect(),
            query: query.query,
            task_type: query.task_type,
            embedding: convert::embedding(query.embedding)?,
            extra: optional("extra", query.extra)?,
        })
    }
}

impl From<MemoryResultItem> for stores::MemoryResultItem {
    fn from(item: MemoryResultItem) -> Self {
        Self { scope: item.scope.into(), payload: item.payload.to_string() }
    }
}

impl TryFrom<stores::MemoryWriteEvent> for MemoryWriteEvent {
    type Error = Invalid;

    fn try_from(event: stores::MemoryWriteEvent) -> Result<Self, Invalid> {
        Ok(Self {
            user_id: event.user_id,
            session_id: SessionId::new("sessionId", event.session_id)?,
            agent_id: AgentId::new("agentId", event.agent_id)?,
            flow_id: event.flow_id,
            node_id: event.node_id,
            scope: event.scope.into(),
            data: convert::object("data", &event.data)?,
            meta: optional("meta", event.meta)?,
        })
    }
}

impl From<Policy> for stores::MemoryPolicy {
    fn from(policy: Policy) -> Self {
        let most = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            use_dialog: policy.reads(Scope::Dialog),
            use_state: policy.reads(Scope::State),
            use_semantic: policy.reads(Scope::Semantic),
            use_procedural: policy.reads(Scope::Procedural),
            use_profile: policy.reads(Scope::Profile),
            use_experience: policy.reads(Scope::Experience),
            write_experience: policy.write_experience,
            max_dialog_turns: most(policy.max_dialog_turns),
            max_docs: most(policy.max_docs),
            max_skills: most(policy.max_skills),
        }
    }
}

impl From<Profile> for stores::UserProfile {
    fn from(profile: Profile) -> Self {
        let field = |ProfileField { path, source, at, metadata }: ProfileField| stores::ProfileField {
            path,
            source,
            at: at.millis(),
            metadata: convert::told_metadata(&metadata),
        };
        Self {
            profile: profile.value.to_string(),
            fields: profile.fields.into_iter().map(field).collect(),
            version: profile.version,
        }
    }
}

/// States are read as JSON, which is how they are stored: their size and depth are seen there.
pub(super) fn flow_state(state: stores::FlowState) -> Result<FlowState, Invalid> {
    let variables = convert::object("variables", &state.variables).map_err(|mistake| mistake.within("state"))?;
    let mut tasks = Vec::with_capacity(state.tasks.len());
    for (at, task) in state.tasks.into_iter().enumerate() {
        // JSON has no such number, and would take it for one that is absent.
        if task.progress.is_some_and(|progress| !progress.is_finite()) {
            return Err(Invalid::value(format!("state.tasks[{at}].progress"), "must be a number from 0 to 1"));
        }
        let within = |mistake: Invalid| mistake.within(&format!("state.tasks[{at}]"));
        let own = convert::own(task.own, json::TASK_FIELDS).map_err(within)?;
        let mut value = Json::object(vec![
            ("id", task.id.into()),
            ("title", task.title.into()),
            ("status", task.status.into()),
            ("progress", task.progress.into()),
            ("dependsOn", task.depends_on.as_slice().into()),
            ("error", task.error.into()),
        ]);
        own.add_to(&mut value);
        tasks.push(value);
    }
    json::flow_state(
        "state",
        Json::object(vec![("variables", variables), ("status", state.status.into()), ("tasks", Json::Array(tasks))]),
    )
}

/// A saved state, with where it belongs.
pub(super) fn snapshot(flow: String, session: &SessionId, saved: Snapshot) -> stores::StateSnapshot {
    let FlowState { variables, status, tasks } = saved.state;
    let task = |task: Task| stores::TaskState {
        id: task.id,
        title: task.title,
        status: task.status.as_str().to_owned(),
        progress: task.progress,
        depends_on: task.depends_on,
        error: task.error,
        own: convert::told_metadata(&task.own),
    };
    let tasks = tasks.into_iter().map(task).collect();
    stores::StateSnapshot {
        flow,
        session: session.to_string(),
        version: saved.version,
        saved_at: saved.saved_at.millis(),
        state: stores::FlowState { variables: variables.to_string(), status, tasks },
        metadata: convert::told_metadata(&saved.metadata),
    }
}

impl From<Snapshot> for stores::StateVersion {
    fn from(saved: Snapshot) -> Self {
        Self { version: saved.version, saved_at: saved.saved_at.millis(), status: saved.state.status }
    }
}

/// A task, the session, and what was done.
pub(super) fn task_step(step: stores::TaskStep) -> Result<(String, Option<SessionId>, TaskStep), Invalid> {
    let session = step.session.map(|id| SessionId::new("session", id)).transpose()?;
    let done = TaskStep {
        status: TaskStatus::new("status", &step.status)?,
        metadata: convert::some_metadata("metadata", step.metadata)?,
        own: convert::own(step.own, json::TASK_STEP_FIELDS)?,
        step: step.step,
        error: step.error,
        flow: step.flow,
    };
    Ok((step.task_id, session, done))
}

/// A step of a task, which the library keeps as JSON.
pub(super) fn step_log(logged: &Json) -> Result<stores::StepLog, Error> {
    let text = |name: &str| logged.get(name).as_str().map(str::to_owned);
    let read = || {
        let Json::Object(fields) = logged else { return None };
        let mut own = fields.clone();
        own.retain(|(name, _)| !json::TASK_STEP_FIELDS.contains(&name.as_str()));
        Some(stores::StepLog {
            n: u64::try_from(logged.get("n").as_i64()?).ok()?,
            at: Timestamp::parse("at", logged.get("at").as_str()?).ok()?.millis(),
            step: stores::TaskStep {
                task_id: text("taskId")?,
                step: text("step")?,
                status: text("status")?,
                error: text("error"),
                flow: text("flow"),
                session: text("session"),
                metadata: Some(logged.get("metadata")).filter(|said| !said.is_null()).map(Json::to_string),
                own: (!own.is_empty()).then(|| Json::Object(own).to_string()),
            },
        })
    };
    read().ok_or_else(|| CodecError::corrupt(Kind::Kept, "a step of a task is not whole").into())
}
