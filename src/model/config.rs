//! The settings of a memory, with the documented defaults (D6, D7).

use super::{Namespaces, Policies};

/// All settings.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Config {
    /// The namespaces and their rules.
    pub namespaces: Namespaces,
    /// The defaults of a search.
    pub retrieval: Retrieval,
    /// The output of contents.
    pub output: Output,
    /// Whether embeddings are stored exactly, which takes four times the space.
    pub exact_vectors: bool,
    /// The policies of flows and agents.
    pub policies: Policies,
    /// The settings of conversations, unless a session has its own.
    pub memory: MemoryRules,
    /// The tokenizer family for token estimates, unless the app has its own counter.
    pub tokenizer: Tokenizer,
}

/// The documented settings of conversations (C27); unset ones are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct MemoryRules {
    /// `hot_window_size`: the most messages that a prompt shows.
    pub hot_window_size: Option<usize>,
    /// `compression_threshold`: the share of the tokens above which a session is compressed.
    pub compression_threshold: Option<f64>,
    /// `chunk_size`: the approximate number of messages per summary.
    pub chunk_size: Option<usize>,
}

/// A tokenizer family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tokenizer {
    /// GPT-4o and later.
    #[default]
    O200k,
    /// GPT-4 and GPT-3.5.
    Cl100k,
    /// Claude: an upper estimate, as its tokenizer is not public.
    Claude,
    /// Gemini: an upper estimate, as its tokenizer is not public.
    Gemini,
}

impl Tokenizer {
    /// All families.
    pub const ALL: [Self; 4] = [Self::O200k, Self::Cl100k, Self::Claude, Self::Gemini];

    /// The family with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tokenizer| tokenizer.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
            Self::Claude => "claude",
            Self::Gemini => "gemini",
        }
    }
}

/// The defaults of a search.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Retrieval {
    /// The number of hits.
    pub top_k: usize,
    /// The lowest score of the documented formula.
    pub min_score: f64,
}

impl Default for Retrieval {
    fn default() -> Self {
        Self { top_k: 5, min_score: 0.15 }
    }
}

/// The output of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Output {
    /// Whether hits have a preview of the content by default.
    pub include_content_by_default: bool,
    /// The most characters of a preview.
    pub content_preview_chars: usize,
}

impl Default for Output {
    fn default() -> Self {
        Self { include_content_by_default: false, content_preview_chars: 1200 }
    }
}
