//! What an API without a memory does: `POST /bare/KEY` puts the body, `GET /bare/KEY` gets it.

use super::bindings::wasi::http::types::IncomingRequest;
use super::bucket::HostBucket;
use super::{incoming, ready};
use crate::api::Response;
use crate::kv::{Bucket, BucketError};

pub(super) fn answer(request: &IncomingRequest) -> Option<Response> {
    let target = request.path_with_query()?;
    let key = target.strip_prefix("/bare/")?;
    let mut request = incoming(request);
    let done = ready(async {
        let bucket = HostBucket::open()?;
        if request.method == "POST" {
            let mut body = Vec::new();
            while let Some(chunk) = (request.body)() {
                body.extend(chunk);
            }
            bucket.set(vec![(key.to_owned(), body)]).await?;
        }
        let found = bucket.get(&[key.to_owned()]).await?.pop().flatten();
        Ok::<_, BucketError>(found.unwrap_or_default())
    })?;
    let (status, body) = done.map_or((503, Vec::new()), |body| (200, body));
    Some(Response { status, headers: Vec::new(), body })
}
