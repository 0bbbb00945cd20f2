//! OpenAI's chat completions: calls beside the content with their arguments as a string, one message per result.
//!
//! Images and files are accepted from the user only. A failed result is marked only in its text.

use super::parts::{
    Dialect, File, arguments, arguments_text, block, content, each, extra_of, file, file_at, items, other, push,
    required, short,
};
use super::turns::{Names, Piece, Rules, turns};
use crate::model::{Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, Role};

static DIALECT: Dialect = Dialect {
    rules: Rules { files_in_results: false, id_chars: 40, plain_ids: false, names: Names::Plain },
    text: |_, text| Json::object(vec![("type", "text".into()), ("text", text.into())]),
    thought: |_, _| None,
    file: write_file,
    other: |_, _, _| None,
    extras: &[],
};

/// The history as `messages` of a request.
pub fn write(messages: &[Message]) -> Json {
    let mut out = Vec::new();
    for turn in turns(messages, &DIALECT.rules) {
        let (mut parts, mut calls) = (Vec::new(), Vec::new());
        for piece in &turn.pieces {
            match piece {
                Piece::Call(call) => {
                    let function =
                        vec![("name", call.name.as_ref().into()), ("arguments", arguments_text(call.input).into())];
                    calls.push(Json::object(vec![
                        ("id", call.id.as_str().into()),
                        ("type", "function".into()),
                        ("function", Json::object(function)),
                    ]));
                }
                Piece::Answer { call, output, .. } => {
                    let mut texts = DIALECT.output(output);
                    if texts.is_empty() {
                        texts.push((DIALECT.text)(Role::Tool, ""));
                    }
                    out.push(Json::object(vec![
                        ("role", "tool".into()),
                        ("tool_call_id", call.id.as_str().into()),
                        ("content", short(texts)),
                    ]));
                }
                piece => parts.push(with_detail(DIALECT.part(turn.role, piece), piece)),
            }
        }
        if turn.role == Role::Tool {
            continue;
        }
        // A message with only calls has the content `null`.
        let said = if parts.is_empty() { Json::Null } else { short(parts) };
        let mut message = vec![("role".to_owned(), turn.role.as_str().into()), ("content".to_owned(), said)];
        if let Some(name) = turn.message.name.as_deref().and_then(plain_name) {
            message.push(("name".to_owned(), name.into()));
        }
        if !calls.is_empty() {
            message.push(("tool_calls".to_owned(), Json::Array(calls)));
        }
        out.push(Json::Object(message));
    }
    Json::Array(out)
}

/// The name in the accepted form: without spaces and five special characters.
fn plain_name(name: &str) -> Option<String> {
    let plain = |c: char| if c.is_whitespace() || "<|\\/>".contains(c) { '_' } else { c };
    Some(name.chars().take(64).map(plain).collect()).filter(|name: &String| !name.is_empty())
}

fn write_file(role: Role, file: &File<'_>) -> Option<Json> {
    if role != Role::User {
        return None;
    }
    let (kind, inner) = match file.source {
        FileSource::Base64(data) if file.media.starts_with("audio/") => {
            let format = if file.media.ends_with("wav") { "wav" } else { "mp3" };
            ("input_audio", vec![("data", data.as_str().into()), ("format", format.into())])
        }
        FileSource::Url(_) | FileSource::Base64(_) if file.is_image() => {
            ("image_url", vec![("url", file.url().into())])
        }
        FileSource::Base64(_) => {
            let name = file.name.unwrap_or("file");
            ("file", vec![("filename", name.into()), ("file_data", file.url().into())])
        }
        FileSource::Id(id) if !file.is_image() => ("file", vec![("file_id", id.as_str().into())]),
        _ => return None,
    };
    Some(Json::object(vec![("type", kind.into()), (kind, Json::object(inner))]))
}

/// Adds the detail level of an image, which is beside its URL.
fn with_detail(mut part: Json, piece: &Piece<'_>) -> Json {
    if let (Json::Object(fields), Piece::Block(block)) = (&mut part, piece)
        && let Some((_, Json::Object(image))) = fields.iter_mut().find(|(name, _)| name == "image_url")
        && let Json::String(detail) = extra_of(&block.extra, "detail")
    {
        image.push(("detail".to_owned(), detail.as_str().into()));
    }
    part
}

/// Reads `messages`, or one message, or an object with them.
pub fn read(value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts = Vec::new();
    each("messages", items(value, "messages")?, &mut |message| {
        let role = match required(message, "role")? {
            "developer" => Role::System,
            role => Role::new("role", role)?,
        };
        let mut blocks = Vec::new();
        for thought in ["reasoning_content", "reasoning"] {
            if let Json::String(text) = message.get(thought)
                && blocks.is_empty()
            {
                blocks.push(BlockKind::Thought(text.clone()).into());
            }
        }
        blocks.extend(content(message, "content", &mut |part| Ok(vec![read_part(part)?]))?);
        if let Json::String(refusal) = message.get("refusal") {
            blocks.push(Block::text(refusal.as_str()));
        }
        if role == Role::Tool {
            let tool_use_id = required(message, "tool_call_id")?.to_owned();
            let kind = BlockKind::ToolResult { tool_use_id, output: blocks, is_error: false };
            blocks = vec![kind.into()];
        }
        if let Json::Array(calls) = message.get("tool_calls") {
            each("tool_calls", calls, &mut |call| {
                blocks.push(read_call(call)?);
                Ok(())
            })?;
        }
        let start = drafts.len();
        push(&mut drafts, role, blocks);
        drafts[start].name = message.get("name").as_str().map(str::to_owned);
        Ok(())
    })?;
    Ok(drafts)
}

/// A call of a function, or of a tool that takes free text.
fn read_call(call: &Json) -> Result<Block, Invalid> {
    let (function, input) = match call.get("custom") {
        Json::Null => (call.get("function"), arguments(call.get("function").get("arguments").as_str().unwrap_or("{}"))),
        custom => (custom, custom.get("input").clone()),
    };
    let name = required(function, "name").map_err(|mistake| mistake.within("function"))?.to_owned();
    let kind = BlockKind::ToolUse { id: required(call, "id")?.to_owned(), name, input };
    Ok(block(kind, call, &["id", "name", "input", "function", "custom"]))
}

fn read_part(part: &Json) -> Result<Block, Invalid> {
    let kind = part.get("type").as_str().unwrap_or_default();
    let inner = part.get(kind);
    let (made, detail) = match (kind, inner) {
        ("text", _) => return Ok(block(BlockKind::Text(required(part, "text")?.to_owned()), part, &["text"])),
        ("image_url", Json::String(url)) => (file_at("image/*", &Json::Null, url), &Json::Null),
        ("image_url", image) => (file_at("image/*", &Json::Null, required(image, "url")?), image.get("detail")),
        ("file", inner) => match (inner.get("file_id").as_str(), inner.get("file_data").as_str()) {
            (Some(id), _) => (file("", inner.get("filename"), FileSource::Id(id.to_owned())), &Json::Null),
            (None, Some(data)) => (file_at("", inner.get("filename"), data), &Json::Null),
            _ => return other(part),
        },
        ("input_audio", inner) => {
            let media = if inner.get("format").as_str() == Some("wav") { "audio/wav" } else { "audio/mpeg" };
            let data = required(inner, "data")?.to_owned();
            (file(media, &Json::Null, FileSource::Base64(data)), &Json::Null)
        }
        _ => return other(part),
    };
    let mut made = block(made, part, &[kind]);
    if !detail.is_null() {
        made.extra.push(("detail".to_owned(), detail.clone()));
    }
    Ok(made)
}
