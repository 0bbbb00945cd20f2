//! Conversations: their messages, their view and their title.

use super::given::{Content, When};
use super::{DefaultEnv, Memory, call};
use crate::memory::{self as core, Env, Error, History, SessionInfo, ViewItem, Window};
use crate::model::{AgentId, Invalid, Json, Message, MessageDraft, MessageId, Metadata, Role, SessionId};
use crate::store::Store;

/// A conversation. It needs no creation: the first message stores it. A clone is the same conversation.
///
/// ```
/// use keepsake::{MemStore, Memory, Role};
///
/// # fn main() -> Result<(), keepsake::Error> {
/// # futures::executor::block_on(async {
/// let memory = Memory::open(MemStore::new(), "u-42").await?;
/// let chat = memory.session("s-1");
/// chat.append(Role::User, "When do we deploy?").await?;
/// chat.append(Role::Assistant, "On Tuesdays.").await?;
///
/// let context = chat.context().budget(4_000).await?;
/// assert_eq!(context.messages.len(), 2);
/// # Ok(())
/// # })
/// # }
/// ```
///
/// Nothing runs in the background: call [`Session::compress`] after a reply. It costs next to nothing while the
/// conversation is short.
#[derive(Debug)]
pub struct Session<S, E = DefaultEnv> {
    pub(super) memory: core::Memory<S, E>,
    id: Result<SessionId, Invalid>,
    agent: Option<Result<AgentId, Invalid>>,
}

impl<S, E> Clone for Session<S, E> {
    fn clone(&self) -> Self {
        Self { memory: self.memory.clone(), id: self.id.clone(), agent: self.agent.clone() }
    }
}

/// A new message, its session and the agent that it is stored for.
#[derive(Debug)]
pub(super) struct Appended {
    session: SessionId,
    agent: Option<AgentId>,
    draft: MessageDraft,
}

call! {
    /// Appends a message; see [`Session::append`].
    Append(Result<Appended, Invalid>) -> Message, |memory, given| {
        let Appended { session, agent, draft } = given?;
        let kept = memory.append(&session, agent.as_ref(), &[draft]).await?;
        // One draft was stored, so there is one message.
        kept.into_iter().next().ok_or(Error::NO_MESSAGE)
    }
}

impl<S, E> Append<S, E> {
    /// The app's own id, unique within the conversation. Default: a random one.
    pub fn id(self, id: impl Into<String>) -> Self {
        self.set(MessageId::new("id", id), |given, id| with(given, |draft| draft.id = Some(id)))
    }

    /// The name of its author, if the role is not enough.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.edit(|given| with(given, |draft| draft.name = Some(name.into())))
    }

    /// Its time. Default: now.
    pub fn at(self, at: impl Into<When>) -> Self {
        self.set(at.into().timestamp("at"), |given, at| with(given, |draft| draft.at = Some(at)))
    }

    /// Keeps it in the window however long the conversation grows.
    pub fn pinned(self) -> Self {
        self.edit(|given| with(given, |draft| draft.pinned = true))
    }

    /// The app's own data: a JSON object.
    pub fn metadata(self, metadata: impl Into<Json>) -> Self {
        let metadata = Metadata::new("metadata", metadata.into());
        self.set(metadata, |given, metadata| with(given, |draft| draft.metadata = metadata))
    }
}

fn with(given: &mut Result<Appended, Invalid>, change: impl FnOnce(&mut MessageDraft)) {
    if let Ok(appended) = given {
        change(&mut appended.draft);
    }
}

call! {
    /// Reads messages; see [`Session::messages`].
    Messages((Result<SessionId, Invalid>, u64, Option<MessageId>)) -> Window, |memory, given| {
        let (session, limit, before) = given;
        memory.messages(&session?, limit, before.as_ref()).await
    }
}

impl<S, E> Messages<S, E> {
    /// The most messages. Default: 30.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|(_, most, _)| *most = limit as u64)
    }

    /// Only messages before this one: the first of the page after it.
    pub fn before(self, id: impl Into<String>) -> Self {
        self.set(MessageId::new("before", id), |(_, _, before), id| *before = Some(id))
    }
}

call! {
    /// Deletes a conversation; see [`Session::delete`].
    DeleteSession((Result<SessionId, Invalid>, bool)) -> u64, |memory, given| {
        let (session, keep_entries) = given;
        memory.delete_session(&session?, keep_entries).await
    }
}

impl<S, E> DeleteSession<S, E> {
    /// Keeps the entries that were recorded from it.
    pub fn keep_entries(self) -> Self {
        self.edit(|(_, keep)| *keep = true)
    }
}

impl<S, E> Session<S, E> {
    pub(super) fn new(memory: &core::Memory<S, E>, id: String) -> Self {
        Self { memory: memory.clone(), id: SessionId::new("session", id), agent: None }
    }

    /// The agent that messages are stored for, and whose policies and memories its prompts use.
    #[must_use]
    pub fn agent(self, agent: impl Into<String>) -> Self {
        Self { agent: Some(AgentId::new("agent", agent)), ..self }
    }

