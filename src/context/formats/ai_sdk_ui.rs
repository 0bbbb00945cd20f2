//! The AI SDK's UI messages: one message of the assistant has its calls, their results, and several steps.

use super::ai_sdk::{read_input, read_output, write_output};
use super::parts::{
    Dialect, File, block, each, extra_of, file_at, items, joined, keep, other, push, required, value as value_of,
};
use super::turns::{Call, Names, Piece, Rules, Turn, turns};
use crate::context::block_of;
use crate::model::{Block, BlockKind, Invalid, Json, Message, MessageDraft, MessageId, Metadata, Role};

static DIALECT: Dialect = Dialect {
    rules: Rules { files_in_results: true, id_chars: usize::MAX, plain_ids: false, names: Names::Any },
    text: |_, text| Json::object(vec![("type", "text".into()), ("text", text.into())]),
    thought: |block, text| {
        let part = Json::object(vec![("type", "reasoning".into()), ("text", text.into())]);
        Some(keep(part, &block.extra, &["providerMetadata", "state"]))
    },
    file: write_file,
    other: |role, kind, value| {
        let of_model = role == Role::Assistant && (kind == "custom" || kind == "reasoning-file");
        let known = of_model || kind.starts_with("data-") || kind.starts_with("source-");
        known.then(|| value.clone())
    },
    extras: &["providerMetadata", "state"],
};

/// Fields of a tool part that we do not interpret.
const TOOL: [&str; 8] = [
    "title",
    "providerExecuted",
    "callProviderMetadata",
    "resultProviderMetadata",
    "toolMetadata",
    "preliminary",
    "approval",
    "rawInput",
];

/// The history as `UIMessage[]`.
pub fn write(messages: &[Message]) -> Json {
    let mut out: Vec<Shown<'_>> = Vec::new();
    let turns = turns(messages, &DIALECT.rules);
    for (at, turn) in turns.iter().enumerate() {
        if turn.role == Role::Tool {
            continue;
        }
        let results = turns.get(at + 1).filter(|next| next.role == Role::Tool);
        let parts = turn.pieces.iter().map(|piece| match piece {
            Piece::Call(call) => tool(call, results),
            piece => DIALECT.part(turn.role, piece),
        });
        match out.last_mut() {
            // Consecutive turns of the assistant are steps; so are the parts of one message.
            Some(shown)
                if shown.role == turn.role && (turn.role == Role::Assistant || shown.message.id == turn.message.id) =>
            {
                if turn.role == Role::Assistant {
                    shown.parts.push(Json::object(vec![("type", "step-start".into())]));
                }
                shown.parts.extend(parts);
            }
            _ => out.push(Shown { role: turn.role, message: turn.message, again: false, parts: parts.collect() }),
        }
    }
    // A message that was split by another speaker is shown as several, each with its own id.
    for at in 1..out.len() {
        out[at].again = out[at].message.id == out[at - 1].message.id;
    }
    Json::Array(out.into_iter().enumerate().map(|(at, shown)| shown.into_json(at)).collect())
}

struct Shown<'a> {
    role: Role,
    message: &'a Message,
    again: bool,
    parts: Vec<Json>,
}

impl Shown<'_> {
    fn into_json(self, at: usize) -> Json {
        let mut id = self.message.id.as_str().to_owned();
        if self.again {
            id.push('~');
            id.push_str(&at.to_string());
        }
        let metadata = &self.message.metadata;
        Json::object(vec![
            ("id", id.into()),
            ("role", self.role.as_str().into()),
            ("metadata", if metadata.is_empty() || self.again { Json::Null } else { metadata.to_json() }),
            ("parts", Json::Array(self.parts)),
        ])
    }
}

/// A call and its result, if it has one.
fn tool(call: &Call<'_>, results: Option<&Turn<'_>>) -> Json {
    let dynamic = *extra_of(call.extra, "dynamic") == Json::Bool(true);
    let mut kind = String::from(if dynamic { "dynamic-" } else { "tool-" });
    kind.push_str(if dynamic { "tool" } else { &call.name });
    let found = results.and_then(|turn| {
        turn.pieces.iter().find_map(|piece| match piece {
            Piece::Answer { call: answered, output, failed, .. } if answered.id == call.id => Some((output, *failed)),
            _ => None,
        })
    });
    let approved = extra_of(call.extra, "approval").get("approved");
    let asked = !extra_of(call.extra, "approval").is_null();
    let (state, result) = match found {
        Some(_) if *approved == Json::Bool(false) => ("output-denied", None),
        Some((output, true)) => ("output-error", Some(("errorText", joined(output).into()))),
        Some((output, false)) => ("output-available", Some(("output", shown_output(output)))),
        None if asked && approved.is_null() => ("approval-requested", None),
        None if asked => ("approval-responded", None),
        None => ("input-available", None),
    };
    let input = if call.input.is_null() { Json::Object(Vec::new()) } else { call.input.clone() };
    let fields = vec![
        ("type", kind.into()),
        ("toolName", dynamic.then_some(call.name.as_ref()).into()),
        ("toolCallId", call.id.as_str().into()),
        ("state", state.into()),
        ("input", input),
    ];
    let mut part = Json::object(fields);
    if let (Json::Object(fields), Some((name, value))) = (&mut part, result) {
        fields.push((name.to_owned(), value));
    }
    keep(part, call.extra, &TOOL)
}

