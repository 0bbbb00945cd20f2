//! Which entries there are, in the order they were written.

use crate::codec::Record;
use crate::model::{EntryId, Namespace, Timestamp};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
struct Row {
    id: EntryId,
    namespace: Namespace,
    expires_at: Timestamp,
}

/// One row for each entry.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    rows: BTreeMap<u64, Row>,
    places: BTreeMap<EntryId, u64>,
}

impl Catalog {
    /// Takes an entry in, or anew.
    pub fn put(&mut self, record: &Record) {
        let Record { entry, seq, .. } = record;
        self.remove(&entry.id);
        self.places.insert(entry.id.clone(), *seq);
        let row = Row { id: entry.id.clone(), namespace: entry.namespace.clone(), expires_at: entry.expires_at };
        self.rows.insert(*seq, row);
    }

    /// Takes an entry out; one that is not there is fine.
    pub fn remove(&mut self, id: &EntryId) {
        if let Some(seq) = self.places.remove(id) {
            self.rows.remove(&seq);
        }
    }

    /// Ids of what is visible at `now`, newest first, with the place of each; `before` is such a place, to go on from.
    pub fn newest<'a>(
        &'a self,
        now: Timestamp,
        namespace: Option<&'a Namespace>,
        before: Option<u64>,
    ) -> impl Iterator<Item = (u64, &'a EntryId)> {
        self.rows
            .range(..before.unwrap_or(u64::MAX))
            .rev()
            .filter(move |(_, row)| row.expires_at > now && namespace.is_none_or(|wanted| *wanted == row.namespace))
            .map(|(seq, row)| (*seq, &row.id))
    }
}
