//! The errors of a call, with stable codes. An error never contains memory content (S20).

use super::EnvError;
pub use super::code::ErrorCode;
use crate::codec::CodecError;
use crate::model::Invalid;
use crate::store::StoreError;
use std::fmt;

/// The error of a call. A failed call has changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An input was refused.
    Invalid(Invalid),
    /// The storage failed.
    Store(StoreError),
    /// A stored value cannot be read.
    Codec(CodecError),
    /// Another entry has the same id or key.
    AlreadyExists {
        /// The path of the duplicate field: `id` or `key`.
        field: String,
    },
    /// The id or path does not exist, or no longer.
    NotFound {
        /// The missing thing and the field it was looked up by: `session with this id`.
        what: &'static str,
    },
    /// The storage kept refusing a commit although nobody else had written, or others wrote during every attempt of a
    /// read.
    Contended {
        /// The number of attempts.
        tries: u32,
    },
    /// The current version is not the expected one.
    OtherVersion {
        /// The expected version.
        expected: u64,
        /// The current version.
        found: u64,
    },
    /// The caller's copy is out of date.
    Stale {
        /// The field with the caller's hash, version or token.
        field: String,
    },
    /// The memory was closed.
    Closed,
    /// The clock or the source of randomness failed.
    Environment(EnvError),
}

impl Error {
    /// The same error with an outer path: `id` within `drafts[3]` is `drafts[3].id`.
    #[must_use]
    pub(crate) fn within(self, outer: &str) -> Self {
        match self {
            Self::Invalid(invalid) => Self::Invalid(invalid.within(outer)),
            Self::AlreadyExists { field } => Self::AlreadyExists { field: format!("{outer}.{field}") },
            other => other,
        }
    }

    /// No entry has the id.
    pub(crate) const NO_ENTRY: Self = Self::NotFound { what: "entry with this id" };
    /// No session has the id.
    pub(crate) const NO_SESSION: Self = Self::NotFound { what: "session with this id" };
    /// No message of the session has the id.
    pub(crate) const NO_MESSAGE: Self = Self::NotFound { what: "message with this id in the session" };
    /// No file has the path.
    pub(crate) const NO_FILE: Self = Self::NotFound { what: "file at this path" };
    /// No conflict has the id.
    pub(crate) const NO_CONFLICT: Self = Self::NotFound { what: "conflict with this id" };
    /// No skill has the id.
    pub(crate) const NO_SKILL: Self = Self::NotFound { what: "skill with this id" };

    /// The stable code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Invalid(Invalid::TooLarge { .. }) => ErrorCode::TooLarge,
            Self::Invalid(_) => ErrorCode::InvalidInput,
            Self::AlreadyExists { .. } => ErrorCode::AlreadyExists,
            Self::NotFound { .. } => ErrorCode::NotFound,
            Self::Contended { .. } | Self::OtherVersion { .. } | Self::Stale { .. } => ErrorCode::Conflict,
            Self::Closed => ErrorCode::Closed,
            Self::Environment(_) => ErrorCode::Environment,
            Self::Codec(CodecError::Newer { .. }) => ErrorCode::NewerVersion,
            Self::Codec(_) => ErrorCode::Corrupt,
            Self::Store(error) => match error {
                StoreError::Conflict { .. } => ErrorCode::Conflict,
                StoreError::QuotaExceeded => ErrorCode::QuotaExceeded,
                StoreError::TooLarge { .. } => ErrorCode::TooLarge,
                StoreError::Blocked => ErrorCode::Blocked,
                StoreError::Superseded => ErrorCode::Superseded,
                StoreError::Newer { .. } => ErrorCode::NewerVersion,
                StoreError::Unavailable(_) => ErrorCode::Unavailable,
                StoreError::Lost => ErrorCode::StoreLost,
                StoreError::Closed => ErrorCode::Closed,
                StoreError::Failed(_) => ErrorCode::StorageFailed,
            },
        }
    }

    /// The path of the refused field, if the error is about an input.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid(invalid) => Some(invalid.field()),
            Self::AlreadyExists { field } | Self::Stale { field } => Some(field),
            Self::NotFound { .. } => Some("id"),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(invalid) => invalid.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Codec(error) => error.fmt(f),
            Self::AlreadyExists { field } => {
                write!(f, "`{field}` already exists; omit it, or update the existing one")
            }
            Self::NotFound { what } => write!(f, "not found: no {what}"),
            Self::Contended { tries } => write!(f, "write conflict: lost {tries} times in a row; retry"),
            Self::OtherVersion { expected, found } => {
                write!(f, "version conflict: expected {expected}, found {found}; re-read and retry")
            }
            Self::Stale { field } => {
                write!(f, "`{field}` is out of date; re-read and retry")
            }
            Self::Closed => f.write_str("the memory is closed: open it again"),
            Self::Environment(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Invalid(invalid) => Some(invalid),
            Self::Store(error) => Some(error),
            Self::Codec(error) => Some(error),
            Self::Environment(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<CodecError> for Error {
    fn from(error: CodecError) -> Self {
        Self::Codec(error)
    }
}

impl From<EnvError> for Error {
    fn from(error: EnvError) -> Self {
        Self::Environment(error)
    }
}
