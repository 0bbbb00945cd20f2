//! The six kinds of memory that the facade speaks of (B8).

use super::Invalid;

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Conversations.
    Dialog,
    /// Where a flow stands: variables, status, tasks.
    State,
    /// Knowledge: documents, facts, the graph.
    Semantic,
    /// Skills: how something is done.
    Procedural,
    /// Who the user is and what they want.
    Profile,
    /// What was tried, and how it went.
    Experience,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Dialog, Self::State, Self::Semantic, Self::Procedural, Self::Profile, Self::Experience];

    /// Its documented word.
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

    /// Takes a documented word.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        let found = Self::ALL.into_iter().find(|scope| scope.as_str() == word);
        found.ok_or_else(|| {
            Invalid::value(field, "must be one of: dialog, state, semantic, procedural, profile, experience")
        })
    }
}
