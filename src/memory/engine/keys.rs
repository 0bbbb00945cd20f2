//! The keys of a tenant's data. Every key begins with the tenant, and no key is made without one (S4).

use crate::index::DocKind;
use crate::log::Change;
use crate::model::{EntryId, MessageId, SessionId, UserId};
use crate::store::{Key, KeyRange, Revision};

pub(in crate::memory) const ENTRY: &[u8] = b"e";
pub(in crate::memory) const HISTORY: &[u8] = b"h";
pub(in crate::memory) const MESSAGE: &[u8] = b"m";
pub(super) const MESSAGE_ID: &[u8] = b"i";
pub(in crate::memory) const SESSION: &[u8] = b"s";
pub(in crate::memory) const VIEW: &[u8] = b"w";
pub(in crate::memory) const STORY: &[u8] = b"y";
pub(in crate::memory) const MESSAGE_VECTOR: &[u8] = b"mv";
pub(in crate::memory) const STORY_VECTOR: &[u8] = b"yv";
pub(in crate::memory) const COMPONENTS: &[u8] = b"c";
pub(in crate::memory) const SUMMARY: &[u8] = b"d";
pub(in crate::memory) const STATE: &[u8] = b"t";
pub(in crate::memory) const STATE_VERSION: &[u8] = b"u";
pub(in crate::memory) const TASK_STEP: &[u8] = b"l";
pub(in crate::memory) const PROFILE: &[u8] = b"p";
pub(in crate::memory) const SKILL: &[u8] = b"k";
pub(in crate::memory) const SKILL_VERSION: &[u8] = b"q";
pub(in crate::memory) const STEP: &[u8] = b"x";
pub(in crate::memory) const ENTITY: &[u8] = b"g";
pub(in crate::memory) const LEARNED: &[u8] = b"r";
pub(in crate::memory) const FILE: &[u8] = b"f";
pub(in crate::memory) const FILE_VERSION: &[u8] = b"j";
pub(in crate::memory) const VALUE: &[u8] = b"n";
pub(in crate::memory) const VALUE_WORDS: &[u8] = b"o";
// In `Space::Bodies`.
const VECTOR: &[u8] = b"v";
// In `Space::Index`. The manifest sorts before the segments, so it is read first.
const MANIFEST: &[u8] = b"m";
const SEGMENT: &[u8] = b"s";

/// The number of older versions kept of a file.
pub(in crate::memory) const VERSIONS: u64 = 100;

/// The kinds of keys that begin with a session.
pub(in crate::memory) const OF_SESSION: [&[u8]; 12] = [
    SESSION,
    MESSAGE,
    MESSAGE_ID,
    VIEW,
    STORY,
    COMPONENTS,
    SUMMARY,
    STATE,
    STATE_VERSION,
    TASK_STEP,
    MESSAGE_VECTOR,
    STORY_VECTOR,
];

/// The keys of one tenant.
#[derive(Clone, Debug)]
pub(in crate::memory) struct Keys {
    tenant: Key,
}

impl Keys {
    pub(in crate::memory) fn new(user: &UserId) -> Self {
        Self { tenant: Key::default().part(user.as_str().as_bytes()) }
    }

    /// The key of the revision, in `Space::Meta`.
    pub(in crate::memory) fn guard(&self) -> Key {
        self.tenant.clone()
    }

    /// The log page of the commit that led to `revision`, in `Space::Log`.
    pub(super) fn log_page(&self, revision: Revision) -> Key {
        self.tenant.clone().number(revision.0)
    }

    /// The log pages of all commits after `revision`.
    pub(in crate::memory) fn log_after(&self, revision: Revision) -> KeyRange {
        KeyRange::prefix(self.tenant.clone()).from(self.log_page(revision.next()))
    }

    /// Everything in `Space::Index`.
    pub(in crate::memory) fn index(&self) -> KeyRange {
        KeyRange::prefix(self.tenant.clone())
    }

    /// The manifest of the stored index.
    pub(super) fn manifest(&self) -> Key {
        self.tenant.clone().part(MANIFEST)
    }

    /// The pieces of a segment.
    pub(super) fn segment(&self, number: u64) -> KeyRange {
        KeyRange::prefix(self.tenant.clone().part(SEGMENT).number(number))
    }

