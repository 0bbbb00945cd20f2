//! The lines of a session's log (C6): messages, reasoning, tool calls and results, one JSON object each.
//!
//! A block is a line. Data without a field in the documented formats is in extra fields, so that lines become the same
//! messages again, and a documented line becomes the same line again.

use crate::codec::json::{self, Fields};
use crate::model::{Block, BlockKind, Invalid, Json, Message, MessageDraft, MessageId, Metadata, Role, Timestamp};

/// Field names with a meaning in lines. A block's own fields of these names are written inside `extra`.
const TAKEN: [&str; 17] = [
    "type", "ts", "at", "id", "role", "name", "pinned", "metadata", "part", "call", "extra", "content", "tool",
    "params", "result", "blocks", "isError",
];

/// Types with a meaning in lines.
const TYPES: [&str; 8] = ["user", "assistant", "system", "tool", "thought", "action", "observation", "block"];

/// The type of the first line of a log export.
pub const HEADER: &str = "keepsake-log";

/// The field for the link of a message in a log export.
pub const LINK: &str = "link";

/// Whether a line is the first of a log export.
pub fn is_header(line: &Json) -> bool {
    line.get("type").as_str() == Some(HEADER) && !line.get("session").is_null() && line.get(LINK).is_null()
}

/// Whether a value is a link of the log, and not an app's field of the same name.
pub fn is_link(value: &Json) -> bool {
    ["seq", "before", "payload", "salt"].iter().all(|name| !value.get(name).is_null())
}

/// The lines of a message. Without `ids`, a message that was read from plain lines is written as exactly those lines.
pub fn write(message: &Message, ids: bool) -> Vec<Json> {
    let mut lines: Vec<Json> = message.content.iter().map(|block| line(message, block, ids)).collect();
    if lines.is_empty() {
        let nothing = vec![("type", "block".into()), ("ts", message.at.to_string().into())];
        lines.push(complete(nothing, message, Role::System));
    }
    for (part, line) in lines.iter_mut().enumerate() {
        let Json::Object(fields) = line else { continue };
        let mut add = |name: &str, value: Json| {
            if !value.is_null() {
                fields.push((name.to_owned(), value));
            }
        };
        if ids {
            add("id", message.id.as_str().into());
        }
        if part > 0 {
            add("part", part.into());
            continue;
        }
        add("name", message.name.as_deref().into());
        add("pinned", message.pinned.then_some(true).into());
        add("metadata", if message.metadata.is_empty() { Json::Null } else { message.metadata.to_json() });
    }
    lines
}

/// Whether an app's own field would be read as a link of the log. Lines with ids may get one, so they have no other.
fn is_taken(name: &str, value: &Json, ids: bool) -> bool {
    TAKEN.contains(&name) || name == LINK && (ids || is_link(value))
}

/// The line of one block, without the fields of the whole message.
fn line(message: &Message, block: &Block, ids: bool) -> Json {
    let (extra, ts) = match block.extra.split_last() {
        Some(((name, ts), rest)) if name == "ts" && !ts.is_null() => (rest, Some(ts)),
        _ => (&block.extra[..], None),
    };
    let mut usual = Role::Assistant;
    let mut fields: Vec<(&str, Json)> = match &block.kind {
        BlockKind::Text(text) => {
            usual = message.role;
            vec![("type", message.role.as_str().into()), ("content", text.as_str().into())]
        }
        BlockKind::Thought(text) => vec![("type", "thought".into()), ("content", text.as_str().into())],
        BlockKind::ToolUse { id, name, input } => vec![
            ("type", "action".into()),
            ("tool", name.as_str().into()),
            ("params", input.clone()),
            ("call", filled(id)),
        ],
        BlockKind::ToolResult { tool_use_id, output, is_error } => {
            usual = Role::Tool;
            let (result, blocks) = result(output);
            vec![
                ("type", "observation".into()),
                ("result", result),
                ("blocks", blocks.then_some(true).into()),
                ("call", filled(tool_use_id)),
                ("isError", is_error.then_some(true).into()),
            ]
        }
        BlockKind::File { .. } => return whole(message, json::block(block)),
        BlockKind::Other(value) => return other(message, value, ids),
    };
    push_time(&mut fields, message, ts);
    let nested = extra.iter().any(|(name, value)| is_taken(name, value, ids));
    if nested {
        fields.push(("extra", Json::Object(extra.to_vec())));
    }
    let mut line = complete(fields, message, usual);
    if let (Json::Object(fields), false) = (&mut line, nested) {
        fields.extend_from_slice(extra);
    }
    line
}

