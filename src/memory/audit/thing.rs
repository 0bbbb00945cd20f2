//! A key of the log in readable form: kind, name and session.

use crate::memory::engine::keys::{
    self, COMPONENTS, ENTITY, ENTRY, FILE, HISTORY, LEARNED, MESSAGE, MESSAGE_VECTOR, OF_SESSION, PROFILE, SESSION,
    SKILL, SKILL_VERSION, STATE, STATE_VERSION, STEP, STORY, STORY_VECTOR, SUMMARY, TASK_STEP, VALUE, VALUE_WORDS,
    VIEW, take_part,
};
use crate::model::SessionId;
use crate::store::Key;

/// Past versions, whose contents are stored separately.
pub(super) const ENTRY_VERSION: &str = "entry version";

/// Past versions, of which only the newest are kept.
pub(super) const OLD_FILE: &str = "file version";

/// A key of the log in readable form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Thing {
    /// The kind of thing.
    pub(in crate::memory) kind: &'static str,
    /// Its id, path or key; empty for singletons.
    pub(in crate::memory) name: String,
    /// The session that it belongs to.
    pub(in crate::memory) session: Option<SessionId>,
    /// The key of its parent: the current version of a past one, the session of its parts.
    pub(super) parent: Option<Vec<u8>>,
    /// The number at the end of its key: of a version, a message, a step.
    pub(in crate::memory) number: Option<u64>,
}

impl Thing {
    pub(in crate::memory) fn of(suffix: &[u8]) -> Self {
        let mut rest = suffix;
        let kind = take_part(&mut rest).unwrap_or_default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let first = if kind == STEP || kind == PROFILE || kind == LEARNED {
            &[]
        } else {
            take_part(&mut rest).unwrap_or_default()
        };
        let session = if OF_SESSION.contains(&kind) { SessionId::new("session", text(first)).ok() } else { None };
        let second = || take_part(&mut { rest }).unwrap_or_default().to_vec();
        let number = rest.last_chunk().map(|bytes| u64::from_be_bytes(*bytes));
        let numbered = || number.map_or(String::new(), |number| number.to_string());
        let (name_of_kind, name) = match kind {
            ENTRY => ("entry", text(first)),
            HISTORY => (ENTRY_VERSION, text(first)),
            MESSAGE => ("message", numbered()),
            SESSION => ("session", text(first)),
            VIEW => ("view", String::new()),
            STORY => ("history", numbered()),
            MESSAGE_VECTOR | STORY_VECTOR => ("embedding", numbered()),
            COMPONENTS => ("components", String::new()),
            SUMMARY => ("summary", String::new()),
            STATE => ("state", text(&second())),
            STATE_VERSION => ("state version", text(&second())),
            TASK_STEP => ("task step", text(&second())),
            PROFILE => ("profile", String::new()),
            LEARNED => ("learner", String::new()),
            SKILL => ("skill", text(first)),
            SKILL_VERSION => ("skill version", text(first)),
            STEP => ("step", numbered()),
            ENTITY => ("entity", text(first)),
            FILE => ("file", text(first)),
            keys::FILE_VERSION => (OLD_FILE, text(first)),
            VALUE => ("value", text(rest)),
            VALUE_WORDS => ("words of a value", text(rest)),
            _ => ("record", String::new()),
        };
        let key = |kind: &[u8], name: &[u8]| Key::default().part(kind).part(name).as_bytes().to_vec();
        let parent = match kind {
            HISTORY => Some(key(ENTRY, first)),
            keys::FILE_VERSION => Some(key(FILE, first)),
            SKILL_VERSION => Some(key(SKILL, first)),
            _ => session.as_ref().map(|session| key(SESSION, session.as_str().as_bytes())),
        };
        Self { kind: name_of_kind, name, session, parent, number }
    }
}
