//! Opening a memory from JavaScript, on IndexedDB or on a storage of the caller's own.

use super::env::WebEnv;
use super::host_store::HostStore;
use super::indexed_db::IndexedDbStore;
use crate::codec::json::{self, Fields};
use crate::memory::{Error, Memory};
use crate::model::{Invalid, Json, UserId};
use crate::store::{Key, KeyRange, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::pin::Pin;
use wasm_bindgen::JsValue;

/// The stores that can be opened from JavaScript. The one in memory is an adapter there.
#[derive(Debug)]
pub(super) enum AnyStore {
    IndexedDb(IndexedDbStore),
    Host(HostStore),
}

pub(super) async fn open(options: Json, adapter: JsValue) -> Result<Memory<AnyStore, WebEnv>, Error> {
    let mut fields = Fields::of("options", options);
    let name = fields.text("name").unwrap_or_else(|| "default".to_owned());
    let user = fields.required_text("user");
    let config = fields.value("config").unwrap_or_default();
    fields.finish()?;
    let user = UserId::new("user", user)?;
    let config = json::config(config)?;
    if name.is_empty() {
        return Err(Invalid::value("name", "must not be empty").into());
    }
    let store = if adapter.is_undefined() {
        AnyStore::IndexedDb(IndexedDbStore::open(&name).await?)
    } else {
        AnyStore::Host(HostStore::new(adapter)?)
    };
    Memory::open(store, WebEnv, user, config).await
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + 'a>>;

/// In a box, so that the callers' state machines do not hold those of both stores: code size is download size.
macro_rules! each {
    ($self:ident, $store:ident => $call:expr) => {{
        let future: Boxed<'_, _> = match $self {
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
