//! OpenAI's responses: a flat array of items, such as messages, calls, results and reasoning.
//!
//! Reasoning is sent back only unchanged, by its id or encrypted; other reasoning is written as text.

use super::parts::{
    Dialect, File, arguments, arguments_text, block, content, each, extra_of, file, file_at, heard, items, keep, other,
    push, required, short,
};
use super::turns::{Names, Piece, Rules, turns};
use crate::model::{Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, Role};

static DIALECT: Dialect = Dialect {
    rules: Rules { files_in_results: true, id_chars: 64, plain_ids: false, names: Names::Plain },
    text: |role, text| {
        let kind = if role == Role::Assistant { "output_text" } else { "input_text" };
        Json::object(vec![("type", kind.into()), ("text", text.into())])
    },
    thought: write_thought,
    file: write_file,
    other: |role, kind, value| (role == Role::Assistant && ITEMS.contains(&kind)).then(|| value.clone()),
    extras: &["detail"],
};

/// Items of tools that the provider runs itself, and of its own state: sent back unchanged.
const ITEMS: [&str; 11] = [
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "computer_call",
    "computer_call_output",
    "mcp_call",
    "mcp_list_tools",
    "item_reference",
    "compaction",
    "reasoning",
];

/// The history as `input` of a request.
pub fn write(messages: &[Message]) -> Json {
    let mut out = Vec::new();
    for turn in turns(messages, &DIALECT.rules) {
        let mut parts = Vec::new();
        for piece in &turn.pieces {
            let item = match piece {
                Piece::Call(call) => Json::object(vec![
                    ("type", "function_call".into()),
                    ("call_id", call.id.as_str().into()),
                    ("name", call.name.as_ref().into()),
                    ("arguments", arguments_text(call.input).into()),
                ]),
                Piece::Answer { call, output, .. } => {
                    let parts = DIALECT.output(output);
                    let output = if parts.is_empty() { "".into() } else { short(parts) };
                    Json::object(vec![
                        ("type", "function_call_output".into()),
                        ("call_id", call.id.as_str().into()),
                        ("output", output),
                    ])
                }
                piece => {
                    let part = DIALECT.part(turn.role, piece);
                    if !part.get("type").as_str().is_some_and(|kind| ITEMS.contains(&kind)) {
                        parts.push(part);
                        continue;
                    }
                    part
                }
            };
            flush(&mut out, turn.role, &mut parts);
            out.push(item);
        }
        flush(&mut out, turn.role, &mut parts);
    }
    Json::Array(out)
}

fn flush(out: &mut Vec<Json>, role: Role, parts: &mut Vec<Json>) {
    if !parts.is_empty() {
        let content = Json::Array(std::mem::take(parts));
        out.push(Json::object(vec![("type", "message".into()), ("role", role.as_str().into()), ("content", content)]));
    }
}

fn write_thought(block: &Block, text: &str) -> Option<Json> {
    let own = extra_of(&block.extra, "id").as_str().is_some_and(|id| id.starts_with("rs_"));
    if !own && extra_of(&block.extra, "encrypted_content").is_null() {
        return None;
    }
    let summary = Json::object(vec![("type", "summary_text".into()), ("text", text.into())]);
    let summary = if text.is_empty() { Vec::new() } else { vec![summary] };
    let item = Json::object(vec![("type", "reasoning".into()), ("summary", Json::Array(summary))]);
    Some(keep(item, &block.extra, if own { &["id", "encrypted_content"] } else { &["encrypted_content"] }))
}

fn write_file(role: Role, file: &File<'_>) -> Option<Json> {
    if role == Role::Assistant || role == Role::System {
        return None;
    }
    let (kind, at) = if file.is_image() { ("input_image", "image_url") } else { ("input_file", "file_url") };
    let mut fields = vec![("type", kind.into())];
    match file.source {
        FileSource::Id(id) => fields.push(("file_id", id.as_str().into())),
        FileSource::Base64(_) if kind == "input_file" => {
            fields.push(("filename", file.name.unwrap_or("file").into()));
            fields.push(("file_data", file.url().into()));
        }
        _ => fields.push((at, file.url().into())),
    }
    Some(Json::object(fields))
}

