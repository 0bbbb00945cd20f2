//! The errors of opening a file, and the engine's errors as those of a store. None holds stored content.

use crate::memory::Error;
use crate::store::StoreError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be opened or rewritten. Nothing in it was changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// Another process has the file open, or another part of this one.
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file exists and is not a store of this library.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is a store, but what is in it cannot be read.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The engine's own error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A newer version of this library wrote the file.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema that this version knows.
        known: u32,
    },
    /// The operating system refused: no such folder, no permission, a full disk.
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The handle was closed.
    Closed,
}

impl FileError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// The engine's error while it opens or rewrites `path`.
    pub(super) fn engine(path: &Path, error: impl Into<redb::Error>) -> Self {
        let path = path.to_owned();
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => Self::InUse { path },
            // The engine's own words for a file without its magic number, and for one that ends early.
            redb::Error::Io(source) if source.kind() == io::ErrorKind::InvalidData => Self::Foreign { path },
            redb::Error::Io(source) if source.kind() == io::ErrorKind::UnexpectedEof => {
                Self::Damaged { path, source: source.into() }
            }
            redb::Error::Io(source) => Self::Io { path, source },
            other => Self::Damaged { path, source: other.into() },
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse { path } => write!(
                f,
                "{} is already open: one process at a time can use a file. Close it there, or share one `FileStore` by \
                 `connect`",
                path.display()
            ),
            Self::Foreign { path } => {
                write!(f, "{} is not a keepsake store: give the path of a new file, or of a store", path.display())
            }
            Self::Damaged { path, .. } => {
                write!(f, "{} is damaged and cannot be read: restore it from a copy", path.display())
            }
            Self::Newer { path, found, known } => write!(
                f,
                "{} has schema {found}, and this version knows up to {known}: update keepsake",
                path.display()
            ),
            Self::Io { path, source } => write!(f, "{} cannot be used: {source}", path.display()),
            Self::Closed => f.write_str("the storage is closed"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Damaged { source, .. } => Some(source.as_ref()),
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<FileError> for StoreError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Newer { found, known, .. } => Self::Newer { found, known },
            FileError::Closed => Self::Closed,
            FileError::Io { ref source, .. } if is_full(source) => Self::QuotaExceeded,
            FileError::Damaged { .. } => Self::Failed(error.to_string()),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        StoreError::from(error).into()
    }
}

/// Whether there is no room for more: of the disk, of the user, or of this process's files.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

/// The engine's error in a read or a commit.
pub(super) fn failed(error: impl Into<redb::Error>) -> StoreError {
    match error.into() {
        redb::Error::Io(error) if is_full(&error) => StoreError::QuotaExceeded,
        redb::Error::Io(error) => StoreError::Failed(error.to_string()),
        redb::Error::ValueTooLarge(actual) => StoreError::TooLarge { limit: super::MAX_VALUE, actual },
        redb::Error::Corrupted(_) => damaged(),
        other => StoreError::Failed(other.to_string()),
    }
}

/// What a read finds makes no sense to the engine.
pub(super) fn damaged() -> StoreError {
    StoreError::Failed("the file is damaged: restore it from a copy".into())
}

/// The engine panicked on what it read.
#[derive(Debug)]
pub(super) struct Panicked;

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the storage engine panicked on the content of the file")
    }
}

impl std::error::Error for Panicked {}
