//! The twins: each value of the WIT package beside the value of the library that it stands for.

use super::bindings::keepsake::memory::{storage, types};
use crate::codec::{CodecError, json};
use crate::memory::{EnvError, Error, Hit, ListOptions, Miss, Part, Ranking, SearchOptions, Stats, Unembedded};
use crate::model::{
    AgentId, Changes, Config, Draft, Embedding, Entry, EntryId, FactKey, Importance, Invalid, Json, Metadata,
    SessionId, Speaker, Tags, Timestamp, Trust,
};
use crate::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, StoreError, WriteBatch};

impl TryFrom<types::Draft> for Draft {
    type Error = Invalid;

    fn try_from(draft: types::Draft) -> Result<Self, Invalid> {
        Ok(Self {
            content: draft.content,
            summary: draft.summary,
            id: draft.id.map(|id| EntryId::new("id", id)).transpose()?,
            namespace: draft.namespace,
            tags: Tags::new("tags", draft.tags)?,
            importance: match draft.importance {
                Some(number) => Importance::new("importance", number)?,
                None => Importance::default(),
            },
            source: draft.source,
            metadata: draft.metadata.map(|text| metadata(&text)).transpose()?.unwrap_or_default(),
            key: draft.key.map(|key| FactKey::new("key", key)).transpose()?,
            ttl_millis: draft.ttl.map(ttl).transpose()?,
            session: draft.session.map(|id| SessionId::new("session", id)).transpose()?,
            agent: draft.agent.map(|id| AgentId::new("agent", id)).transpose()?,
            speaker: draft.speaker.map(|name| Speaker::new("speaker", name)).transpose()?,
            at: draft.at.map(|millis| Timestamp::from_millis("at", millis)).transpose()?,
            trust: draft.trust.map(Into::into).unwrap_or_default(),
            embedding: embedding(draft.embedding)?,
        })
    }
}

impl TryFrom<types::Changes> for Changes {
    type Error = Invalid;

    fn try_from(changes: types::Changes) -> Result<Self, Invalid> {
        Ok(Self {
            content: changes.content,
            summary: changes.summary,
            namespace: changes.namespace,
            tags: changes.tags.map(|tags| Tags::new("tags", tags)).transpose()?,
            importance: changes.importance.map(|number| Importance::new("importance", number)).transpose()?,
            source: changes.source,
            metadata: changes.metadata.map(|text| metadata(&text)).transpose()?,
            ttl_millis: changes.ttl.map(ttl).transpose()?,
            trust: changes.trust.map(Into::into),
            embedding: embedding(changes.embedding)?,
        })
    }
}

pub(super) fn embedding(numbers: Option<types::Embedding>) -> Result<Option<Embedding>, Invalid> {
    numbers.map(|numbers| Embedding::new("embedding", numbers)).transpose()
}

/// An entry, which version of it, and its embedding.
pub(super) fn embedded(embedded: types::Embedded) -> Result<(EntryId, u32, Embedding), Invalid> {
    let embedding = Embedding::new("embedding", embedded.embedding)?;
    Ok((EntryId::new("id", embedded.id)?, embedded.version, embedding))
}

impl From<Unembedded> for types::Unembedded {
    fn from(unembedded: Unembedded) -> Self {
        Self { id: unembedded.id.to_string(), version: unembedded.version, text: unembedded.text }
    }
}

/// The settings that a text describes; without one, the defaults.
pub(super) fn config(text: Option<types::Config>) -> Result<Config, Invalid> {
    text.map_or_else(|| Ok(Config::default()), |text| json::config(object("config", &text)?))
}

pub(super) fn metadata(text: &str) -> Result<Metadata, Invalid> {
    Metadata::new("metadata", object("metadata", text)?)
}

/// Metadata that may be absent; `field` names it where it is refused.
pub(super) fn some_metadata(field: &str, text: Option<types::JsonObject>) -> Result<Metadata, Invalid> {
    text.map_or(Ok(Metadata::default()), |text| Metadata::new(field, object(field, &text)?))
}

