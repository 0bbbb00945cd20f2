//! The AI SDK's model messages: typed parts, and typed outputs of tools.

use super::parts::{
    Dialect, File, arguments, block, content, each, file, file_at, items, joined, keep, other, push, required,
    value as value_of,
};
use super::turns::{Names, Piece, Rules, turns};
use crate::context::block_of;
use crate::model::{Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, Role};

static DIALECT: Dialect = Dialect {
    rules: Rules { files_in_results: true, id_chars: usize::MAX, plain_ids: false, names: Names::Plain },
    text: |_, text| Json::object(vec![("type", "text".into()), ("text", text.into())]),
    thought: |block, text| {
        let part = Json::object(vec![("type", "reasoning".into()), ("text", text.into())]);
        Some(keep(part, &block.extra, &["providerOptions"]))
    },
    file: write_file,
    other: |role, kind, value| {
        let known = role == Role::Assistant && (kind == "custom" || kind == "reasoning-file");
        known.then(|| value.clone())
    },
    extras: &["providerOptions"],
};

/// The history as `ModelMessage[]`.
pub fn write(messages: &[Message]) -> Json {
    let mut out = Vec::new();
    let mut say = |role: Role, content: Json| {
        out.push(Json::object(vec![("role", role.as_str().into()), ("content", content)]));
    };
    for turn in turns(messages, &DIALECT.rules) {
        // System content is a string, not parts.
        if turn.role == Role::System {
            for piece in &turn.pieces {
                say(turn.role, DIALECT.part(turn.role, piece).get("text").clone());
            }
            continue;
        }
        let parts = turn.pieces.iter().map(|piece| match piece {
            Piece::Call(call) => {
                let fields = vec![
                    ("type", "tool-call".into()),
                    ("toolCallId", call.id.as_str().into()),
                    ("toolName", call.name.as_ref().into()),
                    ("input", if call.input.is_null() { Json::Object(Vec::new()) } else { call.input.clone() }),
                ];
                keep(Json::object(fields), call.extra, &["providerOptions"])
            }
            Piece::Answer { call, output, failed, extra } => {
                let fields = vec![
                    ("type", "tool-result".into()),
                    ("toolCallId", call.id.as_str().into()),
                    ("toolName", call.name.as_ref().into()),
                    ("output", write_output(output, *failed)),
                ];
                keep(Json::object(fields), extra, &["providerOptions"])
            }
            piece => DIALECT.part(turn.role, piece),
        });
        say(turn.role, Json::Array(parts.collect()));
    }
    Json::Array(out)
}

fn write_file(role: Role, file: &File<'_>) -> Option<Json> {
    if role == Role::System {
        return None;
    }
    if role == Role::Tool {
        return write_given(file);
    }
    let (kind, field) = if file.is_image() && role == Role::User { ("image", "image") } else { ("file", "data") };
    let data = match file.source {
        FileSource::Url(data) | FileSource::Base64(data) => data.as_str(),
        FileSource::Id(_) => return None,
    };
    // A file needs a media type.
    let media = if file.media.is_empty() { "application/octet-stream" } else { file.media };
    let name = file.name.filter(|_| kind == "file");
    let fields =
        vec![("type", kind.into()), (field, data.into()), ("mediaType", media.into()), ("filename", name.into())];
    Some(Json::object(fields))
}

/// A file in a tool's output.
fn write_given(file: &File<'_>) -> Option<Json> {
    let image = file.is_image();
    let fields = match file.source {
        FileSource::Base64(data) => vec![
            ("type", if image { "image-data" } else { "file-data" }.into()),
            ("data", data.as_str().into()),
            ("mediaType", file.media.into()),
            ("filename", file.name.filter(|_| !image).into()),
        ],
        FileSource::Url(url) => {
            vec![("type", if image { "image-url" } else { "file-url" }.into()), ("url", url.as_str().into())]
        }
        FileSource::Id(id) => {
            vec![("type", if image { "image-file-id" } else { "file-id" }.into()), ("fileId", id.as_str().into())]
        }
    };
    Some(Json::object(fields))
}

