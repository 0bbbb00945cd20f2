//! The states of flows (B17), saved in versions that can all be read back; and the logged steps of tasks.

use crate::codec::json;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{FlowState, Invalid, Json, Metadata, SessionId, Snapshot, TaskStatus};
use crate::store::{Durability, Store};

/// Names of flows and tasks are as long as ids may be.
const MAX_NAME: usize = 256;

/// The most bytes of a step's text.
const MAX_STEP: usize = 64 * 1024;

/// A step of a task to be logged.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct TaskStep {
    /// The action.
    pub step: String,
    /// The status of the task after it.
    pub status: TaskStatus,
    /// The error message.
    pub error: Option<String>,
    /// The flow.
    pub flow: Option<String>,
    /// The app's metadata.
    pub metadata: Metadata,
    /// The app's own fields, beside these.
    pub own: Metadata,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The state of a flow in a session: the latest version, or the given one.
    pub async fn state(
        &self,
        flow: &str,
        session: &SessionId,
        version: Option<u64>,
    ) -> Result<Option<Snapshot>, Error> {
        self.check_open()?;
        check_name("flow", flow)?;
        let keys = &self.inner.keys;
        let last = self.kept(keys.state(session, flow)).await?.as_ref().and_then(json::read_snapshot);
        match version {
            Some(version) if last.as_ref().is_some_and(|last| last.version != version) => {
                Ok(self.kept(keys.state_version(session, flow, version)).await?.as_ref().and_then(json::read_snapshot))
            }
            _ => Ok(last),
        }
    }

    /// Saves a state as the next version, with the app's metadata. With `expect`, only if that is the current version;
    /// 0 means none.
    pub async fn save_state(
        &self,
        flow: &str,
        session: &SessionId,
        state: &FlowState,
        expect: Option<u64>,
        metadata: &Metadata,
    ) -> Result<Snapshot, Error> {
        check_name("flow", flow)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let last = self.state(flow, session, None).await?;
            let found = last.as_ref().map_or(0, |last| last.version);
            if let Some(expected) = expect.filter(|expected| *expected != found) {
                return Err(Error::OtherVersion { expected, found });
            }
            let keys = &self.inner.keys;
            if let Some(last) = &last {
                let was = json::snapshot(flow, session.as_str(), last);
                self.plan_kept(plan, keys.state_version(session, flow, found), &was)?;
            }
            let (state, metadata) = (state.clone(), metadata.clone());
            let next = Snapshot { version: found + 1, saved_at: plan.now, state, metadata };
            self.plan_kept(plan, keys.state(session, flow), &json::snapshot(flow, session.as_str(), &next))?;
            Ok(next)
        })
        .await
    }

    /// All versions of a flow's state in a session, oldest first.
    pub async fn state_versions(&self, flow: &str, session: &SessionId) -> Result<Vec<Snapshot>, Error> {
        let last = self.state(flow, session, None).await?;
        let before = self.kept_in(self.inner.keys.state_versions(session, flow)).await?;
        Ok(before.iter().filter_map(json::read_snapshot).chain(last).collect())
    }

    /// Logs a step of a task, with or without a session. Returns it as stored.
    pub async fn log_task_step(&self, task: &str, session: Option<&SessionId>, step: &TaskStep) -> Result<Json, Error> {
        check_name("taskId", task)?;
        if step.step.trim().is_empty() {
            return Err(Invalid::value("step", "must not be empty").into());
        }
        let told = step.step.len() + step.error.as_ref().map_or(0, String::len);
        if told > MAX_STEP {
            return Err(Invalid::too_large("step", MAX_STEP, told).into());
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let number = plan.last_seq() + 1;
            let mut value = Json::object(vec![
                ("n", number.into()),
                ("taskId", task.into()),
                ("step", step.step.as_str().into()),
                ("status", step.status.as_str().into()),
                ("error", step.error.as_deref().into()),
                ("flow", step.flow.as_deref().into()),
                ("session", session.map(SessionId::as_str).into()),
                ("at", plan.now.to_string().into()),
                ("metadata", step.metadata.to_json_or_null()),
            ]);
            step.own.add_to(&mut value);
            self.plan_kept(plan, self.inner.keys.task_step(session, task, number), &value)?;
            Ok(value)
        })
        .await
    }

    /// The logged steps of a task, oldest first.
    pub async fn task_steps(&self, task: &str, session: Option<&SessionId>) -> Result<Vec<Json>, Error> {
        self.check_open()?;
        check_name("taskId", task)?;
        self.kept_in(self.inner.keys.task_steps(session, task)).await
    }
}

pub(super) fn check_name(field: &str, name: &str) -> Result<(), Invalid> {
    match name.len() {
        0 => Err(Invalid::value(field, "must not be empty")),
        1..=MAX_NAME => Ok(()),
        actual => Err(Invalid::too_large(field, MAX_NAME, actual)),
    }
}
