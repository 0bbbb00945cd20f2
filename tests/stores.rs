//! The store contract on the stores that run natively, and the contract on a store that breaks it.

use futures::executor::block_on;
use keepsake::memory::snapshot;
use keepsake::store::contract::{Medium, check};
use keepsake::store::{
    Durability, FaultyStore, Key, KeyRange, MemStore, Op, Page, Revision, Space, Store, StoreError, WriteBatch,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Storages by name, each seen through a wrapper.
struct Named<W> {
    storages: RefCell<BTreeMap<String, MemStore>>,
    wrap: W,
}

impl<W: Fn(MemStore) -> S, S: Store> Medium for Named<W> {
    type Store = S;

    async fn connect(&self, name: &str) -> Result<S, StoreError> {
        let mut storages = self.storages.borrow_mut();
        Ok((self.wrap)(storages.entry(name.to_owned()).or_default().connect()))
    }
}

fn named<W: Fn(MemStore) -> S, S: Store>(wrap: W) -> Named<W> {
    Named { storages: RefCell::default(), wrap }
}

#[test]
fn the_store_in_memory_keeps_the_contract() {
    assert_eq!(block_on(check(&named(|store| store))), Ok(24));
}

#[test]
fn a_faulty_store_without_a_fault_keeps_the_contract() {
    assert_eq!(block_on(check(&named(FaultyStore::new))), Ok(24));
}

/// A store with one mistake: it does not look at the base revision.
struct Careless(MemStore);

impl Store for Careless {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.0.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.0.scan(space, range, limit).await
    }

    async fn commit(&self, mut batch: WriteBatch) -> Result<Revision, StoreError> {
        let guard = self.0.get(Space::Meta, &[batch.guard.clone()]).await?;
        batch.base = Revision::from_bytes(guard[0].as_deref())?;
        batch.ops.retain(|op| !matches!(op, Op::DeleteRange(..)));
        self.0.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.0.close().await
    }
}

#[test]
fn the_contract_finds_a_careless_store() {
    let broken = block_on(check(&named(Careless))).unwrap_err();
    assert!(broken.contains("a_stale_base_changes_nothing"), "{broken}");
    assert!(broken.contains("ranges_can_be_deleted"), "{broken}");
}

#[test]
fn a_snapshot_is_the_hash_of_the_dump() {
    let key = |name: &str| Key::from_bytes(name.as_bytes().to_vec());
    let store = MemStore::new();
    let ops = vec![Op::Put(Space::Records, key("k"), b"v".to_vec())];
    let batch = WriteBatch { guard: key("g"), base: Revision(0), ops, durability: Durability::Relaxed };
    block_on(store.commit(batch)).unwrap();
    // Of the lines `meta 67 0000000000000001` and `records 6b 76`.
    let known = "fd5a684c1057506572497058b03c2a58d361c2d1e4978fab8bdd590a23bdbccc";
    assert_eq!(block_on(snapshot::of(&store)).as_deref(), Ok(known));
    block_on(store.close()).unwrap();
    assert_eq!(block_on(snapshot::of(&store)), Err(StoreError::Closed));
}
