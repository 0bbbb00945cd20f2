//! The handle of a user's memory, and how it is opened and closed.

use super::given::Given;
use super::{
    Collection, DefaultEnv, ExperienceMemory, LocalFuture, Log, MemoryFiles, ProceduralMemory, ProfileMemory,
    SemanticMemory, Session, StateMemory,
};
use crate::memory::{self as core, Env, Error, Evicted};
use crate::model::{Config, Json, UserId};
use crate::store::Store;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

/// An open memory of one user. Clones are the same memory, and calls may overlap.
///
/// `S` is the [store](Store) with the bytes, and `E` the [environment](Env) with clock and randomness: that of the
/// enabled feature, unless another one is named.
///
/// ```
/// use keepsake::{LongTerm, MemStore, Memory};
///
/// # fn main() -> Result<(), keepsake::Error> {
/// # futures::executor::block_on(async {
/// let memory = Memory::open(MemStore::new(), "u-42").await?;
/// memory.add("Deploy keys rotate on Mondays").namespace(LongTerm).tag("ops").await?;
///
/// let hits = memory.search("when do deploy keys change?").limit(5).await?;
/// assert_eq!(hits[0].summary, "Deploy keys rotate on Mondays");
/// memory.close().await
/// # })
/// # }
/// ```
///
/// # Threads
///
/// A memory lives on one thread: it is neither `Send` nor `Sync`, and nor are its futures, because the objects of a
/// browser are not. A page has one thread anyway. In a server one task owns the memory, on a thread of its own or in a
/// `tokio::task::LocalSet`, and the others send it their calls.
#[derive(Debug)]
pub struct Memory<S, E = DefaultEnv> {
    pub(super) core: core::Memory<S, E>,
    others: Rc<Others>,
}

impl<S, E> Clone for Memory<S, E> {
    fn clone(&self) -> Self {
        Self { core: self.core.clone(), others: Rc::clone(&self.others) }
    }
}

/// What follows a write of another tab or worker.
#[derive(Default)]
struct Others {
    hint: OnceCell<Box<dyn Fn()>>,
    listeners: RefCell<Vec<Rc<dyn Fn()>>>,
}

impl Others {
    fn wrote(&self) {
        if let Some(hint) = self.hint.get() {
            hint();
        }
        // Outside of the borrow: a listener may add another, or close the memory.
        let listeners = self.listeners.borrow().clone();
        listeners.iter().for_each(|changed| changed());
    }
}

impl fmt::Debug for Others {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Others").field("listeners", &self.listeners.borrow().len()).finish()
    }
}

/// Opens a memory; see `Memory::open`.
#[derive(Debug)]
#[must_use = "a memory is opened when this is awaited"]
pub struct Open<S, E = DefaultEnv> {
    store: S,
    env: E,
    user: Given<Option<UserId>>,
    config: Config,
}

impl<S, E> Open<S, E> {
    /// The settings. Default: [`Config::default`].
    pub fn config(self, config: Config) -> Self {
        Self { config, ..self }
    }

    /// The environment, in place of the default one.
    pub fn env<Other>(self, env: Other) -> Open<S, Other> {
        Open { store: self.store, env, user: self.user, config: self.config }
    }
}

impl<S: Store + 'static, E: Env + 'static> IntoFuture for Open<S, E> {
    type Output = Result<Memory<S, E>, Error>;
    type IntoFuture = LocalFuture<Memory<S, E>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            // `Given` holds either a user or the mistake in its id.
            let Some(user) = self.user.checked()? else { return Err(Error::Closed) };
            Memory::open_with(self.store, self.env, user, self.config).await
        })
    }
}

#[cfg(any(all(feature = "native", not(target_arch = "wasm32")), all(feature = "browser", target_arch = "wasm32")))]
impl<S: Store> Memory<S> {
    /// Opens the memory of `user` in a store, with the environment of the enabled feature. The user's id is any string
    /// of 1 to 256 bytes; one store may hold many users, who never see each other.
    ///
    /// ```
    /// use keepsake::{Config, MemStore, Memory};
    ///
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// let mut config = Config::default();
    /// config.retrieval.top_k = 10;
    /// let memory = Memory::open(MemStore::new(), "u-42").config(config).await?;
    /// # memory.close().await
    /// # })
    /// # }
    /// ```
    pub fn open(store: S, user: impl Into<String>) -> Open<S> {
        let mut given = Given::new(None);
        given.set(UserId::new("user", user), |given, user| *given = Some(user));
        Open { store, env: DefaultEnv::default(), user: given, config: Config::default() }
    }
}

