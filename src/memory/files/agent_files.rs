//! The lifecycle of an agent's Markdown memory (A26–A37): loaded on activation, updated by section, and written at the
//! end of a session in one commit.

use super::tree::{Expect, File};
use crate::files::{
    Changes, Decision, Entry, Kind, Learning, Log, MemberFiles, RECENT_DECISIONS, RECENT_TEAM_DECISIONS,
    SessionArchive, Sheet, TreePath, Warning, inject, inject_member, lint, newest, path_of, pending, skeleton,
};
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::Invalid;
use crate::store::{Durability, Store};

/// An agent with its memory loaded. Learnings and sessions are not read (A27, A28).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Activated {
    /// The agent's folder: `agents/planner`, or `.microai/agents/planner` in projects that keep them there.
    pub folder: String,
    /// The agent's definition: its whole `agent.md`; empty if missing.
    pub definition: String,
    /// The whole context; empty if missing.
    pub context: String,
    /// The newest decisions, newest first.
    pub decisions: Vec<Entry>,
    /// The shared memory of the team, if the agent was activated as a member.
    pub team: Option<Team>,
    /// The text before a prompt; empty if nothing is remembered.
    pub frame: String,
}

/// The shared memory of a team.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Team {
    /// The whole context.
    pub context: String,
    /// The newest decisions, newest first.
    pub decisions: Vec<Entry>,
    /// The handoffs that wait for the member.
    pub handoffs: Vec<Entry>,
}

impl Activated {
    /// A prompt with the memory before it (A32). The agent's own prompt is its definition.
    pub fn inject(&self, prompt: &str) -> String {
        [&*self.frame, prompt].concat()
    }
}

/// A change of a context.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContextUpdate {
    /// The whole new file (A35).
    Whole(String),
    /// Changes of some sections.
    Parts(Changes),
}

/// The results of a session. Empty fields change nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct SessionEnd {
    /// The day, `2025-12-31`.
    pub date: String,
    /// The new context, if it changed.
    pub context: Option<ContextUpdate>,
    /// New decisions.
    pub decisions: Vec<Decision>,
    /// New learnings.
    pub learnings: Vec<Learning>,
    /// The session itself, if it is complex enough to be archived.
    pub archive: Option<SessionArchive>,
}

