//! Which entries there are, in the order they were written.

use crate::codec::Record;
use crate::model::{EntryId, Namespace, Timestamp};

#[derive(Clone, Debug)]
struct Row {
    seq: u64,
    id: EntryId,
    namespace: Namespace,
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
        let row =
            Row { seq: *seq, id: entry.id.clone(), namespace: entry.namespace.clone(), expires_at: entry.expires_at };
        match self.rows.binary_search_by_key(seq, |row| row.seq) {
            Ok(at) => self.rows[at] = row,
            Err(at) => self.rows.insert(at, row),
        }
    }

    /// Takes an entry out; one that is not there is fine.
    pub fn remove(&mut self, id: &EntryId) {
        self.rows.retain(|row| row.id != *id);
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
}
