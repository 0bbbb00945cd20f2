//! A host for the component: wasmtime, and around it a storage, a clock and dice that do what a test tells them.

mod bindings;
mod collections;
mod dialog;
mod files;
mod hooked;
mod instance;
pub mod json;
pub mod medium;
mod storage;
mod stores;
mod tools;
mod untyped;
mod world;

pub use bindings::exports::keepsake::memory::collections as wit_collections;
pub use bindings::exports::keepsake::memory::dialog as wit_dialog;
pub use bindings::exports::keepsake::memory::files as wit_files;
pub use bindings::exports::keepsake::memory::stores as wit_stores;
pub use bindings::exports::keepsake::memory::tools as wit_tools;
pub use bindings::keepsake::memory::storage as wit_storage;
pub use bindings::keepsake::memory::types as wit;
pub use hooked::{Hooked, Models, Passage, hooked_component};
pub use instance::{Call, Instance, component};
pub use storage::{Handle, Storage};
pub use untyped::Untyped;
pub use wasmtime::component::ResourceAny;
pub use wasmtime::component::{Type, Val};
pub use wasmtime::{Error as Trapped, Trap};
pub use world::{Fault, Growth, World};
