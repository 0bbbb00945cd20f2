//! A history in the order that providers accept: each call is followed by its result, and each result has its call.
//!
//! Providers refuse a history in which calls and results are not pairs. Windows and interruptions make such histories:
//! - A result is moved right after the turn of its call.
//! - A call without a result is answered as interrupted, unless nothing follows it: then the app is about to answer.
//! - A result without its call is quoted in a text of the user.
//! - Of calls with the same id, each later one gets a new id, and so does its result.
//! - Tool names are rewritten to the characters that the provider accepts.
//!
//! A block has no more authority than its author (S1): calls and reasoning are the model's, and results are a tool's or
//! the model's. In a message of another role they are quoted as text of that role.
//!
//! - Blank texts and reasoning, and marks without content, are left out.

use crate::model::{Block, BlockKind, FileSource, Json, Message, Role, sorted};
use std::borrow::Cow;

/// The text in place of a missing result.
pub(super) const INTERRUPTED: &str = "[The call was interrupted: there is no result.]";

/// The requirements of a provider.
pub(super) struct Rules {
    /// Whether tool results may contain files. If not, the user shows them right after.
    pub(super) files_in_results: bool,
    /// The most characters of a call id.
    pub(super) id_chars: usize,
    /// Whether call ids may have only letters, digits, `_` and `-`.
    pub(super) plain_ids: bool,
    /// The accepted tool names.
    pub(super) names: Names,
}

/// The tool names that a provider accepts. With any other name it refuses the whole history.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// All of them.
    Any,
    /// Letters, digits, `_` and `-`.
    Plain,
    /// These and dots, beginning with a letter or `_`.
    Dotted,
}

/// The most characters of such a name.
const NAME_CHARS: usize = 63;

impl Names {
    fn write(self, name: &str) -> Cow<'_, str> {
        if self == Self::Any {
            return name.into();
        }
        let dots = self == Self::Dotted;
        let taken = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || (c == '.' && dots);
        let begins = |c: char| !dots || c.is_ascii_alphabetic() || c == '_';
        if name.len() <= NAME_CHARS && name.starts_with(begins) && name.chars().all(taken) {
            return name.into();
        }
        let mut written = String::from(if name.starts_with(begins) { "" } else { "_" });
        written.extend(name.chars().map(|c| if taken(c) { c } else { '_' }).take(NAME_CHARS - written.len()));
        written.into()
    }
}

/// A turn of one side. A turn of a tool has only answers, and follows a turn of the model with their calls.
pub(super) struct Turn<'a> {
    pub(super) role: Role,
    /// The message that it comes from.
    pub(super) message: &'a Message,
    pub(super) pieces: Vec<Piece<'a>>,
}

/// A part of a turn.
pub(super) enum Piece<'a> {
    /// A text, reasoning, a file, or a block that the provider may know.
    Block(&'a Block),
    /// A generated text.
    Note(String),
    /// A tool call of the model.
    Call(Call<'a>),
    /// The answer of the tool.
    Answer { call: Call<'a>, output: Vec<Piece<'a>>, failed: bool, extra: &'a [(String, Json)] },
}

/// A call of a tool.
#[derive(Clone)]
pub(super) struct Call<'a> {
    pub(super) id: String,
    pub(super) name: Cow<'a, str>,
    pub(super) input: &'a Json,
    pub(super) extra: &'a [(String, Json)],
    /// Its index among all calls.
    number: usize,
}

/// A call while results are matched.
struct Open<'a> {
    call: Call<'a>,
    given: &'a str,
    message: usize,
    /// The result, and its index among all results.
    answer: Option<(usize, &'a Block)>,
}

/// The turns of a history.
pub(super) fn turns<'a>(messages: &'a [Message], rules: &Rules) -> Vec<Turn<'a>> {
    let (calls, paired) = pair(messages, rules);
    let mut calls_seen = calls.iter();
    let mut paired = paired.into_iter();
    let mut said: Vec<Turn<'a>> = Vec::new();
    for message in messages {
        let speaker = if message.role == Role::Tool { Role::User } else { message.role };
        let mut open = false;
        for block in &message.content {
            let (role, piece) = match &block.kind {
                BlockKind::Text(text) if text.trim().is_empty() => continue,
                BlockKind::Thought(text) if text.trim().is_empty() && block.extra.is_empty() => continue,
                BlockKind::Other(value) if value.get("type").as_str() == Some("step-start") => continue,
                BlockKind::ToolUse { .. } if message.role != Role::Assistant => (speaker, Piece::Note(note(block))),
                BlockKind::ToolUse { .. } => match calls_seen.next() {
                    Some(next) => (Role::Assistant, Piece::Call(next.call.clone())),
                    None => continue,
                },
                BlockKind::ToolResult { tool_use_id, output, .. } => {
                    if paired.next() == Some(true) {
                        // The model's content after a result is another turn.
                        open &= said.last().is_none_or(|turn| turn.calls().next().is_none());
                        continue;
                    }
                    let mut quote = String::from("[Result of a tool whose call is not here, ");
                    quote.push_str(tool_use_id);
                    quote.push_str("]\n");
                    push_text(&mut quote, output);
                    (Role::User, Piece::Note(quote))
                }
                _ => (speaker, Piece::Block(block)),
            };
            match said.last_mut() {
                Some(turn) if open && turn.role == role => turn.pieces.push(piece),
                _ => said.push(Turn { role, message, pieces: vec![piece] }),
            }
            open = true;
        }
    }
    answered(said, &calls, rules)
}

