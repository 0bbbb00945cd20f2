//! The view of a session: messages by their facts, and stand-ins for compressed ones.
//!
//! A *view* is an array of items in the order of their first messages. Every message of the session is in one of them,
//! so nothing is lost. Messages that were removed from the view are in its hidden items.

use super::compress::Rejected;
use crate::model::{Block, BlockKind, FileSource, Message, MessageId, Role, Trust};

/// A message, or a stand-in for several.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Item {
    /// The places of its messages, as ranges in order and without overlap.
    pub spans: Vec<(u64, u64)>,
    /// Its kind.
    pub kind: Kind,
    /// Its role. Of a merged run of tool calls: [`Role::Tool`]. Of a summary or a history: [`Role::System`].
    pub role: Role,
    /// The tokens that it takes in the window, by the counter of the session.
    pub tokens: u32,
    /// The characters that it takes in the window.
    pub chars: u32,
    /// The ids of its tool calls that can still be answered: none in a stand-in for several messages.
    pub calls: Vec<String>,
    /// The ids of the tool calls that it answers, likewise.
    pub answers: Vec<String>,
    /// Whether it is pinned.
    pub pinned: bool,
}

/// The kind of an item.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// The message with this id, unchanged.
    Message(MessageId),
    /// The beginning of a message that is too large. The message is loaded by its id.
    Offload(MessageId, String),
    /// Merged messages of one role, or a run of tool calls with their results. Nothing is left out, so the text is made
    /// from the messages when it is shown.
    Merge,
    /// A summary, from progressive compression.
    Summary(String),
    /// A numbered history, from tree-reduce.
    History(u32, String),
    /// Messages that were deleted from the view: they never appear again in a prompt or a summary.
    Deleted,
    /// Messages that were in the view when it was cleared. A saved state may restore them.
    Cleared,
}

impl Item {
    /// The facts of `message`, which is at place `seq` of its session and counts `tokens`.
    pub fn of(message: &Message, seq: u64, tokens: u32) -> Self {
        Self {
            spans: vec![(seq, seq)],
            kind: Kind::Message(message.id.clone()),
            role: message.role,
            tokens,
            chars: u32::try_from(chars(&message.content)).unwrap_or(u32::MAX),
            calls: message.calls().map(str::to_owned).collect(),
            answers: message.answers().map(str::to_owned).collect(),
            pinned: message.pinned,
        }
    }

    /// A stand-in for `items`.
    pub(super) fn standing_for(items: &[Self], kind: Kind, role: Role, tokens: u64, chars: u64) -> Self {
        // They are almost in order, and a sort would be most of the code.
        let mut spans: Vec<(u64, u64)> = Vec::new();
        for span in items.iter().flat_map(|item| &item.spans) {
            let at = spans.partition_point(|other| other < span);
            spans.insert(at, *span);
        }
        spans.dedup_by(|next, span| {
            let adjacent = span.1.checked_add(1) == Some(next.0);
            if adjacent {
                span.1 = next.1;
            }
            adjacent
        });
        let [tokens, chars] = [tokens, chars].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Self { spans, kind, role, tokens, chars, calls: Vec::new(), answers: Vec::new(), pinned: false }
    }

    /// The summary of `items`.
    pub(super) fn told(items: &[Self], kind: Kind, tokens: u32, chars: usize) -> Self {
        Self::standing_for(items, kind, Role::System, u64::from(tokens), chars as u64)
    }

    /// The message cut to its beginning. It still answers its calls.
    pub(super) fn offloaded(&self, preview: String, tokens: u32, chars: usize) -> Self {
        let mut item = Self { tokens, chars: u32::try_from(chars).unwrap_or(u32::MAX), ..self.clone() };
        if let Kind::Message(id) = &self.kind {
            item.kind = Kind::Offload(id.clone(), preview);
        }
        item
    }

