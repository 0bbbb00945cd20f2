//! Reads: `get` and `scan` in a transaction of rexie.

use super::bytes::{key_from_js, range_to_js, to_js};
use super::carried::{merged, page_of, record_of};
use super::connection::Connection;
use super::failures::meaning;
use super::guard::{Seen, current, read_with};
use super::transaction::{Answer, Source, Transaction, all_issued};
use crate::store::{Key, KeyRange, Page, Space, StoreError};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// As in `Store`.
pub(super) async fn get(
    connection: &Rc<Connection>,
    seen: &Seen,
    space: Space,
    keys: &[Key],
) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
    let transaction = connection.begin_read(read_with(space)).await?;
    let request = |key: &Key| transaction.get(Source::Of(space), to_js(key.as_bytes()));
    if space == Space::Meta {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            let value = current(&transaction, key, seen, request(key)).await;
            values.push(value.map_err(|cause| meaning(&cause))?);
        }
        return Ok(values);
    }
    let requests = keys.iter().map(request);
    let found = all_issued(requests).await.map_err(|cause| meaning(&cause))?;
    let mut values = found.iter().map(value_of).collect::<Result<Vec<_>, _>>()?;
    if space == Space::Records {
        let missing: Vec<usize> = (0..keys.len()).filter(|at| values[*at].is_none()).collect();
        let requests = missing.iter().map(|at| transaction.get(Source::Carried, to_js(keys[*at].as_bytes())));
        let carried = all_issued(requests).await.map_err(|cause| meaning(&cause))?;
        for (at, stored) in missing.into_iter().zip(&carried) {
            values[at] = record_of(stored).map(|(_, value)| value);
        }
    }
    Ok(values)
}

/// As in `Store`.
pub(super) async fn scan(
    connection: &Rc<Connection>,
    seen: &Seen,
    space: Space,
    range: &KeyRange,
    limit: usize,
) -> Result<Page, StoreError> {
    let failed = |cause: JsValue| meaning(&cause);
    let Some(wanted) = range_to_js(range).map_err(failed)? else {
        connection.check()?;
        return Ok(Page::default());
    };
    let transaction = connection.begin_read(read_with(space)).await?;
    // One more than the limit, to know whether and where the next page begins.
    let count = u32::try_from(limit.saturating_add(1)).unwrap_or(u32::MAX);
    let mut requests = vec![
        transaction.keys(Source::Of(space), &wanted, count),
        transaction.values(Source::Of(space), &wanted, count),
    ];
    if space == Space::Records {
        requests.push(transaction.values(Source::Carried, &wanted, count));
    }
    let mut answers = all_issued(requests.into_iter()).await.map_err(failed)?.into_iter();
    let (keys, values) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
    let carried = answers.next().unwrap_or_default();
    let own = keys.iter().zip(&values);
    let own = own.map(|(key, stored)| Ok((key_from_js(key), value_of(stored)?.unwrap_or_default())));
    let mut items = merged(own.collect::<Result<_, StoreError>>()?, carried.iter().filter_map(record_of).collect());
    let next = items.get(limit).map(|(key, _)| key.clone());
    items.truncate(limit);
    if space == Space::Meta {
        for (key, value) in &mut items {
            let held = to_js(value);
            let held: Answer<JsValue> = Box::pin(async { Ok(held) });
            *value = current(&transaction, key, seen, Ok(held)).await.map_err(failed)?.unwrap_or_default();
        }
    }
    Ok(Page { items, next })
}

/// The bytes of a stored value; `undefined` if there is none.
fn value_of(stored: &JsValue) -> Result<Option<Vec<u8>>, StoreError> {
    if stored.is_undefined() || stored.is_null() {
        return Ok(None);
    }
    match page_of(stored) {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(StoreError::Failed("IndexedDB: a stored value is no bytes".into())),
    }
}
