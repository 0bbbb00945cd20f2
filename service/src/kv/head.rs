//! The one value that changes, and how it is swapped.

use super::{Bucket, BucketError, Swapped};

/// Reads and swaps the manifest.
#[allow(async_fn_in_trait, reason = "see keepsake::Store")]
pub trait Head<B: Bucket> {
    /// What was read, to be swapped.
    type Seen;

    /// The head of the storage whose keys begin with `prefix`.
    fn new(prefix: &str) -> Self;

    /// The newest manifest; none if nothing was ever written.
    async fn read(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError>;

    /// The same, to be swapped.
    async fn begin(&self, bucket: &B) -> Result<(Self::Seen, Option<Vec<u8>>), BucketError>;

    /// Puts another in its place, if nobody has since. After a failure it may be written, or not.
    async fn swap(&self, bucket: &B, seen: Self::Seen, value: Vec<u8>) -> Result<Swapped, BucketError>;
}

/// Where the bucket itself can compare and swap.
#[derive(Debug)]
pub struct Native {
    key: String,
}

impl<B: Bucket> Head<B> for Native {
    type Seen = B::Cas;

    fn new(prefix: &str) -> Self {
        Self { key: format!("{prefix}.m") }
    }

    async fn read(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError> {
        let mut found = bucket.get(std::slice::from_ref(&self.key)).await?;
        Ok(found.pop().flatten())
    }

    async fn begin(&self, bucket: &B) -> Result<(Self::Seen, Option<Vec<u8>>), BucketError> {
        bucket.cas(&self.key).await
    }

    async fn swap(&self, bucket: &B, seen: Self::Seen, value: Vec<u8>) -> Result<Swapped, BucketError> {
        bucket.swap(seen, value).await
    }
}
