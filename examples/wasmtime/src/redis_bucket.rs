//! Buckets in Redis, for both versions of the interface.

use redis::aio::MultiplexedConnection;
use redis::{AsyncCommands, RedisResult};

/// Swaps a value if it is still the one that was seen; an empty first argument says that there was none.
const SWAP: &str = r"
local now = redis.call('GET', KEYS[1])
if (ARGV[1] == '0' and now) or (ARGV[1] == '1' and now ~= ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[3])
return 1
";

/// How many keys a page of a listing has, about.
const PAGE: usize = 1000;

/// A connection that all requests share.
#[derive(Clone)]
pub(crate) struct Redis(MultiplexedConnection);

/// A bucket: this is the only one there is.
#[allow(unreachable_pub, reason = "the generated bindings say where it is")]
pub struct Bucket;

/// A value that is to be swapped.
#[allow(unreachable_pub, reason = "the generated bindings say where it is")]
pub struct Cas {
    pub key: String,
    pub seen: Option<Vec<u8>>,
}

impl Redis {
    pub(crate) async fn connect(address: &str) -> RedisResult<Self> {
        Ok(Self(redis::Client::open(address)?.get_multiplexed_async_connection().await?))
    }

    pub(crate) async fn get(&mut self, key: &str) -> RedisResult<Option<Vec<u8>>> {
        self.0.get(key).await
    }

    pub(crate) async fn get_many(&mut self, keys: &[String]) -> RedisResult<Vec<Option<Vec<u8>>>> {
        if keys.is_empty() { Ok(Vec::new()) } else { self.0.mget(keys).await }
    }

    pub(crate) async fn set_many(&mut self, items: &[(String, Vec<u8>)]) -> RedisResult<()> {
        if items.is_empty() { Ok(()) } else { self.0.mset(items).await }
    }

    pub(crate) async fn delete(&mut self, keys: &[String]) -> RedisResult<()> {
        if keys.is_empty() { Ok(()) } else { self.0.del(keys).await }
    }

    /// A page of the keys, and where the next one begins; 0 is the beginning and the end.
    pub(crate) async fn keys(&mut self, cursor: u64) -> RedisResult<(u64, Vec<String>)> {
        redis::cmd("SCAN").arg(cursor).arg("COUNT").arg(PAGE).query_async(&mut self.0).await
    }

    pub(crate) async fn increment(&mut self, key: &str, by: i64) -> RedisResult<i64> {
        self.0.incr(key, by).await
    }

    pub(crate) async fn swap(&mut self, cas: &Cas, value: &[u8]) -> RedisResult<bool> {
        let script = redis::Script::new(SWAP);
        let mut call = script.key(&cas.key);
        let seen = cas.seen.as_deref();
        call.arg(i32::from(seen.is_some())).arg(seen.unwrap_or_default()).arg(value);
        let swapped: i32 = call.invoke_async(&mut self.0).await?;
        Ok(swapped == 1)
    }
}