    /// Hidden messages at these places, in any order.
    pub(crate) fn hidden(kind: Kind, spans: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut sorted: Vec<(u64, u64)> = Vec::new();
        for span in spans {
            let at = sorted.partition_point(|other| *other < span);
            sorted.insert(at, span);
        }
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (from, to) in sorted {
            match merged.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        Self { spans: merged, ..Self::standing_for(&[], kind, Role::System, 0, 0) }
    }

    /// Whether its messages are hidden from the view.
    pub fn is_hidden(&self) -> bool {
        matches!(self.kind, Kind::Deleted | Kind::Cleared)
    }

    /// Whether it is one message, whole or cut.
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind, Kind::Message(_) | Kind::Offload(..))
    }

    /// Whether it has a message at one of these places.
    pub(crate) fn overlaps(&self, spans: &[(u64, u64)]) -> bool {
        self.spans.iter().any(|span| spans.iter().any(|other| span.0 <= other.1 && other.0 <= span.1))
    }

    /// The place of its first message.
    pub fn first(&self) -> u64 {
        self.spans.first().map_or(0, |span| span.0)
    }

    /// The place of its last message.
    pub fn last(&self) -> u64 {
        self.spans.last().map_or(0, |span| span.1)
    }

    /// The number of its messages.
    pub fn messages(&self) -> u64 {
        self.spans.iter().map(|(from, to)| to - from + 1).sum()
    }

    /// The trust in a stand-in: the lowest of its messages. `low_from` is the place of the session's first message of
    /// low trust, which the assistant may have repeated since.
    pub fn trust(&self, low_from: Option<u64>) -> Trust {
        let Some(from) = low_from else { return Trust::Normal };
        let said = matches!(self.kind, Kind::Merge) && matches!(self.role, Role::User | Role::System);
        if self.last() >= from && !said { Trust::Low } else { Trust::Normal }
    }

    /// Whether the message at `seq` is in it.
    pub fn covers(&self, seq: u64) -> bool {
        self.spans.iter().any(|span| span.0 <= seq && seq <= span.1)
    }

    /// Whether all of `other` is in it.
    pub(super) fn contains(&self, other: &Self) -> bool {
        other.spans.iter().all(|inner| self.spans.iter().any(|span| span.0 <= inner.0 && inner.1 <= span.1))
    }

    /// A display name: the id of a message, `history-001` (C13), or its kind and places.
    pub fn name(&self) -> String {
        let what = match &self.kind {
            Kind::Message(id) | Kind::Offload(id, _) => return id.to_string(),
            Kind::History(number, _) => return format!("history-{number:03}"),
            Kind::Merge => "merge",
            Kind::Summary(_) => "summary",
            Kind::Deleted => "deleted",
            Kind::Cleared => "cleared",
        };
        format!("{what}-{}-{}", self.first(), self.last())
    }

    /// Whether it has tool calls or results.
    pub(super) fn is_tool(&self) -> bool {
        self.role == Role::Tool || !self.calls.is_empty() || !self.answers.is_empty()
    }

    /// Whether it must stay unchanged: pinned, or an instruction of the app.
    pub(super) fn is_fixed(&self) -> bool {
        self.pinned || self.role == Role::System && !self.is_told()
    }

    /// Whether it is a summary or a history, which has no speaker.
    pub fn is_told(&self) -> bool {
        matches!(self.kind, Kind::Summary(_) | Kind::History(..))
    }
}

/// The total tokens of `items`.
pub(super) fn tokens(items: &[Item]) -> u64 {
    items.iter().map(|item| u64::from(item.tokens)).sum()
}

/// Restores a view from storage: the facts of all messages, and all stand-ins in the order in which they were made. A
/// later one may replace earlier ones.
pub fn restore(messages: Vec<Item>, stand_ins: Vec<Item>) -> Result<Vec<Item>, Rejected> {
    let mut view = messages;
    for stand_in in stand_ins {
        let inside: Vec<bool> = view.iter().map(|item| stand_in.contains(item)).collect();
        let torn = |item: &Item| item.spans.iter().any(|span| stand_in.covers(span.0) || stand_in.covers(span.1));
        if view.iter().zip(&inside).any(|(item, inside)| !inside && torn(item)) {
            return Err(Rejected::Stale);
        }
        put(&mut view, &inside, stand_in);
    }
    Ok(view)
}