/// A block of another kind inside a line.
fn whole(message: &Message, block: Json) -> Json {
    complete(
        vec![("type", "block".into()), ("block", block), ("ts", message.at.to_string().into())],
        message,
        Role::System,
    )
}

/// A block of an unknown kind is a line of an unknown type, unless its fields already have a meaning in lines.
fn other(message: &Message, value: &Json, ids: bool) -> Json {
    let Json::Object(own) = value else { return whole(message, value.clone()) };
    let mut fields = Vec::new();
    for (name, value) in own {
        let clear = match name.as_str() {
            "type" => value.as_str().is_some_and(|kind| !TYPES.contains(&kind) && kind != HEADER),
            "ts" => !value.is_null(),
            "at" | "id" | "role" | "name" | "pinned" | "metadata" | "part" => false,
            name => name != LINK || !(ids || is_link(value)),
        };
        if !clear || fields.iter().any(|(field, _)| field == name) {
            return whole(message, Json::Object(own.clone()));
        }
        if name != "ts" {
            fields.push((name.as_str(), value.clone()));
        }
    }
    let ts = Some(value.get("ts")).filter(|ts| !ts.is_null());
    // A time equal to ours would be removed, and one that is not last would move.
    if ts.is_some_and(|ts| *ts == message.at.to_string().into() || own.last().is_some_and(|(name, _)| name != "ts")) {
        return whole(message, value.clone());
    }
    push_time(&mut fields, message, ts);
    let mut line = Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    let Json::Object(fields) = &mut line else { return line };
    if let Json::Object(more) = complete(Vec::new(), message, Role::System) {
        fields.extend(more);
    }
    line
}

/// The time as written, with our own beside it if they differ.
fn push_time(fields: &mut Vec<(&str, Json)>, message: &Message, ts: Option<&Json>) {
    let ours = || message.at.to_string().into();
    let Some(ts) = ts else { return fields.push(("ts", ours())) };
    fields.push(("ts", ts.clone()));
    if moment(ts) != Some(message.at) {
        fields.push(("at", ours()));
    }
}

fn moment(ts: &Json) -> Option<Timestamp> {
    match ts {
        Json::String(text) => Timestamp::parse("ts", text).ok(),
        number => Timestamp::from_millis("ts", number.as_f64()? as i64).ok(),
    }
}

/// The line, with the role if its type does not imply it.
fn complete(mut fields: Vec<(&str, Json)>, message: &Message, usual: Role) -> Json {
    if message.role != usual {
        fields.push(("role", message.role.as_str().into()));
    }
    Json::object(fields)
}

fn filled(id: &str) -> Json {
    Some(id).filter(|id| !id.is_empty()).into()
}

/// The output of a tool: a string, a JSON value, or else blocks.
fn result(output: &[Block]) -> (Json, bool) {
    if let [Block { kind: BlockKind::Text(text), extra }] = output {
        if extra.is_empty() {
            return (text.as_str().into(), false);
        }
        if let Some(value) = super::value_of(&output[0]).filter(|value| !value.is_null()) {
            return (value, false);
        }
    }
    if output.is_empty() {
        return (Json::Null, false);
    }
    (Json::Array(output.iter().map(json::block).collect()), true)
}

/// The messages of these lines, in order. The header and the links of an export are skipped.
pub fn read(lines: Vec<Json>) -> Result<Vec<MessageDraft>, Invalid> {
    let mut drafts: Vec<MessageDraft> = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        if at == 0 && is_header(&line) {
            continue;
        }
        let (draft, continues) = read_line(line).map_err(|mistake| mistake.within(&format!("lines[{at}]")))?;
        match drafts.last_mut() {
            Some(before) if continues && before.id == draft.id && before.role == draft.role => {
                before.content.extend(draft.content);
            }
            _ => drafts.push(draft),
        }
    }
    Ok(drafts)
}

