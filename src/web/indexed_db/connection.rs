//! The connection to the database: opened, upgraded, given up when somebody newer asks, opened again when it breaks.

use super::super::host::promise;
use super::super::timer::{first, sleep};
use super::request::{Transaction, failure, name_of, named, settled};
use crate::store::{Durability, Space, StoreError};
use idb::event::VersionChangeEvent;
use idb::request::OpenDatabaseRequest;
use idb::{Database, Event, Factory, ObjectStore, ObjectStoreParams};
use js_sys::futures::{JsFuture, spawn_local};
use js_sys::{Array, Object, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{IdbDatabase, IdbOpenDbRequest, IdbTransaction, IdbTransactionMode, IdbVersionChangeEvent};

/// The version of the schema: which object stores there are.
pub(super) const SCHEMA: u32 = 1;

/// How long another tab may take to give way to an upgrade (F2), and how long opening may take at all (F11).
const PATIENCE_BLOCKED: u32 = 2_000;
const PATIENCE_OPEN: u32 = 10_000;

#[wasm_bindgen]
extern "C" {
    /// The overload with options, which web-sys has only behind its flag for unstable interfaces.
    type WithOptions;

    #[wasm_bindgen(method, catch)]
    fn transaction(
        this: &WithOptions,
        names: &Array,
        mode: IdbTransactionMode,
        options: &Object,
    ) -> Result<IdbTransaction, JsValue>;
}

#[derive(Debug)]
enum Link {
    /// In use, with what listens to its events, and the schema if that is newer than ours.
    Open { database: IdbDatabase, _listening: Database, newer: Option<u32> },
    /// The browser closed it, or it stopped answering: the next call opens it again.
    Broken,
    /// A newer version of the program wants to upgrade: this one has to stay out.
    Superseded,
    /// Closed by us.
    Closed,
}

/// A connection that comes back by itself when the browser drops it.
#[derive(Debug)]
pub(super) struct Connection {
    name: String,
    schema: u32,
    link: Rc<RefCell<Link>>,
    /// What every transaction says, in JavaScript already: texts are slow to get there.
    words: Words,
}

#[derive(Debug)]
struct Words {
    /// The names of the spaces.
    spaces: [JsValue; Space::ALL.len()],
    relaxed: Object,
    strict: Object,
}

impl Words {
    fn new() -> Self {
        let durable = |how: &str| {
            let options = Object::new();
            // Setting a property of a new plain object cannot fail.
            let _ = Reflect::set(&options, &"durability".into(), &how.into());
            options
        };
        Self {
            spaces: Space::ALL.map(|space| space.name().into()),
            relaxed: durable("relaxed"),
            strict: durable("strict"),
        }
    }

    fn of(&self, space: Space) -> &JsValue {
        &self.spaces[Space::ALL.iter().position(|known| *known == space).unwrap_or_default()]
    }
}

impl Connection {
    pub(super) async fn open(name: String, schema: u32) -> Result<Self, StoreError> {
        let connection = Self { name, schema, link: Rc::new(RefCell::new(Link::Broken)), words: Words::new() };
        connection.database().await?;
        Ok(connection)
    }

    pub(super) fn close(&self) {
        if let Link::Open { database, .. } = self.link.replace(Link::Closed) {
            database.close();
        }
    }

    pub(super) fn check_open(&self) -> Result<(), StoreError> {
        match *self.link.borrow() {
            Link::Open { .. } | Link::Broken => Ok(()),
            Link::Superseded => Err(StoreError::Superseded),
            Link::Closed => Err(StoreError::Closed),
        }
    }

    /// A database of a newer schema can be read, as far as it has what we know; it is never written to (F3).
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        match *self.link.borrow() {
            Link::Open { newer: Some(found), .. } => Err(StoreError::Newer { found, known: self.schema }),
            _ => self.check_open(),
        }
    }

    /// Runs a read, and once more on a new connection if this one turns out to be dead (F10).
    pub(super) async fn reading<T>(&self, read: impl AsyncFn() -> Result<T, StoreError>) -> Result<T, StoreError> {
        match read().await {
            Err(StoreError::Failed(_)) => {
                self.mark_broken();
                read().await
            }
            answer => answer,
        }
    }

    /// Begins a transaction, on a new connection if this one is closing (F8).
    pub(super) async fn begin(
        &self,
        spaces: &[Space],
        mode: IdbTransactionMode,
        durability: Durability,
    ) -> Result<Transaction, StoreError> {
        let names: Array = spaces.iter().map(|space| self.words.of(*space)).collect();
        let options = match durability {
            Durability::Relaxed => &self.words.relaxed,
            Durability::Strict => &self.words.strict,
        };
        let begin = |database: &IdbDatabase| {
            database.unchecked_ref::<WithOptions>().transaction(&names, mode, options).map(Transaction)
        };
        match begin(&self.database().await?) {
            Err(thrown) if name_of(&thrown) == "InvalidStateError" => {
                self.mark_broken();
                begin(&self.database().await?).map_err(|thrown| named(&thrown))
            }
            begun => begun.map_err(|thrown| named(&thrown)),
        }
    }

    /// A space in a transaction.
    pub(super) fn store(&self, transaction: &Transaction, space: Space) -> Result<ObjectStore, StoreError> {
        transaction.store(self.words.of(space))
    }

    fn mark_broken(&self) {
        let mut link = self.link.borrow_mut();
        if let Link::Open { database, .. } = &*link {
            database.close();
            *link = Link::Broken;
        }
    }

    async fn database(&self) -> Result<IdbDatabase, StoreError> {
        self.check_open()?;
        if let Link::Open { database, .. } = &*self.link.borrow() {
            return Ok(database.clone());
        }
        let (database, newer) = open_or_read_newer(&self.name, self.schema).await?;
        let mut link = self.link.borrow_mut();
        match &*link {
            Link::Broken => {
                let listening = watch(&database, Rc::downgrade(&self.link));
                *link = Link::Open { database: database.clone(), _listening: listening, newer };
                Ok(database)
            }
            // Somebody else was faster, or it was closed meanwhile.
            Link::Open { database: theirs, .. } => {
                database.close();
                Ok(theirs.clone())
            }
            Link::Superseded | Link::Closed => {
                database.close();
                drop(link);
                Err(self.check_open().err().unwrap_or(StoreError::Closed))
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}

/// Gives way to upgrades, and notices when the browser closes the connection. The handlers live as long as the answer.
fn watch(database: &IdbDatabase, link: std::rc::Weak<RefCell<Link>>) -> Database {
    let mut handlers = Database::from(database.clone());
    let (ours, on_change) = (database.clone(), link.clone());
    handlers.on_version_change(move |event| {
        // Transactions under way are finished by the browser; `close` waits for them.
        ours.close();
        let upgrade = event.unchecked_ref::<IdbVersionChangeEvent>().new_version().is_some();
        replace(&on_change, if upgrade { Link::Superseded } else { Link::Broken });
    });
    handlers.on_close(move |_| replace(&link, Link::Broken));
    handlers
}

fn replace(link: &std::rc::Weak<RefCell<Link>>, next: Link) {
    let Some(link) = link.upgrade() else { return };
    if !matches!(*link.borrow(), Link::Open { .. }) {
        return;
    }
    // The old one holds the handler that is running now: it may only go once that has returned.
    let old = link.replace(next);
    spawn_local(async move { drop(old) });
}

/// Opens the database in our schema, or as it is if its schema is newer.
async fn open_or_read_newer(name: &str, schema: u32) -> Result<(IdbDatabase, Option<u32>), StoreError> {
    let (database, newer) = match open(name, Some(schema)).await {
        Err(OpenError::Named(error)) if error == "VersionError" => {
            let database = open(name, None).await.map_err(StoreError::from)?;
            let found = database.version() as u32;
            (database, Some(found))
        }
        opened => (opened.map_err(StoreError::from)?, None),
    };
    let there = database.object_store_names();
    if Space::ALL.iter().all(|space| there.contains(space.name())) {
        return Ok((database, newer));
    }
    database.close();
    Err(match newer {
        Some(found) => StoreError::Newer { found, known: schema },
        None => StoreError::Unavailable("the database is not one of ours".into()),
    })
}

enum OpenError {
    /// The browser refused, by the name of its exception.
    Named(String),
    Other(StoreError),
}

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Other(error) => error,
            OpenError::Named(name) if name == "QuotaExceededError" => Self::QuotaExceeded,
            OpenError::Named(name) => Self::Unavailable(format!("IndexedDB: {name}")),
        }
    }
}

