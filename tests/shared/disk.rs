//! A store in a file with the shape of `MemStore`, so that tests run on either.

use super::folder::Folder;
use keepsake::Store;
use keepsake::native::FileStore;
use keepsake::store::{Key, KeyRange, Page, Revision, Space, StoreError, WriteBatch};
use std::rc::Rc;

/// A store in a new file, which is deleted with the last handle.
#[derive(Debug)]
pub(crate) struct FileDisk {
    // Before the folder: it is closed first.
    store: FileStore,
    folder: Rc<Folder>,
}

impl FileDisk {
    pub(crate) fn new() -> Self {
        let folder = Rc::new(Folder::new());
        Self { store: FileStore::open(folder.file("memory")).unwrap(), folder }
    }

    /// Another handle to the same file.
    pub(crate) fn connect(&self) -> Self {
        Self { store: self.store.connect().unwrap(), folder: Rc::clone(&self.folder) }
    }
}

impl Store for FileDisk {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.store.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.store.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.store.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
