//! The verbs by name, with JSON in and out, as the scenarios speak.
//!
//! What WIT's types make impossible to say, such as a number for a text or a field that there is none of, is refused
//! here as the library's own JSON door refuses it. Every other judgement is left to the component.

mod stores;
mod told;

use crate::instance::{Call, Instance};
use crate::wit::{
    Changes, Draft, Embedded, Entry, EntryWithContent, Error, Hit, Invalid, ListOptions, Miss, Oversize, Part, Query,
    Ranking, Shared, Stats, Trust, Unembedded,
};
use keepsake::codec::json::{Fields, parse};
use keepsake::model::{self, Json, Timestamp};
use serde_json::{Map, Value, json};
use wasmtime::component::ResourceAny;

/// Does what `verb` says with `args`.
pub fn call(instance: &mut Instance, memory: ResourceAny, verb: &str, args: Value) -> Call<Value> {
    let args = parse(&args.to_string()).expect("what serde_json prints is JSON");
    let read = match verb {
        "add" => draft(args).map(Verb::Add),
        "update" => update(args),
        "get" => id(args).map(Verb::Get),
        "history" => id(args).map(Verb::History),
        "delete" => id(args).map(Verb::Delete),
        "list" => list_options(args).map(Verb::List),
        "search" => search(args),
        "explainMiss" => explain_miss(args),
        "unembedded" => limit(args).map(Verb::Unembedded),
        "embed" => embedded(args).map(Verb::Embed),
        "count" => namespace(args).map(Verb::Count),
        "stats" => Ok(Verb::Stats),
        "clear" => namespace(args).map(Verb::Clear),
        "cleanup" => Ok(Verb::Cleanup),
        "hint" => Ok(Verb::Hint),
        "flush" => Ok(Verb::Flush),
        "close" => Ok(Verb::Close),
        other => match stores::call(instance, memory, other, args) {
            Some(answer) => return answer,
            None => Err(model::Invalid::value("verb", "is not known")),
        },
    };
    let verb = match read {
        Ok(verb) => verb,
        Err(invalid) => return Ok(Err(refused(invalid))),
    };
    Ok(match verb {
        Verb::Add(draft) => instance.add(memory, &draft)?.map(|added| entry(&added)),
        Verb::Update(id, changes) => instance.update(memory, &id, &changes)?.map(|updated| entry(&updated)),
        Verb::Get(id) => instance.get(memory, &id)?.map(|found| found.as_ref().map_or(Value::Null, entry_with_content)),
        Verb::History(id) => {
            instance.history(memory, &id)?.map(|versions| versions.iter().map(entry_with_content).collect())
        }
        Verb::Delete(id) => instance.delete(memory, &id)?.map(Value::from),
        Verb::List(options) => instance.list(memory, &options)?.map(|entries| entries.iter().map(entry).collect()),
        Verb::Search(query) => instance.search(memory, &query)?.map(|hits| hits.iter().map(hit).collect()),
        Verb::ExplainMiss(id, query) => instance.explain_miss(memory, &id, &query)?.map(|why| miss(&why)),
        Verb::Unembedded(limit) => instance.unembedded(memory, limit)?.map(|(items, total)| unembedded(&items, total)),
        Verb::Embed(items) => instance.embed(memory, &items)?.map(Value::from),
        Verb::Count(namespace) => instance.count(memory, namespace.as_deref())?.map(Value::from),
        Verb::Stats => instance.stats(memory)?.map(|seen| stats(&seen)),
        Verb::Clear(namespace) => instance.clear(memory, namespace.as_deref())?.map(Value::from),
        Verb::Cleanup => instance.cleanup(memory)?.map(Value::from),
        Verb::Hint => Ok(instance.hint(memory).map(|()| Value::Null)?),
        Verb::Flush => instance.flush(memory)?.map(|()| Value::Null),
        Verb::Close => instance.close(memory)?.map(|()| Value::Null),
    })
}

enum Verb {
    Add(Draft),
    Update(String, Changes),
    Get(String),
    History(String),
    Delete(String),
    List(ListOptions),
    Search(Box<Query>),
    ExplainMiss(String, Box<Query>),
    Unembedded(u32),
    Embed(Vec<Embedded>),
    Count(Option<String>),
    Stats,
    Clear(Option<String>),
    Cleanup,
    Hint,
    Flush,
    Close,
}

