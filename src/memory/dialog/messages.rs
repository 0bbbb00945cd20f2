//! Conversations: messages in order, the window on them, and their sessions.

use super::session_record::UNWRITTEN;
use crate::codec::{Beside, Frame, Kind, SessionRecord, StoredMessage};
use crate::context::prompt::spoken;
use crate::context::stored;
use crate::log::Change;
use crate::memory::engine::derived;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::{Plan, Said};
use crate::memory::engine::slices::{READ, RECORD};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{AgentId, Invalid, Json, Message, MessageDraft, MessageId, SessionId};
use crate::store::{Durability, Key, Op, Space, Store};
use crate::text::{self};

/// Some backends refuse larger values. Larger content belongs elsewhere, with its address here.
const MAX_MESSAGE_BYTES: usize = 1_000_000;

/// States of components may be nested as deep as messages.
const MAX_COMPONENT_DEPTH: usize = 64;

/// The most messages by which a window is extended if it begins inside a tool pair.
const MOST_BEFORE: u64 = 128;

/// The most attempts to read a window while other programs write to its session.
const MOST_TRIES: u32 = 8;

/// The number of messages per read by place.
const PLACES: usize = 256;

/// A session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its id.
    pub id: SessionId,
    /// Its record.
    pub record: SessionRecord,
}

