//! Collections: an app's own values, by key.

use super::{DefaultEnv, call};
use crate::memory::{self as core, Edit, Env, Error};
use crate::model::{Invalid, Json};
use crate::store::Store;
use std::marker::PhantomData;

/// A type that a collection can store: with the feature `serde`, every type that derives `Serialize`; without it,
/// [`Json`] alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in a collection",
    note = "derive `serde::Serialize` for it, and enable the feature `serde` of keepsake",
    note = "without that feature, `keepsake::Json` is the only type of value"
)]
pub trait ToValue {
    /// The value as JSON; `field` is its name in an error.
    #[doc(hidden)]
    fn to_json(&self, field: &str) -> Result<Json, Invalid>;
}

/// A type that a collection can read: with the feature `serde`, every type that derives `Deserialize` and borrows
/// nothing; without it, [`Json`] alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a collection",
    note = "derive `serde::Deserialize` for it, and enable the feature `serde` of keepsake",
    note = "without that feature, `keepsake::Json` is the only type of value"
)]
pub trait FromValue: Sized {
    /// The value that is stored as this JSON; `field` is its name in an error.
    #[doc(hidden)]
    fn from_json(field: &str, json: Json) -> Result<Self, Invalid>;
}

#[cfg(not(feature = "serde"))]
impl ToValue for Json {
    fn to_json(&self, _field: &str) -> Result<Json, Invalid> {
        Ok(self.clone())
    }
}

#[cfg(not(feature = "serde"))]
impl FromValue for Json {
    fn from_json(_field: &str, json: Json) -> Result<Self, Invalid> {
        Ok(json)
    }
}

/// An app's own values by key, with the guarantees of everything else: atomic, seen in all tabs, and in the log.
///
/// ```
/// use keepsake::{MemStore, Memory};
/// # #[cfg(feature = "serde")]
/// use serde::{Deserialize, Serialize};
///
/// # #[cfg(feature = "serde")]
/// #[derive(Serialize, Deserialize)]
/// struct Note {
///     title: String,
///     words: u32,
/// }
///
/// # #[cfg(feature = "serde")]
/// # fn main() -> Result<(), keepsake::Error> {
/// # futures::executor::block_on(async {
/// # let memory = Memory::open(MemStore::new(), "u-42").await?;
/// let notes = memory.collection("notes");
/// notes.set("blog/tea", &Note { title: "Tea".into(), words: 120 }).text("Green tea, and how to brew it").await?;
/// notes.update("blog/tea", |note: Option<Note>| note.map(|note| Note { words: note.words + 30, ..note })).await?;
///
/// let note = notes.get::<Note>("blog/tea").await?;
/// assert_eq!(note.map(|note| (note.title, note.words)), Some(("Tea".to_owned(), 150)));
/// # Ok(())
/// # })
/// # }
/// # #[cfg(not(feature = "serde"))]
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Collection<S, E = DefaultEnv> {
    memory: core::Memory<S, E>,
    name: String,
}

impl<S, E> Clone for Collection<S, E> {
    fn clone(&self) -> Self {
        Self { memory: self.memory.clone(), name: self.name.clone() }
    }
}

/// One change of several that are made together; see [`Collection::write`].
#[derive(Clone, Debug)]
pub struct Change(Result<Edit, Invalid>);

impl Change {
    /// Sets a value that no search finds.
    pub fn set<T: ToValue + ?Sized>(key: impl Into<String>, value: &T) -> Self {
        let key = key.into();
        Self(value.to_json("value").map(|value| Edit::Set { key, value, text: None }))
    }

    /// Sets a value with its search text.
    pub fn set_with_text<T: ToValue + ?Sized>(key: impl Into<String>, value: &T, text: impl Into<String>) -> Self {
        let (key, text) = (key.into(), Some(text.into()));
        Self(value.to_json("value").map(|value| Edit::Set { key, value, text }))
    }

    /// Deletes a value.
    pub fn delete(key: impl Into<String>) -> Self {
        Self(Ok(Edit::Delete(key.into())))
    }

    /// Deletes every value whose key has this prefix.
    pub fn delete_all(prefix: impl Into<String>) -> Self {
        Self(Ok(Edit::DeleteAll(prefix.into())))
    }
}

