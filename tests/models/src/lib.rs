//! Models of the two protocols that every memory rests on, for a model checker: all orders of all steps of a few writers, with
//! crashes, answers that get lost, and writes that come late. `tests/` checks them, and replays their traces on the code.

pub mod claims;
pub mod indexeddb;
pub mod kv;

/// How many steps beyond the small bounds are looked at: `KEEPSAKE_MODEL_BOUND=1` and more take minutes.
#[allow(clippy::disallowed_methods, reason = "tests have no arguments")]
pub fn bound() -> u8 {
    std::env::var("KEEPSAKE_MODEL_BOUND").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
