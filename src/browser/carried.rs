//! Records stored inside a log page: a commit that adds one record, as each message does, stores it together with its
//! page in one request. An index over the pages finds the record by its key.

use super::bytes::{from_js, key_from_js, to_js};
use super::on_sentinel::OnSentinel;
use super::transaction::{Source, Transaction, all_issued};
use crate::store::{Key, Op, Space};
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbObjectStore;

/// The index of the log by the keys of records inside pages. Pages without a record are not in it.
pub(super) const INDEX: &str = "carried";

/// The number of pages that are rewritten at a time.
const SOME: u32 = 500;

/// Creates the index, if it does not exist.
pub(super) fn prepare(log: &IdbObjectStore) -> Result<(), JsValue> {
    if is_prepared(log) {
        return Ok(());
    }
    log.create_index_with_str(INDEX, "key").map(drop)
}

/// Whether the index exists.
pub(super) fn is_prepared(log: &IdbObjectStore) -> bool {
    log.index_names().contains(INDEX)
}

/// The place of the record that is stored inside the page of a batch, if there is one. A batch that deletes records has
/// none: its lookup of records inside pages runs while the other requests are written.
pub(super) fn carried_by(ops: &[Op]) -> Option<usize> {
    if ops.iter().any(takes_records) {
        return None;
    }
    ops.iter().position(|op| matches!(op, Op::Add(Space::Records, ..)))
}

/// Whether an operation deletes records.
pub(super) fn takes_records(op: &Op) -> bool {
    matches!(op, Op::Delete(Space::Records, _) | Op::DeleteRange(Space::Records, _))
}

/// The stored value of a page with a record.
pub(super) fn carrying(page: &[u8], key: &Key, value: &[u8]) -> Result<JsValue, JsValue> {
    let stored = Object::new();
    for (field, bytes) in [("page", page), ("key", key.as_bytes()), ("value", value)] {
        Reflect::set(&stored, &field.into(), &to_js(bytes))?;
    }
    Ok(stored.into())
}

/// The bytes of a stored value; of a page with a record those of the page. `None` if it has neither.
pub(super) fn page_of(stored: &JsValue) -> Option<Vec<u8>> {
    from_js(stored).or_else(|| from_js(&field(stored, "page")?))
}

/// The key and the value of the record inside a page.
pub(super) fn record_of(stored: &JsValue) -> Option<(Key, Vec<u8>)> {
    Some((Key::from_bytes(from_js(&field(stored, "key")?)?), from_js(&field(stored, "value")?)?))
}

fn field(stored: &JsValue, name: &str) -> Option<JsValue> {
    stored.dyn_ref::<Object>().and_then(|stored| Reflect::get(stored, &name.into()).ok())
}

/// Merges two sorted lists of items.
pub(super) fn merged(own: Vec<(Key, Vec<u8>)>, carried: Vec<(Key, Vec<u8>)>) -> Vec<(Key, Vec<u8>)> {
    if carried.is_empty() {
        return own;
    }
    let mut all = [own, carried].concat();
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all
}

/// Removes the records of these ranges and keys from their pages. The pages stay.
pub(super) async fn strip(transaction: &OnSentinel, wanted: &[JsValue]) -> Result<(), JsValue> {
    for wanted in wanted {
        loop {
            let found =
                [transaction.values(Source::Carried, wanted, SOME), transaction.keys(Source::Carried, wanted, SOME)];
            let mut found = all_issued(found.into_iter()).await?.into_iter();
            let (stored, keys) = (found.next().unwrap_or_default(), found.next().unwrap_or_default());
            let rewritten = stored.iter().zip(&keys).filter_map(|(stored, key)| {
                let page = page_of(stored)?;
                Some(transaction.put(Space::Log, &to_js(&page), &to_js(key_from_js(key).as_bytes())))
            });
            all_issued(rewritten).await?;
            if stored.len() < SOME as usize {
                break;
            }
        }
    }
    Ok(())
}
