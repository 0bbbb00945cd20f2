//! The environment that a memory has unless the app names another.

/// The environment that [`Memory::open`](crate::Memory::open) uses: that of the enabled feature.
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub type DefaultEnv = crate::native::SystemEnv;

/// The environment that [`Memory::open`](crate::Memory::open) uses: that of the enabled feature.
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub type DefaultEnv = crate::browser::BrowserEnv;

/// There is no default environment here: enable the feature `native` (or `browser` for a page), or use
/// [`Memory::open_with`](crate::Memory::open_with) with an [`Env`](crate::Env) of your own.
#[cfg(not(any(
    all(feature = "native", not(target_arch = "wasm32")),
    all(feature = "browser", target_arch = "wasm32")
)))]
pub type DefaultEnv = NoDefaultEnv;

/// Stands for the missing default environment: enable the feature `native` or `browser`.
#[cfg(not(any(
    all(feature = "native", not(target_arch = "wasm32")),
    all(feature = "browser", target_arch = "wasm32")
)))]
#[derive(Clone, Copy, Debug)]
pub enum NoDefaultEnv {}
