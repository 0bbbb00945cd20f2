//! Messages and histories in their stored form, and their indexed documents.

use super::keys::{Named, place_of};
use super::plan::Said;
use super::slices::READ;
use super::state::{DocChange, Leaf};
use super::traffic::indexed_text;
use super::{Env, Error, Memory};
use crate::codec::{Beside, Kind, StoredMessage};
use crate::index::{Doc, DocKind, Text};
use crate::model::{AgentId, Importance, Json, Message, Metadata, Role, SessionId, Timestamp, Trust};
use crate::store::{Key, Space, Store};
use crate::text::{self, Voice};
use std::rc::Rc;

/// The reserved namespace of messages. No namespace of entries can have this name.
pub(in crate::memory) const DIALOG: &str = "\u{0}dialog";

/// The most characters of a message that the index holds as its summary.
const SUMMARY_CHARS: usize = 1200;

/// A history of a session (C13, C15).
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Its number, from 1 on.
    pub number: u32,
    /// Its content.
    pub text: String,
    /// The number of its tokens.
    pub tokens: u32,
    /// The places of the messages that it replaces.
    pub spans: Vec<(u64, u64)>,
    /// When it was made.
    pub created_at: Timestamp,
    /// The lowest trust of the messages that it replaces.
    pub trust: Trust,
}

/// A message or a stored value to be indexed.
pub(in crate::memory) struct Talk<'a> {
    pub(in crate::memory) kind: DocKind,
    pub(in crate::memory) id: &'a str,
    pub(in crate::memory) seq: u64,
    pub(in crate::memory) namespace: &'a str,
    pub(in crate::memory) tags: &'a [String],
    pub(in crate::memory) session: Option<&'a SessionId>,
    pub(in crate::memory) agent: Option<&'a str>,
    pub(in crate::memory) speaker: Option<&'a str>,
    pub(in crate::memory) voice: Voice,
    pub(in crate::memory) source: Option<&'a str>,
    pub(in crate::memory) said: &'a str,
    pub(in crate::memory) at: Timestamp,
    pub(in crate::memory) trust: Trust,
    pub(in crate::memory) vector: &'a [u8],
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The messages of a session from one place to another.
    pub(in crate::memory) async fn read_messages(
        &self,
        session: &SessionId,
        from: u64,
        to: u64,
    ) -> Result<Vec<StoredMessage>, Error> {
        let stored = self.all(Space::Records, self.inner.keys.messages_between(session, from, to)).await?;
        let mut messages = Vec::with_capacity(stored.len());
        for (_, bytes) in stored {
            messages.push(StoredMessage::decode(&bytes)?);
            self.breathe(READ + bytes.len() / 8).await;
        }
        Ok(messages)
    }

    /// The index change for a stored message or history, with its stored vector.
    pub(in crate::memory) async fn leaf_of_talk(
        &self,
        key: &Key,
        bytes: &[u8],
        vector: &[u8],
    ) -> Result<Option<DocChange>, Error> {
        let Some(named) = self.inner.keys.named_of(key) else { return Ok(None) };
        let leaf = match &named {
            Named::Message(session, place) => {
                let stored = StoredMessage::decode(bytes)?;
                let own = self.own_answers(session, *place, &stored.message).await?;
                return Ok(self.message_change(session, None, &stored, &own, vector));
            }
            Named::History(session, _) => self.history_leaf(session, &Beside::decode(Kind::History, bytes)?, vector),
            named => return Ok(self.change_of_kept(named, bytes)?),
        };
        Ok(named.doc().zip(leaf).map(|((kind, id), leaf)| DocChange { kind, id, leaf: Some(Rc::new(leaf)) }))
    }

    /// The index change for a message that is being written.
    pub(super) fn heard(&self, said: Said) -> Option<DocChange> {
        let Said { session, agent, stored, own } = said;
        self.message_change(&session, agent.as_ref(), &stored, &own, &[])
    }

    fn message_change(
        &self,
        session: &SessionId,
        agent: Option<&AgentId>,
        stored: &StoredMessage,
        own: &[String],
        vector: &[u8],
    ) -> Option<DocChange> {
        let message = &stored.message;
        let (kind, said) = indexed_text(message, own);
        let speaker = message.name.as_deref().unwrap_or(message.role.as_str());
        let id = format!("{}:{session}", stored.place);
        let leaf = self.talk_leaf(&Talk {
            kind,
            id: &id,
            seq: stored.seq,
            namespace: DIALOG,
            tags: &[],
            session: Some(session),
            agent: agent.map(AgentId::as_str),
            speaker: Some(speaker),
            voice: voice_of(message.role),
            source: Some(message.id.as_str()),
            said: &said,
            at: message.at,
            trust: trust_of(message),
            vector,
        })?;
        Some(DocChange { kind, id, leaf: Some(Rc::new(leaf)) })
    }

    /// The indexed document of a history.
    pub(in crate::memory) fn history_leaf(&self, session: &SessionId, value: &Json, vector: &[u8]) -> Option<Leaf> {
        let history = read_history(value)?;
        let (id, name) = (format!("{}:{session}", history.number), history.name());
        self.talk_leaf(&Talk {
            kind: DocKind::History,
            id: &id,
            seq: u64::try_from(value.get("seq").as_i64()?).ok()?,
            namespace: DIALOG,
            tags: &[],
            session: Some(session),
            agent: None,
            speaker: Some(Role::System.as_str()),
            voice: Voice::Other,
            source: Some(&name),
            said: &history.text,
            at: history.created_at,
            trust: history.trust,
            vector,
        })
    }

    /// The place of the first message of low trust in a session, such as a tool result. After it, the assistant may
    /// repeat what it has read there.
    pub(in crate::memory) async fn low_from(&self, session: &SessionId) -> Result<Option<u64>, Error> {
        self.load_shelf().await?;
        Ok(self.with_shelf(|shelf| {
            let low = shelf
                .index
                .distrusted(session.as_str(), Trust::Low as u8)
                .filter(|found| matches!(found.kind, DocKind::Message | DocKind::ToolTraffic));
            low.filter_map(|found| place_of(found.id)).map(|(_, place)| place).min()
        }))
    }

    /// The indexed document of a message or a stored value.
    pub(super) fn talk_leaf(&self, talk: &Talk<'_>) -> Option<Leaf> {
        if talk.said.trim().is_empty() {
            return None;
        }
        let summary = text::summarize(talk.said, SUMMARY_CHARS);
        let decompose = |text: &str| self.inner.env.decompose(text);
        let (content, short) = (decompose(talk.said), decompose(&summary));
        let speaker = decompose(talk.speaker.unwrap_or(""));
        let tags: Vec<String> = talk.tags.iter().map(|tag| decompose(tag)).collect();
        Some(Leaf::of_doc(&Doc {
            seq: talk.seq,
            kind: talk.kind,
            id: talk.id,
            namespace: talk.namespace,
            summary: &summary,
            tags: talk.tags,
            importance: Importance::default(),
            created_at: talk.at,
            expires_at: Timestamp::MAX,
            at: talk.at,
            valid: None,
            session: talk.session.map(SessionId::as_str),
            agent: talk.agent,
            speaker: talk.speaker,
            voice: talk.voice,
            source: talk.source,
            trust: talk.trust as u8,
            key: None,
            metadata: &Metadata::default(),
            vector: talk.vector,
            text: Text { content: &content, summary: &short, tags: &tags, speaker: &speaker },
        }))
    }
}

