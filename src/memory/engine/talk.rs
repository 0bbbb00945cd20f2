//! Messages and histories in their stored form, and their indexed documents.

use super::keys::{Named, place_of};
use super::plan::Said;
use super::slices::READ;
use super::state::{Batch, DocChange, Leaf};
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
#[non_exhaustive]
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
        let mut change = None;
        let mut index = |talk: &Talk<'_>| {
            let leaf = self.talk_leaf(talk).map(Rc::new);
            change = leaf.map(|leaf| DocChange { kind: talk.kind, id: talk.id.to_owned(), leaf: Some(leaf) });
        };
        self.read_talk(key, bytes, vector, &mut index).await?;
        Ok(change)
    }

    /// The summary of a stored message or history, as the index has it.
    pub(in crate::memory) async fn summary_of_talk(&self, key: &Key, bytes: &[u8]) -> Result<String, Error> {
        let mut summary = String::new();
        self.read_talk(key, bytes, &[], &mut |talk| summary = talk.summary()).await?;
        Ok(summary)
    }

    /// Calls `see` with a stored message or history, as it is indexed.
    pub(super) async fn read_talk(
        &self,
        key: &Key,
        bytes: &[u8],
        vector: &[u8],
        see: &mut dyn FnMut(&Talk<'_>),
    ) -> Result<(), Error> {
        match &self.inner.keys.named_of(key) {
            Some(Named::Message(session, place)) => {
                let stored = StoredMessage::decode(bytes)?;
                let own = self.own_answers(session, *place, &stored.message).await?;
                message_talk(session, None, &stored, &own, vector, see);
            }
            Some(Named::History(session, _)) => {
                history_talk(session, &Beside::decode(Kind::History, bytes)?, vector, see);
            }
            Some(named) => self.kept_talk(named, bytes, see)?,
            None => {}
        }
        Ok(())
    }

    /// Indexes a message that is being written. Returns the number of its bytes.
    pub(super) fn index_said(&self, said: &Said, batch: &mut Batch, docs: &mut Vec<DocChange>) -> usize {
        let Said { session, agent, stored, own } = said;
        let mut bytes = 0;
        message_talk(session, agent.as_ref(), stored, own, &[], &mut |talk| {
            bytes = talk.said.len();
            self.write_talk(talk, &mut |doc| batch.push(doc, docs));
        });
        bytes
    }

    /// The indexed document of a history.
    pub(in crate::memory) fn history_leaf(&self, session: &SessionId, value: &Json, vector: &[u8]) -> Option<Leaf> {
        let mut leaf = None;
        history_talk(session, value, vector, &mut |talk| leaf = self.talk_leaf(talk));
        leaf
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
        let mut leaf = None;
        self.write_talk(talk, &mut |doc| leaf = Some(Leaf::of_doc(doc)));
        leaf
    }

    /// Calls `write` with the document of a message or a stored value, unless it has no words.
    pub(super) fn write_talk(&self, talk: &Talk<'_>, write: &mut dyn FnMut(&Doc<'_>)) {
        if talk.said.trim().is_empty() {
            return;
        }
        let summary = talk.summary();
        let decompose = |text: &str| self.decomposed(text);
        let (content, short) = (decompose(talk.said), decompose(&summary));
        let speaker = decompose(talk.speaker.unwrap_or(""));
        let tags: Vec<String> = talk.tags.iter().map(|tag| decompose(tag)).collect();
        write(&Doc {
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
        });
    }
}

impl Talk<'_> {
    fn summary(&self) -> String {
        text::summarize(self.said, SUMMARY_CHARS)
    }
}

/// Calls `see` with a message as it is indexed.
fn message_talk(
    session: &SessionId,
    agent: Option<&AgentId>,
    stored: &StoredMessage,
    own: &[String],
    vector: &[u8],
    see: &mut dyn FnMut(&Talk<'_>),
) {
    let message = &stored.message;
    let (kind, said) = indexed_text(message, own);
    see(&Talk {
        kind,
        id: &format!("{}:{session}", stored.place),
        seq: stored.seq,
        namespace: DIALOG,
        tags: &[],
        session: Some(session),
        agent: agent.map(AgentId::as_str),
        speaker: Some(message.name.as_deref().unwrap_or(message.role.as_str())),
        voice: voice_of(message.role),
        source: Some(message.id.as_str()),
        said: &said,
        at: message.at,
        trust: trust_of(message),
        vector,
    });
}

/// Calls `see` with a history as it is indexed, if it is one.
fn history_talk(session: &SessionId, value: &Json, vector: &[u8], see: &mut dyn FnMut(&Talk<'_>)) {
    let seq = value.get("seq").as_i64().and_then(|seq| u64::try_from(seq).ok());
    let Some((history, seq)) = read_history(value).zip(seq) else { return };
    see(&Talk {
        kind: DocKind::History,
        id: &format!("{}:{session}", history.number),
        seq,
        namespace: DIALOG,
        tags: &[],
        session: Some(session),
        agent: None,
        speaker: Some(Role::System.as_str()),
        voice: Voice::Other,
        source: Some(&history.name()),
        said: &history.text,
        at: history.created_at,
        trust: history.trust,
        vector,
    });
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
