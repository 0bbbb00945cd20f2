//! Checks of everything stored, the log, rollbacks, and contradictions.

use super::{Memory, call, handle};
use crate::memory::{Conflict, Env, Error, Keep, Rollback, RollbackScope, Verdict, Verification};
use crate::model::{AgentId, EntryId, SessionId};
use crate::store::Store;

handle! {
    /// The tamper-evident log of all changes: a chain of hashes.
    Log
}

impl<S: Store, E: Env> Log<S, E> {
    /// Verifies the whole log: each link continues the chain, and its record is stored unmodified.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, Role};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// memory.session("s-1").append(Role::User, "Approved.").await?;
    /// assert!(memory.log().verify().await?.problem.is_none());
    ///
    /// let mut lines = memory.log().export("s-1").await?;
    /// assert!(memory.log().check(&lines).await?.problem.is_none());
    /// lines.pop();
    /// assert!(memory.log().check(&lines).await?.problem.is_some());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn verify(&self) -> Result<Verdict, Error> {
        self.memory.verify_log().await
    }

    /// Exports a conversation with its links, as JSON Lines.
    pub async fn export(&self, session: impl Into<String>) -> Result<Vec<String>, Error> {
        let session = SessionId::new("session", session)?;
        self.memory.export_log(&session).await
    }

    /// Checks the lines of an export against the log.
    pub async fn check(&self, lines: &[String]) -> Result<Verdict, Error> {
        self.memory.check_lines(lines).await
    }
}

call! {
    /// Checks everything stored; see [`Memory::verify`].
    Verify(bool) -> Verification, |memory, repair| memory.verify(repair).await
}

impl<S, E> Verify<S, E> {
    /// Also rebuilds the index, counts and ids, and gives up records that are lost. The result names each.
    pub fn repair(self) -> Self {
        self.edit(|repair| *repair = true)
    }
}

call! {
    /// Takes back what came from somewhere; see [`Memory::rollback`].
    RollbackCall((RollbackScope, bool)) -> Rollback, |memory, given| memory.rollback(&given.0, given.1).await
}

impl<S, E> RollbackCall<S, E> {
    /// Returns the same and changes nothing.
    pub fn preview(self) -> Self {
        self.edit(|(_, preview)| *preview = true)
    }
}

call! {
    /// Lists contradictions; see [`Memory::conflicts`].
    Conflicts((Option<AgentId>, usize)) -> Vec<Conflict>, |memory, given| {
        memory.conflicts(given.0.as_ref().map(AgentId::as_str), given.1).await
    }
}

impl<S, E> Conflicts<S, E> {
    /// Only those of this agent's statements and of no agent's.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.set(AgentId::new("agent", agent), |(given, _), agent| *given = Some(agent))
    }

    /// The most conflicts. Default: 50.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|(_, most)| *most = limit)
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Checks everything stored: the log, every record that it names, the counts of conversations, and the index.
    pub fn verify(&self) -> Verify<S, E> {
        Verify::new(&self.core, false)
    }

    /// Takes back everything from a source, from a conversation, or since a time, in one commit.
    pub fn rollback(&self, scope: RollbackScope) -> RollbackCall<S, E> {
        RollbackCall::new(&self.core, (scope, false))
    }

    /// The contradictions between current statements of long-term memory, the newest first.
    pub fn conflicts(&self) -> Conflicts<S, E> {
        Conflicts::new(&self.core, (None, 50))
    }

    /// Settles a contradiction. Returns the ids of the statements that are in the past from now on.
    pub async fn resolve(&self, id: &str, keep: Keep) -> Result<Vec<EntryId>, Error> {
        self.core.resolve(id, keep).await
    }
}
