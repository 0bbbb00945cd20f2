//! The connection to the database: rexie's and the sentinel's, which open, break and close together.

use super::failures::{cause_of, meaning, name_of, unavailable, unopened};
use super::on_rexie::OnRexie;
use super::on_sentinel::OnSentinel;
use super::sentinel::{PATIENCE_OPEN, Sentinel};
use super::task::{Either, either};
use crate::store::{Durability, Space, StoreError};
use futures_channel::oneshot;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Reflect, global};
use rexie::{Index, ObjectStore, Rexie};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::Performance;

/// The version of the schema: the object stores, and since version 2 the index of records inside log pages.
pub(super) const SCHEMA: u32 = 2;

/// How long (ms) a checked database is trusted. Commits within this time share one check; a database that is emptied by
/// hand accepts at most the commits of this time.
const CHECKED: f64 = 50.0;

/// An open database.
struct Open {
    /// `None` after it was closed, which consumes it.
    rexie: RefCell<Option<Rexie>>,
    sentinel: Sentinel,
    /// What the sentinel heard, before this connection was taken or after.
    heard: Rc<Cell<Option<Unused>>>,
}

impl Open {
    fn close(&self) {
        self.sentinel.database.close();
        if let Some(rexie) = self.rexie.take() {
            rexie.close();
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.close();
    }
}

/// The reason why a connection is not usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unused {
    /// The browser closed it, or it does not answer; the next call reopens it.
    Broken,
    /// A newer version has taken the database over.
    Superseded,
    /// The store was closed.
    Closed,
}

/// A call that waits for an attempt to open.
type Waiting = oneshot::Sender<Result<(), StoreError>>;

/// A connection that reopens itself when the browser drops it.
pub(super) struct Connection {
    name: String,
    schema: u32,
    link: RefCell<Result<Rc<Open>, Unused>>,
    /// The calls that wait for an attempt to open, while there is one.
    waiting: RefCell<Option<Vec<Waiting>>>,
    /// Whether the disk was full when it broke: reopening fails until there is space.
    full: Cell<bool>,
    was_open: Cell<bool>,
    /// The time at which a guard of this database last had the expected value.
    checked_at: Cell<f64>,
}

impl Connection {
    pub(super) fn new(name: String, schema: u32) -> Rc<Self> {
        Rc::new(Self {
            name,
            schema,
            link: RefCell::new(Err(Unused::Broken)),
            waiting: RefCell::default(),
            full: Cell::default(),
            was_open: Cell::default(),
            checked_at: Cell::new(f64::NEG_INFINITY),
        })
    }

    /// Whether the database was checked recently.
    pub(super) fn is_checked(&self) -> bool {
        now() - self.checked_at.get() < CHECKED
    }

    /// Records that a guard had the expected value.
    pub(super) fn checked(&self) {
        self.checked_at.set(now());
    }

    fn current(&self) -> Option<Rc<Open>> {
        self.link.borrow().as_ref().ok().map(Rc::clone)
    }

    /// Opens the database if it is not open.
    pub(super) async fn open(self: &Rc<Self>) -> Result<(), StoreError> {
        self.check()?;
        if self.current().is_some() {
            return Ok(());
        }
        let (tell, told) = oneshot::channel();
        let is_first = self.waiting.borrow().is_none();
        self.waiting.borrow_mut().get_or_insert_default().push(tell);
        if is_first {
            let connection = Rc::clone(self);
            spawn_local(async move {
                let outcome = connection.reopened().await;
                for waiting in connection.waiting.take().unwrap_or_default() {
                    drop(waiting.send(outcome.clone()));
                }
            });
        }
        told.await.unwrap_or(Err(StoreError::Closed))
    }

    pub(super) fn close(&self) {
        self.leave(Unused::Closed);
    }

