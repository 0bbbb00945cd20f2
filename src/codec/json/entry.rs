//! Drafts from JSON, entries to JSON.

use super::Fields;
use crate::codec::record::secret_names;
use crate::model::{
    AgentId, Changes, Draft, Embedding, Entry, EntryId, FactKey, Importance, Invalid, Json, Metadata, Promotion,
    SecretRule, SessionId, Speaker, Tags, Trust,
};

/// Reads an update: the id, and the fields that change.
pub fn update(value: Json) -> Result<(EntryId, Changes), Invalid> {
    let mut fields = Fields::of("changes", value);
    let id = fields.required_text("id");
    let changes = Changes {
        content: fields.text("content"),
        summary: fields.text("summary"),
        namespace: fields.text("namespace"),
        tags: if fields.has("tags") { Some(tags(&mut fields)) } else { None },
        importance: importance(&mut fields),
        source: fields.text("source"),
        metadata: metadata(&mut fields),
        ttl_millis: ttl(&mut fields),
        valid_from: fields.time("validFrom"),
        valid_until: fields.time("validUntil"),
        trust: fields.made("trust", |field, word| Trust::new(field, &word)),
        secrets: secret_rule(&mut fields),
        embedding: embedding(&mut fields),
    };
    fields.finish()?;
    Ok((EntryId::new("id", id)?, changes))
}

/// Reads a draft; unknown fields are refused.
pub fn draft(value: Json) -> Result<Draft, Invalid> {
    let mut fields = Fields::of("draft", value);
    let draft = Draft {
        content: fields.required_text("content"),
        summary: fields.text("summary"),
        id: fields.made("id", EntryId::new),
        namespace: fields.text("namespace"),
        tags: tags(&mut fields),
        importance: importance(&mut fields).unwrap_or_default(),
        source: fields.text("source"),
        metadata: metadata(&mut fields).unwrap_or_default(),
        key: fields.made("key", FactKey::new),
        ttl_millis: ttl(&mut fields),
        session: fields.made("session", SessionId::new),
        agent: fields.made("agent", AgentId::new),
        speaker: fields.made("speaker", Speaker::new),
        at: fields.time("at"),
        valid_from: fields.time("validFrom"),
        valid_until: fields.time("validUntil"),
        replaces: fields.made("replaces", EntryId::new),
        created_at: fields.time("createdAt"),
        trust: fields.made("trust", |field, word| Trust::new(field, &word)).unwrap_or_default(),
        keeps_duplicates: duplicates(&mut fields),
        secrets: secret_rule(&mut fields),
        embedding: embedding(&mut fields),
    };
    fields.finish()?;
    Ok(draft)
}

/// Reads an embedding: an array of numbers.
pub fn embedding(fields: &mut Fields) -> Option<Embedding> {
    let numbers = fields.numbers("embedding")?;
    fields.accept(Embedding::new("embedding", numbers))
}

/// Reads whether a repeated statement is a new entry.
fn duplicates(fields: &mut Fields) -> bool {
    match fields.text("duplicates").as_deref() {
        Some("keep") => return true,
        None | Some("merge") => {}
        Some(_) => fields.refuse(Invalid::value("duplicates", "must be merge or keep")),
    }
    false
}

/// Reads the rule for secrets. The small module of the web cannot judge texts, so it does not know the field.
fn secret_rule(_fields: &mut Fields) -> Option<SecretRule> {
    #[cfg(feature = "full")]
    return _fields.made("secrets", |field, word| SecretRule::new(field, &word));
    #[cfg(not(feature = "full"))]
    None
}

fn tags(fields: &mut Fields) -> Tags {
    let tags = Tags::new("tags", fields.texts("tags"));
    fields.accept(tags).unwrap_or_default()
}

fn importance(fields: &mut Fields) -> Option<Importance> {
    let number = fields.number("importance")?;
    fields.accept(Importance::new("importance", number))
}

fn metadata(fields: &mut Fields) -> Option<Metadata> {
    let value = fields.value("metadata")?;
    fields.accept(Metadata::new("metadata", value))
}

fn ttl(fields: &mut Fields) -> Option<i64> {
    let millis = fields.number("ttl")?;
    if millis >= 1.0 {
        return Some(millis.min(1e15) as i64);
    }
    fields.refuse(Invalid::value("ttl", "must be a positive number of milliseconds"));
    None
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
        ("secrets", secret_names(&entry.secrets)),
        ("promoted", entry.promoted.as_ref().map(promotion).into()),
        ("count", (entry.count > 1).then_some(u64::from(entry.count)).into()),
        ("seenAt", entry.seen_at.map(|time| time.to_string()).into()),
        ("version", u64::from(entry.version).into()),
        ("at", entry.at.to_string().into()),
        ("validFrom", entry.valid_from.map(|time| time.to_string()).into()),
        ("validUntil", entry.valid_until.map(|time| time.to_string()).into()),
        ("replaces", entry.replaces.as_ref().map(EntryId::as_str).into()),
        ("createdAt", entry.created_at.to_string().into()),
        ("updatedAt", entry.updated_at.to_string().into()),
        ("expiresAt", entry.expires_at.to_string().into()),
    ])
}

fn promotion(promotion: &Promotion) -> Json {
    Json::object(vec![
        ("from", promotion.from.as_str().into()),
        ("by", promotion.by.as_str().into()),
        ("why", promotion.why.as_str().into()),
        ("at", promotion.at.to_string().into()),
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
