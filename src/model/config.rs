//! The settings of a memory, with the documented defaults (D6, D7).

use super::{Namespaces, Policies};

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Which namespaces there are, and what holds in each.
    pub namespaces: Namespaces,
    /// What a search answers that does not say otherwise.
    pub retrieval: Retrieval,
    /// How much of a content is shown.
    pub output: Output,
    /// Whether embeddings are kept to the last bit, which takes four times the room.
    pub exact_vectors: bool,
    /// What flows and agents may read and write.
    pub policies: Policies,
    /// How conversations are kept within their window, where a session does not say otherwise.
    pub memory: MemoryRules,
    /// The family of tokenizers that tokens are estimated for, where the app brings no counter of its own.
    pub tokenizer: Tokenizer,
}

/// The documented settings of conversations (C27), as far as they were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryRules {
    /// `hot_window_size`: how many of the last messages a prompt shows at most.
    pub hot_window_size: Option<usize>,
    /// `compression_threshold`: the part of the tokens above which a session is compressed.
    pub compression_threshold: Option<f64>,
    /// `chunk_size`: how many messages a summary is made of, about.
    pub chunk_size: Option<usize>,
}

/// A family of tokenizers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::O200k, Self::Cl100k, Self::Claude, Self::Gemini];

    /// The family of this name.
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

/// What a search answers that does not say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Retrieval {
    /// How many hits.
    pub top_k: usize,
    /// The least score of the documented formula.
    pub min_score: f64,
}

impl Default for Retrieval {
    fn default() -> Self {
        Self { top_k: 5, min_score: 0.15 }
    }
}

/// How much of a content is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Whether hits carry a preview of the content unless asked not to.
    pub include_content_by_default: bool,
    /// How long a preview is.
    pub content_preview_chars: usize,
}

impl Default for Output {
    fn default() -> Self {
        Self { include_content_by_default: false, content_preview_chars: 1200 }
    }
}
