//! The routes of the API: which verb of a memory each one calls, and with what.

use super::failure::Refusal;
use super::request::Parts;
use crate::kv::{Bucket, Head};
use keepsake::Error;
use keepsake::model::Json;
use matchit::Router;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How many entries or values a page has at most.
const MOST: i64 = 1000;
const PAGE: i64 = 100;
/// Collections of the API's own, which clients do not see.
const RESERVED: &str = "keepsake/";
/// How many tokens a prompt has, unless it is said.
pub(super) const CONTEXT_TOKENS: u64 = 32_000;

/// What a route does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Stats,
    Add,
    List,
    Get,
    Update,
    Delete,
    History,
    Search,
    Recall,
    Digest,
    Clear,
    Sessions,
    Session,
    Title,
    DeleteSession,
    Messages,
    Append,
    Message,
    Context,
    Values,
    ListValues,
    SearchValues,
    Write,
}

/// One route.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) method: &'static str,
    /// `*` stands for a name.
    pub(super) path: &'static str,
    /// The parameters that it knows.
    pub(super) query: &'static [&'static str],
    does: Does,
}

const fn route(method: &'static str, path: &'static str, query: &'static [&'static str], does: Does) -> Route {
    Route { method, path, query, does }
}

const ROUTES: &[Route] = &[
    route("GET", "stats", &[], Does::Stats),
    route("POST", "entries", &[], Does::Add),
    route("GET", "entries", &["namespace", "limit", "after"], Does::List),
    route("GET", "entries/*", &[], Does::Get),
    route("PATCH", "entries/*", &[], Does::Update),
    route("DELETE", "entries/*", &[], Does::Delete),
    route("GET", "entries/*/history", &[], Does::History),
    route("POST", "search", &[], Does::Search),
    route("POST", "recall", &[], Does::Recall),
    route("POST", "digest", &[], Does::Digest),
    route("POST", "clear", &[], Does::Clear),
    route("GET", "sessions", &[], Does::Sessions),
    route("GET", "sessions/*", &[], Does::Session),
    route("PATCH", "sessions/*", &[], Does::Title),
    route("DELETE", "sessions/*", &["keepEntries"], Does::DeleteSession),
    route("GET", "sessions/*/messages", &["limit", "before"], Does::Messages),
    route("POST", "sessions/*/messages", &[], Does::Append),
    route("GET", "sessions/*/messages/one", &["id"], Does::Message),
    route("POST", "sessions/*/context", &[], Does::Context),
    route("POST", "collections/*/values", &[], Does::Values),
    route("POST", "collections/*/list", &[], Does::ListValues),
    route("POST", "collections/*/search", &[], Does::SearchValues),
    route("POST", "collections/*/write", &[], Does::Write),
];

impl Route {
    /// With `POST` and `PATCH` there is a body.
    pub(super) fn has_body(&self) -> bool {
        matches!(self.method, "POST" | "PATCH")
    }

    /// Whether it makes something new.
    pub(super) fn makes_new(&self) -> bool {
        matches!(self.does, Does::Add | Does::Append)
    }

    pub(super) fn writes(&self) -> bool {
        self.makes_new()
            || matches!(
                self.does,
                Does::Update | Does::Delete | Does::Clear | Does::Title | Does::DeleteSession | Does::Write
            )
    }

    /// Whether somebody talks.
    pub(super) fn talks(&self) -> bool {
        self.does == Does::Append
    }
}

/// What counts are called by, each route and what is none.
pub(super) fn labels() -> Vec<String> {
    let names = ROUTES.iter().map(|route| format!("{} /v1/{}", route.method, route.path));
    names.chain(["none".to_owned()]).collect()
}

/// The routes of each path, one for each method, by their places in `ROUTES`.
static ROUTER: LazyLock<Router<Vec<usize>>> = LazyLock::new(|| {
    let mut paths: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, route) in ROUTES.iter().enumerate() {
        paths.entry(route.path).or_default().push(at);
    }
    let mut router = Router::new();
    for (path, routes) in paths {
        router.insert(format!("/v1/{}", path.replace('*', "{name}")), routes).expect("no two paths overlap");
    }
    router
});

