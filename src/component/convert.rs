//! Conversion of the library's errors, and of the values of the host's storage.

use super::bindings::keepsake::memory::{storage, types};
use crate::codec::CodecError;
use crate::memory::{EnvError, Error};
use crate::model::Invalid;
use crate::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, StoreError, WriteBatch};

impl From<Error> for types::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(invalid) => invalid.into(),
            Error::Store(error) => error.into(),
            Error::Codec(CodecError::Newer { found, known }) => {
                Self::NewerVersion(types::Versions { found: found.into(), known: known.into() })
            }
            Error::Codec(error @ CodecError::Corrupt { .. }) => Self::Corrupt(error.to_string()),
            Error::AlreadyExists { field } if field == "key" => Self::AlreadyExists(types::Shared::Key),
            Error::AlreadyExists { .. } => Self::AlreadyExists(types::Shared::Id),
            Error::NotFound { .. } => Self::NotFound,
            Error::Contended { tries } => Self::Conflict(tries),
            Error::OtherVersion { expected, found } => Self::OtherVersion(types::Versioned { expected, found }),
            // Another writer committed after the caller's read.
            Error::Stale { .. } => Self::Conflict(1),
            Error::Closed => Self::Closed,
            Error::Environment(EnvError::Clock) => Self::Environment(types::Surroundings::Clock),
            Error::Environment(EnvError::Entropy) => Self::Environment(types::Surroundings::Entropy),
        }
    }
}

impl From<Invalid> for types::Error {
    fn from(invalid: Invalid) -> Self {
        match invalid {
            Invalid::Value { field, reason } => Self::InvalidInput(types::Invalid { field, reason }),
            Invalid::TooLarge { field, limit, actual } => {
                Self::TooLarge(types::Oversize { field: Some(field), limit: limit as u64, actual: actual as u64 })
            }
        }
    }
}

impl From<StoreError> for types::Error {
    fn from(error: StoreError) -> Self {
        match error {
            // Conflicts of a commit are retried above; one that arrives here was returned by another operation.
            StoreError::Conflict { .. } => Self::Conflict(1),
            StoreError::QuotaExceeded => Self::QuotaExceeded,
            StoreError::TooLarge { limit, actual } => {
                Self::TooLarge(types::Oversize { field: None, limit: limit as u64, actual: actual as u64 })
            }
            StoreError::Blocked => Self::Blocked,
            StoreError::Superseded => Self::Superseded,
            StoreError::Newer { found, known } => Self::NewerVersion(types::Versions { found, known }),
            StoreError::Unavailable(why) => Self::Unavailable(why),
            StoreError::Lost => Self::StoreLost,
            StoreError::Closed => Self::Closed,
            StoreError::Failed(why) => Self::StorageFailed(why),
        }
    }
}

impl From<storage::StoreError> for StoreError {
    fn from(error: storage::StoreError) -> Self {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        match error {
            storage::StoreError::Conflict(current) => Self::Conflict { current: Revision(current) },
            storage::StoreError::QuotaExceeded => Self::QuotaExceeded,
            storage::StoreError::TooLarge(storage::TooLarge { limit, actual }) => {
                Self::TooLarge { limit: size(limit), actual: size(actual) }
            }
            storage::StoreError::Blocked => Self::Blocked,
            storage::StoreError::Superseded => Self::Superseded,
            storage::StoreError::Newer(storage::Schemas { found, known }) => Self::Newer { found, known },
            storage::StoreError::Unavailable(why) => Self::Unavailable(why),
            storage::StoreError::Lost => Self::Lost,
            storage::StoreError::Closed => Self::Closed,
            storage::StoreError::Failed(why) => Self::Failed(why),
        }
    }
}

impl From<Space> for storage::Space {
    fn from(space: Space) -> Self {
        match space {
            Space::Meta => Self::Meta,
            Space::Records => Self::Records,
            Space::Bodies => Self::Bodies,
            Space::Log => Self::Log,
            Space::Index => Self::Index,
        }
    }
}

/// The bytes of a key, the only part that a host sees.
pub(super) fn key(key: &Key) -> storage::Key {
    key.as_bytes().to_vec()
}

impl From<&KeyRange> for storage::KeyRange {
    fn from(range: &KeyRange) -> Self {
        Self { start: key(&range.start), end: range.end.as_ref().map(key) }
    }
}

impl From<storage::Page> for Page {
    fn from(page: storage::Page) -> Self {
        Self {
            items: page.items.into_iter().map(|item| (Key::from_bytes(item.key), item.value)).collect(),
            next: page.next.map(Key::from_bytes),
        }
    }
}

impl From<Op> for storage::Op {
    fn from(op: Op) -> Self {
        match op {
            Op::Put(space, at, value) | Op::Add(space, at, value) => {
                Self::Put(storage::Put { space: space.into(), key: key(&at), value })
            }
            Op::Delete(space, at) => Self::Delete(storage::Delete { space: space.into(), key: key(&at) }),
            Op::DeleteRange(space, range) => {
                Self::DeleteRange(storage::DeleteRange { space: space.into(), range: (&range).into() })
            }
        }
    }
}

impl From<WriteBatch> for storage::Batch {
    fn from(batch: WriteBatch) -> Self {
        Self {
            guard: key(&batch.guard),
            base: batch.base.0,
            ops: batch.ops.into_iter().map(Into::into).collect(),
            durability: match batch.durability {
                Durability::Relaxed => storage::Durability::Relaxed,
                Durability::Strict => storage::Durability::Strict,
            },
        }
    }
}
