//! Skills in the documented form (B19), and guards learned from failures (B28).

use super::{Invalid, Metadata, Timestamp, Trust};

/// A step of a skill.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct ToolStep {
    /// The tool.
    pub tool: String,
    /// The action.
    pub action: Option<String>,
    /// The app's own fields, such as arguments.
    pub own: Metadata,
}

/// The kind of a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkillKind {
    /// A procedure, step by step.
    #[default]
    Sop,
    /// A warning.
    Guard,
}

impl SkillKind {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sop => "sop",
            Self::Guard => "guard",
        }
    }

    /// The kind with this name.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        match word {
            "sop" => Ok(Self::Sop),
            "guard" => Ok(Self::Guard),
            _ => Err(Invalid::value(field, "must be one of: sop, guard")),
        }
    }
}

/// A new skill.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct SkillDraft {
    /// The caller's own id; an existing one gets a new version.
    pub id: Option<String>,
    /// Its task type.
    pub task_type: Option<String>,
    /// The situation to use it in.
    pub use_when: String,
    /// The steps.
    pub tool_sops: Vec<ToolStep>,
    /// Further preferences.
    pub preferences: Option<String>,
    /// Its kind.
    pub kind: SkillKind,
    /// The evidence, if it was learned.
    pub evidence: Option<Evidence>,
    /// The lowest trust of the steps that it was learned from. A skill of low trust is in no prompt.
    pub trust: Trust,
    /// The app's metadata, which is no part of the skill's content.
    pub metadata: Metadata,
    /// The app's own fields, beside these.
    pub own: Metadata,
}

/// The evidence of a learned skill.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// The number of traces that show it.
    pub support: u32,
    /// The share of the matching traces in which it held, from 0 to 1.
    pub confidence: f64,
    /// Some of those traces.
    pub traces: Vec<String>,
}

/// A stored skill.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Skill {
    /// Its id.
    pub id: String,
    /// The number of times it was written.
    pub version: u32,
    /// Its content.
    pub draft: SkillDraft,
    /// The latest outcomes, the newest last.
    pub outcomes: Vec<bool>,
    /// The number of uses.
    pub uses: u32,
    /// The number of successful uses.
    pub successes: u32,
    /// Whether it fails too often to be offered.
    pub demoted: bool,
    /// The time of the first write.
    pub created_at: Timestamp,
    /// The time of the last write.
    pub updated_at: Timestamp,
}

/// The most steps, and the most bytes of each string.
const MAX_STEPS: usize = 100;
const MAX_TEXT: usize = 16 * 1024;

impl SkillDraft {
    /// Validates the draft: not empty, and within the limits.
    pub fn checked(self) -> Result<Self, Invalid> {
        if self.use_when.trim().is_empty() {
            return Err(Invalid::value("use_when", "must not be empty"));
        }
        if self.tool_sops.len() > MAX_STEPS {
            return Err(Invalid::too_large("tool_sops", MAX_STEPS, self.tool_sops.len()));
        }
        if let Some(at) = self.tool_sops.iter().position(|step| step.tool.trim().is_empty()) {
            return Err(Invalid::value(format!("tool_sops[{at}].tool"), "must not be empty"));
        }
        let actions = self.tool_sops.iter().map(|step| step.action.as_deref().unwrap_or("").len());
        let longest = actions.chain([self.use_when.len(), self.preferences.as_deref().unwrap_or("").len()]).max();
        match longest {
            Some(actual) if actual > MAX_TEXT => Err(Invalid::too_large("skill", MAX_TEXT, actual)),
            _ => Ok(self),
        }
    }
}

impl Skill {
    /// The share of successful uses, if there are any.
    pub fn success_rate(&self) -> Option<f64> {
        (self.uses > 0).then(|| f64::from(self.successes) / f64::from(self.uses))
    }

    /// The text for a prompt.
    pub fn told(&self) -> String {
        let draft = &self.draft;
        if draft.kind == SkillKind::Guard {
            return format!("Warning: {}", draft.use_when);
        }
        let mut told = draft.use_when.clone();
        for (at, step) in draft.tool_sops.iter().enumerate() {
            told.push_str(&format!("\n{}. {}", at + 1, step.tool));
            if let Some(action) = &step.action {
                told.push_str(": ");
                told.push_str(action);
            }
        }
        if let Some(preferences) = &draft.preferences {
            told.push('\n');
            told.push_str(preferences);
        }
        told
    }
}
