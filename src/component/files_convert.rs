//! The twins of files: each value of the interface `files` beside the value of the library that it stands for.

use super::bindings::exports::keepsake::memory::files as door;
use super::convert;
use super::dialog_convert::twins;
use crate::files::{
    Blocker, Conflict, Decision, Dispatch, Entry, Handoff, Issue, Item, Kind, Learning, SessionArchive, Status,
    Subtask, TreePath, Warning,
};
use crate::memory::{
    Activated, ContextUpdate, Expect, File, FoundEntry, FoundPassage, Note, SessionEnd, Team, file_changes,
};
use crate::model::Invalid;

twins!(door::Status, Status, Pending, InProgress, Complete, Blocked);

pub(super) fn path(text: String) -> Result<TreePath, Invalid> {
    TreePath::new("path", text)
}

pub(super) fn expect(expect: &door::Expect) -> Expect<'_> {
    match expect {
        door::Expect::Any => Expect::Any,
        door::Expect::None => Expect::None,
        door::Expect::Hash(hash) => Expect::Hash(hash),
    }
}

impl From<File> for door::File {
    fn from(file: File) -> Self {
        Self {
            path: file.path.as_str().to_owned(),
            text: file.text,
            hash: file.hash,
            version: file.version,
            updated_at: file.updated_at.millis(),
        }
    }
}

impl From<Conflict> for door::MergeConflict {
    fn from(conflict: Conflict) -> Self {
        Self { section: conflict.section, line: conflict.line as u32 }
    }
}

impl From<Warning> for door::Warning {
    fn from(warning: Warning) -> Self {
        Self { rule: warning.rule.to_owned(), line: warning.line as u32, message: warning.message.to_owned() }
    }
}

impl From<Entry> for door::LogEntry {
    fn from(entry: Entry) -> Self {
        let (status, route) = (entry.status(), entry.route());
        let route = route.map(|(from, to)| (from.to_owned(), to.to_owned()));
        let known = entry.said().into_iter().map(|(name, text)| (name.to_owned(), text));
        Self {
            fields: known.collect(),
            heading: entry.heading,
            line: entry.line as u32,
            date: entry.date,
            time: entry.time,
            title: entry.title,
            status: status.map(Into::into),
            route,
        }
    }
}

impl From<FoundEntry> for door::FoundLearning {
    fn from(found: FoundEntry) -> Self {
        Self { entry: found.entry.into(), text: found.text, score: found.score }
    }
}

impl From<FoundPassage> for door::FoundPassage {
    fn from(found: FoundPassage) -> Self {
        let FoundPassage { path, heading, line, text, score } = found;
        Self { path, heading, line: line as u32, text, score }
    }
}

impl From<Dispatch> for door::Dispatched {
    fn from(dispatch: Dispatch) -> Self {
        let subtask = |part: Subtask| door::Subtask {
            specialist: part.specialist,
            subtask: part.subtask,
            status: part.status.map(Into::into),
            duration: part.duration,
        };
        Self {
            line: dispatch.line as u32,
            date: dispatch.date,
            received: dispatch.received,
            task: dispatch.task,
            status: dispatch.status.map(Into::into),
            plan: dispatch.plan.into_iter().map(subtask).collect(),
            findings: dispatch.findings,
        }
    }
}

/// A task to be given out, `now` unless it says when.
pub(super) fn dispatch(theirs: door::Dispatched, now: &str) -> Dispatch {
    let (today, minute) = now.split_once(' ').unwrap_or((now, ""));
    let subtask = |part: door::Subtask| Subtask {
        specialist: part.specialist,
        subtask: part.subtask,
        status: part.status.map(Into::into),
        duration: part.duration,
    };
    Dispatch {
        date: or(theirs.date, today),
        received: or(theirs.received, minute),
        task: theirs.task,
        status: theirs.status.map(Into::into),
        plan: theirs.plan.into_iter().map(subtask).collect(),
        ..Dispatch::default()
    }
}

