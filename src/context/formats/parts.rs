//! Shared by the formats: writes a block as a provider's part, and reads a provider's fields.

use super::turns::{Piece, Rules, note};
use crate::codec::json::{parse, read_block};
use crate::context::values::MAX_DEPTH;
use crate::model::{Block, BlockKind, FileSource, Invalid, Json, MessageDraft, Role};

/// How a format writes blocks. A block that a function refuses becomes text.
pub(super) struct Dialect {
    pub(super) rules: Rules,
    pub(super) text: fn(Role, &str) -> Json,
    pub(super) thought: fn(&Block, &str) -> Option<Json>,
    pub(super) file: fn(Role, &File<'_>) -> Option<Json>,
    /// A block of a kind that only this format knows, by its type.
    pub(super) other: fn(Role, &str, &Json) -> Option<Json>,
    /// Extra fields of texts and files that this format knows.
    pub(super) extras: &'static [&'static str],
}

/// A file to write.
pub(super) struct File<'a> {
    pub(super) media: &'a str,
    pub(super) name: Option<&'a str>,
    pub(super) source: &'a FileSource,
}

impl Dialect {
    /// The part of a piece that is neither a call nor an answer.
    pub(super) fn part(&self, role: Role, piece: &Piece<'_>) -> Json {
        let block = match piece {
            Piece::Block(block) => *block,
            Piece::Note(text) => return (self.text)(role, text),
            Piece::Call(call) | Piece::Answer { call, .. } => return (self.text)(role, &call.name),
        };
        let (made, extras) = match &block.kind {
            BlockKind::Text(text) => (Some((self.text)(role, text)), self.extras),
            BlockKind::Thought(text) if role == Role::Assistant => ((self.thought)(block, text), &[][..]),
            BlockKind::File { media_type, name, source } => {
                let file = File { media: known_media(media_type, source), name: name.as_deref(), source };
                ((self.file)(role, &file), self.extras)
            }
            BlockKind::Other(value) => {
                let kind = value.get("type").as_str().unwrap_or_default();
                ((self.other)(role, kind, value), &[][..])
            }
            _ => (None, &[][..]),
        };
        match (made, &block.kind) {
            (Some(made), _) => keep(made, &block.extra, extras),
            (None, BlockKind::Thought(text)) => {
                let mut tagged = String::from(OPEN);
                tagged.push_str(text);
                tagged.push_str(CLOSE);
                (self.text)(role, &tagged)
            }
            (None, _) => (self.text)(role, &note(block)),
        }
    }

    /// The parts of a tool's output.
    pub(super) fn output(&self, output: &[Piece<'_>]) -> Vec<Json> {
        output.iter().map(|piece| self.part(Role::Tool, piece)).collect()
    }
}

/// The tags of open models around their reasoning, used where a format has no field for it.
const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// The model's blocks, with tagged text read as reasoning. Text of other roles is never read as reasoning.
pub(super) fn heard(role: Role, mut blocks: Vec<Block>) -> Vec<Block> {
    for block in &mut blocks {
        if let (Role::Assistant, BlockKind::Text(text)) = (role, &block.kind)
            && let Some(thought) = text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE))
        {
            block.kind = BlockKind::Thought(thought.to_owned());
        }
    }
    blocks
}

/// Adds the extra fields that are known.
pub(super) fn keep(mut value: Json, extra: &[(String, Json)], known: &[&str]) -> Json {
    if let Json::Object(fields) = &mut value {
        fields.extend(extra.iter().filter(|(name, _)| known.contains(&name.as_str())).cloned());
    }
    value
}

/// An extra field of a block.
pub(super) fn extra_of<'a>(extra: &'a [(String, Json)], name: &str) -> &'a Json {
    extra.iter().find(|(field, _)| field == name).map_or(&Json::Null, |(_, value)| value)
}

/// A single text without further fields as a string, anything else as an array.
pub(super) fn short(mut parts: Vec<Json>) -> Json {
    if let [Json::Object(fields)] = &mut parts[..]
        && fields.len() == 2
        && let Some((_, text @ Json::String(_))) = fields.iter_mut().find(|(name, _)| name == "text")
    {
        return std::mem::take(text);
    }
    Json::Array(parts)
}

/// Joins pieces into one string.
pub(super) fn joined(output: &[Piece<'_>]) -> String {
    let mut text = String::new();
    for piece in output {
        if !text.is_empty() {
            text.push('\n');
        }
        match piece {
            Piece::Note(part) => text.push_str(part),
            Piece::Block(Block { kind: BlockKind::Text(part) | BlockKind::Thought(part), .. }) => text.push_str(part),
            Piece::Block(block) => text.push_str(&note(block)),
            Piece::Call(call) | Piece::Answer { call, .. } => text.push_str(&call.name),
        }
    }
    text
}

/// The value of a tool's output, if it is a single value.
pub(super) fn value(output: &[Piece<'_>]) -> Option<Json> {
    if let [Piece::Block(block)] = output { crate::context::value_of(block) } else { None }
}

/// The given media type, or one detected from the first bytes.
fn known_media<'a>(given: &'a str, source: &FileSource) -> &'a str {
    let signs = [
        ("/9j/", "image/jpeg"),
        ("iVBOR", "image/png"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
        ("JVBERi", "application/pdf"),
    ];
    let FileSource::Base64(data) = source else { return given };
    let Some(open) = given.strip_suffix('*').or(given.is_empty().then_some("")) else { return given };
    let found = signs.into_iter().find(|(sign, media)| data.starts_with(sign) && media.starts_with(open));
    found.map_or(given, |(_, media)| media)
}

impl File<'_> {
    /// Its URL; a data URL for inline bytes.
    pub(super) fn url(&self) -> Option<String> {
        match self.source {
            FileSource::Url(url) => Some(url.clone()),
            FileSource::Id(_) => None,
            FileSource::Base64(data) => {
                let mut url = String::from("data:");
                url.push_str(self.media);
                url.push_str(";base64,");
                url.push_str(data);
                Some(url)
            }
        }
    }

    pub(super) fn is_image(&self) -> bool {
        self.media.starts_with("image/")
    }
}

