//! Bytes in memory that several instances share: the smallest storage that a host can offer.

use crate::wit_storage::{Batch, Item, Key, KeyRange, Op, Page, Revision, Space, StoreError};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Table = BTreeMap<Key, Vec<u8>>;

/// One table for each space.
type Tables = [Table; 5];

/// A storage. Clones are the same storage.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    tables: Arc<Mutex<Tables>>,
}

impl Storage {
    /// A handle to it.
    pub fn connect(&self) -> Handle {
        Handle { storage: self.clone(), closed: Cell::new(false) }
    }

    /// Another storage that holds the same, from now on apart from this one.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { tables: Arc::new(Mutex::new(self.lock().clone())) }
    }

    /// Whether both hold the same bytes.
    pub fn holds_the_same_as(&self, other: &Self) -> bool {
        // One after the other: both may be the same storage.
        let tables = self.lock().clone();
        tables == *other.lock()
    }

    /// Whether these bytes are anywhere in a key or a value.
    pub fn contains(&self, bytes: &[u8]) -> bool {
        let within = |whole: &Vec<u8>| whole.windows(bytes.len()).any(|part| part == bytes);
        self.lock().iter().flatten().any(|(key, value)| within(key) || within(value))
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        // A panic elsewhere cannot have left a commit half done: it is checked before it changes anything.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one opened memory holds of a storage.
#[derive(Debug)]
pub struct Handle {
    storage: Storage,
    closed: Cell<bool>,
}

impl Handle {
    /// The values of `keys`.
    pub fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let tables = self.tables()?;
        Ok(keys.iter().map(|key| tables[space as usize].get(key).cloned()).collect())
    }

    /// A piece of `range`.
    pub fn scan(&self, space: Space, range: &KeyRange, limit: u32) -> Result<Page, StoreError> {
        let tables = self.tables()?;
        let mut rest = within(&tables[space as usize], range);
        let items = rest.by_ref().take(limit as usize);
        let items = items.map(|(key, value)| Item { key: key.clone(), value: value.clone() }).collect();
        Ok(Page { items, next: rest.next().map(|(key, _)| key.clone()) })
    }

    /// Makes all changes, if nobody was faster.
    pub fn commit(&self, batch: Batch) -> Result<Revision, StoreError> {
        let mut tables = self.tables()?;
        let current = match tables[Space::Meta as usize].get(&batch.guard) {
            Some(bytes) => {
                let bytes = bytes.as_slice().try_into();
                u64::from_be_bytes(bytes.map_err(|_| StoreError::Failed("a revision must have eight bytes".into()))?)
            }
            None => 0,
        };
        if current != batch.base {
            return Err(StoreError::Conflict(current));
        }
        for op in batch.ops {
            match op {
                Op::Put(put) => {
                    tables[put.space as usize].insert(put.key, put.value);
                }
                Op::Delete(delete) => {
                    tables[delete.space as usize].remove(&delete.key);
                }
                Op::DeleteRange(delete) => {
                    let table = &mut tables[delete.space as usize];
                    let gone: Vec<Key> = within(table, &delete.range).map(|(key, _)| key.clone()).collect();
                    table.retain(|key, _| !gone.contains(key));
                }
            }
        }
        tables[Space::Meta as usize].insert(batch.guard, (current + 1).to_be_bytes().to_vec());
        Ok(current + 1)
    }

    /// Lets go.
    pub fn close(&self) -> Result<(), StoreError> {
        self.closed.set(true);
        Ok(())
    }

    fn tables(&self) -> Result<MutexGuard<'_, Tables>, StoreError> {
        if self.closed.get() { Err(StoreError::Closed) } else { Ok(self.storage.lock()) }
    }
}

fn within<'a>(table: &'a Table, range: &'a KeyRange) -> impl Iterator<Item = (&'a Key, &'a Vec<u8>)> {
    let before_end = |key: &Key| range.end.as_ref().is_none_or(|end| key < end);
    table.range(range.start.clone()..).take_while(move |(key, _)| before_end(key))
}
