//! A rule about failures of a tool, and its text.

use crate::model::Json;

/// A rule about failures of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The task type, if all failures have the same.
    pub task_type: Option<String>,
    /// The tool that fails.
    pub tool: String,
    /// The class of the error; empty if the rule is about any error.
    pub error: String,
    /// The cause, with the remedy.
    pub cause: Cause,
    /// The number of failures that it explains; for [`Cause::After`] and [`Cause::Again`], of recoveries.
    pub support: u32,
    /// The number of counterexamples: the condition held and the call succeeded (or did not recover).
    pub against: u32,
    /// The share of the failures that following the rule would have avoided.
    pub confidence: f64,
    /// The latest of its traces, at most 20.
    pub traces: Vec<String>,
}

/// The kinds of rules.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The tool fails if `check` was not used before it.
    Before {
        /// The tool to use first.
        check: String,
    },
    /// After the error `then` helps.
    After {
        /// The tool to use next.
        then: String,
    },
    /// After the error a retry helps.
    Again {
        /// The most retries until success.
        tries: u32,
    },
    /// The tool fails if a field of its input is like this.
    When {
        /// The path of the field.
        field: String,
        /// The condition.
        is: Condition,
    },
    /// The tool mostly fails, with no known remedy.
    Always,
}

/// The condition of a field in failing calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// It is missing, or `null`.
    Missing,
    /// It has this value.
    Value(Json),
    /// It has this shape: `0` stands for digits, `a` for letters.
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
