//! Collections: an app's own JSON values by key, in the order of their keys. For data of adapters and apps that is no
//! memory: checkpoints, threads, drafts.

use crate::codec::{Beside, Kind};
use crate::index::{DocKind, Ranking};
use crate::memory::engine::kept::namespace_of;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::model::{Invalid, Json};
use crate::store::{Durability, Key, KeyRange, Space, Store};
use std::collections::BTreeMap;

/// The most bytes of a collection's name.
const MAX_NAME: usize = 256;

/// The most bytes of a key.
const MAX_KEY: usize = 1024;

/// The most bytes of a value, as JSON.
const MAX_VALUE: usize = 8 * 1024 * 1024;

/// The most bytes of a value's search text.
const MAX_TEXT: usize = 1024 * 1024;

/// A change of a collection.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets a value and its search text.
    Set {
        /// Its key.
        key: String,
        /// The value.
        value: Json,
        /// The search text; without one, no search finds the value.
        text: Option<String>,
    },
    /// Deletes a value.
    Delete(String),
    /// Deletes every value whose key has this prefix.
    DeleteAll(String),
}

/// A value that a search found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundValue {
    /// Its key.
    pub key: String,
    /// The value.
    pub value: Json,
    /// Its score, from 0 to 1.
    pub score: f64,
}

/// The new content of a key: nothing, or a value and its search text.
type Wanted = Option<(Json, Option<String>)>;

impl<S: Store, E: Env> Memory<S, E> {
    /// The values of these keys, in one consistent read.
    pub async fn values(&self, collection: &str, keys: &[String]) -> Result<Vec<Option<Json>>, Error> {
        self.check_open()?;
        check_collection(collection)?;
        for (at, key) in keys.iter().enumerate() {
            check_key(&format!("keys[{at}]"), key)?;
        }
        let keys: Vec<Key> = keys.iter().map(|key| self.inner.keys.value(collection, key)).collect();
        let found = self.fetch(Space::Records, &keys).await?;
        self.check_found(keys.is_empty() || found.iter().any(Option::is_some)).await?;
        let read = |bytes: Option<Vec<u8>>| bytes.map(|bytes| Beside::decode(Kind::Kept, &bytes)).transpose();
        Ok(found.into_iter().map(read).collect::<Result<_, _>>()?)
    }

    /// Keys that begin with `prefix` and come after `after`, with their values, in the order of their bytes.
    pub async fn list_values(
        &self,
        collection: &str,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Json)>, Error> {
        self.check_open()?;
        check_collection(collection)?;
        let found = self.stored_values(collection, prefix, after, limit).await?;
        let read = |(key, bytes): (String, Vec<u8>)| Ok((key, Beside::decode(Kind::Kept, &bytes)?));
        found.into_iter().map(read).collect()
    }

