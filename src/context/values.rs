//! JSON values that tools give, as blocks: a text of the value that remembers to be one.

use crate::codec::json::parse;
use crate::model::{Block, BlockKind, Json};

/// Deeper values stay texts: around them comes the message, and what holds the message, before it is read again.
pub(super) const MAX_DEPTH: usize = 48;

/// The block of a value: of a text the text, of anything else its JSON, marked as such.
pub(super) fn block_of(value: Json) -> Block {
    match value {
        Json::String(text) => Block::text(text),
        value => Block { kind: BlockKind::Text(value.to_string()), extra: vec![("json".to_owned(), true.into())] },
    }
}

/// The value that [`block_of`] made this block of, unless that was a text.
pub(super) fn value_of(block: &Block) -> Option<Json> {
    let BlockKind::Text(text) = &block.kind else { return None };
    let [(name, Json::Bool(true))] = &block.extra[..] else { return None };
    let value = parse(text).ok().filter(|_| name == "json")?;
    let same = value.as_str().is_none() && value.depth() <= MAX_DEPTH && value.to_string() == *text;
    same.then_some(value)
}
