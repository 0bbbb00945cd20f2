//! Messages on their way to a model: memory in them is quoted, and has no more authority than the user.

use super::context::Context;
use crate::context::Kind;
use crate::context::formats::Format;
use crate::context::prompt::{self, block_of};
use crate::memory::dialog::compression::ViewContent;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Block, BlockKind, Json, Message, MessageDraft, MessageId, Role, SessionId};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// A session's view as messages that can be sent to a model. What stands for others is quoted, and said by the user:
    /// whatever they were, no words of theirs get more weight than they had. A large message has its beginning.
    pub async fn view_messages(&self, session: &SessionId) -> Result<Vec<MessageDraft>, Error> {
        let mut messages = Vec::new();
        for shown in self.session_view(session).await? {
            let reference = shown.item.name();
            messages.push(match (shown.says, &shown.item.kind) {
                (ViewContent::Message(message), _) => draft_of(*message),
                (ViewContent::Text(text), Kind::Offload(id, _)) => {
                    let Some(message) = self.read_places(session, &[shown.item.first()]).await?.pop() else { continue };
                    let preview = Block::text(format!("{text}\n[shortened: reload {id}]"));
                    MessageDraft { content: shortened(&message.message.content, preview), ..draft_of(message.message) }
                }
                (ViewContent::Text(text), _) => MessageDraft {
                    id: Some(MessageId::new("ref", reference)?),
                    name: Some(prompt::tag(prompt::Kind::Summary).to_owned()),
                    ..MessageDraft::new(Role::User, vec![Block::text(block_of(prompt::Kind::Summary, &[&text]))])
                },
            });
        }
        Ok(messages)
    }

    /// The messages of a prompt as a provider takes them: the app's instructions as the system, quoted memory as the user,
    /// and then the talk.
    pub fn sent(&self, format: Format, context: &Context, system: Option<&str>) -> Result<Json, Error> {
        let used = context.used.iter().any(|used| used.kind == prompt::Kind::System);
        let (instructions, quoted) = prompt::apart(&context.prompt, system.filter(|_| used));
        let before = [(Role::System, "prompt", instructions), (Role::User, "memory", quoted)];
        let said = before.into_iter().filter(|(.., text)| !text.is_empty()).map(|(role, id, text)| MessageDraft {
            id: MessageId::new("id", id).ok(),
            ..MessageDraft::new(role, vec![Block::text(text)])
        });
        let mut messages = self.said(said.collect())?;
        messages.extend(context.messages.iter().cloned());
        Ok(format.write(&messages))
    }
}

/// A message as a draft that is the same when it is stored.
fn draft_of(message: Message) -> MessageDraft {
    MessageDraft {
        id: Some(message.id),
        role: message.role,
        name: message.name,
        content: message.content,
        at: Some(message.at),
        pinned: message.pinned,
        metadata: message.metadata,
    }
}

/// Blocks with a preview in their place. A tool's result is still the answer to its call, so that the pair stays whole.
fn shortened(content: &[Block], preview: Block) -> Vec<Block> {
    let results = content.iter().filter_map(|block| match &block.kind {
        BlockKind::ToolResult { tool_use_id, is_error, .. } => Some(Block {
            kind: BlockKind::ToolResult {
                tool_use_id: tool_use_id.clone(),
                output: vec![preview.clone()],
                is_error: *is_error,
            },
            extra: block.extra.clone(),
        }),
        _ => None,
    });
    let results: Vec<Block> = results.collect();
    if results.is_empty() { vec![preview] } else { results }
}
