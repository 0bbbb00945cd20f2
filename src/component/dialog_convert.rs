//! The twins of conversations: each value of the interface `dialog` beside the value of the library that it stands for.

use super::bindings::exports::keepsake::memory::dialog;
use super::convert;
use crate::codec::json;
use crate::memory::{
    Context, ContextOptions, Damage, DocKind, Ends, Format, History, IngestOptions, Kind, Origin, Outcome, Progress,
    Progressive, PromptKind, RecallOptions, Recalled, Recorded, Says, SessionInfo, Shown, StoredProblem, ToTell,
    TreeReduce, Verdict, Verification, Way, Why, Window,
};
use crate::model::{
    AgentId, Block, BlockKind, FileSource, Invalid, Json, Message, MessageDraft, MessageId, Role, SessionId, Tags,
    Timestamp,
};

/// Pairs of cases that mean the same, in both directions.
macro_rules! twins {
    ($theirs:ty, $ours:ty, $($case:ident),+) => {
        impl From<$theirs> for $ours {
            fn from(case: $theirs) -> Self {
                match case { $(<$theirs>::$case => Self::$case),+ }
            }
        }

        impl From<$ours> for $theirs {
            fn from(case: $ours) -> Self {
                match case { $(<$ours>::$case => Self::$case),+ }
            }
        }
    };
}

pub(super) use twins;

twins!(dialog::Role, Role, System, User, Assistant, Tool);
twins!(dialog::PromptKind, PromptKind, System, Profile, Summary, Turn, Skill, Document, Memory);
twins!(dialog::Outcome, Outcome, New, Same, Corrected);
twins!(dialog::Why, Why, NoRoom, Empty, NotIncluded, Window, Policy, NoCall, NoResult);

impl From<DocKind> for dialog::RecalledKind {
    fn from(kind: DocKind) -> Self {
        match kind {
            DocKind::Entry => Self::Entry,
            DocKind::Message | DocKind::ToolTraffic => Self::Message,
            DocKind::History => Self::History,
            DocKind::Skill => Self::Skill,
            DocKind::Step => Self::Step,
            DocKind::Entity => Self::Entity,
            DocKind::Value => Self::Value,
        }
    }
}

impl From<dialog::Format> for Format {
    fn from(format: dialog::Format) -> Self {
        match format {
            dialog::Format::Openai => Self::OpenAi,
            dialog::Format::OpenaiResponses => Self::OpenAiResponses,
            dialog::Format::Anthropic => Self::Anthropic,
            dialog::Format::Gemini => Self::Gemini,
            dialog::Format::AiSdk => Self::AiSdk,
            dialog::Format::AiSdkUi => Self::AiSdkUi,
        }
    }
}

/// Messages on their way in.
pub(super) fn drafts(messages: Vec<dialog::Message>) -> Result<Vec<MessageDraft>, Invalid> {
    let read = |(at, message): (usize, dialog::Message)| {
        draft(message).map_err(|mistake| mistake.within(&format!("messages[{at}]")))
    };
    messages.into_iter().enumerate().map(read).collect()
}

/// Blocks are read as JSON, which is how they are stored: whatever is taken here can be read again.
fn draft(message: dialog::Message) -> Result<MessageDraft, Invalid> {
    let write = |(at, block): (usize, dialog::Block)| {
        write_block(block).map_err(|mistake| mistake.within(&format!("content[{at}]")))
    };
    let content = message.content.into_iter().enumerate().map(write).collect::<Result<_, _>>()?;
    let role = Role::from(message.role);
    let value = Json::object(vec![("role", role.as_str().into()), ("content", Json::Array(content))]);
    Ok(MessageDraft {
        id: message.id.map(|id| MessageId::new("id", id)).transpose()?,
        name: message.name,
        at: message.at.map(|millis| Timestamp::from_millis("at", millis)).transpose()?,
        pinned: message.pinned,
        metadata: message.metadata.map(|text| convert::metadata(&text)).transpose()?.unwrap_or_default(),
        ..json::message_draft(value)?
    })
}

