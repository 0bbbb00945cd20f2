//! The stored bytes of an entry: a salt, then JSON with short names. Unknown names are ignored, so old code can read
//! additions of newer code in the same format.

use super::json::parse;
use super::{CodecError, Frame, Kind, hex};
use crate::model::{
    AgentId, Entry, EntryId, FactKey, Importance, Json, Metadata, Namespace, Promotion, SecretKind, SessionId, Speaker,
    Tags, Timestamp, Trust,
};

/// Random bytes before each payload. The log keeps a hash of the payload even after it was erased; without the salt,
/// which is erased with it, a short text could be guessed from that hash.
pub const SALT: usize = 16;

/// A stored entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The entry.
    pub entry: Entry,
    /// The place of its first link in the log, which lists are ordered by: clocks jump.
    pub seq: u64,
    /// Its content, if that is longer than the summary and at most [`Record::MAX_CONTENT`] bytes.
    pub content: Option<String>,
    /// The hash of its body, which has a longer content.
    pub body: Option<[u8; 32]>,
    /// The hash of its vector, if it has one.
    pub vector: Option<[u8; 32]>,
}

impl Record {
    /// The longest content in a record, in bytes. A body would be a second value of each entry, and cost as much again.
    pub const MAX_CONTENT: usize = 2048;

    /// The stored form.
    pub fn encode(&self, salt: [u8; SALT]) -> Vec<u8> {
        let Entry { created_at, updated_at, tags, importance, metadata, .. } = &self.entry;
        // Default values are omitted.
        let unless = |usual: bool, value: Json| if usual { Json::Null } else { value };
        let map = Json::object(vec![
            ("id", self.entry.id.as_str().into()),
            ("ns", self.entry.namespace.as_str().into()),
            ("sum", self.entry.summary.as_str().into()),
            ("len", self.entry.content_chars.into()),
            ("at", created_at.millis().into()),
            ("exp", self.entry.expires_at.millis().into()),
            ("seq", self.seq.into()),
            ("ver", unless(self.entry.version == 1, u64::from(self.entry.version).into())),
            ("evt", unless(self.entry.at == *created_at, self.entry.at.millis().into())),
            ("vfr", self.entry.valid_from.map(Timestamp::millis).into()),
            ("vun", self.entry.valid_until.map(Timestamp::millis).into()),
            ("rep", self.entry.replaces.as_ref().map(EntryId::as_str).into()),
            ("key", self.entry.key.as_ref().map(FactKey::as_str).into()),
            ("ses", self.entry.session.as_ref().map(SessionId::as_str).into()),
            ("agt", self.entry.agent.as_ref().map(AgentId::as_str).into()),
            ("spk", self.entry.speaker.as_ref().map(Speaker::as_str).into()),
            ("tru", unless(self.entry.trust == Trust::Normal, self.entry.trust.as_str().into())),
            ("sec", secret_names(&self.entry.secrets)),
            ("pro", self.entry.promoted.as_ref().map(promotion).into()),
            ("cnt", unless(self.entry.count == 1, u64::from(self.entry.count).into())),
            ("see", self.entry.seen_at.map(Timestamp::millis).into()),
            ("upd", unless(updated_at == created_at, updated_at.millis().into())),
            ("cut", unless(!self.entry.truncated, true.into())),
            ("tags", unless(tags.as_slice().is_empty(), tags.as_slice().into())),
            ("imp", unless(importance.get() == 0.0, importance.get().into())),
            ("src", self.entry.source.as_deref().into()),
            ("meta", unless(metadata.is_empty(), metadata.to_json())),
            ("txt", self.content.as_deref().into()),
            ("body", self.body.map(|hash| hex::encode(&hash)).into()),
            ("vec", self.vector.map(|hash| hex::encode(&hash)).into()),
        ]);
        seal(Kind::Record, salt, map.to_string().as_bytes())
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let corrupt = |problem| CodecError::corrupt(Kind::Record, problem);
        let payload = open(Kind::Record, bytes)?;
        let text = std::str::from_utf8(payload).map_err(|_| corrupt("its text is not UTF-8"))?;
        let value = parse(text).map_err(|_| corrupt("its text is not JSON"))?;
        Self::from_json(&value).ok_or_else(|| corrupt("a field is missing or of another type"))
    }

