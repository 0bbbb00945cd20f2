//! The routes of the API: a request becomes the arguments of a verb, and its answer that of the route. The table is generated
//! from `wit/`.

use super::failure::Refusal;
use super::generated::ROUTES;
use super::request::Parts;
use crate::kv::{Bucket, Head};
use keepsake::Error;
use keepsake::codec::json;
use keepsake::model::Json;
use matchit::Router;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Collections of the API's own, which clients do not see.
const RESERVED: &str = "keepsake/";
/// How many tokens the model takes whose prompts are made here.
pub(super) const CONTEXT_TOKENS: u64 = 32_000;

/// How a parameter of the address is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    Count,
    Flag,
}

/// One route.
#[derive(Debug)]
pub(super) struct Route {
    /// The verb that it calls.
    pub(super) verb: &'static str,
    /// With `POST` and `PATCH` there is a body.
    pub(super) method: &'static str,
    /// The path below `/v1/`; a name in braces is an argument.
    pub(super) path: &'static str,
    /// The status of the answer if it writes.
    pub(super) writes: Option<u16>,
    /// The parameters of the address.
    pub(super) query: &'static [(&'static str, Kind)],
    /// Arguments of the body that must be arrays.
    pub(super) lists: &'static [&'static str],
    /// Values of arguments that a request leaves out, as JSON.
    pub(super) defaults: &'static [(&'static str, &'static str)],
    /// The largest values of arguments.
    pub(super) most: &'static [(&'static str, u32)],
    /// The field that the answer stands in; none: it is the whole answer.
    pub(super) answer: Option<&'static str>,
    /// The field for the id of a full page's last item.
    pub(super) next: Option<&'static str>,
    /// The argument that names something that may be missing: then the answer is 404.
    pub(super) missing: Option<&'static str>,
    /// The names of the values in answered arrays: the API writes objects.
    pub(super) items: &'static [&'static str],
}

/// A route without anything, for the generated table to begin with.
pub(super) const PLAIN: Route = Route {
    verb: "",
    method: "",
    path: "",
    writes: None,
    query: &[],
    lists: &[],
    defaults: &[],
    most: &[],
    answer: None,
    next: None,
    missing: None,
    items: &[],
};

impl Route {
    /// With `POST` and `PATCH` there is a body.
    pub(super) fn has_body(&self) -> bool {
        matches!(self.method, "POST" | "PATCH")
    }

    /// Its path with `*` for the name.
    pub(super) fn pattern(&self) -> String {
        let part = |part: &'static str| if part.starts_with('{') { "*" } else { part };
        self.path.split('/').map(part).collect::<Vec<_>>().join("/")
    }
}

/// The key and the label of each route's counter: its verb, and its method and path. The last counts requests without a
/// route.
pub(super) fn labels() -> Vec<(&'static str, String)> {
    let names = ROUTES.iter().map(|route| (route.verb, format!("{} /v1/{}", route.method, route.pattern())));
    names.chain([(NO_ROUTE, NO_ROUTE.to_owned())]).collect()
}

/// The label of requests that have no route.
const NO_ROUTE: &str = "none";

/// The routes of each path, one for each method, by their places in `ROUTES`.
static ROUTER: LazyLock<Router<Vec<usize>>> = LazyLock::new(|| {
    let mut paths: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, route) in ROUTES.iter().enumerate() {
        paths.entry(route.path).or_default().push(at);
    }
    let mut router = Router::new();
    for (path, routes) in paths {
        router.insert(format!("/v1/{path}"), routes).expect("no two paths overlap");
    }
    router
});

/// The routes of a path, one for each method, and the argument in it.
#[derive(Default)]
pub(super) struct Found {
    routes: &'static [usize],
    name: String,
    value: String,
}

pub(super) fn found(parts: &Parts) -> Found {
    let path = parts.path();
    let Ok(found) = ROUTER.at(&path) else { return Found::default() };
    let (name, value) = found.params.iter().next().unwrap_or_default();
    let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
    Found { routes: found.value, name: name.to_owned(), value }
}

impl Found {
    fn at(&self, method: &str) -> Option<&'static Route> {
        self.routes.iter().map(|at| &ROUTES[*at]).find(|route| route.method == method)
    }

    /// The value in the path: an id, or the name of a collection.
    pub(super) fn value(&self) -> &str {
        &self.value
    }

    /// The word that an answer to it is counted by.
    pub(super) fn label(&self, method: &str) -> &'static str {
        self.at(method).map_or(NO_ROUTE, |route| route.verb)
    }

    pub(super) fn route(&self, method: &str) -> Result<&'static Route, Refusal> {
        if let Some(route) = self.at(method) {
            return Ok(route);
        }
        if self.routes.is_empty() {
            return Err(Refusal::new(404, "not-found", "there is no such path", Some("path")));
        }
        let allowed: Vec<_> = self.routes.iter().map(|at| ROUTES[*at].method).collect();
        let refusal = Refusal::new(405, "not-allowed", "not with this method", Some("method"));
        Err(refusal.with("allow", allowed.join(", ")))
    }

    /// The arguments of the verb: the body, the parameters of the address, the name in the path, and defaults.
    pub(super) fn args(&self, route: &Route, query: &[(String, String)], body: Json) -> Result<Args, Refusal> {
        let Json::Object(fields) = body else { return Ok(Args(Vec::new())) };
        let mut args = Args(fields);
        for (name, kind) in route.query {
            if let Some((_, text)) = query.iter().find(|(other, _)| other == name) {
                args.set(name, parameter(route, name, *kind, text)?);
            }
        }
        if !self.name.is_empty() {
            // A second one in the body would have to be checked against the path.
            if args.has(&self.name) {
                return Err(Refusal::unfit(&self.name, "is in the path"));
            }
            if self.name == "collection" && self.value.starts_with(RESERVED) {
                return Err(Refusal::unfit("collection", &format!("must not begin with `{RESERVED}`")));
            }
            args.set(&self.name, self.value.as_str().into());
        }
        args.complete(route)?;
        Ok(args)
    }
}

