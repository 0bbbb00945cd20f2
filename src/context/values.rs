//! JSON values of tools as blocks: the JSON text, with a mark that it is a value.

use crate::codec::json::parse;
use crate::model::{Block, BlockKind, Json};

/// Deeper values stay strings: a message and its container add levels before they are read again.
pub(super) const MAX_DEPTH: usize = 48;

/// The block of a value: a string as text, anything else as marked JSON.
pub(super) fn block_of(value: Json) -> Block {
    match value {
        Json::String(text) => Block::text(text),
        value => Block { kind: BlockKind::Text(value.to_string()), extra: vec![("json".to_owned(), true.into())] },
    }
}

/// The value of a block from [`block_of`], unless it was a string.
pub(super) fn value_of(block: &Block) -> Option<Json> {
    let BlockKind::Text(text) = &block.kind else { return None };
    let [(name, Json::Bool(true))] = &block.extra[..] else { return None };
    let value = parse(text).ok().filter(|_| name == "json")?;
    let same = value.as_str().is_none() && value.depth() <= MAX_DEPTH && value.to_string() == *text;
    same.then_some(value)
}