/// The output of a tool: `text`, `json`, an error of these, or `content`.
pub(super) fn write_output(output: &[Piece<'_>], failed: bool) -> Json {
    let (kind, value) = match value_of(output) {
        Some(value) => (if failed { "error-json" } else { "json" }, value),
        None if failed => ("error-text", joined(output).into()),
        None => match DIALECT.output(output) {
            parts if parts.len() > 1 => ("content", Json::Array(parts)),
            parts => match parts.first().map(|part| part.get("text")) {
                Some(Json::Null) => ("content", Json::Array(parts)),
                _ => ("text", joined(output).into()),
            },
        },
    };
    // Not `Json::object`: a value may be null.
    Json::Object(vec![("type".to_owned(), kind.into()), ("value".to_owned(), value)])
}

/// Reads `ModelMessage[]`, or one message.
pub fn read(value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts = Vec::new();
    each("messages", items(value, "messages")?, &mut |message| {
        let role = Role::new("role", required(message, "role")?)?;
        push(&mut drafts, role, content(message, "content", &mut |part| Ok(vec![read_part(part)?]))?);
        Ok(())
    })?;
    Ok(drafts)
}

fn read_part(part: &Json) -> Result<Block, Invalid> {
    let id = |part| required(part, "toolCallId").map(str::to_owned);
    let made = match part.get("type").as_str().unwrap_or_default() {
        "text" => BlockKind::Text(required(part, "text")?.to_owned()),
        "reasoning" => BlockKind::Thought(required(part, "text")?.to_owned()),
        "tool-call" => {
            let (name, input) = (required(part, "toolName")?.to_owned(), part.get("input"));
            // Before version 5 the input was called args.
            let input = if input.is_null() { part.get("args") } else { input };
            BlockKind::ToolUse { id: id(part)?, name, input: input.clone() }
        }
        "tool-result" => {
            let (output, is_error) = read_output(part.get("output")).map_err(|mistake| mistake.within("output"))?;
            BlockKind::ToolResult { tool_use_id: id(part)?, output, is_error }
        }
        kind @ ("image" | "file") => {
            let (field, media) = if kind == "image" { ("image", "image/*") } else { ("data", "") };
            let media = part.get("mediaType").as_str().unwrap_or(media);
            // Later versions have an object here that says which of the two it is.
            let data = part.get(field);
            let data = [data, data.get("url"), data.get("data")].into_iter().find_map(Json::as_str);
            let data = data.ok_or_else(|| Invalid::value(field, "must be a URL, or bytes in base64"))?;
            data_or_url(media, part.get("filename"), data)
        }
        _ => return other(part),
    };
    let known = ["text", "toolCallId", "toolName", "input", "args", "output", "image", "data", "mediaType", "filename"];
    Ok(block(made, part, &known))
}

/// The SDK has URLs and bytes in the same field.
fn data_or_url(media: &str, name: &Json, data: &str) -> BlockKind {
    if data.contains(':') { file_at(media, name, data) } else { file(media, name, FileSource::Base64(data.to_owned())) }
}

/// Reads the output of a tool, and whether it failed.
pub(super) fn read_output(output: &Json) -> Result<(Vec<Block>, bool), Invalid> {
    let value = output.get("value");
    let blocks = match output.get("type").as_str().unwrap_or_default() {
        "text" | "error-text" if value.as_str() == Some("") => Vec::new(),
        "text" | "error-text" | "json" | "error-json" => vec![block_of(value.clone())],
        "execution-denied" => vec![Block::text(output.get("reason").as_str().unwrap_or("The call was denied."))],
        "content" => content(output, "value", &mut |part| Ok(vec![read_given(part)?]))?,
        _ => {
            return Err(Invalid::value(
                "type",
                "must be text, json, error-text, error-json, execution-denied or content",
            ));
        }
    };
    let kind = output.get("type").as_str().unwrap_or_default();
    Ok((blocks, kind.starts_with("error-") || kind == "execution-denied"))
}

fn read_given(part: &Json) -> Result<Block, Invalid> {
    let kind = part.get("type").as_str().unwrap_or_default();
    let media = if kind.starts_with("image-") { "image/*" } else { "" };
    let media = part.get("mediaType").as_str().unwrap_or(media);
    let made = match kind {
        "text" => BlockKind::Text(required(part, "text")?.to_owned()),
        "media" | "image-data" | "file-data" => {
            file(media, part.get("filename"), FileSource::Base64(required(part, "data")?.to_owned()))
        }
        "image-url" | "file-url" => file_at(media, &Json::Null, required(part, "url")?),
        "file-id" | "image-file-id" => match part.get("fileId") {
            Json::String(id) => file(media, &Json::Null, FileSource::Id(id.clone())),
            _ => return other(part),
        },
        _ => return other(part),
    };
    Ok(block(made, part, &["text", "data", "mediaType", "filename", "url", "fileId"]))
}

/// The input of a call, which may have been truncated while it was streamed.
pub(super) fn read_input(input: &Json, raw: &Json) -> Json {
    match (input, raw) {
        (Json::Null, Json::String(text)) => arguments(text),
        (Json::Null, raw) => raw.clone(),
        (input, _) => input.clone(),
    }
}
