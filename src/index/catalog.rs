//! Which entries there are, in the order they were first written.

use crate::codec::Record;
use crate::model::{EntryId, FactKey, Importance, Namespace, Timestamp};

#[derive(Clone, Debug)]
struct Row {
    seq: u64,
    id: EntryId,
    key: Option<FactKey>,
    namespace: Namespace,
    importance: Importance,
    expires_at: Timestamp,
}

/// One row for each entry, by `seq`: new ones come at the end.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    rows: Vec<Row>,
}

impl Catalog {
    /// Takes an entry in, or anew.
    pub fn put(&mut self, record: &Record) {
        let Record { entry, seq, .. } = record;
        let row = Row {
            seq: *seq,
            id: entry.id.clone(),
            key: entry.key.clone(),
            namespace: entry.namespace.clone(),
            importance: entry.importance,
            expires_at: entry.expires_at,
        };
        match self.rows.binary_search_by_key(seq, |row| row.seq) {
            Ok(at) => self.rows[at] = row,
            Err(at) => self.rows.insert(at, row),
        }
    }

    /// Takes an entry out; one that is not there is fine.
    pub fn remove(&mut self, id: &EntryId) {
        self.rows.retain(|row| row.id != *id);
    }

    /// The entry about `key`, expired or not.
    pub fn about(&self, key: &FactKey) -> Option<&EntryId> {
        self.rows.iter().find(|row| row.key.as_ref() == Some(key)).map(|row| &row.id)
    }

    /// Ids of what is visible at `now`, newest first; `before` is the `seq` to go on from.
    pub fn newest(
        &self,
        now: Timestamp,
        namespace: Option<&Namespace>,
        before: Option<u64>,
    ) -> impl Iterator<Item = &EntryId> {
        let end = before.map_or(self.rows.len(), |seq| self.rows.partition_point(|row| row.seq < seq));
        let visible = move |row: &&Row| row.expires_at > now && namespace.is_none_or(|wanted| *wanted == row.namespace);
        self.rows[..end].iter().rev().filter(visible).map(|row| &row.id)
    }

    /// Ids of what has expired at `now`.
    pub fn expired(&self, now: Timestamp) -> impl Iterator<Item = &EntryId> {
        self.rows.iter().filter(move |row| row.expires_at <= now).map(|row| &row.id)
    }

    /// Ids of everything, expired or not.
    pub fn all(&self, namespace: Option<&Namespace>) -> impl Iterator<Item = &EntryId> {
        self.rows.iter().filter(move |row| namespace.is_none_or(|wanted| *wanted == row.namespace)).map(|row| &row.id)
    }

    /// Who has to go so that there is room for one more (X6): expired first, then the least important, then the oldest;
    /// never `spared`.
    pub fn victims(&self, now: Timestamp, namespace: &Namespace, max_entries: usize, spared: &EntryId) -> Vec<EntryId> {
        let mut others: Vec<&Row> =
            self.rows.iter().filter(|row| row.namespace == *namespace && row.id != *spared).collect();
        let surplus = (others.len() + 1).saturating_sub(max_entries);
        if surplus == 0 {
            return Vec::new();
        }
        let order = |row: &Row| (row.expires_at > now, row.importance.get(), row.seq);
        others.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal));
        others.into_iter().take(surplus).map(|row| row.id.clone()).collect()
    }
}
