//! Clock, randomness and sleep of the operating system.

#![allow(clippy::disallowed_methods, reason = "a door has the clock of the operating system")]

use super::timer;
use crate::memory::{Env, EnvError};
use crate::model::Timestamp;
use std::task::Poll;
use std::time::{Duration, SystemTime};
use unicode_normalization::UnicodeNormalization;

/// The environment of an ordinary program: the clock and the randomness of the operating system, and a sleep that blocks no
/// thread and works in every executor.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEnv;

impl Env for SystemEnv {
    fn now(&self) -> Result<Timestamp, EnvError> {
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_err(|_| EnvError::Clock)?;
        let millis = i64::try_from(since_1970.as_millis()).map_err(|_| EnvError::Clock)?;
        Timestamp::from_millis("now", millis).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        getrandom::fill(bytes).map_err(|_| EnvError::Entropy)
    }

    fn decompose(&self, text: &str) -> String {
        text.nfkd().collect()
    }

    async fn pause(&self, millis: u32) {
        if millis == 0 {
            return yield_once().await;
        }
        timer::sleep(Duration::from_millis(millis.into())).await;
    }
}

/// Lets the executor's other tasks run. A trip to the timer's thread would take longer than they do.
async fn yield_once() {
    let mut yielded = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use std::time::Instant;

    #[test]
    fn the_clock_is_that_of_the_system() {
        let seconds = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
        let before = seconds();
        let now = SystemEnv.now().unwrap().millis() / 1000;
        assert!((before..=seconds()).contains(&now), "{now}");
    }

    #[test]
    fn randomness_does_not_repeat() {
        let draw = || {
            let mut bytes = [0; 32];
            SystemEnv.entropy(&mut bytes).unwrap();
            bytes
        };
        assert_ne!(draw(), draw());
        assert!(SystemEnv.entropy(&mut []).is_ok());
    }

    #[test]
    fn f29_spellings_decompose_to_one_form() {
        assert_eq!(SystemEnv.decompose("vi\u{1ec7}t \u{fb01}n"), "vie\u{323}\u{302}t fin");
    }

    #[test]
    fn a_pause_of_nothing_lets_others_run() {
        let ran = std::cell::Cell::new(false);
        let paused = async {
            SystemEnv.pause(0).await;
            ran.get()
        };
        assert_eq!(block_on(futures::future::join(paused, async { ran.set(true) })), (true, ()));
    }

    #[test]
    fn a_pause_lasts() {
        let begun = Instant::now();
        block_on(SystemEnv.pause(15));
        assert!(begun.elapsed() >= Duration::from_millis(15));
    }
}
