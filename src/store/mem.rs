//! A store in memory: for a memory without persistence, and the reference for every other store.

use super::{Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One table for each space, in the order of `Space::ALL`.
type Tables = [BTreeMap<Key, Vec<u8>>; Space::ALL.len()];

/// Bytes in memory. [`connect`](Self::connect) returns another handle to the same bytes, like another tab.
#[derive(Debug, Default)]
pub struct MemStore {
    tables: Rc<RefCell<Tables>>,
    closed: Cell<bool>,
}

impl MemStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another handle to the same bytes, open whether or not this one is.
    #[must_use]
    pub fn connect(&self) -> Self {
        Self { tables: Rc::clone(&self.tables), closed: Cell::new(false) }
    }

    fn check_open(&self) -> Result<(), StoreError> {
        if self.closed.get() { Err(StoreError::Closed) } else { Ok(()) }
    }
}

impl Store for MemStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.check_open()?;
        let table = &self.tables.borrow()[space as usize];
        Ok(keys.iter().map(|key| table.get(key).cloned()).collect())
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.check_open()?;
        let table = &self.tables.borrow()[space as usize];
        let mut rest = table.range(range.start.clone()..).take_while(|(key, _)| range.contains(key));
        let items = rest.by_ref().take(limit).map(|(key, value)| (key.clone(), value.clone())).collect();
        Ok(Page { items, next: rest.next().map(|(key, _)| key.clone()) })
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.check_open()?;
        let mut tables = self.tables.borrow_mut();
        let guard = tables[Space::Meta as usize].get(&batch.guard);
        let current = Revision::from_bytes(guard.map(Vec::as_slice))?;
        if current != batch.base {
            return Err(StoreError::Conflict { current });
        }
        for op in batch.ops {
            match op {
                Op::Put(space, key, value) | Op::Add(space, key, value) => {
                    tables[space as usize].insert(key, value);
                }
                Op::Delete(space, key) => {
                    tables[space as usize].remove(&key);
                }
                Op::DeleteRange(space, range) => {
                    tables[space as usize].retain(|key, _| !range.contains(key));
                }
            }
        }
        let next = batch.base.next();
        tables[Space::Meta as usize].insert(batch.guard, next.to_bytes().to_vec());
        Ok(next)
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.closed.set(true);
        Ok(())
    }
}
