//! The life of an agent's Markdown memory (A26–A37, A42–A45): loaded when it is activated, changed by section, written at
//! the end of a session in one go.

use super::files::File;
use super::plan::Plan;
use super::{Env, Error, Memory};
use crate::files::{
    Decision, Handoff, Kind, Learning, Log, MemberFiles, SessionArchive, Sheet, Status, TreePath, Warning, inject,
    inject_member, lint, path_of, skeleton,
};
use crate::model::Invalid;
use crate::store::{Durability, Store};

/// What a session leaves behind. What is empty changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionEnd {
    /// The day, `2025-12-31`.
    pub date: String,
    /// The context as it is now, if it changed: the whole file (A35).
    pub context: Option<String>,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// What was learned.
    pub learnings: Vec<Learning>,
    /// The session itself, if it was complex enough to be kept.
    pub archive: Option<SessionArchive>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// A prompt with an agent's memory before it (A26, A31, A32): the context whole and the ten newest decisions.
    /// Learnings and sessions are not read.
    pub async fn activate(&self, agent: &str, prompt: &str) -> Result<String, Error> {
        let context = self.documented_text(Kind::Context, agent).await?;
        let decisions = self.documented_text(Kind::Decisions, agent).await?;
        Ok(inject(&context, &decisions, prompt))
    }

    /// A prompt with the memory of a team's member before it (A45).
    pub async fn activate_member(&self, agent: &str, prompt: &str) -> Result<String, Error> {
        let files = MemberFiles {
            team_context: &self.documented_text(Kind::TeamContext, agent).await?,
            team_decisions: &self.documented_text(Kind::TeamDecisions, agent).await?,
            context: &self.documented_text(Kind::Context, agent).await?,
            handoffs: &self.documented_text(Kind::Handoffs, agent).await?,
        };
        Ok(inject_member(agent, files, prompt))
    }

    /// Writes what a session leaves behind, in the documented order and all at once (A30, A33). Two who end a session at
    /// the same time both have their decisions in the file; the context is one of the two, whole.
    pub async fn end_session(&self, agent: &str, end: &SessionEnd) -> Result<Vec<File>, Error> {
        let decisions = written(&end.decisions, "decisions", Decision::written)?;
        let learnings = written(&end.learnings, "learnings", Learning::written)?;
        let archive = match &end.archive {
            Some(archive) => Some(archive.written().map_err(|mistake| mistake.within("archive"))?),
            None => None,
        };
        let path = |kind: Kind| path_of(kind, agent, &end.date);
        let (context, decided, learned) = (path(Kind::Context)?, path(Kind::Decisions)?, path(Kind::Learnings)?);
        let archived = archive.as_ref().map(|_| path(Kind::Session)).transpose()?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut files = Vec::new();
            if let Some(text) = &end.context {
                files.push(self.plan_edit(plan, &context, &|_| Ok(text.clone())).await?);
            }
            for (path, kind, entries) in
                [(&decided, Kind::Decisions, &decisions), (&learned, Kind::Learnings, &learnings)]
            {
                // Only if there are new ones (A36).
                if !entries.is_empty() {
                    files.push(self.plan_edit(plan, path, &|text| Ok(appended(kind, text, entries))).await?);
                }
            }
            if let (Some(text), Some(path)) = (&archive, &archived) {
                files.push(self.plan_edit(plan, path, &|_| Ok(text.clone())).await?);
            }
            Ok(files)
        })
        .await
    }

    /// Puts another text in the place of one section of one file (A34); everything else stays byte for byte. A section
    /// that is not there is an error, because nobody could say where it belongs.
    pub async fn update_section(&self, path: &TreePath, section: &str, text: &str) -> Result<File, Error> {
        let kind = Kind::of(path.as_str());
        self.edit_file(path, &|before| {
            let start = if before.is_empty() { skeleton(kind, None) } else { before.to_owned() };
            let mut sheet = Sheet::parse(kind, start);
            if sheet.set_section(section, text) {
                Ok(sheet.into_text())
            } else {
                Err(Invalid::value("section", "is no section of this file"))
            }
        })
        .await
    }

    /// Hands work over to another agent (A44), which has to be there: it has a folder, or `agents` names it.
    pub async fn hand_over(&self, handoff: &Handoff) -> Result<File, Error> {
        let entry = handoff.written()?;
        let home = TreePath::new("toAgent", format!("agents/{}", handoff.to_agent))?;
        if self.files(Some(&home)).await?.is_empty() {
            return Err(Invalid::value("toAgent", "is no agent with files here").into());
        }
        let path = path_of(Kind::Handoffs, "", "")?;
        self.edit_file(&path, &|text| Ok(appended(Kind::Handoffs, text, std::slice::from_ref(&entry)))).await
    }

    /// Says how the handoff of this heading stands now.
    pub async fn set_handoff(&self, heading: &str, status: Status) -> Result<File, Error> {
        let path = path_of(Kind::Handoffs, "", "")?;
        self.edit_file(&path, &|text| {
            let mut log = Log::parse(Kind::Handoffs, text);
            let at = log.entries().iter().rposition(|entry| entry.heading == heading);
            match at.is_some_and(|at| log.set_status(at, status)) {
                true => Ok(log.into_text()),
                false => Err(Invalid::value("heading", "is no handoff's")),
            }
        })
        .await
    }

    /// What could be better about a file (A38–A41).
    pub async fn lint_file(&self, path: &TreePath) -> Result<Vec<Warning>, Error> {
        let today = self.now()?.to_string();
        let file = self.file(path).await?;
        Ok(file.map_or_else(Vec::new, |file| lint(Kind::of(path.as_str()), &file.text, today.get(..10))))
    }

    /// The text of a documented file; empty if it is missing, which is fine (A3).
    async fn documented_text(&self, kind: Kind, agent: &str) -> Result<String, Error> {
        let path = path_of(kind, agent, "")?;
        Ok(self.file(&path).await?.map_or_else(String::new, |file| file.text))
    }
}

/// A file with entries after it. A new one begins as the documented ones do.
fn appended(kind: Kind, text: &str, entries: &[String]) -> String {
    let start = if text.is_empty() { skeleton(kind, None) } else { text.to_owned() };
    let mut log = Log::parse(kind, start);
    for entry in entries {
        log.append(entry);
    }
    log.into_text()
}

fn written<T>(
    drafts: &[T],
    field: &str,
    write: impl Fn(&T) -> Result<String, Invalid>,
) -> Result<Vec<String>, Invalid> {
    let one = |(at, draft): (usize, &T)| write(draft).map_err(|mistake| mistake.within(&format!("{field}[{at}]")));
    drafts.iter().enumerate().map(one).collect()
}
