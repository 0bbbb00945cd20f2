//! Reads in a transaction of either connection: their rules are written once, on this.

use super::task::poll_once;
use crate::store::Space;
use std::pin::Pin;
use std::task::Poll;
use wasm_bindgen::JsValue;
use web_sys::IdbKeyRange;

/// The answer of a request that has been issued. It is awaited in any case: the browser calls its handlers.
pub(super) type Answer<T> = Pin<Box<dyn Future<Output = Result<T, JsValue>>>>;

/// An issued request, or the exception of the browser that refused to issue it.
pub(super) type Issued<T> = Result<Answer<T>, JsValue>;

/// Where a request looks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// The object store of a space.
    Of(Space),
    /// The index of the log by the keys of the records inside its pages.
    Carried,
}

/// A transaction. Requests are issued in the order of the calls.
pub(super) trait Transaction {
    /// The value of a key; `undefined` if it has none.
    fn get(&self, source: Source, key: JsValue) -> Issued<JsValue>;

    /// The first values of a range.
    fn values(&self, source: Source, range: &JsValue, limit: u32) -> Issued<Vec<JsValue>>;

    /// The first keys of a range, or the keys of the pages with the first records of a range.
    fn keys(&self, source: Source, range: &JsValue, limit: u32) -> Issued<Vec<JsValue>>;

    /// The last key of a range of the log.
    fn last_page(&self, range: &IdbKeyRange) -> Issued<Option<JsValue>>;
}

/// Issues the request that a future begins with.
pub(super) fn issue<T: 'static>(request: impl Future<Output = Result<T, JsValue>> + 'static) -> Issued<T> {
    let mut request = Box::pin(request);
    match poll_once(request.as_mut()) {
        Poll::Ready(refused) => refused.map(|answer| Box::pin(async { Ok(answer) }) as Answer<T>),
        Poll::Pending => Ok(request),
    }
}

/// The answers of requests of one transaction, or the first failure among them.
pub(super) async fn all<T>(mut requests: Vec<Answer<T>>) -> Result<Vec<T>, JsValue> {
    // Answers come in order: after the last one, the others are polled once each.
    let Some(last) = requests.pop() else { return Ok(Vec::new()) };
    let last = last.await;
    let mut answers = Vec::with_capacity(requests.len() + 1);
    for request in requests {
        answers.push(request.await);
    }
    answers.push(last);
    answers.into_iter().collect()
}

/// The same, where the browser may have refused to issue some of them.
pub(super) async fn all_issued<T>(requests: impl Iterator<Item = Issued<T>>) -> Result<Vec<T>, JsValue> {
    let (mut issued, mut refused) = (Vec::new(), None);
    for request in requests {
        match request {
            Ok(request) => issued.push(request),
            Err(cause) => {
                refused = Some(cause);
                break;
            }
        }
    }
    let answers = all(issued).await;
    refused.map_or(answers, Err)
}
