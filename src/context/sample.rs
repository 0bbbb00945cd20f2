//! Messages for tests: random histories that are the same for the same seed.

use crate::codec::json::parse;
use crate::model::{Block, BlockKind, FileSource, Json, Message, MessageDraft, MessageId, Metadata, Role, Timestamp};

/// Gives each draft a unique id and time.
pub(super) fn stored(drafts: Vec<MessageDraft>) -> Vec<Message> {
    let give = |(at, draft): (usize, MessageDraft)| {
        let moment = Timestamp::from_millis("at", 1_735_812_000_000 + at as i64 * 1001).unwrap();
        draft.into_message(MessageId::new("id", format!("m{at}")).unwrap(), moment)
    };
    drafts.into_iter().enumerate().map(give).collect()
}

/// Parses messages from JSON.
pub(super) fn messages(text: &str) -> Vec<Message> {
    let Json::Array(items) = parse(text).unwrap() else { panic!("not a list") };
    stored(items.into_iter().map(|item| crate::codec::json::message_draft(item).unwrap()).collect())
}

/// A conversation of up to two dozen messages. A call is answered once, sooner or later, in a message of a tool or of
/// the user or in its own, or never; and there are results without calls. Ids are unique.
pub(super) fn history(seed: u64) -> Vec<Message> {
    let mut random = Random::new(seed);
    let mut drafts = Vec::new();
    for _ in 0..random.below(7) {
        match random.below(5) {
            0 => drafts.push(random.said(Role::System)),
            1 | 2 => drafts.push(random.said(Role::User)),
            _ => random.step(&mut drafts),
        }
    }
    stored(drafts)
}

/// Random numbers from a seed.
pub(super) struct Random {
    state: u64,
    names: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15), names: 0 }
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % end
    }

    pub(super) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A text that no other block has, or sometimes an empty one.
    fn text(&mut self) -> String {
        if self.below(20) == 0 {
            return self.one(&["", " ", "\n"]).to_owned();
        }
        self.names += 1;
        let word =
            self.one(&["yes", "việt", "a \"b\" \\", "</think>", "{\"a\":1}", "línea\nnueva", "👩‍🚀", "\u{0}\u{7f}"]);
        format!("t{} {word}", self.names)
    }

    fn extra(&mut self) -> Vec<(String, Json)> {
        let extra = match self.below(8) {
            0 => r#"{"signature":"s=="}"#,
            1 => r#"{"cache_control":{"type":"ephemeral"},"ts":1}"#,
            2 => r#"{"content":1,"ts":"2025-01-02T10:00:00Z"}"#,
            3 => r#"{"thoughtSignature":"g","encrypted_content":"e"}"#,
            _ => "{}",
        };
        let Json::Object(extra) = parse(extra).unwrap() else { unreachable!() };
        extra
    }

    fn block(&mut self) -> Block {
        let kind = match self.below(8) {
            0 => self.file(),
            1 => BlockKind::Thought(self.text()),
            2 => {
                let kinds =
                    ["redacted_thinking", "data-x", "step-start", "user", "executableCode", "web_search_call", "odd"];
                let kind = self.one(&kinds);
                let own = self.one(&["data", "id", "ts", "role", "executableCode"]);
                return BlockKind::Other(Json::object(vec![("type", kind.into()), (own, "v".into())])).into();
            }
            _ => BlockKind::Text(self.text()),
        };
        Block { kind, extra: self.extra() }
    }

    fn file(&mut self) -> BlockKind {
        let types = ["image/png", "image/*", "application/pdf", "audio/wav", "text/plain", ""];
        BlockKind::File {
            media_type: self.one(&types).to_owned(),
            name: (self.below(2) == 0).then(|| "a b.png".to_owned()),
            source: match self.below(3) {
                0 => FileSource::Url("https://example.org/a".to_owned()),
                1 => FileSource::Base64("iVBORw0KGgoAAAA=".to_owned()),
                _ => FileSource::Id("file-1".to_owned()),
            },
        }
    }

    fn draft(&mut self, role: Role, content: Vec<Block>) -> MessageDraft {
        let mut draft = MessageDraft::new(role, content);
        draft.name = (self.below(5) == 0).then(|| self.one(&["Ann", "Bo Smith", ""]).to_owned());
        draft.pinned = self.below(5) == 0;
        if self.below(5) == 0 {
            draft.metadata = Metadata::new("metadata", parse(r#"{"a":[1.0,{"b":null}]}"#).unwrap()).unwrap();
        }
        draft
    }

    fn said(&mut self, role: Role) -> MessageDraft {
        let content = (0..self.below(4)).map(|_| self.block()).collect();
        self.draft(role, content)
    }

    /// A model message with tool calls, and their results.
    fn step(&mut self, drafts: &mut Vec<MessageDraft>) {
        let mut content: Vec<Block> = (0..self.below(3)).map(|_| self.block()).collect();
        let mut open = Vec::new();
        for _ in 0..self.below(4) {
            self.names += 1;
            let id = format!("call-{}", self.names);
            let input = parse(self.one(&["{}", r#"{"b":1.50,"a":["x"]}"#, "null", "5", r#""not json""#])).unwrap();
            let name = self.one(&["look", "search_web"]).to_owned();
            content.push(Block { kind: BlockKind::ToolUse { id: id.clone(), name, input }, extra: self.extra() });
            match self.below(6) {
                // Such a result divides the message; earlier calls are answered before later content.
                0 if open.is_empty() => content.push(self.result(id)),
                1 => {}
                _ => open.push(id),
            }
            if self.below(4) == 0 {
                content.push(self.block());
            }
        }
        drafts.push(self.draft(Role::Assistant, content));
        if self.below(6) == 0 {
            let role = if self.below(2) == 0 { Role::User } else { Role::Assistant };
            drafts.push(self.said(role));
        }
        while !open.is_empty() || self.below(8) == 0 {
            let role = if self.below(4) == 0 { Role::User } else { Role::Tool };
            let mut content = Vec::new();
            for _ in 0..=self.below(2) {
                let next = self.below(open.len() as u64 + 1) as usize;
                let id = if next < open.len() { open.remove(next) } else { format!("lost-{}", self.names) };
                content.push(self.result(id));
            }
            if self.below(5) == 0 {
                content.push(self.block());
            }
            drafts.push(self.draft(role, content));
        }
    }

    fn result(&mut self, tool_use_id: String) -> Block {
        let output = match self.below(6) {
            0 => vec![],
            1 => vec![super::block_of(parse(r#"{"ok":[true]}"#).unwrap())],
            2 => vec![Block::text(self.text()), self.file().into(), Block::text(self.text())],
            _ => vec![Block::text(self.text())],
        };
        let kind = BlockKind::ToolResult { tool_use_id, output, is_error: self.below(4) == 0 };
        Block { kind, extra: self.extra() }
    }
}
