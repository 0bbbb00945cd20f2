//! Transactions of the sentinel's connection: all commits. rexie has no durability, and cannot tell why a transaction was
//! aborted: a full disk is the error of no request (F5).

use super::transaction::{Answer, Issued, Source, Transaction, all};
use crate::store::{Durability, Space};
use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbCursor, IdbCursorDirection, IdbDatabase, IdbKeyRange, IdbObjectStore, IdbRequest, IdbTransaction};

#[wasm_bindgen]
extern "C" {
    /// A database, with the option that `web-sys` has among its unstable ones.
    #[wasm_bindgen(extends = IdbDatabase, js_name = IDBDatabase)]
    type Durable;

    #[wasm_bindgen(method, catch, js_class = "IDBDatabase", js_name = transaction)]
    fn begin(this: &Durable, names: &Array, mode: &str, options: &Object) -> Result<IdbTransaction, JsValue>;
}

/// A transaction of the sentinel.
pub(super) struct OnSentinel {
    inner: IdbTransaction,
    /// Resolves when it is complete, and rejects when it was aborted.
    ended: JsFuture,
}

impl OnSentinel {
    pub(super) fn begin(database: &IdbDatabase, spaces: &[Space], durability: Durability) -> Result<Self, JsValue> {
        let names: Array = spaces.iter().map(|space| JsValue::from_str(space.name())).collect();
        let options = Object::new();
        let durability = match durability {
            Durability::Strict => "strict",
            Durability::Relaxed => "relaxed",
        };
        Reflect::set(&options, &"durability".into(), &durability.into())?;
        let inner = database.unchecked_ref::<Durable>().begin(&names, "readwrite", &options)?;
        // The functions of a promise need no memory of ours, so they outlive everything.
        let ended = Promise::new(&mut |complete, aborted| {
            inner.set_oncomplete(Some(&complete));
            inner.set_onabort(Some(&aborted));
        });
        Ok(Self { inner, ended: ended.into() })
    }

    fn store(&self, space: Space) -> Result<IdbObjectStore, JsValue> {
        self.inner.object_store(space.name())
    }

    /// Writes a value.
    pub(super) fn put(&self, space: Space, value: &JsValue, key: &JsValue) -> Issued<()> {
        Ok(answer(self.store(space)?.put_with_key(value, key)?, drop))
    }

    /// Writes a value under a key that must not exist.
    pub(super) fn add(&self, space: Space, value: &JsValue, key: &JsValue) -> Issued<()> {
        Ok(answer(self.store(space)?.add_with_key(value, key)?, drop))
    }

    /// Deletes a key, or a range of keys.
    pub(super) fn delete(&self, space: Space, wanted: &JsValue) -> Issued<()> {
        Ok(answer(self.store(space)?.delete(wanted)?, drop))
    }

    /// Ends the transaction after these requests. With `early` the browser is asked to commit before they are answered.
    /// Fails with the reason if nothing was written.
    pub(super) async fn end(self, requests: Vec<Answer<()>>, early: bool) -> Result<(), JsValue> {
        if early && let Err(cause) = self.commit() {
            self.abort(requests).await;
            return Err(cause);
        }
        let answered = all(requests).await;
        // Only this reports every failure: a full disk is the error of no request (F5).
        if self.ended.await.is_ok() {
            return Ok(());
        }
        match self.inner.error() {
            Some(cause) => Err(cause.into()),
            None => Err(answered.err().unwrap_or_default()),
        }
    }

    /// Undoes these requests.
    pub(super) async fn abort(self, requests: Vec<Answer<()>>) {
        // It throws if the transaction has ended already.
        let _ = self.inner.abort();
        drop(all(requests).await);
    }

    fn commit(&self) -> Result<(), JsValue> {
        // `web-sys` calls it deprecated because one edition of the standard had left it out.
        #[allow(deprecated, reason = "see above")]
        self.inner.commit()
    }
}

/// The answer of an issued request.
fn answer<T: 'static>(request: IdbRequest, read: impl FnOnce(JsValue) -> T + 'static) -> Answer<T> {
    let settled = Promise::new(&mut |success, error| {
        request.set_onsuccess(Some(&success));
        request.set_onerror(Some(&error));
    });
    let settled = JsFuture::from(settled);
    Box::pin(async move {
        match settled.await {
            Ok(_) => request.result().map(read),
            Err(_) => Err(request.error().ok().flatten().map_or(JsValue::UNDEFINED, JsValue::from)),
        }
    })
}

fn list(values: JsValue) -> Vec<JsValue> {
    values.dyn_into::<Array>().map(|values| values.iter().collect()).unwrap_or_default()
}

impl Transaction for OnSentinel {
    fn get(&self, source: Source, key: JsValue) -> Issued<JsValue> {
        let request = match source {
            Source::Of(space) => self.store(space)?.get(&key)?,
            Source::Carried => self.store(Space::Log)?.index(super::carried::INDEX)?.get(&key)?,
        };
        Ok(answer(request, |value| value))
    }

    fn values(&self, source: Source, range: &JsValue, limit: u32) -> Issued<Vec<JsValue>> {
        let request = match source {
            Source::Of(space) => self.store(space)?.get_all_with_key_and_limit(range, limit)?,
            Source::Carried => {
                let log = self.store(Space::Log)?;
                log.index(super::carried::INDEX)?.get_all_with_key_and_limit(range, limit)?
            }
        };
        Ok(answer(request, list))
    }

    fn keys(&self, source: Source, range: &JsValue, limit: u32) -> Issued<Vec<JsValue>> {
        let request = match source {
            Source::Of(space) => self.store(space)?.get_all_keys_with_key_and_limit(range, limit)?,
            Source::Carried => {
                let log = self.store(Space::Log)?;
                log.index(super::carried::INDEX)?.get_all_keys_with_key_and_limit(range, limit)?
            }
        };
        Ok(answer(request, list))
    }

    fn last_page(&self, range: &IdbKeyRange) -> Issued<Option<JsValue>> {
        let log = self.store(Space::Log)?;
        let request = log.open_key_cursor_with_range_and_direction(range, IdbCursorDirection::Prev)?;
        Ok(answer(request, |found| found.dyn_into::<IdbCursor>().ok()?.key().ok()))
    }
}