/// A part of a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Window {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The number of messages of the session.
    pub total: u64,
    /// The number of messages before these.
    pub before: u64,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Appends messages to a session, all or none. Returns them as stored, with ids and times.
    pub async fn append(
        &self,
        session: &SessionId,
        agent: Option<&AgentId>,
        drafts: &[MessageDraft],
    ) -> Result<Vec<Message>, Error> {
        check_content(drafts)?;
        if drafts.is_empty() {
            self.check_open()?;
            return Ok(Vec::new());
        }
        self.write_together(async |plan: &mut Plan| {
            let known = self.record_in(plan, session).await?;
            let complete = known.as_ref().map(|known| known.count / UNWRITTEN);
            let mut record = known.unwrap_or_else(|| SessionRecord::new(plan.now));
            let same_agent = agent.is_none_or(|agent| record.agent.as_ref() == Some(agent));
            record.agent = agent.cloned().or(record.agent);
            let mut messages: Vec<Message> = Vec::with_capacity(drafts.len());
            for (at, draft) in drafts.iter().enumerate() {
                if let Some(id) = &draft.id {
                    let is_free = plan.claim('m', &format!("{session}/{id}"));
                    if !is_free || self.place_of_message(session, &record, id).await?.is_some() {
                        return Err(Error::AlreadyExists { field: format!("messages[{at}].id") });
                    }
                }
                messages.push(self.plan_draft(plan, session, &mut record, (at, draft)).await?);
                self.breathe(RECORD).await;
            }
            // The record can be derived from the messages, except for the agent, and for the time if messages have
            // another one.
            let told = same_agent && record.updated_at == plan.now;
            if told && complete == Some(record.count / UNWRITTEN) {
                plan.set_session(session, record);
            } else {
                self.plan_session(plan, session, record, false)?;
            }
            self.plan_note(plan, || Json::Array(messages.iter().map(|message| message.id.as_str().into()).collect()))?;
            Ok(messages)
        })
        .await
    }

    /// Adds a message that has no id and no time yet to a plan: the one at this index of an array.
    pub(super) async fn plan_draft(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        record: &mut SessionRecord,
        (at, draft): (usize, &MessageDraft),
    ) -> Result<Message, Error> {
        let message = draft.clone().into_message(self.message_id(record.count)?, plan.now);
        let size = self.plan_message(plan, session, record, message.clone(), draft.id.is_some()).await?;
        if size > MAX_MESSAGE_BYTES {
            return Err(Invalid::too_large(format!("messages[{at}]"), MAX_MESSAGE_BYTES, size).into());
        }
        Ok(message)
    }

    /// Adds a message to a plan. Returns its size in bytes.
    async fn plan_message(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        record: &mut SessionRecord,
        message: Message,
        named: bool,
    ) -> Result<usize, Error> {
        let place = record.count;
        if named {
            let pointer = Frame::seal(Kind::Message, &place.to_be_bytes());
            plan.ops.push(Op::Put(Space::Records, self.inner.keys.message_id(session, &message.id), pointer));
        }
        let own = self.own_answers(session, place, &message).await?;
        let tokens = self.count_tokens(&spoken(&message));
        let stored = StoredMessage { seq: plan.last_seq() + 1, place, tokens, message };
        record.follow(&stored);
        let said = Said { session: session.clone(), agent: record.agent.clone(), stored, own };
        Ok(plan.say(said, self.entropy()?))
    }

    /// Adds a session record to a plan. If the plan has no other link of the session, `link` adds one.
    pub(in crate::memory) fn plan_session(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        mut record: SessionRecord,
        link: bool,
    ) -> Result<(), Error> {
        record.updated_at = plan.now;
        let named = Named::Session(session.clone());
        let bytes = record.encode(self.entropy()?);
        if link {
            plan.put_named(Change::Update, &named, bytes, None);
        } else {
            plan.put_again(self.inner.keys.named(&named), bytes);
        }
        plan.set_session(session, record);
        Ok(())
    }

    /// An id for the message at `place`. The id contains the place, so no mapping has to be stored.
    fn message_id(&self, place: u64) -> Result<MessageId, Error> {
        let [a, b, c] = self.entropy()?;
        Ok(MessageId::new("id", format!("{place}-{a:02x}{b:02x}{c:02x}"))?)
    }

    /// The number of tokens of a text.
    pub fn count_tokens(&self, text: &str) -> u32 {
        let key = derived::key(text, 0);
        let known = self.inner.derived.borrow().tokens(key);
        known.unwrap_or_else(|| {
            let tokenizer = self.inner.config.tokenizer;
            let own = || text::count_tokens_of(tokenizer, text);
            let tokens = self.inner.env.count_tokens(text).unwrap_or_else(own);
            self.inner.derived.borrow_mut().keep_tokens(key, tokens);
            tokens
        })
    }

    /// The last `limit` messages of a session, or the last ones before `before`; a few more if they would begin between
    /// a tool call and its result.
    pub async fn messages(&self, session: &SessionId, limit: u64, before: Option<&MessageId>) -> Result<Window, Error> {
        let mut tries = 0;
        let (record, end, mut start, mut messages) = loop {
            let Some(record) = self.session_record(session).await? else { return Ok(Window::default()) };
            let end = match before {
                Some(id) => self.place_of_message(session, &record, id).await?.ok_or(Error::NO_MESSAGE)?,
                None => record.count,
            };
            let start = end.saturating_sub(limit);
            // Reading one more than there are detects a write between the two reads. The session may have been deleted
            // and started again: a part of its new messages must not look like the whole.
            let mut messages = self.read_messages(session, start, end + u64::from(before.is_none())).await?;
            if messages.len() as u64 == end - start || before.is_some() || tries == MOST_TRIES {
                messages.truncate((end - start) as usize);
                break (record, end, start, messages);
            }
            tries += 1;
        };
        let (asked, least) = (messages.len(), start.saturating_sub(MOST_BEFORE));
        while limit > 0 && start > least && begins_inside_a_pair(&messages) {
            let earlier = start.saturating_sub(8).max(least);
            messages.splice(0..0, self.read_messages(session, earlier, start).await?);
            start = earlier;
        }
        // If the call is not found nearby, the result has none: drop the extra messages.
        if begins_inside_a_pair(&messages) {
            messages.drain(..messages.len() - asked);
        }
        let messages: Vec<Message> = messages.into_iter().map(|stored| stored.message).collect();
        Ok(Window { before: end - messages.len() as u64, total: record.count, messages })
    }

    /// One message of a session.
    pub async fn message(&self, session: &SessionId, id: &MessageId) -> Result<Option<Message>, Error> {
        let Some(record) = self.session_record(session).await? else { return Ok(None) };
        let Some(place) = self.place_of_message(session, &record, id).await? else { return Ok(None) };
        Ok(self.read_messages(session, place, place + 1).await?.pop().map(|stored| stored.message))
    }

    /// A session with its record, if it exists.
    pub async fn session(&self, session: &SessionId) -> Result<Option<SessionInfo>, Error> {
        let record = self.session_record(session).await?;
        Ok(record.map(|record| SessionInfo { id: session.clone(), record }))
    }

    /// All sessions, the most recently used first.
    pub async fn sessions(&self) -> Result<Vec<SessionInfo>, Error> {
        self.check_open()?;
        let mut stored = Vec::new();
        for (key, bytes) in self.all(Space::Records, self.inner.keys.sessions()).await? {
            if let Some(Named::Session(id)) = self.inner.keys.named_of(&key) {
                stored.push((id, SessionRecord::decode(&bytes)?));
            }
        }
        self.check_found(!stored.is_empty()).await?;
        let mut sessions: Vec<SessionInfo> = Vec::new();
        for (id, record) in self.followed(stored).await? {
            let newer = |known: &SessionInfo| known.record.updated_at > record.updated_at;
            let place = sessions.partition_point(newer);
            sessions.insert(place, SessionInfo { id, record });
        }
        Ok(sessions)
    }

    /// Sets the title of a session.
    pub async fn set_title(&self, session: &SessionId, title: &str) -> Result<SessionInfo, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut record = self.planned_record(session).await?.ok_or(Error::NO_SESSION)?;
            record.title = Some(title.to_owned());
            record.updated_at = plan.now;
            self.plan_session(plan, session, record.clone(), true)?;
            self.plan_note(plan, || true.into())?;
            Ok(SessionInfo { id: session.clone(), record })
        })
        .await
    }

    /// Copies a session up to and including a message. The copy is not compressed; hidden messages are hidden in both.
    pub async fn fork(&self, session: &SessionId, at: &MessageId, to: &SessionId) -> Result<SessionInfo, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let origin = self.planned_record(session).await?.ok_or(Error::NO_SESSION)?;
            if self.planned_record(to).await?.is_some() {
                return Err(Error::AlreadyExists { field: "to".to_owned() });
            }
            let last = self.place_of_message(session, &origin, at).await?.ok_or(Error::NO_MESSAGE)?;
            let mut record = SessionRecord {
                title: origin.title,
                agent: origin.agent,
                forked_from: Some((session.clone(), at.clone())),
                ..SessionRecord::new(plan.now)
            };
            let hidden = self.hidden_until(session, last).await?;
            for stored in self.read_messages(session, 0, last + 1).await? {
                let named = generated_place(&stored.message.id) != Some(stored.place);
                let size = self.plan_message(plan, to, &mut record, stored.message, named).await?;
                self.report(record.count as usize, last as usize + 1);
                self.breathe(RECORD + size).await;
                if hidden.iter().any(|item| item.covers(stored.place)) {
                    record.items -= 1;
                    record.tokens -= u64::from(stored.tokens);
                }
            }
            if !hidden.is_empty() {
                let bytes = Beside::encode(Kind::View, &stored::write(&hidden), self.entropy()?);
                plan.put_beside(self.inner.keys.view(to), bytes);
            }
            self.plan_session(plan, to, record.clone(), false)?;
            Ok(SessionInfo { id: to.clone(), record })
        })
        .await
    }

    /// Stores the states of an app's components with a session: an object, no deeper than can be read again.
    pub async fn save_components(&self, session: &SessionId, components: &Json) -> Result<(), Error> {
        if !matches!(components, Json::Object(_)) {
            return Err(Invalid::value("components", "must be an object").into());
        }
        if components.depth() > MAX_COMPONENT_DEPTH {
            return Err(Invalid::value("components", "must be nested at most 64 levels deep").into());
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let value = Json::object(vec![
                ("sessionId", session.as_str().into()),
                ("components", components.clone()),
                ("timestamp", plan.now.to_string().into()),
            ]);
            let bytes = Beside::encode(Kind::Components, &value, self.entropy()?);
            plan.put_beside(self.inner.keys.components(session), bytes);
            Ok(())
        })
        .await
    }

    /// The component states of a session, in the documented format (E20).
    pub async fn components(&self, session: &SessionId) -> Result<Option<Json>, Error> {
        self.check_open()?;
        let found = self.fetch_one(Space::Records, self.inner.keys.components(session)).await?;
        let bytes = found;
        Ok(bytes.map(|bytes| Beside::decode(Kind::Components, &bytes)).transpose()?)
    }

    /// Messages of no session, from drafts.
    pub(crate) fn said(&self, drafts: Vec<MessageDraft>) -> Result<Vec<Message>, Error> {
        let now = self.now()?;
        let message = |(at, draft): (usize, MessageDraft)| {
            Ok(draft.into_message(MessageId::new("id", format!("message-{at}"))?, now))
        };
        drafts.into_iter().enumerate().map(message).collect()
    }

    /// The place of a message in its session.
    pub(super) async fn place_of_message(
        &self,
        session: &SessionId,
        record: &SessionRecord,
        id: &MessageId,
    ) -> Result<Option<u64>, Error> {
        if let Some(place) = generated_place(id).filter(|place| *place < record.count) {
            let found = self.read_messages(session, place, place + 1).await?;
            if found.first().is_some_and(|stored| stored.message.id == *id) {
                return Ok(Some(place));
            }
        }
        let found = self.fetch_one(Space::Records, self.inner.keys.message_id(session, id)).await?;
        let Some(bytes) = found else { return Ok(None) };
        let pointer = Frame::open(Kind::Message, &bytes)?.payload.try_into();
        Ok(pointer.ok().map(u64::from_be_bytes).filter(|place| *place < record.count))
    }

    /// The messages of a session at these places, in few reads; missing ones are skipped.
    pub(in crate::memory) async fn read_places(
        &self,
        session: &SessionId,
        places: &[u64],
    ) -> Result<Vec<StoredMessage>, Error> {
        // Consecutive places, the usual case, are one range.
        if let [first, .., last] = places
            && places.windows(2).all(|two| two[0] + 1 == two[1])
        {
            return self.read_messages(session, *first, last + 1).await;
        }
        let key = |place: &u64| self.inner.keys.named(&Named::Message(session.clone(), *place));
        let keys: Vec<Key> = places.iter().map(key).collect();
        let mut messages = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(PLACES) {
            for bytes in self.fetch(Space::Records, chunk).await?.into_iter().flatten() {
                messages.push(StoredMessage::decode(&bytes)?);
                self.breathe(READ + bytes.len() / 8).await;
            }
        }
        Ok(messages)
    }
}

/// The place in a generated message id.
pub(in crate::memory) fn generated_place(id: &MessageId) -> Option<u64> {
    id.as_str().split_once('-')?.0.parse().ok()
}

/// Refuses messages without content.
pub(in crate::memory) fn check_content(drafts: &[MessageDraft]) -> Result<(), Invalid> {
    let empty = drafts.iter().position(|draft| draft.content.is_empty());
    let refused = |at| Err(Invalid::value(format!("messages[{at}].content"), "must not be empty"));
    empty.map_or(Ok(()), refused)
}

/// Whether the first messages answer calls that are not among them.
pub(in crate::memory) fn begins_inside_a_pair(messages: &[StoredMessage]) -> bool {
    let called = |id: &str| messages.iter().any(|stored| stored.message.calls().any(|call| call == id));
    messages.iter().any(|stored| stored.message.answers().any(|id| !called(id)))
}
