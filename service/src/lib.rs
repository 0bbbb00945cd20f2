//! Keepsake's API as a component: `wasi:http` in front, `wasi:keyvalue` behind.

pub mod kv;
