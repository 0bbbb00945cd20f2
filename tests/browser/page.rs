//! What pages of the browser tests call: a memory by verb and JSON, beside one in TypeScript.

#![allow(unreachable_pub, reason = "what wasm-bindgen exports is public")]

use crate::stubs::first_schema;
use keepsake::browser::IndexedDb;
use keepsake::codec::json::parse;
use keepsake::memory::snapshot;
use keepsake::store::{Key, KeyRange, Space};
use keepsake::{Error, MemStore, Memory, Store};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A memory in Rust.
#[wasm_bindgen]
pub struct RustMemory(Memory<IndexedDb>);

/// The code of an error, as an error of JavaScript.
fn thrown(error: impl Into<Error>) -> JsValue {
    js_sys::Error::new(error.into().code().as_str()).into()
}

#[wasm_bindgen]
impl RustMemory {
    /// Opens the memory of `user_name` in the app `name`.
    pub async fn open(name: String, user_name: String) -> Result<RustMemory, JsValue> {
        let store = IndexedDb::open(&name).await.map_err(thrown)?;
        Memory::open(store, user_name).await.map(Self).map_err(thrown)
    }

    /// Calls a verb.
    pub async fn call(&self, verb: String, args: String) -> Result<String, JsValue> {
        let memory = self.0.clone();
        memory.call(&verb, parse(&args).unwrap()).await.map(|answer| answer.to_string()).map_err(thrown)
    }

    /// Closes the memory.
    pub async fn close(&self) -> Result<(), JsValue> {
        let memory = self.0.clone();
        memory.close().await.map_err(thrown)
    }
}

/// The hash of everything that is stored in the app `name`.
#[wasm_bindgen]
pub async fn stored(name: String) -> Result<String, JsValue> {
    let store = IndexedDb::open(&name).await.map_err(thrown)?;
    let hash = snapshot::of(&store).await.map_err(thrown)?;
    store.close().await.map_err(thrown)?;
    Ok(hash)
}

/// Every byte of a storage.
pub(crate) async fn everything(store: &impl Store) -> Vec<(Space, Key, Vec<u8>)> {
    let mut all = Vec::new();
    for space in Space::ALL {
        let page = store.scan(space, &KeyRange::prefix(Key::default()), 1_000_000).await.unwrap();
        all.extend(page.items.into_iter().map(|(key, value)| (space, key, value)));
    }
    all
}

/// Stores a memory with `count` entries as the first schema of the database did.
#[wasm_bindgen]
pub async fn store_in_first_schema(name: String, user_name: String, count: u32) {
    let storage = MemStore::new();
    let memory = Memory::open(storage.connect(), user_name).await.unwrap();
    for number in 0..count {
        memory
            .add(crate::race::draft(&format!("old {number}"), &format!("note {number} of the first schema")))
            .await
            .unwrap();
    }
    memory.close().await.unwrap();
    first_schema(&name, &everything(&storage).await).await;
}
