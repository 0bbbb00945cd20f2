//! The Rust door of a browser: a store in IndexedDB, clock and randomness, and hints between tabs, without JavaScript
//! of ours.
//!
//! The database is that of the npm package, with the same name, schema and rules (`pkg/src/storage/indexeddb/`): pages
//! in Rust and in TypeScript share one memory, also at the same time. Reads go through `rexie`. It keeps its connection
//! and its transactions private, so a second connection, the sentinel, opens and upgrades the database, hears that it has
//! to be closed, and commits: with a durability, and with the reason if the browser refuses.

mod bytes;
mod carried;
mod commit;
mod connection;
mod early_end;
mod env;
mod failures;
mod guard;
mod hints;
mod locks;
mod on_rexie;
mod on_sentinel;
mod read;
mod sentinel;
mod store;
mod task;
mod transaction;
mod turns;

pub use env::BrowserEnv;
pub use store::IndexedDb;

use crate::memory::{Error, Memory};
use crate::model::{Config, UserId};
use std::cell::OnceCell;
use std::rc::Rc;

/// Opens the memory of `user` in the app called `name`, and tells other tabs and workers of its writes, as it hears of
/// theirs. A TypeScript page of the same origin that calls `openMemory({ name, user })` has the same memory.
pub async fn open(name: &str, user: UserId, config: Config) -> Result<Memory<IndexedDb, BrowserEnv>, Error> {
    let store = IndexedDb::open(name).await?;
    let hint: Rc<OnceCell<Box<dyn Fn()>>> = Rc::default();
    let told = Rc::clone(&hint);
    store.listen(user.as_str(), move || {
        if let Some(hint) = told.get() {
            hint();
        }
    });
    let memory = Memory::open(store, BrowserEnv, user, config).await?;
    // From the first hint on, searches trust that hints arrive. The first one covers what was written meanwhile.
    hint.get_or_init(|| Box::new(memory.hinter()))();
    Ok(memory)
}
