//! The host's bucket.

use super::bindings::wasi::clocks::{monotonic_clock, wall_clock};
#[cfg(all(feature = "draft", not(feature = "draft2")))]
use super::bindings::wasi::keyvalue0_2_0_draft as keyvalue;
#[cfg(feature = "draft2")]
use super::bindings::wasi::keyvalue0_2_0_draft2 as keyvalue;
use super::bindings::wasi::random::random;
use crate::kv::{Bucket, BucketError, Swapped};
use keyvalue::{atomics, batch, store};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the bucket may be called: Spin's has a name, wasmtime's has none.
const NAMES: [&str; 2] = ["default", ""];

/// How many keys are read and written at a time: DynamoDB takes no more, and nobody splits them on the way.
const READS: usize = 100;
const WRITES: usize = 25;

/// A bucket that the host provides.
#[derive(Clone, Debug)]
pub(super) struct HostBucket(Rc<store::Bucket>);

impl HostBucket {
    pub(super) fn open() -> Result<Self, BucketError> {
        let mut result = store::open(NAMES[0]);
        if let Err(store::Error::NoSuchStore) = result {
            result = store::open(NAMES[1]);
        }
        Ok(Self(Rc::new(result?)))
    }
}

fn one_by_one(bucket: &store::Bucket, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, store::Error> {
    keys.iter().map(|key| bucket.get(key)).collect()
}

impl From<store::Error> for BucketError {
    fn from(error: store::Error) -> Self {
        Self(match error {
            store::Error::NoSuchStore => "there is no such store".into(),
            store::Error::AccessDenied => "the host does not allow this store".into(),
            store::Error::Other(why) => why,
        })
    }
}

impl Bucket for HostBucket {
    #[cfg(feature = "draft2")]
    type Cas = atomics::Cas;
    #[cfg(all(feature = "draft", not(feature = "draft2")))]
    type Cas = std::convert::Infallible;

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError> {
        if let [key] = keys {
            return Ok(vec![self.0.get(key)?]);
        }
        let all = keys;
        let mut found = Vec::with_capacity(keys.len());
        for keys in keys.chunks(READS) {
            let Ok(some) = batch::get_many(&self.0, keys) else {
                // There are hosts whose single reads work and whose many do not.
                return Ok(one_by_one(&self.0, all)?);
            };
            found.extend(some);
        }
        let found = found.into_iter();
        // By their names: not every store answers in the order of the keys.
        #[cfg(feature = "draft2")]
        let found = found.filter_map(|(key, value)| Some((key, value?)));
        #[cfg(all(feature = "draft", not(feature = "draft2")))]
        let found = found.flatten();
        let found: BTreeMap<String, Vec<u8>> = found.collect();
        Ok(keys.iter().map(|key| found.get(key).cloned()).collect())
    }

    async fn set(&self, mut items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError> {
        if let [(key, value)] = items.as_mut_slice() {
            return Ok(self.0.set(key, value)?);
        }
        Ok(items.chunks(WRITES).try_for_each(|items| batch::set_many(&self.0, items))?)
    }

    async fn delete(&self, keys: &[String]) -> Result<(), BucketError> {
        Ok(keys.chunks(WRITES).try_for_each(|keys| batch::delete_many(&self.0, keys))?)
    }

    async fn keys(&self) -> Result<Vec<String>, BucketError> {
        let mut all = Vec::new();
        let mut cursor = None;
        loop {
            #[cfg(feature = "draft2")]
            let page = self.0.list_keys(cursor.as_deref())?;
            #[cfg(all(feature = "draft", not(feature = "draft2")))]
            let page = self.0.list_keys(cursor)?;
            all.extend(page.keys);
            cursor = page.cursor;
            if cursor.is_none() {
                return Ok(all);
            }
        }
    }

    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError> {
        #[cfg(feature = "draft2")]
        return Ok(u64::try_from(atomics::increment(&self.0, key, by as i64)?).unwrap_or(0));
        #[cfg(all(feature = "draft", not(feature = "draft2")))]
        return Ok(atomics::increment(&self.0, key, by)?);
    }

    #[cfg(feature = "draft2")]
    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError> {
        let cas = atomics::Cas::new(&self.0, key)?;
        let value = cas.current()?;
        Ok((cas, value))
    }

    #[cfg(feature = "draft2")]
    async fn swap(&self, seen: Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError> {
        match atomics::swap(seen, &value) {
            Ok(()) => Ok(Swapped::Yes),
            Err(atomics::CasError::CasFailed(_)) => Ok(Swapped::No),
            Err(atomics::CasError::StoreError(error)) => Err(error.into()),
        }
    }

    #[cfg(all(feature = "draft", not(feature = "draft2")))]
    async fn cas(&self, _: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError> {
        Err(BucketError("this store cannot compare".into()))
    }

    #[cfg(all(feature = "draft", not(feature = "draft2")))]
    async fn swap(&self, seen: Self::Cas, _: Vec<u8>) -> Result<Swapped, BucketError> {
        match seen {}
    }

    async fn pause(&self, millis: u32) {
        if millis > 0 {
            monotonic_clock::subscribe_duration(u64::from(millis) * 1_000_000).block();
        }
    }

    fn now(&self) -> u64 {
        let now = wall_clock::now();
        now.seconds.saturating_mul(1000) + u64::from(now.nanoseconds / 1_000_000)
    }

    fn chance(&self) -> [u8; 16] {
        let bytes = random::get_random_bytes(16);
        std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0))
    }
}
