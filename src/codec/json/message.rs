//! Messages as JSON: our own format without loss, and output in the format of AgentScope.

use super::Fields;
use crate::model::{
    Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, MessageId, Metadata, Role, Timestamp,
};

/// The deepest nesting of a message. The parser accepts twice that, so a message can be wrapped and read again.
const MAX_DEPTH: usize = 64;

const FIELDS: &[&str] = &["id", "role", "name", "content", "at", "timestamp", "pinned", "metadata"];

/// Reads a message; unknown fields are refused, except in blocks, which keep them.
pub fn message_draft(value: Json) -> Result<MessageDraft, Invalid> {
    read_message(value, false)
}

/// Reads a message that may have the app's own fields (B11), which become part of its metadata.
pub fn free_message_draft(value: Json) -> Result<MessageDraft, Invalid> {
    read_message(value, true)
}

fn read_message(value: Json, is_free: bool) -> Result<MessageDraft, Invalid> {
    let depth = value.depth();
    let too_deep = || Invalid::value("message", "must be nested at most 64 levels deep");
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    let mut fields = Fields::of("message", value);
    let role = fields.required_text("role");
    if !fields.has("content") {
        fields.refuse(Invalid::value("content", "is required"));
    }
    let content = blocks("content", fields.value("content").unwrap_or_default());
    let metadata = fields.value("metadata").map_or(Ok(Metadata::default()), |value| Metadata::new("metadata", value));
    let mut draft = MessageDraft {
        id: fields.made("id", MessageId::new),
        role: fields.accept(Role::new("role", &role)).unwrap_or(Role::User),
        name: fields.text("name"),
        content: fields.accept(content).unwrap_or_default(),
        // The name in AgentScope is `timestamp`.
        at: if fields.has("timestamp") { fields.time("timestamp") } else { fields.time("at") },
        pinned: fields.flag("pinned").unwrap_or(false),
        metadata: fields.accept(metadata).unwrap_or_default(),
    };
    if is_free {
        let own = fields.own("metadata", FIELDS);
        let metadata = std::mem::take(&mut draft.metadata).or("metadata", own);
        draft.metadata = fields.accept(metadata).unwrap_or_default();
    }
    fields.finish()?;
    // A tool result given as a string is written as a block in an array, and must be readable from there.
    if depth + 2 > MAX_DEPTH && draft.content.iter().any(|part| block(part).depth() + 2 > MAX_DEPTH) {
        return Err(too_deep());
    }
    Ok(draft)
}

/// Reads the content of a message or a tool result: a string, or blocks.
pub fn blocks(field: &str, value: Json) -> Result<Vec<Block>, Invalid> {
    match value {
        Json::Null => Ok(Vec::new()),
        Json::String(text) => Ok(vec![Block::text(text)]),
        Json::Array(items) => {
            let mut blocks = Vec::with_capacity(items.len());
            for (at, item) in items.into_iter().enumerate() {
                blocks.push(read_block(item).map_err(|mistake| mistake.within(&format!("{field}[{at}]")))?);
            }
            Ok(blocks)
        }
        _ => Err(Invalid::value(field, "must be a string or an array of blocks")),
    }
}

/// Reads one block. An object of an unknown type is kept unchanged.
pub fn read_block(value: Json) -> Result<Block, Invalid> {
    let Some(kind) = value.get("type").as_str() else {
        return Err(Invalid::value("type", "is required, and must be a string"));
    };
    let kind = kind.to_owned();
    // Media and documents are files if their bytes are somewhere; a document can also be plain text, which is no file.
    let is_file = match value.get("source").get("type").as_str() {
        Some("base64" | "url" | "file") => ["image", "audio", "video", "document"].contains(&kind.as_str()),
        _ => kind == "image" || kind == "file",
    };
    if !is_file && !["text", "thought", "thinking", "tool_use", "tool_result"].contains(&kind.as_str()) {
        return Ok(BlockKind::Other(value).into());
    }
    let mut fields = Fields::of("block", value);
    fields.value("type");
    let kind = match kind.as_str() {
        "text" => BlockKind::Text(fields.required_text("text")),
        "thought" => BlockKind::Thought(fields.required_text("text")),
        "thinking" => BlockKind::Thought(fields.required_text("thinking")),
        "tool_use" => BlockKind::ToolUse {
            id: fields.required_text("id"),
            name: fields.required_text("name"),
            input: fields.value("input").unwrap_or_default(),
        },
        "tool_result" => tool_result(&mut fields),
        _ => file(&mut fields, &kind),
    };
    Ok(Block { kind, extra: fields.others()? })
}