/// Fields of a caller's own that may be absent; none of them may have one of the `known` names.
pub(super) fn own(text: Option<types::JsonObject>, known: &[&str]) -> Result<Metadata, Invalid> {
    let Some(text) = text else { return Ok(Metadata::default()) };
    let mut fields = json::Fields::of("", object("", &text).map_err(|mistake| mistake.within("own"))?);
    let own = fields.own("", known);
    fields.finish().map_err(|mistake| mistake.within("own"))?;
    Ok(own)
}

/// The text of metadata; absent if there is none.
pub(super) fn told_metadata(metadata: &Metadata) -> Option<types::JsonObject> {
    (!metadata.is_empty()).then(|| metadata.to_json().to_string())
}

/// The value of a text that is to be an object; whether it is one is for those to say who read it.
pub(super) fn object(field: &str, text: &str) -> Result<Json, Invalid> {
    json::parse(text).map_err(|_| Invalid::value(field, "must be the JSON text of an object"))
}

/// The value of a text that may be any.
pub(super) fn value(field: impl Into<String>, text: &str) -> Result<Json, Invalid> {
    json::parse(text).map_err(|_| Invalid::value(field, "must be JSON text"))
}

/// Longer than there are years is as long as there are.
fn ttl(millis: types::Duration) -> Result<i64, Invalid> {
    match millis {
        0 => Err(Invalid::value("ttl", "must be a number of milliseconds above 0")),
        millis => Ok(i64::try_from(millis).unwrap_or(i64::MAX)),
    }
}

impl From<types::Trust> for Trust {
    fn from(trust: types::Trust) -> Self {
        match trust {
            types::Trust::Low => Self::Low,
            types::Trust::Normal => Self::Normal,
            types::Trust::High => Self::High,
        }
    }
}

impl From<Trust> for types::Trust {
    fn from(trust: Trust) -> Self {
        match trust {
            Trust::Low => Self::Low,
            Trust::Normal => Self::Normal,
            Trust::High => Self::High,
        }
    }
}

impl From<Entry> for types::Entry {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id.to_string(),
            namespace: entry.namespace.to_string(),
            summary: entry.summary,
            content_length: entry.content_chars as u64,
            truncated: entry.truncated,
            tags: entry.tags.as_slice().to_vec(),
            importance: entry.importance.get(),
            source: entry.source,
            metadata: entry.metadata.to_json().to_string(),
            key: entry.key.map(|key| key.to_string()),
            session: entry.session.map(|id| id.to_string()),
            agent: entry.agent.map(|id| id.to_string()),
            speaker: entry.speaker.map(|name| name.to_string()),
            at: entry.at.millis(),
            trust: entry.trust.into(),
            version: entry.version,
            created_at: entry.created_at.millis(),
            updated_at: entry.updated_at.millis(),
            expires_at: entry.expires_at.millis(),
        }
    }
}

impl From<(Entry, String)> for types::EntryWithContent {
    fn from((entry, content): (Entry, String)) -> Self {
        Self { entry: entry.into(), content }
    }
}

impl TryFrom<types::ListOptions> for ListOptions {
    type Error = Invalid;

    fn try_from(options: types::ListOptions) -> Result<Self, Invalid> {
        Ok(Self {
            namespace: options.namespace,
            limit: options.limit.map(|limit| limit as usize),
            after: options.after.map(|id| EntryId::new("after", id)).transpose()?,
        })
    }
}

impl TryFrom<types::Query> for SearchOptions {
    type Error = Invalid;

    fn try_from(query: types::Query) -> Result<Self, Invalid> {
        Ok(Self {
            query: query.query,
            ranking: ranking(query.ranking),
            limit: query.limit.map(|limit| limit as usize),
            min_score: query.min_score.map(min_score).transpose()?,
            namespace: query.namespace,
            any_tag: query.any_tag,
            all_tags: query.all_tags,
            no_tag: query.no_tag,
            from: query.from.map(|millis| Timestamp::from_millis("from", millis)).transpose()?,
            until: query.until.map(|millis| Timestamp::from_millis("until", millis)).transpose()?,
            session: query.session,
            agent: query.agent,
            source: query.source,
            metadata: query.metadata.into_iter().enumerate().map(wanted).collect::<Result<_, _>>()?,
            min_trust: query.min_trust.map(Into::into),
            include_content: query.include_content,
            explain: query.explain,
            embedding: embedding(query.embedding)?,
            ranked: Vec::new(),
        })
    }
}

