//! The store in a browser: one database, one object store per space, one transaction per commit.

use super::connection::{Connection, SCHEMA};
use super::guard::Seen;
use super::hints::Hints;
use super::task::run;
use super::turns::Turns;
use super::{commit, read};
use crate::store::{Key, KeyRange, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A store in the browser's IndexedDB, in the database of the npm package's app of the same name.
///
/// It survives the page. Tabs and workers of one origin may have it open at the same time, in Rust and in TypeScript.
pub struct IndexedDb {
    name: String,
    shared: Rc<Shared>,
    hints: RefCell<Option<Hints>>,
}

struct Shared {
    connection: Rc<Connection>,
    turns: Turns,
    seen: Seen,
}

impl IndexedDb {
    /// Opens the database of the app called `name`; it is created on first use, and upgraded if an older version of this
    /// library has created it.
    ///
    /// # Errors
    /// [`Unavailable`](StoreError::Unavailable) where there is no IndexedDB, as in some private modes and sandboxed
    /// frames; [`QuotaExceeded`](StoreError::QuotaExceeded) if the disk is full; [`Blocked`](StoreError::Blocked) if
    /// another tab holds an older schema open and does not close it; [`Newer`](StoreError::Newer) if the database has a
    /// newer schema that cannot be read. One that can be read is open for reads.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        Self::open_schema(name, SCHEMA).await
    }

    async fn open_schema(name: &str, schema: u32) -> Result<Self, StoreError> {
        let connection = Connection::new(format!("keepsake/{name}"), schema);
        connection.open().await?;
        let shared = Shared { connection, turns: Turns::new(name), seen: Seen::default() };
        Ok(Self { name: name.to_owned(), shared: Rc::new(shared), hints: RefCell::default() })
    }

    /// The same with another version of the schema, for tests of upgrades.
    #[cfg(feature = "testing")]
    pub async fn open_with_schema(name: &str, schema: u32) -> Result<Self, StoreError> {
        Self::open_schema(name, schema).await
    }
}

impl fmt::Debug for IndexedDb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexedDb").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Drop for IndexedDb {
    fn drop(&mut self) {
        self.shared.connection.close();
        self.shared.turns.end();
    }
}

impl Store for IndexedDb {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let (shared, keys) = (Rc::clone(&self.shared), keys.to_vec());
        run(async move {
            let Shared { connection, seen, .. } = &*shared;
            connection.reading(async || read::get(connection, seen, space, &keys).await).await
        })
        .await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let (shared, range) = (Rc::clone(&self.shared), range.clone());
        run(async move {
            let Shared { connection, seen, .. } = &*shared;
            connection.reading(async || read::scan(connection, seen, space, &range, limit).await).await
        })
        .await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let shared = Rc::clone(&self.shared);
        let written = run(async move { shared.commit(batch).await }).await;
        if written.is_ok()
            && let Some(hints) = &*self.hints.borrow()
        {
            hints.tell();
        }
        written
    }

    async fn turn(&self, guard: &Key) -> Result<(), StoreError> {
        let (shared, guard) = (Rc::clone(&self.shared), guard.clone());
        run(async move {
            shared.turns.wait(&guard).await;
            Ok(())
        })
        .await
    }

    /// By a `BroadcastChannel`, where there is one.
    fn listen(&self, user: &str, told: impl Fn() + 'static) -> bool {
        let hints = Hints::listen(&self.name, user, told);
        let listens = hints.is_some();
        *self.hints.borrow_mut() = hints;
        listens
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.shared.turns.end();
        self.shared.connection.close();
        // Last, because the commits so far are still announced.
        self.hints.take();
        Ok(())
    }
}

impl Shared {
    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let Self { connection, turns, seen } = self;
        if turns.enter(&batch.guard).await {
            // If others wrote meanwhile, the commit would conflict: the call plans again at once, during this turn.
            let guard = read::get(connection, seen, Space::Meta, std::slice::from_ref(&batch.guard)).await?;
            let current = Revision::from_bytes(guard.into_iter().next().flatten().as_deref())?;
            if current != batch.base {
                return Err(StoreError::Conflict { current });
            }
        }
        let written = commit::commit(connection, seen, &batch).await;
        match &written {
            Ok(_) => turns.committed(batch.base),
            Err(StoreError::Conflict { .. }) => turns.refused(&batch.guard).await,
            Err(_) => turns.end(),
        }
        written
    }
}
