//! The Rust door of a browser, in a real one: `tests/e2e/rust-door.test.mjs` runs each test in a page of its own.

#![cfg(target_arch = "wasm32")]

mod contract;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
