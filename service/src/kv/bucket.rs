//! What a bucket can do, in the words of `wasi:keyvalue`.

use std::fmt;

/// A bucket failed, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketError(pub String);

impl fmt::Display for BucketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What became of a swap.
#[derive(Debug, PartialEq, Eq)]
pub enum Swapped {
    /// It is written.
    Yes,
    /// Somebody else was faster, and nothing is written.
    No,
}

/// Keys and values without an order. Whoever has written sees it; whether others do at once depends on who serves it,
/// and a memory needs one of which they do.
#[allow(async_fn_in_trait, reason = "see keepsake::Store")]
pub trait Bucket {
    /// A value that was read to be swapped.
    type Cas;

    /// The values of `keys`, in their order.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError>;

    /// Writes values, in any order.
    async fn set(&self, items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError>;

    /// Takes keys away; those that are not there are fine.
    async fn delete(&self, keys: &[String]) -> Result<(), BucketError>;

    /// All keys, in no order.
    async fn keys(&self) -> Result<Vec<String>, BucketError>;

    /// Adds to a counter, and says what it holds now. One that was never counted holds 0.
    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError>;

    /// Reads a value that is to be swapped.
    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError>;

    /// Writes it, if nobody has since.
    async fn swap(&self, seen: Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError>;

    /// Waits about this long.
    async fn pause(&self, millis: u32);

    /// Milliseconds since 1970.
    fn now(&self) -> u64;

    /// Bytes that nobody else has.
    fn chance(&self) -> [u8; 16];
}
