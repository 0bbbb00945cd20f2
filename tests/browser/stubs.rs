//! What a browser does to a database, from outside: `stubs.js` replaces methods of its own.

use js_sys::{Array, Promise};
use keepsake::store::{Key, Space};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/tests/browser/stubs.js")]
extern "C" {
    /// Opening fails with an exception of this name and message.
    #[wasm_bindgen(js_name = failToOpen)]
    pub(crate) fn fail_to_open(name: &str, message: &str);
    /// How often a database was to be opened since the last stub.
    pub(crate) fn attempts() -> u32;
    /// There is no IndexedDB, or reading the property throws.
    #[wasm_bindgen(js_name = noIndexedDb)]
    pub(crate) fn no_indexed_db(throws: bool);
    /// The upgrade fails after it has begun.
    #[wasm_bindgen(js_name = failUpgrades)]
    pub(crate) fn fail_upgrades();
    /// Each transaction that writes is aborted after its requests have succeeded, as Chromium does when the quota is
    /// exceeded: no request has an error then.
    #[wasm_bindgen(js_name = exceedQuota)]
    pub(crate) fn exceed_quota();
    /// Notes the connections that are opened, and the durability of transactions that write.
    pub(crate) fn note();
    /// Closes the last connections but one, and the last, behind the back of their owner.
    #[wasm_bindgen(js_name = closeOpened)]
    pub(crate) fn close_opened(last_but_one: bool, last: bool);
    /// The noted durabilities.
    pub(crate) fn durabilities() -> Vec<String>;
    /// Undoes every stub.
    pub(crate) fn restore();
    #[wasm_bindgen(js_name = deafConnection)]
    fn deaf_connection_promise(name: &str) -> Promise;
    #[wasm_bindgen(js_name = raiseVersion)]
    fn raise_version_promise(name: &str, version: u32, without_index: bool) -> Promise;
    #[wasm_bindgen(js_name = deleteDatabase)]
    fn delete_database_promise(name: &str) -> Promise;
    #[wasm_bindgen(js_name = firstSchema)]
    fn first_schema_promise(name: &str, items: &Array) -> Promise;
    #[wasm_bindgen(js_name = dumpLog)]
    fn dump_log_promise(name: &str) -> Promise;
}

/// A connection that hears nothing, as that of a frozen tab.
pub(crate) async fn deaf_connection(name: &str) {
    JsFuture::from(deaf_connection_promise(name)).await.unwrap();
}

/// Upgrades a database as a newer version of the library would. Resolves when no other connection is open.
pub(crate) async fn raise_version(name: &str, version: u32, without_index: bool) {
    JsFuture::from(raise_version_promise(name, version, without_index)).await.unwrap();
}

/// Deletes a database, as a user does who clears the data of a site.
pub(crate) async fn delete_database(name: &str) {
    JsFuture::from(delete_database_promise(name)).await.unwrap();
}

/// Creates a database of the first schema with these values.
pub(crate) async fn first_schema(name: &str, items: &[(Space, Key, Vec<u8>)]) {
    let bytes = |bytes: &[u8]| JsValue::from(js_sys::Uint8Array::from(bytes));
    let item = |(space, key, value): &(Space, Key, Vec<u8>)| {
        Array::of3(&space.name().into(), &bytes(key.as_bytes()), &bytes(value))
    };
    JsFuture::from(first_schema_promise(name, &items.iter().map(item).collect())).await.unwrap();
}

/// How many pages of the log carry a record, and how many there are.
pub(crate) async fn dump_log(name: &str) -> (u32, u32) {
    let counts: Array = JsFuture::from(dump_log_promise(name)).await.unwrap().into();
    let count = |at| counts.get(at).as_f64().unwrap() as u32;
    (count(0), count(1))
}
