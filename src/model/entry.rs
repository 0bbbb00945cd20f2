//! One remembered thing: the draft a caller hands in, and the entry that is kept of it.

use super::{AgentId, Embedding, EntryId, FactKey, Invalid, Metadata, Namespace, SessionId, Speaker, Timestamp, Trust};

/// How much an entry matters, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Importance(f64);

impl Importance {
    /// Takes a number from 0 to 1; NaN is neither.
    pub fn new(field: &str, value: f64) -> Result<Self, Invalid> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(Invalid::value(field, "must be a number from 0 to 1"))
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

const MAX_TAGS: usize = 64;
const MAX_TAG_BYTES: usize = 256;

/// Labels, in the caller's order, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Takes up to 64 labels of 1 to 256 bytes.
    pub fn new(field: &str, tags: Vec<String>) -> Result<Self, Invalid> {
        if tags.len() > MAX_TAGS {
            return Err(Invalid::too_large(field, MAX_TAGS, tags.len()));
        }
        let mut kept: Vec<String> = Vec::with_capacity(tags.len());
        for (at, tag) in tags.into_iter().enumerate() {
            if tag.is_empty() {
                return Err(Invalid::value(format!("{field}[{at}]"), "must not be empty"));
            }
            if tag.len() > MAX_TAG_BYTES {
                return Err(Invalid::too_large(format!("{field}[{at}]"), MAX_TAG_BYTES, tag.len()));
            }
            if !kept.contains(&tag) {
                kept.push(tag);
            }
        }
        Ok(Self(kept))
    }

    /// The labels.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// What a caller wants remembered. Fields left out take the namespace's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The text to remember.
    pub content: String,
    /// The summary; the content's beginning if absent.
    pub summary: Option<String>,
    /// An id of the caller's own; otherwise one is made.
    pub id: Option<EntryId>,
    /// Where it belongs; `short-term` if not said.
    pub namespace: Option<String>,
    /// Labels to filter by.
    pub tags: Tags,
    /// How much it matters.
    pub importance: Importance,
    /// Where it came from.
    pub source: Option<String>,
    /// Data of the caller's own.
    pub metadata: Metadata,
    /// What it is about: an entry with the same key is replaced, and its history kept.
    pub key: Option<FactKey>,
    /// How many milliseconds it is to live, if not as long as its namespace says.
    pub ttl_millis: Option<i64>,
    /// The conversation that it belongs to.
    pub session: Option<SessionId>,
    /// The agent that writes it.
    pub agent: Option<AgentId>,
    /// Who said it.
    pub speaker: Option<Speaker>,
    /// When it happened, if not now.
    pub at: Option<Timestamp>,
    /// How far it is to be believed.
    pub trust: Trust,
    /// Where its content lies among others, as the app's embedder sees it.
    pub embedding: Option<Embedding>,
}

/// What is to become different about an entry. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Another content.
    pub content: Option<String>,
    /// Another summary. New content without one gets its own beginning as the summary.
    pub summary: Option<String>,
    /// Another namespace.
    pub namespace: Option<String>,
    /// Other labels, in place of all the old ones.
    pub tags: Option<Tags>,
    /// Another importance.
    pub importance: Option<Importance>,
    /// Another source.
    pub source: Option<String>,
    /// Other data, in place of all the old.
    pub metadata: Option<Metadata>,
    /// How many milliseconds it is to live from now on.
    pub ttl_millis: Option<i64>,
    /// Another level of trust.
    pub trust: Option<Trust>,
    /// Where the content lies now. Another content without this has no place any more.
    pub embedding: Option<Embedding>,
}

/// What is kept, without the content: that is read by id, on demand.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id, unique within one user's memory.
    pub id: EntryId,
    /// Where it belongs.
    pub namespace: Namespace,
    /// The caller's own, or the content's beginning, or all of it when it is short.
    pub summary: String,
    /// How many characters came in, before any cut.
    pub content_chars: usize,
    /// Whether the content was longer than the namespace takes and was cut.
    pub truncated: bool,
    /// Labels to filter by.
    pub tags: Tags,
    /// How much it matters.
    pub importance: Importance,
    /// Where it came from.
    pub source: Option<String>,
    /// Data of the caller's own.
    pub metadata: Metadata,
    /// What it is about: there is one entry for a key.
    pub key: Option<FactKey>,
    /// The conversation that it belongs to.
    pub session: Option<SessionId>,
    /// The agent that wrote it.
    pub agent: Option<AgentId>,
    /// Who said it.
    pub speaker: Option<Speaker>,
    /// When it happened.
    pub at: Timestamp,
    /// How far it is to be believed.
    pub trust: Trust,
    /// How often it has been written: 1 at first, one more with each update.
    pub version: u32,
    /// When it was first written.
    pub created_at: Timestamp,
    /// When it was last written.
    pub updated_at: Timestamp,
    /// From when on it is no longer seen.
    pub expires_at: Timestamp,
}

impl Entry {
    /// The one rule of expiry (F45): at its moment of expiry an entry is gone.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_is_a_number_from_0_to_1() {
        for good in [0.0, 0.5, 1.0] {
            assert_eq!(Importance::new("importance", good).unwrap().get(), good);
        }
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Importance::new("importance", bad).unwrap_err().field(), "importance");
        }
    }

    #[test]
    fn a_bad_tag_is_named_by_its_place() {
        let tags = |tags: &[&str]| Tags::new("tags", tags.iter().map(|tag| (*tag).to_owned()).collect());
        assert_eq!(tags(&["b", "a", "b"]).unwrap().as_slice(), ["b", "a"]);
        assert_eq!(tags(&["a", ""]).unwrap_err().field(), "tags[1]");
        assert_eq!(tags(&["a"; 65]).unwrap_err(), Invalid::too_large("tags", 64, 65));
    }
}
