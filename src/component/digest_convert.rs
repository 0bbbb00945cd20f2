//! The twins of digests: what the interface `dialog` asks for and is answered.

use super::bindings::exports::keepsake::memory::dialog;
use crate::memory::{Decision, Digest, DigestOptions, SessionDigest};
use crate::model::{Invalid, SessionId, Timestamp};

impl TryFrom<dialog::DigestOptions> for DigestOptions {
    type Error = Invalid;

    fn try_from(options: dialog::DigestOptions) -> Result<Self, Invalid> {
        let named = |(at, id): (usize, String)| SessionId::new(&format!("sessions[{at}]"), id);
        Ok(Self {
            sessions: options.sessions.into_iter().enumerate().map(named).collect::<Result<_, _>>()?,
            since: options.since.map(|millis| Timestamp::from_millis("since", millis)).transpose()?,
            until: options.until.map(|millis| Timestamp::from_millis("until", millis)).transpose()?,
            topic: options.topic,
            max_tokens: options.max_tokens.unwrap_or(Self::default().max_tokens),
        })
    }
}

impl From<Digest> for dialog::Digested {
    fn from(digest: Digest) -> Self {
        Self {
            sessions: digest.sessions.into_iter().map(Into::into).collect(),
            left: digest.left as u64,
            tokens: digest.tokens,
        }
    }
}

impl From<SessionDigest> for dialog::SessionDigest {
    fn from(told: SessionDigest) -> Self {
        Self {
            session: told.session.to_string(),
            title: told.title,
            from: told.from.millis(),
            to: told.to.millis(),
            messages: told.messages as u64,
            topics: told.topics,
            decisions: told.decisions.into_iter().map(Into::into).collect(),
            summary: told.summary,
        }
    }
}

impl From<Decision> for dialog::Decision {
    fn from(decision: Decision) -> Self {
        Self { text: decision.text, at: decision.at.millis(), id: decision.id.map(|id| id.to_string()) }
    }
}
