//! The JavaScript host object of this instance.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The functions of the host.
    pub type Host;

    /// Calls `tick` in a microtask.
    #[wasm_bindgen(method)]
    pub(super) fn wake(this: &Host);

    /// Settles the call with this number: JSON of the error (0), of the answer (1), or of the next items of an array
    /// (2), of which the rest follows.
    #[wasm_bindgen(method)]
    pub(super) fn settle(this: &Host, call: u32, how: u32, json: &str);

    /// Reports that the instance is about to trap; `place` is a line of the source.
    #[wasm_bindgen(method)]
    pub(super) fn panicked(this: &Host, place: &str);

    /// The text in Unicode NFKD.
    #[wasm_bindgen(method)]
    pub(super) fn decompose(this: &Host, text: &str) -> String;

    /// Milliseconds since 1970.
    #[wasm_bindgen(method, catch)]
    pub(super) fn now(this: &Host) -> Result<JsValue, JsValue>;

    /// Answers the ticket after so many milliseconds.
    #[wasm_bindgen(method)]
    pub(super) fn sleep(this: &Host, ticket: u32, millis: u32);

    /// Runs the request in the storage with that number, and answers the ticket.
    #[wasm_bindgen(method)]
    pub(super) fn store(this: &Host, storage: u32, ticket: u32, request: &[u8]);

    /// Opens another storage by name, and answers the ticket with its number.
    #[cfg(feature = "testing")]
    #[wasm_bindgen(method)]
    pub(super) fn connect(this: &Host, ticket: u32, name: &str);

    /// That many random bytes.
    #[wasm_bindgen(method, catch)]
    pub(super) fn random(this: &Host, length: u32) -> Result<Vec<u8>, JsValue>;

    /// The app's token counter, if it has one.
    #[wasm_bindgen(method, getter, js_name = countTokens)]
    pub(super) fn counter(this: &Host) -> JsValue;

    /// The number of tokens of a text, by that counter.
    #[wasm_bindgen(method, catch, js_name = countTokens)]
    pub(super) fn count_tokens(this: &Host, text: &str) -> Result<JsValue, JsValue>;
}
