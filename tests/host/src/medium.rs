//! The host's storage seen as the library's own trait, so that the library's contract can be held against it.

use crate::storage::{Handle, Storage};
use crate::wit_storage as wit;
use keepsake::store::contract::Medium;
use keepsake::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Storages by name.
#[derive(Debug, Default)]
pub struct Storages(RefCell<BTreeMap<String, Storage>>);

impl Medium for Storages {
    type Store = Handle;

    async fn connect(&self, name: &str) -> Result<Handle, StoreError> {
        Ok(self.0.borrow_mut().entry(name.to_owned()).or_default().connect())
    }
}

impl Store for Handle {
    async fn get(&self, at: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let keys: Vec<_> = keys.iter().map(bytes).collect();
        self.get(space(at), &keys).map_err(error)
    }

    async fn scan(&self, at: Space, keys: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let page = self.scan(space(at), &range(keys), limit).map_err(error)?;
        let items = page.items.into_iter().map(|item| (Key::from_bytes(item.key), item.value));
        Ok(Page { items: items.collect(), next: page.next.map(Key::from_bytes) })
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let batch = wit::Batch {
            guard: bytes(&batch.guard),
            base: batch.base.0,
            ops: batch.ops.iter().map(op).collect(),
            durability: match batch.durability {
                Durability::Relaxed => wit::Durability::Relaxed,
                Durability::Strict => wit::Durability::Strict,
            },
        };
        self.commit(batch).map(Revision).map_err(error)
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.close().map_err(error)
    }
}

fn bytes(key: &Key) -> wit::Key {
    key.as_bytes().to_vec()
}

fn range(range: &KeyRange) -> wit::KeyRange {
    wit::KeyRange { start: bytes(&range.start), end: range.end.as_ref().map(bytes) }
}

fn space(space: Space) -> wit::Space {
    match space {
        Space::Meta => wit::Space::Meta,
        Space::Records => wit::Space::Records,
        Space::Bodies => wit::Space::Bodies,
        Space::Log => wit::Space::Log,
        Space::Index => wit::Space::Index,
    }
}

fn op(op: &Op) -> wit::Op {
    match op {
        Op::Put(at, key, value) | Op::Add(at, key, value) => {
            wit::Op::Put(wit::Put { space: space(*at), key: bytes(key), value: value.clone() })
        }
        Op::Delete(at, key) => wit::Op::Delete(wit::Delete { space: space(*at), key: bytes(key) }),
        Op::DeleteRange(at, keys) => wit::Op::DeleteRange(wit::DeleteRange { space: space(*at), range: range(keys) }),
    }
}

/// The errors that a storage in memory can have; any other would be a mistake, and is shown as one.
fn error(error: wit::StoreError) -> StoreError {
    match error {
        wit::StoreError::Conflict(current) => StoreError::Conflict { current: Revision(current) },
        wit::StoreError::Closed => StoreError::Closed,
        other => StoreError::Failed(format!("{other:?}")),
    }
}