fn parameter(route: &Route, name: &str, kind: Kind, text: &str) -> Result<Json, Refusal> {
    match (kind, text) {
        (Kind::Text, _) => Ok(text.into()),
        (Kind::Flag, "true" | "false") => Ok((text == "true").into()),
        (Kind::Flag, _) => Err(Refusal::unfit(name, "must be `true` or `false`")),
        (Kind::Count, _) => {
            let digits = (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<i64>().ok().filter(|_| digits);
            number.map(Json::from).ok_or_else(|| unfit_count(route, name))
        }
    }
}

fn unfit_count(route: &Route, name: &str) -> Refusal {
    let most = route.most.iter().find(|(other, _)| *other == name);
    let range = most.map_or("an integer from 0 on".to_owned(), |(_, most)| format!("an integer from 0 to {most}"));
    Refusal::unfit(name, &format!("must be {range}"))
}

/// The arguments of a verb.
pub(super) struct Args(Vec<(String, Json)>);

impl Args {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }

    fn set(&mut self, name: &str, value: Json) {
        self.0.retain(|(field, _)| field != name);
        self.0.push((name.to_owned(), value));
    }

    fn get(&self, name: &str) -> &Json {
        self.0.iter().rev().find(|(field, _)| field == name).map_or(&Json::Null, |(_, value)| value)
    }

    /// Fills in defaults, and refuses what the verb itself would take.
    fn complete(&mut self, route: &Route) -> Result<(), Refusal> {
        for (name, value) in route.defaults {
            if self.get(name).is_null() {
                self.set(name, json::parse(value).unwrap_or_default());
            }
        }
        for (name, most) in route.most {
            let value = self.get(name);
            let fits = value.as_i64().is_some_and(|number| (0..=i64::from(*most)).contains(&number));
            if !value.is_null() && !fits {
                return Err(unfit_count(route, name));
            }
        }
        match route.lists.iter().find(|name| self.get(name).as_array().is_none()) {
            Some(name) => Err(Refusal::unfit(name, "must be an array")),
            None => Ok(()),
        }
    }
}

/// Calls the verb of a route, once under its key if there is one, and makes the route's answer of the verb's. The key comes
/// with the request that has it.
pub(super) async fn answer<B: Bucket + Clone, H: Head<B>>(
    memory: &super::Kept<B, H>,
    route: &Route,
    args: Args,
    once: Option<(String, String)>,
) -> Result<Json, Refusal> {
    let given = Json::Object(args.0.clone());
    let answer = match once {
        None => memory.call(route.verb, given).await?,
        Some((key, request)) => {
            let fields = [("idempotencyKey", key.into()), ("request", request.into()), ("verb", route.verb.into())];
            let all = [fields.to_vec(), vec![("args", given)]].concat();
            memory.call("once", Json::object(all)).await.map_err(refused)?
        }
    };
    told(route, &args, answer)
}

/// The answer of a route.
fn told(route: &Route, args: &Args, answer: Json) -> Result<Json, Refusal> {
    if let Some(field) = route.missing.filter(|_| answer.is_null()) {
        return Err(Refusal::new(404, "not-found", "there is none with that id", Some(field)));
    }
    let Some(field) = route.answer else { return Ok(answer) };
    Ok(match route.verb {
        "values" => one(field, held(args.get("keys"), &answer)),
        // Only a question for an overview has more than hits for an answer.
        "queryMemory" if matches!(answer, Json::Object(_)) => {
            Json::object(vec![(field, answer.get("hits").clone()), ("digest", answer.get("digest").clone())])
        }
        _ => {
            let mut fields = Vec::from_iter(route.next.and_then(|next| Some((next, cursor(args, &answer)?))));
            let whole = if route.items.is_empty() { answer } else { named(&answer, route.items) };
            fields.insert(0, (field, whole));
            Json::object(fields)
        }
    })
}

/// The id of the last item of a full page.
fn cursor(args: &Args, page: &Json) -> Option<Json> {
    let items = page.as_array()?;
    let is_full = args.get("limit").as_i64() == i64::try_from(items.len()).ok();
    items.last().filter(|_| is_full).map(|last| last.get("id").clone())
}

/// The keys that have a value, each with it. A value that is there comes in an array of its own: it may be `null`.
fn held(keys: &Json, values: &Json) -> Json {
    let pairs = keys.as_array().unwrap_or_default().iter().zip(values.as_array().unwrap_or_default());
    let item = |(key, value): (&Json, &Json)| {
        let [value] = value.as_array()? else { return None };
        Some(Json::Object(vec![("key".to_owned(), key.clone()), ("value".to_owned(), value.clone())]))
    };
    Json::Array(pairs.filter_map(item).collect())
}

/// Arrays as objects with these names.
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

/// A key that another request has is named as the header that holds it.
fn refused(error: Error) -> Refusal {
    if error.field() == Some("idempotencyKey") {
        let message = "`Idempotency-Key` was used for another request";
        return Refusal::new(422, "invalid-input", message, Some("Idempotency-Key"));
    }
    error.into()
}
