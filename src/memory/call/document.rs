//! The JSON of Markdown files: parsed parts and entries, and changes to them.

use crate::codec::json::Fields;
use crate::files::{
    Blocker, Changes, Content, Decision, Dispatch, Document, Entry, Handoff, Issue, Item, Kind, Learning, Log,
    SessionArchive, Sheet, Status, Subtask, dispatches,
};
use crate::model::{Invalid, Json};

/// A parsed file as JSON.
pub(crate) fn document(kind: Kind, text: &str) -> Json {
    let mut fields = vec![("kind", kind.name().into())];
    let sheet = Sheet::parse(kind, text);
    if let Some((_, date)) = sheet.updated() {
        fields.push(("updated", date.into()));
    }
    let whole = Document::parse(text);
    // The text before the first heading is no section.
    let sections = whole.sections().iter().enumerate().filter(|(_, section)| section.level > 0);
    let section = |(at, section): (usize, &crate::files::Section)| {
        let title = whole.title(at);
        let part = kind.parts().iter().find(|part| part.is_called(title));
        let mut fields = vec![("title", title.into()), ("level", section.level.into()), ("line", section.line.into())];
        fields.extend(part.map(|part| ("part", part.name().into())));
        fields.push(("text", whole.body(at).into()));
        Json::object(fields)
    };
    fields.push(("sections", Json::Array(sections.map(section).collect())));
    let parts = kind.parts().iter().filter_map(|part| Some((part.name(), content(&sheet.content(*part)?))));
    let parts: Vec<(&str, Json)> = parts.collect();
    if !kind.parts().is_empty() {
        fields.push(("parts", Json::object(parts)));
    }
    if kind == Kind::DispatchLog {
        fields.push(("dispatches", Json::Array(dispatches(text).iter().map(dispatched).collect())));
    }
    if kind.is_log() {
        fields.push(("entries", entries(&Log::parse(kind, text).entries())));
    }
    Json::object(fields)
}

fn content(content: &Content) -> Json {
    match content {
        Content::Items(items) => Json::Array(items.iter().map(item).collect()),
        Content::Rows(rows) => Json::Array(
            rows.iter().map(|row| Json::Array(row.iter().map(|cell| cell.as_str().into()).collect())).collect(),
        ),
        Content::Text(text) => text.as_str().into(),
    }
}

fn item(item: &Item) -> Json {
    let mut fields = vec![("text", item.text.as_str().into()), ("line", item.line.into())];
    fields.extend(item.done.map(|done| ("done", done.into())));
    if !item.details.is_empty() {
        fields.push(("details", Json::Array(item.details.iter().map(|line| line.as_str().into()).collect())));
    }
    Json::object(fields)
}

/// Entries of a log.
pub(in crate::memory) fn entries(entries: &[Entry]) -> Json {
    Json::Array(entries.iter().map(|entry| Json::object(entry_fields(entry))).collect())
}

/// An entry of a log.
pub(super) fn entry_fields(entry: &Entry) -> Vec<(&'static str, Json)> {
    let mut fields = vec![("heading", Json::from(entry.heading.as_str())), ("line", entry.line.into())];
    fields.extend(entry.date.as_deref().map(|date| ("date", date.into())));
    fields.extend(entry.time.as_deref().map(|time| ("time", time.into())));
    fields.push(("title", entry.title.as_str().into()));
    fields.extend(entry.status().map(|status| ("status", status.name().into())));
    if let Some((from, to)) = entry.route() {
        fields.extend([("from", from.into()), ("to", to.into())]);
    }
    let known = entry.said().into_iter().map(|(name, text)| (name, text.into())).collect();
    fields.push(("fields", Json::object(known)));
    fields
}

/// Decodes the parts to write, of a file of this kind.
pub(crate) fn changes(kind: Kind, value: Json) -> Result<Changes, Invalid> {
    let mut fields = Fields::of("changes", value);
    let updated = fields.text("updated");
    let mut parts = Vec::new();
    for part in kind.parts() {
        let content = match fields.value(part.name()) {
            None => continue,
            Some(Json::String(text)) => Content::Text(text),
            Some(Json::Array(list)) if list.iter().any(|row| row.as_array().is_some()) => {
                Content::Rows(fields.accept(rows(part.name(), list)).unwrap_or_default())
            }
            Some(Json::Array(list)) if list.is_empty() && part.is_table() => Content::Rows(Vec::new()),
            Some(Json::Array(list)) => Content::Items(fields.accept(items(part.name(), list)).unwrap_or_default()),
            Some(_) => {
                fields.refuse(Invalid::value(part.name(), "must be a list or a text"));
                continue;
            }
        };
        parts.push((*part, content));
    }
    fields.finish()?;
    Ok(Changes { updated, parts })
}

