//! New entries and archives, validated and written in the documented format.

use super::code::fenced;
use super::lines::one_line;
use super::list::Item;
use super::log::{Log, written};
use super::names::{Field, Kind, Part, named};
use super::sheet::{Sheet, skeleton};
use super::values::{Status, checked_date, dating};
use crate::model::Invalid;

/// A new decision. Texts are paragraphs or lists; empty ones are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the labels of the file")]
pub struct Decision {
    pub date: String,
    pub title: String,
    pub context: String,
    pub decision: String,
    pub reason: String,
    pub alternatives: String,
    pub impact: String,
    pub reversible: String,
}

/// A learned pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the labels of the file")]
pub struct Learning {
    pub date: String,
    pub title: String,
    pub pattern: String,
    /// The language of the code, as in the info string of a fence.
    pub language: String,
    /// The code, without the fence, which is added.
    pub code: String,
    pub why: String,
}

/// Work that one agent hands over to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the labels of the file")]
pub struct Handoff {
    /// `2025-12-31 10:30`.
    pub timestamp: String,
    pub from_agent: String,
    pub to_agent: String,
    pub task: String,
    pub context: String,
    pub files: String,
    pub expected_deliverable: String,
    pub priority: String,
}

/// A blocker of a team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the labels of the file")]
pub struct Blocker {
    pub title: String,
    pub identified_by: String,
    pub identified_at: String,
    pub blocking: String,
    pub description: String,
    pub proposed: String,
    pub owner: String,
}

/// A problem in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the labels of the file")]
pub struct Issue {
    pub title: String,
    pub problem: String,
    pub solution: String,
}

/// A session to be archived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the headings of the file")]
pub struct SessionArchive {
    pub date: String,
    pub summary: String,
    pub tasks_completed: Vec<String>,
    /// Pairs of file and change.
    pub key_changes: Vec<[String; 2]>,
    pub issues: Vec<Issue>,
    pub follow_ups: Vec<Item>,
}

/// A required text, on one line.
fn required(field: &str, text: &str) -> Result<String, Invalid> {
    let text = one_line(text);
    if text.is_empty() { Err(Invalid::value(field, "must not be empty")) } else { Ok(text) }
}

/// The name of an agent, which must not look like a route.
fn agent(field: &str, name: &str) -> Result<String, Invalid> {
    let name = required(field, name)?;
    let arrow = name.contains('→') || name.contains("->");
    if arrow { Err(Invalid::value(field, "must not contain an arrow")) } else { Ok(name) }
}

/// `2025-12-31: Title`.
fn heading(date: &str, title: &str) -> Result<String, Invalid> {
    Ok(format!("{}: {}", checked_date("date", date)?, required("title", title)?))
}

impl Decision {
    /// The entry in the form that is appended.
    pub fn written(&self) -> Result<String, Invalid> {
        let heading = heading(&self.date, &self.title)?;
        let fields = [
            (Field::Context, &*self.context),
            (Field::Decision, &self.decision),
            (Field::Reason, &self.reason),
            (Field::Alternatives, &self.alternatives),
            (Field::Impact, &self.impact),
            (Field::Reversible, &self.reversible),
        ];
        Ok(written(&heading, &fields))
    }
}

impl Learning {
    /// The entry in the form that is appended.
    pub fn written(&self) -> Result<String, Invalid> {
        let heading = heading(&self.date, &self.title)?;
        let code = fenced(&self.language, &self.code);
        let fields = [(Field::Pattern, &*self.pattern), (Field::Code, &code), (Field::Why, &self.why)];
        Ok(written(&heading, &fields))
    }
}

