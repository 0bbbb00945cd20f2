//! The JavaScript object that stands behind this instance.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// What the instance asks of JavaScript.
    pub type Host;

    /// Call `tick` in a microtask.
    #[wasm_bindgen(method)]
    pub(super) fn wake(this: &Host);

    /// The call with this number is answered: a JSON text, of the error (0), of the answer (1), or of the next items of a list
    /// (2), of which the rest is still to come.
    #[wasm_bindgen(method)]
    pub(super) fn settle(this: &Host, call: u32, how: u32, json: &str);

    /// The instance is about to trap; `place` is a line of the source.
    #[wasm_bindgen(method)]
    pub(super) fn panicked(this: &Host, place: &str);

    /// The text in Unicode NFKD.
    #[wasm_bindgen(method)]
    pub(super) fn decompose(this: &Host, text: &str) -> String;

    /// Milliseconds since 1970.
    #[wasm_bindgen(method, catch)]
    pub(super) fn now(this: &Host) -> Result<JsValue, JsValue>;

    /// Answer that ticket after so many milliseconds.
    #[wasm_bindgen(method)]
    pub(super) fn sleep(this: &Host, ticket: u32, millis: u32);

    /// Do what the request says in the storage of that number, and answer the ticket.
    #[wasm_bindgen(method)]
    pub(super) fn store(this: &Host, storage: u32, ticket: u32, request: &[u8]);

    /// Answer the ticket with the number of another storage, by its name.
    #[cfg(feature = "testing")]
    #[wasm_bindgen(method)]
    pub(super) fn connect(this: &Host, ticket: u32, name: &str);

    /// That many random bytes.
    #[wasm_bindgen(method, catch)]
    pub(super) fn random(this: &Host, length: u32) -> Result<Vec<u8>, JsValue>;

    /// The app's counter of tokens, if it has one.
    #[wasm_bindgen(method, getter, js_name = countTokens)]
    pub(super) fn counter(this: &Host) -> JsValue;

    /// How many tokens a text has, by that counter.
    #[wasm_bindgen(method, catch, js_name = countTokens)]
    pub(super) fn count_tokens(this: &Host, text: &str) -> Result<JsValue, JsValue>;
}
