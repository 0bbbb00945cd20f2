//! What a team shares in files (A42–A45): work handed over, and what is in the way.

use super::agent_files::appended;
use super::files::Expect;
use super::{Env, Error, Memory};
use crate::files::{Blocker, Entry, Field, Handoff, Kind, Log, Status, TreePath, path_of};
use crate::model::Invalid;
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Hands work over to another agent (A44), which has to be there: it has a folder.
    pub async fn hand_over(&self, handoff: &Handoff) -> Result<Entry, Error> {
        let entry = handoff.written()?;
        let home = TreePath::new("toAgent", format!("agents/{}", handoff.to_agent.trim()))?;
        if self.files(Some(&home)).await?.is_empty() {
            return Err(Invalid::value("toAgent", "is no agent with files here").into());
        }
        self.append_entry(Kind::Handoffs, &|_| Ok(entry.clone())).await
    }

    /// Work that was handed over, in the order of the file: to this agent, and as far as this.
    pub async fn handoffs(&self, to: Option<&str>, status: Option<Status>) -> Result<Vec<Entry>, Error> {
        let mut entries = self.entries_of(Kind::Handoffs, status).await?;
        entries.retain(|entry| to.is_none_or(|to| entry.is_for(to)));
        Ok(entries)
    }

    /// Says how the handoff of this heading stands now, and what came of it.
    pub async fn set_handoff(&self, heading: &str, status: Status, result: Option<&str>) -> Result<Entry, Error> {
        self.set_entry(Kind::Handoffs, heading, status, &[(Field::Result, result)]).await
    }

    /// Writes down what is in the way of a team.
    pub async fn add_blocker(&self, blocker: &Blocker) -> Result<Entry, Error> {
        self.append_entry(Kind::Blockers, &|log| blocker.written(log)).await
    }

    /// What is in the way of a team, in the order of the file.
    pub async fn blockers(&self, status: Option<Status>) -> Result<Vec<Entry>, Error> {
        self.entries_of(Kind::Blockers, status).await
    }

    /// Says how the blocker of this heading stands now, and who resolved it and how.
    pub async fn set_blocker(
        &self,
        heading: &str,
        status: Status,
        resolved_by: Option<&str>,
        resolution: Option<&str>,
    ) -> Result<Entry, Error> {
        let fields = [(Field::ResolvedBy, resolved_by), (Field::Resolution, resolution)];
        self.set_entry(Kind::Blockers, heading, status, &fields).await
    }

    async fn entries_of(&self, kind: Kind, status: Option<Status>) -> Result<Vec<Entry>, Error> {
        let mut entries = Log::parse(kind, self.documented_text(kind, "").await?).entries();
        // Who says nothing of how it stands has not begun.
        entries.retain(|entry| status.is_none_or(|status| entry.status().unwrap_or(Status::Pending) == status));
        Ok(entries)
    }

    async fn append_entry(&self, kind: Kind, write: &dyn Fn(&Log) -> Result<String, Invalid>) -> Result<Entry, Error> {
        let edit = |text: &str| Ok(appended(kind, text, &[write(&Log::parse(kind, text))?]));
        let file = self.edit_file(&path_of(kind, "", "")?, Expect::Any, &edit).await?;
        // New ones go to the end.
        Log::parse(kind, file.text).entries().pop().ok_or(Error::NotFound { what: "entry in this file" })
    }

    async fn set_entry(
        &self,
        kind: Kind,
        heading: &str,
        status: Status,
        fields: &[(Field, Option<&str>)],
    ) -> Result<Entry, Error> {
        let find = |log: &Log| log.entries().iter().rposition(|entry| entry.heading == heading);
        let unknown = || Invalid::value("heading", "is the heading of no entry in this file");
        let edit = |text: &str| {
            let mut log = Log::parse(kind, text);
            let at = find(&log).ok_or_else(unknown)?;
            log.set_status(at, status);
            for (field, text) in fields {
                if let Some(text) = text {
                    log.set_field(at, *field, text);
                }
            }
            Ok(log.into_text())
        };
        let file = self.edit_file(&path_of(kind, "", "")?, Expect::Any, &edit).await?;
        let log = Log::parse(kind, file.text);
        let at = find(&log).ok_or_else(unknown)?;
        log.entries().into_iter().nth(at).ok_or(Error::NotFound { what: "entry in this file" })
    }
}