fn rows(field: &str, list: Vec<Json>) -> Result<Vec<Vec<String>>, Invalid> {
    let cell = |cell: &Json| cell.as_str().map(str::to_owned);
    let row = |(at, row): (usize, Json)| {
        let cells = row.as_array().and_then(|cells| cells.iter().map(cell).collect::<Option<Vec<_>>>());
        cells.ok_or_else(|| Invalid::value(format!("{field}[{at}]"), "must be a list of texts"))
    };
    list.into_iter().enumerate().map(row).collect()
}

fn items(field: &str, list: Vec<Json>) -> Result<Vec<Item>, Invalid> {
    let one = |(at, value): (usize, Json)| match value {
        Json::String(text) => Ok(Item::new(text, None)),
        other => {
            let mut fields = Fields::of("item", other);
            let item = Item {
                done: fields.flag("done"),
                details: fields.texts("details"),
                ..Item::new(fields.required_text("text"), None)
            };
            // A parsed item has a line, which is ignored: the file decides the position.
            fields.count("line");
            fields.finish().map(|()| item).map_err(|mistake| mistake.within(&format!("{field}[{at}]")))
        }
    };
    list.into_iter().enumerate().map(one).collect()
}

/// Decodes a decision. The date defaults to `today`.
pub(in crate::memory) fn decision(value: Json, today: &str) -> Result<Decision, Invalid> {
    let mut fields = Fields::of("decision", value);
    let decision = Decision {
        date: fields.text("date").unwrap_or_else(|| today.to_owned()),
        title: fields.required_text("title"),
        context: said(&mut fields, "context"),
        decision: said(&mut fields, "decision"),
        reason: said(&mut fields, "reason"),
        alternatives: said(&mut fields, "alternatives"),
        impact: said(&mut fields, "impact"),
        reversible: said(&mut fields, "reversible"),
    };
    fields.finish().map(|()| decision)
}

/// Decodes a learning. The date defaults to `today`.
pub(in crate::memory) fn learning(value: Json, today: &str) -> Result<Learning, Invalid> {
    let mut fields = Fields::of("learning", value);
    let learning = Learning {
        date: fields.text("date").unwrap_or_else(|| today.to_owned()),
        title: fields.required_text("title"),
        pattern: said(&mut fields, "pattern"),
        language: said(&mut fields, "language"),
        code: said(&mut fields, "code"),
        why: said(&mut fields, "why"),
    };
    fields.finish().map(|()| learning)
}

/// Decodes a session to archive.
pub(in crate::memory) fn archive(value: Json, today: &str) -> Result<SessionArchive, Invalid> {
    let mut fields = Fields::of("archive", value);
    let changes = fields.list("keyChanges");
    let changes = rows("keyChanges", changes);
    let issues = fields.list("issues").into_iter().enumerate().map(|(at, value)| {
        let mut fields = Fields::of("issue", value);
        let issue = Issue {
            title: fields.required_text("title"),
            problem: said(&mut fields, "problem"),
            solution: said(&mut fields, "solution"),
        };
        fields.finish().map(|()| issue).map_err(|mistake| mistake.within(&format!("issues[{at}]")))
    });
    let issues = issues.collect::<Result<Vec<_>, _>>();
    let follow_ups = items("followUps", fields.list("followUps"));
    let archive = SessionArchive {
        date: today.to_owned(),
        summary: said(&mut fields, "summary"),
        tasks_completed: fields.texts("tasksCompleted"),
        key_changes: fields.accept(changes).unwrap_or_default().into_iter().map(file_and_change).collect(),
        issues: fields.accept(issues).unwrap_or_default(),
        follow_ups: fields.accept(follow_ups).unwrap_or_default().into_iter().map(open).collect(),
    };
    fields.finish().map(|()| archive)
}

