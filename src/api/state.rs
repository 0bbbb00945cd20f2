//! The states of flows, and the steps of their tasks.

use super::{call, handle};
use crate::memory::{Env, Error, TaskStep};
use crate::model::{FlowState, Invalid, Json, Metadata, SessionId, Snapshot};
use crate::store::Store;

handle! {
    /// The states of flows, with their versions, and the steps of their tasks.
    StateMemory
}

/// A state to save.
#[derive(Debug)]
pub(super) struct Saved {
    flow: String,
    session: Result<SessionId, Invalid>,
    state: FlowState,
    expect: Option<u64>,
    metadata: Metadata,
}

call! {
    /// Saves a state; see [`StateMemory::save`].
    SaveState(Saved) -> Snapshot, |memory, given| {
        let state = given.state.checked().map_err(|mistake| mistake.within("state"))?;
        memory.save_state(&given.flow, &given.session?, &state, given.expect, &given.metadata).await
    }
}

impl<S, E> SaveState<S, E> {
    /// Saves only if this is the current version; 0 if there must be none.
    pub fn expect(self, version: u64) -> Self {
        self.edit(|given| given.expect = Some(version))
    }

    /// The app's own data about this save.
    pub fn metadata(self, metadata: impl Into<Json>) -> Self {
        self.set(Metadata::new("metadata", metadata.into()), |given, metadata| given.metadata = metadata)
    }
}

impl<S: Store, E: Env> StateMemory<S, E> {
    /// The latest state of a flow in a session.
    pub async fn get(&self, flow: &str, session: impl Into<String>) -> Result<Option<Snapshot>, Error> {
        let session = SessionId::new("session", session)?;
        self.memory.state(flow, &session, None).await
    }

    /// This version of the state of a flow in a session.
    pub async fn get_version(
        &self,
        flow: &str,
        session: impl Into<String>,
        version: u64,
    ) -> Result<Option<Snapshot>, Error> {
        let session = SessionId::new("session", session)?;
        self.memory.state(flow, &session, Some(version)).await
    }

    /// Saves a new version of the state of a flow in a session.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, types::FlowState};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let mut state = FlowState::default();
    /// state.status = Some("planning".into());
    /// let saved = memory.state().save("trip", "s-1", state.clone()).await?;
    /// assert_eq!(saved.version, 1);
    ///
    /// // Another writer was faster if the version is not the expected one.
    /// let error = memory.state().save("trip", "s-1", state).expect(0).await.unwrap_err();
    /// assert_eq!(error.code(), keepsake::ErrorCode::Conflict);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn save(&self, flow: impl Into<String>, session: impl Into<String>, state: FlowState) -> SaveState<S, E> {
        let session = SessionId::new("session", session);
        let given = Saved { flow: flow.into(), session, state, expect: None, metadata: Metadata::default() };
        SaveState::new(&self.memory, given)
    }

    /// All versions of the state of a flow in a session, oldest first.
    pub async fn versions(&self, flow: &str, session: impl Into<String>) -> Result<Vec<Snapshot>, Error> {
        let session = SessionId::new("session", session)?;
        self.memory.state_versions(flow, &session).await
    }

    /// Logs a step of a task, in a session or in none. Returns it as stored.
    pub async fn log_task_step(&self, task: &str, session: Option<&str>, step: TaskStep) -> Result<Json, Error> {
        let session = session.map(|session| SessionId::new("session", session)).transpose()?;
        self.memory.log_task_step(task, session.as_ref(), &step).await
    }

    /// The logged steps of a task, oldest first.
    pub async fn steps(&self, task: &str, session: Option<&str>) -> Result<Vec<Json>, Error> {
        let session = session.map(|session| SessionId::new("session", session)).transpose()?;
        self.memory.task_steps(task, session.as_ref()).await
    }
}
