//! Reads from the storage: values, ranges, and entries with their contents.

use super::plan::Stored;
use super::slices::READ;
use super::state::{Shelf, Words};
use super::{Env, Error, Memory};
use crate::codec::{Body, Frame, Record};
use crate::log::hash;
use crate::model::{Entry, EntryId};
use crate::store::{Key, KeyRange, Page, Revision, Space, Store, StoreError};
use std::pin::Pin;

/// The number of records per read.
pub(in crate::memory) const CHUNK: usize = 256;

/// The work of reading values from the storage.
fn read_cost<'a>(values: impl Iterator<Item = &'a Vec<u8>>) -> usize {
    values.map(|value| READ + value.len() / 16).sum()
}

fn release(space: Space, key: &Key, value: &mut Option<Vec<u8>>) {
    if let Some(value) = value {
        Frame::release(space.name(), key.as_bytes(), value);
    }
}

impl Stored {
    /// Decodes the content.
    pub(in crate::memory) fn content(&self) -> Result<String, Error> {
        match &self.body_bytes {
            Some(bytes) => Ok(Body::decode(bytes)?),
            None => Ok(short_content(&self.record)),
        }
    }
}

/// The content of an entry without a body.
fn short_content(record: &Record) -> String {
    record.content.as_ref().unwrap_or(&record.entry.summary).clone()
}

/// A pending response of the storage. Boxed, so that callers do not each contain the store's state machine: that would
/// multiply the code.
pub(super) type Coming<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

impl<S: Store, E: Env> Memory<S, E> {
    /// The values of `keys`.
    #[inline(never)]
    pub(in crate::memory) fn fetch<'a>(&'a self, space: Space, keys: &'a [Key]) -> Coming<'a, Vec<Option<Vec<u8>>>> {
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
    pub(in crate::memory) fn fetch_one(&self, space: Space, key: Key) -> Coming<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let keys = [key];
            let mut value = self.inner.store.get(space, &keys).await?.into_iter().next().flatten();
            release(space, &keys[0], &mut value);
            Ok(value)
        })
    }

    /// The revision in the storage.
    #[inline(never)]
    pub(in crate::memory) fn current_revision(&self) -> Coming<'_, Revision> {
        Box::pin(async move {
            let guard = self.fetch_one(Space::Meta, self.inner.keys.guard()).await?;
            Ok(Revision::from_bytes(guard.as_deref())?)
        })
    }

    /// One page of a range.
    #[inline(never)]
    pub(in crate::memory) fn page<'a>(&'a self, space: Space, range: &'a KeyRange, limit: usize) -> Coming<'a, Page> {
        Box::pin(async move {
            let mut page = self.inner.store.scan(space, range, limit).await?;
            for (key, value) in &mut page.items {
                Frame::release(space.name(), key.as_bytes(), value);
            }
            self.breathe(read_cost(page.items.iter().map(|(_, value)| value))).await;
            // A storage that returns the same position again would cause an endless loop.
            match &page.next {
                Some(next) if *next <= range.start => Err(StoreError::Failed("a scan did not advance".into()).into()),
                _ => Ok(page),
            }
        })
    }

    /// All pages of a range.
    #[inline(never)]
    pub(in crate::memory) fn all<'a>(&'a self, space: Space, range: KeyRange) -> Coming<'a, Vec<(Key, Vec<u8>)>> {
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

    /// Reads from the index, which must be loaded.
    pub(in crate::memory) fn with_shelf<T: Default>(&self, look: impl FnOnce(&Shelf) -> T) -> T {
        self.inner.state.borrow().shelf.as_ref().map_or_else(T::default, look)
    }

    /// The words of an entry for the index.
    pub(in crate::memory) fn words(&self, entry: &Entry, content: &str) -> Words {
        Words::of(entry, content, |text| self.decomposed(text))
    }

    pub(in crate::memory) async fn read_record(&self, id: &EntryId) -> Result<Option<Record>, Error> {
        let found = self.fetch_one(Space::Records, self.inner.keys.entry(id)).await?;
        Ok(found.map(|bytes| Record::decode(&bytes)).transpose()?)
    }

    /// Reads an entry and its body, if it has one.
    pub(in crate::memory) async fn read_stored(&self, id: &EntryId) -> Result<Option<Stored>, Error> {
        self.read_at(self.inner.keys.entry(id)).await
    }

    /// The entries that are stored at these keys, with their contents.
    #[inline(never)]
    pub(in crate::memory) async fn fetch_entries(&self, keys: &[Key]) -> Result<Vec<(Record, Option<String>)>, Error> {
        let values = self.fetch(Space::Records, keys).await?;
        let there = keys.iter().zip(values).filter_map(|(key, value)| Some((key.clone(), value?))).collect();
        self.with_contents(there).await
    }

    /// The entries of these records with their contents, in one read. A content that was deleted meanwhile is `None`.
    pub(in crate::memory) async fn with_contents(
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
                None => Some(short_content(&record)),
                Some((Some(bytes), _)) => Some(Body::decode(&bytes)?),
                // The entry was deleted, or rewritten without a body.
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

    /// Reads a record and its body. These are two reads: if a write came between them, both are repeated.
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