fn file_and_change(row: Vec<String>) -> [String; 2] {
    let mut cells = row.into_iter();
    [cells.next().unwrap_or_default(), cells.next().unwrap_or_default()]
}

/// A follow-up has a check box even if `done` is missing.
fn open(item: Item) -> Item {
    Item { done: item.done.or(Some(false)), ..item }
}

/// Decodes a handoff, under the documented names or ours. The time defaults to `now`.
pub(in crate::memory) fn handoff(mut fields: Fields, now: &str) -> Result<Handoff, Invalid> {
    let handoff = Handoff {
        timestamp: fields.text("timestamp").unwrap_or_else(|| now.to_owned()),
        from_agent: fields.either("fromAgent", "from_agent").unwrap_or_default(),
        to_agent: fields.either("toAgent", "to_agent").unwrap_or_default(),
        task: said(&mut fields, "task"),
        context: said(&mut fields, "context"),
        files: said(&mut fields, "files"),
        expected_deliverable: fields.either("expectedDeliverable", "expected_deliverable").unwrap_or_default(),
        priority: said(&mut fields, "priority"),
    };
    fields.finish().map(|()| handoff)
}

/// Decodes a blocker.
pub(in crate::memory) fn blocker(mut fields: Fields) -> Result<Blocker, Invalid> {
    let blocker = Blocker {
        title: fields.required_text("title"),
        identified_by: said(&mut fields, "identifiedBy"),
        identified_at: said(&mut fields, "identifiedAt"),
        blocking: said(&mut fields, "blocking"),
        description: said(&mut fields, "description"),
        proposed: said(&mut fields, "proposed"),
        owner: said(&mut fields, "owner"),
    };
    fields.finish().map(|()| blocker)
}

/// Decodes a task to dispatch. The time defaults to `now`: `2025-12-31 10:30`.
pub(in crate::memory) fn dispatch(mut fields: Fields, now: &str) -> Result<Dispatch, Invalid> {
    let (today, minute) = now.split_once(' ').unwrap_or((now, ""));
    let plan = fields.list("plan").into_iter().enumerate().map(|(at, value)| {
        let mut fields = Fields::of("subtask", value);
        let subtask = Subtask {
            specialist: fields.required_text("specialist"),
            subtask: fields.required_text("subtask"),
            status: fields.made("status", |field, name| Status::new(field, &name)),
            duration: said(&mut fields, "duration"),
        };
        fields.finish().map(|()| subtask).map_err(|mistake| mistake.within(&format!("plan[{at}]")))
    });
    let plan = plan.collect::<Result<Vec<_>, _>>();
    let dispatch = Dispatch {
        date: fields.text("date").unwrap_or_else(|| today.to_owned()),
        received: fields.text("received").unwrap_or_else(|| minute.to_owned()),
        task: fields.required_text("task"),
        status: fields.made("status", |field, name| Status::new(field, &name)),
        plan: fields.accept(plan).unwrap_or_default(),
        ..Dispatch::default()
    };
    fields.finish().map(|()| dispatch)
}

/// A dispatched task as JSON.
pub(super) fn dispatched(dispatch: &Dispatch) -> Json {
    let filled = |name, text: &str| (!text.is_empty()).then(|| (name, Json::from(text)));
    let status = |status: Option<Status>| status.map(|status| ("status", Json::from(status.name())));
    let subtask = |part: &Subtask| {
        let mut fields =
            vec![("specialist", part.specialist.as_str().into()), ("subtask", part.subtask.as_str().into())];
        fields.extend(status(part.status));
        fields.extend(filled("duration", &part.duration));
        Json::object(fields)
    };
    let mut fields = vec![("task", dispatch.task.as_str().into()), ("line", dispatch.line.into())];
    fields.extend(filled("date", &dispatch.date));
    fields.extend(filled("received", &dispatch.received));
    fields.extend(status(dispatch.status));
    fields.push(("plan", Json::Array(dispatch.plan.iter().map(subtask).collect())));
    fields.extend(filled("findings", &dispatch.findings));
    Json::object(fields)
}

fn said(fields: &mut Fields, name: &'static str) -> String {
    fields.text(name).unwrap_or_default()
}