fn tool_result(fields: &mut Fields) -> BlockKind {
    let named = fields.either("toolUseId", "tool_use_id");
    // AgentScope's own results have the id of the call as their `id`.
    let tool_use_id = match named {
        Some(id) => id,
        None => fields.required_text("id"),
    };
    let output = if fields.has("output") { "output" } else { "content" };
    let value = fields.value(output).unwrap_or_default();
    let failed = if fields.has("isError") { "isError" } else { "is_error" };
    BlockKind::ToolResult {
        tool_use_id,
        output: fields.accept(blocks(output, value)).unwrap_or_default(),
        is_error: fields.flag(failed).unwrap_or(false),
    }
}

/// A file in our format, or one whose `source` is an object, as in Anthropic and AgentScope.
fn file(fields: &mut Fields, kind: &str) -> BlockKind {
    let mut media_type = fields.either("mediaType", "media_type");
    let name = fields.either("name", "filename");
    let mut source = None;
    if let Some(object) = fields.value("source") {
        let mut inner = Fields::of("source", object);
        inner.value("type");
        media_type = media_type.or(inner.either("mediaType", "media_type"));
        source = file_source(&mut inner);
        let finished = inner.finish().map_err(|mistake| mistake.within("source"));
        fields.accept(finished);
    }
    let source = source.or_else(|| file_source(fields));
    if source.is_none() {
        fields.refuse(Invalid::value("url", "is required, or data, or id"));
    }
    let known = match kind {
        "image" => "image/*",
        "audio" => "audio/*",
        "video" => "video/*",
        _ => "",
    };
    BlockKind::File {
        media_type: media_type.unwrap_or_else(|| known.to_owned()),
        name,
        source: source.unwrap_or(FileSource::Id(String::new())),
    }
}

fn file_source(fields: &mut Fields) -> Option<FileSource> {
    if fields.has("url") {
        return fields.text("url").map(FileSource::Url);
    }
    if fields.has("data") {
        return fields.text("data").map(FileSource::Base64);
    }
    fields.either("id", "file_id").map(FileSource::Id)
}

/// Writes a message in the form that [`message_draft`] reads.
pub fn message(message: &Message) -> Json {
    Json::object(vec![
        ("id", message.id.as_str().into()),
        ("role", message.role.as_str().into()),
        ("name", message.name.as_deref().into()),
        ("content", Json::Array(message.content.iter().map(block).collect())),
        ("at", message.at.to_string().into()),
        ("pinned", message.pinned.then_some(true).into()),
        ("metadata", metadata(message)),
    ])
}

fn metadata(message: &Message) -> Json {
    if message.metadata.is_empty() { Json::Null } else { message.metadata.to_json() }
}

/// Writes a block in the form that [`read_block`] reads.
pub fn block(block: &Block) -> Json {
    let fields = match &block.kind {
        BlockKind::Text(text) => vec![("type", "text".into()), ("text", text.as_str().into())],
        BlockKind::Thought(text) => vec![("type", "thought".into()), ("text", text.as_str().into())],
        BlockKind::ToolUse { id, name, input } => vec![
            ("type", "tool_use".into()),
            ("id", id.as_str().into()),
            ("name", name.as_str().into()),
            ("input", input.clone()),
        ],
        BlockKind::ToolResult { tool_use_id, output, is_error } => vec![
            ("type", "tool_result".into()),
            ("toolUseId", tool_use_id.as_str().into()),
            ("output", Json::Array(output.iter().map(self::block).collect())),
            ("isError", is_error.then_some(true).into()),
        ],
        BlockKind::File { media_type, name, source } => {
            let (field, at) = place(source);
            let media_type = Some(media_type.as_str()).filter(|text| !text.is_empty());
            vec![
                ("type", "file".into()),
                ("mediaType", media_type.into()),
                ("name", name.as_deref().into()),
                (field, at.into()),
            ]
        }
        BlockKind::Other(value) => return value.clone(),
    };
    with_extra(Json::object(fields), &block.extra)
}

