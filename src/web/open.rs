//! Opening a memory from JavaScript: which store, and what to do where there is none.

use super::env::WebEnv;
use super::host_store::HostStore;
use super::indexed_db::IndexedDbStore;
use crate::codec::json::Fields;
use crate::memory::{Error, Memory};
use crate::model::{Invalid, UserId};
use crate::store::{Key, KeyRange, MemStore, Page, Revision, Space, Store, StoreError, WriteBatch};
use serde_json::{Value, json};
use std::pin::Pin;
use wasm_bindgen::JsValue;

/// The stores that can be opened from JavaScript.
#[derive(Debug)]
pub(super) enum AnyStore {
    Mem(MemStore),
    IndexedDb(IndexedDbStore),
    Host(HostStore),
}

pub(super) async fn open(options: Value, adapter: JsValue) -> Result<(Memory<AnyStore, WebEnv>, Value), Error> {
    let mut fields = Fields::of("options", options)?;
    let name = fields.text("name")?.unwrap_or_else(|| "default".to_owned());
    let user = UserId::new("user", fields.required_text("user")?)?;
    let storage = fields.text("storage")?;
    fields.finish()?;
    if name.is_empty() {
        return Err(Invalid::value("name", "must not be empty").into());
    }
    let (store, persistent, problem) = match storage.as_deref() {
        Some("memory") => (AnyStore::Mem(MemStore::new()), false, None),
        Some("indexeddb") => (AnyStore::IndexedDb(IndexedDbStore::open(&name).await?), true, None),
        Some("adapter") => (AnyStore::Host(HostStore::new(adapter)?), true, None),
        // Where storage is refused (private mode, a sandboxed frame), forgetting later is better than failing now, as
        // long as it is said (F13, F14).
        None => match IndexedDbStore::open(&name).await {
            Ok(store) => (AnyStore::IndexedDb(store), true, None),
            Err(StoreError::Unavailable(why)) => (AnyStore::Mem(MemStore::new()), false, Some(why)),
            Err(error) => return Err(error.into()),
        },
        Some(_) => return Err(Invalid::value("storage", "must be one of: indexeddb, memory, or an adapter").into()),
    };
    let memory = Memory::open(store, WebEnv, user).await?;
    Ok((memory, json!({ "persistent": persistent, "problem": problem })))
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + 'a>>;

/// In a box, so that the callers' state machines do not hold those of all three stores: code size is download size.
macro_rules! each {
    ($self:ident, $store:ident => $call:expr) => {{
        let future: Boxed<'_, _> = match $self {
            AnyStore::Mem($store) => Box::pin($call),
            AnyStore::IndexedDb($store) => Box::pin($call),
            AnyStore::Host($store) => Box::pin($call),
        };
        future.await
    }};
}

impl Store for AnyStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        each!(self, store => store.get(space, keys))
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        each!(self, store => store.scan(space, range, limit))
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        each!(self, store => store.commit(batch))
    }

    async fn close(&self) -> Result<(), StoreError> {
        each!(self, store => store.close())
    }
}
