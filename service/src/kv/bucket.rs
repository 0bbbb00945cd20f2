//! The operations of a bucket, as in `wasi:keyvalue`.

use std::fmt;

/// The error of a bucket, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketError(pub String);

impl fmt::Display for BucketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The result of a swap.
#[derive(Debug, PartialEq, Eq)]
pub enum Swapped {
    /// It was written.
    Yes,
    /// Another writer won the race, and nothing was written.
    No,
}

/// Keys and values without an order. A writer sees its own writes; whether others see them at once depends on the host,
/// and a memory needs a host where they do.
#[allow(async_fn_in_trait, reason = "see keepsake::Store")]
pub trait Bucket {
    /// The token of a value that was read for a compare-and-swap.
    type Cas;

    /// The values of `keys`, in their order.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError>;

    /// Writes values, in any order.
    async fn set(&self, items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError>;

    /// Deletes keys; missing ones are fine.
    async fn delete(&self, keys: &[String]) -> Result<(), BucketError>;

    /// All keys, in no order.
    async fn keys(&self) -> Result<Vec<String>, BucketError>;

    /// Adds to a counter and returns its new value. A new counter starts at 0.
    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError>;

    /// Reads a value for a compare-and-swap.
    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError>;

    /// Writes it, if nobody has written since the read.
    async fn swap(&self, seen: Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError>;

    /// Sleeps for about this long.
    async fn pause(&self, millis: u32);

    /// Milliseconds since 1970.
    fn now(&self) -> u64;

    /// Random bytes.
    fn chance(&self) -> [u8; 16];
}