/// A message of one line, and whether it is a further part of the previous message.
fn read_line(line: Json) -> Result<(MessageDraft, bool), Invalid> {
    let Some(kind) = line.get("type").as_str().map(str::to_owned) else {
        return Err(Invalid::value("type", "is required, and must be a string"));
    };
    let is_exported = is_link(line.get(LINK));
    let mut fields = Fields::of("line", line);
    if is_exported {
        fields.value(LINK);
    }
    let ts = fields.value("ts");
    let at = fields.time("at").or_else(|| moment(ts.as_ref()?));
    let metadata = fields.value("metadata").map_or(Ok(Metadata::default()), |value| Metadata::new("metadata", value));
    let mut draft = MessageDraft {
        id: fields.made("id", MessageId::new),
        role: Role::System,
        name: fields.text("name"),
        content: Vec::new(),
        at,
        pinned: fields.flag("pinned").unwrap_or(false),
        metadata: fields.accept(metadata).unwrap_or_default(),
    };
    let role = fields.made("role", |field, role| Role::new(field, &role));
    let continues = fields.count("part").unwrap_or(0) > 0;
    // A time in our own format can be written again; another is kept as a string.
    let kept = ts.filter(|ts| draft.at.is_none_or(|at| *ts != Json::from(at.to_string())));
    let mut usual = Role::Assistant;
    let kind = match kind.as_str() {
        "thought" => BlockKind::Thought(fields.required_text("content")),
        "action" => BlockKind::ToolUse {
            name: fields.required_text("tool"),
            input: fields.value("params").unwrap_or_default(),
            id: fields.text("call").unwrap_or_default(),
        },
        "observation" => {
            usual = Role::Tool;
            let result = fields.value("result");
            let output = match (fields.flag("blocks"), result) {
                (Some(true), Some(value)) => fields.accept(json::blocks("result", value)).unwrap_or_default(),
                (_, Some(value)) => vec![super::block_of(value)],
                (_, None) => Vec::new(),
            };
            let tool_use_id = fields.text("call").unwrap_or_default();
            BlockKind::ToolResult { tool_use_id, output, is_error: fields.flag("isError").unwrap_or(false) }
        }
        "block" => {
            fields.value("type");
            draft.role = role.unwrap_or(draft.role);
            if let Some(block) = fields.value("block") {
                let block = json::read_block(block).map_err(|mistake| mistake.within("block"));
                draft.content.extend(fields.accept(block));
            }
            fields.finish()?;
            return Ok((draft, continues));
        }
        name if TYPES.contains(&name) => {
            usual = Role::new("type", name)?;
            let text = fields.value("content").unwrap_or_default();
            if let Json::Array(_) = text {
                draft.content = fields.accept(json::blocks("content", text)).unwrap_or_default();
                fields.value("type");
                fields.finish()?;
                draft.role = usual;
                return Ok((draft, continues));
            }
            let Json::String(text) = text else {
                return Err(Invalid::value("content", "is required, and must be a string"));
            };
            BlockKind::Text(text)
        }
        _ => {
            draft.role = role.unwrap_or(draft.role);
            let mut own = fields.others()?;
            own.extend(kept.map(|ts| ("ts".to_owned(), ts)));
            draft.content.push(BlockKind::Other(Json::Object(own)).into());
            return Ok((draft, continues));
        }
    };
    fields.value("type");
    draft.role = role.unwrap_or(usual);
    let nested = fields.value("extra");
    let mut extra = fields.others()?;
    if let Some(Json::Object(nested)) = nested {
        extra.extend(nested);
    }
    extra.extend(kept.map(|ts| ("ts".to_owned(), ts)));
    draft.content.push(Block { kind, extra });
    Ok((draft, continues))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::{message_draft, parse};
    use crate::context::sample;

    fn lines(text: &str) -> Vec<Json> {
        text.lines().map(|line| parse(line.trim()).unwrap()).collect()
    }

    fn messages(lines: Vec<Json>) -> Vec<Message> {
        sample::stored(read(lines).unwrap())
    }

    #[test]
    fn c6_the_documented_lines_become_messages_and_the_same_lines_again() {
        let log = r#"{"type":"user","content":"Write it.","ts":"2025-01-02T10:00:00Z"}
            {"type":"thought","content":"I need a file.","ts":"2025-01-02T10:00:01.000Z"}
            {"type":"action","tool":"write_file","params":{"path":"a.md","n":1.0},"ts":"2025-01-02T10:00:02Z"}
            {"type":"observation","result":"done","ts":1735812003000}
            {"type":"observation","result":{"lines":[1,2]},"ts":"2025-01-02T10:00:04Z"}
            {"type":"observation","result":["a",{"type":"text"}],"ts":"2025-01-02T10:00:04Z"}
            {"type":"assistant","content":"It is written.","ts":"2025-01-02"}
            {"type":"system","content":"Be brief.","ts":"2025-01-02T10:00:05.000Z"}"#;
        let read = messages(lines(log));
        assert_eq!(
            read.iter().map(|message| message.role.as_str()).collect::<Vec<_>>(),
            ["user", "assistant", "assistant", "tool", "tool", "tool", "assistant", "system"]
        );
        assert_eq!(read[0].text(), "Write it.");
        assert_eq!(read[0].at.to_string(), "2025-01-02T10:00:00.000Z");
        let again: Vec<Json> = read.iter().flat_map(|message| write(message, false)).collect();
        assert_eq!(again, lines(log));
        let named: Vec<Json> = read.iter().flat_map(|message| write(message, true)).collect();
        assert_eq!(messages(named), read);
    }

    #[test]
    fn c6_lines_of_unknown_types_and_with_unknown_fields_come_back_the_same() {
        let log = r#"{"type":"checkpoint","step":4,"ts":"2025-01-02T10:00:00Z"}
            {"type":"checkpoint","step":5,"ts":"2025-01-02T10:00:00.000Z"}
            {"type":"metric","content":{"tokens":10},"result":null,"ts":"2025-01-02T10:00:00.000Z"}
            {"type":"user","content":"hi","ts":"2025-01-02T10:00:00.000Z","channel":"web"}"#;
        let again: Vec<Json> = messages(lines(log)).iter().flat_map(|message| write(message, false)).collect();
        assert_eq!(again, lines(log));
    }

    #[test]
    fn a_time_that_cannot_be_read_is_kept_beside_the_one_that_was_given() {
        let line = lines(r#"{"type":"user","content":"hi","ts":"yesterday"}"#);
        assert_eq!(read(line.clone()).unwrap()[0].at, None);
        let read = messages(line);
        let again = write(&read[0], true);
        assert_eq!(*again[0].get("ts"), "yesterday".into());
        assert_eq!(messages(again), read);
    }

    #[test]
    fn a_message_of_many_blocks_is_many_lines_and_one_message_again() {
        let whole = r#"{"id":"m","role":"assistant","name":"Ann","content":[{"type":"thought","text":"hm","signature":"s","call":1},
            {"type":"text","text":"hi"},{"type":"tool_use","id":"c","name":"t","input":{}},{"type":"file","id":"f","name":"n"},
            {"type":"redacted_thinking","data":"x"},{"type":"user","odd":1},{"type":"odd","role":"user"},
            {"type":"tool_result","toolUseId":"c","output":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}],
            "at":1735812000000,"pinned":true,"metadata":{"k":1}}"#;
        let whole = sample::stored(vec![message_draft(parse(whole).unwrap()).unwrap()]);
        let lines = write(&whole[0], true);
        assert_eq!(lines.len(), 8);
        assert_eq!(messages(lines.clone()), whole);
        let tail = messages(lines[2..].to_vec());
        assert_eq!(tail[0].content, whole[0].content[2..], "a log that is cut within a message can still be read");
    }

    #[test]
    fn bad_lines_are_refused_by_their_number_and_field() {
        let refused = |line: &str| read(vec![parse(line).unwrap()]).unwrap_err().field().to_owned();
        assert_eq!(refused(r#"{"content":"x"}"#), "lines[0].type");
        assert_eq!(refused(r#"{"type":"user","ts":0}"#), "lines[0].content");
        assert_eq!(refused(r#"{"type":"action","params":{}}"#), "lines[0].tool");
        assert_eq!(refused(r#"{"type":"thought","content":"x","role":"robot"}"#), "lines[0].role");
        assert_eq!(refused("[]"), "lines[0].type");
    }

    #[test]
    fn c6_random_messages_come_back_from_their_lines() {
        for seed in 0..2000 {
            let history = sample::history(seed);
            let lines: Vec<Json> = history.iter().flat_map(|message| write(message, true)).collect();
            let texts: Vec<Json> = lines.iter().map(|line| parse(&line.to_string()).unwrap()).collect();
            assert_eq!(messages(texts), history, "seed {seed}");
        }
    }
}