/// A value to set.
#[derive(Debug)]
pub(super) struct Setting {
    collection: String,
    key: String,
    value: Result<Json, Invalid>,
    text: Option<String>,
}

call! {
    /// Sets a value; see [`Collection::set`].
    SetValue(Setting) -> (), |memory, given| {
        let edit = Edit::Set { key: given.key, value: given.value?, text: given.text };
        memory.edit_values(&given.collection, &[edit], &[]).await.map(|_| ())
    }
}

impl<S, E> SetValue<S, E> {
    /// The search text, in any language. Without one, no search finds the value.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.edit(|given| given.text = Some(text.into()))
    }
}

/// Changes, and what they expect.
#[derive(Debug)]
pub(super) struct Changes {
    collection: String,
    edits: Result<Vec<Edit>, Invalid>,
    expect: Vec<(String, Option<Json>)>,
}

call! {
    /// Makes several changes; see [`Collection::write`]. Answers whether they were made.
    WriteValues(Changes) -> bool, |memory, given| {
        memory.edit_values(&given.collection, &given.edits?, &given.expect).await
    }
}

impl<S, E> WriteValues<S, E> {
    /// Makes them only if this key has this value: a compare-and-swap.
    pub fn expect<T: ToValue + ?Sized>(self, key: impl Into<String>, value: &T) -> Self {
        let key = key.into();
        self.set(value.to_json("expect"), |given, value| given.expect.push((key, Some(value))))
    }

    /// Makes them only if this key has no value.
    pub fn expect_none(self, key: impl Into<String>) -> Self {
        self.edit(|given| given.expect.push((key.into(), None)))
    }
}

/// A range of keys.
#[derive(Debug)]
pub(super) struct Range {
    collection: String,
    prefix: String,
    after: Option<String>,
    limit: usize,
}

/// A list of values whose type is known when it is awaited.
#[derive(Debug)]
pub(super) struct Of<G, T>(G, PhantomData<T>);

/// Lists values; see [`Collection::list`].
#[derive(Debug)]
#[must_use = "a call does nothing until it is awaited"]
pub struct ListValues<T, S, E = DefaultEnv> {
    memory: core::Memory<S, E>,
    of: Of<Range, T>,
}

impl<T, S, E> ListValues<T, S, E> {
    /// Only keys with this prefix.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.of.0.prefix = prefix.into();
        self
    }

    /// Only keys after this one: the last of the previous page.
    pub fn after(mut self, key: impl Into<String>) -> Self {
        self.of.0.after = Some(key.into());
        self
    }

    /// The most values. Default: 100.
    pub fn limit(mut self, limit: usize) -> Self {
        self.of.0.limit = limit;
        self
    }
}

impl<T: FromValue + 'static, S: Store + 'static, E: Env + 'static> IntoFuture for ListValues<T, S, E> {
    type Output = Result<Vec<(String, T)>, Error>;
    type IntoFuture = super::LocalFuture<Vec<(String, T)>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { memory, of: Of(Range { collection, prefix, after, limit }, _) } = self;
            let found = memory.list_values(&collection, &prefix, after.as_deref(), limit).await?;
            let read = |(key, value)| Ok((key, T::from_json("value", value)?));
            found.into_iter().map(read).collect()
        })
    }
}

/// Searches values; see [`Collection::search`].
#[derive(Debug)]
#[must_use = "a call does nothing until it is awaited"]
pub struct SearchValues<T, S, E = DefaultEnv> {
    memory: core::Memory<S, E>,
    query: String,
    of: Of<Range, T>,
}

impl<T, S, E> SearchValues<T, S, E> {
    /// Only keys with this prefix.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.of.0.prefix = prefix.into();
        self
    }

    /// The most values. Default: 10.
    pub fn limit(mut self, limit: usize) -> Self {
        self.of.0.limit = limit;
        self
    }
}

/// A value that a search found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CollectionHit<T> {
    /// Its key.
    pub key: String,
    /// The value.
    pub value: T,
    /// Its score, from 0 to 1.
    pub score: f64,
}

