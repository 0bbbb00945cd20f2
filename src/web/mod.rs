//! The web door: JavaScript calls in by name with one JSON text, answers come back through its host object.

mod env;
mod executor;
mod host;
mod host_store;
mod indexed_db;
mod open;
mod panic;
mod timer;

pub use host::Host;
pub use indexed_db::IndexedDbStore;
#[cfg(feature = "testing")]
pub use timer::sleep;

use crate::codec::json;
use crate::memory::{Error, Memory};
use crate::model::{Invalid, Json};
use env::WebEnv;
use open::AnyStore;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// The one memory of this wasm instance: a trap in one memory must not take another with it.
    static MEMORY: RefCell<Option<Memory<AnyStore, WebEnv>>> = const { RefCell::new(None) };
}

/// Gives this instance its host. Has to come first.
#[wasm_bindgen]
pub fn start(host: Host) {
    let host = Rc::new(host);
    panic::report_to(Rc::clone(&host));
    executor::start(host);
}

/// Goes on with everything that can go on. The host calls it in a microtask after it was told to wake up.
#[wasm_bindgen]
pub fn tick() {
    executor::tick();
}

/// Opens the memory that `options` describes, on the storage `adapter`, or on IndexedDB if that is undefined.
#[wasm_bindgen]
pub fn open(call: u32, options: &str, adapter: JsValue) {
    let options = parse(options);
    executor::run(call, async move {
        MEMORY.set(Some(open::open(options?, adapter).await?));
        Ok(Json::Null)
    });
}

/// Does what `verb` says with `args`, a JSON text.
#[wasm_bindgen]
pub fn call(call: u32, verb: String, args: &str) {
    let args = parse(args);
    executor::run(call, async move {
        let memory = MEMORY.with_borrow(Clone::clone).ok_or(Error::Closed)?;
        #[cfg(feature = "testing")]
        if let Some(answer) = testing(&verb).await {
            return answer;
        }
        memory.call(&verb, args?).await
    });
}

/// JSON that JavaScript wrote is JSON, except that it may hold half of a surrogate pair (F28).
fn parse(text: &str) -> Result<Json, Error> {
    json::parse(text).map_err(|_| Invalid::value("args", "must be well-formed text").into())
}

/// An error as JavaScript gets it.
fn error_json(error: &Error) -> Json {
    Json::object(vec![
        ("code", error.code().as_str().into()),
        ("message", error.to_string().into()),
        ("field", error.field().into()),
    ])
}

/// Ways to break on purpose, for the tests of the wrapper around this instance.
#[cfg(feature = "testing")]
async fn testing(verb: &str) -> Option<Result<Json, Error>> {
    /// Runs out of stack.
    fn overflow(depth: u64) -> u64 {
        if std::hint::black_box(depth) == u64::MAX { 0 } else { overflow(depth + 1) + std::hint::black_box(depth) }
    }
    match verb {
        "testing-panic" => panic!("a secret that must not get out"),
        "testing-panic-later" => {
            timer::sleep(1).await;
            panic!("a secret that must not get out");
        }
        "testing-overflow" => Some(Ok(overflow(0).into())),
        "testing-out-of-memory" => {
            // More than there can be, without touching any of it.
            let all: Vec<Vec<u8>> = (0..4).map(|_| Vec::with_capacity(0x7000_0000)).collect();
            Some(Ok(std::hint::black_box(all).len().into()))
        }
        _ => None,
    }
}

/// Puts a storage adapter of the caller's own through the store contract. `connect` gives a new handle by name.
#[cfg(feature = "testing")]
#[wasm_bindgen]
pub fn contract(call: u32, connect: js_sys::Function) {
    struct Adapters(js_sys::Function);

    impl crate::store::contract::Medium for Adapters {
        type Store = host_store::HostStore;

        async fn connect(&self, name: &str) -> Result<Self::Store, crate::store::StoreError> {
            let adapter = self.0.call1(&JsValue::UNDEFINED, &name.into()).map_err(host_store::failure)?;
            host_store::HostStore::new(host_store::settled(adapter).await?)
        }
    }

    executor::run(call, async move {
        match crate::store::contract::check(&Adapters(connect)).await {
            Ok(count) => Ok(Json::object(vec![("cases", count.into())])),
            Err(broken) => Ok(Json::object(vec![("broken", broken.into())])),
        }
    });
}
