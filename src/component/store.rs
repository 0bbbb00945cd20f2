//! The host's storage as a store.

use super::bindings::keepsake::memory::storage;
use super::convert;
use crate::store::{Key, KeyRange, Page, Revision, Space, Store, StoreError, WriteBatch};

/// A handle to the storage that the host provides.
#[derive(Debug)]
pub(super) struct HostStore(storage::Store);

impl HostStore {
    pub(super) fn open() -> Result<Self, StoreError> {
        Ok(Self(storage::Store::open()?))
    }
}

impl Store for HostStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let wanted: Vec<_> = keys.iter().map(convert::key).collect();
        let values = self.0.get(space.into(), &wanted)?;
        // A missing item would be read as a missing value, so an entry would seem to be deleted.
        if values.len() != keys.len() {
            return Err(StoreError::Failed(format!("{} values came for {} keys", values.len(), keys.len())));
        }
        Ok(values)
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let page = self.0.scan(space.into(), &range.into(), limit)?;
        Ok(page.into())
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let revision = self.0.commit(&batch.into())?;
        Ok(Revision(revision))
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(self.0.close()?)
    }
}
