//! Text: what is cut, counted, split and compared, in any language.

mod bare;
mod chars;
mod chunks;
mod cues;
mod dates;
mod extract;
mod fold;
mod irregular;
mod markdown;
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
pub use chunks::{Chunk, chunks};
pub use dates::{Date, day_number};
pub use extract::extract;
pub use question::{Question, Sought, Wants, Word, only_asks};
pub use salient::salient;
pub use statement::{Relation, kindred, relation};
pub use summary::{cut, summarize};
pub use terms::{MAX_TERM, PLAIN, Role, Term, key, terms};
pub use tokens::{count_tokens, count_tokens_of, estimate_documented};
pub use traits::{Traits, Voice};
