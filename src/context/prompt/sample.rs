//! Messages for the tests of this folder, one line each.

use crate::model::{Block, BlockKind, Json, Message, MessageId, Metadata, Role, Timestamp};

/// `assistant Let me see call:a` or `tool result:a`: the role, then words, calls and results.
pub(super) fn message(number: usize, turn: &str) -> Message {
    let (role, rest) = turn.split_once(' ').unwrap_or((turn, ""));
    let mut content: Vec<Block> = Vec::new();
    let words: Vec<&str> =
        rest.split(' ').filter(|word| !word.contains("call:") && !word.contains("result:")).collect();
    if !words.is_empty() {
        content.push(Block::text(words.join(" ")));
    }
    for word in rest.split(' ') {
        if let Some(id) = word.strip_prefix("call:") {
            content.push(BlockKind::ToolUse { id: id.into(), name: "look".into(), input: Json::Null }.into());
        } else if let Some(id) = word.strip_prefix("result:") {
            let output = vec![Block::text("found")];
            content.push(BlockKind::ToolResult { tool_use_id: id.into(), output, is_error: false }.into());
        }
    }
    Message {
        id: MessageId::new("id", format!("m{number:03}")).unwrap(),
        role: Role::new("role", role).unwrap(),
        name: None,
        content,
        at: Timestamp::from_millis("at", number as i64).unwrap(),
        pinned: false,
        metadata: Metadata::default(),
    }
}
