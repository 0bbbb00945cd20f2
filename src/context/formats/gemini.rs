//! Gemini's contents: a separate system instruction, alternating user and model turns, calls and responses as parts.
//!
//! Responses are objects: `output` for the result of a tool, `error` for its error.

use super::parts::{
    Dialect, File, block, each, file, items, joined, keep, object, other, push, required, value as value_of,
};
use super::sides;
use super::turns::{Names, Piece, Rules};
use crate::context::block_of;
use crate::model::{Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, Role};

static DIALECT: Dialect = Dialect {
    rules: Rules { files_in_results: false, id_chars: 64, plain_ids: false, names: Names::Dotted },
    text: |_, text| Json::object(vec![("text", text.into())]),
    thought: |block, text| {
        let part = Json::object(vec![("text", text.into()), ("thought", true.into())]);
        Some(keep(part, &block.extra, &["thoughtSignature"]))
    },
    file: write_file,
    // Parts have no type: the name of their main field is their kind.
    other: |role, kind, value| {
        let known = role == Role::Assistant && KNOWN.contains(&kind) && !value.get(kind).is_null();
        known.then(|| untyped(value))
    },
    extras: &["thoughtSignature", "videoMetadata", "mediaResolution"],
};

/// Parts that Gemini knows and we do not interpret.
const KNOWN: [&str; 4] = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse"];

/// The history as `systemInstruction` and `contents` of a request.
pub fn write(messages: &[Message]) -> Json {
    let (system, turns) = sides::write(messages, &DIALECT, ("model", "parts"), part);
    let system = if system.is_empty() { Json::Null } else { Json::object(vec![("parts", Json::Array(system))]) };
    Json::object(vec![("systemInstruction", system), ("contents", turns)])
}

fn part(role: Role, piece: &Piece<'_>) -> Json {
    match piece {
        Piece::Call(call) => {
            let fields = vec![
                ("id", call.id.as_str().into()),
                ("name", call.name.as_ref().into()),
                ("args", object(call.input)),
            ];
            let part = Json::object(vec![("functionCall", Json::object(fields))]);
            keep(part, call.extra, &["thoughtSignature"])
        }
        Piece::Answer { call, output, failed, .. } => {
            let fields = vec![
                ("id", call.id.as_str().into()),
                ("name", call.name.as_ref().into()),
                ("response", response(output, *failed)),
            ];
            Json::object(vec![("functionResponse", Json::object(fields))])
        }
        piece => DIALECT.part(role, piece),
    }
}

fn untyped(value: &Json) -> Json {
    let Json::Object(fields) = value else { return value.clone() };
    Json::Object(fields.iter().filter(|(name, _)| name != "type").cloned().collect())
}

