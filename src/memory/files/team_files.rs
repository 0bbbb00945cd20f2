//! Shared files of a team (A42–A45): handoffs, blockers, and the lead's dispatch log.

use super::agent_files::appended;
use super::tree::Expect;
use crate::files::{Blocker, Dispatch, Entry, Field, Handoff, Kind, Log, Status, TreePath, dispatches};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::Invalid;
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Hands work over to another agent (A44), which must have a folder.
    pub async fn hand_over(&self, handoff: &Handoff) -> Result<Entry, Error> {
        handoff.written(&Log::parse(Kind::Handoffs, ""))?;
        let to = handoff.to_agent.trim();
        TreePath::new("toAgent", format!("agents/{to}"))?;
        if to.contains('/') || !self.has_home(to).await? {
            return Err(Invalid::value("toAgent", "must be an agent with files").into());
        }
        self.append_entry(Kind::Handoffs, &|log| handoff.written(log)).await
    }

    /// The handoffs in the order of the file, filtered by receiver and status.
    pub async fn handoffs(&self, to: Option<&str>, status: Option<Status>) -> Result<Vec<Entry>, Error> {
        let mut entries = self.entries_of(Kind::Handoffs, status).await?;
        entries.retain(|entry| to.is_none_or(|to| entry.is_for(to)));
        Ok(entries)
    }

    /// Sets the status and the result of the handoff with this heading. If several have the same heading, `task`
    /// selects one.
    pub async fn set_handoff(
        &self,
        heading: &str,
        task: Option<&str>,
        status: Status,
        result: Option<&str>,
    ) -> Result<Entry, Error> {
        let meant = |entry: &Entry| {
            let same = |task: &str| entry.get(Field::Task).is_some_and(|said| said.trim() == task.trim());
            entry.heading == heading && task.is_none_or(same)
        };
        self.set_entry(Kind::Handoffs, &meant, status, &[(Field::Result, result)]).await
    }

    /// Adds a blocker to the team's file.
    pub async fn add_blocker(&self, blocker: &Blocker) -> Result<Entry, Error> {
        self.append_entry(Kind::Blockers, &|log| blocker.written(log)).await
    }

    /// The blockers of a team, in the order of the file.
    pub async fn blockers(&self, status: Option<Status>) -> Result<Vec<Entry>, Error> {
        self.entries_of(Kind::Blockers, status).await
    }

    /// Sets the status of the blocker with this heading, and who resolved it and how.
    pub async fn set_blocker(
        &self,
        heading: &str,
        status: Status,
        resolved_by: Option<&str>,
        resolution: Option<&str>,
    ) -> Result<Entry, Error> {
        let fields = [(Field::ResolvedBy, resolved_by), (Field::Resolution, resolution)];
        self.set_entry(Kind::Blockers, &|entry| entry.heading == heading, status, &fields).await
    }

    async fn entries_of(&self, kind: Kind, status: Option<Status>) -> Result<Vec<Entry>, Error> {
        let mut entries = Log::parse(kind, self.documented_text(kind, "").await?).entries();
        // An entry without a status is pending.
        entries.retain(|entry| status.is_none_or(|status| entry.status().unwrap_or(Status::Pending) == status));
        Ok(entries)
    }

    async fn append_entry(&self, kind: Kind, write: &dyn Fn(&Log) -> Result<String, Invalid>) -> Result<Entry, Error> {
        let edit = |text: &str| Ok(appended(kind, text, &[write(&Log::parse(kind, text))?]));
        let file = self.edit_file(&self.place_of(kind, "").await?, Expect::Any, &edit).await?;
        // New entries are appended.
        Log::parse(kind, file.text).entries().pop().ok_or(Error::NotFound { what: "entry in this file" })
    }

    async fn set_entry(
        &self,
        kind: Kind,
        meant: &dyn Fn(&Entry) -> bool,
        status: Status,
        fields: &[(Field, Option<&str>)],
    ) -> Result<Entry, Error> {
        let edit = |text: &str| {
            let mut log = Log::parse(kind, text);
            let at = the_one(kind, &log.entries(), meant)?;
            log.set_status(at, status);
            for (field, text) in fields {
                if let Some(text) = text {
                    log.set_field(at, *field, text);
                }
            }
            Ok(log.into_text())
        };
        let file = self.edit_file(&self.place_of(kind, "").await?, Expect::Any, &edit).await?;
        let entries = Log::parse(kind, file.text).entries();
        let at = the_one(kind, &entries, meant)?;
        entries.into_iter().nth(at).ok_or(Error::NotFound { what: "entry in this file" })
    }

    /// Adds a task to the lead's dispatch log (A43), below its day.
    pub async fn dispatch(&self, lead: &str, dispatch: &Dispatch) -> Result<Dispatch, Error> {
        let path = self.place_of(Kind::DispatchLog, lead).await?;
        let file = self.edit_file(&path, Expect::Any, &|text| dispatch.appended(text)).await?;
        let of_that_day = |found: &Dispatch| found.date == dispatch.date;
        dispatches(&file.text).into_iter().rfind(of_that_day).ok_or(Error::NotFound { what: "entry in this file" })
    }

    /// The tasks that a lead has dispatched, in the order of the file.
    pub async fn dispatches(&self, lead: &str) -> Result<Vec<Dispatch>, Error> {
        Ok(dispatches(&self.documented_text(Kind::DispatchLog, lead).await?))
    }
}

/// The index of the only matching entry. Several matches are an error: changing one might change the wrong one.
fn the_one(kind: Kind, entries: &[Entry], meant: &dyn Fn(&Entry) -> bool) -> Result<usize, Invalid> {
    let found: Vec<(usize, &Entry)> = entries.iter().enumerate().filter(|(_, entry)| meant(entry)).collect();
    match found.as_slice() {
        [(at, _)] => Ok(*at),
        [] => Err(Invalid::value("heading", "must be the heading of an entry in this file")),
        [rest @ .., (_, last)] => {
            let lines: Vec<String> = rest.iter().map(|(_, entry)| entry.line.to_string()).collect();
            let choose = if kind == Kind::Handoffs { "pass the `task` as well, or give" } else { "give" };
            let lines = format!("{} and {}", lines.join(", "), last.line);
            Err(Invalid::value("heading", format!("is ambiguous: lines {lines}; {choose} them different headings")))
        }
    }
}