fn write_block(block: dialog::Block) -> Result<Json, Invalid> {
    let fields = match block.kind {
        dialog::BlockKind::Text(text) => vec![("type", "text".into()), ("text", text.into())],
        dialog::BlockKind::Thought(text) => vec![("type", "thought".into()), ("text", text.into())],
        dialog::BlockKind::ToolUse(call) => vec![
            ("type", "tool_use".into()),
            ("id", call.id.into()),
            ("name", call.name.into()),
            ("input", convert::value("input", &call.input)?),
        ],
        dialog::BlockKind::ToolResult(result) => vec![
            ("type", "tool_result".into()),
            ("toolUseId", result.tool_use_id.into()),
            ("output", convert::value("output", &result.output)?),
            ("isError", result.is_error.into()),
        ],
        dialog::BlockKind::File(file) => vec![
            ("type", "file".into()),
            ("mediaType", file.media_type.into()),
            ("name", file.name.into()),
            match file.source {
                dialog::FileSource::Url(url) => ("url", url.into()),
                dialog::FileSource::Base64(data) => ("data", data.into()),
                dialog::FileSource::Id(id) => ("id", id.into()),
            },
        ],
        dialog::BlockKind::Other(text) => {
            return match block.extra {
                Some(_) => Err(Invalid::value("extra", "must be absent: the block has all of its own fields")),
                None => convert::object("other", &text),
            };
        }
    };
    with_extra(Json::object(fields), block.extra)
}

fn with_extra(mut block: Json, extra: Option<dialog::JsonObject>) -> Result<Json, Invalid> {
    let Some(text) = extra else { return Ok(block) };
    let Json::Object(extra) = convert::object("extra", &text)? else {
        return Err(Invalid::value("extra", "must be an object"));
    };
    if let Json::Object(fields) = &mut block {
        if extra.iter().any(|(name, _)| fields.iter().any(|(known, _)| known == name)) {
            return Err(Invalid::value("extra", "must not have a field that the block has already"));
        }
        fields.extend(extra);
    }
    Ok(block)
}

/// Messages on their way out.
pub(super) fn messages(messages: Vec<Message>) -> Vec<dialog::Message> {
    messages.into_iter().map(Into::into).collect()
}

impl From<Message> for dialog::Message {
    fn from(message: Message) -> Self {
        let Message { id, role, name, content, at, pinned, metadata } = message;
        MessageDraft { id: Some(id), role, name, content, at: Some(at), pinned, metadata }.into()
    }
}

impl From<MessageDraft> for dialog::Message {
    fn from(draft: MessageDraft) -> Self {
        Self {
            id: draft.id.map(|id| id.to_string()),
            role: draft.role.into(),
            name: draft.name,
            content: draft.content.into_iter().map(Into::into).collect(),
            at: draft.at.map(Timestamp::millis),
            pinned: draft.pinned,
            metadata: Some(draft.metadata).filter(|data| !data.is_empty()).map(|data| data.to_json().to_string()),
        }
    }
}

impl From<Block> for dialog::Block {
    fn from(block: Block) -> Self {
        let extra = Some(block.extra).filter(|extra| !extra.is_empty());
        let kind = match block.kind {
            BlockKind::Text(text) => dialog::BlockKind::Text(text),
            BlockKind::Thought(text) => dialog::BlockKind::Thought(text),
            BlockKind::ToolUse { id, name, input } => {
                dialog::BlockKind::ToolUse(dialog::ToolUse { id, name, input: input.to_string() })
            }
            BlockKind::ToolResult { tool_use_id, output, is_error } => {
                let output = Json::Array(output.iter().map(json::block).collect()).to_string();
                dialog::BlockKind::ToolResult(dialog::ToolResult { tool_use_id, output, is_error })
            }
            BlockKind::File { media_type, name, source } => dialog::BlockKind::File(dialog::File {
                media_type: Some(media_type).filter(|text| !text.is_empty()),
                name,
                source: match source {
                    FileSource::Url(url) => dialog::FileSource::Url(url),
                    FileSource::Base64(data) => dialog::FileSource::Base64(data),
                    FileSource::Id(id) => dialog::FileSource::Id(id),
                },
            }),
            BlockKind::Other(value) => dialog::BlockKind::Other(value.to_string()),
        };
        Self { kind, extra: extra.map(|extra| Json::Object(extra).to_string()) }
    }
}

impl From<Window> for dialog::Window {
    fn from(window: Window) -> Self {
        Self { messages: messages(window.messages), total: window.total, before: window.before }
    }
}