/// Puts `stand_in` in the place of the first item that is `inside`, and removes those items.
pub(super) fn put(view: &mut Vec<Item>, inside: &[bool], stand_in: Item) {
    let Some(first) = inside.iter().position(|inside| *inside) else { return };
    let mut at = 0;
    view.retain(|_| {
        at += 1;
        at - 1 == first || !inside[at - 1]
    });
    view[first] = stand_in;
}

/// The number of characters of blocks, including tool inputs and outputs.
pub(super) fn chars(blocks: &[Block]) -> usize {
    let length = |text: &str| text.chars().count();
    let of_block = |block: &Block| match &block.kind {
        BlockKind::Text(text) | BlockKind::Thought(text) => length(text),
        BlockKind::ToolUse { input, .. } => length(&input.to_string()),
        BlockKind::ToolResult { output, .. } => chars(output),
        BlockKind::File { source: FileSource::Base64(text) | FileSource::Url(text) | FileSource::Id(text), .. } => {
            text.len()
        }
        BlockKind::Other(json) => length(&json.to_string()),
    };
    blocks.iter().map(of_block).sum()
}

#[cfg(test)]
mod tests {
    use super::super::story::{items, spans};
    use super::*;
    use crate::model::{Json, Metadata, Timestamp};

    #[test]
    fn a_message_gives_the_facts_that_planning_needs() {
        let result = BlockKind::ToolResult {
            tool_use_id: "a".to_owned(),
            output: vec![Block::text("việt"), BlockKind::Other(Json::Bool(true)).into()],
            is_error: false,
        };
        let call = BlockKind::ToolUse { id: "b".to_owned(), name: "look".to_owned(), input: Json::Null };
        let message = Message {
            id: MessageId::new("id", "m").unwrap(),
            role: Role::Assistant,
            name: None,
            content: vec![result.into(), call.into(), Block::text("ok")],
            at: Timestamp::from_millis("at", 0).unwrap(),
            pinned: true,
            metadata: Metadata::default(),
        };
        let item = Item::of(&message, 7, 3);
        assert_eq!((item.first(), item.last(), item.tokens, item.chars), (7, 7, 3, 4 + 4 + 4 + 2));
        assert_eq!((item.calls, item.answers, item.pinned), (vec!["b".to_owned()], vec!["a".to_owned()], true));
    }

    #[test]
    fn c13_histories_are_numbered_and_others_named_by_their_places() {
        let of = items("u1 a1 u1 a1");
        let named = |kind| Item::standing_for(&of[1..], kind, Role::System, 0, 0).name();
        assert_eq!(named(Kind::History(1, String::new())), "history-001");
        assert_eq!(named(Kind::History(1000, String::new())), "history-1000");
        assert_eq!(named(Kind::Summary(String::new())), "summary-1-3");
        assert_eq!(named(Kind::Merge), "merge-1-3");
        assert_eq!(of[2].name(), "m2");
    }

    #[test]
    fn a_view_is_restored_from_messages_and_stand_ins_and_a_torn_stand_in_is_refused() {
        let messages = items("u1 a1 u1! a1 u1 a1");
        let [m0, m1, _, m3, ..] = &messages[..] else { panic!() };
        let stand = |of: &[Item], number| Item::told(of, Kind::History(number, String::new()), 1, 0);
        let first = stand(&[m0.clone(), m1.clone()], 1);
        let second = stand(&[first.clone(), m3.clone()], 2);
        let view = restore(messages.clone(), vec![first, second]).unwrap();
        assert_eq!(spans(&view), "0-1,3 2 4 5");

        // A message deleted since is skipped, and a stand-in for nothing is dropped.
        let alone = restore(messages[4..].to_vec(), vec![stand(&messages[..2], 1), stand(&messages[3..5], 2)]).unwrap();
        assert_eq!(spans(&alone), "3-4 5");

        let [a, b] = [stand(&messages[0..2], 1), stand(&messages[1..4], 2)];
        assert_eq!(restore(messages, vec![a, b]), Err(Rejected::Stale));
    }
}
