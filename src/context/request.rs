//! Input of the app's summarising model, within a limit: large parts are cut to their beginning and end, and of too
//! many parts only the first and the last are kept. A mark says how much is left out.

use super::compress::Strategy;
use super::item::chars;
use super::prompt::spoken;
use crate::model::{Block, BlockKind, FileSource, Json, Message, MessageId, Role, sorted};
use crate::text::cut;

/// The most tokens of one request, approximately, whatever the model accepts.
const MOST_TOKENS: u32 = 16_000;

/// The fewest characters of a cut part: below that, parts between the first and the last are left out.
const LEAST: usize = 200;

/// The most tokens of one request: half of the model's context, to leave room for the app's own prompt.
pub fn most_tokens(way: &Strategy) -> u32 {
    let context_tokens = match way {
        Strategy::TreeReduce(settings) => settings.context_tokens,
        Strategy::Progressive(settings) => settings.context_tokens,
    };
    (context_tokens / 2).clamp(1, MOST_TOKENS)
}

/// Cuts texts to about so many tokens in total.
pub fn texts_within(texts: Vec<String>, most: u32, count: &dyn Fn(&str) -> u32) -> Vec<String> {
    let room = room(texts.iter().map(|text| (length(text), count(text))), most);
    within(
        texts,
        room,
        &Parts { length: &|text| length(text), cut: &|text, most| ends(&text, most), note: &|note| note },
    )
}

/// Cuts messages to about so many tokens in total. Bytes of files count as text.
pub fn messages_within(messages: Vec<Message>, most: u32, count: &dyn Fn(&str) -> u32) -> Vec<Message> {
    let spoken = messages.iter().map(spoken);
    let room = room(spoken.map(|text| (length(&text), count(&text))), most);
    let cut = |message: Message, most: usize| Message { content: blocks_within(message.content, most), ..message };
    let Some(like) = messages.first().cloned() else { return messages };
    let note = |note: String| Message {
        id: MessageId::new("id", "left-out").unwrap_or_else(|_| like.id.clone()),
        role: Role::User,
        name: None,
        content: vec![Block::text(note)],
        ..like.clone()
    };
    within(
        messages,
        room,
        &Parts { length: &|message| message.content.iter().map(block_length).sum(), cut: &cut, note: &note },
    )
}

fn blocks_within(blocks: Vec<Block>, room: usize) -> Vec<Block> {
    within(blocks, room, &Parts { length: &block_length, cut: &cut_block, note: &|note| Block::text(note) })
}

/// Operations on the bounded parts: their length, how to cut one, and the note in place of omitted ones.
struct Parts<'a, T> {
    length: &'a dyn Fn(&T) -> usize,
    cut: &'a dyn Fn(T, usize) -> T,
    note: &'a dyn Fn(String) -> T,
}

/// The number of characters that fit into so many tokens, by the ratio in these texts.
fn room(texts: impl Iterator<Item = (usize, u32)>, most: u32) -> usize {
    let (chars, tokens) =
        texts.fold((0_u64, 0_u64), |sum, (chars, tokens)| (sum.0 + chars as u64, sum.1 + u64::from(tokens)));
    let most = u64::from(most);
    let fits = most.saturating_mul(chars).checked_div(tokens).unwrap_or(most);
    usize::try_from(fits).unwrap_or(usize::MAX)
}

fn within<T>(parts: Vec<T>, room: usize, of: &Parts<'_, T>) -> Vec<T> {
    let lengths: Vec<usize> = parts.iter().map(|part| (of.length)(part)).collect();
    if lengths.iter().sum::<usize>() <= room {
        return parts;
    }
    let share = share(&lengths, room).max(LEAST);
    let cut = |length: usize| length.min(share);
    let mut first = parts.len();
    let mut last = 0;
    if lengths.iter().copied().map(cut).sum::<usize>() > room {
        first = fitting(lengths.iter().copied().map(cut), room / 3 * 2);
        last = fitting(lengths.iter().skip(first).rev().copied().map(cut), room / 3);
    }
    let end = parts.len() - last;
    let mut bounded = Vec::with_capacity(first + last + 1);
    for (at, part) in parts.into_iter().enumerate() {
        if at < first || at >= end {
            bounded.push(if lengths[at] > share { (of.cut)(part, share) } else { part });
        } else if at == first {
            bounded.push((of.note)(format!("[… {} left out …]", end - first)));
        }
    }
    bounded
}

/// The number of these that fit into the room, from the first on.
fn fitting(lengths: impl Iterator<Item = usize>, room: usize) -> usize {
    let mut used = 0_usize;
    lengths
        .take_while(|length| {
            used = used.saturating_add(*length);
            used <= room
        })
        .count()
}

/// The length above which parts are cut, so that all of them fit: short ones leave their room to the others.
fn share(lengths: &[usize], room: usize) -> usize {
    let mut room = room;
    let shortest_first = sorted(lengths.len(), &|one, other| lengths[one].cmp(&lengths[other]));
    for (done, at) in shortest_first.into_iter().enumerate() {
        let share = room / (lengths.len() - done);
        if lengths[at] > share {
            return share;
        }
        room -= lengths[at];
    }
    usize::MAX
}

fn block_length(block: &Block) -> usize {
    let extra = block.extra.iter().map(|(name, value)| name.len() + length(&value.to_string()));
    chars(std::slice::from_ref(block)) + extra.sum::<usize>()
}

