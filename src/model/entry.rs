//! Entries: the caller's draft, and the stored entry.

use super::{
    AgentId, Embedding, EntryId, FactKey, Invalid, Metadata, Namespace, SecretKind, SecretRule, SessionId, Speaker,
    Timestamp, Trust,
};

/// The importance of an entry, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Importance(f64);

impl Importance {
    /// Validates a number from 0 to 1; NaN is refused.
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

    /// The importance after a repetition or a use: a tenth of what is left to 1 is added.
    pub fn stronger(self) -> Self {
        Self(((self.0 + (1.0 - self.0) * 0.1) * 1000.0).round() / 1000.0)
    }

    /// The higher of two.
    pub fn max(self, other: Self) -> Self {
        if other.0 > self.0 { other } else { self }
    }
}

const MAX_TAGS: usize = 64;
const MAX_TAG_BYTES: usize = 256;

/// Tags, in the caller's order, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Validates up to 64 tags of 1 to 256 bytes.
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

    /// The same without a tag.
    pub(crate) fn without(mut self, tag: &str) -> Self {
        self.0.retain(|known| known != tag);
        self
    }

    /// The tags.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// A new entry. Omitted fields take the namespace's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The text to remember.
    pub content: String,
    /// The summary; the beginning of the content if `None`.
    pub summary: Option<String>,
    /// The caller's own id; generated if `None`.
    pub id: Option<EntryId>,
    /// The namespace; `short-term` if `None`.
    pub namespace: Option<String>,
    /// Tags to filter by.
    pub tags: Tags,
    /// The importance.
    pub importance: Importance,
    /// The source.
    pub source: Option<String>,
    /// The caller's own data.
    pub metadata: Metadata,
    /// The unique key: an entry with the same key is replaced, and its history kept.
    pub key: Option<FactKey>,
    /// The lifetime in milliseconds, if not that of the namespace.
    pub ttl_millis: Option<i64>,
    /// Its conversation.
    pub session: Option<SessionId>,
    /// The writing agent.
    pub agent: Option<AgentId>,
    /// Its speaker.
    pub speaker: Option<Speaker>,
    /// The event time, if not now.
    pub at: Option<Timestamp>,
    /// The time from which it is true; always if `None`.
    pub valid_from: Option<Timestamp>,
    /// The time from which it is no longer true; never if `None`.
    pub valid_until: Option<Timestamp>,
    /// The entry that it replaces.
    pub replaces: Option<EntryId>,
    /// When it was first stored. Default: now.
    pub created_at: Option<Timestamp>,
    /// The trust in it.
    pub trust: Trust,
    /// Whether it is a new entry even if long-term memory has the same statement.
    pub keeps_duplicates: bool,
    /// The rule for secrets in its content and summary; kept if `None`.
    pub secrets: Option<SecretRule>,
    /// The embedding of its content, by the app's embedder.
    pub embedding: Option<Embedding>,
}

/// Changes of an entry. Omitted fields stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// New content.
    pub content: Option<String>,
    /// New summary. New content without one gets its own beginning as the summary.
    pub summary: Option<String>,
    /// New namespace.
    pub namespace: Option<String>,
    /// New tags, replacing all old ones.
    pub tags: Option<Tags>,
    /// New importance.
    pub importance: Option<Importance>,
    /// New source.
    pub source: Option<String>,
    /// New metadata, replacing all of the old.
    pub metadata: Option<Metadata>,
    /// The lifetime from now on, in milliseconds.
    pub ttl_millis: Option<i64>,
    /// The new time from which it is true.
    pub valid_from: Option<Timestamp>,
    /// The new time from which it is no longer true.
    pub valid_until: Option<Timestamp>,
    /// New trust level.
    pub trust: Option<Trust>,
    /// The rule for secrets in the new content and summary; kept if `None`.
    pub secrets: Option<SecretRule>,
    /// New embedding. New content without one loses the old embedding.
    pub embedding: Option<Embedding>,
}

/// A stored entry, without the content, which is read by id on demand.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Entry {
    /// Its id, unique within one user's memory.
    pub id: EntryId,
    /// Its namespace.
    pub namespace: Namespace,
    /// The caller's own summary, or the beginning of the content, or all of it if it is short.
    pub summary: String,
    /// The number of characters of the original content, before any cut.
    pub content_chars: usize,
    /// Whether the content was longer than the namespace allows and was cut.
    pub truncated: bool,
    /// Tags to filter by.
    pub tags: Tags,
    /// The importance.
    pub importance: Importance,
    /// The source.
    pub source: Option<String>,
    /// The caller's own data.
    pub metadata: Metadata,
    /// The unique key: at most one entry has it.
    pub key: Option<FactKey>,
    /// Its conversation.
    pub session: Option<SessionId>,
    /// The agent that wrote it.
    pub agent: Option<AgentId>,
    /// Its speaker.
    pub speaker: Option<Speaker>,
    /// The event time.
    pub at: Timestamp,
    /// The time from which it is true; always if `None`.
    pub valid_from: Option<Timestamp>,
    /// The time from which it is no longer true; never if `None`.
    pub valid_until: Option<Timestamp>,
    /// The entry that it replaced, which is in the past since.
    pub replaces: Option<EntryId>,
    /// The trust in it.
    pub trust: Trust,
    /// The kinds of the secrets that were replaced in its text.
    pub secrets: Vec<SecretKind>,
    /// The last promotion, if its trust was ever raised.
    pub promoted: Option<Promotion>,
    /// How many times it was stated.
    pub count: u32,
    /// The last time that it was stated again, or recalled and used; `None` if never.
    pub seen_at: Option<Timestamp>,
    /// The version: 1 at first, incremented by each update.
    pub version: u32,
    /// The time of the first write.
    pub created_at: Timestamp,
    /// The time of the last write.
    pub updated_at: Timestamp,
    /// The expiry time.
    pub expires_at: Timestamp,
}

/// A promotion: the trust in an entry was raised by somebody who says why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Promotion {
    /// The trust before.
    pub from: Trust,
    /// The person or program that promoted it.
    pub by: String,
    /// The reason.
    pub why: String,
    /// The time.
    pub at: Timestamp,
}

impl Entry {
    /// Whether it has expired. The one rule of expiry (F45): at its expiry time an entry no longer exists.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }

    /// Whether it is true at a time.
    pub fn is_valid(&self, at: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= at) && self.valid_until.is_none_or(|until| until > at)
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
