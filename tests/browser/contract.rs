//! Every sentence of the store's contract, on IndexedDB.

use keepsake::browser::IndexedDb;
use keepsake::store::StoreError;
use keepsake::store::contract::{Medium, check};
use wasm_bindgen_test::wasm_bindgen_test;

/// The databases of this origin.
pub(crate) struct Databases;

impl Medium for Databases {
    type Store = IndexedDb;

    async fn connect(&self, name: &str) -> Result<IndexedDb, StoreError> {
        IndexedDb::open(&format!("contract-{name}")).await
    }
}

#[wasm_bindgen_test]
async fn the_store_keeps_the_contract() {
    assert_eq!(check(&Databases).await, Ok(24));
}