/// Reads `input`, or the `output` of a response, or one item. Consecutive items of the model are one message, up to a
/// second text.
pub fn read(value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts: Vec<MessageDraft> = Vec::new();
    let name = if value.get("output").as_array().is_some() { "output" } else { "input" };
    if let Some(text) = value.get("instructions").as_str() {
        drafts.push(MessageDraft::new(Role::System, vec![Block::text(text)]));
    }
    if let Json::String(text) = if value.as_str().is_some() { value } else { value.get("input") } {
        drafts.push(MessageDraft::new(Role::User, vec![Block::text(text.as_str())]));
        return Ok(drafts);
    }
    let mut spoke = false;
    each(name, items(value, name)?, &mut |item| {
        let kind = item.get("type").as_str().unwrap_or("message");
        let message = kind == "message";
        let (role, blocks) = match kind {
            "message" => {
                let role = match required(item, "role")? {
                    "developer" => Role::System,
                    role => Role::new("role", role)?,
                };
                (role, content(item, "content", &mut |part| Ok(vec![read_part(part)?]))?)
            }
            "function_call" | "custom_tool_call" => {
                let input = match item.get("arguments").as_str() {
                    Some(text) => arguments(text),
                    None => item.get("input").clone(),
                };
                let (id, name) = (required(item, "call_id")?.to_owned(), required(item, "name")?.to_owned());
                let known = ["id", "call_id", "name", "arguments", "input"];
                (Role::Assistant, vec![block(BlockKind::ToolUse { id, name, input }, item, &known)])
            }
            "function_call_output" | "custom_tool_call_output" => {
                let output = content(item, "output", &mut |part| Ok(vec![read_part(part)?]))?;
                let tool_use_id = required(item, "call_id")?.to_owned();
                let result = BlockKind::ToolResult { tool_use_id, output, is_error: false };
                (Role::Tool, vec![block(result, item, &["id", "call_id", "output"])])
            }
            "reasoning" => (Role::Assistant, vec![read_reasoning(item)]),
            _ => (Role::Assistant, vec![other(item)?]),
        };
        match drafts.last_mut() {
            Some(draft) if draft.role == role && role != Role::System && role != Role::User && !(message && spoke) => {
                draft.content.extend(heard(role, blocks));
                spoke |= message;
            }
            _ => {
                push(&mut drafts, role, blocks);
                spoke = message;
            }
        }
        Ok(())
    })?;
    Ok(drafts)
}

fn read_reasoning(item: &Json) -> Block {
    let mut thought = String::new();
    for part in item.get("summary").as_array().unwrap_or_default() {
        if !thought.is_empty() {
            thought.push('\n');
        }
        thought.push_str(part.get("text").as_str().unwrap_or_default());
    }
    block(BlockKind::Thought(thought), item, &["summary", "text", "status"])
}

fn read_part(part: &Json) -> Result<Block, Invalid> {
    let made = match part.get("type").as_str().unwrap_or_default() {
        "input_text" | "output_text" | "text" => BlockKind::Text(required(part, "text")?.to_owned()),
        kind @ ("input_image" | "input_file") => {
            let media = if kind == "input_image" { "image/*" } else { "" };
            let found = ["image_url", "file_data", "file_url"].into_iter().find_map(|at| part.get(at).as_str());
            match (found, part.get("file_id").as_str()) {
                (Some(url), _) => file_at(media, part.get("filename"), url),
                (None, Some(id)) => file(media, part.get("filename"), FileSource::Id(id.to_owned())),
                _ => return other(part),
            }
        }
        _ => return other(part),
    };
    Ok(block(
        made,
        part,
        &["text", "image_url", "file_data", "file_url", "file_id", "filename", "annotations", "logprobs"],
    ))
}
