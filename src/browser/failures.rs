//! Exceptions of the browser as errors of the store. Their messages are not passed on: they differ between browsers.

use crate::store::StoreError;
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// The error if IndexedDB is not usable.
pub(super) fn unavailable(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

/// The error of a database that could not be opened.
pub(super) fn unopened(cause: &JsValue) -> StoreError {
    if is_full(cause) { StoreError::QuotaExceeded } else { unavailable(&format!("IndexedDB: {}", name_of(cause))) }
}

/// The error of a request or a transaction that failed with this exception.
pub(super) fn meaning(cause: &JsValue) -> StoreError {
    if is_full(cause) {
        return StoreError::QuotaExceeded;
    }
    match name_of(cause).as_str() {
        "SecurityError" => unavailable("the page is not allowed to use IndexedDB"),
        name => StoreError::Failed(format!("IndexedDB: {name}")),
    }
}

/// The name of an exception, or a placeholder.
pub(super) fn name_of(cause: &JsValue) -> String {
    text(cause, "name").unwrap_or_else(|| "no error was given".to_owned())
}

/// Whether the quota or the disk is full. Chromium reports a full disk only in the message (F9).
fn is_full(cause: &JsValue) -> bool {
    let says_so = |message: String| message.contains("NO_SPACE") || message.contains("Failed to write blobs");
    name_of(cause) == "QuotaExceededError" || text(cause, "message").is_some_and(says_so)
}

fn text(cause: &JsValue, field: &str) -> Option<String> {
    Reflect::get(cause, &field.into()).ok()?.as_string()
}

/// The exception in an error of rexie; `undefined` if it has none, as an aborted transaction.
pub(super) fn cause_of(error: rexie::Error) -> JsValue {
    use idb::Error::{
        AddFailed, CursorContinueFailed, DeleteFailed, DomException, GetAllFailed, GetAllKeysFailed, GetFailed,
        IndexNotFound, IndexedDbNotFound, IndexedDbOpenFailed, ObjectStoreNotFound, OpenCursorFailed,
        RequestErrorNotFound, RequestResultNotFound, TransactionAbortError, TransactionCommitError,
        TransactionOpenFailed, UnexpectedJsType, UpdateFailed,
    };
    let rexie::Error::IdbError(error) = error else { return JsValue::UNDEFINED };
    match error {
        DomException(cause) => cause.into(),
        AddFailed(cause)
        | CursorContinueFailed(cause)
        | DeleteFailed(cause)
        | GetAllFailed(cause)
        | GetAllKeysFailed(cause)
        | GetFailed(cause)
        | IndexNotFound(cause)
        | IndexedDbNotFound(cause)
        | IndexedDbOpenFailed(cause)
        | ObjectStoreNotFound(cause)
        | OpenCursorFailed(cause)
        | RequestErrorNotFound(cause)
        | RequestResultNotFound(cause)
        | TransactionAbortError(cause)
        | TransactionCommitError(cause)
        | TransactionOpenFailed(cause)
        | UnexpectedJsType(_, cause)
        | UpdateFailed(cause) => cause,
        _ => JsValue::UNDEFINED,
    }
}
