//! How something is done: skills in the documented shape (B19), and the guards that failures have taught (B28).

use super::{Invalid, Metadata, Timestamp};

/// A step of a skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolStep {
    /// The tool.
    pub tool: String,
    /// What to do with it.
    pub action: Option<String>,
    /// Fields of the app's own, such as arguments.
    pub own: Metadata,
}

/// What a skill is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkillKind {
    /// A way to do something, step by step.
    #[default]
    Sop,
    /// Something to heed.
    Guard,
}

impl SkillKind {
    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sop => "sop",
            Self::Guard => "guard",
        }
    }

    /// Takes a word.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        match word {
            "sop" => Ok(Self::Sop),
            "guard" => Ok(Self::Guard),
            _ => Err(Invalid::value(field, "must be one of: sop, guard")),
        }
    }
}

/// What an app says of a skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillDraft {
    /// An id of the caller's own; one that is there gets a new version.
    pub id: Option<String>,
    /// The kind of task that it is for.
    pub task_type: Option<String>,
    /// When to use it.
    pub use_when: String,
    /// The steps.
    pub tool_sops: Vec<ToolStep>,
    /// What else to mind.
    pub preferences: Option<String>,
    /// What it is.
    pub kind: SkillKind,
    /// What it was learned from, if nobody wrote it.
    pub evidence: Option<Evidence>,
    /// The app's metadata, which is no part of the skill's content.
    pub metadata: Metadata,
    /// Fields of the app's own, beside these.
    pub own: Metadata,
}

/// What a skill was learned from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// How many traces show it.
    pub support: u32,
    /// In which part of the traces that it fits it held, from 0 to 1.
    pub confidence: f64,
    /// Some of those traces.
    pub traces: Vec<String>,
}

/// A skill as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    /// Its id.
    pub id: String,
    /// How often it was written.
    pub version: u32,
    /// What it says.
    pub draft: SkillDraft,
    /// How it went when it was used, the latest last; the oldest are forgotten.
    pub outcomes: Vec<bool>,
    /// How often it was used, and how often that went well.
    pub uses: u32,
    /// How often that went well.
    pub successes: u32,
    /// Whether it fails too often to be offered.
    pub demoted: bool,
    /// When it was first written.
    pub created_at: Timestamp,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// The most steps, and the most bytes of each text.
const MAX_STEPS: usize = 100;
const MAX_TEXT: usize = 16 * 1024;

impl SkillDraft {
    /// Refuses what says nothing, and what is absurd.
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
    /// The part of its uses that went well, if there were any.
    pub fn success_rate(&self) -> Option<f64> {
        (self.uses > 0).then(|| f64::from(self.successes) / f64::from(self.uses))
    }

    /// In words, as a prompt tells it.
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
