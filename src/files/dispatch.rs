//! The dispatch log of a team's lead (A43): a section for each day, with the tasks and their plans.

use super::document::Document;
use super::lines::{line_end, one_line};
use super::list::with_block;
use super::log::fields;
use super::names::{Kind, named};
use super::sheet::skeleton;
use super::table;
use super::values::{Status, checked_date, date_in, dating};
use crate::model::Invalid;

const RECEIVED: &str = "Received | Nhận";
const STATUS: &str = "Status | Trạng thái";
const PLAN: &str = "Dispatch Plan | Kế hoạch phân công";
const FINDINGS: &str = "Findings Integration | Tích hợp kết quả";
const COLUMNS: [&str; 5] = ["Order", "Specialist", "Subtask", "Status", "Duration"];

/// A part of a task, and its assignee.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subtask {
    /// The assignee.
    pub specialist: String,
    /// The work to do.
    pub subtask: String,
    /// The status; pending if absent.
    pub status: Option<Status>,
    /// The duration; empty if not written.
    pub duration: String,
}

/// A task that the lead has dispatched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    /// The line of its heading, counted from 1; 0 for a new one.
    pub line: usize,
    /// The day, `2025-12-31`.
    pub date: String,
    /// The time of day at which it was received, `10:30`.
    pub received: String,
    /// The task's title.
    pub task: String,
    /// The status; pending if absent.
    pub status: Option<Status>,
    /// The plan, in order.
    pub plan: Vec<Subtask>,
    /// The findings, as Markdown; empty if there are none.
    pub findings: String,
}

/// The tasks of a dispatch log, in the order of the file.
pub fn dispatches(text: &str) -> Vec<Dispatch> {
    let document = Document::to_depth(text, 3);
    let (mut found, mut date) = (Vec::new(), String::new());
    for (at, section) in document.sections().iter().enumerate() {
        let title = document.title(at);
        match section.level {
            2 => date = day_in(title).unwrap_or_default(),
            3 => found.push(read(&document, at, &date)),
            _ => {}
        }
    }
    found
}

fn day_in(title: &str) -> Option<String> {
    checked_date("date", date_in(title)?.1).ok()
}

fn read(document: &Document, at: usize, date: &str) -> Dispatch {
    let title = document.title(at);
    let task = title.split_once(':').filter(|(name, _)| named(name, "Task | Nhiệm vụ")).map_or(title, |(_, task)| task);
    let labelled = fields(document.body(at), document.body_line(at));
    let said = |names: &str| {
        let field = labelled.iter().find(|field| named(&field.label, names));
        field.map_or_else(String::new, |field| field.text.clone())
    };
    let subtask = |row: table::Row| {
        let cell = |at: usize| row.cells.get(at).cloned().unwrap_or_default();
        // A dash means empty.
        let duration = Some(cell(4)).filter(|text| !text.trim_matches(['-', '–', '—']).is_empty()).unwrap_or_default();
        Subtask { specialist: cell(1), subtask: cell(2), status: Status::read(&cell(3)), duration }
    };
    Dispatch {
        line: document.sections().get(at).map_or(0, |section| section.line),
        date: date.to_owned(),
        received: said(RECEIVED),
        task: task.trim().to_owned(),
        status: Status::read(&said(STATUS)),
        plan: table::rows(&said(PLAN), 1).into_iter().map(subtask).collect(),
        findings: said(FINDINGS),
    }
}

fn required(field: String, text: &str) -> Result<String, Invalid> {
    let text = one_line(text);
    if text.is_empty() { Err(Invalid::value(field, "must not be empty")) } else { Ok(text) }
}

