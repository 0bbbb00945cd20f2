//! Transactions of rexie: all reads.

use super::failures::cause_of;
use super::transaction::{Issued, Source, Transaction, issue};
use crate::store::Space;
use rexie::{Direction, KeyRange, TransactionMode};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbKeyRange;

/// A transaction of rexie.
pub(super) struct OnRexie(rexie::Transaction);

impl OnRexie {
    pub(super) fn begin(database: &rexie::Rexie, spaces: &[Space]) -> Result<Self, JsValue> {
        let names: Vec<&str> = spaces.iter().map(|space| space.name()).collect();
        database.transaction(&names, TransactionMode::ReadOnly).map(Self).map_err(cause_of)
    }

    fn on<T: 'static, F>(&self, space: Space, request: impl FnOnce(rexie::Store) -> F) -> Issued<T>
    where
        F: Future<Output = rexie::Result<T>> + 'static,
    {
        let request = request(self.0.store(space.name()).map_err(cause_of)?);
        issue(async { request.await.map_err(cause_of) })
    }

    fn on_index<T: 'static, F>(&self, request: impl FnOnce(rexie::StoreIndex) -> F) -> Issued<T>
    where
        F: Future<Output = rexie::Result<T>> + 'static,
    {
        let log = self.0.store(Space::Log.name()).map_err(cause_of)?;
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
}

/// A range or a single key.
fn some_range(wanted: &JsValue) -> Result<Option<KeyRange>, JsValue> {
    let range = match wanted.dyn_ref::<IdbKeyRange>() {
        Some(range) => range.clone(),
        None => IdbKeyRange::only(wanted)?,
    };
    Ok(Some(range.into()))
}
