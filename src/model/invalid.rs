//! The error of a refused input: the field and the remedy. Never the refused value itself.

use std::fmt;

/// A refused input. `field` is the path that the caller wrote (`importance`, `tags[3]`, `metadata.a.b`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invalid {
    /// The value is invalid; `reason` completes the sentence "`field` …".
    Value {
        /// Path of the field.
        field: String,
        /// The problem and the remedy, without the value.
        reason: String,
    },
    /// The value exceeds its limit.
    TooLarge {
        /// Path of the field.
        field: String,
        /// The limit.
        limit: usize,
        /// The actual size.
        actual: usize,
    },
}

impl Invalid {
    /// The error that `field` has an invalid value: `reason` is for example "must not be empty".
    pub fn value(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Value { field: field.into(), reason: reason.into() }
    }

    /// `field` is larger than `limit`.
    pub fn too_large(field: impl Into<String>, limit: usize, actual: usize) -> Self {
        Self::TooLarge { field: field.into(), limit, actual }
    }

    /// The same error with an outer path: `some` within `tags` is `tags.some`, and an empty path is `tags` itself.
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
                write!(f, "`{field}` is too large: {actual}; the limit is {limit}")
            }
        }
    }
}

impl std::error::Error for Invalid {}
