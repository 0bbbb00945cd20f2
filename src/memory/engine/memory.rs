//! An open memory: the handle, its fields, and how it is opened and closed.

use super::keys::Keys;
use super::lane::Lane;
use super::plan::Evicted;
use super::slices::Work;
use super::state::{Pending, Spans, State};
use super::writers::Writers;
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
    /// Serialises writes; each plans on the result of the previous one.
    pub(in crate::memory) writers: Writers,
    /// The number of times the index was dropped. A plan made across a drop is made again.
    pub(in crate::memory) dropped: Cell<u64>,
    /// Whether a plan is being polled.
    pub(super) planning: Cell<bool>,
    /// Serialises calls that apply the log, which reads and writes both do.
    pub(in crate::memory) reads: Lane,
    pub(super) closed: Cell<bool>,
    /// Compressions that wait for summaries from the app, and the number of compressions so far.
    pub(in crate::memory) pending: RefCell<Vec<Pending>>,
    pub(in crate::memory) tokens: Cell<u64>,
    /// The deleted places in the views of sessions, cached for one revision: a search reads them once.
    pub(in crate::memory) deleted: RefCell<(Revision, Vec<(SessionId, Spans)>)>,
    /// The number of change notifications so far, and the number up to which they have been applied.
    pub(super) hints: Cell<u64>,
    pub(super) heard: Cell<u64>,
    /// The evictions since the last poll; `None` until the first poll.
    pub(in crate::memory) evicted: RefCell<Option<Vec<Evicted>>>,
    /// The most recent tool calls.
    pub(in crate::memory) calls: RefCell<Vec<super::traffic::Call>>,
    /// The word meanings, if the app has loaded them.
    pub(in crate::memory) meaning: OnceCell<Meaning>,
    /// The language packs, and the context of the last message.
    pub(in crate::memory) judging: RefCell<super::judging::Judging>,
    /// The cache of results derived from stored texts.
    pub(in crate::memory) derived: RefCell<super::derived::Derived>,
    /// The work done in the current slice.
    pub(super) spent: Cell<usize>,
    /// The watched call that is being polled.
    pub(in crate::memory) work: RefCell<Option<Rc<Work>>>,
    /// All watched calls, by the ids that the door gave them.
    pub(in crate::memory) watched: RefCell<Vec<(usize, Rc<Work>)>>,
}

impl<S, E> Clone for Memory<S, E> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner) }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Opens the memory of `user`. Reads two values; everything else is read on first use.
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
            writers: Writers::default(),
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
            judging: RefCell::default(),
            derived: RefCell::default(),
            spent: Cell::default(),
            work: RefCell::default(),
            watched: RefCell::default(),
        };
        let memory = Self { inner: Rc::new(inner) };
        let head = memory.head_at(revision).await?.ok_or(StoreError::Lost)?;
        *memory.inner.state.borrow_mut() = State { revision, head, ..State::default() };
        Ok(memory)
    }

    /// The head of the log at `revision`, if the log reaches it.
    pub(super) async fn head_at(&self, revision: Revision) -> Result<Option<Head>, Error> {
        if revision == Revision::default() {
            return Ok(Some(Head::default()));
        }
        let page = self.fetch_one(Space::Log, self.inner.keys.log_page(revision)).await?;
        Ok(page.map(|bytes| Page::decode(&bytes)).transpose()?.map(|page| page.after()))
    }

    /// Notifies the memory that another writer may have committed. From the first hint on, searches and the compression
    /// check trust that more will come, and read the storage's revision only after one; every other call always reads
    /// it.
    pub fn hint(&self) {
        self.inner.hints.set(self.inner.hints.get() + 1);
    }

    /// A function that calls [`hint`](Self::hint), and does not keep the memory open.
    pub(crate) fn hinter(&self) -> impl Fn() + use<S, E> {
        let inner = Rc::downgrade(&self.inner);
        move || {
            if let Some(inner) = inner.upgrade() {
                Self { inner }.hint();
            }
        }
    }

    /// Loads a file of word meanings. From then on the best ranking also finds entries with words similar to those of
    /// an English question. Nothing of it is stored.
    pub fn use_meaning(&self, bytes: &[u8]) -> Result<(), Error> {
        self.check_open()?;
        let meaning = Meaning::read(bytes)?;
        self.inner.meaning.set(meaning).map_err(|_| Invalid::value("meaning", "is already loaded").into())
    }

    /// Returns once all writes so far have been flushed to disk, where the medium can tell (F21).
    pub async fn flush(&self) -> Result<(), Error> {
        self.write(Durability::Strict, async |_| Ok(())).await
    }

    /// Waits for pending writes, then closes the store. Later calls fail with [`Error::Closed`].
    pub async fn close(&self) -> Result<(), Error> {
        let _turn = self.inner.writers.enter().await;
        if !self.inner.closed.replace(true) {
            self.inner.store.close().await?;
        }
        Ok(())
    }

    /// The revision that this handle knows: the number of commits of this user.
    pub fn revision(&self) -> u64 {
        self.inner.state.borrow().revision.0
    }

    /// A text in NFKD, in which texts are compared. ASCII is its own decomposition.
    pub(in crate::memory) fn decomposed(&self, text: &str) -> String {
        if text.is_ascii() { text.to_owned() } else { self.inner.env.decompose(text) }
    }

    pub(in crate::memory) fn check_open(&self) -> Result<(), Error> {
        if self.inner.closed.get() { Err(Error::Closed) } else { Ok(()) }
    }
}