/// The file at a URL, which may be a data URL. `media` is the fallback type.
pub(super) fn file_at(media: &str, name: &Json, url: &str) -> BlockKind {
    let here = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let (media, source) = match here {
        Some((found, data)) => (if found.is_empty() { media } else { found }, FileSource::Base64(data.to_owned())),
        None => (media, FileSource::Url(url.to_owned())),
    };
    file(media, name, source)
}

/// A file block.
pub(super) fn file(media: &str, name: &Json, source: FileSource) -> BlockKind {
    BlockKind::File { media_type: media.to_owned(), name: name.as_str().map(str::to_owned), source }
}

/// The items of an array, of an object's array field, or the single item itself.
pub(super) fn items<'a>(value: &'a Json, name: &str) -> Result<&'a [Json], Invalid> {
    if value.depth() > 60 {
        return Err(Invalid::value(name, "must be nested at most 60 levels deep"));
    }
    match (value, value.get(name)) {
        (Json::Array(items), _) | (Json::Object(_), Json::Array(items)) => Ok(items),
        (Json::Object(_), Json::Null) => Ok(std::slice::from_ref(value)),
        _ => Err(Invalid::value(name, "must be an array")),
    }
}

/// Reads each item; errors name its index.
pub(super) fn each<'a>(
    name: &str,
    items: &'a [Json],
    read: &mut dyn FnMut(&'a Json) -> Result<(), Invalid>,
) -> Result<(), Invalid> {
    for (at, item) in items.iter().enumerate() {
        read(item).map_err(|mistake| mistake.within(&format!("{name}[{at}]")))?;
    }
    Ok(())
}

/// The content in a field: a string, or parts that `read` reads.
pub(super) fn content(
    value: &Json,
    name: &str,
    read: &mut dyn FnMut(&Json) -> Result<Vec<Block>, Invalid>,
) -> Result<Vec<Block>, Invalid> {
    let mut blocks = Vec::new();
    match value.get(name) {
        Json::Null => {}
        Json::String(text) => blocks.push(Block::text(text.as_str())),
        Json::Array(parts) => each(name, parts, &mut |part| {
            blocks.extend(read(part)?);
            Ok(())
        })?,
        _ => return Err(Invalid::value(name, "must be a string or an array of parts")),
    }
    Ok(blocks)
}

/// A required string.
pub(super) fn required<'a>(value: &'a Json, name: &str) -> Result<&'a str, Invalid> {
    value.get(name).as_str().ok_or_else(|| Invalid::value(name, "is required, and must be a string"))
}

/// A block of this kind, with the fields of the part that are not `known`.
pub(super) fn block(kind: BlockKind, part: &Json, known: &[&str]) -> Block {
    let Json::Object(fields) = part else { return kind.into() };
    let rest =
        fields.iter().filter(|(name, value)| name != "type" && !known.contains(&name.as_str()) && !value.is_null());
    Block { kind, extra: rest.cloned().collect() }
}

/// A part that this format does not interpret: kept if we do not know its type either, otherwise read as ours.
pub(super) fn other(part: &Json) -> Result<Block, Invalid> {
    read_block(part.clone())
}

/// Adds a message. Tool results become messages of their own, as a call and its result are two messages (E10).
pub(super) fn push(drafts: &mut Vec<MessageDraft>, role: Role, blocks: Vec<Block>) {
    let start = drafts.len();
    for block in heard(role, blocks) {
        let role = if let BlockKind::ToolResult { .. } = block.kind { Role::Tool } else { role };
        match drafts.get_mut(start..).and_then(<[_]>::last_mut) {
            Some(draft) if draft.role == role => draft.content.push(block),
            _ => drafts.push(MessageDraft::new(role, vec![block])),
        }
    }
    if drafts.len() == start {
        drafts.push(MessageDraft::new(role, Vec::new()));
    }
}

/// Parses the arguments in a string; one that is not JSON is kept as a string.
pub(super) fn arguments(text: &str) -> Json {
    if text.trim().is_empty() {
        return Json::Object(Vec::new());
    }
    parse(text).ok().filter(|value| value.depth() <= MAX_DEPTH).unwrap_or_else(|| text.into())
}

/// The string that [`arguments`] reads as this input.
pub(super) fn arguments_text(input: &Json) -> String {
    match input {
        Json::Null => "{}".to_owned(),
        Json::String(text) if arguments(text) == *input => text.clone(),
        other => other.to_string(),
    }
}

/// The input as an object, for providers that accept nothing else.
pub(super) fn object(input: &Json) -> Json {
    match input {
        Json::Object(_) => input.clone(),
        other => Json::object(vec![("input", other.clone())]),
    }
}
