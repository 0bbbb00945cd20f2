//! The stored bytes of a conversation: messages, the session record, and JSON beside them.

use super::json::{self, parse};
use super::record::{SALT, open, seal};
use super::{CodecError, Kind};
use crate::model::{AgentId, Json, Message, MessageId, Role, SessionId, Timestamp};

/// A stored message.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMessage {
    /// The place of its link in the log.
    pub seq: u64,
    /// Its place in its session, from 0 on.
    pub place: u64,
    /// The number of its tokens, by the counter in use when it was added.
    pub tokens: u32,
    /// The message.
    pub message: Message,
}

impl StoredMessage {
    /// The stored form.
    pub fn encode(&self, salt: [u8; SALT]) -> Vec<u8> {
        let map = Json::object(vec![
            ("seq", self.seq.into()),
            ("n", self.place.into()),
            ("tok", u64::from(self.tokens).into()),
            ("msg", json::message(&self.message)),
        ]);
        seal(Kind::Message, salt, map.to_string().as_bytes())
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let value = value(Kind::Message, bytes)?;
        Self::from_json(value).ok_or_else(|| unreadable(Kind::Message))
    }

    fn from_json(value: Json) -> Option<Self> {
        let number = |name: &str| u64::try_from(value.get(name).as_i64()?).ok();
        let (seq, place, tokens) = (number("seq")?, number("n")?, u32::try_from(number("tok")?).ok()?);
        let draft = json::message_draft(value.get("msg").clone()).ok()?;
        let (id, at) = (draft.id.clone()?, draft.at?);
        Some(Self { seq, place, tokens, message: draft.into_message(id, at) })
    }
}

/// The record of a session beside its messages. It is not written with each of them: the effect of later messages is
/// derived from them.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its agent.
    pub agent: Option<AgentId>,
    /// The time of its first message.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
    /// The number of its messages: the place of the next one.
    pub count: u64,
    /// The number of items of its view: messages, and items that replace some.
    pub items: u64,
    /// The tokens of its view.
    pub tokens: u64,
    /// The number of its histories.
    pub histories: u32,
    /// The places of messages that stay in every window.
    pub fixed: Vec<u64>,
    /// The origin of a fork: the session and the last copied message.
    pub forked_from: Option<(SessionId, MessageId)>,
}

impl SessionRecord {
    /// A new session.
    pub fn new(now: Timestamp) -> Self {
        Self {
            title: None,
            agent: None,
            created_at: now,
            updated_at: now,
            count: 0,
            items: 0,
            tokens: 0,
            histories: 0,
            fixed: Vec::new(),
            forked_from: None,
        }
    }

    /// Applies a message to the record.
    pub fn follow(&mut self, said: &StoredMessage) {
        if said.message.pinned || said.message.role == Role::System {
            self.fixed.push(said.place);
        }
        self.count = said.place + 1;
        self.items += 1;
        self.tokens += u64::from(said.tokens);
        self.updated_at = said.message.at;
    }

    /// The stored form.
    pub fn encode(&self, salt: [u8; SALT]) -> Vec<u8> {
        let origin = self.forked_from.as_ref();
        let map = Json::object(vec![
            ("ttl", self.title.as_deref().into()),
            ("agt", self.agent.as_ref().map(AgentId::as_str).into()),
            ("at", self.created_at.millis().into()),
            ("upd", self.updated_at.millis().into()),
            ("n", self.count.into()),
            ("itm", self.items.into()),
            ("tok", self.tokens.into()),
            ("his", u64::from(self.histories).into()),
            ("fix", Json::Array(self.fixed.iter().map(|place| Json::from(*place)).collect())),
            ("from", origin.map(|(session, _)| session.as_str()).into()),
            ("upto", origin.map(|(_, message)| message.as_str()).into()),
        ]);
        seal(Kind::Session, salt, map.to_string().as_bytes())
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let value = value(Kind::Session, bytes)?;
        Self::from_json(&value).ok_or_else(|| unreadable(Kind::Session))
    }

