//! The codes of errors. Generated from wit/ by `cargo xtask generate`. Do not edit.

/// One word for each way to fail, the same in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// An argument is invalid; the field is named.
    InvalidInput,
    /// An argument, or a value for the storage, is larger than its limit.
    TooLarge,
    /// Another entry has that id or key, or another message or session has that id. An expired entry counts until
    /// it is cleaned up.
    AlreadyExists,
    /// There is no entry, session, message, file or skill with that id, or it has expired; the text has the
    /// details.
    NotFound,
    /// The stored value is not the expected one, or others kept changing it. Read again and retry. The number is
    /// the number of attempts.
    Conflict,
    /// The storage is full. Reading and deleting still work.
    QuotaExceeded,
    /// Another tab or program has the storage open in an older format and does not close it.
    Blocked,
    /// A newer version of the program took over the storage. Reload.
    Superseded,
    /// The storage was written by a newer version of this library.
    NewerVersion,
    /// There is no storage here, or WebAssembly is not allowed; the text has the reason.
    Unavailable,
    /// The storage was emptied or replaced while it was open.
    StoreLost,
    /// Another failure of the storage; the text has the reason.
    StorageFailed,
    /// A stored value cannot be read; the text has the reason.
    Corrupt,
    /// The memory, or the storage below it, was closed.
    Closed,
    /// The clock or the source of randomness failed.
    Environment,
}

impl ErrorCode {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid-input",
            Self::TooLarge => "too-large",
            Self::AlreadyExists => "already-exists",
            Self::NotFound => "not-found",
            Self::Conflict => "conflict",
            Self::QuotaExceeded => "quota-exceeded",
            Self::Blocked => "blocked",
            Self::Superseded => "superseded",
            Self::NewerVersion => "newer-version",
            Self::Unavailable => "unavailable",
            Self::StoreLost => "store-lost",
            Self::StorageFailed => "storage-failed",
            Self::Corrupt => "corrupt",
            Self::Closed => "closed",
            Self::Environment => "environment",
        }
    }

    /// The status of an HTTP answer.
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidInput => 400,
            Self::TooLarge => 413,
            Self::AlreadyExists => 409,
            Self::NotFound => 404,
            Self::Conflict => 503,
            Self::QuotaExceeded => 507,
            Self::Blocked => 503,
            Self::Superseded => 503,
            Self::NewerVersion => 500,
            Self::Unavailable => 503,
            Self::StoreLost => 503,
            Self::StorageFailed => 503,
            Self::Corrupt => 500,
            Self::Closed => 503,
            Self::Environment => 500,
        }
    }
}
