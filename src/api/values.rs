//! How drafts of values are made, which may get more fields in later versions.

use crate::memory::{Document, Entity, Graph, Relation, TaskStep};
use crate::model::{Invalid, Json, Metadata, SkillDraft, SkillKind, StepDraft, TaskStatus, ToolStep, Trust};

impl Document {
    /// A document with this text.
    #[must_use]
    pub fn new(id: impl Into<String>, content: impl Into<String>) -> Self {
        Self { id: id.into(), content: content.into(), ..Self::default() }
    }
}

impl Graph {
    /// The same with an entity and observations about it.
    #[must_use]
    pub fn entity<T: Into<String>>(
        mut self,
        name: impl Into<String>,
        kind: impl Into<String>,
        observations: impl IntoIterator<Item = T>,
    ) -> Self {
        let observations = observations.into_iter().map(Into::into).collect();
        self.entities.push(Entity { name: name.into(), kind: kind.into(), observations });
        self
    }

    /// The same with a relation.
    #[must_use]
    pub fn relation(mut self, from: impl Into<String>, kind: impl Into<String>, to: impl Into<String>) -> Self {
        self.relations.push(Relation { from: from.into(), to: to.into(), kind: kind.into() });
        self
    }
}

impl SkillDraft {
    /// A procedure for this situation, without steps yet.
    #[must_use]
    pub fn new(use_when: impl Into<String>) -> Self {
        Self { use_when: use_when.into(), ..Self::default() }
    }

    /// A warning.
    #[must_use]
    pub fn guard(warning: impl Into<String>) -> Self {
        Self { kind: SkillKind::Guard, ..Self::new(warning) }
    }

    /// The same for a task type.
    #[must_use]
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        Self { task_type: Some(task_type.into()), ..self }
    }

    /// The same with one more step: a tool, and what to do with it.
    #[must_use]
    pub fn step(mut self, tool: impl Into<String>, action: Option<&str>) -> Self {
        self.tool_sops.push(ToolStep {
            tool: tool.into(),
            action: action.map(str::to_owned),
            own: Metadata::default(),
        });
        self
    }
}

impl StepDraft {
    /// A step that succeeded.
    #[must_use]
    pub fn success(task_type: impl Into<String>, tool_name: impl Into<String>) -> Self {
        Self { task_type: task_type.into(), tool_name: tool_name.into(), success: true, ..Self::default() }
    }

    /// A step that failed.
    #[must_use]
    pub fn failure(task_type: impl Into<String>, tool_name: impl Into<String>, error: impl Into<String>) -> Self {
        Self { success: false, error: Some(error.into()), ..Self::success(task_type, tool_name) }
    }

    /// The same as a step of this run.
    #[must_use]
    pub fn trace(self, id: impl Into<String>) -> Self {
        Self { trace_id: Some(id.into()), ..self }
    }

    /// The same with its input and its output.
    #[must_use]
    pub fn data(self, input: impl Into<Json>, output: impl Into<Json>) -> Self {
        Self { input: input.into(), output: output.into(), ..self }
    }

    /// The same with another trust in its output: low, if the tool reads content from outside.
    #[must_use]
    pub fn trust(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }
}

impl TaskStep {
    /// A step of a task, with the status of the task after it.
    pub fn new(step: impl Into<String>, status: &str) -> Result<Self, Invalid> {
        Ok(Self { step: step.into(), status: TaskStatus::new("status", status)?, ..Self::default() })
    }
}