impl Dispatch {
    /// The log with this task at the end of its day, which is created if missing.
    pub fn appended(&self, text: &str) -> Result<String, Invalid> {
        let date = checked_date("date", &self.date)?;
        let task = self.written()?;
        let start = if text.trim_start_matches('\u{feff}').trim().is_empty() {
            skeleton(Kind::DispatchLog, None)
        } else {
            text.to_owned()
        };
        let mut document = Document::to_depth(start, 2);
        let end = line_end(document.text());
        let of_that_day = |at: &usize| {
            let level = document.sections().get(*at).map_or(0, |section| section.level);
            level == 2 && day_in(document.title(*at)).as_deref() == Some(&date)
        };
        if let Some(at) = (1..document.sections().len()).rev().find(of_that_day) {
            let body = with_block(document.body(at), &task, end);
            document.set_body(at, &body);
            return Ok(document.into_text());
        }
        let last = document.sections().len().saturating_sub(1);
        let day = format!("\n## Session: {date}\n\n{task}\n---\n");
        let whole = super::document::closed(document.section(last).to_owned(), end);
        let place = document.sections().get(last).map_or(0, |section| section.range.start);
        let before = document.text().get(..place).unwrap_or("");
        Ok(format!("{before}{whole}{}", super::lines::with_ends(&day, end)))
    }

    fn written(&self) -> Result<String, Invalid> {
        let task = required("task".to_owned(), &self.task)?;
        let received = required("received".to_owned(), &self.received)?;
        // Date and time are recognised by their shape together.
        if dating(&format!("1970-01-01 {received}")).time != Some(&received) {
            return Err(Invalid::value("received", "must be a time of day, such as 10:30"));
        }
        let status = self.status.unwrap_or(Status::Pending).as_str();
        let mut out = format!("### Task: {task}\n\n**{RECEIVED}**: {received}\n**{STATUS}**: {status}\n");
        if !self.plan.is_empty() {
            let mut rows = Vec::new();
            for (at, part) in self.plan.iter().enumerate() {
                let status = part.status.unwrap_or(Status::Pending).as_str();
                let duration = one_line(&part.duration);
                rows.push(vec![
                    (at + 1).to_string(),
                    required(format!("plan[{at}].specialist"), &part.specialist)?,
                    required(format!("plan[{at}].subtask"), &part.subtask)?,
                    status.to_owned(),
                    if duration.is_empty() { "-".to_owned() } else { duration },
                ]);
            }
            out.push_str(&format!("\n**{PLAN}**:\n{}", table::set("", &COLUMNS, &rows, "\n")));
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a43_a_task_is_written_below_its_day_and_read_again() {
        let part =
            |name: &str| Subtask { specialist: name.to_owned(), subtask: "a | b".to_owned(), ..Subtask::default() };
        let one = Dispatch {
            date: "2025-12-31".to_owned(),
            received: "10:30".to_owned(),
            task: "T: u\n## v".to_owned(),
            plan: vec![part("Ada"), part("Bé")],
            ..Dispatch::default()
        };
        let two = Dispatch { task: "second".to_owned(), plan: Vec::new(), ..one.clone() };
        let text = two.appended(&one.appended("").unwrap()).unwrap();
        let found = dispatches(&text);
        assert_eq!(found.iter().map(|task| &*task.task).collect::<Vec<_>>(), ["T: u ## v", "second"], "{text}");
        assert_eq!((found[0].plan.len(), &*found[0].plan[1].subtask), (2, "a | b"));
        assert_eq!((found[1].date.as_str(), found[1].status), ("2025-12-31", Some(Status::Pending)));
        assert_eq!(text.matches("## Session").count(), 1);
        let crlf = one.appended(&text.replace('\n', "\r\n").replace("2025", "2024")).unwrap();
        assert!(!crlf.replace("\r\n", "").contains('\n') && dispatches(&crlf).len() == 3, "{crlf}");
        let open = dispatches(&one.appended("# L\n```\nopen").unwrap());
        assert_eq!(open.len(), 1);
        assert_eq!(
            Dispatch { received: "soon".to_owned(), ..one.clone() }.appended("").unwrap_err().field(),
            "received"
        );
        assert_eq!(Dispatch { date: "2025-02-30".to_owned(), ..one }.appended("").unwrap_err().field(), "date");
    }
}
