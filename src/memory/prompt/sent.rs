//! Messages for a model: memory in them is quoted, and has no more authority than the user.

use super::context::Context;
use crate::context::Kind;
use crate::context::formats::Format;
use crate::context::prompt::{self, block_of};
use crate::memory::dialog::compression::ViewContent;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Block, BlockKind, Json, Message, MessageDraft, MessageId, Role, SessionId, Trust};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// A session's view as messages for a model. Items that replace messages are quoted, with the role of the user:
    /// summarised text gets no more authority than it had. A large message is cut to its beginning.
    pub async fn view_messages(&self, session: &SessionId) -> Result<Vec<MessageDraft>, Error> {
        let mut messages = Vec::new();
        let low_from = self.low_from(session).await?;
        for shown in self.session_view(session).await? {
            let (reference, low) = (shown.item.name(), shown.item.trust(low_from) == Trust::Low);
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
                    ..MessageDraft::new(Role::User, vec![Block::text(block_of(prompt::Kind::Summary, &[&text], low))])
                },
            });
        }
        Ok(messages)
    }

    /// The messages of a prompt in a provider's format: the app's instructions as system, quoted memory as user, and
    /// then the conversation.
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

/// A message as a draft that is stored unchanged.
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

/// Replaces blocks by a preview. A tool result remains the answer to its call, so that the pair stays complete.
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