impl Handoff {
    /// The entry in the form that is appended to `log`. A duplicate heading gets a number, so that headings stay
    /// unique. The caller checks whether the receiver exists.
    pub fn written(&self, log: &Log) -> Result<String, Invalid> {
        let (from, to) = (agent("fromAgent", &self.from_agent)?, agent("toAgent", &self.to_agent)?);
        required("task", &self.task)?;
        required("context", &self.context)?;
        required("expectedDeliverable", &self.expected_deliverable)?;
        let at = dating(&self.timestamp);
        let date = checked_date("timestamp", at.date.unwrap_or(""))?;
        let (Some(time), "") = (at.time, at.title) else {
            return Err(Invalid::value("timestamp", "must be a date and a time, such as 2025-12-31 10:30"));
        };
        let fields = [
            (Field::Task, &*self.task),
            (Field::ContextProvided, &self.context),
            (Field::FilesInvolved, &self.files),
            (Field::Deliverable, &self.expected_deliverable),
            (Field::Priority, &self.priority),
            (Field::Status, Status::Pending.as_str()),
        ];
        let heading = format!("{date} {time}: {from} → {to}");
        let entries = log.entries();
        let taken = |heading: &str| entries.iter().any(|entry| entry.heading == heading);
        let numbered = (2..).map(|number| format!("{heading} ({number})"));
        let heading = std::iter::once(heading.clone()).chain(numbered).find(|heading| !taken(heading));
        Ok(written(&heading.unwrap_or_default(), &fields))
    }
}

impl Blocker {
    /// The entry in the form that is appended to `log`, with the next free number.
    pub fn written(&self, log: &Log) -> Result<String, Invalid> {
        let title = required("title", &self.title)?;
        let number =
            |heading: &str| -> Option<u32> { heading.strip_prefix("BLOCKER-")?.split(':').next()?.trim().parse().ok() };
        let last = log.entries().iter().filter_map(|entry| number(&entry.heading)).max().unwrap_or(0);
        let fields = [
            (Field::IdentifiedBy, &*self.identified_by),
            (Field::IdentifiedAt, &self.identified_at),
            (Field::Blocking, &self.blocking),
            (Field::Description, &self.description),
            (Field::Proposed, &self.proposed),
            (Field::Owner, &self.owner),
            (Field::Status, Status::Pending.as_str()),
        ];
        Ok(written(&format!("BLOCKER-{:03}: {title}", last.saturating_add(1)), &fields))
    }
}

impl Issue {
    /// Reads the issue of an archive's list item.
    pub fn read(item: &Item) -> Self {
        let said = |names: &str| {
            let lines = item.details.iter().filter_map(|line| line.trim_start_matches(['-', '*', ' ']).split_once(':'));
            lines.filter(|(name, _)| named(name, names)).map(|(_, text)| text.trim().to_owned()).next()
        };
        Self {
            title: item.text.trim_matches('*').to_owned(),
            problem: said("Problem | Vấn đề").unwrap_or_default(),
            solution: said("Solution | Giải pháp").unwrap_or_default(),
        }
    }

    fn item(&self) -> Item {
        let lines = [("Problem", &self.problem), ("Solution", &self.solution)].into_iter();
        let details = lines.filter(|(_, text)| !text.trim().is_empty()).map(|(name, text)| format!("- {name}: {text}"));
        Item { details: details.collect(), ..Item::new(format!("**{}**", one_line(&self.title)), None) }
    }
}

impl SessionArchive {
    /// The whole file.
    pub fn written(&self) -> Result<String, Invalid> {
        let date = checked_date("date", &self.date)?;
        let mut sheet = Sheet::parse(Kind::Session, skeleton(Kind::Session, Some(&date)));
        sheet.set_prose(Part::Summary, &self.summary);
        let done: Vec<Item> = self.tasks_completed.iter().map(|task| Item::new(task, Some(true))).collect();
        sheet.set_items(Part::Done, &done);
        let changes: Vec<Vec<String>> = self.key_changes.iter().map(|row| row.to_vec()).collect();
        sheet.set_rows(Part::Changes, &changes);
        sheet.set_items(Part::Issues, &self.issues.iter().map(Issue::item).collect::<Vec<_>>());
        sheet.set_items(Part::FollowUps, &self.follow_ups);
        Ok(sheet.into_text())
    }
}