/// A block cut to its beginning and its end. Other content becomes text, but a result still answers its call.
fn cut_block(block: Block, most: usize) -> Block {
    let kind = match block.kind {
        BlockKind::Text(text) => BlockKind::Text(ends(&text, most)),
        BlockKind::Thought(text) => BlockKind::Thought(ends(&text, most)),
        BlockKind::ToolUse { id, name, input } => {
            BlockKind::ToolUse { id, name, input: Json::String(ends(&input.to_string(), most)) }
        }
        BlockKind::ToolResult { tool_use_id, output, is_error } => {
            BlockKind::ToolResult { tool_use_id, output: blocks_within(output, most), is_error }
        }
        BlockKind::File { media_type, name, source } => {
            let (FileSource::Url(bytes) | FileSource::Base64(bytes) | FileSource::Id(bytes)) = source;
            let name = name.unwrap_or_default();
            BlockKind::Text(ends(&format!("[{media_type} {name}: {} characters left out]", length(&bytes)), most))
        }
        BlockKind::Other(value) => BlockKind::Text(ends(&value.to_string(), most)),
    };
    kind.into()
}

/// The first two thirds and the last third of so many characters of a text.
fn ends(text: &str, most: usize) -> String {
    let count = length(text);
    if count <= most {
        return text.to_owned();
    }
    let (first, last) = (most - most / 3, most / 3);
    let end: String = text.chars().skip(count - last).collect();
    format!("{}\n[… {} characters left out …]\n{end}", cut(text, first), count - first - last)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Metadata, Timestamp};
    use crate::text::count_tokens;

    fn message(content: Vec<Block>) -> Message {
        Message {
            id: MessageId::new("id", "m").unwrap(),
            role: Role::Tool,
            name: None,
            content,
            at: Timestamp::from_millis("at", 0).unwrap(),
            pinned: false,
            metadata: Metadata::default(),
        }
    }

    fn result(output: Vec<Block>) -> Block {
        BlockKind::ToolResult { tool_use_id: "c".into(), output, is_error: false }.into()
    }

    #[test]
    fn what_fits_is_given_as_it_is() {
        let messages = vec![message(vec![Block::text("short")]), message(vec![result(vec![Block::text("ok")])])];
        assert_eq!(messages_within(messages.clone(), 16_000, &count_tokens), messages);
        let texts = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(texts_within(texts.clone(), 16_000, &count_tokens), texts);
        assert_eq!(texts_within(Vec::new(), 0, &count_tokens), [""; 0]);
    }

    #[test]
    fn a_large_part_is_shown_by_its_ends_and_short_ones_whole() {
        for page in [
            "a long page of words ".repeat(15_000),
            "とても長いページの言葉".repeat(9000),
            "trang rất dài ".repeat(20_000),
        ] {
            let large = format!("BEGIN {page} END");
            let texts = vec!["first".to_owned(), large.clone(), "last".to_owned()];
            let bounded = texts_within(texts, 1000, &count_tokens);
            assert_eq!((bounded[0].as_str(), bounded[2].as_str()), ("first", "last"));
            assert!(bounded[1].starts_with("BEGIN") && bounded[1].ends_with("END") && bounded[1].contains("left out"));
            let tokens: u32 = bounded.iter().map(|text| count_tokens(text)).sum();
            assert!((800..1200).contains(&tokens), "{tokens}");

            let bounded = messages_within(vec![message(vec![result(vec![Block::text(large)])])], 1000, &count_tokens);
            let tokens = count_tokens(&spoken(&bounded[0]));
            assert!((800..1200).contains(&tokens), "{tokens}");
            assert!(bounded[0].answers().eq(["c"]), "still the answer to its call");
        }
    }

    #[test]
    fn a_great_number_of_parts_is_shown_by_the_first_and_the_last() {
        let many: Vec<String> = (0..10_000).map(|at| format!("line {at} of a long list of lines")).collect();
        let bounded = texts_within(many.clone(), 1000, &count_tokens);
        assert_eq!((bounded.first(), bounded.last()), (many.first(), many.last()));
        assert!(bounded.iter().any(|text| text.contains("left out")));
        assert!(bounded.iter().map(|text| count_tokens(text)).sum::<u32>() <= 1100);
        let blocks = many.iter().map(Block::text).collect();
        let bounded = messages_within(vec![message(vec![result(blocks)])], 1000, &count_tokens);
        assert!(count_tokens(&spoken(&bounded[0])) <= 1100);
    }

    #[test]
    fn bytes_arguments_and_foreign_blocks_are_bounded_too() {
        let blocks: Vec<Block> = vec![
            BlockKind::File {
                media_type: "image/png".into(),
                name: Some("a.png".into()),
                source: FileSource::Base64("A".repeat(500_000)),
            }
            .into(),
            BlockKind::ToolUse { id: "x".into(), name: "write".into(), input: Json::String("z".repeat(100_000)) }
                .into(),
            BlockKind::Other(Json::object(vec![("type", "odd".into()), ("data", "y".repeat(100_000).into())])).into(),
            Block {
                kind: BlockKind::Thought("hm".into()),
                extra: vec![("signature".into(), "s".repeat(100_000).into())],
            },
        ];
        let bounded = messages_within(vec![message(blocks)], 1000, &count_tokens);
        assert!(block_length(&result(bounded[0].content.clone())) < 10_000);
        assert!(bounded[0].calls().eq(["x"]));
    }
}
