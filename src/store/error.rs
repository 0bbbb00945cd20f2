//! The errors below the seam, as far as callers can react differently.

use super::Revision;
use std::fmt;

/// The error of a store. Unless a case says otherwise, nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// Another writer has committed; `current` is the current revision.
    Conflict {
        /// The revision in the guard.
        current: Revision,
    },
    /// The quota is exceeded. Reads and deletes still work.
    QuotaExceeded,
    /// A value or key is larger than the medium supports.
    TooLarge {
        /// The limit.
        limit: usize,
        /// The actual size.
        actual: usize,
    },
    /// Another tab or process holds the storage open with an older version.
    Blocked,
    /// A newer version of the program has taken over the storage: reload.
    Superseded,
    /// The storage was written by a newer version of this library.
    Newer {
        /// Its schema.
        found: u32,
        /// The newest that this code knows.
        known: u32,
    },
    /// No storage is available here, or it cannot be opened.
    Unavailable(String),
    /// The open storage was deleted, or replaced by an empty one.
    Lost,
    /// The store was closed.
    Closed,
    /// Any other error, as reported by the medium, without stored content.
    Failed(String),
}

impl StoreError {
    /// Whether a smaller batch may succeed.
    pub fn may_be_size(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::QuotaExceeded | Self::TooLarge { .. })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict { current } => write!(f, "write conflict: the current revision is {}", current.0),
            Self::QuotaExceeded => f.write_str("the storage is full: delete something, or ask for more room"),
            Self::TooLarge { limit, actual } => {
                write!(f, "a value of {actual} bytes exceeds the limit of the storage ({limit})")
            }
            Self::Blocked => f.write_str("another tab holds an older version of the storage open: close or reload it"),
            Self::Superseded => f.write_str("a newer version took the storage over: reload"),
            Self::Newer { found, known } => {
                write!(f, "the storage has schema {found}, and this version knows up to {known}: update keepsake")
            }
            Self::Unavailable(why) => write!(f, "there is no storage here: {why}"),
            Self::Lost => f.write_str("the storage was emptied or replaced while it was open"),
            Self::Closed => f.write_str("the storage is closed"),
            Self::Failed(why) => write!(f, "the storage failed: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_text_of_its_own() {
        let errors = [
            StoreError::Conflict { current: Revision(7) },
            StoreError::QuotaExceeded,
            StoreError::Lost,
            StoreError::Closed,
        ];
        let texts = errors.map(|error| error.to_string());
        for (at, text) in texts.iter().enumerate() {
            assert!(!text.is_empty() && !texts[..at].contains(text), "{texts:?}");
        }
        assert!(texts[0].contains('7'), "{texts:?}");
        assert!(StoreError::Failed("the line went dead".into()).to_string().contains("the line went dead"));
    }
}
