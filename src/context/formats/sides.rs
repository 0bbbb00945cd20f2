//! Formats with a separate system prompt and two alternating sides, beginning with the user.

use super::parts::Dialect;
use super::turns::{Piece, turns};
use crate::model::{Block, Json, Message, MessageDraft, Role};

/// The first user text if a history begins with the model, which these providers refuse.
const EARLIER: &str = "[The conversation began earlier.]";

/// The system parts, and the turns: `model` is the name of the model's role, and `content` that of the content field.
pub(super) fn write(
    messages: &[Message],
    dialect: &Dialect,
    (model, content): (&str, &str),
    part: fn(Role, &Piece<'_>) -> Json,
) -> (Vec<Json>, Json) {
    let (mut system, mut out): (Vec<Json>, Vec<(&str, Vec<Json>)>) = (Vec::new(), Vec::new());
    for turn in turns(messages, &dialect.rules) {
        let parts = turn.pieces.iter().map(|piece| part(turn.role, piece));
        let side = match turn.role {
            Role::System => {
                system.extend(parts);
                continue;
            }
            Role::Assistant => model,
            Role::User | Role::Tool => "user",
        };
        if out.is_empty() && side == model {
            out.push(("user", vec![(dialect.text)(Role::User, EARLIER)]));
        }
        match out.last_mut() {
            Some((last, said)) if *last == side => said.extend(parts),
            _ => out.push((side, parts.collect())),
        }
    }
    let turn = |(side, said): (&str, _)| Json::object(vec![("role", side.into()), (content, Json::Array(said))]);
    (system, Json::Array(out.into_iter().map(turn).collect()))
}

/// Removes the text that [`write`] put first.
pub(super) fn read(mut drafts: Vec<MessageDraft>) -> Vec<MessageDraft> {
    if let Some(at) = drafts.iter().position(|draft| draft.role != Role::System)
        && drafts[at].role == Role::User
        && drafts[at].content == [Block::text(EARLIER)]
    {
        drafts.remove(at);
    }
    drafts
}
