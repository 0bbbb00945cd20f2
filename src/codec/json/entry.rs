//! Drafts from JSON, entries to JSON.

use super::Fields;
use crate::model::{
    AgentId, Changes, Draft, Entry, EntryId, FactKey, Importance, Invalid, Json, Metadata, SessionId, Speaker, Tags,
    Trust,
};

/// Reads an update: the id, and the fields that change.
pub fn update(value: Json) -> Result<(EntryId, Changes), Invalid> {
    let mut fields = Fields::of("changes", value)?;
    let id = EntryId::new("id", fields.required_text("id")?)?;
    let changes = Changes {
        content: fields.text("content")?,
        namespace: fields.text("namespace")?,
        tags: if fields.has("tags") { Some(Tags::new("tags", fields.texts("tags")?)?) } else { None },
        importance: fields.number("importance")?.map(|number| Importance::new("importance", number)).transpose()?,
        source: fields.text("source")?,
        metadata: fields.value("metadata").map(|value| Metadata::new("metadata", value)).transpose()?,
        ttl_millis: ttl(&mut fields)?,
        trust: fields.text("trust")?.map(|word| Trust::new("trust", &word)).transpose()?,
    };
    fields.finish()?;
    Ok((id, changes))
}

/// Reads a draft; what is not known is refused.
pub fn draft(value: Json) -> Result<Draft, Invalid> {
    let mut fields = Fields::of("draft", value)?;
    let draft = Draft {
        content: fields.required_text("content")?,
        id: fields.text("id")?.map(|id| EntryId::new("id", id)).transpose()?,
        namespace: fields.text("namespace")?,
        tags: Tags::new("tags", fields.texts("tags")?)?,
        importance: match fields.number("importance")? {
            Some(number) => Importance::new("importance", number)?,
            None => Importance::default(),
        },
        source: fields.text("source")?,
        metadata: match fields.value("metadata") {
            Some(value) => Metadata::new("metadata", value)?,
            None => Metadata::default(),
        },
        key: fields.text("key")?.map(|key| FactKey::new("key", key)).transpose()?,
        ttl_millis: ttl(&mut fields)?,
        session: fields.text("session")?.map(|id| SessionId::new("session", id)).transpose()?,
        agent: fields.text("agent")?.map(|id| AgentId::new("agent", id)).transpose()?,
        speaker: fields.text("speaker")?.map(|name| Speaker::new("speaker", name)).transpose()?,
        at: fields.time("at")?,
        trust: fields.text("trust")?.map(|word| Trust::new("trust", &word)).transpose()?.unwrap_or_default(),
    };
    fields.finish()?;
    Ok(draft)
}

fn ttl(fields: &mut Fields) -> Result<Option<i64>, Invalid> {
    match fields.number("ttl")? {
        Some(millis) if millis > 0.0 => Ok(Some(millis.min(1e15) as i64)),
        Some(_) => Err(Invalid::value("ttl", "must be a number of milliseconds above 0")),
        None => Ok(None),
    }
}

/// Writes an entry without its content: minimal output (D1).
pub fn entry(entry: &Entry) -> Json {
    Json::object(vec![
        ("id", entry.id.as_str().into()),
        ("namespace", entry.namespace.as_str().into()),
        ("summary", entry.summary.as_str().into()),
        ("contentLength", entry.content_chars.into()),
        ("truncated", entry.truncated.into()),
        ("tags", entry.tags.as_slice().into()),
        ("importance", entry.importance.get().into()),
        ("source", entry.source.as_deref().into()),
        ("metadata", entry.metadata.to_json()),
        ("key", entry.key.as_ref().map(FactKey::as_str).into()),
        ("session", entry.session.as_ref().map(SessionId::as_str).into()),
        ("agent", entry.agent.as_ref().map(AgentId::as_str).into()),
        ("speaker", entry.speaker.as_ref().map(Speaker::as_str).into()),
        ("trust", entry.trust.as_str().into()),
        ("version", u64::from(entry.version).into()),
        ("at", entry.at.to_string().into()),
        ("createdAt", entry.created_at.to_string().into()),
        ("updatedAt", entry.updated_at.to_string().into()),
        ("expiresAt", entry.expires_at.to_string().into()),
    ])
}

/// Writes an entry with its content.
pub fn entry_with_content(head: &Entry, content: &str) -> Json {
    let mut value = entry(head);
    if let Json::Object(fields) = &mut value {
        fields.push(("content".to_owned(), content.into()));
    }
    value
}