impl History {
    /// `history-001` (C13).
    pub fn name(&self) -> String {
        format!("history-{:03}", self.number)
    }

    /// The number of messages that it replaces.
    pub fn messages(&self) -> u64 {
        self.spans.iter().map(|(from, to)| to - from + 1).sum()
    }
}

pub(in crate::memory) fn read_history(value: &Json) -> Option<History> {
    let number = |value: &Json| u64::try_from(value.as_i64()?).ok();
    let span = |span: &Json| match span.as_array()? {
        [from, to] => Some((number(from)?, number(to)?)),
        _ => None,
    };
    Some(History {
        number: u32::try_from(number(value.get("number"))?).ok()?,
        text: value.get("text").as_str()?.to_owned(),
        tokens: u32::try_from(number(value.get("tokens"))?).ok()?,
        spans: value.get("spans").as_array()?.iter().map(span).collect::<Option<Vec<_>>>()?,
        created_at: Timestamp::from_millis("at", value.get("at").as_i64()?).ok()?,
        trust: value.get("trust").as_str().map_or(Ok(Trust::Normal), |word| Trust::new("trust", word)).ok()?,
    })
}

/// The trust in a message by itself: the content of a tool result comes from strangers (S1), in any role.
pub(in crate::memory) fn trust_of(message: &Message) -> Trust {
    if message.role == Role::Tool || message.answers().next().is_some() { Trust::Low } else { Trust::Normal }
}

/// The speaker of a role. System and tool messages have none.
fn voice_of(role: Role) -> Voice {
    match role {
        Role::User => Voice::User,
        Role::Assistant => Voice::Assistant,
        Role::System | Role::Tool => Voice::Other,
    }
}
