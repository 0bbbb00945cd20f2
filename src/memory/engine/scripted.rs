//! A deterministic environment: a clock set by hand and seeded randomness, the same at every door.

use super::{Env, EnvError};
use crate::model::Timestamp;
use std::cell::Cell;
use std::rc::Rc;
use unicode_normalization::UnicodeNormalization;

/// A clock and randomness under the test's control. Clones share both.
#[derive(Clone, Debug)]
pub struct Scripted {
    now: Rc<Cell<i64>>,
    seed: Rc<Cell<u64>>,
}

impl Scripted {
    /// Starts at the time `now`, in milliseconds since 1970, with randomness from `seed`.
    pub fn new(now: i64, seed: u64) -> Self {
        Self { now: Rc::new(Cell::new(now)), seed: Rc::new(Cell::new(seed)) }
    }

    /// Sets the clock.
    pub fn set_now(&self, now: i64) {
        self.now.set(now);
    }

    /// The clock, in milliseconds since 1970.
    pub fn millis(&self) -> i64 {
        self.now.get()
    }
}

impl Env for Scripted {
    fn now(&self) -> Result<Timestamp, EnvError> {
        Timestamp::from_millis("now", self.now.get()).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        for byte in bytes {
            *byte = next_byte(&self.seed);
        }
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        text.nfkd().collect()
    }

    async fn pause(&self, _millis: u32) {}
}

/// The highest byte of Knuth's linear congruential generator: three lines in any language, and only for tests.
fn next_byte(seed: &Cell<u64>) -> u8 {
    seed.set(seed.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    (seed.get() >> 56) as u8
}
