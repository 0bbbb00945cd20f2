//! The API for Rust: the names and options of the TypeScript API, as methods, builders and typed results.
//!
//! A call with options is a builder that is awaited. It owns its handle, so it needs no lifetime, and it keeps the first
//! invalid option until it is awaited: a chain has one `?`.

mod audit;
mod collection;
mod compress;
mod draft;
mod entries;
mod env;
mod experience;
mod facade;
mod files;
mod given;
mod graph;
mod knowledge;
mod long_term;
mod memory;
mod profile;
mod prompt;
mod recall;
mod search;
#[cfg(feature = "serde")]
mod serde;
mod session;
#[cfg(all(feature = "tokio", not(target_arch = "wasm32")))]
mod shared;
mod skills;
mod state;
mod tools;
mod update;
mod values;

pub use audit::Log;
pub use collection::{Change, Collection, CollectionHit, FromValue, ToValue};
pub use draft::Draft;
pub use entries::EntryWithContent;
pub use env::DefaultEnv;
#[cfg(not(any(
    all(feature = "native", not(target_arch = "wasm32")),
    all(feature = "browser", target_arch = "wasm32")
)))]
pub use env::NoDefaultEnv;
pub use experience::ExperienceMemory;
pub use files::MemoryFiles;
pub use given::{Content, LongTerm, ShortTerm, When};
pub use graph::KnowledgeGraph;
pub use knowledge::SemanticMemory;
pub use memory::Memory;
pub use profile::ProfileMemory;
pub use session::Session;
#[cfg(all(feature = "tokio", not(target_arch = "wasm32")))]
pub use shared::{CallError, MemoryThread, SharedMemory};
pub use skills::ProceduralMemory;
pub use state::StateMemory;

use crate::memory::Error;
use std::pin::Pin;

/// The future of an awaited builder. It is not `Send`, as a memory is not.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

/// The builders that the methods of a memory return. Awaiting one runs the call.
pub mod builders {
    pub use super::audit::{Conflicts, RollbackCall, Verify};
    pub use super::collection::{ListValues, SearchValues, SetValue, WriteValues};
    pub use super::compress::Compress;
    pub use super::draft::Add;
    pub use super::entries::{Clear, Count, List};
    pub use super::experience::{Failures, Learn, SuccessfulTraces};
    pub use super::facade::{Read, Write};
    pub use super::files::{ChangeFile, DeleteFile, MoveFile};
    pub use super::knowledge::{AddDocument, Ask};
    pub use super::long_term::{Forget, Instructions, Record, Retrieve};
    pub use super::memory::Open;
    pub use super::profile::UpdateProfile;
    pub use super::prompt::BuildContext;
    pub use super::recall::{BuildDigest, Ingest, QueryMemory};
    pub use super::search::Search;
    pub use super::session::{Append, DeleteSession, Messages};
    pub use super::skills::SearchSkills;
    pub use super::state::SaveState;
    pub use super::tools::{CallTool, Tools};
    pub use super::update::Update;
}

/// Defines a builder: a handle, and the options of one call. The body is the call, made when the builder is awaited.
macro_rules! call {
    ($(#[$doc:meta])* $name:ident($options:ty) -> $out:ty, |$memory:ident, $given:ident| $body:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[must_use = "a call does nothing until it is awaited"]
        pub struct $name<S, E = $crate::api::DefaultEnv> {
            memory: $crate::memory::Memory<S, E>,
            given: $crate::api::given::Given<$options>,
        }

        impl<S, E> $name<S, E> {
            pub(super) fn new(memory: &$crate::memory::Memory<S, E>, given: $options) -> Self {
                Self { memory: memory.clone(), given: $crate::api::given::Given::new(given) }
            }

            /// Changes the options.
            #[allow(dead_code, reason = "each builder uses one of the two")]
            fn edit(mut self, change: impl FnOnce(&mut $options)) -> Self {
                change(&mut self.given.value);
                self
            }

            /// Changes the options by a value, or keeps the mistake in it until the builder is awaited.
            #[allow(dead_code, reason = "each builder uses one of the two")]
            fn set<V>(
                mut self,
                made: Result<V, $crate::model::Invalid>,
                put: impl FnOnce(&mut $options, V),
            ) -> Self {
                self.given.set(made, put);
                self
            }
        }

        impl<S: $crate::store::Store + 'static, E: $crate::memory::Env + 'static> IntoFuture for $name<S, E> {
            type Output = Result<$out, $crate::memory::Error>;
            type IntoFuture = $crate::api::LocalFuture<$out>;

            fn into_future(self) -> Self::IntoFuture {
                let ($memory, given) = (self.memory, self.given);
                Box::pin(async move {
                    let $given = given.checked()?;
                    $body
                })
            }
        }
    };
}

/// Defines a handle to a part of a memory.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<S, E = $crate::api::DefaultEnv> {
            memory: $crate::memory::Memory<S, E>,
        }

        impl<S, E> Clone for $name<S, E> {
            fn clone(&self) -> Self {
                Self { memory: self.memory.clone() }
            }
        }

        impl<S, E> $name<S, E> {
            pub(super) fn new(memory: &$crate::memory::Memory<S, E>) -> Self {
                Self { memory: memory.clone() }
            }
        }
    };
}

use {call, handle};
