//! The API of `docs/openapi.json`, as `keepsake/http` serves it: a request in, an answer out. What a bucket is and who
//! brings the request is for others to know.

mod failure;
mod generated;
mod request;
#[cfg(test)]
mod route_tests;
mod routes;
mod tenant;
#[cfg(test)]
mod tests;

pub use failure::Response;
pub use request::{Chunks, Request};

use crate::env::BucketEnv;
use crate::kv::{Bucket, Head, KvStore};
use failure::Refusal;
use keepsake::codec::json;
use keepsake::memory::Memory;
use keepsake::model::{Config, Json, UserId};
use request::Parts;
use std::rc::Rc;
use tenant::{Settings, Tenant};

/// A memory on a bucket. The store is shared with who has to look at it anew.
type Kept<B, H> = Memory<Rc<KvStore<B, H>>, BucketEnv<B>>;

/// What is left to do when the answer was given.
pub struct Later<B: Bucket, H: Head<B>> {
    memory: Kept<B, H>,
    session: String,
}

impl<B: Bucket + Clone, H: Head<B>> Later<B, H> {
    /// Compresses the session that was talked in, if it has outgrown its limits. Should it fail, nothing is lost: the
    /// next talk tries again.
    pub async fn run(self) {
        let way = Json::object(vec![("type", "tree-reduce".into()), ("contextTokens", routes::CONTEXT_TOKENS.into())]);
        let args = vec![("session", self.session.into()), ("way", way), ("hook", false.into())];
        drop(self.memory.call("compress", Json::object(args)).await);
    }
}

/// Answers a request.
pub async fn answer<B: Bucket + Clone, H: Head<B>>(
    bucket: &B,
    request: Request<'_>,
) -> (Response, Option<Later<B, H>>) {
    let settings = match Settings::read(bucket, &request).await {
        Ok(settings) => settings,
        Err(refusal) => return (refusal.into(), None),
    };
    let origin = settings.allowed(request.header("origin").as_deref());
    if request.method == "OPTIONS" {
        return (Response::preflight(origin.as_deref()), None);
    }
    let (response, later) = match inside::<B, H>(bucket, &settings, request).await {
        Ok(done) => done,
        Err(refusal) => (refusal.into(), None),
    };
    (response.shared_with(origin.as_deref()), later)
}

type Done<B, H> = (Response, Option<Later<B, H>>);

async fn inside<B: Bucket + Clone, H: Head<B>>(
    bucket: &B,
    settings: &Settings,
    request: Request<'_>,
) -> Result<Done<B, H>, Refusal> {
    let parts = Parts::of(&request.target)?;
    if parts.is(&["v1", "health"]) && matches!(request.method.as_str(), "GET" | "HEAD") {
        let whole = Response::json(200, &Json::object(vec![("status", "ok".into())]));
        return Ok((if request.method == "HEAD" { Response { body: Vec::new(), ..whole } } else { whole }, None));
    }
    let user = settings.user.clone().ok_or_else(Refusal::unauthorized)?;
    let user = UserId::new("user", user).map_err(|_| Refusal::unauthorized())?;
    let tenant = Tenant::new(bucket, &user);
    let route = routes::found(&parts);
    let method = request.method.clone();
    let writes = route.route(&method).is_ok_and(|route| route.writes.is_some());
    let run = async {
        tenant.pace(settings.requests_per_minute, writes).await?;
        if parts.is(&["v1", "metrics"]) && request.method == "GET" {
            return Ok((Response::text(&tenant.metrics().await?), None));
        }
        serve::<B, H>(bucket, settings, &tenant, user, &route, request).await
    };
    let done = run.await.unwrap_or_else(|refusal| (refusal.into(), None));
    tenant.count(route.label(&method), done.0.status, writes).await?;
    Ok(done)
}

async fn serve<B: Bucket + Clone, H: Head<B>>(
    bucket: &B,
    settings: &Settings,
    tenant: &Tenant<'_, B>,
    user: UserId,
    found: &routes::Found,
    mut request: Request<'_>,
) -> Result<Done<B, H>, Refusal> {
    let route = found.route(&request.method)?;
    let once = if route.writes.is_some() { request.once_key()? } else { None };
    let query = request.parameters(route.query)?;
    let empty = || (String::new(), Json::object(Vec::new()));
    let (text, body) = if route.has_body() { request.body(settings.max_body_bytes)? } else { empty() };
    let asks = Json::Array(vec![
        route.method.into(),
        route.pattern().into(),
        found.value().into(),
        Json::Object(query.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()),
        text.into(),
    ]);
    let args = found.args(route, &query, body)?;
    let store = Rc::new(KvStore::<B, H>::new(bucket.clone(), tenant.prefix()).pinned());
    let memory = Memory::open(Rc::clone(&store), BucketEnv(bucket.clone()), user, Config::default()).await?;
    let once = once.map(|key| (key, asks.to_string()));
    // In a box: the future of a call has room for every verb.
    let answer = Box::pin(routes::answer(&memory, route, args, once)).await;
    store.leave().await;
    let answer = answer?;
    // A conversation that grows is compressed.
    let later = (route.verb == "append").then(|| found.value().to_owned());
    let response = Response::json(route.writes.unwrap_or(200), &answer);
    Ok((response, later.map(|session| Later { memory, session })))
}

/// A JSON object out of a text, or nothing.
fn object(text: &str) -> Option<Json> {
    json::parse(text).ok().filter(|value| matches!(value, Json::Object(_)))
}
