//! A rule about failures of a tool, and how it reads.

use crate::model::Json;

/// What is known about failures of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The task type, if all the failures are of one.
    pub task_type: Option<String>,
    /// The tool that fails.
    pub tool: String,
    /// The class of the error; empty where nothing is said about it.
    pub error: String,
    /// What to do about it.
    pub cause: Cause,
    /// How many failures it explains; for [`Cause::After`] and [`Cause::Again`], how many were got over.
    pub support: u32,
    /// How many cases speak against it: the condition held, and the call went well (or was not got over).
    pub against: u32,
    /// The share of the failures that would not have been, had the rule been followed.
    pub confidence: f64,
    /// The latest traces it comes from, at most 20.
    pub traces: Vec<String>,
}

/// The kinds of rules.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The tool fails where `check` was not used before it.
    Before {
        /// The tool to use first.
        check: String,
    },
    /// After the error `then` helps.
    After {
        /// The tool to use next.
        then: String,
    },
    /// After the error it helps to call the tool again.
    Again {
        /// After so many more calls it succeeded, at the latest.
        tries: u32,
    },
    /// The tool fails when a field of its input is like this.
    When {
        /// The path of the field.
        field: String,
        /// How it is.
        is: Condition,
    },
    /// The tool mostly fails, and nothing is known to help.
    Always,
}

/// How a field is in calls that fail.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// It is not there, or `null`.
    Missing,
    /// It has this value.
    Value(Json),
    /// It is written like this: `0` stands for digits, `a` for letters.
    Form(String),
}

impl Rule {
    /// One sentence for a prompt.
    pub fn text(&self) -> String {
        let tool = &self.tool;
        let error = if self.error.is_empty() { String::new() } else { format!(" with “{}”", self.error) };
        match &self.cause {
            Cause::Before { check } => format!("Before `{tool}`, use `{check}`: without it `{tool}` fails{error}."),
            Cause::Again { tries: 0 | 1 } => format!("If `{tool}` fails{error}, try it again."),
            Cause::Again { tries } => format!("If `{tool}` fails{error}, try it again, up to {tries} times."),
            Cause::After { then } => format!("If `{tool}` fails{error}, use `{then}` next."),
            Cause::When { field, is: Condition::Missing } => {
                format!("Always give `{field}` to `{tool}`: without it `{tool}` fails{error}.")
            }
            Cause::When { field, is: Condition::Value(value) } => {
                format!("`{tool}` fails{error} when `{field}` is `{value}`.")
            }
            Cause::When { field, is: Condition::Form(form) } => {
                format!("`{tool}` fails{error} when `{field}` is written like `{form}`.")
            }
            Cause::Always => format!("`{tool}` mostly fails{error}: do without it if you can."),
        }
    }
}
