//! The verbs by name, with JSON in and out, as the scenarios speak.
//!
//! What WIT's types make impossible to say, such as a number for a text or a field that there is none of, is refused
//! here as the library's own JSON door refuses it. Every other judgement is left to the component.

use crate::instance::{Call, Instance};
use crate::wit::{
    Changes, Draft, Entry, EntryWithContent, Error, Invalid, ListOptions, Oversize, Shared, Stats, Trust,
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
        "count" => namespace(args).map(Verb::Count),
        "stats" => Ok(Verb::Stats),
        "clear" => namespace(args).map(Verb::Clear),
        "cleanup" => Ok(Verb::Cleanup),
        "flush" => Ok(Verb::Flush),
        "close" => Ok(Verb::Close),
        _ => Err(model::Invalid::value("verb", "is not known")),
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
        Verb::Count(namespace) => instance.count(memory, namespace.as_deref())?.map(Value::from),
        Verb::Stats => instance.stats(memory)?.map(|seen| stats(&seen)),
        Verb::Clear(namespace) => instance.clear(memory, namespace.as_deref())?.map(Value::from),
        Verb::Cleanup => instance.cleanup(memory)?.map(Value::from),
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
    Count(Option<String>),
    Stats,
    Clear(Option<String>),
    Cleanup,
    Flush,
    Close,
}

fn draft(args: Json) -> Result<Draft, model::Invalid> {
    let mut fields = Fields::of("draft", args)?;
    let draft = Draft {
        content: fields.required_text("content")?,
        id: fields.text("id")?,
        namespace: fields.text("namespace")?,
        tags: fields.texts("tags")?,
        importance: fields.number("importance")?,
        source: fields.text("source")?,
        metadata: fields.value("metadata").map(|value| value.to_string()),
        key: fields.text("key")?,
        ttl: ttl(&mut fields)?,
        session: fields.text("session")?,
        agent: fields.text("agent")?,
        speaker: fields.text("speaker")?,
        at: at(&mut fields)?,
        trust: trust(&mut fields)?,
    };
    fields.finish()?;
    Ok(draft)
}

fn update(args: Json) -> Result<Verb, model::Invalid> {
    let mut fields = Fields::of("changes", args)?;
    let id = fields.required_text("id")?;
    let changes = Changes {
        content: fields.text("content")?,
        namespace: fields.text("namespace")?,
        tags: if fields.has("tags") { Some(fields.texts("tags")?) } else { None },
        importance: fields.number("importance")?,
        source: fields.text("source")?,
        metadata: fields.value("metadata").map(|value| value.to_string()),
        ttl: ttl(&mut fields)?,
        trust: trust(&mut fields)?,
    };
    fields.finish()?;
    Ok(Verb::Update(id, changes))
}

/// WIT has no negative stretch of time. That it is not zero is for the component to say.
fn ttl(fields: &mut Fields) -> Result<Option<u64>, model::Invalid> {
    match fields.number("ttl")? {
        Some(millis) if millis < 0.0 => Err(model::Invalid::value("ttl", "must not be negative")),
        millis => Ok(millis.map(|millis| millis as u64)),
    }
}

/// WIT has times as numbers only. Which of them can be is for the component to say.
fn at(fields: &mut Fields) -> Result<Option<i64>, model::Invalid> {
    match fields.value("at") {
        None => Ok(None),
        Some(Json::Number(millis)) => Ok(Some(millis.as_f64() as i64)),
        Some(Json::String(text)) => Timestamp::parse("at", &text).map(|time| Some(time.millis())),
        Some(_) => Err(model::Invalid::value("at", "must be a time")),
    }
}

fn trust(fields: &mut Fields) -> Result<Option<Trust>, model::Invalid> {
    let level = fields.text("trust")?.map(|word| model::Trust::new("trust", &word)).transpose()?;
    Ok(level.map(|level| match level {
        model::Trust::Low => Trust::Low,
        model::Trust::Normal => Trust::Normal,
        model::Trust::High => Trust::High,
    }))
}

fn id(args: Json) -> Result<String, model::Invalid> {
    let mut fields = Fields::of("args", args)?;
    let id = fields.required_text("id")?;
    fields.finish()?;
    Ok(id)
}

fn namespace(args: Json) -> Result<Option<String>, model::Invalid> {
    let mut fields = Fields::of("options", args)?;
    let namespace = fields.text("namespace")?;
    fields.finish()?;
    Ok(namespace)
}

fn list_options(args: Json) -> Result<ListOptions, model::Invalid> {
    let mut fields = Fields::of("options", args)?;
    let options = ListOptions {
        namespace: fields.text("namespace")?,
        limit: fields.count("limit")?.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX)),
        after: fields.text("after")?,
    };
    fields.finish()?;
    Ok(options)
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
    let time = |millis| Timestamp::from_millis("time", millis).expect("times have four-digit years").to_string();
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
        "at": time(entry.at),
        "createdAt": time(entry.created_at),
        "updatedAt": time(entry.updated_at),
        "expiresAt": time(entry.expires_at),
    });
    let optional = [
        ("source", &entry.source),
        ("key", &entry.key),
        ("session", &entry.session),
        ("agent", &entry.agent),
        ("speaker", &entry.speaker),
    ];
    for (name, text) in optional {
        if let Some(text) = text {
            value[name] = json!(text);
        }
    }
    value
}

/// An entry with its content.
pub fn entry_with_content(found: &EntryWithContent) -> Value {
    let mut value = entry(&found.entry);
    value["content"] = json!(found.content);
    value
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
        Error::Conflict(_) => ("conflict", None),
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
