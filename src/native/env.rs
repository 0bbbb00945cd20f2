//! The environment of a native program: the clock of the system, its randomness, and the tables of Unicode.

use crate::memory::{Env, EnvError};
use crate::model::Timestamp;
use std::time::UNIX_EPOCH;
use unicode_normalization::UnicodeNormalization;

/// The environment of a native program.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEnv;

impl Env for SystemEnv {
    #[allow(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn now(&self) -> Result<Timestamp, EnvError> {
        let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| EnvError::Clock)?;
        let millis = i64::try_from(since.as_millis()).map_err(|_| EnvError::Clock)?;
        Timestamp::from_millis("now", millis).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        getrandom::fill(bytes).map_err(|_| EnvError::Entropy)
    }

    fn decompose(&self, text: &str) -> String {
        text.nfkd().collect()
    }

    async fn pause(&self, _millis: u32) {}
}