    /// A piece of a segment.
    pub(super) fn segment_piece(&self, number: u64, piece: u32) -> Key {
        self.tenant.clone().part(SEGMENT).number(number).number(piece.into())
    }

    /// The number of the segment that a key of `Space::Index` belongs to.
    pub(super) fn segment_of(&self, key: &Key) -> Option<u64> {
        let rest = key.as_bytes().strip_prefix(self.tenant.clone().part(SEGMENT).as_bytes())?;
        Some(u64::from_be_bytes(*rest.first_chunk()?))
    }

    /// An entry's record in `Space::Records`, and its body in `Space::Bodies`.
    pub(in crate::memory) fn entry(&self, id: &EntryId) -> Key {
        self.tenant.clone().part(ENTRY).part(id.as_str().as_bytes())
    }

    /// An entry's vector, in `Space::Bodies`.
    pub(in crate::memory) fn vector(&self, id: &EntryId) -> Key {
        self.tenant.clone().part(VECTOR).part(id.as_str().as_bytes())
    }

    /// A past version of an entry, in the same two spaces.
    pub(in crate::memory) fn version(&self, id: &EntryId, version: u32) -> Key {
        self.tenant.clone().part(HISTORY).part(id.as_str().as_bytes()).number(version.into())
    }

    /// All past versions of an entry, oldest first.
    pub(in crate::memory) fn versions(&self, id: &EntryId) -> KeyRange {
        KeyRange::prefix(self.tenant.clone().part(HISTORY).part(id.as_str().as_bytes()))
    }

    /// All entries' records.
    pub(in crate::memory) fn entries(&self) -> KeyRange {
        KeyRange::prefix(self.tenant.clone().part(ENTRY))
    }

    /// The record of a named thing.
    pub(in crate::memory) fn named(&self, named: &Named) -> Key {
        self.tenant.clone().join(&named.suffix())
    }

    /// The named thing that a key of this tenant stands for.
    pub(in crate::memory) fn named_of(&self, key: &Key) -> Option<Named> {
        Named::of(key.as_bytes().strip_prefix(self.tenant.as_bytes())?)
    }

    /// All messages of a session, or of all sessions.
    pub(in crate::memory) fn messages(&self, session: Option<&SessionId>) -> KeyRange {
        KeyRange::prefix(self.within(MESSAGE, session))
    }

    /// The messages of a session from one place to another.
    pub(super) fn messages_between(&self, session: &SessionId, from: u64, to: u64) -> KeyRange {
        let at = |place: u64| self.within(MESSAGE, Some(session)).number(place);
        KeyRange { start: at(from), end: Some(at(to)) }
    }

    /// The place of the message with an id given by the caller.
    pub(in crate::memory) fn message_id(&self, session: &SessionId, id: &MessageId) -> Key {
        self.within(MESSAGE_ID, Some(session)).part(id.as_str().as_bytes())
    }

    /// All histories of a session, or of all sessions.
    pub(in crate::memory) fn histories(&self, session: Option<&SessionId>) -> KeyRange {
        KeyRange::prefix(self.within(STORY, session))
    }

    /// The view of a session.
    pub(in crate::memory) fn view(&self, session: &SessionId) -> Key {
        self.within(VIEW, Some(session))
    }

    /// The states of an app's components.
    pub(in crate::memory) fn components(&self, session: &SessionId) -> Key {
        self.within(COMPONENTS, Some(session))
    }

    /// All sessions.
    pub(in crate::memory) fn sessions(&self) -> KeyRange {
        KeyRange::prefix(self.within(SESSION, None))
    }

    /// The app's own summary of a session.
    pub(in crate::memory) fn summary(&self, session: &SessionId) -> Key {
        self.within(SUMMARY, Some(session))
    }

    /// The state of a flow in a session.
    pub(in crate::memory) fn state(&self, session: &SessionId, flow: &str) -> Key {
        self.within(STATE, Some(session)).part(flow.as_bytes())
    }

    /// The past states of a flow, oldest first.
    pub(in crate::memory) fn state_versions(&self, session: &SessionId, flow: &str) -> KeyRange {
        KeyRange::prefix(self.within(STATE_VERSION, Some(session)).part(flow.as_bytes()))
    }

