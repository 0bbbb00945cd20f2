//! The six kinds of memory of the facade (B8).

use super::Invalid;

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Conversations.
    Dialog,
    /// The state of a flow: variables, status, tasks.
    State,
    /// Knowledge: documents, facts, the graph.
    Semantic,
    /// Skills: procedures and guards.
    Procedural,
    /// The user's identity and preferences.
    Profile,
    /// Attempts and their outcomes.
    Experience,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 6] =
        [Self::Dialog, Self::State, Self::Semantic, Self::Procedural, Self::Profile, Self::Experience];

    /// Its documented name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dialog => "dialog",
            Self::State => "state",
            Self::Semantic => "semantic",
            Self::Procedural => "procedural",
            Self::Profile => "profile",
            Self::Experience => "experience",
        }
    }

    /// The scope with a documented name.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        let found = Self::ALL.into_iter().find(|scope| scope.as_str() == word);
        found.ok_or_else(|| {
            Invalid::value(field, "must be one of: dialog, state, semantic, procedural, profile, experience")
        })
    }
}
