//! The next prompt: windows, compression, the compiler, and the message formats of providers.

pub mod compress;
pub mod formats;
mod item;
pub mod lines;
mod pairs;
pub mod prompt;
pub mod request;
#[cfg(test)]
mod sample;
pub mod stored;
#[cfg(test)]
mod story;
mod values;
pub mod window;

pub use item::{Item, Kind, restore};
pub use pairs::with_partners;
use values::{block_of, value_of};
