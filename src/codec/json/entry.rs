//! Drafts from JSON, entries to JSON.

use super::Fields;
use crate::model::{Draft, Entry, EntryId, Importance, Invalid, Json, Metadata, Tags};

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
    };
    fields.finish()?;
    Ok(draft)
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
