//! The life of an agent's Markdown memory (A26–A37): loaded when it is activated, changed by section, written at the end
//! of a session in one go.

use super::files::{Expect, File};
use super::plan::Plan;
use super::{Env, Error, Memory};
use crate::files::{
    Changes, Decision, Entry, Kind, Learning, Log, MemberFiles, RECENT_DECISIONS, RECENT_TEAM_DECISIONS,
    SessionArchive, Sheet, TreePath, Warning, inject, inject_member, lint, newest, path_of, pending, skeleton,
};
use crate::index::{Doc, DocKind, Index, Query, Ranking, Text};
use crate::model::{Importance, Invalid, Metadata, Timestamp};
use crate::store::{Durability, Store};

/// An agent with its memory loaded. Learnings and sessions are not read (A27, A28).
#[derive(Clone, Debug, PartialEq)]
pub struct Activated {
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
    /// A prompt with the memory before it (A32).
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

/// An entry that was searched for.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundEntry {
    /// What it says by field.
    pub entry: Entry,
    /// As it stands in its file.
    pub text: String,
    /// How well it fits.
    pub score: f64,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Loads an agent's memory (A26, A31): the context whole and the ten newest decisions.
    pub async fn activate(&self, agent: &str) -> Result<Activated, Error> {
        let context = self.documented_text(Kind::Context, agent).await?;
        let decided = self.documented_text(Kind::Decisions, agent).await?;
        let decisions = latest(Kind::Decisions, &decided, RECENT_DECISIONS);
        Ok(Activated { frame: inject(&context, &decided, ""), context, decisions, team: None })
    }

    /// Loads the memory of a team's member (A45): the team's context and its five newest decisions, the member's own
    /// context, and what waits for it.
    pub async fn activate_member(&self, agent: &str) -> Result<Activated, Error> {
        let own = self.activate(agent).await?;
        let context = self.documented_text(Kind::TeamContext, agent).await?;
        let decided = self.documented_text(Kind::TeamDecisions, agent).await?;
        let handed = self.documented_text(Kind::Handoffs, agent).await?;
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
        let path = |kind: Kind| path_of(kind, agent, &end.date);
        let (context, decided, learned) = (path(Kind::Context)?, path(Kind::Decisions)?, path(Kind::Learnings)?);
        let archived = archive.as_ref().map(|_| path(Kind::Session)).transpose()?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut files = Vec::new();
            if let Some(update) = &end.context {
                let edit = |text: &str| match update {
                    ContextUpdate::Whole(text) => Ok(text.clone()),
                    ContextUpdate::Parts(changes) => {
                        changes.apply(Kind::Context, text).map_err(|mistake| mistake.within("context"))
                    }
                };
                files.push(self.plan_edit(plan, &context, Expect::Any, &edit).await?);
            }
            for (path, kind, entries) in
                [(&decided, Kind::Decisions, &decisions), (&learned, Kind::Learnings, &learnings)]
            {
                // Only if there are new ones (A36).
                if !entries.is_empty() {
                    let edit = |text: &str| Ok(appended(kind, text, entries));
                    files.push(self.plan_edit(plan, path, Expect::Any, &edit).await?);
                }
            }
            if let (Some(text), Some(path)) = (&archive, &archived) {
                files.push(self.plan_edit(plan, path, Expect::Any, &|_| Ok(text.clone())).await?);
            }
            Ok(files)
        })
        .await
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

    /// Puts another text in the place of one section of one file (A34); everything else stays byte for byte. A section
    /// that is not there is an error, because nobody could say where it belongs.
    pub async fn update_section(
        &self,
        path: &TreePath,
        section: &str,
        text: &str,
        expect: Expect<'_>,
    ) -> Result<File, Error> {
        let kind = Kind::of(path.as_str());
        let edit = |before: &str| {
            let start = if before.is_empty() { skeleton(kind, None) } else { before.to_owned() };
            let mut sheet = Sheet::parse(kind, start);
            if sheet.set_section(section, text) {
                Ok(sheet.into_text())
            } else {
                Err(Invalid::value("section", "is no section of this file"))
            }
        };
        self.edit_file(path, expect, &edit).await
    }

    /// The learnings of an agent that fit a question, the best first (A29): only now are they read.
    pub async fn search_learnings(&self, agent: &str, query: &str, limit: usize) -> Result<Vec<FoundEntry>, Error> {
        let log = Log::parse(Kind::Learnings, self.documented_text(Kind::Learnings, agent).await?);
        let entries = log.entries();
        let decompose = |text: &str| self.inner.env.decompose(text);
        let (now, metadata) = (self.now()?, Metadata::default());
        // The ranking that everything else is searched by, over the entries of this one file.
        let mut index = Index::default();
        for (at, entry) in entries.iter().enumerate() {
            let (id, title, content) = (at.to_string(), decompose(&entry.title), decompose(log.entry_text(entry)));
            index.put(&Doc {
                seq: at as u64,
                kind: DocKind::Entry,
                id: &id,
                namespace: "learnings",
                summary: &title,
                tags: &[],
                importance: Importance::default(),
                created_at: now,
                expires_at: Timestamp::MAX,
                at: now,
                session: None,
                agent: None,
                speaker: None,
                source: None,
                trust: 0,
                key: None,
                metadata: &metadata,
                vector: &[],
                text: Text { content: &content, summary: &title, ..Text::default() },
            });
        }
        let query = decompose(query);
        let hits = index.search(&Query { limit, ..Query::new(&query, Ranking::Best) }, now);
        let found = hits.iter().filter_map(|hit| {
            let entry = entries.get(hit.found.id.parse::<usize>().ok()?)?.clone();
            Some(FoundEntry { text: log.entry_text(&entry).to_owned(), score: hit.score, entry })
        });
        Ok(found.collect())
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
    pub(super) async fn documented_text(&self, kind: Kind, agent: &str) -> Result<String, Error> {
        let path = path_of(kind, agent, "")?;
        Ok(self.file(&path).await?.map_or_else(String::new, |file| file.text))
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
