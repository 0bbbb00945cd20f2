//! A store that a JavaScript object provides: the TypeScript interface `StorageAdapter`. What it answers is checked.

use crate::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};
use js_sys::futures::JsFuture;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};

/// The caller's own storage.
#[derive(Debug)]
pub(super) struct HostStore {
    adapter: JsValue,
    closed: Cell<bool>,
}

impl HostStore {
    /// Takes an object that has the four methods.
    pub(super) fn new(adapter: JsValue) -> Result<Self, StoreError> {
        for method in ["get", "scan", "commit", "close"] {
            let found = Reflect::get(&adapter, &method.into()).unwrap_or_default();
            if !found.is_function() {
                return Err(StoreError::Unavailable(format!("the storage adapter has no method `{method}`")));
            }
        }
        Ok(Self { adapter, closed: Cell::new(false) })
    }

    async fn call(&self, method: &str, args: &[JsValue]) -> Result<JsValue, StoreError> {
        if self.closed.get() {
            return Err(StoreError::Closed);
        }
        let function: Function = Reflect::get(&self.adapter, &method.into()).unwrap_or_default().unchecked_into();
        let answer = function.apply(&self.adapter, &args.iter().collect::<Array>()).map_err(failure)?;
        settled(answer).await
    }
}

/// Waits for a promise; any other value is there already.
pub(super) async fn settled(value: JsValue) -> Result<JsValue, StoreError> {
    JsFuture::from(Promise::resolve(&value)).await.map_err(failure)
}

/// What an adapter threw. Its message stays there, since it may quote what it was asked to store.
pub(super) fn failure(thrown: JsValue) -> StoreError {
    let text = |name: &str| Reflect::get(&thrown, &name.into()).ok().and_then(|value| value.as_string());
    match (text("code").as_deref(), text("name")) {
        (Some("quota-exceeded"), _) => StoreError::QuotaExceeded,
        (Some("unavailable"), _) => StoreError::Unavailable("the storage adapter says so".into()),
        (Some("store-lost"), _) => StoreError::Lost,
        (Some("closed"), _) => StoreError::Closed,
        (_, Some(name)) if name == "QuotaExceededError" => StoreError::QuotaExceeded,
        (_, Some(name)) => StoreError::Failed(format!("the storage adapter threw {name}")),
        (_, None) => StoreError::Failed("the storage adapter threw".into()),
    }
}

fn nonsense(what: &str) -> StoreError {
    StoreError::Failed(format!("the storage adapter's answer is not {what}"))
}

fn to_js(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a new plain object cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

fn range_to_js(range: &KeyRange) -> JsValue {
    let end = range.end.as_ref().map_or(JsValue::UNDEFINED, |end| to_js(end.as_bytes()));
    object(&[("start", to_js(range.start.as_bytes())), ("end", end)])
}

fn op_to_js(op: &Op) -> JsValue {
    let name = |space: &Space| JsValue::from(space.name());
    match op {
        Op::Put(space, key, value) => object(&[
            ("type", "put".into()),
            ("space", name(space)),
            ("key", to_js(key.as_bytes())),
            ("value", to_js(value)),
        ]),
        Op::Delete(space, key) => {
            object(&[("type", "delete".into()), ("space", name(space)), ("key", to_js(key.as_bytes()))])
        }
        Op::DeleteRange(space, range) => {
            object(&[("type", "delete-range".into()), ("space", name(space)), ("range", range_to_js(range))])
        }
    }
}

fn page_from_js(page: &JsValue) -> Option<Page> {
    let items = Reflect::get(page, &"items".into()).ok()?;
    let items = items.dyn_ref::<Array>()?.iter().map(|item| {
        let pair = item.dyn_ref::<Array>()?;
        Some((Key::from_bytes(bytes(&pair.get(0))?), bytes(&pair.get(1))?))
    });
    let next = match Reflect::get(page, &"next".into()).ok()? {
        absent if absent.is_undefined() || absent.is_null() => None,
        next => Some(Key::from_bytes(bytes(&next)?)),
    };
    Some(Page { items: items.collect::<Option<_>>()?, next })
}

impl Store for HostStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let list: Array = keys.iter().map(|key| to_js(key.as_bytes())).collect();
        let answer = self.call("get", &[space.name().into(), list.into()]).await?;
        let wrong = || nonsense("one Uint8Array or undefined for each key");
        let values = answer.dyn_ref::<Array>().filter(|values| values.length() as usize == keys.len());
        let value = |value: JsValue| match value {
            absent if absent.is_undefined() || absent.is_null() => Ok(None),
            value => bytes(&value).map(Some).ok_or_else(wrong),
        };
        values.ok_or_else(wrong)?.iter().map(value).collect()
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let answer = self.call("scan", &[space.name().into(), range_to_js(range), (limit as u32).into()]).await?;
        page_from_js(&answer).ok_or_else(|| nonsense("a page of items"))
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let next = batch.base.next();
        let expected =
            if batch.base == Revision::default() { JsValue::UNDEFINED } else { to_js(&batch.base.to_bytes()) };
        let durability = match batch.durability {
            Durability::Relaxed => "relaxed",
            Durability::Strict => "strict",
        };
        let ops: Array = batch.ops.iter().map(op_to_js).collect();
        let request = object(&[
            ("guard", to_js(batch.guard.as_bytes())),
            ("expected", expected),
            ("next", to_js(&next.to_bytes())),
            ("ops", ops.into()),
            ("durability", durability.into()),
        ]);
        match self.call("commit", &[request]).await?.as_bool() {
            Some(true) => Ok(next),
            Some(false) => {
                let guard = self.get(Space::Meta, &[batch.guard]).await?;
                Err(StoreError::Conflict { current: Revision::from_bytes(guard[0].as_deref())? })
            }
            None => Err(nonsense("true or false")),
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        if !self.closed.get() {
            let closing = self.call("close", &[]).await;
            self.closed.set(true);
            closing?;
        }
        Ok(())
    }
}
