//! The reading verbs of the namespaces: get, history, list, count, stats.

use crate::codec::Record;
use crate::memory::engine::fetch::CHUNK;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Entry, EntryId, Invalid, Namespace, Timestamp};
use crate::store::{Key, Space, Store};

/// The most entries of one history, each replaced by the next.
pub(in crate::memory) const MOST_REPLACED: usize = 1000;

/// The options of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Only this namespace; all namespaces if `None`.
    pub namespace: Option<String>,
    /// The most entries; all if `None`.
    pub limit: Option<usize>,
    /// Only entries older than this one: the last of the previous page.
    pub after: Option<EntryId>,
    /// Only entries that are true at this time; now if `None`.
    pub as_of: Option<Timestamp>,
    /// Whether entries that are no longer true, or not yet, are listed as well.
    pub include_past: bool,
}

/// The number of visible entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

    /// The past of an entry with its contents, oldest first: its earlier versions, and the entries that it replaced with
    /// theirs. Empty if it was never changed, or does not exist.
    pub async fn history(&self, id: &EntryId) -> Result<Vec<(Entry, String)>, Error> {
        let Some((mut newest, _)) = self.get(id).await? else { return Ok(Vec::new()) };
        let mut past: Vec<(Entry, String)> = Vec::new();
        for _ in 0..MOST_REPLACED {
            let versions = self.all(Space::Records, self.inner.keys.versions(&newest.id)).await?;
            let read = self.with_contents(versions).await?.into_iter();
            past.splice(0..0, read.filter_map(|(record, content)| Some((record.entry, content?))));
            let Some(before) = newest.replaces.filter(|before| before != id) else { break };
            let Some(replaced) = self.get(&before).await? else { break };
            newest = replaced.0.clone();
            past.insert(0, replaced);
        }
        Ok(past)
    }

    /// Entries without their contents, newest first.
    pub async fn list(&self, options: &ListOptions) -> Result<Vec<Entry>, Error> {
        check_past(options.as_of, options.include_past)?;
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
            let valid_at = (!options.include_past).then(|| options.as_of.unwrap_or(now));
            let newest = shelf.index.newest(now, valid_at, namespace.as_ref().map(Namespace::as_str), before);
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
        Ok(self.with_shelf(|shelf| shelf.index.newest(now, Some(now), name, None).count()))
    }

    /// The number of visible entries, by namespace.
    pub async fn stats(&self) -> Result<Stats, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let now = self.now()?;
        Ok(self.with_shelf(|shelf| {
            let count = |name: &Namespace| (name.clone(), shelf.index.count(name.as_str(), now).1);
            Stats {
                total: shelf.index.newest(now, Some(now), None, None).count(),
                namespaces: self.inner.config.namespaces.names().map(count).collect(),
            }
        }))
    }
}

/// Checks that at most one of `asOf` and `includePast` is set.
pub(super) fn check_past(as_of: Option<Timestamp>, include_past: bool) -> Result<(), Invalid> {
    if include_past && as_of.is_some() {
        return Err(Invalid::value("asOf", "must be omitted when `includePast` is set"));
    }
    Ok(())
}
