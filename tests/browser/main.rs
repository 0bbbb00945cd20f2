//! The Rust door of a browser, in a real one: `tests/e2e/rust-door.test.mjs` runs each test.

#![cfg(target_arch = "wasm32")]

mod contract;
mod faults;
mod page;
mod race;
#[path = "../shared/scenario.rs"]
mod scenario;
mod scenarios;
mod stubs;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
