//! What is said in a conversation: messages, and the blocks that they are made of.

use super::{Invalid, Json, MessageId, Metadata, Timestamp};

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The instructions of an app.
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
pub struct Message {
    /// Its name within the session. Two messages of a session never share one.
    pub id: MessageId,
    /// Who says it.
    pub role: Role,
    /// The name of who says it, if roles are not enough.
    pub name: Option<String>,
    /// What it says, in order.
    pub content: Vec<Block>,
    /// When it was said.
    pub at: Timestamp,
    /// Whether it stays in the window however long the conversation grows.
    pub pinned: bool,
    /// The caller's own data.
    pub metadata: Metadata,
}

/// A message that is still to be stored: its id and its time may be for the caller to fill in.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageDraft {
    /// Its name within the session, if it already has one.
    pub id: Option<MessageId>,
    /// Who says it.
    pub role: Role,
    /// The name of who says it, if roles are not enough.
    pub name: Option<String>,
    /// What it says, in order.
    pub content: Vec<Block>,
    /// When it was said, if that is known.
    pub at: Option<Timestamp>,
    /// Whether it stays in the window however long the conversation grows.
    pub pinned: bool,
    /// The caller's own data.
    pub metadata: Metadata,
}

impl MessageDraft {
    /// What somebody says, and nothing else about it.
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

/// A part of a message, with the fields that its kind does not know: what an app stores comes back the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Fields beside those of its kind, in their order. Empty for [`BlockKind::Other`], which holds all of its own.
    pub extra: Vec<(String, Json)>,
}

/// The kinds of blocks.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind {
    /// Text to read.
    Text(String),
    /// What the model thought before it spoke.
    Thought(String),
    /// The model calls a tool.
    ToolUse {
        /// What the result refers to.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Json,
    },
    /// What the tool answered.
    ToolResult {
        /// The call that it answers.
        tool_use_id: String,
        /// The answer.
        output: Vec<Block>,
        /// Whether the tool failed.
        is_error: bool,
    },
    /// An image or a file that lies elsewhere, or in the message as base64.
    File {
        /// `image/png`, `application/pdf` …; empty if nobody knows.
        media_type: String,
        /// Its name, if it has one.
        name: Option<String>,
        /// Where its bytes are.
        source: FileSource,
    },
    /// A block of a kind that this library does not know, as it came.
    Other(Json),
}

/// Where the bytes of a file are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSource {
    /// At this address.
    Url(String),
    /// Here, in base64.
    Base64(String),
    /// With the provider, under this id.
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

    /// The text of its text blocks, one under the other: no thoughts, no calls, no results.
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
