//! Anthropic's messages: a separate system prompt, alternating user and assistant turns, results in user turns.
//!
//! Thinking is sent back only with its signature; otherwise it is written as text. Images and documents come from the
//! user or a tool.

use super::parts::{Dialect, File, each, extra_of, items, keep, object, push, required, short};
use super::sides;
use super::turns::{Names, Piece, Rules};
use crate::codec::json::blocks;
use crate::model::{Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, Role};

static DIALECT: Dialect = Dialect {
    rules: Rules { files_in_results: true, id_chars: 64, plain_ids: true, names: Names::Plain },
    text: |_, text| Json::object(vec![("type", "text".into()), ("text", text.into())]),
    thought: |block, text| {
        let signature = extra_of(&block.extra, "signature").as_str()?;
        Some(Json::object(vec![
            ("type", "thinking".into()),
            ("thinking", text.into()),
            ("signature", signature.into()),
        ]))
    },
    file: write_file,
    other: |role, kind, value| {
        let known = if role == Role::Assistant { &OF_MODEL[..] } else { &OF_USER };
        (role != Role::System && known.contains(&kind)).then(|| value.clone())
    },
    extras: &["cache_control", "citations", "title", "context"],
};

/// Blocks from the model that Anthropic knows and we do not interpret.
const OF_MODEL: [&str; 5] = [
    "redacted_thinking",
    "server_tool_use",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
];

/// The same from the user or a tool.
const OF_USER: [&str; 2] = ["document", "search_result"];

/// The history as `system` and `messages` of a request.
pub fn write(messages: &[Message]) -> Json {
    let (system, turns) = sides::write(messages, &DIALECT, ("assistant", "content"), part);
    Json::object(vec![("system", if system.is_empty() { Json::Null } else { short(system) }), ("messages", turns)])
}

fn part(role: Role, piece: &Piece<'_>) -> Json {
    match piece {
        Piece::Call(call) => {
            let fields = vec![
                ("type", "tool_use".into()),
                ("id", call.id.as_str().into()),
                ("name", call.name.as_ref().into()),
                ("input", object(call.input)),
            ];
            keep(Json::object(fields), call.extra, &["cache_control"])
        }
        Piece::Answer { call, output, failed, extra } => {
            let parts = DIALECT.output(output);
            let fields = vec![
                ("type", "tool_result".into()),
                ("tool_use_id", call.id.as_str().into()),
                ("content", if parts.is_empty() { Json::Null } else { short(parts) }),
                ("is_error", failed.then_some(true).into()),
            ];
            keep(Json::object(fields), extra, &["cache_control"])
        }
        piece => DIALECT.part(role, piece),
    }
}

fn write_file(role: Role, file: &File<'_>) -> Option<Json> {
    let kind = match file.media {
        "image/jpeg" | "image/png" | "image/gif" | "image/webp" => "image",
        // The type of a remote image is not needed.
        "image/*" if !matches!(file.source, FileSource::Base64(_)) => "image",
        "application/pdf" => "document",
        _ => return None,
    };
    if role == Role::Assistant || role == Role::System {
        return None;
    }
    let source = match file.source {
        FileSource::Url(url) => vec![("type", "url".into()), ("url", url.as_str().into())],
        FileSource::Id(id) => vec![("type", "file".into()), ("file_id", id.as_str().into())],
        FileSource::Base64(data) => {
            vec![("type", "base64".into()), ("media_type", file.media.into()), ("data", data.as_str().into())]
        }
    };
    let title = file.name.filter(|_| kind == "document");
    Some(Json::object(vec![("type", kind.into()), ("source", Json::object(source)), ("title", title.into())]))
}

/// Reads `system` and `messages`, or an array of messages, or one.
pub fn read(value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts = Vec::new();
    let system = value.get("system");
    if !system.is_null() {
        push(&mut drafts, Role::System, named(blocks("system", system.clone())?));
    }
    each("messages", items(value, "messages")?, &mut |message| {
        let role = Role::new("role", required(message, "role")?)?;
        push(&mut drafts, role, named(blocks("content", message.get("content").clone())?));
        Ok(())
    })?;
    Ok(sides::read(drafts))
}

/// Uses a document's title as its name, and omits its default type.
fn named(mut blocks: Vec<Block>) -> Vec<Block> {
    for Block { kind, extra } in &mut blocks {
        match kind {
            BlockKind::ToolResult { output, .. } => *output = named(std::mem::take(output)),
            BlockKind::File { name: name @ None, media_type, .. } => {
                if let Some(at) = extra.iter().position(|(field, value)| field == "title" && value.as_str().is_some()) {
                    *name = extra.remove(at).1.as_str().map(str::to_owned);
                }
                if media_type.is_empty() {
                    media_type.push_str("application/pdf");
                }
            }
            _ => {}
        }
    }
    blocks
}