/// An entry for one of the documented logs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// For `decisions.md`, an agent's or the team's.
    Decision(Decision),
    /// For `learnings.md`.
    Learning(Learning),
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Loads an agent's memory (A26, A31): its definition (A1), the whole context and the ten newest decisions.
    pub async fn activate(&self, agent: &str) -> Result<Activated, Error> {
        let home = self.home(agent).await?;
        let [definition, context, decided] =
            self.texts_below(&home, ["agent.md", "memory/context.md", "memory/decisions.md"]).await?;
        let decisions = latest(Kind::Decisions, &decided, RECENT_DECISIONS);
        let (folder, frame) = (home.as_str().to_owned(), inject(&context, &decided, ""));
        Ok(Activated { folder, definition, frame, context, decisions, team: None })
    }

    /// Loads the memory of a team member (A45): the team's context and its five newest decisions, the member's own
    /// context, and its handoffs.
    pub async fn activate_member(&self, agent: &str) -> Result<Activated, Error> {
        let own = self.activate(agent).await?;
        let folder = TreePath::new("kind", format!("{}team-memory", self.team_root().await?))?;
        let [context, decided, handed] =
            self.texts_below(&folder, ["context.md", "decisions.md", "handoffs.md"]).await?;
        let files =
            MemberFiles { team_context: &context, team_decisions: &decided, context: &own.context, handoffs: &handed };
        let frame = inject_member(agent, files, "");
        let decisions = latest(Kind::TeamDecisions, &decided, RECENT_TEAM_DECISIONS);
        let handed = Log::parse(Kind::Handoffs, handed).entries();
        let handoffs = pending(&handed, agent).into_iter().cloned().collect();
        Ok(Activated { frame, team: Some(Team { context, decisions, handoffs }), ..own })
    }

    /// Writes the results of a session, in the documented order and in one commit (A30, A33). If two sessions end at
    /// the same time, the decisions of both are kept; the context is that of one of them.
    pub async fn end_session(&self, agent: &str, end: &SessionEnd) -> Result<Vec<File>, Error> {
        let decisions = written(&end.decisions, "decisions", Decision::written)?;
        let learnings = written(&end.learnings, "learnings", Learning::written)?;
        let archive = match &end.archive {
            Some(archive) => Some(archive.written().map_err(|mistake| mistake.within("archive"))?),
            None => None,
        };
        // Names and date are checked in any case.
        path_of("", Kind::Session, agent, &end.date)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let root = self.agent_root(agent).await?;
            let path = |kind: Kind| path_of(root, kind, agent, &end.date);
            let mut files = self.plan_context(plan, &path(Kind::Context)?, end).await?;
            for (kind, entries) in [(Kind::Decisions, &decisions), (Kind::Learnings, &learnings)] {
                // Written only if there are new ones (A36).
                if !entries.is_empty() {
                    let edit = |text: &str| Ok(appended(kind, text, entries));
                    files.push(self.plan_edit(plan, &path(kind)?, Expect::Any, &edit).await?);
                }
            }
            if let Some(text) = &archive {
                files.push(self.plan_archive(plan, &path(Kind::Session)?, text).await?);
            }
            Ok(files)
        })
        .await
    }

    /// The new context, dated by the session's day (A7, A30). An unchanged context still gets the new date, if it had
    /// one.
    async fn plan_context(&self, plan: &mut Plan, path: &TreePath, end: &SessionEnd) -> Result<Vec<File>, Error> {
        let before = match end.context {
            Some(_) => None,
            // A missing file stays missing.
            None => match self.file(path).await? {
                None => return Ok(Vec::new()),
                before => before,
            },
        };
        let edit = |text: &str| {
            let is_dated = |text: &str| Sheet::parse(Kind::Context, text).is_dated();
            let (text, dated, parts) = match &end.context {
                Some(ContextUpdate::Whole(text)) => (text.as_str(), is_dated(text), Changes::default()),
                // A new file begins as documented, with its date.
                Some(ContextUpdate::Parts(parts)) => (text, is_dated(text) || text.trim().is_empty(), parts.clone()),
                None => (text, is_dated(text), Changes::default()),
            };
            let updated = parts.updated.clone().or_else(|| dated.then(|| end.date.clone()));
            Changes { updated, ..parts }.apply(Kind::Context, text).map_err(|mistake| mistake.within("context"))
        };
        let after = self.plan_edit(plan, path, Expect::Any, &edit).await?;
        let changed = before.is_none_or(|before| before.version != after.version);
        Ok(if changed { vec![after] } else { Vec::new() })
    }

    /// Archives a session in a file of its own (A25). An earlier archive of the same day stays: the next one gets the
    /// next number, and the same session again is the same file.
    async fn plan_archive(&self, plan: &mut Plan, first: &TreePath, text: &str) -> Result<File, Error> {
        let mut path = first.clone();
        for number in 2.. {
            match self.file(&path).await? {
                None => break,
                Some(file) if file.text == text => return Ok(file),
                Some(_) => {
                    // The suffix must sort after the first file: a hyphen would sort before the dot.
                    let name = first.as_str().strip_suffix(".md").unwrap_or(first.as_str());
                    path = TreePath::new("date", format!("{name}_{number:02}.md"))?;
                }
            }
        }
        self.plan_file(plan, &path, None, text)
    }

    /// Appends entries to a log of either kind when they are made (A37).
    pub async fn record_notes(&self, path: &TreePath, notes: &[Note]) -> Result<File, Error> {
        let kind = Kind::of(path.as_str());
        let write = |note: &Note| match (kind, note) {
            (Kind::Decisions | Kind::TeamDecisions, Note::Decision(decision)) => decision.written(),
            (Kind::Learnings, Note::Learning(learning)) => learning.written(),
            _ => Err(Invalid::value("kind", "does not belong in this file")),
        };
        let entries = written(notes, "entries", write)?;
        self.edit_file(path, Expect::Any, &|text| Ok(appended(kind, text, &entries))).await
    }

    /// Changes sections of a documented file; everything else stays byte for byte.
    pub async fn update_file(&self, path: &TreePath, changes: &Changes, expect: Expect<'_>) -> Result<File, Error> {
        self.edit_file(path, expect, &|text| changes.apply(Kind::of(path.as_str()), text)).await
    }

    /// Replaces one section of one file (A34); everything else stays byte for byte. A missing documented section is
    /// created in its place (A8); any other missing section is an error.
    pub async fn update_section(
        &self,
        path: &TreePath,
        section: &str,
        text: &str,
        expect: Expect<'_>,
    ) -> Result<File, Error> {
        let kind = Kind::of(path.as_str());
        // A session's file has the date of its own day.
        let today = if kind == Kind::Session { None } else { Some(self.today()?) };
        let edit = |before: &str| {
            let start = if before.is_empty() { skeleton(kind, today.as_deref()) } else { before.to_owned() };
            let mut sheet = Sheet::parse(kind, start);
            if sheet.set_section(section, text) {
                return Ok(sheet.into_text());
            }
            let known: Vec<&str> = kind.parts().iter().map(|part| part.heading()).collect();
            Err(Invalid::value(
                "section",
                match known.is_empty() {
                    true => "is no section of this file".to_owned(),
                    false => format!("is no section of this file, and none of {}", known.join("; ")),
                },
            ))
        };
        self.edit_file(path, expect, &edit).await
    }

    /// The lint warnings for a file (A38–A41), or for its planned text.
    pub async fn lint_file(&self, path: &TreePath, text: Option<&str>) -> Result<Vec<Warning>, Error> {
        let today = self.today()?;
        let lint = |text: &str| lint(Kind::of(path.as_str()), text, Some(&today));
        Ok(match text {
            Some(text) => lint(text),
            None => self.file(path).await?.map_or_else(Vec::new, |file| lint(&file.text)),
        })
    }

    /// Today's date, `2025-12-31`.
    pub(crate) fn today(&self) -> Result<String, Error> {
        Ok(self.now()?.to_string().chars().take(10).collect())
    }

    /// The current date and time, `2025-12-31 10:30`.
    pub(crate) fn this_minute(&self) -> Result<String, Error> {
        Ok(self.now()?.to_string().replace('T', " ").chars().take(16).collect())
    }

    /// The text of a documented file; empty if it is missing, which is allowed (A3).
    pub(in crate::memory) async fn documented_text(&self, kind: Kind, agent: &str) -> Result<String, Error> {
        let path = self.place_of(kind, agent).await?;
        Ok(self.file(&path).await?.map_or_else(String::new, |file| file.text))
    }

    /// The texts of several files of a folder, in one read; empty if missing.
    async fn texts_below<const N: usize>(&self, folder: &TreePath, names: [&str; N]) -> Result<[String; N], Error> {
        let mut keys = Vec::with_capacity(N);
        for name in names {
            keys.push(self.inner.keys.file(folder.join("agent", name)?.as_str()));
        }
        let mut files = self.files_at(&keys).await?.into_iter();
        Ok(names.map(|_| files.next().flatten().map_or_else(String::new, |file| file.text)))
    }
}

fn latest(kind: Kind, text: &str, count: usize) -> Vec<Entry> {
    newest(&Log::parse(kind, text).entries(), count).into_iter().cloned().collect()
}

/// Appends entries to a file. A new file begins as documented.
pub(super) fn appended(kind: Kind, text: &str, entries: &[String]) -> String {
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
