//! Calling `commit()` on a transaction before its requests have completed is faster than the automatic commit. It is
//! safe only if a request that fails afterwards still aborts the whole transaction. Firefox checks only the last request
//! and keeps the others, which is half a commit; so this is probed once per page.

use super::on_sentinel::OnSentinel;
use super::transaction::Answer;
use crate::store::Space;
use std::cell::Cell;
use wasm_bindgen::JsValue;

thread_local! {
    /// Whether the probe has run, and its result.
    static TRIED: Cell<bool> = const { Cell::new(false) };
    static SAFE: Cell<bool> = const { Cell::new(false) };
}

/// A key that no record has: all others are bytes.
const TRIAL: &str = "trial";

/// Whether a transaction may be ended early here.
pub(super) fn is_safe() -> bool {
    SAFE.get()
}

/// Whether a probe is still to be made. It is then the caller's.
pub(super) fn to_be_tried() -> bool {
    !TRIED.replace(true)
}

/// Probes with a transaction of its own. Nothing is written in any case.
pub(super) async fn attempt(transaction: OnSentinel) {
    let key = || JsValue::from_str(TRIAL);
    let requests = [
        transaction.add(Space::Meta, &JsValue::from(0), &key()),
        transaction.add(Space::Meta, &JsValue::from(0), &key()),
        transaction.delete(Space::Meta, &key()),
    ];
    let requests: Vec<Answer<()>> = requests.into_iter().flatten().collect();
    if let Err(cause) = transaction.end(requests, true).await {
        SAFE.set(super::failures::name_of(&cause) == "ConstraintError");
    }
}