/// Puts the answers after the calls.
fn answered<'a>(said: Vec<Turn<'a>>, calls: &[Open<'a>], rules: &Rules) -> Vec<Turn<'a>> {
    let count = said.len();
    let mut turns = Vec::with_capacity(count);
    for (at, turn) in said.into_iter().enumerate() {
        let open: Vec<&Open<'a>> = turn.calls().filter_map(|call| calls.get(call.number)).collect();
        let message = turn.message;
        turns.push(turn);
        if open.is_empty() || (at + 1 == count && open.iter().all(|call| call.answer.is_none())) {
            continue;
        }
        let answered = |at: usize| open[at].answer.map_or(usize::MAX, |(order, _)| order);
        let in_order = sorted(open.len(), &|one, other| answered(one).cmp(&answered(other)));
        let (mut answers, mut shown) = (Vec::new(), Vec::new());
        for Open { call, answer, .. } in in_order.into_iter().map(|at| open[at]) {
            let mut pieces = Vec::new();
            let (mut failed, mut extra) = (true, &[][..]);
            if let Some((_, Block { kind: BlockKind::ToolResult { output, is_error, .. }, extra: own })) = answer {
                (failed, extra) = (*is_error, own);
                push_output(&mut pieces, &mut shown, output, rules);
            } else {
                pieces.push(Piece::Note(INTERRUPTED.to_owned()));
            }
            answers.push(Piece::Answer { call: call.clone(), output: pieces, failed, extra });
        }
        turns.push(Turn { role: Role::Tool, message, pieces: answers });
        if !shown.is_empty() {
            turns.push(Turn { role: Role::User, message, pieces: shown });
        }
    }
    turns
}

/// The output of a tool; files go to `shown` where results cannot contain them.
fn push_output<'a>(pieces: &mut Vec<Piece<'a>>, shown: &mut Vec<Piece<'a>>, output: &'a [Block], rules: &Rules) {
    for block in output {
        match &block.kind {
            BlockKind::Text(text) if text.is_empty() => {}
            BlockKind::File { .. } if !rules.files_in_results => {
                let mut text = note(block);
                text.insert_str(text.len() - 1, ", shown below");
                pieces.push(Piece::Note(text));
                shown.push(Piece::Block(block));
            }
            BlockKind::ToolUse { .. } => pieces.push(Piece::Note(note(block))),
            BlockKind::ToolResult { output, .. } => push_output(pieces, shown, output, rules),
            _ => pieces.push(Piece::Block(block)),
        }
    }
}

