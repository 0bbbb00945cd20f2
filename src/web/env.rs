//! Clock and entropy provided by the host.

use super::executor;
use super::tickets::Ticket;
use crate::memory::{Env, EnvError};
use crate::model::Timestamp;

/// The environment of JavaScript.
#[derive(Debug)]
pub(super) struct WebEnv;

impl Env for WebEnv {
    fn now(&self) -> Result<Timestamp, EnvError> {
        let now = executor::host().and_then(|host| host.now().ok()).and_then(|now| now.as_f64());
        // A cast would turn NaN into 0, which is a valid time.
        let millis = now.filter(|millis| millis.is_finite()).ok_or(EnvError::Clock)?;
        Timestamp::from_millis("now", millis as i64).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        let host = executor::host().ok_or(EnvError::Entropy)?;
        let random = host.random(bytes.len() as u32).map_err(|_| EnvError::Entropy)?;
        if random.len() != bytes.len() {
            return Err(EnvError::Entropy);
        }
        bytes.copy_from_slice(&random);
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        // Without a host there is no call to answer.
        executor::host().map_or_else(|| text.to_owned(), |host| host.decompose(text))
    }

    fn count_tokens(&self, text: &str) -> Option<u32> {
        let host = executor::host().filter(|host| !host.counter().is_undefined())?;
        // A counter that fails or returns an invalid value is ignored.
        let count = host.count_tokens(text).ok()?.as_f64()?;
        (0.0..=f64::from(u32::MAX)).contains(&count).then_some(count as u32)
    }

    async fn pause(&self, millis: u32) {
        let ticket = Ticket::new();
        if let Some(host) = executor::host() {
            host.sleep(ticket.number(), millis);
            ticket.await;
        }
    }
}