impl From<Team> for door::Team {
    fn from(team: Team) -> Self {
        Self { context: team.context, decisions: all(team.decisions), handoffs: all(team.handoffs) }
    }
}

impl From<Activated> for door::Activated {
    fn from(loaded: Activated) -> Self {
        Self {
            folder: loaded.folder,
            definition: loaded.definition,
            context: loaded.context,
            decisions: all(loaded.decisions),
            team: loaded.team.map(Into::into),
            frame: loaded.frame,
        }
    }
}

/// Each of them as its twin.
pub(super) fn all<T, U: From<T>>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(Into::into).collect()
}

/// A text, or what stands for it if it is empty.
fn or(text: String, usual: &str) -> String {
    if text.is_empty() { usual.to_owned() } else { text }
}

fn decision(theirs: door::Decision, today: &str) -> Decision {
    Decision {
        date: or(theirs.date, today),
        title: theirs.title,
        context: theirs.context,
        decision: theirs.decision,
        reason: theirs.reason,
        alternatives: theirs.alternatives,
        impact: theirs.impact,
        reversible: theirs.reversible,
    }
}

fn learning(theirs: door::Learning, today: &str) -> Learning {
    Learning {
        date: or(theirs.date, today),
        title: theirs.title,
        pattern: theirs.pattern,
        language: theirs.language,
        code: theirs.code,
        why: theirs.why,
    }
}

fn archive(theirs: door::SessionArchive, date: &str) -> SessionArchive {
    let issue = |issue: door::Issue| Issue { title: issue.title, problem: issue.problem, solution: issue.solution };
    SessionArchive {
        date: date.to_owned(),
        summary: theirs.summary,
        tasks_completed: theirs.tasks_completed,
        key_changes: theirs.key_changes.into_iter().map(<[String; 2]>::from).collect(),
        issues: theirs.issues.into_iter().map(issue).collect(),
        follow_ups: theirs.follow_ups.into_iter().map(|text| Item::new(text, Some(false))).collect(),
    }
}

/// What a session leaves behind, on `today` unless it says which day.
pub(super) fn session_end(theirs: door::SessionEnd, today: &str) -> Result<SessionEnd, Invalid> {
    let date = or(theirs.date, today);
    let context = match theirs.context {
        None => None,
        Some(door::ContextUpdate::Whole(text)) => Some(ContextUpdate::Whole(text)),
        Some(door::ContextUpdate::Parts(text)) => {
            let changes = file_changes(Kind::Context, convert::object("context", &text)?);
            Some(ContextUpdate::Parts(changes.map_err(|mistake| mistake.within("context"))?))
        }
    };
    Ok(SessionEnd {
        context,
        decisions: theirs.decisions.into_iter().map(|given| decision(given, &date)).collect(),
        learnings: theirs.learnings.into_iter().map(|given| learning(given, &date)).collect(),
        archive: theirs.archive.map(|given| archive(given, &date)),
        date,
    })
}

pub(super) fn note(theirs: door::Note, today: &str) -> Note {
    match theirs {
        door::Note::Decision(given) => Note::Decision(decision(given, today)),
        door::Note::Learning(given) => Note::Learning(learning(given, today)),
    }
}

/// Work to be handed over, `now` unless it says when.
pub(super) fn handoff(theirs: door::Handoff, now: &str) -> Handoff {
    Handoff {
        timestamp: or(theirs.timestamp, now),
        from_agent: theirs.from_agent,
        to_agent: theirs.to_agent,
        task: theirs.task,
        context: theirs.context,
        files: theirs.files,
        expected_deliverable: theirs.expected_deliverable,
        priority: theirs.priority,
    }
}

impl From<door::Blocker> for Blocker {
    fn from(theirs: door::Blocker) -> Self {
        Self {
            title: theirs.title,
            identified_by: theirs.identified_by,
            identified_at: theirs.identified_at,
            blocking: theirs.blocking,
            description: theirs.description,
            proposed: theirs.proposed,
            owner: theirs.owner,
        }
    }
}