    /// One past state of a flow.
    pub(in crate::memory) fn state_version(&self, session: &SessionId, flow: &str, version: u64) -> Key {
        self.within(STATE_VERSION, Some(session)).part(flow.as_bytes()).number(version)
    }

    /// The steps of a task, with or without a session.
    pub(in crate::memory) fn task_steps(&self, session: Option<&SessionId>, task: &str) -> KeyRange {
        KeyRange::prefix(self.task(session, task))
    }

    /// One step of a task.
    pub(in crate::memory) fn task_step(&self, session: Option<&SessionId>, task: &str, number: u64) -> Key {
        self.task(session, task).number(number)
    }

    fn task(&self, session: Option<&SessionId>, task: &str) -> Key {
        // No session has an empty id.
        let session = session.map_or("", SessionId::as_str);
        self.within(TASK_STEP, None).part(session.as_bytes()).part(task.as_bytes())
    }

    /// The profile of the user.
    pub(in crate::memory) fn profile(&self) -> Key {
        self.within(PROFILE, None)
    }

    /// The progress of the learner.
    pub(in crate::memory) fn learned(&self) -> Key {
        self.within(LEARNED, None)
    }

    /// All skills.
    pub(in crate::memory) fn skills(&self) -> KeyRange {
        KeyRange::prefix(self.within(SKILL, None))
    }

    /// The past versions of a skill, oldest first.
    pub(in crate::memory) fn skill_versions(&self, id: &str) -> KeyRange {
        KeyRange::prefix(self.within(SKILL_VERSION, None).part(id.as_bytes()))
    }

    /// One past version of a skill.
    pub(in crate::memory) fn skill_version(&self, id: &str, version: u32) -> Key {
        self.within(SKILL_VERSION, None).part(id.as_bytes()).number(version.into())
    }

    /// All steps, oldest first.
    pub(in crate::memory) fn steps(&self) -> KeyRange {
        KeyRange::prefix(self.within(STEP, None))
    }

    /// All entities of the graph.
    pub(in crate::memory) fn entities(&self) -> KeyRange {
        KeyRange::prefix(self.within(ENTITY, None))
    }

    /// A file.
    pub(in crate::memory) fn file(&self, path: &str) -> Key {
        self.within(FILE, None).part(path.as_bytes())
    }

    /// All files.
    pub(in crate::memory) fn files(&self) -> KeyRange {
        KeyRange::prefix(self.within(FILE, None))
    }

    /// The past versions of a file, oldest first.
    pub(in crate::memory) fn file_versions(&self, path: &str) -> KeyRange {
        KeyRange::prefix(self.within(FILE_VERSION, None).part(path.as_bytes()))
    }

    /// One past version of a file.
    pub(in crate::memory) fn file_version(&self, path: &str, version: u64) -> Key {
        self.within(FILE_VERSION, None).part(path.as_bytes()).number(version)
    }

    /// A value of a collection. Its own key has no length prefix, so keys sort in the order of their bytes.
    pub(in crate::memory) fn value(&self, collection: &str, key: &str) -> Key {
        self.within(VALUE, None).part(collection.as_bytes()).join(key.as_bytes())
    }

    /// The indexed words of all collection values.
    pub(super) fn words_of_values(&self) -> KeyRange {
        KeyRange::prefix(self.within(VALUE_WORDS, None))
    }

    /// The key with this suffix, which is what the log holds.
    pub(in crate::memory) fn of_suffix(&self, suffix: &[u8]) -> Key {
        self.tenant.clone().join(suffix)
    }

    /// The revision of a log page.
    pub(in crate::memory) fn revision_of(&self, page: &Key) -> Option<Revision> {
        let number = page.as_bytes().strip_prefix(self.tenant.as_bytes())?;
        Some(Revision(u64::from_be_bytes(number.try_into().ok()?)))
    }

    /// A key of this tenant without the tenant, as the log holds it.
    pub(in crate::memory) fn suffix(&self, key: &Key) -> Vec<u8> {
        key.as_bytes().strip_prefix(self.tenant.as_bytes()).unwrap_or_default().to_vec()
    }

