//! The seam between the library and durable bytes: one trait of four methods and an optional fifth, its values, and a store in memory.

#[cfg(feature = "testing")]
pub mod contract;
mod error;
#[cfg(feature = "testing")]
mod faulty;
mod key;
mod mem;

pub use error::StoreError;
#[cfg(feature = "testing")]
pub use faulty::{Fault, FaultyStore};
pub use key::{Key, KeyRange};
pub use mem::MemStore;

/// A group of keys with its own order. Backends keep one table, object store or prefix for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Revisions.
    Meta,
    /// Records: everything but long contents.
    Records,
    /// Contents that are longer than their record's summary.
    Bodies,
    /// Pages of log links, one a commit.
    Log,
    /// What can be derived from the records, and may be thrown away.
    Index,
}

impl Space {
    /// Every space, in a fixed order.
    pub const ALL: [Self; 5] = [Self::Meta, Self::Records, Self::Bodies, Self::Log, Self::Index];

    /// Its name, as backends and hosts see it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Records => "records",
            Self::Bodies => "bodies",
            Self::Log => "log",
            Self::Index => "index",
        }
    }
}

/// How often a tenant has been written to. Each commit adds one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision(pub u64);

impl Revision {
    /// The one after this.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// As stored under a batch's guard: eight bytes, the highest first.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// Reads what a guard holds; a guard that was never written stands for revision 0.
    pub fn from_bytes(bytes: Option<&[u8]>) -> Result<Self, StoreError> {
        match bytes {
            None => Ok(Self(0)),
            Some(bytes) => match bytes.try_into() {
                Ok(bytes) => Ok(Self(u64::from_be_bytes(bytes))),
                Err(_) => Err(StoreError::Failed("a revision is not eight bytes long".into())),
            },
        }
    }
}

/// What has to have happened when a commit returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives the end of the program, though perhaps not a power cut.
    #[default]
    Relaxed,
    /// It has been handed to the disk.
    Strict,
}

/// One change of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Writes a value, over an older one if there is one.
    Put(Space, Key, Vec<u8>),
    /// Writes a value under a key that has none, as whoever plans it knows, and that nothing is put over later: it can
    /// only be taken away. A store may take this for a `Put`, or keep the value where that is cheaper.
    Add(Space, Key, Vec<u8>),
    /// Takes a key away; one that is not there is fine.
    Delete(Space, Key),
    /// Takes every key of a range away.
    DeleteRange(Space, KeyRange),
}

impl Op {
    /// The space that it changes.
    pub fn space(&self) -> Space {
        match self {
            Self::Put(space, ..) | Self::Add(space, ..) | Self::Delete(space, _) | Self::DeleteRange(space, _) => {
                *space
            }
        }
    }
}

/// Changes that happen together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteBatch {
    /// The key in [`Space::Meta`] that holds the tenant's revision.
    pub guard: Key,
    /// The revision that the batch was planned on.
    pub base: Revision,
    /// The changes, in order.
    pub ops: Vec<Op>,
    /// What has to have happened when the commit returns.
    pub durability: Durability,
}

/// A piece of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Keys and values, in the byte order of the keys.
    pub items: Vec<(Key, Vec<u8>)>,
    /// Where the next piece begins. `None` means that the range is exhausted; a page may be short, even empty, and
    /// still have a next one.
    pub next: Option<Key>,
}

/// Durable bytes, grouped in spaces. Implementations must pass [`contract`](self): each sentence below is a case there.
///
/// Methods may be called while others are under way. A future that is dropped has no effect, or all of its effect.
#[allow(async_fn_in_trait, reason = "stores live on one thread, as JavaScript objects and component resources do")]
pub trait Store {
    /// The values of `keys`, in their order; `None` for a key that is not there.
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// Keys of `range` in byte order with their values, at most `limit` of them; the page says where to go on.
    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError>;

    /// All or nothing, and only if the value of `batch.guard` is still `batch.base`; otherwise
    /// [`StoreError::Conflict`]. On success the guard holds the next revision, which is returned, and every later read
    /// sees the changes, through this handle and through others.
    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError>;

    /// Waits until other writers of this guard's tenant let this one go first, where the medium has turns; the next commit,
    /// or the end of the call, ends the turn. Nothing relies on it but fairness.
    async fn turn(&self, _guard: &Key) -> Result<(), StoreError> {
        Ok(())
    }

    /// Lets go of the medium. Calls that come later fail with [`StoreError::Closed`]; closing twice is fine.
    async fn close(&self) -> Result<(), StoreError>;
}

/// A store that several memories share.
impl<S: Store> Store for std::rc::Rc<S> {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        S::get(self, space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        S::scan(self, space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        S::commit(self, batch).await
    }

    async fn turn(&self, guard: &Key) -> Result<(), StoreError> {
        S::turn(self, guard).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        S::close(self).await
    }
}
