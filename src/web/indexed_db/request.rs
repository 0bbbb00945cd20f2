//! Waiting for requests and transactions, and what their failures mean.
//!
//! A promise's own functions are the event handlers. So nothing of ours is called when a request ends whose future was
//! dropped, and a transaction is still active when the future goes on: that happens in the microtasks of the event.

use super::super::host::promise;
use crate::store::{Space, StoreError};
use idb::ObjectStore;
use js_sys::Reflect;
use js_sys::futures::JsFuture;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{IdbRequest, IdbTransaction};

#[wasm_bindgen]
extern "C" {
    /// A transaction that can be told to end. web-sys calls the method deprecated, which no browser does.
    type Ending;

    #[wasm_bindgen(method, catch)]
    fn commit(this: &Ending) -> Result<(), JsValue>;
}

/// The result of a request.
pub(super) async fn wait(request: impl Into<JsValue>) -> Result<JsValue, StoreError> {
    settled(request.into().unchecked_into()).await.map_err(meaning)
}

/// The result of a request, or the name of its exception.
pub(super) async fn settled(request: IdbRequest) -> Result<JsValue, String> {
    let settled = promise(|resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    match JsFuture::from(settled).await {
        Ok(_) => request.result().map_err(|thrown| name_of(&thrown)),
        Err(_) => Err(request.error().map_or_else(|thrown| name_of(&thrown), |error| name_of(&error.into()))),
    }
}

/// A transaction under way.
pub(super) struct Transaction(pub(super) IdbTransaction);

impl Transaction {
    pub(super) fn store(&self, space: Space) -> Result<ObjectStore, StoreError> {
        self.0.object_store(space.name()).map(Into::into).map_err(|thrown| named(&thrown))
    }

    /// Takes everything back. One that has ended already is left alone.
    pub(super) fn abort(&self) {
        let _ = self.0.abort();
    }

    /// Looks at the answer to `request` when it comes, before the transaction can end: takes everything back if `verdict`
    /// refuses it, and otherwise ends the transaction, which the browser would do only after all the other answers.
    /// Anything that goes wrong in here is an exception in the browser's event, and takes everything back as well.
    pub(super) fn check(
        &self,
        request: impl Into<JsValue>,
        verdict: impl FnOnce(JsValue) -> Result<(), StoreError> + 'static,
    ) -> Check {
        let (transaction, request): (_, IdbRequest) = (self.0.clone(), request.into().unchecked_into());
        let outcome = Rc::new(RefCell::new(None));
        let (kept, asked) = (Rc::clone(&outcome), request.clone());
        let look = Closure::once(move || {
            let found = asked.result().map_err(|thrown| named(&thrown)).and_then(verdict);
            // Browsers that do not know `commit` end it by themselves, and one that has ended already is left alone.
            let _ = match found {
                Ok(()) => transaction.unchecked_ref::<Ending>().commit(),
                Err(_) => transaction.abort(),
            };
            *kept.borrow_mut() = found.err();
        });
        request.set_onsuccess(Some(look.as_ref().unchecked_ref()));
        Check { outcome, _look: look }
    }

    /// Waits until everything is committed. Only `abort` tells of every failure: a full disk raises no `error` (F5).
    pub(super) fn done(&self) -> impl Future<Output = Result<(), StoreError>> + use<> {
        let transaction = self.0.clone();
        let settled = promise(|resolve, reject| {
            transaction.set_oncomplete(Some(&resolve));
            transaction.set_onabort(Some(&reject));
        });
        async move {
            match JsFuture::from(settled).await {
                Ok(_) => Ok(()),
                Err(_) => Err(transaction
                    .error()
                    .map_or_else(|| StoreError::Failed("the transaction was aborted".into()), |error| named(&error))),
            }
        }
    }
}

/// A look at an answer. It has to live until the transaction has ended.
pub(super) struct Check {
    outcome: Rc<RefCell<Option<StoreError>>>,
    _look: Closure<dyn FnMut()>,
}

impl Check {
    /// Why everything was taken back, if that was so.
    pub(super) fn verdict(&self) -> Result<(), StoreError> {
        self.outcome.take().map_or(Ok(()), Err)
    }
}

/// What idb could not do.
pub(super) fn failure(error: idb::Error) -> StoreError {
    use idb::Error::*;
    match error {
        DomException(error) => named(&error),
        IndexedDbNotFound(thrown) => StoreError::Unavailable(format!("no IndexedDB ({})", name_of(&thrown))),
        IndexedDbOpenFailed(thrown) => StoreError::Unavailable(name_of(&thrown)),
        AddFailed(thrown) | UpdateFailed(thrown) | GetFailed(thrown) | DeleteFailed(thrown) => named(&thrown),
        GetAllFailed(thrown) | GetAllKeysFailed(thrown) | KeyRangeCreateFailed(thrown) => named(&thrown),
        // The others cannot come of what is asked here, and their words would be a fifth of this door's code.
        _ => StoreError::Failed("IndexedDB: unexpected".into()),
    }
}

/// What an exception means.
pub(super) fn named(thrown: &JsValue) -> StoreError {
    meaning(name_of(thrown))
}

/// What an exception of this name means. Messages are the browser's own and differ between them.
fn meaning(name: String) -> StoreError {
    match name.as_str() {
        "QuotaExceededError" => StoreError::QuotaExceeded,
        "SecurityError" => StoreError::Unavailable("the page may not use IndexedDB".into()),
        _ => StoreError::Failed(format!("IndexedDB: {name}")),
    }
}

pub(super) fn name_of(thrown: &JsValue) -> String {
    let name = Reflect::get(thrown, &"name".into()).ok().and_then(|name| name.as_string());
    name.unwrap_or_else(|| "no error was given".into())
}
