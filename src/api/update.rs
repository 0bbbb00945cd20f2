//! Changes of an entry.

use super::given::{When, millis};
use super::{Memory, call};
use crate::memory::Env;
use crate::model::{Changes, Embedding, Entry, EntryId, Importance, Invalid, Json, Metadata, SecretRule, Tags, Trust};
use crate::store::Store;
use std::time::Duration;

call! {
    /// Updates an entry; see [`Memory::update`]. Options that are not set stay as they are.
    Update((Result<EntryId, Invalid>, Changes)) -> Entry, |memory, given| {
        let (id, changes) = given;
        memory.update(&id?, &changes).await
    }
}

impl<S, E> Update<S, E> {
    /// New content. Without a new summary, its beginning becomes the summary.
    pub fn content(self, content: impl Into<String>) -> Self {
        self.edit(|(_, changes)| changes.content = Some(content.into()))
    }

    /// A new summary.
    pub fn summary(self, summary: impl Into<String>) -> Self {
        self.edit(|(_, changes)| changes.summary = Some(summary.into()))
    }

    /// A new namespace.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|(_, changes)| changes.namespace = Some(namespace.into()))
    }

    /// New tags in place of all old ones.
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        let tags = Tags::new("tags", tags.into_iter().map(Into::into).collect());
        self.set(tags, |(_, changes), tags| changes.tags = Some(tags))
    }

    /// A new importance, from 0 to 1.
    pub fn importance(self, importance: f64) -> Self {
        let importance = Importance::new("importance", importance);
        self.set(importance, |(_, changes), importance| changes.importance = Some(importance))
    }

    /// A new source.
    pub fn source(self, source: impl Into<String>) -> Self {
        self.edit(|(_, changes)| changes.source = Some(source.into()))
    }

    /// New data of the app, in place of all old data: a JSON object.
    pub fn metadata(self, metadata: impl Into<Json>) -> Self {
        let metadata = Metadata::new("metadata", metadata.into());
        self.set(metadata, |(_, changes), metadata| changes.metadata = Some(metadata))
    }

    /// The lifetime from now on.
    pub fn ttl(self, ttl: Duration) -> Self {
        self.edit(|(_, changes)| changes.ttl_millis = Some(millis(ttl)))
    }

    /// The time from which it is true.
    pub fn valid_from(self, from: impl Into<When>) -> Self {
        self.set(from.into().timestamp("validFrom"), |(_, changes), from| changes.valid_from = Some(from))
    }

    /// The time from which it is no longer true.
    pub fn valid_until(self, until: impl Into<When>) -> Self {
        self.set(until.into().timestamp("validUntil"), |(_, changes), until| changes.valid_until = Some(until))
    }

    /// The trust in it, if it is lower than before; [`Memory::promote`] raises it.
    pub fn trust(self, trust: Trust) -> Self {
        self.edit(|(_, changes)| changes.trust = Some(trust))
    }

    /// The rule for secrets in the new text. Default: they are kept.
    pub fn secrets(self, rule: SecretRule) -> Self {
        self.edit(|(_, changes)| changes.secrets = Some(rule))
    }

    /// The embedding of the new content. New content without one loses the old embedding.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        let embedding = Embedding::new("embedding", embedding.into());
        self.set(embedding, |(_, changes), embedding| changes.embedding = Some(embedding))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Updates an entry. Returns its new version; [`Memory::history`] has the old ones.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let tea = memory.add("Tea at four").await?;
    /// let later = memory.update(&tea.id).content("Tea at five").tags(["day"]).await?;
    /// assert_eq!((later.version, later.summary.as_str()), (2, "Tea at five"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn update(&self, id: impl Into<String>) -> Update<S, E> {
        Update::new(&self.core, (EntryId::new("id", id), Changes::default()))
    }
}
