//! Shortens messages that do not fit into a prompt: their beginning, their end, and the id to read them whole.

use super::render::spoken;
use crate::model::{Block, BlockKind, Json, Message};
use crate::text::cut;

/// The fewest characters shown of a text. With fewer, the mark would be most of the output.
const LEAST: usize = 40;

/// The most characters per token in nearly any text: the start of the search for a length.
const LONGEST_TOKEN: usize = 8;

/// `message` with at most `most` characters of each of its texts, calls and results. Its calls and answers keep their
/// ids.
pub fn shortened(message: &Message, most: usize) -> Message {
    let mut shortener = Shortener { id: message.id.as_str(), most: most.max(LEAST), named: false };
    Message {
        id: message.id.clone(),
        role: message.role,
        name: message.name.clone(),
        content: shortener.blocks(&message.content),
        at: message.at,
        pinned: message.pinned,
        metadata: message.metadata.clone(),
    }
}

/// The longest form of `message` within `room` tokens, and its tokens. `None` if even the shortest is too long.
pub(super) fn fitted(message: &Message, room: u32, count: &dyn Fn(&str) -> u32) -> Option<(Message, u32)> {
    let (mut low, mut high) = (LEAST, (room as usize).saturating_mul(LONGEST_TOKEN).max(LEAST));
    let mut found = None;
    while low <= high {
        let middle = low.midpoint(high);
        let short = shortened(message, middle);
        let tokens = count(&spoken(&short));
        if tokens <= room {
            found = Some((short, tokens));
            low = middle + 1 + middle / 32;
        } else {
            high = middle - 1;
        }
    }
    found
}

struct Shortener<'a> {
    id: &'a str,
    most: usize,
    /// Whether the message's id is already in the text: once is enough.
    named: bool,
}

impl Shortener<'_> {
    fn blocks(&mut self, blocks: &[Block]) -> Vec<Block> {
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&mut self, block: &Block) -> Block {
        let short = match &block.kind {
            BlockKind::Text(text) => self.text(text).map(BlockKind::Text),
            BlockKind::Thought(text) => self.text(text).map(BlockKind::Thought),
            BlockKind::ToolUse { id, name, input } => self.text(&input.to_string()).map(|text| {
                // Providers require an object here.
                let input = Json::object(vec![("shortened", text.into())]);
                BlockKind::ToolUse { id: id.clone(), name: name.clone(), input }
            }),
            BlockKind::ToolResult { tool_use_id, output, is_error } => {
                let (tool_use_id, output) = (tool_use_id.clone(), self.blocks(output));
                let kind = BlockKind::ToolResult { tool_use_id, output, is_error: *is_error };
                return Block { kind, extra: block.extra.clone() };
            }
            BlockKind::File { .. } => None,
            BlockKind::Other(json) => self.text(&json.to_string()).map(BlockKind::Text),
        };
        // The other fields of a block, such as a signature, are valid for the whole text only.
        short.map_or_else(|| block.clone(), |kind| Block { kind, extra: Vec::new() })
    }

    /// The beginning and the end of a text that is too long, with a mark between them.
    fn text(&mut self, text: &str) -> Option<String> {
        let chars = if text.len() <= self.most { text.len() } else { text.chars().count() };
        if chars <= self.most {
            return None;
        }
        let end = self.most / 3;
        let head = cut(text, self.most - end).trim_end();
        let tail = text.char_indices().rev().nth(end.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
        let tail = text.get(tail..).unwrap_or("").trim_start();
        let mark = if std::mem::replace(&mut self.named, true) {
            format!("[shortened: {chars} characters]")
        } else {
            format!("[shortened: {chars} characters; read message {} for the whole]", self.id)
        };
        Some(format!("{head}\n{mark}\n{tail}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::message;
    use super::*;
    use crate::text::count_tokens;

    fn result(output: &str) -> Message {
        let mut message = message(7, "tool result:a");
        let output = vec![Block::text(output)];
        message.content = vec![BlockKind::ToolResult { tool_use_id: "a".into(), output, is_error: false }.into()];
        message
    }

    #[test]
    fn a_large_result_has_its_beginning_its_end_and_its_handle() {
        let page = format!("FIRST {} LAST", "một trang dài ".repeat(5_000));
        let whole = result(&page);
        for room in [60, 200, 1_000] {
            let (short, tokens) = fitted(&whole, room, &count_tokens).expect("some of it");
            let said = spoken(&short);
            assert_eq!(tokens, count_tokens(&said));
            assert!(tokens <= room && tokens * 10 >= room * 8, "{tokens} of {room}");
            assert!(said.starts_with("FIRST") && said.ends_with("LAST"), "{said}");
            assert!(said.contains(&format!("{} characters; read message m007", page.chars().count())), "{said}");
            assert_eq!(short.answers().collect::<Vec<_>>(), ["a"]);
        }
        assert_eq!(fitted(&whole, 10, &count_tokens), None);
    }

    #[test]
    fn what_is_short_stays_as_it_is_and_calls_stay_calls() {
        let mut both = message(1, "assistant short words");
        both.content.extend(result(&"日本".repeat(400)).content);
        let input = Json::object(vec![("sql", "select ".repeat(500).into())]);
        both.content.push(BlockKind::ToolUse { id: "b".into(), name: "query".into(), input }.into());
        let short = shortened(&both, 90);
        assert_eq!(short.content[0], both.content[0]);
        assert_eq!((short.calls().collect::<Vec<_>>(), short.answers().collect::<Vec<_>>()), (vec!["b"], vec!["a"]));
        let said = spoken(&short);
        assert_eq!((said.matches("shortened:").count(), said.matches("m001").count()), (2, 1), "{said}");
        assert_eq!(shortened(&short, 10_000), short);
    }
}
