//! Every file of tests/scenarios, on IndexedDB.

use crate::contract::Databases;
use crate::scenario::{check, run};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// F42: the same calls give the same answers and the same stored bytes as at every other door. The page has the files.
#[wasm_bindgen_test]
async fn f42_scenarios_give_their_answers() {
    let files = js_sys::Reflect::get(&js_sys::global(), &"scenarios".into()).unwrap();
    let files: Vec<JsValue> = js_sys::Array::from(&files).to_vec();
    assert!(files.len() > 20, "there are {} scenarios", files.len());
    for file in files {
        let scenario: Value = serde_json::from_str(&file.as_string().unwrap()).unwrap();
        let (seen, stored) = run(&Databases, &scenario).await;
        check(&scenario, seen, &stored);
    }
}
