//! The input of the index for an entry, and the data that it returns without reading the record.

use crate::model::{Importance, Json, Metadata, Timestamp};
use crate::text::Voice;

/// An entry to be indexed.
#[derive(Clone, Copy, Debug)]
pub struct Doc<'a> {
    /// Its place in the order of writing.
    pub seq: u64,
    /// Its kind.
    pub kind: DocKind,
    /// Its id; a document with the same kind and id is replaced.
    pub id: &'a str,
    /// Its namespace.
    pub namespace: &'a str,
    /// The summary, stored unchanged.
    pub summary: &'a str,
    /// The tags, stored unchanged.
    pub tags: &'a [String],
    /// Its importance.
    pub importance: Importance,
    /// The time of writing.
    pub created_at: Timestamp,
    /// The expiry time.
    pub expires_at: Timestamp,
    /// The time of the event or message; `created_at` if unknown.
    pub at: Timestamp,
    /// The interval in which it is true; always if `None`.
    pub valid: Option<Span>,
    /// Its conversation. Turns of one conversation, in the order of `seq`, explain each other.
    pub session: Option<&'a str>,
    /// Its agent.
    pub agent: Option<&'a str>,
    /// Its speaker.
    pub speaker: Option<&'a str>,
    /// The side of a conversation with an assistant.
    pub voice: Voice,
    /// Its source.
    pub source: Option<&'a str>,
    /// The trust in its source.
    pub trust: u8,
    /// Its unique key, if it has one.
    pub key: Option<&'a str>,
    /// The caller's own data; each field can be a filter.
    pub metadata: &'a Metadata,
    /// The stored embedding of its content; empty if there is none.
    pub vector: &'a [u8],
    /// Its searchable text.
    pub text: Text<'a>,
}

/// An interval: from its first time on, before its second.
pub type Span = [Timestamp; 2];

/// The kinds of documents in an index. Ids of different kinds are independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocKind {
    /// An entry.
    #[default]
    Entry,
    /// A message of a conversation.
    Message,
    /// A summary that replaces compressed messages.
    History,
    /// A skill.
    Skill,
    /// A step of an agent, with its outcome.
    Step,
    /// An entity of the graph.
    Entity,
    /// A value of a collection.
    Value,
    /// A message that has only calls of the memory's own tools, or their results.
    ToolTraffic,
}

impl DocKind {
    pub(super) const ALL: [Self; 8] = [
        Self::Entry,
        Self::Message,
        Self::History,
        Self::Skill,
        Self::Step,
        Self::Entity,
        Self::Value,
        Self::ToolTraffic,
    ];

    /// The prefix letter of ids of this kind, inside the index and its segments.
    pub fn letter(self) -> char {
        match self {
            Self::Entry => 'e',
            Self::Message => 'm',
            Self::History => 'h',
            Self::Skill => 'k',
            Self::Step => 'x',
            Self::Entity => 'g',
            Self::Value => 'n',
            Self::ToolTraffic => 't',
        }
    }

    /// The id with its letter.
    pub fn with(self, id: &str) -> String {
        let mut full = String::with_capacity(id.len() + 1);
        full.push(self.letter());
        full.push_str(id);
        full
    }

    /// The kind of a prefix letter, and the rest of the id.
    pub(super) fn split(full: &str) -> Option<(Self, &str)> {
        let kind = Self::ALL.into_iter().find(|kind| full.starts_with(kind.letter()))?;
        Some((kind, full.get(1..)?))
    }
}

/// The searchable text of an entry, all in Unicode NFKD; it is not stored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'a> {
    /// The whole content.
    pub content: &'a str,
    /// The summary.
    pub summary: &'a str,
    /// The tags.
    pub tags: &'a [String],
    /// The speaker.
    pub speaker: &'a str,
}

/// No value, where a number is stored.
pub(super) const NONE: u32 = u32::MAX;

