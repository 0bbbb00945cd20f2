//! One step of an agent, and its outcome (B21, B22).

use super::{Invalid, Json, Metadata, Timestamp, Trust};

/// The most characters of inputs and outputs: longer ones are cut with a mark, as experience is for learning, not
/// storage.
const MAX_VALUE_CHARS: usize = 16_000;

/// A new step.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct StepDraft {
    /// The task type.
    pub task_type: String,
    /// The tool, or the node.
    pub tool_name: String,
    /// The input.
    pub input: Json,
    /// The output.
    pub output: Json,
    /// The error message.
    pub error: Option<String>,
    /// The type of the error, in one word.
    pub error_type: Option<String>,
    /// Whether it succeeded.
    pub success: bool,
    /// Its cost.
    pub cost: Option<f64>,
    /// Its duration.
    pub latency_ms: Option<f64>,
    /// Its trace: steps with the same id belong together.
    pub trace_id: Option<String>,
    /// The conversation.
    pub session: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The flow.
    pub flow: Option<String>,
    /// The node of the flow.
    pub node: Option<String>,
    /// The skill that was followed.
    pub skill_id: Option<String>,
    /// The trust in its output and its error: low if the tool reads content from outside.
    pub trust: Trust,
    /// The app's metadata.
    pub metadata: Metadata,
    /// The app's own fields, beside these.
    pub own: Metadata,
}

impl StepDraft {
    /// Validates the step, and cuts values that are too long.
    pub fn checked(mut self) -> Result<Self, Invalid> {
        for (field, text) in [("taskType", &self.task_type), ("toolName", &self.tool_name)] {
            match text.len() {
                0 => return Err(Invalid::value(field, "must not be empty")),
                1..=256 => {}
                actual => return Err(Invalid::too_large(field, 256, actual)),
            }
        }
        for (field, number) in [("cost", self.cost), ("latencyMs", self.latency_ms)] {
            // Infinity cannot be stored as JSON.
            if number.is_some_and(|number| !(0.0..f64::INFINITY).contains(&number)) {
                return Err(Invalid::value(field, "must be a number from 0 on"));
            }
        }
        for value in [&mut self.input, &mut self.output] {
            let text = value.to_string();
            if text.len() > MAX_VALUE_CHARS {
                let start = value.as_str().unwrap_or(&text);
                let end = start.char_indices().nth(MAX_VALUE_CHARS).map_or(start.len(), |(at, _)| at);
                *value = format!("{}... [truncated]", &start[..end]).into();
            }
        }
        self.error = self.error.map(|error| error.chars().take(MAX_VALUE_CHARS).collect());
        Ok(self)
    }
}

/// A stored step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Its number: later steps have higher ones.
    pub number: u64,
    /// Its time.
    pub at: Timestamp,
    /// Its content.
    pub draft: StepDraft,
}

/// The steps of one run, oldest first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trace {
    /// Its id; a step without a trace is a trace of its own.
    pub id: String,
    /// The steps.
    pub steps: Vec<Step>,
}

impl Trace {
    /// A trace with only this step.
    pub fn of(step: Step) -> Self {
        Self { id: step.draft.trace_id.clone().unwrap_or_else(|| format!("#{}", step.number)), steps: vec![step] }
    }

    /// Whether a step belongs to it.
    pub fn holds(&self, step: &Step) -> bool {
        step.draft.trace_id.as_ref() == Some(&self.id) && step.draft.task_type == self.task_type()
    }

    /// The task type.
    pub fn task_type(&self) -> &str {
        self.steps.first().map_or("", |step| step.draft.task_type.as_str())
    }

    /// The lowest trust of its steps.
    pub fn trust(&self) -> Trust {
        self.steps.iter().map(|step| step.draft.trust).min().unwrap_or_default()
    }

    /// Whether it succeeded in the end: errors that were recovered from do not count.
    pub fn success(&self) -> bool {
        self.steps.last().is_some_and(|step| step.draft.success)
    }

    /// The total cost of its steps.
    pub fn cost(&self) -> f64 {
        self.sum(|step| step.cost)
    }

    /// The total duration of its steps.
    pub fn latency_ms(&self) -> f64 {
        self.sum(|step| step.latency_ms)
    }

    fn sum(&self, read: fn(&StepDraft) -> Option<f64>) -> f64 {
        self.steps.iter().filter_map(|step| read(&step.draft)).fold(0.0, |sum, number| sum + number)
    }

    /// The number of its last step.
    pub fn last(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.number)
    }
}