impl From<SessionInfo> for dialog::SessionInfo {
    fn from(SessionInfo { id, record }: SessionInfo) -> Self {
        Self {
            id: id.to_string(),
            title: record.title,
            agent: record.agent.map(|agent| agent.to_string()),
            created_at: record.created_at.millis(),
            updated_at: record.updated_at.millis(),
            messages: record.count,
            tokens: record.tokens,
            histories: record.histories,
            forked_from: record.forked_from.map(|(session, message)| dialog::ForkPoint {
                session: session.to_string(),
                message: message.to_string(),
            }),
        }
    }
}

impl From<Shown> for dialog::ViewItem {
    fn from(Shown { item, says }: Shown) -> Self {
        let kind = match (says, &item.kind) {
            (Says::Message(message), _) => dialog::ViewKind::Message((*message).into()),
            (Says::Text(text), Kind::Offload(..)) => dialog::ViewKind::Offload(text),
            (Says::Text(text), Kind::Summary(_)) => dialog::ViewKind::Summary(text),
            (Says::Text(text), Kind::History(..)) => dialog::ViewKind::History(text),
            (Says::Text(text), _) => dialog::ViewKind::Merge(text),
        };
        let (reference, messages) = (item.name(), item.messages());
        Self { kind, reference, role: item.role.into(), tokens: item.tokens, messages }
    }
}

/// A way of compression whose settings make sense; what it does not say of tree-reduce is as `usual`.
pub(super) fn way(way: Option<dialog::Way>, usual: TreeReduce) -> Result<Way, Invalid> {
    let way = match way {
        None => usual.checked().map(Way::TreeReduce),
        Some(dialog::Way::TreeReduce(said)) => {
            let settings = TreeReduce {
                context_tokens: said.context_tokens.unwrap_or(usual.context_tokens),
                compression_threshold: said.compression_threshold.unwrap_or(usual.compression_threshold),
                chunk_size: said.chunk_size.map_or(usual.chunk_size, |count| count as usize),
                hot_window_size: said.hot_window_size.map(|count| count as usize).or(usual.hot_window_size),
            };
            settings.checked().map(Way::TreeReduce)
        }
        Some(dialog::Way::Progressive(said)) => {
            let usual = Progressive::default();
            let settings = Progressive {
                context_tokens: said.context_tokens.unwrap_or(usual.context_tokens),
                msg_threshold: said.msg_threshold.map_or(usual.msg_threshold, |count| count as usize),
                token_ratio: said.token_ratio.unwrap_or(usual.token_ratio),
                last_keep: said.last_keep.map_or(usual.last_keep, |count| count as usize),
                large_payload: said.large_payload.unwrap_or(usual.large_payload),
                preview: said.preview.unwrap_or(usual.preview),
            };
            settings.checked().map(Way::Progressive)
        }
    };
    way.map_err(|mistake| mistake.within("way"))
}

impl From<Progress> for dialog::Progress {
    fn from(progress: Progress) -> Self {
        match progress {
            Progress::Done { changed, items, history } => {
                Self::Done(dialog::Compressed { changed, items: items as u64, history })
            }
            Progress::Needs { token, texts } => {
                let requests = texts.into_iter().map(Into::into).collect();
                Self::Waiting(dialog::Waiting { token, requests })
            }
        }
    }
}

impl From<ToTell> for dialog::SummaryRequest {
    fn from(told: ToTell) -> Self {
        Self {
            task: if told.merge { dialog::Task::Merge } else { dialog::Task::Summarise },
            max_tokens: told.max_tokens,
            messages: messages(told.messages),
            texts: told.texts,
        }
    }
}

impl From<(History, Ends)> for dialog::History {
    fn from((history, ends): (History, Ends)) -> Self {
        let [first, last] = ends.map(|id| id.map(|id| id.to_string()));
        Self {
            first,
            last,
            id: history.name(),
            messages: history.messages(),
            text: history.text,
            tokens: history.tokens,
            created_at: history.created_at.millis(),
        }
    }
}

impl TryFrom<dialog::ContextOptions> for ContextOptions {
    type Error = Invalid;

    fn try_from(options: dialog::ContextOptions) -> Result<Self, Invalid> {
        let order = options.order.map(|order| order.into_iter().map(Into::into).collect());
        Ok(Self {
            query: options.query,
            budget: options.budget,
            order: order.unwrap_or_else(|| PromptKind::ORDER.to_vec()),
            window: options.window.map(|count| count as usize),
            limit: options.limit.map(|count| count as usize),
            system: options.system,
            embedding: convert::embedding(options.embedding)?,
            task_type: options.task_type,
            agent: options.agent,
            flow: options.flow,
            ranked: Vec::new(),
        })
    }
}