    /// Changes values, all or none. With `expect`, only if each of those keys has that value, or none: a
    /// compare-and-swap. Returns whether it did.
    pub async fn edit_values(
        &self,
        collection: &str,
        edits: &[Edit],
        expect: &[(String, Option<Json>)],
    ) -> Result<bool, Error> {
        check_collection(collection)?;
        check_edits(edits)?;
        // A failed comparison needs no turn in the lane, and no commit.
        let holds = self.are_as_expected(collection, expect).await?;
        if edits.is_empty() || !holds {
            return Ok(holds);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            if !self.are_as_expected(collection, expect).await? {
                self.plan_note(plan, || false.into())?;
                return Ok(false);
            }
            self.plan_note(plan, || true.into())?;
            let wanted = self.wanted(collection, edits).await?;
            let named = |key: &String| Named::Value(collection.to_owned(), key.clone());
            let words: Vec<Key> = wanted.keys().map(|key| self.inner.keys.named(&named(key))).collect();
            let words = self.fetch(Space::Records, &words).await?;
            for ((key, wanted), before) in wanted.iter().zip(words) {
                let before = before.map(|bytes| Beside::decode(Kind::Kept, &bytes)).transpose()?;
                self.plan_value(plan, &named(key), self.inner.keys.value(collection, key), wanted, before.as_ref())?;
            }
            Ok(true)
        })
        .await
    }

    /// Searches the values with a search text, best first.
    pub async fn search_values(
        &self,
        collection: &str,
        query: &str,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<FoundValue>, Error> {
        self.check_open()?;
        check_collection(collection)?;
        let options = SearchOptions { query: query.to_owned(), ranking: Ranking::Best, ..SearchOptions::default() };
        let namespace = namespace_of(collection);
        // A prefix filters all hits.
        let most = if prefix.is_empty() { limit } else { usize::MAX };
        let hits = self.find_ids(&options, &[DocKind::Value], &namespace, most).await?;
        let mut found: Vec<(String, f64)> = Vec::new();
        for (id, score) in hits {
            let Some(Named::Value(_, key)) = Named::of_doc(DocKind::Value, &id) else { continue };
            if key.starts_with(prefix) && found.len() < limit {
                found.push((key, score));
            }
        }
        let keys: Vec<String> = found.iter().map(|(key, _)| key.clone()).collect();
        let values = self.values(collection, &keys).await?;
        let hit = |((key, score), value): ((String, f64), Option<Json>)| Some(FoundValue { key, value: value?, score });
        Ok(found.into_iter().zip(values).filter_map(hit).collect())
    }

    async fn are_as_expected(&self, collection: &str, expect: &[(String, Option<Json>)]) -> Result<bool, Error> {
        let keys: Vec<String> = expect.iter().map(|(key, _)| key.clone()).collect();
        let found = self.values(collection, &keys).await?;
        Ok(found.iter().zip(expect).all(|(found, (_, expected))| match (found, expected) {
            (Some(found), Some(expected)) => is_same(found, expected),
            (found, expected) => found.is_none() && expected.is_none(),
        }))
    }

    /// The result of the edits for every key that they touch: the last edit wins.
    async fn wanted(&self, collection: &str, edits: &[Edit]) -> Result<BTreeMap<String, Wanted>, Error> {
        let mut wanted: BTreeMap<String, Wanted> = BTreeMap::new();
        for edit in edits {
            match edit {
                Edit::Set { key, value, text } => {
                    wanted.insert(key.clone(), Some((value.clone(), text.clone())));
                }
                Edit::Delete(key) => {
                    wanted.insert(key.clone(), None);
                }
                Edit::DeleteAll(prefix) => {
                    for (key, value) in &mut wanted {
                        if key.starts_with(prefix) {
                            *value = None;
                        }
                    }
                    for (key, _) in self.stored_values(collection, prefix, None, usize::MAX).await? {
                        wanted.insert(key, None);
                    }
                }
            }
        }
        Ok(wanted)
    }

    fn plan_value(
        &self,
        plan: &mut Plan,
        named: &Named,
        key: Key,
        wanted: &Wanted,
        before: Option<&Json>,
    ) -> Result<(), Error> {
        match wanted {
            Some((value, _)) => self.plan_kept(plan, key, value)?,
            None => plan.take_beside(key),
        }
        match (wanted.as_ref().and_then(|(_, text)| text.as_deref()), before) {
            (Some(text), before) => {
                let words = Json::object(vec![("text", text.into()), ("at", plan.now.to_string().into())]);
                self.plan_known(plan, named, words, before)
            }
            (None, Some(before)) => {
                self.plan_forget(plan, named, before);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    pub(in crate::memory) async fn stored_values(
        &self,
        collection: &str,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let base = self.inner.keys.value(collection, "");
        let range = KeyRange::prefix(base.clone().join(prefix.as_bytes()));
        let range = match after {
            Some(after) => range.from(base.clone().join(after.as_bytes()).join(&[0])),
            None => range,
        };
        let mut found = Vec::new();
        let mut rest = Some(range);
        while let Some(range) = rest.take_if(|range| found.len() < limit && !range.is_empty()) {
            let page = self.page(Space::Records, &range, (limit - found.len()).min(256)).await?;
            for (key, bytes) in page.items {
                let name = key.as_bytes().strip_prefix(base.as_bytes()).and_then(|name| std::str::from_utf8(name).ok());
                found.extend(name.map(|name| (name.to_owned(), bytes)));
            }
            rest = page.next.map(|next| range.from(next));
        }
        self.check_found(!found.is_empty()).await?;
        Ok(found)
    }
}

/// Whether two values are equal, with fields in any order: JavaScript does not keep every order.
fn is_same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let field = |name: &String| other.iter().find(|(known, _)| known == name);
            one.len() == other.len()
                && one.iter().all(|(name, value)| field(name).is_some_and(|(_, other)| is_same(value, other)))
        }
        (one, other) => one == other,
    }
}

fn check_collection(name: &str) -> Result<(), Invalid> {
    match name.len() {
        0 => Err(Invalid::value("collection", "must not be empty")),
        // U+0000 ends the name in the ids of the index.
        1..=MAX_NAME if name.contains('\u{0}') => Err(Invalid::value("collection", "must not contain U+0000")),
        1..=MAX_NAME => Ok(()),
        actual => Err(Invalid::too_large("collection", MAX_NAME, actual)),
    }
}

fn check_key(field: &str, key: &str) -> Result<(), Invalid> {
    match key.len() {
        0 => Err(Invalid::value(field, "must not be empty")),
        1..=MAX_KEY => Ok(()),
        actual => Err(Invalid::too_large(field, MAX_KEY, actual)),
    }
}

fn check_edits(edits: &[Edit]) -> Result<(), Invalid> {
    for (at, edit) in edits.iter().enumerate() {
        let field = |name: &str| format!("changes[{at}].{name}");
        match edit {
            Edit::Set { key, value, text } => {
                check_key(&field("key"), key)?;
                let bytes = value.to_string().len();
                if bytes > MAX_VALUE {
                    return Err(Invalid::too_large(field("value"), MAX_VALUE, bytes));
                }
                if let Some(bytes) = text.as_ref().map(String::len).filter(|bytes| *bytes > MAX_TEXT) {
                    return Err(Invalid::too_large(field("text"), MAX_TEXT, bytes));
                }
            }
            Edit::Delete(key) => check_key(&field("key"), key)?,
            Edit::DeleteAll(_) => {}
        }
    }
    Ok(())
}
