//! What a memory needs from the world around it: the time, chance, and a moment's patience.

use crate::model::Timestamp;

/// The world around a memory. Doors and tests provide it; nothing else in the library looks at a clock or rolls dice.
#[allow(async_fn_in_trait, reason = "see Store")]
pub trait Env {
    /// The time now. It may jump in either direction, and may stand still between two calls.
    fn now(&self) -> Result<Timestamp, EnvError>;

    /// Fills `bytes` with randomness good enough for ids that nobody can guess.
    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError>;

    /// `text` in Unicode NFKD: words are compared in this form, whichever way they were typed (F29). It is asked of the
    /// world because every JavaScript engine has the tables, and they are as large as the rest of this library.
    fn decompose(&self, text: &str) -> String;

    /// How many tokens `text` has, if the world knows the tokenizer of the app's model; otherwise they are estimated.
    fn count_tokens(&self, text: &str) -> Option<u32> {
        let _ = text;
        None
    }

    /// Waits about this long, if waiting is possible here.
    async fn pause(&self, millis: u32);
}

/// Which part of the world failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvError {
    /// The clock.
    Clock,
    /// The source of randomness.
    Entropy,
}
