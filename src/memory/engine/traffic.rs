//! The memory's own tool traffic: which results answer calls of its own tools, and the other text of a message.

use super::{Env, Error, Memory};
use crate::context::prompt::spoken;
use crate::index::DocKind;
use crate::model::{Block, BlockKind, Message, SessionId};
use crate::store::Store;
use crate::tools::is_own;

/// The number of messages before a result in which its call is searched.
const REACH: u64 = 16;

/// The number of cached calls: most results follow their call, which then need not be read again.
const MOST: usize = 256;

/// A call of a tool: its session, its id, and whether the tool is the memory's own.
pub(super) type Call = (SessionId, String, bool);

impl<S: Store, E: Env> Memory<S, E> {
    /// The ids of the calls of the memory's own tools that a message answers. Only the call names its tool.
    pub(in crate::memory) async fn own_answers(
        &self,
        session: &SessionId,
        place: u64,
        message: &Message,
    ) -> Result<Vec<String>, Error> {
        self.note_calls(session, message);
        let mut own = Vec::new();
        for id in message.answers() {
            let mut known = self.known_call(session, id);
            if known.is_none() {
                for stored in self.read_messages(session, place.saturating_sub(REACH), place).await? {
                    self.note_calls(session, &stored.message);
                }
                known = self.known_call(session, id);
            }
            // Cached even if not found, so that it is searched only once.
            let is_own = known.unwrap_or_default();
            if known.is_none() {
                self.note((session.clone(), id.to_owned(), false));
            }
            if is_own {
                own.push(id.to_owned());
            }
        }
        Ok(own)
    }

    fn note_calls(&self, session: &SessionId, message: &Message) {
        for block in &message.content {
            if let BlockKind::ToolUse { id, name, input } = &block.kind {
                self.note((session.clone(), id.clone(), is_own(name, input)));
            }
        }
    }

    fn note(&self, call: Call) {
        let mut calls = self.inner.calls.borrow_mut();
        if calls.len() >= MOST {
            calls.remove(0);
        }
        calls.push(call);
    }

    /// Whether a cached call is one of the memory's own tools.
    fn known_call(&self, session: &SessionId, id: &str) -> Option<bool> {
        let calls = self.inner.calls.borrow();
        calls.iter().rev().find(|(of, known, _)| of == session && known == id).map(|(.., own)| *own)
    }
}

/// The indexed text of a message, and its kind. The memory's own tool traffic is omitted; a message with nothing else
/// has the kind `ToolTraffic`, which is found only on request. Reasoning about a call belongs to it.
pub(in crate::memory) fn indexed_text(message: &Message, own: &[String]) -> (DocKind, String) {
    let is_traffic = |block: &&Block| match &block.kind {
        BlockKind::ToolUse { name, input, .. } => is_own(name, input),
        BlockKind::ToolResult { tool_use_id, .. } => own.contains(tool_use_id),
        _ => false,
    };
    let all = Message { name: None, ..message.clone() };
    if !message.content.iter().any(|block| is_traffic(&block)) {
        return (DocKind::Message, spoken(&all));
    }
    let rest: Vec<Block> = message.content.iter().filter(|block| !is_traffic(block)).cloned().collect();
    let speaks = rest.iter().any(|block| !matches!(block.kind, BlockKind::Thought(_)));
    let said = if speaks { spoken(&Message { content: rest, ..all.clone() }) } else { String::new() };
    if said.trim().is_empty() { (DocKind::ToolTraffic, spoken(&all)) } else { (DocKind::Message, said) }
}
