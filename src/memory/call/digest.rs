//! Digests from JSON and to JSON.

use crate::codec::json::Fields;
use crate::memory::prompt::digest::{Decision, Digest, DigestOptions, SessionDigest};
use crate::model::{Invalid, Json, MessageId, SessionId};

pub(super) fn digest_options(mut fields: Fields) -> Result<DigestOptions, Invalid> {
    let usual = DigestOptions::default();
    let names = fields.texts("sessions");
    let options = DigestOptions {
        sessions: Vec::new(),
        since: fields.time("since"),
        until: fields.time("until"),
        topic: fields.text("topic"),
        max_tokens: fields.count("maxTokens").map_or(usual.max_tokens, |most| u32::try_from(most).unwrap_or(u32::MAX)),
    };
    fields.finish()?;
    let named = |(at, name): (usize, String)| SessionId::new(&format!("sessions[{at}]"), name);
    let sessions = names.into_iter().enumerate().map(named).collect::<Result<Vec<_>, _>>()?;
    Ok(DigestOptions { sessions, ..options })
}

pub(crate) fn digest(digest: &Digest) -> Json {
    Json::object(vec![
        ("sessions", Json::Array(digest.sessions.iter().map(session).collect())),
        ("left", digest.left.into()),
        ("tokens", u64::from(digest.tokens).into()),
    ])
}

fn session(told: &SessionDigest) -> Json {
    Json::object(vec![
        ("session", told.session.as_str().into()),
        ("title", told.title.as_deref().into()),
        ("from", told.from.to_string().into()),
        ("to", told.to.to_string().into()),
        ("messages", told.messages.into()),
        ("topics", Json::Array(told.topics.iter().map(|topic| topic.as_str().into()).collect())),
        ("decisions", Json::Array(told.decisions.iter().map(decision).collect())),
        ("summary", told.summary.as_deref().into()),
        ("trust", told.trust.as_str().into()),
    ])
}

fn decision(decision: &Decision) -> Json {
    Json::object(vec![
        ("text", decision.text.as_str().into()),
        ("at", decision.at.to_string().into()),
        ("id", decision.id.as_ref().map(MessageId::as_str).into()),
    ])
}
