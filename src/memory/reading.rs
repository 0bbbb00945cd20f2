//! The verbs of the namespaces that read: get, history, list, count, stats.

use super::plan::Stored;
use super::slices::READ;
use super::state::{Shelf, Words};
use super::{Env, Error, Memory};
use crate::codec::{Body, Frame, Record};
use crate::log::hash;
use crate::model::{Entry, EntryId, Invalid, Namespace};
use crate::store::{Key, KeyRange, Page, Space, Store, StoreError};
use std::pin::Pin;

/// How many records are read at once.
const CHUNK: usize = 256;

/// The work of taking values in from the storage.
fn read_cost<'a>(values: impl Iterator<Item = &'a Vec<u8>>) -> usize {
    values.map(|value| READ + value.len() / 16).sum()
}

fn release(space: Space, key: &Key, value: &mut Option<Vec<u8>>) {
    if let Some(value) = value {
        Frame::release(space.name(), key.as_bytes(), value);
    }
}

/// What to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Only this namespace; all of them if not said.
    pub namespace: Option<String>,
    /// At most this many; all if not said.
    pub limit: Option<usize>,
    /// Only what is older than this entry: the last one of the page before.
    pub after: Option<EntryId>,
}

/// How many entries there are to be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// In all.
    pub total: usize,
    /// In each namespace that is configured.
    pub namespaces: Vec<(Namespace, usize)>,
}

impl Stored {
    /// The content.
    pub(super) fn content(&self) -> Result<String, Error> {
        match &self.body_bytes {
            Some(bytes) => Ok(Body::decode(bytes)?),
            None => Ok(self.record.entry.summary.clone()),
        }
    }
}

/// An answer of the storage on its way. In a box: what waits for it need not hold the store's own state, and the code for
/// that is there once and not at each place.
pub(super) type Coming<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

impl<S: Store, E: Env> Memory<S, E> {
    /// The values of `keys`.
    #[inline(never)]
    pub(super) fn fetch<'a>(&'a self, space: Space, keys: &'a [Key]) -> Coming<'a, Vec<Option<Vec<u8>>>> {
        Box::pin(async move {
            if keys.is_empty() {
                return Ok(Vec::new());
            }
            let mut values = self.inner.store.get(space, keys).await?;
            for (key, value) in keys.iter().zip(&mut values) {
                release(space, key, value);
            }
            self.breathe(read_cost(values.iter().flatten())).await;
            Ok(values)
        })
    }

