//! The sentinel: a connection through `web-sys` to the database that rexie has open. It opens and upgrades the database
//! with a timeout, commits, and hears what rexie's own connection cannot tell: that another tab needs the database closed,
//! and that the browser closed it.

use super::carried::{is_prepared, prepare};
use super::failures::{name_of, unavailable, unopened};
use super::task::{Either, either};
use crate::store::{Space, StoreError};
use futures_channel::oneshot;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Promise, Reflect, global};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{IdbDatabase, IdbFactory, IdbOpenDbRequest, IdbVersionChangeEvent};

/// How long (ms) another tab may block an upgrade (F2), and how long opening may take (F11).
const PATIENCE_BLOCKED: u32 = 2_000;
pub(super) const PATIENCE_OPEN: u32 = 10_000;

/// An open database.
pub(super) struct Sentinel {
    pub(super) database: IdbDatabase,
    /// Its schema version, if that is newer than ours.
    pub(super) newer: Option<u32>,
    /// Whether it was created by this call.
    pub(super) created: bool,
    /// The handlers of its events.
    handlers: Vec<Closure<dyn FnMut(JsValue)>>,
}

impl Sentinel {
    /// Opens the database with this schema, or reads one of a newer schema (F3).
    pub(super) async fn open(name: &str, schema: u32) -> Result<Self, StoreError> {
        let (opened, newer) = match opened(name, Some(schema)).await {
            Ok(opened) => (opened, None),
            Err(Unopened::Cause(cause)) if name_of(&cause) == "VersionError" => {
                let opened = opened(name, None).await.map_err(Unopened::into_error)?;
                let version = opened.0.version() as u32;
                (opened, Some(version))
            }
            Err(unopened) => return Err(unopened.into_error()),
        };
        let (database, created) = opened;
        let sentinel = Self { database, newer, created, handlers: Vec::new() };
        if sentinel.is_readable() {
            return Ok(sentinel);
        }
        sentinel.database.close();
        Err(match newer {
            None => unavailable("the database was not created by keepsake"),
            Some(found) => StoreError::Newer { found, known: schema },
        })
    }

    /// Whether the database has everything that we read.
    fn is_readable(&self) -> bool {
        let names = self.database.object_store_names();
        if !Space::ALL.iter().all(|space| names.contains(space.name())) {
            return false;
        }
        // A database with our own schema was created with the index.
        self.newer.is_none() || self.has_index().unwrap_or(false)
    }

    fn has_index(&self) -> Result<bool, JsValue> {
        let transaction = self.database.transaction_with_str(Space::Log.name())?;
        Ok(is_prepared(&transaction.object_store(Space::Log.name())?))
    }

    /// Calls back when the database has to be closed: `true` for an upgrade by another tab, `false` if it is deleted,
    /// or if the browser has closed it.
    pub(super) fn watch(&mut self, told: impl Fn(bool) + 'static) {
        let told = Rc::new(told);
        let told_of_close = Rc::clone(&told);
        let changed = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            told(event.dyn_ref::<IdbVersionChangeEvent>().and_then(IdbVersionChangeEvent::new_version).is_some());
        });
        let closed = Closure::<dyn FnMut(JsValue)>::new(move |_| told_of_close(false));
        self.database.set_onversionchange(Some(changed.as_ref().unchecked_ref()));
        self.database.set_onclose(Some(closed.as_ref().unchecked_ref()));
        self.handlers = vec![changed, closed];
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        self.database.set_onversionchange(None);
        self.database.set_onclose(None);
        self.database.close();
    }
}

/// Why a database was not opened.
enum Unopened {
    /// By an exception.
    Cause(JsValue),
    /// Because it took too long.
    Late(StoreError),
}

impl Unopened {
    fn into_error(self) -> StoreError {
        match self {
            Self::Cause(cause) => unopened(&cause),
            Self::Late(error) => error,
        }
    }
}

/// The browser's IndexedDB.
pub(super) fn factory() -> Result<IdbFactory, JsValue> {
    // Reading the property throws where the page is not allowed to use it, and in some workers it is missing (F14).
    Reflect::get(&global(), &"indexedDB".into())?.dyn_into()
}

