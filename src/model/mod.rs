//! Values of the domain, valid from the moment they exist: constructors check, everything else may trust.

mod entry;
mod id;
mod invalid;
mod json;
mod metadata;
mod namespace;
mod time;

pub use entry::{Draft, Entry, Importance, Tags};
pub use id::{EntryId, UserId};
pub use invalid::Invalid;
pub use json::{Json, Number};
pub use metadata::Metadata;
pub use namespace::{Namespace, NamespaceRules, Namespaces};
pub use time::Timestamp;