    /// Everything of a session, except its parts of the index.
    pub(in crate::memory) fn of_session(&self, session: &SessionId) -> Vec<KeyRange> {
        // The length prefix keeps a session apart from one whose id begins with the same characters.
        OF_SESSION.map(|kind| KeyRange::prefix(self.within(kind, Some(session)))).into()
    }

    fn within(&self, kind: &[u8], session: Option<&SessionId>) -> Key {
        let key = self.tenant.clone().part(kind);
        match session {
            Some(session) => key.part(session.as_str().as_bytes()),
            None => key,
        }
    }
}

/// A thing that the log names by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Named {
    Entry(EntryId),
    /// A message, by its place in its session.
    Message(SessionId, u64),
    History(SessionId, u64),
    /// The vector of a message.
    MessageVector(SessionId, u64),
    HistoryVector(SessionId, u64),
    Session(SessionId),
    Skill(String),
    /// A step, by its number.
    Step(u64),
    Entity(String),
    /// The indexed words of a value, by collection and key.
    Value(String, String),
}

impl Named {
    /// The key without the tenant, as the log holds it.
    pub(in crate::memory) fn suffix(&self) -> Vec<u8> {
        let part = |kind: &[u8], name: &str| Key::default().part(kind).part(name.as_bytes());
        let key = match self {
            Self::Entry(id) => part(ENTRY, id.as_str()),
            Self::Message(session, place) => part(MESSAGE, session.as_str()).number(*place),
            Self::History(session, number) => part(STORY, session.as_str()).number(*number),
            Self::MessageVector(session, place) => part(MESSAGE_VECTOR, session.as_str()).number(*place),
            Self::HistoryVector(session, number) => part(STORY_VECTOR, session.as_str()).number(*number),
            Self::Session(session) => part(SESSION, session.as_str()),
            Self::Skill(id) => part(SKILL, id),
            Self::Step(number) => Key::default().part(STEP).number(*number),
            Self::Entity(name) => part(ENTITY, name),
            Self::Value(collection, key) => part(VALUE_WORDS, collection).join(key.as_bytes()),
        };
        key.as_bytes().to_vec()
    }

    /// The thing that a suffix stands for, if it is listed or indexed.
    pub(in crate::memory) fn of(suffix: &[u8]) -> Option<Self> {
        let mut rest = suffix;
        let kind = take_part(&mut rest)?;
        if kind == STEP {
            return Some(Self::Step(u64::from_be_bytes(rest.try_into().ok()?)));
        }
        let name = std::str::from_utf8(take_part(&mut rest)?).ok()?;
        let session = || SessionId::new("session", name).ok();
        let number = || Some(u64::from_be_bytes(rest.try_into().ok()?));
        match kind {
            ENTRY => Some(Self::Entry(EntryId::new("id", name).ok()?)),
            MESSAGE => Some(Self::Message(session()?, number()?)),
            STORY => Some(Self::History(session()?, number()?)),
            MESSAGE_VECTOR => Some(Self::MessageVector(session()?, number()?)),
            STORY_VECTOR => Some(Self::HistoryVector(session()?, number()?)),
            SESSION => Some(Self::Session(session()?)),
            SKILL => Some(Self::Skill(name.to_owned())),
            ENTITY => Some(Self::Entity(name.to_owned())),
            VALUE_WORDS => Some(Self::Value(name.to_owned(), std::str::from_utf8(rest).ok()?.to_owned())),
            _ => None,
        }
    }

    /// The key of the vector of a message or a history.
    pub(in crate::memory) fn vector(&self) -> Option<Self> {
        match self {
            Self::Message(session, place) => Some(Self::MessageVector(session.clone(), *place)),
            Self::History(session, number) => Some(Self::HistoryVector(session.clone(), *number)),
            _ => None,
        }
    }

    /// The message or history of a vector; other names are returned unchanged.
    pub(super) fn embedded(self) -> Self {
        match self {
            Self::MessageVector(session, place) => Self::Message(session, place),
            Self::HistoryVector(session, number) => Self::History(session, number),
            named => named,
        }
    }

