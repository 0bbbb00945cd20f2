//! The verbs by name, with JSON in and out, as the scenarios speak.
//!
//! What WIT's types make impossible to say, such as a number for a text or a field that there is none of, is refused
//! here as the library's own JSON door refuses it. Every other judgement is left to the component.

use crate::instance::{Call, Instance};
use crate::wit::{Draft, Entry, EntryWithContent, Error, Invalid, ListOptions, Oversize};
use keepsake::codec::json::{Fields, parse};
use keepsake::model::{self, Json, Timestamp};
use serde_json::{Value, json};
use wasmtime::component::ResourceAny;

/// Does what `verb` says with `args`.
pub fn call(instance: &mut Instance, memory: ResourceAny, verb: &str, args: Value) -> Call<Value> {
    let args = parse(&args.to_string()).expect("what serde_json prints is JSON");
    let read = match verb {
        "add" => draft(args).map(Verb::Add),
        "get" => id(args).map(Verb::Get),
        "list" => list_options(args).map(Verb::List),
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
        Verb::Get(id) => instance.get(memory, &id)?.map(|found| found.as_ref().map_or(Value::Null, entry_with_content)),
        Verb::List(options) => instance.list(memory, &options)?.map(|entries| entries.iter().map(entry).collect()),
        Verb::Flush => instance.flush(memory)?.map(|()| Value::Null),
        Verb::Close => instance.close(memory)?.map(|()| Value::Null),
    })
}

enum Verb {
    Add(Draft),
    Get(String),
    List(ListOptions),
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
    };
    fields.finish()?;
    Ok(draft)
}

fn id(args: Json) -> Result<String, model::Invalid> {
    let mut fields = Fields::of("args", args)?;
    let id = fields.required_text("id")?;
    fields.finish()?;
    Ok(id)
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
        "createdAt": time(entry.created_at),
        "updatedAt": time(entry.updated_at),
        "expiresAt": time(entry.expires_at),
    });
    if let Some(source) = &entry.source {
        value["source"] = json!(source);
    }
    value
}

/// An entry with its content.
pub fn entry_with_content(found: &EntryWithContent) -> Value {
    let mut value = entry(&found.entry);
    value["content"] = json!(found.content);
    value
}

/// The code and the field of a failure.
pub fn failure(error: &Error) -> Value {
    let (code, field) = match error {
        Error::InvalidInput(invalid) => ("invalid-input", Some(invalid.field.as_str())),
        Error::TooLarge(oversize) => ("too-large", oversize.field.as_deref()),
        Error::AlreadyExists => ("already-exists", Some("id")),
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
