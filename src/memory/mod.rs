//! The facade: an open memory of one user, joining the pure core to a store. The only part that waits.

mod agent_files;
mod agent_search;
mod call;
mod candidates;
mod collection;
mod collection_json;
mod compression;
mod context;
mod dialog;
mod dialog_json;
mod digest;
mod digest_json;
mod digest_text;
mod document_json;
mod documented;
mod driver;
mod embedding;
mod entries;
mod env;
mod erase;
mod error;
mod experience;
mod facade;
mod files;
mod files_json;
mod flow;
mod frozen;
mod graph;
mod hidden;
mod homes;
mod inspect;
mod kept;
mod keys;
mod knowledge_json;
mod lane;
mod learning;
mod log_lines;
mod long_term;
mod plan;
mod procedural;
mod profile;
mod prompt_json;
mod reading;
mod recent;
mod rerank;
mod room;
#[cfg(feature = "testing")]
pub mod scripted;
mod search;
mod search_json;
mod segments;
mod semantic;
mod sent;
mod session_files;
mod session_record;
mod slices;
mod slices_json;
#[cfg(feature = "testing")]
pub mod snapshot;
mod state;
mod stores_json;
mod talk_embedding;
mod team_files;
mod thing;
mod tools;
mod traffic;
mod verify;
mod verify_json;

pub use crate::context::compress::{Progressive, TreeReduce, Way};
pub use crate::context::formats::Format;
pub use crate::context::prompt::{Kind as PromptKind, Why};
pub use crate::context::{Item, Kind};
pub use crate::index::{DocKind, Miss, Part, Ranking};
pub use agent_files::{Activated, ContextUpdate, Note, SessionEnd, Team};
pub use agent_search::{FoundEntry, FoundPassage};
pub use collection::{Edit, FoundValue};
pub use compression::{Ends, History, Progress, Says, Shown, ToTell};
pub use context::{Context, ContextOptions, InPrompt, IngestOptions, LeftOut, RecallOptions, Recalled};
pub use dialog::{SessionInfo, Window};
pub use digest::{Decision, Digest, DigestOptions, SessionDigest};
#[cfg(feature = "component")]
pub(crate) use document_json::{changes as file_changes, document as file_document};
pub use embedding::Unembedded;
pub use env::{Env, EnvError};
pub use error::{Error, ErrorCode};
pub use experience::Tally;
pub use facade::{DialogContext, MemoryQuery, MemoryResultItem, MemoryWriteEvent};
pub use files::{Expect, File};
#[cfg(feature = "component")]
pub(crate) use files_json::command_of as tool_command;
pub use flow::TaskStep;
pub use frozen::{Damage, LogProblem, Verdict};
pub use graph::{Entity, Graph, GraphChange, Relation};
pub use learning::{LearnOptions, Lessons, Unlearned};
pub use long_term::{Origin, Outcome, Recorded};
pub use plan::Evicted;
pub use procedural::SkillQuery;
pub use reading::{ListOptions, Stats};
pub use recent::MessageRange;
pub use search::{Hit, SearchOptions};
pub use semantic::{Document, DocumentAdded, Knowledge, KnowledgeQuery};
pub use session_files::SourceChanges;
pub use slices::Work;
pub use talk_embedding::UnembeddedTalk;
pub use tools::{ToolAnswer, ToolBeside, ToolScope};
pub use verify::{StoredProblem, Verification};

use crate::index::Meaning;
use crate::log::{Head, Page};
use crate::model::{Config, Invalid, SessionId, UserId};
use crate::store::{Durability, Revision, Space, Store, StoreError};
use compression::Pending;
use keys::Keys;
use lane::Lane;
use state::State;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// An open memory, for one user. Clones are the same memory; calls may overlap.
#[derive(Debug)]
pub struct Memory<S, E> {
    inner: Rc<Inner<S, E>>,
}

