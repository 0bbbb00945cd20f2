//! Bytes of the core as values of JavaScript, and back.

use crate::store::{Key, KeyRange};
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbKeyRange;

/// A copy in JavaScript's memory: a view would be stored with the whole memory of the module.
pub(super) fn to_js(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

/// The bytes of a stored value, if it is one of ours.
pub(super) fn from_js(value: &JsValue) -> Option<Vec<u8>> {
    value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
}

/// A key as the browser returns it: an `ArrayBuffer`.
pub(super) fn key_from_js(key: &JsValue) -> Key {
    Key::from_bytes(Uint8Array::new(key).to_vec())
}

/// The same range for the browser; `None` if no key can be in it.
pub(super) fn range_to_js(range: &KeyRange) -> Result<Option<IdbKeyRange>, JsValue> {
    if range.is_empty() {
        return Ok(None);
    }
    let start = to_js(range.start.as_bytes());
    match &range.end {
        None => IdbKeyRange::lower_bound(&start),
        Some(end) => IdbKeyRange::bound_with_lower_open_and_upper_open(&start, &to_js(end.as_bytes()), false, true),
    }
    .map(Some)
}
