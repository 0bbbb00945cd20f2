//! One step of an agent, and how it went (B21, B22).

use super::{Invalid, Json, Metadata, Timestamp};

/// Longer inputs and outputs are cut, and say so: experience is for learning, not for keeping data.
const MAX_VALUE_CHARS: usize = 16_000;

/// A step as an app tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepDraft {
    /// The kind of task.
    pub task_type: String,
    /// The tool, or the node.
    pub tool_name: String,
    /// What went in.
    pub input: Json,
    /// What came out.
    pub output: Json,
    /// What went wrong, in words.
    pub error: Option<String>,
    /// What went wrong, in one word.
    pub error_type: Option<String>,
    /// Whether it went well.
    pub success: bool,
    /// What it cost.
    pub cost: Option<f64>,
    /// How long it took.
    pub latency_ms: Option<f64>,
    /// Which steps belong together.
    pub trace_id: Option<String>,
    /// In which conversation.
    pub session: Option<String>,
    /// By whom.
    pub agent: Option<String>,
    /// In which flow.
    pub flow: Option<String>,
    /// At which node of it.
    pub node: Option<String>,
    /// The skill that was followed.
    pub skill_id: Option<String>,
    /// The app's metadata.
    pub metadata: Metadata,
    /// Fields of the app's own, beside these.
    pub own: Metadata,
}

impl StepDraft {
    /// Refuses what cannot be learned from; cuts what is too long to keep.
    pub fn checked(mut self) -> Result<Self, Invalid> {
        for (field, text) in [("taskType", &self.task_type), ("toolName", &self.tool_name)] {
            match text.len() {
                0 => return Err(Invalid::value(field, "must not be empty")),
                1..=256 => {}
                actual => return Err(Invalid::too_large(field, 256, actual)),
            }
        }
        for (field, number) in [("cost", self.cost), ("latencyMs", self.latency_ms)] {
            // Endless is not a number that could be stored and read again.
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

/// A step as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its number: later steps have higher ones.
    pub number: u64,
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub draft: StepDraft,
}

/// Steps that belong together, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its id; a step that belongs to none is one of its own.
    pub id: String,
    /// The steps.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The trace that a step is of, with nothing else in it yet.
    pub fn of(step: Step) -> Self {
        Self { id: step.draft.trace_id.clone().unwrap_or_else(|| format!("#{}", step.number)), steps: vec![step] }
    }

    /// Whether a step belongs to it.
    pub fn holds(&self, step: &Step) -> bool {
        step.draft.trace_id.as_ref() == Some(&self.id) && step.draft.task_type == self.task_type()
    }

    /// The kind of task.
    pub fn task_type(&self) -> &str {
        self.steps.first().map_or("", |step| step.draft.task_type.as_str())
    }

    /// Whether it went well in the end: errors that were got over do not count.
    pub fn success(&self) -> bool {
        self.steps.last().is_some_and(|step| step.draft.success)
    }

    /// What its steps cost together.
    pub fn cost(&self) -> f64 {
        self.sum(|step| step.cost)
    }

    /// How long they took together.
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