fn draft(args: Json) -> Result<Draft, model::Invalid> {
    let mut fields = Fields::of("draft", args);
    let draft = Draft {
        content: fields.required_text("content"),
        summary: fields.text("summary"),
        id: fields.text("id"),
        namespace: fields.text("namespace"),
        tags: fields.texts("tags"),
        importance: fields.number("importance"),
        source: fields.text("source"),
        metadata: fields.value("metadata").map(|value| value.to_string()),
        key: fields.text("key"),
        ttl: ttl(&mut fields)?,
        session: fields.text("session"),
        agent: fields.text("agent"),
        speaker: fields.text("speaker"),
        at: time(&mut fields, "at")?,
        trust: trust(&mut fields, "trust")?,
        embedding: fields.numbers("embedding"),
    };
    fields.finish()?;
    Ok(draft)
}

fn update(args: Json) -> Result<Verb, model::Invalid> {
    let mut fields = Fields::of("changes", args);
    let id = fields.required_text("id");
    let changes = Changes {
        content: fields.text("content"),
        summary: fields.text("summary"),
        namespace: fields.text("namespace"),
        tags: if fields.has("tags") { Some(fields.texts("tags")) } else { None },
        importance: fields.number("importance"),
        source: fields.text("source"),
        metadata: fields.value("metadata").map(|value| value.to_string()),
        ttl: ttl(&mut fields)?,
        trust: trust(&mut fields, "trust")?,
        embedding: fields.numbers("embedding"),
    };
    fields.finish()?;
    Ok(Verb::Update(id, changes))
}

/// WIT has no negative stretch of time. That it is not zero is for the component to say.
fn ttl(fields: &mut Fields) -> Result<Option<u64>, model::Invalid> {
    match fields.number("ttl") {
        Some(millis) if millis < 0.0 => Err(model::Invalid::value("ttl", "must not be negative")),
        millis => Ok(millis.map(|millis| millis as u64)),
    }
}

/// WIT has times as numbers only. Which of them can be is for the component to say.
fn time(fields: &mut Fields, name: &'static str) -> Result<Option<i64>, model::Invalid> {
    match fields.value(name) {
        None => Ok(None),
        Some(Json::Number(millis)) => Ok(Some(millis.as_f64() as i64)),
        Some(Json::String(text)) => Timestamp::parse(name, &text).map(|time| Some(time.millis())),
        Some(_) => Err(model::Invalid::value(name, "must be a time")),
    }
}

fn trust(fields: &mut Fields, name: &'static str) -> Result<Option<Trust>, model::Invalid> {
    let level = fields.text(name).map(|word| model::Trust::new(name, &word)).transpose()?;
    Ok(level.map(|level| match level {
        model::Trust::Low => Trust::Low,
        model::Trust::Normal => Trust::Normal,
        model::Trust::High => Trust::High,
    }))
}

fn id(args: Json) -> Result<String, model::Invalid> {
    let mut fields = Fields::of("args", args);
    let id = fields.required_text("id");
    fields.finish()?;
    Ok(id)
}

fn limit(args: Json) -> Result<u32, model::Invalid> {
    let mut fields = Fields::of("options", args);
    let limit = fields.count("limit").unwrap_or(32);
    fields.finish()?;
    Ok(u32::try_from(limit).unwrap_or(u32::MAX))
}

fn embedded(args: Json) -> Result<Vec<Embedded>, model::Invalid> {
    let mut fields = Fields::of("args", args);
    let items = fields.list("items");
    fields.finish()?;
    let read = |item: Json| {
        let mut fields = Fields::of("items", item);
        let id = fields.required_text("id");
        let version = fields.count("version").unwrap_or(1) as u32;
        let embedding = fields.numbers("embedding");
        fields.finish()?;
        let embedding = embedding.ok_or_else(|| model::Invalid::value("embedding", "must be a list of numbers"))?;
        Ok(Embedded { id, version, embedding })
    };
    items.into_iter().map(read).collect()
}

fn namespace(args: Json) -> Result<Option<String>, model::Invalid> {
    let mut fields = Fields::of("options", args);
    let namespace = fields.text("namespace");
    fields.finish()?;
    Ok(namespace)
}