/// The routes of a path, one for each method, and the name in it.
pub(super) struct Found {
    routes: &'static [usize],
    pub(super) name: String,
}

pub(super) fn found(parts: &Parts) -> Found {
    let path = parts.path();
    let Ok(found) = ROUTER.at(&path) else { return Found { routes: &[], name: String::new() } };
    let name = percent_decode_str(found.params.get("name").unwrap_or_default()).decode_utf8_lossy().into_owned();
    Found { routes: found.value, name }
}

impl Found {
    fn at(&self, method: &str) -> Option<usize> {
        self.routes.iter().copied().find(|at| ROUTES[*at].method == method)
    }

    /// What an answer to it is counted by.
    pub(super) fn label(&self, method: &str) -> usize {
        self.at(method).unwrap_or(ROUTES.len())
    }

    pub(super) fn route(&self, method: &str) -> Result<&'static Route, Refusal> {
        if let Some(at) = self.at(method) {
            return Ok(&ROUTES[at]);
        }
        if self.routes.is_empty() {
            return Err(Refusal::new(404, "not-found", "there is no such path", Some("path")));
        }
        let allowed: Vec<_> = self.routes.iter().map(|at| ROUTES[*at].method).collect();
        let refusal = Refusal::new(405, "not-allowed", "not with this method", Some("method"));
        Err(refusal.with("allow", allowed.join(", ")))
    }
}

/// What a route is asked.
pub(super) struct Asked<'a, B: Bucket, H: Head<B>> {
    pub(super) memory: &'a super::Kept<B, H>,
    /// What stands in the path where the route has a name: an id, or the name of a collection.
    pub(super) name: &'a str,
    pub(super) query: Vec<(String, String)>,
    pub(super) body: Json,
    /// The key under which it is to be done once, and the request that has it.
    pub(super) once: Option<(String, String)>,
}