    fn from_json(value: &Json) -> Option<Self> {
        let text = |name: &str| value.get(name).as_str();
        let number = |name: &str| u64::try_from(value.get(name).as_i64()?).ok();
        let time = |name: &str| Timestamp::from_millis(name, value.get(name).as_i64()?).ok();
        let origin = match (text("from"), text("upto")) {
            (Some(session), Some(message)) => {
                Some((SessionId::new("from", session).ok()?, MessageId::new("upto", message).ok()?))
            }
            _ => None,
        };
        let fixed = value.get("fix").as_array()?.iter().map(|place| u64::try_from(place.as_i64()?).ok());
        Some(Self {
            title: text("ttl").map(str::to_owned),
            agent: text("agt").map(|agent| AgentId::new("agt", agent)).transpose().ok()?,
            created_at: time("at")?,
            updated_at: time("upd")?,
            count: number("n")?,
            items: number("itm")?,
            tokens: number("tok")?,
            histories: u32::try_from(number("his")?).ok()?,
            fixed: fixed.collect::<Option<Vec<u64>>>()?,
            forked_from: origin,
        })
    }
}

/// Stored JSON beside the messages of a session.
pub struct Beside;

impl Beside {
    /// The stored form.
    pub fn encode(kind: Kind, value: &Json, salt: [u8; SALT]) -> Vec<u8> {
        seal(kind, salt, value.to_string().as_bytes())
    }

    /// Reads the stored form.
    pub fn decode(kind: Kind, bytes: &[u8]) -> Result<Json, CodecError> {
        value(kind, bytes)
    }
}

fn value(kind: Kind, bytes: &[u8]) -> Result<Json, CodecError> {
    let text = std::str::from_utf8(open(kind, bytes)?).map_err(|_| unreadable(kind))?;
    parse(text).map_err(|_| unreadable(kind))
}

fn unreadable(kind: Kind) -> CodecError {
    CodecError::corrupt(kind, "a field is missing or of another type")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Block, BlockKind, MessageDraft};

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis("at", millis).unwrap()
    }

    #[test]
    fn messages_and_sessions_come_back_as_they_were() {
        let call = BlockKind::ToolUse { id: "c".into(), name: "t".into(), input: parse("{\"a\":1.50}").unwrap() };
        let draft = MessageDraft {
            name: Some("Ann".into()),
            pinned: true,
            ..MessageDraft::new(Role::Assistant, vec![Block::text("việt"), call.into()])
        };
        let message = draft.into_message(MessageId::new("id", "m-1").unwrap(), at(7));
        let stored = StoredMessage { seq: 9, place: 3, tokens: 12, message };
        assert_eq!(StoredMessage::decode(&stored.encode([1; SALT])).unwrap(), stored);
        let session = SessionRecord {
            title: Some("A talk".into()),
            agent: AgentId::new("agent", "helper").ok(),
            count: 31,
            items: 16,
            tokens: 900,
            histories: 1,
            fixed: vec![0, 4],
            forked_from: Some((SessionId::new("s", "s-0").unwrap(), MessageId::new("m", "m-9").unwrap())),
            ..SessionRecord::new(at(5))
        };
        assert_eq!(SessionRecord::decode(&session.encode([2; SALT])).unwrap(), session);
        assert!(SessionRecord::decode(&stored.encode([1; SALT])).is_err());
        assert!(StoredMessage::decode(&Beside::encode(Kind::Message, &Json::Null, [0; SALT])).is_err());
    }

    #[test]
    fn a_session_follows_what_is_said_in_it() {
        let mut session = SessionRecord::new(at(5));
        let mut say = |place: u64, role: Role, pinned: bool| {
            let draft = MessageDraft { pinned, ..MessageDraft::new(role, vec![Block::text("hello")]) };
            let message = draft.into_message(MessageId::new("id", "m").unwrap(), at(10 + place as i64));
            session.follow(&StoredMessage { seq: 9, place, tokens: 7, message });
            session.clone()
        };
        say(0, Role::System, false);
        say(1, Role::User, false);
        let all = say(2, Role::Assistant, true);
        let expected = SessionRecord {
            updated_at: at(12),
            count: 3,
            items: 3,
            tokens: 21,
            fixed: vec![0, 2],
            ..SessionRecord::new(at(5))
        };
        assert_eq!(all, expected);
    }
}