/// WIT counts with 32 bits.
fn limit_of(fields: &mut Fields, name: &'static str) -> Option<u32> {
    fields.count(name).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

fn list_options(args: Json) -> Result<ListOptions, model::Invalid> {
    let mut fields = Fields::of("options", args);
    let options = ListOptions {
        namespace: fields.text("namespace"),
        limit: limit_of(&mut fields, "limit"),
        after: fields.text("after"),
    };
    fields.finish()?;
    Ok(options)
}

fn search(args: Json) -> Result<Verb, model::Invalid> {
    let mut fields = Fields::of("options", args);
    let query = query(&mut fields)?;
    fields.finish()?;
    Ok(Verb::Search(Box::new(query)))
}

fn explain_miss(args: Json) -> Result<Verb, model::Invalid> {
    let mut fields = Fields::of("options", args);
    let id = fields.required_text("id");
    let query = query(&mut fields)?;
    fields.finish()?;
    Ok(Verb::ExplainMiss(id, Box::new(query)))
}

fn query(fields: &mut Fields) -> Result<Query, model::Invalid> {
    let [any_tag, all_tags, no_tag] = tags(fields)?;
    Ok(Query {
        query: fields.required_text("query"),
        ranking: ranking(fields)?,
        limit: limit_of(fields, "limit"),
        min_score: fields.number("minScore"),
        namespace: fields.text("namespace"),
        any_tag,
        all_tags,
        no_tag,
        from: time(fields, "from")?,
        until: time(fields, "until")?,
        session: fields.text("session"),
        agent: fields.text("agent"),
        source: fields.text("source"),
        metadata: match fields.value("metadata") {
            None => Vec::new(),
            Some(Json::Object(wanted)) => wanted.into_iter().map(|(name, value)| (name, value.to_string())).collect(),
            Some(_) => return Err(model::Invalid::value("metadata", "must be an object")),
        },
        min_trust: trust(fields, "minTrust")?,
        include_content: fields.flag("includeContent"),
        explain: fields.flag("explain").unwrap_or_default(),
        embedding: fields.numbers("embedding"),
    })
}

/// WIT has three lists, where JSON has one, or an object with up to three.
fn tags(fields: &mut Fields) -> Result<[Vec<String>; 3], model::Invalid> {
    match fields.value("tags") {
        Some(object @ Json::Object(_)) => {
            let mut sets = Fields::of("tags", object);
            let tags = ["any", "all", "none"].map(|name| sets.texts(name));
            sets.finish().map_err(|mistake| mistake.within("tags"))?;
            Ok(tags)
        }
        list => {
            let mut one = Fields::of("tags", Json::object(vec![("tags", list.into())]));
            let any = one.texts("tags");
            one.finish()?;
            Ok([any, Vec::new(), Vec::new()])
        }
    }
}

fn ranking(fields: &mut Fields) -> Result<Option<Ranking>, model::Invalid> {
    match fields.text("ranking").as_deref() {
        None => Ok(None),
        Some("best") => Ok(Some(Ranking::Best)),
        Some("formula") => Ok(Some(Ranking::Formula)),
        Some(_) => Err(model::Invalid::value("ranking", "must be one of: best, formula")),
    }
}

fn refused(invalid: model::Invalid) -> Error {
    match invalid {
        model::Invalid::TooLarge { field, limit, actual } => {
            Error::TooLarge(Oversize { field: Some(field), limit: limit as u64, actual: actual as u64 })
        }
        other => Error::InvalidInput(Invalid { field: other.field().to_owned(), reason: other.to_string() }),
    }
}

/// An entry, as the library writes it.
///
/// # Panics
/// If the component gave a time or metadata that cannot be.
pub fn entry(entry: &Entry) -> Value {
    let metadata: Value = serde_json::from_str(&entry.metadata).expect("metadata is JSON");
    let mut value = json!({
        "id": entry.id,
        "namespace": entry.namespace,
        "summary": entry.summary,
        "contentLength": entry.content_length,
        "truncated": entry.truncated,
        "tags": entry.tags,
        "importance": entry.importance,
        "metadata": metadata,
        "trust": match entry.trust {
            Trust::Low => "low",
            Trust::Normal => "normal",
            Trust::High => "high",
        },
        "version": entry.version,
        "at": iso(entry.at),
        "createdAt": iso(entry.created_at),
        "updatedAt": iso(entry.updated_at),
        "expiresAt": iso(entry.expires_at),
    });
    with(
        &mut value,
        &[
            ("source", &entry.source),
            ("key", &entry.key),
            ("session", &entry.session),
            ("agent", &entry.agent),
            ("speaker", &entry.speaker),
        ],
    );
    value
}

/// Adds the texts that are there.
fn with(value: &mut Value, optional: &[(&str, &Option<String>)]) {
    for (name, text) in optional {
        if let Some(text) = text {
            value[name] = json!(text);
        }
    }
}

fn iso(millis: i64) -> String {
    Timestamp::from_millis("time", millis).expect("times have four-digit years").to_string()
}

/// An entry with its content.
pub fn entry_with_content(found: &EntryWithContent) -> Value {
    let mut value = entry(&found.entry);
    value["content"] = json!(found.content);
    value
}

fn hit(hit: &Hit) -> Value {
    let mut value = json!({
        "id": hit.id,
        "score": hit.score,
        "namespace": hit.namespace,
        "summary": hit.summary,
        "tags": hit.tags,
        "createdAt": iso(hit.created_at),
        "at": iso(hit.at),
    });
    let preview = ("contentPreview", &hit.content_preview);
    with(&mut value, &[("session", &hit.session), ("speaker", &hit.speaker), ("source", &hit.source), preview]);
    if !hit.receipt.is_empty() {
        value["receipt"] = hit.receipt.iter().map(part).collect();
    }
    value
}

fn part(part: &Part) -> Value {
    let mut value = json!({ "label": part.label, "value": part.value });
    with(&mut value, &[("term", &part.term)]);
    value
}

fn miss(miss: &Miss) -> Value {
    match miss {
        Miss::Unknown => json!({ "reason": "unknown" }),
        Miss::Expired => json!({ "reason": "expired" }),
        Miss::Filtered(filter) => json!({ "reason": "filtered", "filter": filter }),
        Miss::NoTerm(terms) => json!({ "reason": "no-term", "terms": terms }),
        Miss::LowScore(score) => json!({ "reason": "low-score", "score": score }),
        Miss::Outranked(by) => json!({ "reason": "outranked", "by": by }),
        Miss::Hit => json!({ "reason": "hit" }),
    }
}

fn unembedded(items: &[Unembedded], total: u64) -> Value {
    let item = |item: &Unembedded| json!({ "id": item.id, "version": item.version, "text": item.text });
    json!({ "items": items.iter().map(item).collect::<Vec<_>>(), "total": total })
}

fn stats(stats: &Stats) -> Value {
    let counts: Map<String, Value> =
        stats.namespaces.iter().map(|of| (of.namespace.clone(), Value::from(of.count))).collect();
    json!({ "total": stats.total, "namespaces": counts })
}

/// The code and the field of a failure.
pub fn failure(error: &Error) -> Value {
    let (code, field) = match error {
        Error::InvalidInput(invalid) => ("invalid-input", Some(invalid.field.as_str())),
        Error::TooLarge(oversize) => ("too-large", oversize.field.as_deref()),
        Error::AlreadyExists(Shared::Id) => ("already-exists", Some("id")),
        Error::AlreadyExists(Shared::Key) => ("already-exists", Some("key")),
        Error::NotFound => ("not-found", Some("id")),
        Error::Conflict(_) | Error::OtherVersion(_) => ("conflict", None),
        Error::QuotaExceeded => ("quota-exceeded", None),
        Error::Blocked => ("blocked", None),
        Error::Superseded => ("superseded", None),
        Error::NewerVersion(_) => ("newer-version", None),
        Error::Unavailable(_) => ("unavailable", None),
        Error::StoreLost => ("store-lost", None),
        Error::StorageFailed(_) => ("storage-failed", None),
        Error::Corrupt(_) => ("corrupt", None),
        Error::Closed => ("closed", None),
        Error::Environment(_) => ("environment", None),
    };
    json!({ "code": code, "field": field })
}