/// Does what a route says.
pub(super) async fn answer<B: Bucket + Clone, H: Head<B>>(
    route: &Route,
    asked: Asked<'_, B, H>,
) -> Result<Json, Refusal> {
    let Asked { memory, name, query, body, once } = asked;
    // In a box: the future of a call has room for every verb, and would be in this one once for each route.
    let call = async |verb: &str, args: Vec<(&str, Json)>| Box::pin(memory.call(verb, Json::object(args))).await;
    let write = async |verb: &str, args: Json| match &once {
        None => Ok(Box::pin(memory.call(verb, args)).await?),
        Some((key, request)) => {
            let (key, request) = (key.as_str().into(), request.as_str().into());
            let args = vec![("idempotencyKey", key), ("request", request), ("verb", verb.into()), ("args", args)];
            Box::pin(memory.call("once", Json::object(args))).await.map_err(refused)
        }
    };
    let id = || vec![("id", name.into())];
    let session = || ("session", name.into());
    match route.does {
        Does::Stats => Ok(call("stats", vec![]).await?),
        Does::Add => write("add", body).await,
        Does::List => {
            let limit = number(&query, "limit")?.unwrap_or(PAGE);
            let args = vec![("namespace", value(&query, "namespace")), ("after", value(&query, "after"))];
            let entries = call("list", [args, vec![("limit", limit.into())]].concat()).await?;
            let listed = entries.as_array().unwrap_or_default();
            let full = limit > 0 && listed.len() as i64 == limit;
            let next = listed.last().filter(|_| full).map(|last| last.get("id").clone());
            Ok(Json::object(vec![("entries", entries), ("next", next.unwrap_or_default())]))
        }
        Does::Get => there(call("get", id()).await?, "id"),
        Does::Update => {
            // The path says whose id it is; a second one in the body would have to be checked against it.
            if has(&body, "id") {
                return Err(Refusal::unfit("id", "is in the path"));
            }
            write("update", with(body, id())).await
        }
        Does::Delete => Ok(one("deleted", write("delete", Json::object(id())).await?)),
        Does::History => Ok(one("versions", call("history", id()).await?)),
        Does::Search => Ok(one("hits", Box::pin(memory.call("search", asking(body))).await?)),
        Does::Recall => {
            let found = Box::pin(memory.call("queryMemory", asking(body))).await?;
            // Only a question for an overview has more than hits for an answer.
            let hits = if has(&found, "hits") { found.get("hits").clone() } else { found.clone() };
            Ok(Json::object(vec![("found", hits), ("digest", found.get("digest").clone())]))
        }
        Does::Digest => Ok(Box::pin(memory.call("digest", body)).await?),
        Does::Clear => {
            let [namespace] = fields(body, ["namespace"])?;
            Ok(one("deleted", write("clear", one("namespace", namespace)).await?))
        }
        Does::Sessions => Ok(one("sessions", call("sessions", vec![]).await?)),
        Does::Session => there(call("session", vec![session()]).await?, "session"),
        Does::Title => {
            let [title] = fields(body, ["title"])?;
            write("setTitle", Json::object(vec![session(), ("title", title)])).await
        }
        Does::DeleteSession => {
            let keep = match value(&query, "keepEntries").as_str() {
                None | Some("false") => false,
                Some("true") => true,
                _ => return Err(Refusal::unfit("keepEntries", "must be `true` or `false`")),
            };
            let args = Json::object(vec![session(), ("keepEntries", keep.into())]);
            Ok(one("deleted", write("deleteSession", args).await?))
        }
        Does::Messages => {
            let limit = number(&query, "limit")?.into();
            Ok(call("messages", vec![session(), ("limit", limit), ("before", value(&query, "before"))]).await?)
        }
        Does::Append => {
            let (messages, agent) = said(body)?;
            let args = Json::object(vec![session(), ("messages", messages), ("agent", agent)]);
            Ok(one("messages", write("append", args).await?))
        }
        Does::Message => {
            let id = value(&query, "id").as_str().unwrap_or_default().into();
            there(call("message", vec![session(), ("id", id)]).await?, "id")
        }
        Does::Context => context(memory, name, body).await,
        Does::Values => {
            let [keys] = fields(body, ["keys"])?;
            let Json::Array(keys) = keys else { return Err(Refusal::unfit("keys", "must be an array of keys")) };
            let found = call("values", vec![collection(name)?, ("keys", Json::Array(keys.clone()))]).await?;
            let items = keys.into_iter().zip(found.as_array().unwrap_or_default());
            let items = items.filter_map(|(key, found)| {
                let [value] = found.as_array()? else { return None };
                Some(Json::Object(vec![("key".to_owned(), key), ("value".to_owned(), value.clone())]))
            });
            Ok(one("values", Json::Array(items.collect())))
        }
        Does::ListValues => {
            let limit = body.get("limit").as_f64().unwrap_or(PAGE as f64);
            if limit > MOST as f64 {
                return Err(Refusal::unfit("limit", &format!("must be an integer from 0 to {MOST}")));
            }
            let body = if body.get("limit").is_null() { with(body, vec![("limit", PAGE.into())]) } else { body };
            let found = Box::pin(memory.call("listValues", with(body, vec![collection(name)?]))).await?;
            Ok(one("values", named(&found, &["key", "value"])))
        }
        Does::SearchValues => {
            let found = Box::pin(memory.call("searchValues", with(asking(body), vec![collection(name)?]))).await?;
            Ok(one("hits", named(&found, &["key", "value", "score"])))
        }
        Does::Write => {
            let [changes, expect] = fields(body, ["changes", "expect"])?;
            let expect = expectations(expect)?;
            if changes.as_array().is_none() {
                return Err(Refusal::unfit("changes", "must be an array"));
            }
            let args = vec![collection(name)?, ("changes", changes), ("expect", expect)];
            Ok(one("written", write("editValues", Json::object(args)).await?))
        }
    }
}

/// A key that another request has is named as the header that holds it.
fn refused(error: Error) -> Refusal {
    if error.field() == Some("idempotencyKey") {
        let message = "`Idempotency-Key` was used for another request";
        return Refusal::new(422, "invalid-input", message, Some("Idempotency-Key"));
    }
    error.into()
}

