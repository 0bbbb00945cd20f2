//! Why an input was refused: the field, and what would be right. Never the refused text itself.

use std::fmt;

/// A refused input. `field` is the path the caller wrote (`importance`, `tags[3]`, `metadata.a.b`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invalid {
    /// The value cannot be taken; `reason` completes the sentence "`field` …".
    Value {
        /// Path of the field.
        field: String,
        /// What is wrong and what would be right, without the value.
        reason: String,
    },
    /// The value is larger than the limit that stands for it.
    TooLarge {
        /// Path of the field.
        field: String,
        /// The most that is taken.
        limit: usize,
        /// What came.
        actual: usize,
    },
}

impl Invalid {
    /// `field` cannot be taken because it `reason` ("must not be empty").
    pub fn value(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Value { field: field.into(), reason: reason.into() }
    }

    /// `field` is larger than `limit`.
    pub fn too_large(field: impl Into<String>, limit: usize, actual: usize) -> Self {
        Self::TooLarge { field: field.into(), limit, actual }
    }

    /// The same mistake, seen from outside: `some` within `tags` is `tags.some`, and what has no name is `tags` itself.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        let (Self::Value { field, .. } | Self::TooLarge { field, .. }) = &mut self;
        let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
        *field = format!("{outer}{dot}{field}");
        self
    }

    /// The path of the refused field.
    pub fn field(&self) -> &str {
        match self {
            Self::Value { field, .. } | Self::TooLarge { field, .. } => field,
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { field, reason } => write!(f, "`{field}` {reason}"),
            Self::TooLarge { field, limit, actual } => {
                write!(f, "`{field}` is too large: {actual}, and the limit is {limit}")
            }
        }
    }
}

impl std::error::Error for Invalid {}
