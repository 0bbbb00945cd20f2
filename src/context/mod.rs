//! What goes into the next prompt: windows, compression, the compiler, and the forms that providers want.

pub mod formats;
pub mod lines;
#[cfg(test)]
mod sample;
mod values;

use values::{block_of, value_of};