fn place(source: &FileSource) -> (&'static str, &str) {
    match source {
        FileSource::Url(url) => ("url", url),
        FileSource::Base64(data) => ("data", data),
        FileSource::Id(id) => ("id", id),
    }
}

/// Adds the fields that the object does not have.
fn with_extra(mut value: Json, extra: &[(String, Json)]) -> Json {
    if let Json::Object(fields) = &mut value {
        for (name, value) in extra {
            if !fields.iter().any(|(field, _)| field == name) {
                fields.push((name.clone(), value.clone()));
            }
        }
    }
    value
}

/// Writes a message as AgentScope stores it (E20): roles in upper case, reasoning as `thinking`, media by `source`.
pub fn agentscope(message: &Message) -> Json {
    Json::object(vec![
        ("role", message.role.as_str().to_ascii_uppercase().into()),
        ("content", Json::Array(message.content.iter().map(agentscope_block).collect())),
        ("id", message.id.as_str().into()),
        ("name", message.name.as_deref().into()),
        ("timestamp", agentscope_time(message.at).into()),
        ("pinned", message.pinned.then_some(true).into()),
        ("metadata", metadata(message)),
    ])
}

/// `2025-01-02 10:00:00.000`
fn agentscope_time(at: Timestamp) -> String {
    at.to_string().replace('T', " ").replace('Z', "")
}

