//! An open memory: the handle, what it holds, and how it is opened and closed.

use super::keys::Keys;
use super::lane::Lane;
use super::plan::Evicted;
use super::slices::Work;
use super::state::{Pending, Spans, State};
use super::{Env, Error};
use crate::index::Meaning;
use crate::log::{Head, Page};
use crate::model::{Config, Invalid, SessionId, UserId};
use crate::store::{Durability, Revision, Space, Store, StoreError};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// An open memory, for one user. Clones are the same memory; calls may overlap.
#[derive(Debug)]
pub struct Memory<S, E> {
    pub(in crate::memory) inner: Rc<Inner<S, E>>,
}

#[derive(Debug)]
pub(in crate::memory) struct Inner<S, E> {
    pub(in crate::memory) user: UserId,
    pub(in crate::memory) store: S,
    pub(in crate::memory) env: E,
    pub(in crate::memory) keys: Keys,
    pub(in crate::memory) config: Config,
    pub(in crate::memory) state: RefCell<State>,
    /// Writes go one after the other; each plans on what the one before has left.
    pub(in crate::memory) writes: Lane,
    /// How often the index was dropped: a plan that it was dropped under is made again.
    pub(in crate::memory) dropped: Cell<u64>,
    /// Whether a plan is being polled.
    pub(super) planning: Cell<bool>,
    /// So do those that follow the log, which reads and writes both do.
    pub(in crate::memory) reads: Lane,
    pub(super) closed: Cell<bool>,
    /// Compressions that wait for an app's texts, and how many there were.
    pub(in crate::memory) pending: RefCell<Vec<Pending>>,
    pub(in crate::memory) tokens: Cell<u64>,
    /// The places that the views of sessions have as deleted, as they were at a revision: a search reads them once.
    pub(in crate::memory) deleted: RefCell<(Revision, Vec<(SessionId, Spans)>)>,
    /// How often others have told that they wrote, and up to which of these what they wrote has been seen.
    pub(super) hints: Cell<u64>,
    pub(super) heard: Cell<u64>,
    /// Who had to make room since somebody asked last; nothing is kept until somebody asks.
    pub(in crate::memory) evicted: RefCell<Option<Vec<Evicted>>>,
    /// The last calls of tools that were seen.
    pub(in crate::memory) calls: RefCell<Vec<super::traffic::Call>>,
    /// Which words are alike, if the app has said so.
    pub(in crate::memory) meaning: OnceCell<Meaning>,
    /// The work of the running slice so far.
    pub(super) spent: Cell<usize>,
    /// The watched call that is being polled.
    pub(in crate::memory) work: RefCell<Option<Rc<Work>>>,
    /// All watched calls, by the numbers that the door gave them.
    pub(in crate::memory) watched: RefCell<Vec<(usize, Rc<Work>)>>,
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
            dropped: Cell::default(),
            planning: Cell::default(),
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
    pub(super) async fn head_at(&self, revision: Revision) -> Result<Option<Head>, Error> {
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

    pub(in crate::memory) fn check_open(&self) -> Result<(), Error> {
        if self.inner.closed.get() { Err(Error::Closed) } else { Ok(()) }
    }
}
