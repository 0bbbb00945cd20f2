//! Entries: reading, listing, counting and deleting.

use super::given::When;
use super::{Memory, call};
use crate::memory::{Env, Error, ListOptions, Stats};
use crate::model::{Entry, EntryId, Trust};
use crate::store::Store;
use std::ops::Deref;

/// An entry with its whole content. It has the fields of its [`Entry`]: `found.tags` is `found.entry.tags`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntryWithContent {
    /// The entry.
    pub entry: Entry,
    /// Its content.
    pub content: String,
}

impl Deref for EntryWithContent {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.entry
    }
}

impl From<(Entry, String)> for EntryWithContent {
    fn from((entry, content): (Entry, String)) -> Self {
        Self { entry, content }
    }
}

call! {
    /// Lists entries without their contents, newest first; see [`Memory::list`].
    List(ListOptions) -> Vec<Entry>, |memory, options| memory.list(&options).await
}

impl<S, E> List<S, E> {
    /// Only this namespace.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|options| options.namespace = Some(namespace.into()))
    }

    /// The most entries. Default: all.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|options| options.limit = Some(limit))
    }

    /// Only entries older than this one: the last of the previous page.
    pub fn after(self, id: impl Into<String>) -> Self {
        self.set(EntryId::new("after", id), |options, id| options.after = Some(id))
    }

    /// Only entries that are true at this time. Default: now.
    pub fn as_of(self, at: impl Into<When>) -> Self {
        self.set(at.into().timestamp("asOf"), |options, at| options.as_of = Some(at))
    }

    /// Also entries that are no longer true, or not yet.
    pub fn include_past(self) -> Self {
        self.edit(|options| options.include_past = true)
    }
}

call! {
    /// Counts entries; see [`Memory::count`].
    Count(Option<String>) -> usize, |memory, namespace| memory.count(namespace.as_deref()).await
}

impl<S, E> Count<S, E> {
    /// Only this namespace.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|given| *given = Some(namespace.into()))
    }
}

call! {
    /// Deletes all entries; see [`Memory::clear`].
    Clear(Option<String>) -> usize, |memory, namespace| memory.clear(namespace.as_deref()).await
}

impl<S, E> Clear<S, E> {
    /// Only those of this namespace.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|given| *given = Some(namespace.into()))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The entry with this id and its whole content; `None` if it does not exist, or no longer.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// memory.add("Tea at four").id("tea").tag("day").await?;
    /// let found = memory.get("tea").await?.expect("it was added");
    /// assert_eq!((found.content.as_str(), found.tags.as_slice()), ("Tea at four", &["day".to_owned()][..]));
    /// assert!(memory.delete("tea").await?);
    /// assert!(memory.get("tea").await?.is_none());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn get(&self, id: impl Into<String>) -> Result<Option<EntryWithContent>, Error> {
        let id = EntryId::new("id", id)?;
        Ok(self.core.get(&id).await?.map(Into::into))
    }

    /// The past of an entry with its contents, oldest first: its earlier versions, and the entries that it replaced with
    /// theirs. Empty if it was never changed, or does not exist.
    pub async fn history(&self, id: impl Into<String>) -> Result<Vec<EntryWithContent>, Error> {
        let id = EntryId::new("id", id)?;
        Ok(self.core.history(&id).await?.into_iter().map(Into::into).collect())
    }

    /// Lists entries without their contents, newest first.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// memory.add_many(["one", "two", "three"]).await?;
    /// let newest = memory.list().limit(2).await?;
    /// assert_eq!(newest[0].summary, "three");
    /// let older = memory.list().after(&newest[1].id).await?;
    /// assert_eq!(older.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn list(&self) -> List<S, E> {
        List::new(&self.core, ListOptions::default())
    }

    /// Counts the visible entries, of one namespace or of all.
    pub fn count(&self) -> Count<S, E> {
        Count::new(&self.core, None)
    }

    /// The number of visible entries, by namespace.
    pub async fn stats(&self) -> Result<Stats, Error> {
        self.core.stats().await
    }

    /// Raises the trust in an entry, with the person or program that decided it and the reason. Both are stored.
    pub async fn promote(&self, id: impl Into<String>, trust: Trust, by: &str, why: &str) -> Result<Entry, Error> {
        let id = EntryId::new("id", id)?;
        self.core.promote(&id, trust, by, why).await
    }

    /// Deletes an entry. Returns whether it existed.
    pub async fn delete(&self, id: impl Into<String>) -> Result<bool, Error> {
        let id = EntryId::new("id", id)?;
        self.core.delete(&id).await
    }

    /// Deletes all entries, or those of one namespace. Returns how many there were.
    pub fn clear(&self) -> Clear<S, E> {
        Clear::new(&self.core, None)
    }

    /// Deletes the entries that have expired, which no call returns any more. Returns how many there were.
    pub async fn cleanup(&self) -> Result<usize, Error> {
        self.core.cleanup().await
    }
}