/// The output of a tool for the app: a string or a value; several parts as the SDK writes them for models.
fn shown_output(output: &[Piece<'_>]) -> Json {
    if let Some(value) = value_of(output) {
        return value;
    }
    let written = write_output(output, false);
    if written.get("type").as_str() == Some("text") { written.get("value").clone() } else { written }
}

fn write_file(role: Role, file: &File<'_>) -> Option<Json> {
    if role == Role::System {
        return None;
    }
    let url = file.url()?;
    let media = if file.media.is_empty() { "application/octet-stream" } else { file.media };
    Some(Json::object(vec![
        ("type", "file".into()),
        ("mediaType", media.into()),
        ("filename", file.name.into()),
        ("url", url.into()),
    ]))
}

/// Reads `UIMessage[]`, or one message. A message of several steps becomes several, with ids derived from its own.
pub fn read(value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts: Vec<MessageDraft> = Vec::new();
    each("messages", items(value, "messages")?, &mut |message| {
        let role = Role::new("role", required(message, "role")?)?;
        let start = drafts.len();
        let (mut said, mut results) = (Vec::new(), Vec::new());
        let parts = message.get("parts").as_array().ok_or_else(|| Invalid::value("parts", "must be an array"))?;
        each("parts", parts, &mut |part| {
            if part.get("type").as_str() == Some("step-start") {
                step(&mut drafts, role, &mut said, &mut results);
                return Ok(());
            }
            let (block, result) = read_part(part)?;
            said.push(block);
            results.extend(result);
            Ok(())
        })?;
        step(&mut drafts, role, &mut said, &mut results);
        if drafts.len() == start {
            push(&mut drafts, role, Vec::new());
        }
        if let Json::Object(_) = message.get("metadata") {
            drafts[start].metadata = Metadata::new("metadata", message.get("metadata").clone())?;
        }
        if let Json::String(id) = message.get("id") {
            for (at, draft) in drafts[start..].iter_mut().enumerate() {
                let mut id = id.clone();
                if at > 0 {
                    id.push('#');
                    id.push_str(&(at + 1).to_string());
                }
                // The id of a later step may be too long; then the caller gives one.
                let made = MessageId::new("id", id);
                draft.id = if at == 0 { Some(made?) } else { made.ok() };
            }
        }
        Ok(())
    })?;
    Ok(drafts)
}

/// The assistant's content of a step, and the tool results.
fn step(drafts: &mut Vec<MessageDraft>, role: Role, said: &mut Vec<Block>, results: &mut Vec<Block>) {
    if !said.is_empty() {
        push(drafts, role, std::mem::take(said));
    }
    if !results.is_empty() {
        push(drafts, Role::Tool, std::mem::take(results));
    }
}

fn read_part(part: &Json) -> Result<(Block, Option<Block>), Invalid> {
    let made = match part.get("type").as_str().unwrap_or_default() {
        "text" => BlockKind::Text(required(part, "text")?.to_owned()),
        "reasoning" => BlockKind::Thought(required(part, "text")?.to_owned()),
        "file" => {
            let media = part.get("mediaType").as_str().unwrap_or_default();
            file_at(media, part.get("filename"), required(part, "url")?)
        }
        "dynamic-tool" => return read_tool(part, required(part, "toolName")?, true),
        kind => match kind.strip_prefix("tool-") {
            Some(name) => return read_tool(part, name, false),
            None => return Ok((other(part)?, None)),
        },
    };
    Ok((block(made, part, &["text", "mediaType", "filename", "url"]), None))
}

fn read_tool(part: &Json, name: &str, dynamic: bool) -> Result<(Block, Option<Block>), Invalid> {
    let id = required(part, "toolCallId")?.to_owned();
    let (output, is_error) = match part.get("state").as_str() {
        Some("output-available") => (Some(part.get("output")), false),
        Some("output-error") => (Some(part.get("errorText")), true),
        Some("output-denied") => (Some(part.get("approval").get("reason")), true),
        _ => (None, false),
    };
    let result = output.map(|output| {
        let output = match output {
            Json::Null => Vec::new(),
            Json::String(text) if text.is_empty() => Vec::new(),
            Json::Object(_) if output.get("type").as_str() == Some("content") => {
                read_output(output).map_or_else(|_| vec![block_of(output.clone())], |(blocks, _)| blocks)
            }
            value => vec![block_of(value.clone())],
        };
        BlockKind::ToolResult { tool_use_id: id.clone(), output, is_error }.into()
    });
    let input = read_input(part.get("input"), part.get("rawInput"));
    let known = ["toolCallId", "toolName", "state", "input", "output", "errorText", "id", "name"];
    let mut call = block(BlockKind::ToolUse { id, name: name.to_owned(), input }, part, &known);
    if dynamic {
        call.extra.push(("dynamic".to_owned(), true.into()));
    }
    Ok((call, result))
}
