//! New entries: a draft, and its addition to a memory.

use super::entries::EntryWithContent;
use super::given::{Given, When, millis};
use super::{DefaultEnv, LocalFuture, Memory};
use crate::memory::{self as core, Env, Error};
use crate::model::{
    self, AgentId, Embedding, Entry, EntryId, FactKey, Importance, Invalid, Json, Metadata, SecretRule, SessionId,
    Speaker, Tags, Trust,
};
use crate::store::Store;
use std::time::Duration;

/// A new entry. A string is one too: `memory.add("Tea at four")`.
///
/// ```
/// use keepsake::{Draft, LongTerm, MemStore, Memory};
///
/// # fn main() -> Result<(), keepsake::Error> {
/// # futures::executor::block_on(async {
/// # let memory = Memory::open(MemStore::new(), "u-42").await?;
/// let keys = Draft::new("Deploy keys rotate on Mondays").namespace(LongTerm).tags(["ops", "keys"]);
/// let added = memory.add_many([keys, "Tea at four".into()]).await?;
/// assert_eq!(added.len(), 2);
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a draft is stored by `add` or `add_many`"]
pub struct Draft(Given<model::Draft>);

/// Adds an entry; see [`Memory::add`].
#[derive(Debug)]
#[must_use = "an entry is added when this is awaited"]
pub struct Add<S, E = DefaultEnv> {
    memory: core::Memory<S, E>,
    draft: Draft,
}

/// The options of an entry, for a draft and for its addition.
macro_rules! options {
    () => {
        /// The namespace, such as [`LongTerm`](crate::LongTerm) or a name of the settings. Default: `short-term`, where
        /// an entry expires after 14 days.
        pub fn namespace(self, namespace: impl Into<String>) -> Self {
            self.edit(|draft| draft.namespace = Some(namespace.into()))
        }

        /// Adds a tag to filter by.
        pub fn tag(self, tag: impl Into<String>) -> Self {
            self.tags([tag])
        }

        /// Adds tags to filter by: at most 64, of 1 to 256 bytes.
        pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
            self.change(|given| {
                let mut all = given.value.tags.as_slice().to_vec();
                all.extend(tags.into_iter().map(Into::into));
                given.set(Tags::new("tags", all), |draft, tags| draft.tags = tags);
            })
        }

        /// The importance, from 0 to 1. Default: 0.
        pub fn importance(self, importance: f64) -> Self {
            self.set(Importance::new("importance", importance), |draft, importance| draft.importance = importance)
        }

        /// The summary. Default: the beginning of the content.
        pub fn summary(self, summary: impl Into<String>) -> Self {
            self.edit(|draft| draft.summary = Some(summary.into()))
        }

        /// The app's own id. Default: a random one.
        pub fn id(self, id: impl Into<String>) -> Self {
            self.set(EntryId::new("id", id), |draft, id| draft.id = Some(id))
        }

        /// The subject of a fact: an entry with the same key is replaced, and its history kept.
        pub fn key(self, key: impl Into<String>) -> Self {
            self.set(FactKey::new("key", key), |draft, key| draft.key = Some(key))
        }

        /// The source, in words.
        pub fn source(self, source: impl Into<String>) -> Self {
            self.edit(|draft| draft.source = Some(source.into()))
        }

        /// The app's own data: a JSON object.
        pub fn metadata(self, metadata: impl Into<Json>) -> Self {
            self.set(Metadata::new("metadata", metadata.into()), |draft, metadata| draft.metadata = metadata)
        }

        /// The lifetime, if not that of the namespace.
        pub fn ttl(self, ttl: Duration) -> Self {
            self.edit(|draft| draft.ttl_millis = Some(millis(ttl)))
        }

        /// The conversation.
        pub fn session(self, session: impl Into<String>) -> Self {
            self.set(SessionId::new("session", session), |draft, session| draft.session = Some(session))
        }

        /// The writing agent.
        pub fn agent(self, agent: impl Into<String>) -> Self {
            self.set(AgentId::new("agent", agent), |draft, agent| draft.agent = Some(agent))
        }

        /// The speaker: a person's name, or a role.
        pub fn speaker(self, speaker: impl Into<String>) -> Self {
            self.set(Speaker::new("speaker", speaker), |draft, speaker| draft.speaker = Some(speaker))
        }

        /// The time of the event. Default: now.
        pub fn at(self, at: impl Into<When>) -> Self {
            self.set(at.into().timestamp("at"), |draft, at| draft.at = Some(at))
        }

        /// The time from which it is true. Default: always.
        pub fn valid_from(self, from: impl Into<When>) -> Self {
            self.set(from.into().timestamp("validFrom"), |draft, from| draft.valid_from = Some(from))
        }

        /// The time from which it is no longer true. Default: never.
        pub fn valid_until(self, until: impl Into<When>) -> Self {
            self.set(until.into().timestamp("validUntil"), |draft, until| draft.valid_until = Some(until))
        }

        /// The entry that it replaces, which is in the past from then on.
        pub fn replaces(self, id: impl Into<String>) -> Self {
            self.set(EntryId::new("replaces", id), |draft, id| draft.replaces = Some(id))
        }

        /// When it was first stored. Default: now.
        pub fn created_at(self, at: impl Into<When>) -> Self {
            self.set(at.into().timestamp("createdAt"), |draft, at| draft.created_at = Some(at))
        }

        /// The trust in it. Default: [`Trust::Normal`].
        pub fn trust(self, trust: Trust) -> Self {
            self.edit(|draft| draft.trust = trust)
        }

        /// Makes a new entry even if long-term memory has the same statement.
        pub fn keep_duplicates(self) -> Self {
            self.edit(|draft| draft.keeps_duplicates = true)
        }

        /// The rule for secrets in its text. Default: they are kept.
        pub fn secrets(self, rule: SecretRule) -> Self {
            self.edit(|draft| draft.secrets = Some(rule))
        }

        /// The embedding of its content, by the app's model.
        pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
            self.set(Embedding::new("embedding", embedding.into()), |draft, made| draft.embedding = Some(made))
        }

        fn edit(self, change: impl FnOnce(&mut model::Draft)) -> Self {
            self.change(|given| change(&mut given.value))
        }

        fn set<V>(self, made: Result<V, Invalid>, put: impl FnOnce(&mut model::Draft, V)) -> Self {
            self.change(|given| given.set(made, put))
        }
    };
}