    /// The id, if it is valid; the calls of a session with an invalid one fail and say so.
    pub fn id(&self) -> Option<&SessionId> {
        self.id.as_ref().ok()
    }

    /// The id and the agent, checked.
    pub(super) fn named(&self) -> Result<(SessionId, Option<AgentId>), Invalid> {
        Ok((self.id.clone()?, self.agent.clone().transpose()?))
    }
}

impl<S: Store, E: Env> Session<S, E> {
    /// Appends a message. Its content is a string or [blocks](crate::Block). Returns it as stored, with its id.
    ///
    /// ```
    /// # use keepsake::{Block, MemStore, Memory, Role, types::BlockKind};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// # let chat = memory.session("s-1");
    /// chat.append(Role::User, "What is the weather in Hanoi?").name("Minh").await?;
    /// let args = r#"{ "city": "Hanoi" }"#.parse().unwrap();
    /// let call = BlockKind::ToolUse { id: "c-1".into(), name: "weather".into(), input: args };
    /// chat.append(Role::Assistant, call).await?;
    /// let result = BlockKind::ToolResult {
    ///     tool_use_id: "c-1".into(),
    ///     output: vec![Block::text("31 °C")],
    ///     is_error: false,
    /// };
    /// chat.append(Role::Tool, result).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn append(&self, role: Role, content: impl Into<Content>) -> Append<S, E> {
        let draft = MessageDraft::new(role, content.into().0);
        Append::new(&self.memory, self.named().map(|(session, agent)| Appended { session, agent, draft }))
    }

    /// Appends messages in one commit, all or none. Returns them as stored.
    pub async fn append_many(&self, messages: impl IntoIterator<Item = MessageDraft>) -> Result<Vec<Message>, Error> {
        let (session, agent) = self.named()?;
        let drafts: Vec<MessageDraft> = messages.into_iter().collect();
        self.memory.append(&session, agent.as_ref(), &drafts).await
    }

    /// The last messages, oldest first, and how many there are.
    pub fn messages(&self) -> Messages<S, E> {
        Messages::new(&self.memory, (self.id.clone(), 30, None))
    }

    /// The message with this id.
    pub async fn message(&self, id: impl Into<String>) -> Result<Option<Message>, Error> {
        let id = MessageId::new("id", id)?;
        self.memory.message(&self.id.clone()?, &id).await
    }

    /// What is stored about the conversation; `None` if nothing was said in it yet.
    pub async fn info(&self) -> Result<Option<SessionInfo>, Error> {
        self.memory.session(&self.id.clone()?).await
    }

    /// Sets its title.
    pub async fn set_title(&self, title: &str) -> Result<SessionInfo, Error> {
        self.memory.set_title(&self.id.clone()?, title).await
    }

    /// Copies the conversation up to a message into a new one.
    pub async fn fork(&self, at: impl Into<String>, to: impl Into<String>) -> Result<Self, Error> {
        let (at, to) = (MessageId::new("at", at)?, SessionId::new("to", to)?);
        self.memory.fork(&self.id.clone()?, &at, &to).await?;
        Ok(Self { id: Ok(to), ..self.clone() })
    }

    /// Erases the conversation, with the entries that were recorded from it. Returns the number of its messages.
    pub fn delete(&self) -> DeleteSession<S, E> {
        DeleteSession::new(&self.memory, (self.id.clone(), false))
    }

    /// The messages as a prompt sees them: some replaced by summaries.
    pub async fn view(&self) -> Result<Vec<ViewItem>, Error> {
        self.memory.session_view(&self.id.clone()?).await
    }

    /// The summaries that replace older messages in the view.
    pub async fn histories(&self) -> Result<Vec<History>, Error> {
        self.memory.histories(&self.id.clone()?).await
    }

    /// Hides messages, summaries or histories from the view. The log keeps them. Returns how many messages.
    pub async fn hide<T: Into<String>>(&self, refs: impl IntoIterator<Item = T>) -> Result<u64, Error> {
        let refs: Vec<String> = refs.into_iter().map(Into::into).collect();
        self.memory.hide(&self.id.clone()?, &refs).await
    }

    /// The ids of the hidden messages.
    pub async fn hidden(&self) -> Result<Vec<MessageId>, Error> {
        self.memory.hidden(&self.id.clone()?).await
    }

    /// Starts an empty view. The messages stay stored. Returns how many were in it.
    pub async fn clear_view(&self) -> Result<u64, Error> {
        self.memory.clear_view(&self.id.clone()?).await
    }

    /// Stores the state of an agent's parts with the conversation: a JSON object.
    pub async fn save_components(&self, components: impl Into<Json>) -> Result<(), Error> {
        self.memory.save_components(&self.id.clone()?, &components.into()).await
    }

    /// The stored state of an agent's parts.
    pub async fn load_components(&self) -> Result<Option<Json>, Error> {
        self.memory.components(&self.id.clone()?).await
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// All conversations.
    pub async fn sessions(&self) -> Result<Vec<SessionInfo>, Error> {
        self.core.sessions().await
    }
}
