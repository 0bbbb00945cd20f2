//! Clock and randomness of the host.

use super::bindings::keepsake::memory::{clock, entropy};
use crate::memory::{Env, EnvError};
use crate::model::Timestamp;
use unicode_normalization::UnicodeNormalization;

/// The host's clock and random bytes.
#[derive(Debug)]
pub(super) struct HostEnv;

impl Env for HostEnv {
    fn now(&self) -> Result<Timestamp, EnvError> {
        Timestamp::from_millis("now", clock::now()).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        let length = u32::try_from(bytes.len()).map_err(|_| EnvError::Entropy)?;
        let chance = entropy::bytes(length);
        if chance.len() != bytes.len() {
            return Err(EnvError::Entropy);
        }
        bytes.copy_from_slice(&chance);
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        text.nfkd().collect()
    }

    /// No sleep: a component cannot wait, and need not, because the other writer has finished its commit.
    async fn pause(&self, _millis: u32) {}
}
