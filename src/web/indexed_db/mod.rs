//! The store in a browser: one database, one object store a space, one transaction a commit.
//!
//! Built on idb, the crate beneath rexie: rexie keeps its connection to itself, and with it the events and the
//! durability that this store needs.

mod connection;
mod request;

use crate::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};
use connection::{Connection, SCHEMA};
use idb::Query;
use js_sys::{Array, Uint8Array};
use request::{Transaction, failure, wait};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbTransactionMode::{Readonly, Readwrite};

/// Bytes in IndexedDB.
#[derive(Debug)]
pub struct IndexedDbStore {
    connection: Connection,
}

impl IndexedDbStore {
    /// Opens the database of the application called `name`, and makes it if there is none.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        Ok(Self { connection: Connection::open(Self::database_name(name), SCHEMA).await? })
    }

    /// Opens it as a version with another schema would.
    #[cfg(feature = "testing")]
    pub async fn open_with_schema(name: &str, schema: u32) -> Result<Self, StoreError> {
        Ok(Self { connection: Connection::open(Self::database_name(name), schema).await? })
    }

    fn apply(&self, transaction: &Transaction, ops: &[Op]) -> Result<(), StoreError> {
        for op in ops {
            let store = self.connection.store(transaction, op.space())?;
            match op {
                Op::Put(_, key, value) => {
                    store.put(&to_js(value), Some(&to_js(key.as_bytes()))).map_err(failure)?;
                }
                Op::Delete(_, key) => {
                    store.delete(to_js(key.as_bytes())).map_err(failure)?;
                }
                Op::DeleteRange(_, range) if range.is_empty() => {}
                Op::DeleteRange(_, range) => {
                    store.delete(query(range)?).map_err(failure)?;
                }
            }
        }
        Ok(())
    }

    /// What the database of the application called `name` is called.
    pub fn database_name(name: &str) -> String {
        format!("keepsake/{name}")
    }
}

impl Store for IndexedDbStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.connection
            .reading(async || {
                let transaction = self.connection.begin(&[space], Readonly, Durability::Relaxed).await?;
                let store = self.connection.store(&transaction, space)?;
                // All are asked for before the first is waited for.
                let requests = keys.iter().map(|key| store.get(to_js(key.as_bytes())).map_err(failure));
                let requests = requests.collect::<Result<Vec<_>, _>>()?;
                let mut values = Vec::with_capacity(keys.len());
                for request in requests {
                    let value = wait(request).await?;
                    values.push((!value.is_undefined()).then(|| bytes(&value)).transpose()?);
                }
                Ok(values)
            })
            .await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        if range.is_empty() {
            return self.connection.check_open().map(|()| Page::default());
        }
        self.connection
            .reading(async || {
                let transaction = self.connection.begin(&[space], Readonly, Durability::Relaxed).await?;
                let store = self.connection.store(&transaction, space)?;
                // One more than wanted, to know whether and where it goes on.
                let count = Some(u32::try_from(limit).unwrap_or(u32::MAX - 1).saturating_add(1));
                let keys = store.get_all_keys(Some(query(range)?), count).map_err(failure)?;
                let values = store.get_all(Some(query(range)?), count).map_err(failure)?;
                let keys: Array = wait(keys).await?.unchecked_into();
                let values: Array = wait(values).await?.unchecked_into();
                let key = |key: &JsValue| Key::from_bytes(Uint8Array::new(key).to_vec());
                let next = keys.get(limit as u32);
                let pairs = keys.iter().zip(values.iter()).take(limit);
                Ok(Page {
                    items: pairs
                        .map(|(name, value)| Ok((key(&name), bytes(&value)?)))
                        .collect::<Result<_, StoreError>>()?,
                    next: (!next.is_undefined()).then(|| key(&next)),
                })
            })
            .await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let touches = |space: &Space| batch.ops.iter().any(|op| op.space() == *space);
        let spaces: Vec<Space> =
            Space::ALL.into_iter().filter(|space| *space == Space::Meta || touches(space)).collect();
        self.connection.check_writable()?;
        let transaction = self.connection.begin(&spaces, Readwrite, batch.durability).await?;
        let meta = self.connection.store(&transaction, Space::Meta)?;
        let guard = to_js(batch.guard.as_bytes());
        let next = batch.base.next();
        // Nothing is waited for between the question and the writes: its answer comes before theirs, and none of them is
        // kept before it has been looked at.
        let checked = transaction.checked(meta.get(guard.clone()).map_err(failure)?, move |found| {
            let found = (!found.is_undefined()).then(|| bytes(&found)).transpose()?;
            match Revision::from_bytes(found.as_deref())? {
                current if current == batch.base => Ok(()),
                current => Err(StoreError::Conflict { current }),
            }
        });
        let issued = self.apply(&transaction, &batch.ops).and_then(|()| {
            meta.put(&to_js(&next.to_bytes()), Some(&guard)).map_err(failure)?;
            Ok(())
        });
        if issued.is_err() {
            // What was issued before must not be committed by itself.
            transaction.abort();
        }
        let committed = checked.await;
        issued.and(committed).map(|()| next)
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.connection.close();
        Ok(())
    }
}

fn to_js(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

fn bytes(value: &JsValue) -> Result<Vec<u8>, StoreError> {
    match value.dyn_ref::<Uint8Array>() {
        Some(array) => Ok(array.to_vec()),
        None => Err(StoreError::Failed("a stored value is not bytes".into())),
    }
}

fn query(range: &KeyRange) -> Result<Query, StoreError> {
    let start = to_js(range.start.as_bytes());
    let range = match &range.end {
        Some(end) => idb::KeyRange::bound(&start, &to_js(end.as_bytes()), Some(false), Some(true)),
        None => idb::KeyRange::lower_bound(&start, Some(false)),
    };
    Ok(Query::KeyRange(range.map_err(failure)?))
}
