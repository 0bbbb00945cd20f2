//! Waiting for requests and transactions, and what their failures mean.
//!
//! A promise's own functions are the event handlers. So nothing of ours is called when a request ends whose future was
//! dropped, and a transaction is still active when the future goes on: that happens in the microtasks of the event.

use super::super::host::promise;
use crate::store::StoreError;
use idb::ObjectStore;
use js_sys::Reflect;
use js_sys::futures::JsFuture;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, IdbObjectStore, IdbRequest, IdbTransaction};

#[wasm_bindgen]
extern "C" {
    /// A transaction that can be told to end, which web-sys calls deprecated and no browser does.
    type Ending;

    #[wasm_bindgen(method, catch)]
    fn commit(this: &Ending) -> Result<(), JsValue>;

    /// Takes a name that is in JavaScript already: to write it anew with every request would cost more than the call.
    #[wasm_bindgen(method, catch, js_name = objectStore)]
    fn object_store(this: &Ending, name: &JsValue) -> Result<IdbObjectStore, JsValue>;
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
    pub(super) fn store(&self, name: &JsValue) -> Result<ObjectStore, StoreError> {
        self.0.unchecked_ref::<Ending>().object_store(name).map(Into::into).map_err(|thrown| named(&thrown))
    }

    /// Takes everything back. One that has ended already is left alone.
    pub(super) fn abort(&self) {
        let _ = self.0.abort();
    }

    /// Looks at the answer to `request` when it comes, before the transaction can end: takes everything back if `verdict`
    /// refuses it, and otherwise ends the transaction, which the browser would do only after all the other answers.
    /// Anything that goes wrong in there is an exception in the browser's event, and takes everything back as well.
    /// Resolves when everything is committed. Only `abort` tells of every failure: a full disk raises no `error` (F5).
    pub(super) fn checked(
        &self,
        request: impl Into<JsValue>,
        verdict: impl FnOnce(JsValue) -> Result<(), StoreError> + 'static,
    ) -> Checked {
        let (transaction, request): (_, IdbRequest) = (self.0.clone(), request.into().unchecked_into());
        let outcome = Rc::new(RefCell::new(Outcome::default()));
        let (kept, asked, mut verdict) = (Rc::clone(&outcome), request.clone(), Some(verdict));
        // One function for all three events: each is made and thrown away with every commit.
        let heard = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let kind = event.type_();
            if let Some(verdict) = verdict.take_if(|_| kind == "success") {
                let found = asked.result().map_err(|thrown| named(&thrown)).and_then(verdict);
                // Browsers that do not know `commit` end it by themselves, and one that has ended already is left alone.
                let _ = match found {
                    Ok(()) => transaction.unchecked_ref::<Ending>().commit(),
                    Err(_) => transaction.abort(),
                };
                kept.borrow_mut().refused = found.err();
                return;
            }
            let ended = match kind.as_str() {
                "complete" => Ok(()),
                _ => Err(transaction
                    .error()
                    .map_or_else(|| StoreError::Failed("the transaction was aborted".into()), |error| named(&error))),
            };
            let mut outcome = kept.borrow_mut();
            outcome.ended = Some(outcome.refused.take().map_or(ended, Err));
            if let Some(waker) = outcome.waker.take() {
                drop(outcome);
                waker.wake();
            }
        });
        let function = Some(heard.as_ref().unchecked_ref());
        request.set_onsuccess(function);
        self.0.set_oncomplete(function);
        self.0.set_onabort(function);
        Checked { outcome, transaction: self.0.clone(), request, _heard: heard }
    }
}

#[derive(Default)]
struct Outcome {
    /// Why everything was taken back.
    refused: Option<StoreError>,
    ended: Option<Result<(), StoreError>>,
    waker: Option<Waker>,
}

/// The end of a transaction.
pub(super) struct Checked {
    outcome: Rc<RefCell<Outcome>>,
    transaction: IdbTransaction,
    request: IdbRequest,
    _heard: Closure<dyn FnMut(Event)>,
}

impl Future for Checked {
    type Output = Result<(), StoreError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut outcome = self.outcome.borrow_mut();
        match &outcome.ended {
            Some(ended) => Poll::Ready(ended.clone()),
            None => {
                outcome.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
impl Drop for Checked {
    fn drop(&mut self) {
        if self.outcome.borrow().ended.is_some() {
            return;
        }
        // Nobody is called who is not there any more.
        self.request.set_onsuccess(None);
        self.transaction.set_oncomplete(None);
        self.transaction.set_onabort(None);
        // One that nobody waits for has no effect, unless it is being committed already.
        let _ = self.transaction.abort();
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
