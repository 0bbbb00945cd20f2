//! The environment of a memory: clock, randomness and sleep.

use crate::model::Timestamp;
use std::fmt;

/// The environment of a memory, provided by doors and tests. Nothing else in the library has a clock or randomness.
#[allow(async_fn_in_trait, reason = "see Store")]
pub trait Env {
    /// The current time. It may jump in either direction, and may stand still between two calls.
    fn now(&self) -> Result<Timestamp, EnvError>;

    /// Fills `bytes` with randomness that is good enough for unguessable ids.
    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError>;

    /// `text` in Unicode NFKD, the form in which words are compared (F29). The environment provides it because every
    /// JavaScript engine has the tables, and they are as large as the rest of this library.
    fn decompose(&self, text: &str) -> String;

    /// The number of tokens of `text`, if the environment has the tokenizer of the app's model; otherwise they are
    /// estimated.
    fn count_tokens(&self, text: &str) -> Option<u32> {
        let _ = text;
        None
    }

    /// Sleeps for about this long, if the environment can.
    async fn pause(&self, millis: u32);
}

/// The part of the environment that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnvError {
    /// The clock.
    Clock,
    /// The source of randomness.
    Entropy,
}

impl fmt::Display for EnvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clock => "the clock returned no valid time",
            Self::Entropy => "no source of randomness is available",
        })
    }
}

impl std::error::Error for EnvError {}