/// The prompt of the next turn, in a provider's form if one is asked for.
async fn context<B: Bucket + Clone, H: Head<B>>(
    memory: &super::Kept<B, H>,
    session: &str,
    body: Json,
) -> Result<Json, Refusal> {
    let budget = Some(body.get("budget").clone()).filter(|budget| !budget.is_null());
    let budget = budget.unwrap_or_else(|| CONTEXT_TOKENS.into());
    let args = with(without(body, &["budget"]), vec![("session", session.into()), ("budget", budget)]);
    Ok(Box::pin(memory.call("context", args)).await?)
}

/// What was said, and by which agent.
fn said(body: Json) -> Result<(Json, Json), Refusal> {
    let [messages, agent] = fields(body, ["messages", "agent"])?;
    if messages.as_array().is_none() {
        return Err(Refusal::unfit("messages", "must be an array"));
    }
    Ok((messages, agent))
}

fn collection(name: &str) -> Result<(&'static str, Json), Refusal> {
    if name.starts_with(RESERVED) {
        return Err(Refusal::unfit("collection", &format!("must not begin with `{}`", RESERVED)));
    }
    Ok(("collection", name.into()))
}

/// `[{ key, value? }]`: no value means that there must be none.
fn expectations(expect: Json) -> Result<Json, Refusal> {
    let items = match &expect {
        Json::Null => return Ok(Json::Null),
        Json::Array(items) => items,
        _ => return Err(Refusal::unfit("expect", "must be an array")),
    };
    match items.iter().position(|item| !matches!(item, Json::Object(_))) {
        Some(at) => Err(Refusal::unfit(&format!("expect[{at}]"), "must be a key with its value")),
        None => Ok(expect),
    }
}

/// A search whose query is no text is told so, also if it has none.
fn asking(body: Json) -> Json {
    if has(&body, "query") { body } else { with(body, vec![("query", Json::Bool(false))]) }
}

/// Lists as objects with these names.
fn named(items: &Json, names: &[&str]) -> Json {
    let item = |item: &Json| {
        let values = names.iter().zip(item.as_array().unwrap_or_default());
        Json::Object(values.map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    };
    Json::Array(items.as_array().unwrap_or_default().iter().map(item).collect())
}

fn one(name: &str, value: Json) -> Json {
    Json::Object(vec![(name.to_owned(), value)])
}

fn has(body: &Json, name: &str) -> bool {
    matches!(body, Json::Object(fields) if fields.iter().any(|(field, _)| field == name))
}

fn with(body: Json, more: Vec<(&str, Json)>) -> Json {
    let Json::Object(mut fields) = body else { return Json::object(more) };
    fields.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Json::Object(fields)
}

fn without(body: Json, names: &[&str]) -> Json {
    let Json::Object(mut fields) = body else { return body };
    fields.retain(|(name, _)| !names.contains(&name.as_str()));
    Json::Object(fields)
}

/// These fields, and no others.
fn fields<const N: usize>(body: Json, names: [&str; N]) -> Result<[Json; N], Refusal> {
    if let Json::Object(fields) = &body
        && let Some((unknown, _)) = fields.iter().find(|(name, _)| !names.contains(&name.as_str()))
    {
        return Err(Refusal::unfit(&unknown.chars().take(64).collect::<String>(), "is not known here"));
    }
    Ok(names.map(|name| body.get(name).clone()))
}

fn value(query: &[(String, String)], name: &str) -> Json {
    query.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str()).into()
}

/// A whole number out of a parameter.
fn number(query: &[(String, String)], name: &str) -> Result<Option<i64>, Refusal> {
    let value = value(query, name);
    let Some(text) = value.as_str() else { return Ok(None) };
    let digits = (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && *number <= MOST);
    number.map(Some).ok_or_else(|| Refusal::unfit(name, &format!("must be an integer from 0 to {MOST}")))
}

fn there(found: Json, field: &str) -> Result<Json, Refusal> {
    if found.is_null() {
        return Err(Refusal::new(404, "not-found", "there is none with that id", Some(field)));
    }
    Ok(found)
}