impl From<Context> for dialog::Context {
    fn from(context: Context) -> Self {
        let used = context.used.into_iter().map(|used| dialog::Used {
            reference: used.reference,
            kind: used.kind.into(),
            tokens: used.tokens,
            shortened: used.shortened,
        });
        let left = context.left.into_iter().map(|left| dialog::LeftOut {
            reference: left.reference,
            kind: left.kind.into(),
            why: left.why.into(),
            range: left.range.map(|range| dialog::MessageRange {
                first: range.first.to_string(),
                last: range.last.to_string(),
                before: range.before.map(|id| id.to_string()),
                count: range.count,
            }),
        });
        Self {
            prompt: context.prompt,
            messages: messages(context.messages),
            tokens: context.tokens,
            used: used.collect(),
            left: left.collect(),
        }
    }
}

/// What to look for, and how.
pub(super) fn recall(recall: dialog::Recall) -> Result<(String, RecallOptions), Invalid> {
    let options = RecallOptions {
        limit: recall.limit.unwrap_or(super::dialog::RESULTS) as usize,
        session: recall.session.map(|id| SessionId::new("session", id)).transpose()?,
        ranking: convert::ranking(recall.ranking),
        embedding: convert::embedding(recall.embedding)?,
        agent: recall.agent.map(|id| AgentId::new("agent", id)).transpose()?.map(|agent| agent.to_string()),
        include_tool_traffic: recall.include_tool_traffic.unwrap_or_default(),
        ranked: Vec::new(),
    };
    Ok((recall.query, options))
}

impl From<Recalled> for dialog::Recalled {
    fn from(recalled: Recalled) -> Self {
        let hit = recalled.hit;
        Self {
            reference: recalled.reference,
            kind: recalled.kind.into(),
            score: hit.score,
            text: hit.summary,
            session: hit.session,
            speaker: hit.speaker,
            at: hit.at.millis(),
            // Messages and histories have their own names there.
            source: hit.source.filter(|_| recalled.kind == DocKind::Entry),
        }
    }
}

impl TryFrom<dialog::IngestOptions> for IngestOptions {
    type Error = Invalid;

    fn try_from(options: dialog::IngestOptions) -> Result<Self, Invalid> {
        Ok(Self {
            namespace: options.namespace,
            tags: Tags::new("tags", options.tags)?,
            target_chars: options.target_chars.unwrap_or(1200) as usize,
            ..Self::default()
        })
    }
}

impl TryFrom<dialog::Origin> for Origin {
    type Error = Invalid;

    fn try_from(origin: dialog::Origin) -> Result<Self, Invalid> {
        Ok(Self {
            session: origin.session.map(|id| SessionId::new("session", id)).transpose()?,
            agent: origin.agent.map(|id| AgentId::new("agent", id)).transpose()?,
            source: origin.source,
        })
    }
}

impl From<Recorded> for dialog::Recorded {
    fn from(recorded: Recorded) -> Self {
        Self { entry: recorded.entry.into(), outcome: recorded.outcome.into() }
    }
}

impl From<Verdict> for dialog::Verdict {
    fn from(verdict: Verdict) -> Self {
        let problem = verdict.problem.map(|problem| dialog::LogProblem {
            damage: problem.damage.into(),
            seq: problem.seq,
            line: problem.line.map(|line| line as u32),
            what: problem.text.to_owned(),
        });
        Self { links: verdict.links, problem }
    }
}

impl From<Verification> for dialog::Verification {
    fn from(verification: Verification) -> Self {
        let problem = |problem: StoredProblem| dialog::StoredProblem {
            kind: problem.kind.to_owned(),
            name: problem.name,
            session: problem.session.map(|session| session.to_string()),
            damage: problem.damage.into(),
            what: problem.text.to_owned(),
            repaired: problem.repaired,
        };
        Self { checked: verification.checked, problems: verification.problems.into_iter().map(problem).collect() }
    }
}

impl From<Damage> for dialog::LogDamage {
    fn from(damage: Damage) -> Self {
        match damage {
            Damage::Changed => Self::Changed,
            Damage::Missing => Self::Missing,
            Damage::Swapped => Self::Swapped,
            Damage::Doubled => Self::Doubled,
            Damage::CutOff => Self::CutOff,
            Damage::Added => Self::Added,
            Damage::NotInLog => Self::NotInLog,
            Damage::EndUnknown => Self::EndUnknown,
        }
    }
}