pub(super) fn ranking(ranking: Option<types::Ranking>) -> Ranking {
    match ranking {
        Some(types::Ranking::Best) | None => Ranking::Best,
        Some(types::Ranking::Formula) => Ranking::Formula,
    }
}

/// No score is below one that is no number, so it would let everything through.
fn min_score(number: f64) -> Result<f64, Invalid> {
    if number.is_nan() { Err(Invalid::value("min-score", "must be a number")) } else { Ok(number) }
}

/// A field that metadata is to have. It is named by its place, because its name is the caller's own text.
pub(super) fn wanted((at, (name, text)): (usize, (String, types::Json))) -> Result<(String, Json), Invalid> {
    Ok((name, value(format!("metadata[{at}]"), &text)?))
}

impl From<Hit> for types::Hit {
    fn from(hit: Hit) -> Self {
        Self {
            id: hit.id.to_string(),
            score: hit.score,
            namespace: hit.namespace,
            summary: hit.summary,
            tags: hit.tags,
            created_at: hit.created_at.millis(),
            at: hit.at.millis(),
            session: hit.session,
            speaker: hit.speaker,
            source: hit.source,
            content_preview: hit.content_preview,
            receipt: hit.receipt.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Part> for types::Part {
    fn from(part: Part) -> Self {
        Self { label: part.label.to_owned(), term: Some(part.term).filter(|term| !term.is_empty()), value: part.value }
    }
}

impl From<Miss> for types::Miss {
    fn from(miss: Miss) -> Self {
        match miss {
            Miss::Unknown => Self::Unknown,
            Miss::Expired => Self::Expired,
            Miss::Filtered(filter) => Self::Filtered(filter.to_owned()),
            Miss::NoTerm(terms) => Self::NoTerm(terms),
            Miss::LowScore(score, _) => Self::LowScore(score),
            Miss::Outranked(by, _) => Self::Outranked(by as u64),
            Miss::Hit => Self::Hit,
        }
    }
}

impl From<Stats> for types::Stats {
    fn from(stats: Stats) -> Self {
        let namespaces = stats.namespaces.into_iter();
        Self {
            total: stats.total as u64,
            namespaces: namespaces
                .map(|(name, count)| types::NamespaceCount { namespace: name.to_string(), count: count as u64 })
                .collect(),
        }
    }
}

impl From<Error> for types::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(invalid) => invalid.into(),
            Error::Store(error) => error.into(),
            Error::Codec(CodecError::Newer { found, known }) => {
                Self::NewerVersion(types::Versions { found: found.into(), known: known.into() })
            }
            Error::Codec(error @ CodecError::Corrupt { .. }) => Self::Corrupt(error.to_string()),
            Error::AlreadyExists { field } if field == "key" => Self::AlreadyExists(types::Shared::Key),
            Error::AlreadyExists { .. } => Self::AlreadyExists(types::Shared::Id),
            Error::NotFound { .. } => Self::NotFound,
            Error::Contended { tries } => Self::Conflict(tries),
            Error::OtherVersion { expected, found } => Self::OtherVersion(types::Versioned { expected, found }),
            // Somebody else wrote since the caller has read.
            Error::Stale { .. } => Self::Conflict(1),
            Error::Closed => Self::Closed,
            Error::Environment(EnvError::Clock) => Self::Environment(types::Surroundings::Clock),
            Error::Environment(EnvError::Entropy) => Self::Environment(types::Surroundings::Entropy),
        }
    }
}

