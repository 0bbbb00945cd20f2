//! Messages of a conversation, and their blocks.

use super::{Invalid, Json, MessageId, Metadata, Timestamp};

/// The role of a message's author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The app, with instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool that the model has called.
    Tool,
}

impl Role {
    /// Reads a role in any case (X4).
    pub fn new(field: &str, text: &str) -> Result<Self, Invalid> {
        let all = [Self::System, Self::User, Self::Assistant, Self::Tool];
        let known = all.into_iter().find(|role| role.as_str().eq_ignore_ascii_case(text));
        known.ok_or_else(|| Invalid::value(field, "must be system, user, assistant or tool"))
    }

    /// Its name in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Message {
    /// Its id, unique within the session.
    pub id: MessageId,
    /// Its role.
    pub role: Role,
    /// The name of its author, if the role is not enough.
    pub name: Option<String>,
    /// Its content, in order.
    pub content: Vec<Block>,
    /// Its time.
    pub at: Timestamp,
    /// Whether it stays in the window however long the conversation grows.
    pub pinned: bool,
    /// The caller's own data.
    pub metadata: Metadata,
}

/// A new message, whose id and time may still be missing.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct MessageDraft {
    /// Its id within the session, if it already has one.
    pub id: Option<MessageId>,
    /// Its role.
    pub role: Role,
    /// The name of its author, if the role is not enough.
    pub name: Option<String>,
    /// Its content, in order.
    pub content: Vec<Block>,
    /// Its time, if known.
    pub at: Option<Timestamp>,
    /// Whether it stays in the window however long the conversation grows.
    pub pinned: bool,
    /// The caller's own data.
    pub metadata: Metadata,
}

impl MessageDraft {
    /// A draft with only role and content.
    pub fn new(role: Role, content: Vec<Block>) -> Self {
        Self { id: None, role, name: None, content, at: None, pinned: false, metadata: Metadata::default() }
    }

    /// The message, with this id and this time unless it has its own.
    pub fn into_message(self, id: MessageId, at: Timestamp) -> Message {
        Message {
            id: self.id.unwrap_or(id),
            role: self.role,
            name: self.name,
            content: self.content,
            at: self.at.unwrap_or(at),
            pinned: self.pinned,
            metadata: self.metadata,
        }
    }
}

/// A part of a message, with the unknown fields of its kind: stored data comes back unchanged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Block {
    /// Its kind.
    pub kind: BlockKind,
    /// Fields beside those of its kind, in order. Empty for [`BlockKind::Other`], which holds all of its own.
    pub extra: Vec<(String, Json)>,
}

/// The kinds of blocks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlockKind {
    /// Text to read.
    Text(String),
    /// Reasoning of the model.
    Thought(String),
    /// A tool call of the model.
    ToolUse {
        /// The id that the result refers to.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Json,
    },
    /// The result of a tool call.
    ToolResult {
        /// The call that it answers.
        tool_use_id: String,
        /// The output.
        output: Vec<Block>,
        /// Whether the tool failed.
        is_error: bool,
    },
    /// An image or a file, stored elsewhere or inline as base64.
    File {
        /// `image/png`, `application/pdf` …; empty if unknown.
        media_type: String,
        /// Its name, if it has one.
        name: Option<String>,
        /// The location of its bytes.
        source: FileSource,
    },
    /// A block of an unknown kind, unchanged.
    Other(Json),
}

/// The location of a file's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileSource {
    /// At this URL.
    Url(String),
    /// Inline, in base64.
    Base64(String),
    /// At the provider, under this id.
    Id(String),
}

impl Block {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        BlockKind::Text(text.into()).into()
    }
}

impl From<BlockKind> for Block {
    fn from(kind: BlockKind) -> Self {
        Self { kind, extra: Vec::new() }
    }
}

impl Message {
    /// The ids of the tool calls in it.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.content.iter().filter_map(|block| match &block.kind {
            BlockKind::ToolUse { id, .. } => Some(id.as_str()),
            _ => None,
        })
    }

    /// The ids of the tool calls that it answers.
    pub fn answers(&self) -> impl Iterator<Item = &str> {
        self.content.iter().filter_map(|block| match &block.kind {
            BlockKind::ToolResult { tool_use_id, .. } => Some(tool_use_id.as_str()),
            _ => None,
        })
    }

    /// The text of its text blocks, one per line: no reasoning, no calls, no results.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for block in &self.content {
            if let BlockKind::Text(part) = &block.kind {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(part);
            }
        }
        text
    }
}
