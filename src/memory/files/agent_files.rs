//! The life of an agent's Markdown memory (A26–A37): loaded when it is activated, changed by section, written at the end
//! of a session in one go.

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
pub struct Activated {
    /// The agent's folder: `agents/planner`, or `.microai/agents/planner` where a project keeps them there.
    pub folder: String,
    /// The agent's definition: the whole of its `agent.md`; empty if there is none.
    pub definition: String,
    /// The context whole; empty if there is none.
    pub context: String,
    /// The newest decisions, the newest first.
    pub decisions: Vec<Entry>,
    /// What the member of a team sees of it, if it was activated as one.
    pub team: Option<Team>,
    /// What goes before a prompt; empty if nothing is remembered.
    pub frame: String,
}

/// What a team knows together.
#[derive(Clone, Debug, PartialEq)]
pub struct Team {
    /// The context whole.
    pub context: String,
    /// The newest decisions, the newest first.
    pub decisions: Vec<Entry>,
    /// What waits for the member.
    pub handoffs: Vec<Entry>,
}

impl Activated {
    /// A prompt with the memory before it (A32). The agent's own is its definition.
    pub fn inject(&self, prompt: &str) -> String {
        [&*self.frame, prompt].concat()
    }
}

/// What becomes of a context.
#[derive(Clone, Debug, PartialEq)]
pub enum ContextUpdate {
    /// This is the whole file (A35).
    Whole(String),
    /// Only these parts of it change.
    Parts(Changes),
}

/// What a session leaves behind. What is empty changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionEnd {
    /// The day, `2025-12-31`.
    pub date: String,
    /// The context as it is now, if it changed.
    pub context: Option<ContextUpdate>,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// What was learned.
    pub learnings: Vec<Learning>,
    /// The session itself, if it was complex enough to be kept.
    pub archive: Option<SessionArchive>,
}

/// An entry for one of the documented logs.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// For `decisions.md`, an agent's or the team's.
    Decision(Decision),
    /// For `learnings.md`.
    Learning(Learning),
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Loads an agent's memory (A26, A31): the context whole and the ten newest decisions, beside what the agent is (A1).
    pub async fn activate(&self, agent: &str) -> Result<Activated, Error> {
        let home = self.home(agent).await?;
        let [definition, context, decided] =
            self.texts_below(&home, ["agent.md", "memory/context.md", "memory/decisions.md"]).await?;
        let decisions = latest(Kind::Decisions, &decided, RECENT_DECISIONS);
        let (folder, frame) = (home.as_str().to_owned(), inject(&context, &decided, ""));
        Ok(Activated { folder, definition, frame, context, decisions, team: None })
    }

    /// Loads the memory of a team's member (A45): the team's context and its five newest decisions, the member's own
    /// context, and what waits for it.
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

    /// Writes what a session leaves behind, in the documented order and all at once (A30, A33). Two who end a session at
    /// the same time both have their decisions in the file; the context is one of the two, whole.
    pub async fn end_session(&self, agent: &str, end: &SessionEnd) -> Result<Vec<File>, Error> {
        let decisions = written(&end.decisions, "decisions", Decision::written)?;
        let learnings = written(&end.learnings, "learnings", Learning::written)?;
        let archive = match &end.archive {
            Some(archive) => Some(archive.written().map_err(|mistake| mistake.within("archive"))?),
            None => None,
        };
        // The names and the day are checked, whatever they are needed for.
        path_of("", Kind::Session, agent, &end.date)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let root = self.agent_root(agent).await?;
            let path = |kind: Kind| path_of(root, kind, agent, &end.date);
            let mut files = self.plan_context(plan, &path(Kind::Context)?, end).await?;
            for (kind, entries) in [(Kind::Decisions, &decisions), (Kind::Learnings, &learnings)] {
                // Only if there are new ones (A36).
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

    /// The context as a session leaves it, dated by its day (A7, A30). One that nobody has changed still moves its date,
    /// and is named only if it had one.
    async fn plan_context(&self, plan: &mut Plan, path: &TreePath, end: &SessionEnd) -> Result<Vec<File>, Error> {
        let before = match end.context {
            Some(_) => None,
            // Nothing is made of nothing.
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

    /// A session in a file of its own (A25). One that was archived on that day stays as it is: the next one gets the next
    /// number, and the same one again is the same file.
    async fn plan_archive(&self, plan: &mut Plan, first: &TreePath, text: &str) -> Result<File, Error> {
        let mut path = first.clone();
        for number in 2.. {
            match self.file(&path).await? {
                None => break,
                Some(file) if file.text == text => return Ok(file),
                Some(_) => {
                    // Behind the first in any order: a hyphen would come before the dot.
                    let name = first.as_str().strip_suffix(".md").unwrap_or(first.as_str());
                    path = TreePath::new("date", format!("{name}_{number:02}.md"))?;
                }
            }
        }
        self.plan_file(plan, &path, None, text)
    }

    /// Appends entries to a log of either kind, when they are made (A37).
    pub async fn record_notes(&self, path: &TreePath, notes: &[Note]) -> Result<File, Error> {
        let kind = Kind::of(path.as_str());
        let write = |note: &Note| match (kind, note) {
            (Kind::Decisions | Kind::TeamDecisions, Note::Decision(decision)) => decision.written(),
            (Kind::Learnings, Note::Learning(learning)) => learning.written(),
            _ => Err(Invalid::value("kind", "is not what this file is for")),
        };
        let entries = written(notes, "entries", write)?;
        self.edit_file(path, Expect::Any, &|text| Ok(appended(kind, text, &entries))).await
    }

    /// Writes parts of a file made of known sections; everything else stays byte for byte.
    pub async fn update_file(&self, path: &TreePath, changes: &Changes, expect: Expect<'_>) -> Result<File, Error> {
        self.edit_file(path, expect, &|text| changes.apply(Kind::of(path.as_str()), text)).await
    }

    /// Puts another text in the place of one section of one file (A34); everything else stays byte for byte. A documented
    /// section that is missing is made in its place (A8); any other that is not there is an error.
    pub async fn update_section(
        &self,
        path: &TreePath,
        section: &str,
        text: &str,
        expect: Expect<'_>,
    ) -> Result<File, Error> {
        let kind = Kind::of(path.as_str());
        // A session's file is of its own day.
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

    /// What could be better about a file (A38–A41), or about what is to become of it.
    pub async fn lint_file(&self, path: &TreePath, text: Option<&str>) -> Result<Vec<Warning>, Error> {
        let today = self.today()?;
        let lint = |text: &str| lint(Kind::of(path.as_str()), text, Some(&today));
        Ok(match text {
            Some(text) => lint(text),
            None => self.file(path).await?.map_or_else(Vec::new, |file| lint(&file.text)),
        })
    }

    /// The day, `2025-12-31`.
    pub(crate) fn today(&self) -> Result<String, Error> {
        Ok(self.now()?.to_string().chars().take(10).collect())
    }

    /// The day and the time, `2025-12-31 10:30`.
    pub(crate) fn this_minute(&self) -> Result<String, Error> {
        Ok(self.now()?.to_string().replace('T', " ").chars().take(16).collect())
    }

    /// The text of a documented file; empty if it is missing, which is fine (A3).
    pub(in crate::memory) async fn documented_text(&self, kind: Kind, agent: &str) -> Result<String, Error> {
        let path = self.place_of(kind, agent).await?;
        Ok(self.file(&path).await?.map_or_else(String::new, |file| file.text))
    }

    /// The texts of several files of a folder, in one read; empty if they are missing.
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

/// A file with entries after it. A new one begins as the documented ones do.
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
