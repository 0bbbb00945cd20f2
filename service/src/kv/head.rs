//! The one mutable value, and how it is swapped.

use super::first::{First, is_begun};
use super::{Bucket, BucketError, Swapped};

/// Reads and swaps the manifest.
#[allow(async_fn_in_trait, reason = "see keepsake::Store")]
pub trait Head<B: Bucket> {
    /// The token of a read, for the swap.
    type Seen;

    /// Whether writers that lose races take turns.
    const TURNS: bool;

    /// The head of the storage whose keys begin with `prefix`.
    fn new(prefix: &str) -> Self;

    /// The manifest; `None` if nothing was ever written. A host may answer from the cache of the request.
    async fn read(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError>;

    /// The newest manifest, bypassing caches.
    async fn newest(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError>;

    /// The current value of a key, bypassing caches.
    async fn value(bucket: &B, key: &str) -> Result<Option<Vec<u8>>, BucketError>;

    /// The newest manifest, for a swap.
    async fn begin(&self, bucket: &B) -> Result<(Self::Seen, Option<Vec<u8>>), BucketError>;

    /// Replaces the manifest, if nobody has since the read. After an error it may or may not be written.
    async fn swap(&self, bucket: &B, seen: Self::Seen, value: Vec<u8>) -> Result<Swapped, BucketError>;
}

/// The head of a bucket with its own compare-and-swap. A swap of an absent key is not trusted: see `first`.
#[derive(Debug)]
pub struct Native {
    key: String,
    first: First,
}

impl<B: Bucket> Head<B> for Native {
    type Seen = B::Cas;

    const TURNS: bool = true;

    fn new(prefix: &str) -> Self {
        let first = First::new(prefix);
        Self { key: first.manifest(0), first }
    }

    async fn read(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError> {
        let found = one(bucket, &self.key).await?;
        if is_begun(found.as_deref()) {
            return Ok(found);
        }
        match self.first.moved(one(bucket, &self.first.elsewhere()).await?)? {
            Some(key) => one(bucket, &key).await,
            None => Ok(found),
        }
    }

    async fn newest(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError> {
        let found = Self::value(bucket, &self.key).await?;
        if is_begun(found.as_deref()) {
            return Ok(found);
        }
        match self.first.moved(Self::value(bucket, &self.first.elsewhere()).await?)? {
            Some(key) => Self::value(bucket, &key).await,
            None => Ok(found),
        }
    }

    /// Hosts that cache reads cache plain reads only.
    async fn value(bucket: &B, key: &str) -> Result<Option<Vec<u8>>, BucketError> {
        Ok(bucket.cas(key).await?.1)
    }

    async fn begin(&self, bucket: &B) -> Result<(Self::Seen, Option<Vec<u8>>), BucketError> {
        let (seen, found) = bucket.cas(&self.key).await?;
        if is_begun(found.as_deref()) {
            return Ok((seen, found));
        }
        let key = match self.first.moved(Self::value(bucket, &self.first.elsewhere()).await?)? {
            Some(key) => key,
            None => self.first.settle(bucket).await?,
        };
        let (seen, found) = bucket.cas(&key).await?;
        if found.is_none() {
            return Err(BucketError("the manifest is missing".into()));
        }
        Ok((seen, found))
    }

    async fn swap(&self, bucket: &B, seen: Self::Seen, value: Vec<u8>) -> Result<Swapped, BucketError> {
        bucket.swap(seen, value).await
    }
}

async fn one<B: Bucket>(bucket: &B, key: &str) -> Result<Option<Vec<u8>>, BucketError> {
    Ok(bucket.get(&[key.to_owned()]).await?.pop().flatten())
}