    /// Fails if the connection must not be used any more.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match &*self.link.borrow() {
            Err(Unused::Superseded) => Err(StoreError::Superseded),
            Err(Unused::Closed) => Err(StoreError::Closed),
            Ok(_) | Err(Unused::Broken) => Ok(()),
        }
    }

    /// A database with a newer schema is read-only, if it has everything that we read (F3).
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        self.check()?;
        match self.current().and_then(|open| open.sentinel.newer) {
            Some(found) => Err(StoreError::Newer { found, known: self.schema }),
            None => Ok(()),
        }
    }

    /// Runs a read, and retries it once on a new connection if this one is dead (F10).
    pub(super) async fn reading<T>(&self, read: impl AsyncFn() -> Result<T, StoreError>) -> Result<T, StoreError> {
        match read().await {
            Err(StoreError::Failed(_)) => {
                self.break_off();
                read().await
            }
            answer => answer,
        }
    }

    /// Begins a transaction that reads, of rexie.
    pub(super) async fn begin_read(self: &Rc<Self>, spaces: &[Space]) -> Result<OnRexie, StoreError> {
        self.begin_on(|open| match &*open.rexie.borrow() {
            Some(rexie) => OnRexie::begin(rexie, spaces),
            None => Err(JsValue::UNDEFINED),
        })
        .await
    }

    /// Begins a transaction that writes, of the sentinel.
    pub(super) async fn begin_write(
        self: &Rc<Self>,
        spaces: &[Space],
        durability: Durability,
    ) -> Result<OnSentinel, StoreError> {
        self.begin_on(|open| OnSentinel::begin(&open.sentinel.database, spaces, durability)).await
    }

    /// Begins a transaction, at once if the database is open; on a new connection if this one is closing (F8).
    async fn begin_on<T>(self: &Rc<Self>, begin: impl Fn(&Open) -> Result<T, JsValue>) -> Result<T, StoreError> {
        if let Some(open) = self.current() {
            match begin(&open) {
                Ok(transaction) => return Ok(transaction),
                Err(cause) if name_of(&cause) == "InvalidStateError" || open.rexie.borrow().is_none() => {
                    self.break_off();
                }
                Err(cause) => return Err(meaning(&cause)),
            }
        }
        self.open().await?;
        let open = self.current().ok_or_else(|| unavailable("IndexedDB was closed while it opened"))?;
        begin(&open).map_err(|cause| meaning(&cause))
    }

    /// Maps an exception of the browser; a full disk is remembered.
    pub(super) fn failed(&self, cause: &JsValue) -> StoreError {
        let failure = meaning(cause);
        if failure == StoreError::QuotaExceeded {
            self.full.set(true);
        }
        failure
    }

    fn break_off(&self) {
        if self.current().is_some() {
            self.leave(Unused::Broken);
        }
    }

    fn leave(&self, why: Unused) {
        if let Ok(open) = self.link.replace(Err(why)) {
            open.close();
            // Later: this may be the handler of an event, which must not drop itself.
            spawn_local(async { drop(open) });
        }
    }

    async fn reopened(self: &Rc<Self>) -> Result<(), StoreError> {
        let opened = self.opened().await;
        let open = match opened {
            Err(StoreError::Unavailable(_)) if self.full.get() => return Err(StoreError::QuotaExceeded),
            opened => opened?,
        };
        self.full.set(false);
        // The store may have been closed while the database opened, and the sentinel may have heard something.
        if *self.link.borrow() != Err(Unused::Broken) {
            return self.check();
        }
        match open.heard.get() {
            Some(Unused::Superseded) => {
                self.leave(Unused::Superseded);
                return self.check();
            }
            Some(_) => return Err(unavailable("IndexedDB was closed while it opened")),
            None => {}
        }
        if open.sentinel.created && self.was_open.get() {
            return Err(StoreError::Lost);
        }
        *self.link.borrow_mut() = Ok(open);
        self.was_open.set(true);
        self.checked_at.set(f64::NEG_INFINITY);
        Ok(())
    }

    /// Opens the sentinel, which upgrades the database, and rexie on what is there then.
    async fn opened(self: &Rc<Self>) -> Result<Rc<Open>, StoreError> {
        let mut sentinel = Sentinel::open(&self.name, self.schema).await?;
        let heard: Rc<Cell<Option<Unused>>> = Rc::default();
        let (hearing, connection) = (Rc::clone(&heard), Rc::downgrade(self));
        sentinel.watch(move |is_upgrade| {
            let why = if is_upgrade { Unused::Superseded } else { Unused::Broken };
            hearing.set(Some(why));
            heard_of(&connection, &hearing, why);
        });
        // One of a newer schema is opened as it is.
        let schema = sentinel.newer.is_none().then_some(self.schema);
        let rexie = RefCell::new(Some(rexie_on(&self.name, schema).await?));
        Ok(Rc::new(Open { rexie, sentinel, heard }))
    }
}

/// Closes both connections, if the one that heard is in use. The browser finishes pending transactions.
fn heard_of(connection: &Weak<Connection>, hearing: &Rc<Cell<Option<Unused>>>, why: Unused) {
    let Some(connection) = connection.upgrade() else { return };
    if connection.current().is_some_and(|open| Rc::ptr_eq(&open.heard, hearing)) {
        connection.leave(why);
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Opens rexie on the database that the sentinel has opened: rexie's own upgrade has no timeout, and would delete object
/// stores that it does not know. Only if the database was deleted meanwhile it makes a new one; the sentinel hears of that.
async fn rexie_on(name: &str, schema: Option<u32>) -> Result<Rexie, StoreError> {
    let mut builder = Rexie::builder(name);
    if let Some(schema) = schema {
        builder = Space::ALL.into_iter().fold(builder.version(schema), |builder, space| {
            let store = ObjectStore::new(space.name());
            let index = (space == Space::Log).then(|| Index::new(super::carried::INDEX, "key"));
            builder.add_object_store(match index {
                Some(index) => store.add_index(index),
                None => store,
            })
        });
    }
    let building = builder.build();
    let (tell, mut told) = oneshot::channel();
    spawn_local(async move {
        if let Err(Ok(late)) = tell.send(building.await) {
            late.close();
        }
    });
    match either(&mut told, &mut TimeoutFuture::new(PATIENCE_OPEN)).await {
        Either::One(Ok(Ok(rexie))) => Ok(rexie),
        Either::One(Ok(Err(error))) => Err(unopened(&cause_of(error))),
        Either::One(Err(_)) | Either::Other(()) => Err(unavailable("IndexedDB does not answer")),
    }
}

/// The time in milliseconds of a clock that does not jump.
fn now() -> f64 {
    let performance = Reflect::get(&global(), &"performance".into()).ok();
    performance.and_then(|clock| clock.dyn_into::<Performance>().ok()).map_or(f64::NAN, |clock| clock.now())
}
