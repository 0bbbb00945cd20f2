//! The storage that these tests run on keeps the contract that they assume.

use futures::executor::block_on;
use keepsake::MemStore;
use keepsake::store::StoreError;
use keepsake::store::contract::{Medium, check};
use keepsake_host::medium::Storages;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The library's own store, to count the cases by.
#[derive(Default)]
struct Reference(RefCell<BTreeMap<String, MemStore>>);

impl Medium for Reference {
    type Store = MemStore;

    async fn connect(&self, name: &str) -> Result<MemStore, StoreError> {
        Ok(self.0.borrow_mut().entry(name.to_owned()).or_default().connect())
    }
}

#[test]
fn the_hosts_storage_keeps_the_contract() {
    let cases = block_on(check(&Reference::default())).unwrap();
    assert_eq!(block_on(check(&Storages::default())), Ok(cases));
}