impl<S: Store + 'static, E: Env + 'static> Memory<S, E> {
    /// Opens the memory of `user` with an environment of the app's own, and settings.
    pub async fn open_with(store: S, env: E, user: UserId, config: Config) -> Result<Self, Error> {
        let others = Rc::new(Others::default());
        let told = Rc::clone(&others);
        let listens = store.listen(user.as_str(), move || told.wrote());
        let core = core::Memory::open(store, env, user, config).await?;
        if listens {
            // From the first hint on, searches trust that hints arrive. The first one covers what was written meanwhile.
            others.hint.get_or_init(|| Box::new(core.hinter()))();
        }
        Ok(Self { core, others })
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Returns once all writes so far are on the disk, where the store can tell. Without it an acknowledged write
    /// survives the end of the program, but perhaps not a power cut.
    pub async fn flush(&self) -> Result<(), Error> {
        self.core.flush().await
    }

    /// Waits for pending writes, then closes the store. Later calls fail with [`Error::Closed`].
    pub async fn close(&self) -> Result<(), Error> {
        self.others.listeners.borrow_mut().clear();
        self.core.close().await
    }

    /// Calls `changed` whenever another tab or worker of this browser may have written to this memory, until it is
    /// closed. A store in memory or in a file has no other writers that it could tell of.
    pub fn on_change(&self, changed: impl Fn() + 'static) {
        self.others.listeners.borrow_mut().push(Rc::new(changed));
    }

    /// Tells the memory that another writer may have committed. From the first hint on, searches rely on hints and read
    /// the storage's revision only after one; every other call always reads it.
    pub fn hint(&self) {
        self.core.hint();
    }

    /// The revision that this handle knows: the number of commits of this user.
    pub fn revision(&self) -> u64 {
        self.core.revision()
    }

    /// Loads a file of word meanings, so that a search also finds similar words.
    pub fn use_meaning(&self, bytes: &[u8]) -> Result<(), Error> {
        self.core.use_meaning(bytes)
    }

    /// The entries that were evicted by full namespaces since the last call. The first call starts the record.
    pub fn evicted(&self) -> Vec<Evicted> {
        self.core.evicted()
    }

    /// The number of tokens of a text: counted by the environment's tokenizer, or else estimated for the model family of
    /// the settings.
    pub fn count_tokens(&self, text: &str) -> u32 {
        self.core.count_tokens(text)
    }

    /// Runs a verb of the JSON interface, with the names and shapes of `docs/openapi.json`: what a server or another
    /// language passes on, without a type for each call.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let args = r#"{ "content": "Tea at four", "tags": ["day"] }"#.parse().unwrap();
    /// let added = memory.call("add", args).await?;
    /// assert_eq!(added.get("namespace").as_str(), Some("short-term"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn call(&self, verb: &str, args: Json) -> Result<Json, Error> {
        self.core.call(verb, args).await
    }
}

impl<S, E> Memory<S, E> {
    /// The conversation with this id. It need not exist: the first message creates it.
    pub fn session(&self, id: impl Into<String>) -> Session<S, E> {
        Session::new(&self.core, id.into())
    }

    /// The collection of this name: the app's own values by key.
    pub fn collection(&self, name: impl Into<String>) -> Collection<S, E> {
        Collection::new(&self.core, name.into())
    }

    /// What is known about the user: one JSON object.
    pub fn profile(&self) -> ProfileMemory<S, E> {
        ProfileMemory::new(&self.core)
    }

    /// The states of flows and the steps of their tasks.
    pub fn state(&self) -> StateMemory<S, E> {
        StateMemory::new(&self.core)
    }

    /// Documents and the knowledge graph.
    pub fn semantic(&self) -> SemanticMemory<S, E> {
        SemanticMemory::new(&self.core)
    }

    /// Skills: procedures and warnings.
    pub fn procedural(&self) -> ProceduralMemory<S, E> {
        ProceduralMemory::new(&self.core)
    }

    /// The steps that agents logged, and how they ended.
    pub fn experience(&self) -> ExperienceMemory<S, E> {
        ExperienceMemory::new(&self.core)
    }

    /// The Markdown files that people read and edit.
    pub fn files(&self) -> MemoryFiles<S, E> {
        MemoryFiles::new(&self.core)
    }

    /// The tamper-evident log of all changes.
    pub fn log(&self) -> Log<S, E> {
        Log::new(&self.core)
    }

    /// The handle without builders, for tests of the library.
    #[doc(hidden)]
    pub fn core(&self) -> &core::Memory<S, E> {
        &self.core
    }
}