/// One try to open, which never takes for ever: neither when another tab is in the way, nor when the browser does not
/// answer.
async fn open(name: &str, version: Option<u32>) -> Result<IdbDatabase, OpenError> {
    let request = Factory::new().and_then(|factory| factory.open(name, version));
    let raw = IdbOpenDbRequest::from(request.map_err(|error| OpenError::Other(failure(error)))?);
    let mut upgrading = OpenDatabaseRequest::from(raw.clone());
    upgrading.on_upgrade_needed(upgrade);
    let blocked = promise(|resolve, _| raw.set_onblocked(Some(&resolve)));
    let patience = async {
        match first(JsFuture::from(blocked), sleep(PATIENCE_OPEN)).await {
            Ok(_) => {
                sleep(PATIENCE_BLOCKED).await;
                StoreError::Blocked
            }
            Err(()) => StoreError::Unavailable("IndexedDB does not answer".into()),
        }
    };
    match first(settled(raw.clone().into()), patience).await {
        Ok(opened) => opened.map(JsCast::unchecked_into).map_err(OpenError::Named),
        Err(impatience) => {
            // It may still open. Then it must not stay open, where it would be in everybody's way.
            spawn_local(async move {
                if let Ok(late) = settled(raw.into()).await {
                    late.unchecked_into::<IdbDatabase>().close();
                }
                drop(upgrading);
            });
            Err(OpenError::Other(impatience))
        }
    }
}

/// Makes the object stores that are not there yet. What is missing afterwards is noticed after opening.
fn upgrade(event: VersionChangeEvent) {
    let Ok(database) = event.target().and_then(|request| request.database()) else { return };
    let there = database.store_names();
    for space in Space::ALL {
        if !there.iter().any(|name| name == space.name()) {
            let _ = database.create_object_store(space.name(), ObjectStoreParams::new());
        }
    }
}