    fn from_json(value: &Json) -> Option<Self> {
        let text = |name: &str| value.get(name).as_str();
        let time = |name: &str| Timestamp::from_millis(name, value.get(name).as_i64()?).ok();
        let created_at = time("at")?;
        let tags = match value.get("tags").as_array() {
            Some(tags) => tags.iter().map(|tag| Some(tag.as_str()?.to_owned())).collect::<Option<Vec<_>>>()?,
            None => Vec::new(),
        };
        let metadata = match value.get("meta") {
            Json::Null => Metadata::default(),
            object => Metadata::new("meta", object.clone()).ok()?,
        };
        let hash = |name: &str| match value.get(name) {
            Json::Null => Some(None),
            digits => Some(Some(hex::decode(digits.as_str()?)?)),
        };
        let entry = Entry {
            id: EntryId::new("id", text("id")?).ok()?,
            namespace: Namespace::new("ns", text("ns")?).ok()?,
            summary: text("sum")?.to_owned(),
            content_chars: usize::try_from(value.get("len").as_i64()?).ok()?,
            truncated: *value.get("cut") == Json::Bool(true),
            tags: Tags::new("tags", tags).ok()?,
            importance: Importance::new("imp", value.get("imp").as_f64().unwrap_or(0.0)).ok()?,
            source: text("src").map(str::to_owned),
            metadata,
            key: text("key").map(|key| FactKey::new("key", key)).transpose().ok()?,
            session: text("ses").map(|id| SessionId::new("ses", id)).transpose().ok()?,
            agent: text("agt").map(|id| AgentId::new("agt", id)).transpose().ok()?,
            speaker: text("spk").map(|name| Speaker::new("spk", name)).transpose().ok()?,
            at: time("evt").unwrap_or(created_at),
            valid_from: time("vfr"),
            valid_until: time("vun"),
            replaces: text("rep").map(|id| EntryId::new("rep", id)).transpose().ok()?,
            trust: text("tru").map_or(Ok(Trust::Normal), |word| Trust::new("tru", word)).ok()?,
            secrets: match value.get("sec").as_array() {
                Some(names) => names.iter().filter_map(|name| SecretKind::named(name.as_str()?)).collect(),
                None => Vec::new(),
            },
            promoted: match value.get("pro") {
                Json::Null => None,
                promoted => Some(read_promotion(promoted)?),
            },
            count: value.get("cnt").as_i64().map_or(Ok(1), u32::try_from).ok()?,
            seen_at: time("see"),
            version: value.get("ver").as_i64().map_or(Ok(1), u32::try_from).ok()?,
            created_at,
            updated_at: time("upd").unwrap_or(created_at),
            expires_at: time("exp")?,
        };
        Some(Self {
            entry,
            seq: u64::try_from(value.get("seq").as_i64()?).ok()?,
            content: text("txt").map(str::to_owned),
            body: hash("body")?,
            vector: hash("vec")?,
        })
    }
}

/// The names of kinds of secrets; null if there are none.
pub(super) fn secret_names(kinds: &[SecretKind]) -> Json {
    if kinds.is_empty() {
        return Json::Null;
    }
    Json::Array(kinds.iter().map(|kind| kind.name().into()).collect())
}

fn promotion(promotion: &Promotion) -> Json {
    Json::object(vec![
        ("from", promotion.from.as_str().into()),
        ("by", promotion.by.as_str().into()),
        ("why", promotion.why.as_str().into()),
        ("at", promotion.at.millis().into()),
    ])
}

fn read_promotion(value: &Json) -> Option<Promotion> {
    let text = |name: &str| value.get(name).as_str();
    Some(Promotion {
        from: Trust::new("from", text("from")?).ok()?,
        by: text("by")?.to_owned(),
        why: text("why")?.to_owned(),
        at: Timestamp::from_millis("at", value.get("at").as_i64()?).ok()?,
    })
}

/// The stored bytes of a content that is too long for its record.
pub struct Body;

impl Body {
    /// The stored form.
    pub fn encode(content: &str, salt: [u8; SALT]) -> Vec<u8> {
        seal(Kind::Body, salt, content.as_bytes())
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<String, CodecError> {
        let text = open(Kind::Body, bytes)?.to_vec();
        String::from_utf8(text).map_err(|_| CodecError::corrupt(Kind::Body, "its text is not UTF-8"))
    }
}

/// The stored bytes of a vector. Salted because the log keeps its hash: with the same embedder a short text could be
/// guessed from that.
pub struct Vector;

impl Vector {
    /// The stored form.
    pub fn encode(vector: &[u8], salt: [u8; SALT]) -> Vec<u8> {
        seal(Kind::Vector, salt, vector)
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<Vec<u8>, CodecError> {
        open(Kind::Vector, bytes).map(<[u8]>::to_vec)
    }
}

pub(super) fn seal(kind: Kind, salt: [u8; SALT], payload: &[u8]) -> Vec<u8> {
    Frame::seal(kind, &[&salt, payload].concat())
}

pub(super) fn open(kind: Kind, bytes: &[u8]) -> Result<&[u8], CodecError> {
    let frame = Frame::open(kind, bytes)?;
    frame.payload.get(SALT..).ok_or_else(|| CodecError::corrupt(kind, "it is shorter than its salt"))
}