impl<T: FromValue + 'static, S: Store + 'static, E: Env + 'static> IntoFuture for SearchValues<T, S, E> {
    type Output = Result<Vec<CollectionHit<T>>, Error>;
    type IntoFuture = super::LocalFuture<Vec<CollectionHit<T>>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { memory, query, of: Of(Range { collection, prefix, limit, .. }, _) } = self;
            let found = memory.search_values(&collection, &query, &prefix, limit).await?;
            let read = |found: core::FoundValue| {
                Ok(CollectionHit { key: found.key, value: T::from_json("value", found.value)?, score: found.score })
            };
            found.into_iter().map(read).collect()
        })
    }
}

impl<S, E> Collection<S, E> {
    pub(super) fn new(memory: &core::Memory<S, E>, name: String) -> Self {
        Self { memory: memory.clone(), name }
    }

    fn range<T>(&self, limit: usize) -> Of<Range, T> {
        let range = Range { collection: self.name.clone(), prefix: String::new(), after: None, limit };
        Of(range, PhantomData)
    }
}

impl<S: Store, E: Env> Collection<S, E> {
    /// The value of a key. A value that is not of this type is an error that names `value`.
    pub async fn get<T: FromValue>(&self, key: impl Into<String>) -> Result<Option<T>, Error> {
        Ok(self.get_many([key]).await?.pop().flatten())
    }

    /// The values of these keys, from one snapshot.
    pub async fn get_many<T: FromValue, K: Into<String>>(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<Vec<Option<T>>, Error> {
        let keys: Vec<String> = keys.into_iter().map(Into::into).collect();
        let found = self.memory.values(&self.name, &keys).await?;
        let read = |value: Option<Json>| Ok(value.map(|value| T::from_json("value", value)).transpose()?);
        found.into_iter().map(read).collect()
    }

    /// Sets the value of a key.
    pub fn set<T: ToValue + ?Sized>(&self, key: impl Into<String>, value: &T) -> SetValue<S, E> {
        let given =
            Setting { collection: self.name.clone(), key: key.into(), value: value.to_json("value"), text: None };
        SetValue::new(&self.memory, given)
    }

    /// Deletes the value of a key. Returns whether there was one.
    pub async fn delete(&self, key: impl Into<String>) -> Result<bool, Error> {
        let key = key.into();
        loop {
            let found = self.memory.values(&self.name, std::slice::from_ref(&key)).await?.pop().flatten();
            let Some(found) = found else { return Ok(false) };
            let edits = [Edit::Delete(key.clone())];
            if self.memory.edit_values(&self.name, &edits, &[(key.clone(), Some(found))]).await? {
                return Ok(true);
            }
        }
    }

    /// Replaces a value by one made from it: a compare-and-swap, which is tried again if another writer was faster.
    /// `None` deletes it. Returns the new value.
    pub async fn update<T: ToValue + FromValue>(
        &self,
        key: impl Into<String>,
        change: impl Fn(Option<T>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let key = key.into();
        loop {
            let before = self.memory.values(&self.name, std::slice::from_ref(&key)).await?.pop().flatten();
            let read = before.clone().map(|value| T::from_json("value", value)).transpose()?;
            let next = change(read);
            let edit = match &next {
                Some(value) => Edit::Set { key: key.clone(), value: value.to_json("value")?, text: None },
                None => Edit::Delete(key.clone()),
            };
            if self.memory.edit_values(&self.name, &[edit], &[(key.clone(), before)]).await? {
                return Ok(next);
            }
        }
    }

    /// Makes several changes together, all or none.
    pub fn write(&self, changes: impl IntoIterator<Item = Change>) -> WriteValues<S, E> {
        let edits = changes
            .into_iter()
            .enumerate()
            .map(|(at, change)| change.0.map_err(|mistake| mistake.within(&format!("changes[{at}]"))));
        let given = Changes { collection: self.name.clone(), edits: edits.collect(), expect: Vec::new() };
        WriteValues::new(&self.memory, given)
    }

    /// The values in the order of the bytes of their keys.
    pub fn list<T: FromValue>(&self) -> ListValues<T, S, E> {
        ListValues { memory: self.memory.clone(), of: self.range(100) }
    }

    /// Searches the values by their search texts, best first.
    pub fn search<T: FromValue>(&self, query: impl Into<String>) -> SearchValues<T, S, E> {
        SearchValues { memory: self.memory.clone(), query: query.into(), of: self.range(10) }
    }
}
