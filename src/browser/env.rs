//! The environment of a browser: its clock, randomness, Unicode tables and timers.

use crate::memory::{Env, EnvError};
use crate::model::Timestamp;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Date, JsString, Reflect, global};
use wasm_bindgen::JsCast;
use web_sys::Crypto;

/// Clock, randomness and timers of a page or a worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrowserEnv;

/// The most bytes that `getRandomValues` fills in one call.
const MOST_AT_ONCE: usize = 65_536;

impl Env for BrowserEnv {
    fn now(&self) -> Result<Timestamp, EnvError> {
        let now = Date::now();
        // A cast would turn NaN into 0, which is a valid time.
        if !now.is_finite() {
            return Err(EnvError::Clock);
        }
        Timestamp::from_millis("now", now as i64).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        let crypto = Reflect::get(&global(), &"crypto".into()).map_err(|_| EnvError::Entropy)?;
        let crypto: Crypto = crypto.dyn_into().map_err(|_| EnvError::Entropy)?;
        for some in bytes.chunks_mut(MOST_AT_ONCE) {
            crypto.get_random_values_with_u8_array(some).map_err(|_| EnvError::Entropy)?;
        }
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        JsString::from(text).normalize("NFKD").into()
    }

    async fn pause(&self, millis: u32) {
        TimeoutFuture::new(millis).await;
    }
}
