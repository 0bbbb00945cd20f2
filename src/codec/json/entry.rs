//! Drafts from JSON, entries to JSON.

use super::Fields;
use crate::model::{Draft, Entry, EntryId, Importance, Invalid, Metadata, Tags};
use serde_json::{Value, json};

/// Reads a draft; what is not known is refused.
pub fn draft(value: Value) -> Result<Draft, Invalid> {
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
    };
    fields.finish()?;
    Ok(draft)
}

/// Writes an entry without its content: minimal output (D1).
pub fn entry(entry: &Entry) -> Value {
    let mut value = json!({
        "id": entry.id.as_str(),
        "namespace": entry.namespace.as_str(),
        "summary": entry.summary,
        "contentLength": entry.content_chars,
        "truncated": entry.truncated,
        "tags": entry.tags.as_slice(),
        "importance": entry.importance.get(),
        "metadata": entry.metadata.as_map(),
        "createdAt": entry.created_at.to_string(),
        "updatedAt": entry.updated_at.to_string(),
        "expiresAt": entry.expires_at.to_string(),
    });
    if let Some(source) = &entry.source {
        value["source"] = json!(source);
    }
    value
}

/// Writes an entry with its content.
pub fn entry_with_content(head: &Entry, content: &str) -> Value {
    let mut value = entry(head);
    value["content"] = json!(content);
    value
}
