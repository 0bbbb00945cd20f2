//! Tells other tabs and workers that something was written. Only a hint: the storage is the source of truth. The channel
//! and its messages are those of `pkg/src/engine/hints.ts`.

use js_sys::{Object, Reflect};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent};

/// A channel to the other handles of one memory in this browser.
pub(super) struct Hints {
    channel: BroadcastChannel,
    user: JsValue,
    state: Rc<State>,
    /// The handler of messages.
    _hear: Closure<dyn FnMut(MessageEvent)>,
}

/// Posting takes a tenth of the time of a small write, so it is skipped while no other handle listens.
#[derive(Default)]
struct State {
    others: Cell<bool>,
    untold: Cell<bool>,
}

impl Hints {
    /// Listens for hints about the memory of `user` in the app `name`; `None` without `BroadcastChannel`.
    pub(super) fn listen(name: &str, user: &str, told: impl Fn() + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new(&format!("keepsake/{name}")).ok()?;
        let user = JsValue::from_str(user);
        let state = Rc::new(State::default());
        let (known, own, answer) = (Rc::clone(&state), user.clone(), channel.clone());
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            let is_greeting = data.is_object() && Reflect::get(&data, &"hello".into()).is_ok_and(|of| of == own);
            if !is_greeting && data != own {
                return;
            }
            known.others.set(true);
            // The new handle may have missed writes that were made before it was known, and this one may have missed
            // writes that were made before the greeting.
            if is_greeting || known.untold.get() {
                let _ = answer.post_message(&own);
            }
            known.untold.set(false);
            if !is_greeting {
                told();
            }
        });
        channel.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        let greeting = Object::new();
        let greeted = Reflect::set(&greeting, &"hello".into(), &user);
        greeted.and_then(|_| channel.post_message(&greeting)).ok()?;
        Some(Self { channel, user, state, _hear: hear })
    }

    /// Something was written.
    pub(super) fn tell(&self) {
        if self.state.others.get() {
            let _ = self.channel.post_message(&self.user);
        } else {
            self.state.untold.set(true);
        }
    }
}

impl Drop for Hints {
    fn drop(&mut self) {
        // Too early to know whether another handle listens.
        if self.state.untold.get() {
            let _ = self.channel.post_message(&self.user);
        }
        self.channel.set_onmessage(None);
        self.channel.close();
    }
}
