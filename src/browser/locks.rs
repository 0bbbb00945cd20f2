//! Turns among the tabs and workers of one origin, by Web Locks: in order, and released when a tab ends. The locks have
//! the names of `pkg/src/storage/lock-turns.ts`, so that writers in Rust and in TypeScript queue up together.

use crate::store::Key;
use futures_channel::oneshot;
use js_sys::{Function, Object, Promise, Reflect, global};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AbortSignal;

/// How long (ms) to wait before the lock is stolen from its holder, which is a frozen tab then.
const PATIENCE: u32 = 5_000;

#[wasm_bindgen]
extern "C" {
    /// The lock manager, which `web-sys` has among its unstable interfaces.
    type Locks;

    #[wasm_bindgen(method, catch)]
    fn request(this: &Locks, name: &str, options: &Object, hold: &Function) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_name = btoa)]
    fn to_base64(binary: &str) -> String;
}

/// A lock that is held until this is dropped.
pub(super) struct Held(Function);

impl Drop for Held {
    fn drop(&mut self) {
        // It resolves the promise that the lock is held for.
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}

/// The lock of a guard in the app `app`, once it is this writer's; `None` without Web Locks, as on pages served without
/// HTTPS.
pub(super) async fn take(app: &str, guard: &Key) -> Option<Held> {
    let locks = manager()?;
    // One character per byte.
    let binary: String = guard.as_bytes().iter().map(|byte| char::from(*byte)).collect();
    let name = format!("keepsake/{app}/{}", to_base64(&binary));
    let signal = AbortSignal::timeout_with_u32(PATIENCE);
    match ask(&locks, &name, "signal", &signal).await {
        Some(held) => Some(held),
        None if signal.aborted() => ask(&locks, &name, "steal", &JsValue::TRUE).await,
        None => None,
    }
}

fn manager() -> Option<Locks> {
    let navigator = Reflect::get(&global(), &"navigator".into()).ok()?;
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    locks.is_object().then(|| locks.unchecked_into())
}

/// Requests a lock with one option; `None` if the request failed before the lock was held.
async fn ask(locks: &Locks, name: &str, option: &str, value: &JsValue) -> Option<Held> {
    let options = Object::new();
    Reflect::set(&options, &option.into(), value).ok()?;
    let (tell, told) = oneshot::channel();
    let tell = Rc::new(RefCell::new(Some(tell)));
    let granting = Rc::clone(&tell);
    let hold = Closure::<dyn FnMut(JsValue) -> Promise>::new(move |_| {
        let release = Cell::new(None);
        let held = Promise::new(&mut |resolve, _| release.set(Some(resolve)));
        // A writer that waits no longer drops the lock at once.
        if let (Some(release), Some(tell)) = (release.take(), granting.take()) {
            drop(tell.send(Held(release)));
        }
        held
    });
    let requested = locks.request(name, &options, hold.as_ref().unchecked_ref()).ok()?;
    spawn_local(async move {
        // It settles when the lock was released, or was stolen by another writer.
        drop(JsFuture::from(requested).await);
        drop((hold, tell.take()));
    });
    told.await.ok()
}
