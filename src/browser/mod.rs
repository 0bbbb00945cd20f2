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
