//! The seam between the library and durable bytes: one trait of four methods and an optional fifth, its values, and a
//! store in memory.

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

/// A group of keys with its own order. Backends have one table, object store or prefix for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Revisions.
    Meta,
    /// Records: everything but long contents.
    Records,
    /// Contents that are longer than their record's summary.
    Bodies,
    /// Pages of log links, one per commit.
    Log,
    /// Data derived from the records, which can be rebuilt.
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

/// The number of a tenant's commits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision(pub u64);

impl Revision {
    /// The next revision.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The stored form under a batch's guard: eight bytes, big-endian.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// Reads the value of a guard; a missing one is revision 0.
    pub fn from_bytes(bytes: Option<&[u8]>) -> Result<Self, StoreError> {
        match bytes {
            None => Ok(Self(0)),
            Some(bytes) => match bytes.try_into() {
                Ok(bytes) => Ok(Self(u64::from_be_bytes(bytes))),
                Err(_) => Err(StoreError::Failed("a revision must have eight bytes".into())),
            },
        }
    }
}

/// The durability of a commit when it returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives the end of the process, but perhaps not a power loss.
    #[default]
    Relaxed,
    /// It has been flushed to disk.
    Strict,
}

/// One change of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Writes a value, replacing an older one.
    Put(Space, Key, Vec<u8>),
    /// Writes a value under a key that has none, as the planner knows, and that is never overwritten, only deleted. A
    /// store may treat this as a `Put`, or keep the value where that is cheaper.
    Add(Space, Key, Vec<u8>),
    /// Deletes a key; a missing one is fine.
    Delete(Space, Key),
    /// Deletes every key of a range.
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

/// Changes that are applied atomically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteBatch {
    /// The key in [`Space::Meta`] of the tenant's revision.
    pub guard: Key,
    /// The revision that the batch was planned on.
    pub base: Revision,
    /// The changes, in order.
    pub ops: Vec<Op>,
    /// The durability of the commit when it returns.
    pub durability: Durability,
}

/// One page of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Keys and values, in the byte order of the keys.
    pub items: Vec<(Key, Vec<u8>)>,
    /// The start of the next page. `None` means that the range is exhausted; a page may be short, even empty, and still
    /// have a next one.
    pub next: Option<Key>,
}

/// Durable bytes, grouped in spaces. Implementations must pass [`contract`](self): each sentence below is a case there.
///
/// Methods may be called concurrently. A dropped future has either no effect or all of its effect.
#[allow(async_fn_in_trait, reason = "stores live on one thread, as JavaScript objects and component resources do")]
pub trait Store {
    /// The values of `keys`, in their order; `None` for a missing key.
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// Keys of `range` in byte order with their values, at most `limit` of them; the page says where to continue.
    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError>;

    /// A compare-and-swap: applies everything or nothing, and only if the value of `batch.guard` is still `batch.base`;
    /// otherwise [`StoreError::Conflict`]. On success the guard has the next revision, which is returned, and every
    /// later read sees the changes, through this handle and through others.
    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError>;

    /// Waits for this writer's turn among those of the guard's tenant, if the medium has turns; the next commit, or the
    /// end of the call, ends the turn. It is only for fairness.
    async fn turn(&self, _guard: &Key) -> Result<(), StoreError> {
        Ok(())
    }

    /// Calls `told` whenever another handle may have committed for `user`, and tells the others of the commits of this
    /// one. Returns whether the medium can: if not, every call reads the revision.
    fn listen(&self, user: &str, told: impl Fn() + 'static) -> bool {
        let _ = (user, told);
        false
    }

    /// Closes the store. Later calls fail with [`StoreError::Closed`]; closing twice is fine.
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

    fn listen(&self, user: &str, told: impl Fn() + 'static) -> bool {
        S::listen(self, user, told)
    }

    async fn close(&self) -> Result<(), StoreError> {
        S::close(self).await
    }
}
