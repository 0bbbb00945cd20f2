//! Judgement by rules as data: which parts of a message to keep, which are secrets, which facts they replace, and when
//! to return nothing.
//!
//! The rules are code; the words are packs, one text for each language (`packs/`). Nothing here knows a memory: messages and
//! facts come in as texts and values.

mod attribute;
mod change;
mod classify;
mod compare;
mod content;
mod fact;
mod fold;
mod forget;
mod hindi;
mod judge;
mod lang;
mod languages;
mod owner;
mod pack;
mod packs;
mod prepared;
mod recall;
mod secrets;
mod sentence;
mod shapes;
mod values;

pub use crate::model::SecretKind;
pub use attribute::{Attribute, Attributes, Subject};
pub use classify::Reason;
pub use compare::{Relation, adopted, are_distinct, compare, contradicts, is_one_of_many, may_concern};
pub use fact::Fact;
pub use forget::{FORGOTTEN, Meant, Named, Reading, Stated, Traces};
pub use judge::{Judge, Judged};
pub use lang::Lang;
pub use owner::is_of_user;
pub use pack::Pack;
pub use packs::Packs;
pub(crate) use packs::Seen;
#[cfg(feature = "packs")]
pub use packs::built_in;
#[cfg(all(feature = "packs", not(feature = "web")))]
pub(crate) use packs::shared;
pub use recall::{Sought, recall};
pub use secrets::{Secret, redact, secrets, secrets_by_shape, without_secrets};
