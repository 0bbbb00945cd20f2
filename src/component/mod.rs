//! The WIT entry point: the core as a component, on a storage, a clock and random bytes of the host.
//!
//! `generated.rs` encodes the arguments of each function as JSON, calls the verb, and decodes its answer; `wit/`
//! defines the mapping.

mod by_hand;
mod convert;
mod env;
#[rustfmt::skip]
mod generated;
#[cfg(feature = "hooks")]
mod hooked;
mod ready;
mod store;
mod wire;

/// The bindings of `wit/`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated from wit/, where the documentation is")]
#[allow(unsafe_code, reason = "generated: values cross the component boundary as raw memory")]
mod bindings {
    #[cfg(not(feature = "hooks"))]
    wit_bindgen::generate!({ world: "keepsake", path: "wit" });
    #[cfg(feature = "hooks")]
    wit_bindgen::generate!({ world: "memory-with-hooks", path: "wit" });

    export!(Keepsake with_types_in self);

    use super::Keepsake;
}

use by_hand::Session;

/// The component.
struct Keepsake;