#[derive(Debug)]
struct Inner<S, E> {
    user: UserId,
    store: S,
    env: E,
    keys: Keys,
    config: Config,
    state: RefCell<State>,
    /// Writes go one after the other; each plans on what the one before has left.
    writes: Lane,
    /// So do those that follow the log, which reads and writes both do.
    reads: Lane,
    closed: Cell<bool>,
    /// Compressions that wait for an app's texts, and how many there were.
    pending: RefCell<Vec<Pending>>,
    tokens: Cell<u64>,
    /// The places that the views of sessions have as deleted, as they were at a revision: a search reads them once.
    deleted: RefCell<(Revision, Vec<(SessionId, hidden::Spans)>)>,
    /// How often others have told that they wrote, and up to which of these what they wrote has been seen.
    hints: Cell<u64>,
    heard: Cell<u64>,
    /// Who had to make room since somebody asked last; nothing is kept until somebody asks.
    evicted: RefCell<Option<Vec<Evicted>>>,
    /// The last calls of tools that were seen.
    calls: RefCell<Vec<traffic::Call>>,
    /// Which words are alike, if the app has said so.
    meaning: OnceCell<Meaning>,
    /// The work of the running slice so far.
    spent: Cell<usize>,
    /// The watched call that is being polled.
    work: RefCell<Option<Rc<Work>>>,
    /// All watched calls, by the numbers that the door gave them.
    watched: RefCell<Vec<(usize, Rc<Work>)>>,
}

impl<S, E> Clone for Memory<S, E> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner) }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Opens the memory of `user`. Reads two values; everything else is read when it is needed.
    pub async fn open(store: S, env: E, user: UserId, config: Config) -> Result<Self, Error> {
        let keys = Keys::new(&user);
        let guard = store.get(Space::Meta, &[keys.guard()]).await?;
        let revision = Revision::from_bytes(guard.into_iter().next().flatten().as_deref())?;
        let inner = Inner {
            user,
            store,
            env,
            keys,
            config,
            state: RefCell::default(),
            writes: Lane::default(),
            reads: Lane::default(),
            closed: Cell::new(false),
            pending: RefCell::default(),
            tokens: Cell::default(),
            deleted: RefCell::default(),
            hints: Cell::new(0),
            heard: Cell::new(0),
            evicted: RefCell::new(None),
            calls: RefCell::default(),
            meaning: OnceCell::new(),
            spent: Cell::default(),
            work: RefCell::default(),
            watched: RefCell::default(),
        };
        let memory = Self { inner: Rc::new(inner) };
        let head = memory.head_at(revision).await?.ok_or(StoreError::Lost)?;
        *memory.inner.state.borrow_mut() = State { revision, head, ..State::default() };
        Ok(memory)
    }

    /// The end of the log at `revision`, if it goes so far.
    async fn head_at(&self, revision: Revision) -> Result<Option<Head>, Error> {
        if revision == Revision::default() {
            return Ok(Some(Head::default()));
        }
        let page = self.fetch_one(Space::Log, self.inner.keys.log_page(revision)).await?;
        Ok(page.map(|bytes| Page::decode(&bytes)).transpose()?.map(|page| page.after()))
    }

    /// Says that somebody else may have written. From the first hint on a search trusts that there will be more, and
    /// looks at the storage only after one, and so does the look whether a session needs to be compressed; every other
    /// call looks for itself.
    pub fn hint(&self) {
        self.inner.hints.set(self.inner.hints.get() + 1);
    }

    /// Takes the bytes of a file of word meanings. From then on the best ranking also finds entries with words like those of
    /// an English question. Nothing of it is stored.
    pub fn use_meaning(&self, bytes: &[u8]) -> Result<(), Error> {
        self.check_open()?;
        let meaning = Meaning::read(bytes)?;
        self.inner.meaning.set(meaning).map_err(|_| Invalid::value("meaning", "is given already").into())
    }

    /// Returns once everything that was written so far has been handed to the disk, where the medium can say so (F21).
    pub async fn flush(&self) -> Result<(), Error> {
        self.write(Durability::Strict, async |_| Ok(())).await
    }

    /// Waits for the writes under way, then lets go of the store. Later calls fail with [`Error::Closed`].
    pub async fn close(&self) -> Result<(), Error> {
        let _turn = self.inner.writes.enter().await;
        if !self.inner.closed.replace(true) {
            self.inner.store.close().await?;
        }
        Ok(())
    }

    /// How often this user's memory has been written to, as far as this handle knows.
    pub fn revision(&self) -> u64 {
        self.inner.state.borrow().revision.0
    }

    fn check_open(&self) -> Result<(), Error> {
        if self.inner.closed.get() { Err(Error::Closed) } else { Ok(()) }
    }
}