impl From<Invalid> for types::Error {
    fn from(invalid: Invalid) -> Self {
        match invalid {
            Invalid::Value { field, reason } => Self::InvalidInput(types::Invalid { field, reason }),
            Invalid::TooLarge { field, limit, actual } => {
                Self::TooLarge(types::Oversize { field: Some(field), limit: limit as u64, actual: actual as u64 })
            }
        }
    }
}

impl From<StoreError> for types::Error {
    fn from(error: StoreError) -> Self {
        match error {
            // A commit's conflict is tried again above; one that comes through was an answer to something else.
            StoreError::Conflict { .. } => Self::Conflict(1),
            StoreError::QuotaExceeded => Self::QuotaExceeded,
            StoreError::TooLarge { limit, actual } => {
                Self::TooLarge(types::Oversize { field: None, limit: limit as u64, actual: actual as u64 })
            }
            StoreError::Blocked => Self::Blocked,
            StoreError::Superseded => Self::Superseded,
            StoreError::Newer { found, known } => Self::NewerVersion(types::Versions { found, known }),
            StoreError::Unavailable(why) => Self::Unavailable(why),
            StoreError::Lost => Self::StoreLost,
            StoreError::Closed => Self::Closed,
            StoreError::Failed(why) => Self::StorageFailed(why),
        }
    }
}

impl From<storage::StoreError> for StoreError {
    fn from(error: storage::StoreError) -> Self {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        match error {
            storage::StoreError::Conflict(current) => Self::Conflict { current: Revision(current) },
            storage::StoreError::QuotaExceeded => Self::QuotaExceeded,
            storage::StoreError::TooLarge(storage::TooLarge { limit, actual }) => {
                Self::TooLarge { limit: size(limit), actual: size(actual) }
            }
            storage::StoreError::Blocked => Self::Blocked,
            storage::StoreError::Superseded => Self::Superseded,
            storage::StoreError::Newer(storage::Schemas { found, known }) => Self::Newer { found, known },
            storage::StoreError::Unavailable(why) => Self::Unavailable(why),
            storage::StoreError::Lost => Self::Lost,
            storage::StoreError::Closed => Self::Closed,
            storage::StoreError::Failed(why) => Self::Failed(why),
        }
    }
}

impl From<Space> for storage::Space {
    fn from(space: Space) -> Self {
        match space {
            Space::Meta => Self::Meta,
            Space::Records => Self::Records,
            Space::Bodies => Self::Bodies,
            Space::Log => Self::Log,
            Space::Index => Self::Index,
        }
    }
}

/// The bytes of a key, which is all that a host sees of it.
pub(super) fn key(key: &Key) -> storage::Key {
    key.as_bytes().to_vec()
}

impl From<&KeyRange> for storage::KeyRange {
    fn from(range: &KeyRange) -> Self {
        Self { start: key(&range.start), end: range.end.as_ref().map(key) }
    }
}

impl From<storage::Page> for Page {
    fn from(page: storage::Page) -> Self {
        Self {
            items: page.items.into_iter().map(|item| (Key::from_bytes(item.key), item.value)).collect(),
            next: page.next.map(Key::from_bytes),
        }
    }
}

impl From<Op> for storage::Op {
    fn from(op: Op) -> Self {
        match op {
            Op::Put(space, at, value) | Op::Add(space, at, value) => {
                Self::Put(storage::Put { space: space.into(), key: key(&at), value })
            }
            Op::Delete(space, at) => Self::Delete(storage::Delete { space: space.into(), key: key(&at) }),
            Op::DeleteRange(space, range) => {
                Self::DeleteRange(storage::DeleteRange { space: space.into(), range: (&range).into() })
            }
        }
    }
}

impl From<WriteBatch> for storage::Batch {
    fn from(batch: WriteBatch) -> Self {
        Self {
            guard: key(&batch.guard),
            base: batch.base.0,
            ops: batch.ops.into_iter().map(Into::into).collect(),
            durability: match batch.durability {
                Durability::Relaxed => storage::Durability::Relaxed,
                Durability::Strict => storage::Durability::Strict,
            },
        }
    }
}