    /// The value of one key.
    #[inline(never)]
    pub(super) fn fetch_one(&self, space: Space, key: Key) -> Coming<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let keys = [key];
            let mut value = self.inner.store.get(space, &keys).await?.into_iter().next().flatten();
            release(space, &keys[0], &mut value);
            Ok(value)
        })
    }

    /// A piece of a range.
    #[inline(never)]
    pub(super) fn page<'a>(&'a self, space: Space, range: &'a KeyRange, limit: usize) -> Coming<'a, Page> {
        Box::pin(async move {
            let mut page = self.inner.store.scan(space, range, limit).await?;
            for (key, value) in &mut page.items {
                Frame::release(space.name(), key.as_bytes(), value);
            }
            self.breathe(read_cost(page.items.iter().map(|(_, value)| value))).await;
            // A storage that begins again where it began would be asked for ever.
            match &page.next {
                Some(next) if *next <= range.start => Err(StoreError::Failed("a scan does not go on".into()).into()),
                _ => Ok(page),
            }
        })
    }

    /// All of a range.
    #[inline(never)]
    pub(super) fn all<'a>(&'a self, space: Space, range: KeyRange) -> Coming<'a, Vec<(Key, Vec<u8>)>> {
        Box::pin(async move {
            let mut items = Vec::new();
            let mut rest = Some(range);
            while let Some(range) = rest.take_if(|range| !range.is_empty()) {
                let mut page = self.page(space, &range, CHUNK).await?;
                items.append(&mut page.items);
                rest = page.next.map(|next| range.from(next));
            }
            Ok(items)
        })
    }

    /// The entry called `id` with its whole content; nothing if there is none, or no longer.
    pub async fn get(&self, id: &EntryId) -> Result<Option<(Entry, String)>, Error> {
        self.check_open()?;
        let now = self.now()?;
        match self.read_stored(id).await?.filter(|stored| !stored.record.entry.is_expired(now)) {
            Some(stored) => {
                let content = stored.content()?;
                Ok(Some((stored.record.entry, content)))
            }
            None => {
                // A storage that was emptied has nothing, which is not the same as never having had it (F9).
                self.refresh().await?;
                Ok(None)
            }
        }
    }

    /// What the entry called `id` was before, oldest first, with the contents; nothing if it was never changed, or is
    /// no longer there.
    pub async fn history(&self, id: &EntryId) -> Result<Vec<(Entry, String)>, Error> {
        if self.get(id).await?.is_none() {
            return Ok(Vec::new());
        }
        let versions = self.all(Space::Records, self.inner.keys.versions(id)).await?;
        let read = self.with_contents(versions).await?.into_iter();
        Ok(read.filter_map(|(record, content)| Some((record.entry, content?))).collect())
    }

    /// Entries without their contents, newest first.
    pub async fn list(&self, options: &ListOptions) -> Result<Vec<Entry>, Error> {
        self.refresh().await?;
        let namespace = self.some_namespace(options.namespace.as_deref())?;
        let before = match &options.after {
            Some(id) => match self.read_record(id).await? {
                Some(record) => Some(record.seq),
                None => return Err(Invalid::value("after", "must be the id of an entry that is there").into()),
            },
            None => None,
        };
        self.load_shelf().await?;
        let now = self.now()?;
        let keys: Vec<Key> = self.with_shelf(|shelf| {
            let newest = shelf.index.newest(now, namespace.as_ref().map(Namespace::as_str), before);
            let ids = newest.take(options.limit.unwrap_or(usize::MAX));
            ids.filter_map(|found| Some(self.inner.keys.entry(&EntryId::new("id", found.id).ok()?))).collect()
        });
        let mut entries = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(CHUNK) {
            for bytes in self.fetch(Space::Records, chunk).await?.into_iter().flatten() {
                entries.push(Record::decode(&bytes)?.entry);
            }
        }
        Ok(entries)
    }

    /// How many entries there are to be seen, in one namespace or in all.
    pub async fn count(&self, namespace: Option<&str>) -> Result<usize, Error> {
        self.refresh().await?;
        let namespace = self.some_namespace(namespace)?;
        self.load_shelf().await?;
        let now = self.now()?;
        let name = namespace.as_ref().map(Namespace::as_str);
        Ok(self.with_shelf(|shelf| shelf.index.newest(now, name, None).count()))
    }

    /// How many entries there are to be seen, by namespace.
    pub async fn stats(&self) -> Result<Stats, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let now = self.now()?;
        Ok(self.with_shelf(|shelf| {
            let count = |name: &Namespace| (name.clone(), shelf.index.count(name.as_str(), now).1);
            Stats {
                total: shelf.index.newest(now, None, None).count(),
                namespaces: self.inner.config.namespaces.names().map(count).collect(),
            }
        }))
    }

    /// Looks something up among the entries at hand, which have to be loaded.
    pub(super) fn with_shelf<T: Default>(&self, look: impl FnOnce(&Shelf) -> T) -> T {
        self.inner.state.borrow().shelf.as_ref().map_or_else(T::default, look)
    }

    /// The words to find an entry by.
    pub(super) fn words(&self, entry: &Entry, content: &str) -> Words {
        Words::of(entry, content, |text| self.inner.env.decompose(text))
    }

    pub(super) async fn read_record(&self, id: &EntryId) -> Result<Option<Record>, Error> {
        let found = self.fetch_one(Space::Records, self.inner.keys.entry(id)).await?;
        Ok(found.map(|bytes| Record::decode(&bytes)).transpose()?)
    }

    /// An entry with its body, if it has one.
    pub(super) async fn read_stored(&self, id: &EntryId) -> Result<Option<Stored>, Error> {
        self.read_at(self.inner.keys.entry(id)).await
    }

    /// The entries of these records with their contents, in one read however many they are; no content for one that has
    /// gone meanwhile.
    pub(super) async fn with_contents(
        &self,
        records: Vec<(Key, Vec<u8>)>,
    ) -> Result<Vec<(Record, Option<String>)>, Error> {
        let mut decoded = Vec::with_capacity(records.len());
        let mut long = Vec::new();
        for (key, bytes) in records {
            let record = Record::decode(&bytes)?;
            if record.body.is_some() {
                long.push(key);
            }
            decoded.push(record);
        }
        let mut bodies = self.fetch(Space::Bodies, &long).await?.into_iter().zip(&long);
        let mut read = Vec::with_capacity(decoded.len());
        for record in decoded {
            let content = match record.body.and_then(|_| bodies.next()) {
                None => Some(record.entry.summary.clone()),
                Some((Some(bytes), _)) => Some(Body::decode(&bytes)?),
                // It has gone, or was written again without one.
                Some((None, key)) => match self.read_at(key.clone()).await? {
                    Some(stored) => {
                        let content = stored.content()?;
                        read.push((stored.record, Some(content)));
                        continue;
                    }
                    None => None,
                },
            };
            read.push((record, content));
        }
        Ok(read)
    }

    /// The record under a key with its body. The two are two reads: where a write came between them, both are read again.
    async fn read_at(&self, key: Key) -> Result<Option<Stored>, Error> {
        let mut before = None;
        loop {
            let Some(record_bytes) = self.fetch_one(Space::Records, key.clone()).await? else { return Ok(None) };
            let record = Record::decode(&record_bytes)?;
            let Some(wanted) = record.body else { return Ok(Some(Stored { record, record_bytes, body_bytes: None })) };
            let body_bytes = self.fetch_one(Space::Bodies, key.clone()).await?;
            if body_bytes.as_deref().is_some_and(|bytes| hash(bytes) == wanted)
                || before.as_ref() == Some(&record_bytes)
            {
                return Ok(body_bytes.map(|body| Stored { record, record_bytes, body_bytes: Some(body) }));
            }
            before = Some(record_bytes);
        }
    }
}
