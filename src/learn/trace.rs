//! The input of learning: the steps of a run, and the limits of learning.

use super::names::Names;
use crate::model::{Json, sorted};

/// The most steps of a trace that are used.
pub(super) const MAX_STEPS: usize = 256;

/// The most traces that a skill or a rule names as its origin.
pub(super) const MAX_ORIGINS: usize = 20;

/// One call of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The tool's name.
    pub tool: String,
    /// The action, in a few words.
    pub action: Option<String>,
    /// The input.
    pub input: Json,
    /// The message of a failure.
    pub error: Option<String>,
    /// The type of a failure.
    pub error_type: Option<String>,
    /// Whether it succeeded.
    pub success: bool,
}

/// One run of an agent: its steps in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Its id.
    pub id: String,
    /// Its task type.
    pub task_type: String,
    /// The steps.
    pub steps: Vec<Step>,
    /// Whether the run as a whole succeeded.
    pub success: bool,
}

/// The settings of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The fewest traces that a skill or a rule is based on.
    pub min_support: u32,
    /// Whether `min_support` runs with the same tools from beginning to end are a skill without any further proof.
    pub whole_runs: bool,
    /// The smallest share of traces that confirm it.
    pub min_confidence: f64,
    /// How unlikely coincidence must be: 6 stands for one in 2⁶, over all that is tried.
    pub min_evidence: u32,
    /// The fewest steps of a skill.
    pub min_steps: usize,
    /// The most steps of a skill, 16 at most.
    pub max_steps: usize,
    /// The most other steps between two that belong together, 16 at most.
    pub max_gap: usize,
    /// The most skills of each task type, 64 at most.
    pub max_skills: usize,
    /// The most rules, of all task types together.
    pub max_rules: usize,
    /// The most traces to use, 20,000 at most; the latest count.
    pub max_traces: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            min_support: 3,
            whole_runs: false,
            min_confidence: 0.6,
            min_evidence: 6,
            min_steps: 2,
            max_steps: 12,
            max_gap: 4,
            max_skills: 16,
            max_rules: 32,
            max_traces: 2_000,
        }
    }
}

impl Settings {
    /// These settings, limited to meaningful values that bound the work.
    pub(super) fn bounded(&self) -> Self {
        Self {
            min_support: self.min_support.max(1),
            min_steps: self.min_steps.max(2),
            min_evidence: self.min_evidence.min(1_000),
            max_steps: self.max_steps.min(16),
            max_gap: self.max_gap.min(16),
            max_skills: self.max_skills.min(64),
            max_traces: self.max_traces.min(20_000),
            ..self.clone()
        }
    }
}

/// The traces of one call, with shared data.
pub(super) struct Set<'a> {
    pub(super) traces: Vec<&'a Trace>,
    /// The indexes of the traces of each task type, in the order of their names.
    pub(super) types: Vec<Vec<usize>>,
    /// Every tool's name.
    pub(super) tools: Names<'a>,
}

impl<'a> Set<'a> {
    pub(super) fn new(traces: &'a [Trace], settings: &Settings) -> Self {
        let skipped = traces.len().saturating_sub(settings.max_traces);
        let traces: Vec<&Trace> = traces.iter().skip(skipped).collect();
        let name = |at: usize| traces.get(at).map_or("", |trace| trace.task_type.as_str());
        let mut types: Vec<Vec<usize>> = Vec::new();
        let mut last = None;
        for at in sorted(traces.len(), &|one, other| name(one).cmp(name(other))) {
            match types.last_mut() {
                Some(group) if last == Some(name(at)) => group.push(at),
                _ => types.push(vec![at]),
            }
            last = Some(name(at));
        }
        let tools = Names::new(traces.iter().flat_map(|trace| steps(trace)).map(|step| step.tool.as_str()).collect());
        Self { traces, types, tools }
    }

    /// The trace at an index.
    pub(super) fn trace(&self, at: usize) -> Option<&'a Trace> {
        self.traces.get(at).copied()
    }

    /// The ids of the latest of these traces, in order.
    pub(super) fn origins(&self, places: &[usize]) -> Vec<String> {
        let latest = places.iter().skip(places.len().saturating_sub(MAX_ORIGINS));
        latest.filter_map(|at| self.trace(*at)).map(|trace| trace.id.clone()).collect()
    }
}

/// The steps of a trace that are used.
pub(super) fn steps(trace: &Trace) -> &[Step] {
    trace.steps.get(..MAX_STEPS).unwrap_or(&trace.steps)
}