/// One attempt to open. It always settles, even if another tab blocks it or the browser does not answer.
async fn opened(name: &str, schema: Option<u32>) -> Result<(IdbDatabase, bool), Unopened> {
    let factory = factory().map_err(|cause| Unopened::Late(missing(&cause)))?;
    let request = match schema {
        Some(schema) => factory.open_with_u32(name, schema),
        None => factory.open(name),
    }
    .map_err(Unopened::Cause)?;
    let created = Rc::new(Cell::new(false));
    let (upgrading, creating) = (request.clone(), Rc::clone(&created));
    let upgrade = Closure::<dyn FnMut(IdbVersionChangeEvent)>::new(move |event: IdbVersionChangeEvent| {
        creating.set(event.old_version() == 0.0);
        if upgrade(&upgrading).is_err()
            && let Some(transaction) = upgrading.transaction()
        {
            // The request fails then, and the database stays as it was.
            let _ = transaction.abort();
        }
    });
    let (block, blocked) = oneshot::channel();
    let mut block = Some(block);
    let blocked_now = Closure::<dyn FnMut(JsValue)>::new(move |_| {
        if let Some(block) = block.take() {
            let _ = block.send(());
        }
    });
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    request.set_onblocked(Some(blocked_now.as_ref().unchecked_ref()));
    let settled = Promise::new(&mut |success, error| {
        request.set_onsuccess(Some(&success));
        request.set_onerror(Some(&error));
    });
    let (tell, told) = oneshot::channel();
    spawn_local(async move {
        let outcome = match JsFuture::from(settled).await {
            Ok(_) => request.result().and_then(|database| database.dyn_into::<IdbDatabase>()),
            Err(_) => Err(request.error().ok().flatten().map_or(JsValue::UNDEFINED, JsValue::from)),
        };
        // The handlers live as long as the request.
        drop((upgrade, blocked_now));
        if let Err(Ok(late)) = tell.send(outcome) {
            // A connection that opens too late must not stay open: it would block upgrades.
            late.close();
        }
    });
    let database = in_time(told, blocked).await?.map_err(Unopened::Cause)?;
    Ok((database, created.get()))
}

type Outcome = Result<IdbDatabase, JsValue>;

async fn in_time(mut told: oneshot::Receiver<Outcome>, blocked: oneshot::Receiver<()>) -> Result<Outcome, Unopened> {
    let ended = |outcome: Result<Outcome, oneshot::Canceled>| outcome.unwrap_or(Err(JsValue::UNDEFINED));
    let silent = || Unopened::Late(unavailable("IndexedDB does not answer"));
    let mut late = TimeoutFuture::new(PATIENCE_OPEN);
    let mut is_blocked = std::pin::pin!(async move {
        // After an open without one this channel ends without a message.
        if blocked.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    match either(&mut told, &mut Box::pin(async { either(&mut is_blocked, &mut late).await })).await {
        Either::One(outcome) => return Ok(ended(outcome)),
        Either::Other(Either::Other(())) => return Err(silent()),
        Either::Other(Either::One(())) => {}
    }
    match either(&mut told, &mut TimeoutFuture::new(PATIENCE_BLOCKED)).await {
        Either::One(outcome) => Ok(ended(outcome)),
        Either::Other(()) => Err(Unopened::Late(StoreError::Blocked)),
    }
}

fn missing(cause: &JsValue) -> StoreError {
    if cause.is_undefined() || cause.is_null() { unavailable("there is no IndexedDB here") } else { unopened(cause) }
}

/// Creates what is missing: everything in a new database, the index in one of the first schema.
fn upgrade(request: &IdbOpenDbRequest) -> Result<(), JsValue> {
    let database: IdbDatabase = request.result()?.dyn_into()?;
    let there = database.object_store_names();
    for space in Space::ALL {
        if !there.contains(space.name()) {
            database.create_object_store(space.name())?;
        }
    }
    match request.transaction() {
        Some(transaction) => prepare(&transaction.object_store(Space::Log.name())?),
        None => Ok(()),
    }
}
