//! Agent memory that lives where the agent runs: in a page, in a native program, on the edge. It needs no server, no
//! model and no embedder.
//!
//! ```toml
//! [dependencies]
//! keepsake = { path = "…", features = ["native", "serde"] } # in a page: "browser" in place of "native"
//! ```
//!
//! ```
//! use keepsake::{LongTerm, MemStore, Memory, Role};
//!
//! # fn main() -> Result<(), keepsake::Error> {
//! # futures::executor::block_on(async {
//! let memory = Memory::open(MemStore::new(), "u-42").await?;
//! memory.add("Deploy keys rotate on Mondays").namespace(LongTerm).tag("ops").await?;
//! let hits = memory.search("when do deploy keys change?").limit(5).await?;
//! println!("{}", hits[0].summary);
//!
//! let chat = memory.session("s-1");
//! chat.append(Role::User, "Which day is good for a deploy?").await?;
//! let context = chat.context().budget(4_000).await?; // for the model: `prompt`, then `messages`
//! assert!(context.prompt.contains("Mondays"));
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! | to | call |
//! |---|---|
//! | remember, update, delete | [`add`](Memory::add), [`add_many`](Memory::add_many), [`update`](Memory::update), [`delete`](Memory::delete) |
//! | find again | [`search`](Memory::search), [`query_memory`](Memory::query_memory) for everything, [`get`](Memory::get), [`list`](Memory::list) |
//! | store a conversation, and build its next prompt | [`session`](Memory::session), [`Session::append`], [`Session::context`], [`Session::compress`] |
//! | record what is said about the user, and forget it | [`record`](Memory::record), [`retrieve`](Memory::retrieve), [`forget`](Memory::forget) |
//! | give a model tools | [`tools`](Memory::tools), [`call_tool`](Memory::call_tool) |
//! | keep the app's own values | [`collection`](Memory::collection) |
//! | keep profile, states, knowledge, skills, experience | [`profile`](Memory::profile), [`state`](Memory::state), [`semantic`](Memory::semantic), [`procedural`](Memory::procedural), [`experience`](Memory::experience) |
//! | serve flows and agents under a policy | [`read`](Memory::read), [`write`](Memory::write) |
//! | keep Markdown files | [`files`](Memory::files) |
//! | prove what was said | [`log`](Memory::log), [`verify`](Memory::verify) |
//!
//! A call with options is a builder that is awaited; an invalid option is the error of that call. The names are those of
//! the TypeScript API, and so are the rules: a `short-term` entry (the default) expires after 14 days, and one in
//! [`LongTerm`] after ten years.
//!
//! # Features
//!
//! | feature | what it has |
//! |---|---|
//! | `native` | `FileStore`, a store in one file, and `SystemEnv`, the clock and randomness of a program |
//! | `tokio` | `MemoryThread` and `SharedMemory`, handles for the tasks of an async server |
//! | `browser` | `BrowserEnv` and `IndexedDb`, for `wasm32-unknown-unknown` in a page |
//! | `serde` | `Serialize` and `Deserialize` for the public values, typed [collections](Collection) |
//! | `packs` (default) | the rules that recognise facts in fourteen languages, in the artefact |
//! | `testing` | the contract of [`Store`], a faulty store and a scripted [`Env`], for tests; outside of semantic versioning |
//! | `web`, `component`, `hooks` | the doors of the npm package and of the WIT component; not for Rust programs |
//!
//! # What is not part of the API
//!
//! Modules that this page does not list (`codec`, `context`, `index`, `judgement`, `learn`, `log`, `memory`, `model`,
//! `text` …) are public for the library's own tests and doors. They may change in any version.

#![cfg_attr(not(feature = "full"), allow(dead_code, reason = "without its verbs, much of the library has no caller"))]

#[cfg(all(target_arch = "wasm32", feature = "web", feature = "component"))]
compile_error!("`web` and `component` cannot be encoded in one wasm file: build one artefact for each");

#[cfg(all(target_arch = "wasm32", feature = "native"))]
compile_error!("`native` needs files and threads: for wasm use `browser` (a page), `component` or `web`");

#[cfg(feature = "full")]
mod api;
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub mod browser;
#[doc(hidden)]
pub mod codec;
#[cfg(feature = "component")]
mod component;
#[doc(hidden)]
pub mod context;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod judgement;
#[doc(hidden)]
pub mod learn;
#[doc(hidden)]
pub mod log;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod model;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub mod native;
pub mod store;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod tools;
#[cfg(feature = "full")]
pub mod types;
#[cfg(feature = "web")]
#[doc(hidden)]
pub mod web;

#[cfg(feature = "full")]
pub use api::*;
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub use browser::{BrowserEnv, IndexedDb};
#[cfg(feature = "full")]
#[doc(inline)]
pub use memory::{Context, Hit};
#[doc(inline)]
pub use memory::{Env, EnvError, Error, ErrorCode};
#[doc(inline)]
pub use model::{Block, Config, Entry, Invalid, Json, Message, Role, Timestamp, Trust};
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub use native::{FileStore, SystemEnv};
#[doc(inline)]
pub use store::{MemStore, Store};

/// The Rust examples of the documentation, run as doctests.
#[cfg(doctest)]
#[allow(rustdoc::invalid_codeblock_attributes, reason = "`no-run` is for the tests of blocks in other languages")]
mod documentation {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/rust.md")]
    struct Rust;
}
