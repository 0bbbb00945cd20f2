//! Text in any language: cutting, counting, splitting and comparing.

mod bare;
mod chars;
mod chunks;
mod cues;
mod dates;
mod decisions;
mod extract;
mod fold;
mod hidden;
mod irregular;
mod listed;
mod markdown;
mod marks;
mod names;
mod overview;
mod phrases;
mod question;
mod salient;
mod sentences;
mod statement;
mod stem;
mod stop;
mod summary;
mod terms;
mod token_costs;
mod tokens;
mod traits;
mod turns;
mod words;
mod worth;

pub use bare::bare;
#[cfg(feature = "full")]
pub(crate) use chars::{Class, class};
pub use chars::{is_ignorable, small};
pub use chunks::{Chunk, Chunker, chunks};
pub use dates::{Date, day_number};
pub use decisions::{Statement, Subject, about, corrects, repeats, statements};
pub use extract::extract;
#[cfg(feature = "full")]
pub(crate) use fold::fold;
pub use hidden::visible;
pub(crate) use listed::Listed;
pub use marks::{ends_asking, is_pause};
pub use names::{is_caseless, is_form_of_name, name_words, places_of_name};
pub use overview::asks_for_overview;
pub use question::{Question, Sought, Wants, Word, only_asks};
pub use salient::salient;
pub use statement::{Relation, kindred, relation};
pub use summary::{cut, summarize};
pub use terms::{MAX_TERM, PLAIN, Role, Term, key, terms};
pub use tokens::{count_tokens, count_tokens_of, estimate_documented};
pub use traits::{Traits, Voice};