fn response(output: &[Piece<'_>], failed: bool) -> Json {
    match value_of(output) {
        Some(value @ Json::Object(_)) if !failed => value,
        // Not `Json::object`: the value may be null.
        Some(value) if !failed => Json::Object(vec![("output".to_owned(), value)]),
        _ if failed || output.len() < 2 => {
            Json::object(vec![(if failed { "error" } else { "output" }, joined(output).into())])
        }
        _ => {
            let texts = output.iter().map(|piece| joined(std::slice::from_ref(piece)).into()).collect();
            Json::object(vec![("output", Json::Array(texts))])
        }
    }
}

fn write_file(role: Role, file: &File<'_>) -> Option<Json> {
    if role == Role::System {
        return None;
    }
    let media = ("mimeType", Some(file.media).filter(|media| !media.is_empty()).into());
    let (kind, fields) = match file.source {
        FileSource::Base64(data) => ("inlineData", vec![media, ("data", data.as_str().into())]),
        FileSource::Url(at) | FileSource::Id(at) => ("fileData", vec![media, ("fileUri", at.as_str().into())]),
    };
    Some(Json::object(vec![(kind, Json::object(fields))]))
}

/// Reads `systemInstruction` and `contents`, or an array of contents, or one.
pub fn read(value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts = Vec::new();
    let mut waiting = Waiting::default();
    for name in ["systemInstruction", "system_instruction"] {
        let system = value.get(name);
        if !system.is_null() {
            let blocks = parts(system, &mut waiting).map_err(|mistake| mistake.within(name))?;
            push(&mut drafts, Role::System, blocks);
        }
    }
    each("contents", items(value, "contents")?, &mut |content| {
        let role = match content.get("role").as_str() {
            Some("model") => Role::Assistant,
            Some("function") => Role::Tool,
            Some(role) => Role::new("role", role)?,
            None => Role::User,
        };
        push(&mut drafts, role, parts(content, &mut waiting)?);
        Ok(())
    })?;
    Ok(sides::read(drafts))
}

/// Calls without an id, by name, with their generated ids.
#[derive(Default)]
struct Waiting {
    calls: Vec<(String, String)>,
    count: usize,
}

fn parts(content: &Json, waiting: &mut Waiting) -> Result<Vec<Block>, Invalid> {
    let mut blocks = Vec::new();
    if let Json::String(text) = content {
        return Ok(vec![Block::text(text.as_str())]);
    }
    let parts = content.get("parts").as_array().ok_or_else(|| Invalid::value("parts", "must be an array"))?;
    each("parts", parts, &mut |part| {
        blocks.push(read_part(part, waiting)?);
        Ok(())
    })?;
    Ok(blocks)
}

fn read_part(part: &Json, waiting: &mut Waiting) -> Result<Block, Invalid> {
    if let Json::String(text) = part.get("text") {
        let thought = *part.get("thought") == Json::Bool(true);
        let kind = if thought { BlockKind::Thought(text.clone()) } else { BlockKind::Text(text.clone()) };
        return Ok(block(kind, part, &["text", "thought"]));
    }
    let Json::Object(fields) = part else { return Err(Invalid::value("part", "must be an object")) };
    let Some((name, inner)) = fields.iter().find(|(name, _)| !["thought", "thoughtSignature"].contains(&name.as_str()))
    else {
        return Err(Invalid::value("text", "is required"));
    };
    let within = |mistake: Invalid| mistake.within(name);
    let kind = match name.as_str() {
        "functionCall" => {
            let tool = required(inner, "name").map_err(within)?.to_owned();
            let id = inner.get("id").as_str().map(str::to_owned).unwrap_or_else(|| {
                waiting.count += 1;
                let mut id = String::from("call-");
                id.push_str(&waiting.count.to_string());
                waiting.calls.push((tool.clone(), id.clone()));
                id
            });
            BlockKind::ToolUse { id, name: tool, input: inner.get("args").clone() }
        }
        "functionResponse" => {
            let tool = required(inner, "name").map_err(within)?;
            let tool_use_id = match inner.get("id").as_str() {
                Some(id) => id.to_owned(),
                None => match waiting.calls.iter().position(|(name, _)| name == tool) {
                    Some(at) => waiting.calls.remove(at).1,
                    None => tool.to_owned(),
                },
            };
            let (output, is_error) = read_response(inner.get("response"));
            BlockKind::ToolResult { tool_use_id, output, is_error }
        }
        "inlineData" => {
            let data = required(inner, "data").map_err(within)?.to_owned();
            let media = inner.get("mimeType").as_str().unwrap_or_default();
            file(media, inner.get("displayName"), FileSource::Base64(data))
        }
        "fileData" => {
            let at = required(inner, "fileUri").map_err(within)?.to_owned();
            let media = inner.get("mimeType").as_str().unwrap_or_default();
            let source = if at.contains("://") { FileSource::Url(at) } else { FileSource::Id(at) };
            file(media, inner.get("displayName"), source)
        }
        _ => {
            let mut typed = vec![("type".to_owned(), name.as_str().into())];
            typed.extend(fields.iter().filter(|(name, _)| name != "type").cloned());
            return other(&Json::Object(typed));
        }
    };
    Ok(block(kind, part, &[name]))
}

fn read_response(response: &Json) -> (Vec<Block>, bool) {
    let Json::Object(fields) = response else { return (Vec::new(), false) };
    match &fields[..] {
        [(name, Json::String(text))] if name == "output" || name == "error" => {
            let output = if text.is_empty() { Vec::new() } else { vec![Block::text(text.as_str())] };
            (output, name == "error")
        }
        [(name, Json::Array(texts))] if name == "output" && texts.iter().all(|text| text.as_str().is_some()) => {
            (texts.iter().cloned().map(block_of).collect(), false)
        }
        [(name, value)] if name == "output" => (vec![block_of(value.clone())], false),
        _ => (vec![block_of(response.clone())], false),
    }
}