/// The fixed-size data of an entry. Strings and lists are stored elsewhere, by address.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) seq: u64,
    pub(super) created_at: Timestamp,
    pub(super) expires_at: Timestamp,
    pub(super) at: Timestamp,
    pub(super) importance: Importance,
    pub(super) id: u32,
    pub(super) namespace: u32,
    pub(super) session: u32,
    pub(super) agent: u32,
    pub(super) speaker: u32,
    pub(super) source: u32,
    pub(super) key: u32,
    /// The address and the length of the summary; `NONE` if only the record has it.
    pub(super) summary: (u32, u32),
    /// The address and the size of the vector; 0 if there is none.
    pub(super) vector: (u32, u32),
    /// The address of the list of names: tags, normalised tags, then fields of the metadata.
    pub(super) names: u32,
    /// The number of its span; `NONE` if it is always true.
    pub(super) span: u32,
    pub(super) tags: u16,
    pub(super) fields: u16,
    pub(super) trust: u8,
    pub(super) kind: DocKind,
}

impl Row {
    /// Whether it has a speaker or a session.
    pub(super) fn is_said(&self) -> bool {
        self.session != NONE || self.speaker != NONE
    }
}

/// The data of an indexed entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// Its kind.
    pub kind: DocKind,
    /// Its id.
    pub id: &'a str,
    /// Its place in the order of writing.
    pub seq: u64,
    /// Its namespace.
    pub namespace: &'a str,
    /// The summary; `None` if only the record has it.
    pub summary: Option<&'a str>,
    /// The tags.
    pub tags: Vec<&'a str>,
    /// Its importance.
    pub importance: Importance,
    /// The time of writing.
    pub created_at: Timestamp,
    /// The expiry time.
    pub expires_at: Timestamp,
    /// The time of the event or message.
    pub at: Timestamp,
    /// The interval in which it is true; always if `None`.
    pub valid: Option<Span>,
    /// Its conversation.
    pub session: Option<&'a str>,
    /// Its agent.
    pub agent: Option<&'a str>,
    /// Its speaker.
    pub speaker: Option<&'a str>,
    /// Its source.
    pub source: Option<&'a str>,
    /// The trust in its source.
    pub trust: u8,
    /// The role of its speaker.
    pub voice: Voice,
}

/// Longer fields of the metadata cannot be filters: they are texts, not properties.
const MAX_FIELD: usize = 1024;

/// A field of the metadata as a string. Objects are equal in any order of their fields, numbers in any spelling.
pub(super) fn field_text(name: &str, value: &Json) -> Option<String> {
    let mut text = String::with_capacity(name.len() + 16);
    text.push_str(name);
    // The separator is unambiguous, because values are JSON.
    text.push('\u{0}');
    text.push_str(&canonical(value).to_string());
    (text.len() <= MAX_FIELD).then_some(text)
}

fn canonical(value: &Json) -> Json {
    match value {
        Json::Number(number) => Json::from(number.as_f64()),
        Json::Array(items) => Json::Array(items.iter().map(canonical).collect()),
        Json::Object(fields) => {
            let mut sorted: Vec<(String, Json)> = Vec::with_capacity(fields.len());
            for (name, value) in fields {
                match sorted.binary_search_by(|(known, _)| known.cmp(name)) {
                    Ok(at) => sorted[at].1 = canonical(value),
                    Err(at) => sorted.insert(at, (name.clone(), canonical(value))),
                }
            }
            Json::Object(sorted)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::parse;

    #[test]
    fn equal_values_have_equal_texts() {
        let text = |json: &str| field_text("k", &parse(json).unwrap()).unwrap();
        assert_eq!(text("{\"b\":1,\"a\":[2.0]}"), text("{\"a\":[2],\"b\":1.0}"));
        assert_eq!(text("{\"a\":1,\"a\":2}"), text("{\"a\":2}"));
        assert_ne!(text("1"), text("\"1\""));
        assert_eq!(field_text("k", &"x".repeat(2000).as_str().into()), None);
    }
}
