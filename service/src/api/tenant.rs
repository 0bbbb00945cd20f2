//! Who asks, how fast, and what was counted: kept in the bucket, since nobody knows which instance is asked next.

use super::failure::Refusal;
use super::request::Request;
use super::{object, routes};
use crate::kv::{Bucket, BucketError};
use keepsake::codec::hex;
use keepsake::model::{Json, UserId};
use sha2::{Digest, Sha256};

/// What all keys begin with. Only letters, digits and dots: some stores take no more.
const ROOT: &str = "keepsake";
const MAX_BODY_BYTES: usize = 10_000_000;
const REQUESTS_PER_MINUTE: u64 = 6_000;
const MINUTE_MS: u64 = 60_000;
/// Of so many reads one is counted, as so many: to count is to write, and a read is to write nothing.
const READS_A_COUNT: u64 = 16;
/// A pace is counted so finely.
const PACE_STEPS: u64 = 256;

/// What whoever runs the service has said, and whose token it is.
pub(super) struct Settings {
    /// Whose the request's token is.
    pub(super) user: Option<String>,
    pub(super) max_body_bytes: usize,
    pub(super) requests_per_minute: u64,
    origins: Json,
}

impl Settings {
    /// Reads `keepsake.config`, a JSON object, and the token's user.
    pub(super) async fn read<B: Bucket>(bucket: &B, request: &Request<'_>) -> Result<Self, Refusal> {
        let mut keys = vec![format!("{ROOT}.config")];
        // Under its hash: whoever reads the store learns no token.
        keys.extend(request.token().map(|token| format!("{ROOT}.token.{}", hash(token.as_bytes()))));
        let mut found = bucket.get(&keys).await?.into_iter();
        let config = match found.next().flatten() {
            None => Json::Null,
            Some(bytes) => String::from_utf8(bytes).ok().and_then(|text| object(&text)).ok_or_else(misconfigured)?,
        };
        let number = |name: &str| match config.get(name) {
            Json::Null => Ok(None),
            value => value.as_i64().and_then(|number| u64::try_from(number).ok()).map(Some).ok_or_else(misconfigured),
        };
        let max_body_bytes = number("maxBodyBytes")?.map_or(MAX_BODY_BYTES, |most| most as usize);
        let requests_per_minute = number("requestsPerMinute")?.unwrap_or(REQUESTS_PER_MINUTE);
        let user = found.next().flatten().and_then(|user| String::from_utf8(user).ok());
        Ok(Self { user, max_body_bytes, requests_per_minute, origins: config.get("origins").clone() })
    }

    /// The origin that an answer may be shown to.
    pub(super) fn allowed(&self, origin: Option<&str>) -> Option<String> {
        match &self.origins {
            Json::String(all) if all == "*" => Some("*".to_owned()),
            Json::Array(known) => origin.filter(|origin| known.contains(&Json::from(*origin))).map(str::to_owned),
            _ => None,
        }
    }
}

fn misconfigured() -> Refusal {
    Refusal::new(500, "unavailable", "`keepsake.config` must be a JSON object, as the documentation says", None)
}

/// One tenant's keys, pace and counts.
pub(super) struct Tenant<'a, B> {
    bucket: &'a B,
    prefix: String,
}

impl<'a, B: Bucket> Tenant<'a, B> {
    pub(super) fn new(bucket: &'a B, user: &UserId) -> Self {
        Self { bucket, prefix: format!("{ROOT}.{}", &hash(user.as_str().as_bytes())[..32]) }
    }

    /// What the keys of the tenant's memory begin with.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// One of `many` times: that many. To add it up gives how often it was asked, about.
    fn sample(&self, many: u64) -> Option<u64> {
        let chance = self.bucket.chance();
        let number = u64::from_be_bytes(std::array::from_fn(|at| chance[at]));
        number.is_multiple_of(many).then_some(many)
    }

    /// One more request in this minute. Writes are counted one by one, reads by a sample.
    pub(super) async fn pace(&self, most: u64, writes: bool) -> Result<(), Refusal> {
        let now = self.bucket.now();
        let key = |minute: &str| format!("{}.r.{minute}", self.prefix);
        let minute = (now / MINUTE_MS).to_string();
        // The last minute that was counted, and whether it is full: for those who do not count.
        let last = format!("{}.r", self.prefix);
        let full = format!("{minute} full");
        let is_over = if let Some(by) = self.sample(if writes { 1 } else { (most / PACE_STEPS).max(1) }) {
            let count = self.bucket.increment(&key(&minute), by).await?;
            if count == by {
                // The first of a minute takes away the one before.
                let before = self.bucket.get(std::slice::from_ref(&last)).await?.pop().flatten();
                let before = before.and_then(|text| String::from_utf8(text).ok());
                let before = before.as_deref().and_then(|text| text.split(' ').next());
                if let Some(before) = before.filter(|before| *before != minute) {
                    self.bucket.delete(&[key(before)]).await?;
                }
                self.bucket.set(vec![(last.clone(), minute.clone().into_bytes())]).await?;
            }
            if count > most && count - by <= most {
                self.bucket.set(vec![(last, full.into_bytes())]).await?;
            }
            count > most
        } else {
            self.bucket.get(&[last]).await?.pop().flatten() == Some(full.into_bytes())
        };
        if !is_over {
            return Ok(());
        }
        let seconds = (MINUTE_MS - now % MINUTE_MS).div_ceil(1000);
        let message = format!("at most {most} requests a minute");
        Err(Refusal::new(429, "rate-limited", &message, None).with("retry-after", seconds.to_string()))
    }

    /// One more answer. A route is one of a fixed number: nothing of a client's is counted by its name. Writes and errors are
    /// counted one by one; reads by a sample, and requests that were too many.
    pub(super) async fn count(&self, route: &str, status: u16, writes: bool) -> Result<(), BucketError> {
        let is_exact = (writes || status >= 400) && status != 429;
        let Some(by) = self.sample(if is_exact { 1 } else { READS_A_COUNT }) else { return Ok(()) };
        if self.bucket.increment(&self.counter(route, status), by).await? == by {
            // What a counter looks like to who reads it as a value is each store's own business: this says that it is there.
            self.bucket.set(vec![(self.mark(route, status), b"1".to_vec())]).await?;
        }
        Ok(())
    }

    fn counter(&self, route: &str, status: u16) -> String {
        format!("{}.n.{route}.{status}", self.prefix)
    }

    fn mark(&self, route: &str, status: u16) -> String {
        format!("{}.l.{route}.{status}", self.prefix)
    }

    /// All counts, in the text form that Prometheus reads.
    pub(super) async fn metrics(&self) -> Result<String, BucketError> {
        const STATUSES: [u16; 13] = [200, 201, 400, 401, 404, 405, 409, 413, 422, 429, 500, 503, 507];
        let labels = routes::labels();
        let all: Vec<(&(&str, String), u16)> =
            labels.iter().flat_map(|label| STATUSES.map(|status| (label, status))).collect();
        let marks: Vec<String> = all.iter().map(|((route, _), status)| self.mark(route, *status)).collect();
        let mut text = "# TYPE keepsake_requests_total counter\n".to_owned();
        for (((route, label), status), mark) in all.into_iter().zip(self.bucket.get(&marks).await?) {
            if mark.is_some() {
                let count = self.bucket.increment(&self.counter(route, status), 0).await?;
                text += &format!("keepsake_requests_total{{route=\"{label}\",status=\"{status}\"}} {count}\n");
            }
        }
        Ok(text)
    }
}

pub(super) fn hash(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes))
}