/// The calls with their results; and for each result whether it has a call.
fn pair<'a>(messages: &'a [Message], rules: &Rules) -> (Vec<Open<'a>>, Vec<bool>) {
    let mut calls: Vec<Open<'a>> = Vec::new();
    let mut paired = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        for block in &message.content {
            match &block.kind {
                BlockKind::ToolUse { id, name, input } if message.role == Role::Assistant => {
                    let written = fresh(id, &calls, rules);
                    let name = rules.names.write(name);
                    let call = Call { id: written, name, input, extra: &block.extra, number: calls.len() };
                    calls.push(Open { call, given: id, message: at, answer: None });
                }
                BlockKind::ToolResult { tool_use_id, .. } => {
                    let may_answer = matches!(message.role, Role::Tool | Role::Assistant);
                    let call = if may_answer { waiting(messages, &calls, tool_use_id) } else { None };
                    let call = call.and_then(|at| calls.get_mut(at));
                    let order = paired.len();
                    paired.push(call.map(|call| call.answer = Some((order, block))).is_some());
                }
                _ => {}
            }
        }
    }
    (calls, paired)
}

/// The call that a result answers. Ids may repeat, or be missing from lines written by hand: then it is the first open
/// one among the latest uninterrupted calls.
fn waiting(messages: &[Message], calls: &[Open<'_>], id: &str) -> Option<usize> {
    let mut found: Option<usize> = None;
    for (at, call) in calls.iter().enumerate().rev() {
        if call.given != id || call.answer.is_some() {
            continue;
        }
        if let Some(later) = found {
            let between = messages.get(call.message..calls[later].message).unwrap_or_default();
            if between.iter().any(|message| message.role != Role::Assistant) {
                break;
            }
        }
        found = Some(at);
    }
    found
}

/// The id in the form that the provider accepts, different from those of earlier calls.
fn fresh(id: &str, calls: &[Open<'_>], rules: &Rules) -> String {
    let plain = |c: char| if !rules.plain_ids || c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let base: String = id.chars().map(plain).take(rules.id_chars).collect();
    let base = if base.is_empty() { "call".to_owned() } else { base };
    let mut written = base.clone();
    let mut number = 1_usize;
    while calls.iter().any(|other| other.call.id == written) {
        number += 1;
        let suffix = number.to_string();
        written = base.chars().take(rules.id_chars.saturating_sub(suffix.len() + 1)).collect();
        written.push('-');
        written.push_str(&suffix);
    }
    written
}

impl<'a> Turn<'a> {
    /// Its calls.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call<'a>> {
        self.pieces.iter().filter_map(|piece| if let Piece::Call(call) = piece { Some(call) } else { None })
    }
}

/// The note for a block that a provider cannot represent: its kind and its name.
pub(super) fn note(block: &Block) -> String {
    let (kind, name) = match &block.kind {
        BlockKind::Text(_) => ("text", None),
        BlockKind::Thought(_) => ("thought", None),
        BlockKind::ToolUse { name, .. } => ("tool call", Some(name.as_str())),
        BlockKind::ToolResult { tool_use_id, .. } => ("tool result", Some(tool_use_id.as_str())),
        BlockKind::File { media_type, name, source } => {
            let kind = if media_type.is_empty() { "file" } else { media_type };
            let place = match source {
                FileSource::Base64(_) => None,
                FileSource::Url(place) | FileSource::Id(place) => Some(place),
            };
            (kind, name.as_ref().or(place).map(String::as_str))
        }
        BlockKind::Other(value) => {
            let name = ["name", "title", "filename"].into_iter().find_map(|field| value.get(field).as_str());
            (value.get("type").as_str().unwrap_or("block"), name)
        }
    };
    let mut text = String::from("[");
    text.push_str(kind);
    if let Some(name) = name {
        text.push_str(": ");
        text.push_str(name);
    }
    text.push(']');
    text
}

/// The texts of blocks, and notes for the others, one per line.
fn push_text(text: &mut String, blocks: &[Block]) {
    for block in blocks {
        match &block.kind {
            BlockKind::Text(part) | BlockKind::Thought(part) => text.push_str(part),
            BlockKind::ToolResult { output, .. } => push_text(text, output),
            _ => text.push_str(&note(block)),
        }
        text.push('\n');
    }
    if text.ends_with('\n') {
        text.pop();
    }
}
