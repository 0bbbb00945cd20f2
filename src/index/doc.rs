//! What the index takes in of an entry, and what it can say of it again without reading the record.

use crate::model::{Importance, Json, Metadata, Timestamp};
use crate::text::Voice;

/// An entry on its way into the index.
#[derive(Clone, Copy, Debug)]
pub struct Doc<'a> {
    /// Its place in the order of writing.
    pub seq: u64,
    /// What it is.
    pub kind: DocKind,
    /// Its id; what has the same kind and id is replaced.
    pub id: &'a str,
    /// Where it belongs.
    pub namespace: &'a str,
    /// The summary, kept as it is.
    pub summary: &'a str,
    /// The labels, kept as they are.
    pub tags: &'a [String],
    /// How much it matters.
    pub importance: Importance,
    /// When it was written.
    pub created_at: Timestamp,
    /// From when on it is no longer seen.
    pub expires_at: Timestamp,
    /// When what it tells happened or was said; `created_at` if nobody knows better.
    pub at: Timestamp,
    /// The conversation it is a turn of. Turns of one conversation, in the order of `seq`, explain each other.
    pub session: Option<&'a str>,
    /// The agent it belongs to.
    pub agent: Option<&'a str>,
    /// Who said it.
    pub speaker: Option<&'a str>,
    /// Which side of a conversation with an assistant said it.
    pub voice: Voice,
    /// Where it came from.
    pub source: Option<&'a str>,
    /// How far its source is trusted.
    pub trust: u8,
    /// What it is about, if it is the one entry about that.
    pub key: Option<&'a str>,
    /// The caller's own data, of which each field can be asked for.
    pub metadata: &'a Metadata,
    /// Where its content lies among others, as stored; empty if nobody knows.
    pub vector: &'a [u8],
    /// The words to find it by.
    pub text: Text<'a>,
}

/// What there is in an index. Ids of different kinds have nothing to do with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DocKind {
    /// An entry.
    #[default]
    Entry,
    /// A message of a conversation.
    Message,
    /// What stands for messages that were compressed.
    History,
    /// How something is done.
    Skill,
    /// A step of an agent, and how it went.
    Step,
    /// A thing of the graph.
    Entity,
    /// A value of a collection.
    Value,
    /// A message that is nothing but calls of the memory's own tools, or their results.
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

    /// The letter that ids of this kind begin with, inside the index and its segments.
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

    /// What a letter stands for, and the rest of an id.
    pub(super) fn split(full: &str) -> Option<(Self, &str)> {
        let kind = Self::ALL.into_iter().find(|kind| full.starts_with(kind.letter()))?;
        Some((kind, full.get(1..)?))
    }
}

/// The words of an entry, all in Unicode NFKD; none of it is kept as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'a> {
    /// All of the content.
    pub content: &'a str,
    /// The summary.
    pub summary: &'a str,
    /// The labels.
    pub tags: &'a [String],
    /// Who said it.
    pub speaker: &'a str,
}

/// "There is none", where a number of something is kept.
pub(super) const NONE: u32 = u32::MAX;

/// What is kept of an entry, in numbers. Texts and lists lie elsewhere and are named by place.
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
    /// Where the summary lies, and its length; `NONE` if only the record has it.
    pub(super) summary: (u32, u32),
    /// Where the vector lies, and its size; 0 if there is none.
    pub(super) vector: (u32, u32),
    /// Where the list of names lies: tags, tags as they are compared, then fields of the metadata.
    pub(super) names: u32,
    pub(super) tags: u16,
    pub(super) fields: u16,
    pub(super) trust: u8,
    pub(super) kind: DocKind,
}

impl Row {
    /// Whether somebody said it, in a session or not.
    pub(super) fn is_said(&self) -> bool {
        self.session != NONE || self.speaker != NONE
    }
}

/// What the index knows of an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// What it is.
    pub kind: DocKind,
    /// Its id.
    pub id: &'a str,
    /// Its place in the order of writing.
    pub seq: u64,
    /// Where it belongs.
    pub namespace: &'a str,
    /// The summary; nothing if only the record has it.
    pub summary: Option<&'a str>,
    /// The labels.
    pub tags: Vec<&'a str>,
    /// How much it matters.
    pub importance: Importance,
    /// When it was written.
    pub created_at: Timestamp,
    /// From when on it is no longer seen.
    pub expires_at: Timestamp,
    /// When what it tells happened or was said.
    pub at: Timestamp,
    /// The conversation it is a turn of.
    pub session: Option<&'a str>,
    /// The agent it belongs to.
    pub agent: Option<&'a str>,
    /// Who said it.
    pub speaker: Option<&'a str>,
    /// Where it came from.
    pub source: Option<&'a str>,
    /// How far its source is trusted.
    pub trust: u8,
}

/// Longer fields of the metadata cannot be asked for: they are texts, not properties.
const MAX_FIELD: usize = 1024;

/// A field of the metadata as one text. Objects are equal in any order of their fields, numbers in any spelling.
pub(super) fn field_text(name: &str, value: &Json) -> Option<String> {
    let mut text = String::with_capacity(name.len() + 16);
    text.push_str(name);
    // No name holds this separator twice in the same place with the same value after it, because values are JSON.
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