    /// The kind and the id of its indexed document.
    pub(super) fn doc(&self) -> Option<(DocKind, String)> {
        match self {
            Self::Entry(id) => Some((DocKind::Entry, id.to_string())),
            Self::Message(session, place) => Some((DocKind::Message, format!("{place}:{session}"))),
            Self::History(session, number) => Some((DocKind::History, format!("{number}:{session}"))),
            Self::MessageVector(..) | Self::HistoryVector(..) | Self::Session(_) => None,
            Self::Skill(id) => Some((DocKind::Skill, id.clone())),
            Self::Step(number) => Some((DocKind::Step, number.to_string())),
            Self::Entity(name) => Some((DocKind::Entity, name.clone())),
            Self::Value(collection, key) => Some((DocKind::Value, format!("{collection}\u{0}{key}"))),
        }
    }

    /// The inverse of `doc`.
    pub(in crate::memory) fn of_doc(kind: DocKind, id: &str) -> Option<Self> {
        let place = || place_of(id);
        match kind {
            DocKind::Entry => Some(Self::Entry(EntryId::new("id", id).ok()?)),
            DocKind::Message | DocKind::ToolTraffic => place().map(|(session, place)| Self::Message(session, place)),
            DocKind::History => place().map(|(session, number)| Self::History(session, number)),
            DocKind::Skill => Some(Self::Skill(id.to_owned())),
            DocKind::Step => Some(Self::Step(id.parse().ok()?)),
            DocKind::Entity => Some(Self::Entity(id.to_owned())),
            DocKind::Value => {
                let (collection, key) = id.split_once('\u{0}')?;
                Some(Self::Value(collection.to_owned(), key.to_owned()))
            }
        }
    }
}

/// The session and the place in the document id of a message or a history.
pub(in crate::memory) fn place_of(doc_id: &str) -> Option<(SessionId, u64)> {
    let (place, session) = doc_id.split_once(':')?;
    Some((SessionId::new("session", session).ok()?, place.parse().ok()?))
}

pub(in crate::memory) fn take_part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk()?;
    let (part, after) = after.split_at_checked(u16::from_be_bytes(*length).into())?;
    *rest = after;
    Some(part)
}

/// Whether a record exists after this change.
pub(super) fn is_there_after(change: Change) -> bool {
    match change {
        Change::Add | Change::Update => true,
        Change::Delete => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_log_names_is_found_again_from_its_key() {
        let keys = Keys::new(&UserId::new("user", "a:b").unwrap());
        for name in ["c", "việt", "\u{0}", "__proto__"] {
            let id = EntryId::new("id", name).unwrap();
            let session = SessionId::new("session", name).unwrap();
            let all = [
                Named::Entry(id.clone()),
                Named::Message(session.clone(), 7),
                Named::History(session.clone(), 0),
                Named::MessageVector(session.clone(), 7),
                Named::HistoryVector(session.clone(), 1),
                Named::Session(session.clone()),
                Named::Skill(name.to_owned()),
                Named::Step(u64::MAX),
                Named::Entity(name.to_owned()),
                Named::Value("c".to_owned(), name.to_owned()),
            ];
            for named in all {
                assert_eq!(Named::of(&named.suffix()), Some(named.clone()));
                if let Some((kind, id)) = named.doc() {
                    assert_eq!(Named::of_doc(kind, &id), Some(named.clone()));
                }
            }
            assert_eq!(keys.named(&Named::Entry(id.clone())), keys.entry(&id));
            assert!(keys.entries().contains(&keys.entry(&id)));
            assert!(keys.messages(Some(&session)).contains(&keys.named(&Named::Message(session.clone(), 3))));
            assert_eq!(place_of(&Named::Message(session.clone(), 3).doc().unwrap().1), Some((session, 3)));
        }
        assert_eq!(Named::of(b"x"), None);
    }

    #[test]
    fn s6_a_session_whose_name_begins_another_does_not_reach_into_it() {
        let keys = Keys::new(&UserId::new("user", "u").unwrap());
        let [short, long] = ["s1", "s10"].map(|name| SessionId::new("session", name).unwrap());
        let message = keys.named(&Named::Message(long, 1));
        assert!(keys.of_session(&short).iter().all(|range| !range.contains(&message)));
    }
}
