//! What can go wrong below the seam, as far as a caller can do something different about it.

use super::Revision;
use std::fmt;

/// Why a store did not do what it was asked. Unless a case says otherwise, nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// Somebody else has written since; `current` is the revision now.
    Conflict {
        /// The revision that the guard holds.
        current: Revision,
    },
    /// There is no room. Reads and deletes still work.
    QuotaExceeded,
    /// A value or key is larger than the medium can hold.
    TooLarge {
        /// The most it can hold.
        limit: usize,
        /// What came.
        actual: usize,
    },
    /// Another program part holds the storage in an older form and does not let go.
    Blocked,
    /// A newer version of the program has taken the storage over: reload.
    Superseded,
    /// The storage was written by a newer version of this library.
    Newer {
        /// Its schema.
        found: u32,
        /// The newest that this code knows.
        known: u32,
    },
    /// There is no storage to be had here, or it cannot be opened.
    Unavailable(String),
    /// The storage that was open is gone or was replaced by an empty one.
    Lost,
    /// The store was closed.
    Closed,
    /// Anything else, in the medium's own words, without stored content.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict { current } => write!(f, "somebody else wrote first (revision {} now)", current.0),
            Self::QuotaExceeded => f.write_str("the storage is full: delete something, or ask for more room"),
            Self::TooLarge { limit, actual } => {
                write!(f, "a value of {actual} bytes is more than the storage holds ({limit})")
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