impl Draft {
    /// A draft of this content.
    pub fn new(content: impl Into<String>) -> Self {
        model::Draft { content: content.into(), ..model::Draft::default() }.into()
    }

    options!();

    fn change(mut self, change: impl FnOnce(&mut Given<model::Draft>)) -> Self {
        change(&mut self.0);
        self
    }

    pub(super) fn checked(self) -> Result<model::Draft, Invalid> {
        self.0.invalid()?;
        Ok(self.0.value)
    }
}

impl<S, E> Add<S, E> {
    options!();

    fn change(mut self, change: impl FnOnce(&mut Given<model::Draft>)) -> Self {
        self.draft = self.draft.change(change);
        self
    }
}

impl<S: Store + 'static, E: Env + 'static> IntoFuture for Add<S, E> {
    type Output = Result<Entry, Error>;
    type IntoFuture = LocalFuture<Entry>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.memory.add(self.draft.checked()?).await })
    }
}

impl From<model::Draft> for Draft {
    fn from(draft: model::Draft) -> Self {
        Self(Given::new(draft))
    }
}

impl From<&str> for Draft {
    fn from(content: &str) -> Self {
        Self::new(content)
    }
}

impl From<String> for Draft {
    fn from(content: String) -> Self {
        Self::new(content)
    }
}

/// An entry as a draft, with its id and times: for a copy in another memory.
impl From<EntryWithContent> for Draft {
    fn from(EntryWithContent { entry, content }: EntryWithContent) -> Self {
        model::Draft {
            content,
            summary: Some(entry.summary),
            id: Some(entry.id),
            namespace: Some(entry.namespace.to_string()),
            tags: entry.tags,
            importance: entry.importance,
            source: entry.source,
            metadata: entry.metadata,
            key: entry.key,
            session: entry.session,
            agent: entry.agent,
            speaker: entry.speaker,
            at: Some(entry.at),
            valid_from: entry.valid_from,
            valid_until: entry.valid_until,
            created_at: Some(entry.created_at),
            trust: entry.trust,
            ..model::Draft::default()
        }
        .into()
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Adds an entry. Returns it as stored.
    ///
    /// ```
    /// use keepsake::{LongTerm, MemStore, Memory};
    ///
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let entry = memory.add("Deploy keys rotate on Mondays").namespace(LongTerm).tag("ops").importance(0.7).await?;
    /// assert_eq!(entry.namespace.as_str(), "long-term");
    ///
    /// let refused = memory.add("too important").importance(2.0).await.unwrap_err();
    /// assert_eq!(refused.field(), Some("importance"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn add(&self, draft: impl Into<Draft>) -> Add<S, E> {
        Add { memory: self.core.clone(), draft: draft.into() }
    }

    /// Adds entries in one commit, all or none.
    pub async fn add_many<D: Into<Draft>>(&self, drafts: impl IntoIterator<Item = D>) -> Result<Vec<Entry>, Error> {
        let checked = drafts
            .into_iter()
            .enumerate()
            .map(|(at, draft)| draft.into().checked().map_err(|mistake| mistake.within(&format!("drafts[{at}]"))));
        self.core.add_many(checked.collect::<Result<_, _>>()?).await
    }
}
