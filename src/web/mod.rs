//! The web door: JavaScript calls verbs by name with JSON; answers come back through its host object.

mod env;
mod executor;
mod host;
mod panic;
mod store;
mod tickets;

pub use host::Host;

use crate::codec::json::{self, Fields};
use crate::memory::{Error, Memory};
use crate::model::{Invalid, Json, UserId};
use env::WebEnv;
use std::cell::RefCell;
use std::rc::Rc;
use store::HostStore;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// The one memory of this wasm instance: a trap in one memory must not take another with it.
    static MEMORY: RefCell<Option<Memory<HostStore, WebEnv>>> = const { RefCell::new(None) };
}

/// Sets the host of this instance. Must be called first.
#[wasm_bindgen]
pub fn start(host: Host) {
    let host = Rc::new(host);
    panic::report_to(Rc::clone(&host));
    executor::start(host);
}

/// Polls all ready tasks. The host calls it in a microtask after `wake`.
#[wasm_bindgen]
pub fn tick() {
    executor::tick();
}

/// Opens the memory that `options` describes, on the host's storage.
#[wasm_bindgen]
pub fn open(call: u32, options: &str) {
    let options = parse(options);
    executor::run(call, async move {
        let mut fields = Fields::of("options", options?);
        let name = fields.text("name").unwrap_or_else(|| "default".to_owned());
        let user = fields.required_text("user");
        let config = fields.value("config").unwrap_or_default();
        let meaning = fields.text("meaning");
        fields.finish()?;
        let (user, config) = (UserId::new("user", user)?, json::config(config)?);
        if name.is_empty() {
            return Err(Invalid::value("name", "must not be empty").into());
        }
        let memory = Memory::open(HostStore::new(0), WebEnv, user, config).await?;
        if let Some(meaning) = meaning {
            memory.call("useMeaning", Json::object(vec![("meaning", meaning.into())])).await?;
        }
        MEMORY.set(Some(memory));
        Ok(Json::Null)
    });
}

/// Delivers the answer of a ticket.
#[wasm_bindgen]
pub fn answer(ticket: u32, answer: Vec<u8>) {
    tickets::answer(ticket, answer);
}

/// Runs `verb` with `args`, which are JSON.
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

/// JSON from JavaScript is valid, except that it may have a lone surrogate (F28).
fn parse(text: &str) -> Result<Json, Error> {
    json::parse(text).map_err(|_| Invalid::value("args", "must be well-formed text").into())
}

/// The JSON of an error for JavaScript.
fn error_json(error: &Error) -> Json {
    Json::object(vec![
        ("code", error.code().as_str().into()),
        ("message", error.to_string().into()),
        ("field", error.field().into()),
    ])
}

/// Deliberate failures, for the tests of the wrapper around this instance.
#[cfg(feature = "testing")]
async fn testing(verb: &str) -> Option<Result<Json, Error>> {
    /// Overflows the stack.
    fn overflow(depth: u64) -> u64 {
        if std::hint::black_box(depth) == u64::MAX { 0 } else { overflow(depth + 1) + std::hint::black_box(depth) }
    }
    match verb {
        "testing-panic" => panic!("a secret that must not get out"),
        "testing-panic-later" => {
            crate::memory::Env::pause(&WebEnv, 1).await;
            panic!("a secret that must not get out");
        }
        "testing-overflow" => Some(Ok(overflow(0).into())),
        "testing-out-of-memory" => {
            // More than the memory can have, without touching any of it.
            let all: Vec<Vec<u8>> = (0..4).map(|_| Vec::with_capacity(0x7000_0000)).collect();
            Some(Ok(std::hint::black_box(all).len().into()))
        }
        _ => None,
    }
}

/// Runs the store contract on storages of the host.
#[cfg(feature = "testing")]
#[wasm_bindgen]
pub fn contract(call: u32) {
    struct Storages;

    impl crate::store::contract::Medium for Storages {
        type Store = HostStore;

        async fn connect(&self, name: &str) -> Result<HostStore, crate::store::StoreError> {
            let ticket = tickets::Ticket::new();
            if let Some(host) = executor::host() {
                host.connect(ticket.number(), name);
            }
            let answer = ticket.await;
            let number = answer.try_into().map_err(|_| crate::store::StoreError::Unavailable(name.to_owned()))?;
            Ok(HostStore::new(u32::from_le_bytes(number)))
        }
    }

    executor::run(call, async move {
        match crate::store::contract::check(&Storages).await {
            Ok(count) => Ok(Json::object(vec![("cases", count.into())])),
            Err(broken) => Ok(Json::object(vec![("broken", broken.into())])),
        }
    });
}
