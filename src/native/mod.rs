//! The native door: what a memory needs from a machine without a browser.

mod env;

pub use env::SystemEnv;
