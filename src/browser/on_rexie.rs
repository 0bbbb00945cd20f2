//! Transactions of rexie: all reads, and all commits that need not be flushed to disk.

use super::failures::cause_of;
use super::task::poll_once;
use super::transaction::{Answer, End, Issued, Source, Transaction, all, issue};
use crate::store::Space;
use rexie::{Direction, KeyRange, TransactionMode, TransactionResult};
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbKeyRange;

/// Futures of rexie whose `abort` event is still to come. They own the handlers that the browser will call, and would
/// end at the `error` event before: polled again, they would take the handlers with them.
#[derive(Default)]
pub(super) struct Leftovers(RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>>);

impl Leftovers {
    fn keep(&self, future: Pin<Box<dyn Future<Output = ()>>>) {
        self.0.borrow_mut().push(future);
    }

    /// Transactions that write end in their order: after a later one is complete, no event of these is to come.
    fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

/// A transaction of rexie.
pub(super) struct OnRexie {
    inner: rexie::Transaction,
    leftovers: Rc<Leftovers>,
}

impl OnRexie {
    pub(super) fn begin(
        database: &rexie::Rexie,
        leftovers: &Rc<Leftovers>,
        spaces: &[Space],
        mode: TransactionMode,
    ) -> Result<Self, JsValue> {
        let names: Vec<&str> = spaces.iter().map(|space| space.name()).collect();
        let inner = database.transaction(&names, mode).map_err(cause_of)?;
        Ok(Self { inner, leftovers: Rc::clone(leftovers) })
    }

    fn on<T: 'static, F>(&self, space: Space, request: impl FnOnce(rexie::Store) -> F) -> Issued<T>
    where
        F: Future<Output = rexie::Result<T>> + 'static,
    {
        let request = request(self.inner.store(space.name()).map_err(cause_of)?);
        issue(async { request.await.map_err(cause_of) })
    }

    fn on_index<T: 'static, F>(&self, request: impl FnOnce(rexie::StoreIndex) -> F) -> Issued<T>
    where
        F: Future<Output = rexie::Result<T>> + 'static,
    {
        let log = self.inner.store(Space::Log.name()).map_err(cause_of)?;
        let request = request(log.index(super::carried::INDEX).map_err(cause_of)?);
        issue(async { request.await.map_err(cause_of) })
    }
}

impl Transaction for OnRexie {
    fn get(&self, source: Source, key: JsValue) -> Issued<JsValue> {
        let found = |value: rexie::Result<Option<JsValue>>| value.map(Option::unwrap_or_default);
        match source {
            Source::Of(space) => self.on(space, |store| async move { found(store.get(key).await) }),
            Source::Carried => self.on_index(|index| async move { found(index.get(key).await) }),
        }
    }

    fn values(&self, source: Source, range: &JsValue, limit: u32) -> Issued<Vec<JsValue>> {
        let (range, limit) = (some_range(range)?, Some(limit));
        match source {
            Source::Of(space) => self.on(space, |store| async move { store.get_all(range, limit).await }),
            Source::Carried => self.on_index(|index| async move { index.get_all(range, limit).await }),
        }
    }

    fn keys(&self, source: Source, range: &JsValue, limit: u32) -> Issued<Vec<JsValue>> {
        let (range, limit) = (some_range(range)?, Some(limit));
        match source {
            Source::Of(space) => self.on(space, |store| async move { store.get_all_keys(range, limit).await }),
            Source::Carried => self.on_index(|index| async move { index.get_all_keys(range, limit).await }),
        }
    }

    fn last_page(&self, range: &IdbKeyRange) -> Issued<Option<JsValue>> {
        let range = Some(KeyRange::from(range.clone()));
        self.on(Space::Log, |store| async move {
            let last = store.scan(range, Some(1), None, Some(Direction::Prev)).await?;
            Ok(last.into_iter().next().map(|(key, _)| key))
        })
    }

    fn put(&self, space: Space, value: JsValue, key: JsValue) -> Issued<()> {
        self.on(space, |store| async move { store.put(&value, Some(&key)).await.map(drop) })
    }

    fn add(&self, space: Space, value: JsValue, key: JsValue) -> Issued<()> {
        self.on(space, |store| async move { store.add(&value, Some(&key)).await.map(drop) })
    }

    fn delete(&self, space: Space, wanted: JsValue) -> Issued<()> {
        self.on(space, |store| async move { store.delete(wanted).await })
    }

    async fn end(self, requests: Vec<Answer<()>>, early: bool) -> End {
        let Self { inner, leftovers } = self;
        if early {
            let mut commit = Box::pin(async move { inner.commit().await.is_ok() });
            let begun = poll_once(commit.as_mut());
            if let Err(cause) = all(requests).await {
                leftovers.keep(Box::pin(async {
                    commit.await;
                }));
                return End::Failed(cause);
            }
            let complete = match begun {
                Poll::Ready(complete) => complete,
                Poll::Pending => commit.await,
            };
            return ended(complete, &leftovers);
        }
        // After a failed request nobody listens to the transaction any more: rexie would stop at the `error` event.
        if let Err(cause) = all(requests).await {
            return End::Failed(cause);
        }
        ended(inner.done().await == Ok(TransactionResult::Committed), &leftovers)
    }

    async fn abort(self, requests: Vec<Answer<()>>) {
        let Self { inner, leftovers } = self;
        let mut abort = Box::pin(async { drop(inner.abort().await) });
        if poll_once(abort.as_mut()).is_pending() {
            leftovers.keep(abort);
        }
        drop(all(requests).await);
    }
}

fn ended(complete: bool, leftovers: &Leftovers) -> End {
    if !complete {
        return End::Aborted;
    }
    leftovers.clear();
    End::Complete
}

/// A range or a single key.
fn some_range(wanted: &JsValue) -> Result<Option<KeyRange>, JsValue> {
    let range = match wanted.dyn_ref::<IdbKeyRange>() {
        Some(range) => range.clone(),
        None => IdbKeyRange::only(wanted)?,
    };
    Ok(Some(range.into()))
}