fn agentscope_block(block: &Block) -> Json {
    let fields = match &block.kind {
        BlockKind::Thought(text) => vec![("type", "thinking".into()), ("thinking", text.as_str().into())],
        BlockKind::ToolResult { tool_use_id, output, is_error } => vec![
            ("type", "tool_result".into()),
            ("toolUseId", tool_use_id.as_str().into()),
            ("output", Json::Array(output.iter().map(agentscope_block).collect())),
            ("isError", is_error.then_some(true).into()),
        ],
        BlockKind::File { media_type, name, source } => {
            let kind = media_type.split('/').next().filter(|kind| ["image", "audio", "video"].contains(kind));
            let (Some(kind), FileSource::Url(_) | FileSource::Base64(_)) = (kind, source) else {
                return self::block(block);
            };
            let (field, at) = place(source);
            let form = if field == "url" { "url" } else { "base64" };
            let source = Json::object(vec![
                ("type", form.into()),
                ("media_type", media_type.as_str().into()),
                (field, at.into()),
            ]);
            vec![("type", kind.into()), ("source", source), ("name", name.as_deref().into())]
        }
        _ => return self::block(block),
    };
    with_extra(Json::object(fields), &block.extra)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::parse;

    fn draft(text: &str) -> Result<MessageDraft, Invalid> {
        message_draft(parse(text).unwrap())
    }

    fn stored(text: &str) -> Message {
        let at = Timestamp::from_millis("at", 1_735_812_000_000).unwrap();
        draft(text).unwrap().into_message(MessageId::new("id", "m1").unwrap(), at)
    }

    /// The field that an error names.
    fn refused(text: &str) -> String {
        draft(text).unwrap_err().field().to_owned()
    }

    #[test]
    fn x4_roles_are_read_in_any_case_and_written_in_lower() {
        for role in ["USER", "user", "User"] {
            let text = format!(r#"{{"role":"{role}","content":"hi"}}"#);
            assert_eq!(*message(&stored(&text)).get("role"), "user".into());
        }
        assert_eq!(refused(r#"{"role":"robot","content":"hi"}"#), "role");
    }

    #[test]
    fn every_block_comes_back_as_it_was_with_fields_nobody_knows() {
        let text = r#"{"id":"m7","role":"assistant","name":"Ann","content":[{"type":"text","text":"hi","lang":"en"},{"type":"thought","text":"hm","signature":"s=="},{"type":"tool_use","id":"c1","name":"look","input":{"b":1.50,"a":[]},"caller":{"x":null}},{"type":"tool_result","toolUseId":"c1","output":[{"type":"text","text":"ok"},{"type":"chart","n":1}],"isError":true},{"type":"file","mediaType":"image/png","name":"a.png","data":"AA=="},{"type":"file","url":"https://a.b/c"},{"type":"redacted_thinking","data":"x","type2":0}],"at":"2025-01-02T10:00:00.123Z","pinned":true,"metadata":{"k":[1]}}"#;
        assert_eq!(message(&stored(text)).to_string(), text);
    }

    #[test]
    fn e10_other_spellings_of_blocks_are_read() {
        let one = |text: &str| read_block(parse(text).unwrap()).unwrap();
        let ours =
            one(r#"{"type":"tool_result","toolUseId":"c","output":[{"type":"text","text":"ok"}],"isError":true}"#);
        assert_eq!(one(r#"{"type":"tool_result","tool_use_id":"c","content":"ok","is_error":true}"#), ours);
        assert_eq!(one(r#"{"type":"tool_result","id":"c","output":"ok","isError":true}"#), ours);
        let thought = one(r#"{"type":"thinking","thinking":"hm","signature":"s"}"#);
        assert_eq!(block(&thought).to_string(), r#"{"type":"thought","text":"hm","signature":"s"}"#);
        let image = one(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}"#);
        assert_eq!(image, one(r#"{"type":"file","mediaType":"image/png","data":"AA"}"#));
        let plain = r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"hi"}}"#;
        assert_eq!(one(plain).kind, BlockKind::Other(parse(plain).unwrap()));
        assert_eq!(one(r#"{"type":"image","url":"u"}"#), one(r#"{"type":"file","mediaType":"image/*","url":"u"}"#));
    }

    #[test]
    fn e20_agentscope_form_is_the_documented_one_and_is_read_back() {
        let plain = agentscope(&stored(r#"{"role":"user","content":"Hello"}"#)).to_string();
        assert!(plain.starts_with(r#"{"role":"USER","content":[{"type":"text","text":"Hello"}]"#), "{plain}");
        let all = stored(
            r#"{"role":"tool","content":[{"type":"thought","text":"hm"},{"type":"tool_result","toolUseId":"c","output":"Sunny"},{"type":"image","mediaType":"image/png","name":"n","data":"AA"},{"type":"file","mediaType":"application/pdf","id":"f1"}],"metadata":{"a":1}}"#,
        );
        assert_eq!(message_draft(agentscope(&all)).unwrap().into_message(all.id.clone(), all.at), all);
    }

    #[test]
    fn mistakes_in_messages_are_named_by_their_path() {
        assert_eq!(refused(r#"{"content":"x"}"#), "role");
        assert_eq!(refused(r#"{"role":"user"}"#), "content");
        assert_eq!(refused(r#"{"role":"user","content":5}"#), "content");
        assert_eq!(refused(r#"{"role":"user","content":["x"]}"#), "content[0].type");
        assert_eq!(refused(r#"{"role":"user","content":[{"text":"x"}]}"#), "content[0].type");
        assert_eq!(refused(r#"{"role":"user","content":[{"type":"text"}]}"#), "content[0].text");
        assert_eq!(refused(r#"{"role":"user","content":[{"type":"file","mediaType":"a/b"}]}"#), "content[0].url");
        assert_eq!(
            refused(r#"{"role":"tool","content":[{"type":"tool_result","toolUseId":"c","output":[{}]}]}"#),
            "content[0].output[0].type"
        );
        assert_eq!(refused(r#"{"role":"user","content":"x","contnt":1}"#), "contnt");
        assert_eq!(refused(r#"{"role":"user","content":"x","at":"noon"}"#), "at");
        assert_eq!(refused(r#"{"role":"user","content":"x","id":""}"#), "id");
        let deep = format!(r#"{{"role":"user","content":[{{"type":"x","v":{}{}}}]}}"#, "[".repeat(80), "]".repeat(80));
        assert_eq!(refused(&deep), "message");
    }

    #[test]
    fn what_is_taken_can_be_read_again_however_deep_it_is() {
        for answers in 0..40 {
            let begin = r#"[{"type":"tool_result","toolUseId":"c","output":"#.repeat(answers);
            let text = format!(r#"{{"role":"tool","content":{begin}"deep"{}}}"#, "}]".repeat(answers));
            match draft(&text) {
                Ok(_) => assert_eq!(message_draft(message(&stored(&text))).unwrap().content, stored(&text).content),
                Err(mistake) => assert_eq!((mistake.field(), answers > 30), ("message", true), "{answers}"),
            }
        }
    }
}
