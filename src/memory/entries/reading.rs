//! The reading verbs of the namespaces: get, history, list, count, stats.

use crate::codec::Record;
use crate::memory::engine::fetch::CHUNK;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Entry, EntryId, Invalid, Namespace};
use crate::store::{Key, Space, Store};

/// The options of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Only this namespace; all namespaces if `None`.
    pub namespace: Option<String>,
    /// The most entries; all if `None`.
    pub limit: Option<usize>,
    /// Only entries older than this one: the last of the previous page.
    pub after: Option<EntryId>,
}

/// The number of visible entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// In all.
    pub total: usize,
    /// In each namespace that is configured.
    pub namespaces: Vec<(Namespace, usize)>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The entry with this id and its whole content; `None` if it does not exist.
    pub async fn get(&self, id: &EntryId) -> Result<Option<(Entry, String)>, Error> {
        self.check_open()?;
        let now = self.now()?;
        match self.read_stored(id).await?.filter(|stored| !stored.record.entry.is_expired(now)) {
            Some(stored) => {
                let content = stored.content()?;
                Ok(Some((stored.record.entry, content)))
            }
            None => {
                // An emptied storage has nothing, which is not the same as never having had the entry (F9).
                self.refresh().await?;
                Ok(None)
            }
        }
    }

    /// The past versions of an entry with their contents, oldest first; empty if it was never changed, or does not
    /// exist.
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
                None => return Err(Invalid::value("after", "must be the id of an existing entry").into()),
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

    /// The number of visible entries, in one namespace or in all.
    pub async fn count(&self, namespace: Option<&str>) -> Result<usize, Error> {
        self.refresh().await?;
        let namespace = self.some_namespace(namespace)?;
        self.load_shelf().await?;
        let now = self.now()?;
        let name = namespace.as_ref().map(Namespace::as_str);
        Ok(self.with_shelf(|shelf| shelf.index.newest(now, name, None).count()))
    }

    /// The number of visible entries, by namespace.
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
}
