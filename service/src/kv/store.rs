//! The store: reads through the manifest, commits by swapping it.

use super::block::{Block, Id, Place, Value};
use super::manifest::{Commit, Manifest};
use super::tree::{Blocks, Trouble, Work};
use super::turns::Turns;
use super::{Bucket, BucketError, Head, Swapped};
use keepsake::store::{Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The size of changes above which they move from the manifest to the tree.
const TAIL: usize = 16 * 1024;
/// The number of changes that move to the tree in one commit, to bound the work of a commit.
const STEP: usize = 32;
/// The time after which dead blocks may be deleted: readers may still use them before.
const GRACE_MS: u64 = 60_000;
/// The number of blocks deleted at a time.
const SWEEP: usize = 64;
/// The most attempts of a commit after conflicts, and of a read after missing blocks.
const TRIES: u32 = 32;

/// The size of a storage in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of changes in the manifest.
    pub tail: usize,
    /// The size of the manifest in bytes.
    pub manifest: usize,
    /// The number of block levels between the manifest and the values.
    pub levels: u64,
    /// The number of dead blocks.
    pub dead: usize,
}

/// A storage in a bucket.
#[derive(Debug)]
pub struct KvStore<B, H> {
    blocks: Blocks<B>,
    head: H,
    turns: Turns<H>,
    /// Whether reads use one snapshot until the next commit.
    pinned: bool,
    pin: RefCell<Option<Rc<Manifest>>>,
    /// Whether cached reads may be out of date.
    stale: Cell<bool>,
    closed: Cell<bool>,
}

impl<B: Bucket, H: Head<B>> KvStore<B, H> {
    /// The storage whose keys begin with `prefix`.
    pub fn new(bucket: B, prefix: &str) -> Self {
        let (pin, stale, closed) = (RefCell::default(), Cell::default(), Cell::default());
        let (blocks, head, turns) = (Blocks::new(bucket, prefix), H::new(prefix), Turns::new(prefix));
        Self { blocks, head, turns, pinned: false, pin, stale, closed }
    }

    /// The same, for one request: all of its reads see one snapshot, which is read once. A commit always sees the
    /// newest.
    #[must_use]
    pub fn pinned(self) -> Self {
        Self { pinned: true, ..self }
    }

    /// Drops the snapshot: later reads see the newest state.
    pub fn refresh(&self) {
        *self.pin.borrow_mut() = None;
        self.stale.set(true);
    }

    /// Ends this writer's turn, if it has one. Without this call, waiting writers wait for another second.
    pub async fn leave(&self) {
        drop(self.turns.leave(&self.blocks.bucket).await);
    }

    /// The bucket.
    pub fn bucket(&self) -> &B {
        &self.blocks.bucket
    }

    /// The size of this storage in the bucket.
    pub async fn size(&self) -> Result<Size, StoreError> {
        let view = self.view().await?;
        let (manifest, dead) = (view.encode().len(), view.dead.len());
        Ok(Size { tail: view.tail.len(), manifest, levels: view.levels, dead })
    }

    fn check_open(&self) -> Result<(), StoreError> {
        if self.closed.get() { Err(StoreError::Closed) } else { Ok(()) }
    }

    async fn view(&self) -> Result<Rc<Manifest>, StoreError> {
        if let Some(view) = self.pin.borrow().as_ref() {
            return Ok(Rc::clone(view));
        }
        let bucket = &self.blocks.bucket;
        let read = if self.stale.get() { self.head.newest(bucket).await } else { self.head.read(bucket).await };
        let bytes = read.map_err(failed)?;
        let view = Rc::new(Manifest::decode(bytes.as_deref())?);
        self.hold(&view);
        Ok(view)
    }

    fn hold(&self, view: &Rc<Manifest>) {
        *self.pin.borrow_mut() = self.pinned.then(|| Rc::clone(view));
    }

    async fn find(&self, view: &Manifest, places: &[Place]) -> Result<Vec<Option<Value>>, Trouble> {
        let mut found: Vec<Option<Value>> = vec![None; places.len()];
        let mut rest = Vec::new();
        for (at, place) in places.iter().enumerate() {
            match view.tail.get(place) {
                Some(value) => found[at] = value.clone(),
                None => rest.push((at, place)),
            }
        }
        self.blocks.find(&view.children, view.levels, rest, &mut found).await?;
        Ok(found)
    }

    /// Up to `limit` places of a range with their values, and the one after them.
    async fn walk(
        &self,
        view: &Manifest,
        range: &Span,
        limit: usize,
    ) -> Result<(Vec<(Place, Value)>, Option<Place>), Trouble> {
        let mut items: Vec<(Place, Value)> = Vec::new();
        let mut from = range.start.clone();
        loop {
            let (leaf, end) = self.blocks.leaf(&view.children, view.levels, &from).await?;
            let Block::Leaf(kept) = &*leaf else { return Err(Trouble::Store(super::bytes::torn())) };
            let until = end.as_ref().map_or(&range.end, |end| end.min(&range.end)).clone();
            let skip = kept.partition_point(|(place, _)| *place < from);
            let mut kept = kept[skip..].iter().take_while(|(place, _)| *place < until).peekable();
            for (place, value) in view.tail.range(from.clone()..until.clone()) {
                while let Some(item) = kept.next_if(|(other, _)| other < place) {
                    items.push(item.clone());
                }
                kept.next_if(|(other, _)| other == place);
                items.extend(value.clone().map(|value| (place.clone(), value)));
            }
            items.extend(kept.cloned());
            if items.len() > limit {
                let next = items[limit].0.clone();
                items.truncate(limit);
                return Ok((items, Some(next)));
            }
            if until >= range.end {
                return Ok((items, None));
            }
            from = until;
        }
    }

    /// Runs a read, with a retry if blocks are missing: another writer has committed and swept meanwhile.
    async fn reading<T>(&self, read: impl AsyncFn(&Manifest) -> Result<T, Trouble>) -> Result<T, StoreError> {
        for _ in 0..TRIES {
            let view = self.view().await?;
            match read(&view).await {
                Ok(value) => return Ok(value),
                Err(Trouble::Store(error)) => return Err(error),
                Err(Trouble::Missing) => self.refresh(),
            }
        }
        Err(StoreError::Failed("a block is missing".into()))
    }

    /// The manifest after `ops`.
    async fn planned(&self, view: &Manifest, ops: &[Planned], work: &mut Work) -> Result<Manifest, Trouble> {
        let mut next = view.clone();
        let replace = |next: &mut Manifest, work: &mut Work, place: Place, value: Option<Value>| {
            if let Some(Some(Value::There(ids))) = next.tail.insert(place, value) {
                work.dead.extend(ids);
            }
        };
        for op in ops {
            match op {
                Planned::Put(place, value) => replace(&mut next, work, place.clone(), value.clone()),
                Planned::DeleteRange(span) => {
                    let (items, _) = self.walk(&next, span, usize::MAX).await?;
                    items.into_iter().for_each(|(place, _)| replace(&mut next, work, place, None));
                }
            }
        }
        let changed = next.tail.len().saturating_sub(view.tail.len());
        if next.tail_size() > TAIL {
            self.flush(&mut next, STEP.max(2 * changed), work).await?;
        }
        if next.tail_size() > 4 * TAIL {
            self.flush(&mut next, usize::MAX, work).await?;
        }
        Ok(next)
    }

    /// Moves up to `count` changes from the manifest into the tree, starting where the last flush stopped.
    async fn flush(&self, next: &mut Manifest, count: usize, work: &mut Work) -> Result<(), Trouble> {
        // Round robin: the rest of the last flush comes first.
        let later = next.tail.split_off(&next.cursor);
        let mut queue: Vec<_> = later.into_iter().chain(std::mem::take(&mut next.tail)).collect();
        let rest = queue.split_off(count.min(queue.len()));
        next.cursor = rest.first().map(|(place, _)| place.clone()).unwrap_or_default();
        next.tail = rest.into_iter().collect();
        queue.sort_unstable_by(|(place, _), (other, _)| place.cmp(other));
        let children = std::mem::take(&mut next.children);
        next.children = self.blocks.edit(children, next.levels, &queue, work).await?;
        self.blocks.balance(&mut next.children, &mut next.levels, work).await
    }

    /// Deletes blocks that have been dead for long enough.
    async fn sweep(&self, next: &mut Manifest) -> Result<(), StoreError> {
        let now = self.blocks.bucket.now();
        // Clocks of hosts differ, so this stops at the first block that is not old enough.
        let old = next.dead.iter().take_while(|(since, _)| since.saturating_add(GRACE_MS) <= now).count();
        if old < SWEEP {
            return Ok(());
        }
        let gone: Vec<Id> = next.dead.drain(..SWEEP).map(|(_, id)| id).collect();
        // Before the swap: if that fails, the blocks are still listed, and are deleted again.
        self.blocks.remove(&gone).await.map_err(failed)
    }

    /// One attempt of a commit.
    async fn attempt(&self, batch: &Prepared) -> Result<Revision, Attempt> {
        let (seen, bytes) = self.head.begin(&self.blocks.bucket).await.map_err(failed)?;
        let view = Manifest::decode(bytes.as_deref())?;
        let guard = self.find(&view, std::slice::from_ref(&batch.guard)).await?.pop().flatten();
        let guard = self.blocks.open(vec![guard]).await?.pop().flatten();
        let current = Revision::from_bytes(guard.as_deref())?;
        if current != batch.base {
            return Err(StoreError::Conflict { current }.into());
        }
        let mut work = Work::default();
        let mut next = self.planned(&view, &batch.ops, &mut work).await?;
        self.sweep(&mut next).await?;
        let now = self.blocks.bucket.now();
        // A block that is both made and dropped in this commit was never written.
        let Work { fresh, dead } = &mut work;
        let unused = |id: &Id| dead.contains(id);
        let superfluous: Vec<Id> = fresh.iter().map(|(id, _)| *id).filter(unused).collect();
        fresh.retain(|(id, _)| !superfluous.contains(id));
        dead.retain(|id| !superfluous.contains(id));
        next.dead.extend(dead.iter().map(|id| (now, *id)));
        let chance = self.blocks.bucket.chance();
        let commit: Commit = std::array::from_fn(|at| chance[at]);
        next.remember(commit);
        self.blocks.store(&work).await.map_err(failed)?;
        match self.head.swap(&self.blocks.bucket, seen, next.encode()).await.map_err(failed)? {
            Swapped::Yes => {
                self.hold(&Rc::new(next));
                Ok(batch.base.next())
            }
            Swapped::No => {
                // Some hosts report this for every error, even if the swap succeeded: live blocks must not be deleted.
                let bytes = self.head.newest(&self.blocks.bucket).await.map_err(failed)?;
                let newest = Manifest::decode(bytes.as_deref())?;
                if newest.recent.contains(&commit) {
                    return Ok(batch.base.next());
                }
                Err(Attempt::Again(work.fresh.iter().map(|(id, _)| *id).collect()))
            }
        }
    }

    async fn prepare(&self, batch: WriteBatch) -> Result<Prepared, StoreError> {
        let mut ops = Vec::with_capacity(batch.ops.len() + 1);
        for op in batch.ops {
            ops.push(match op {
                Op::Put(space, key, bytes) | Op::Add(space, key, bytes) => {
                    let value = self.blocks.keep(bytes).await.map_err(failed)?;
                    Planned::Put(place(space, &key), Some(value))
                }
                Op::Delete(space, key) => Planned::Put(place(space, &key), None),
                Op::DeleteRange(space, range) => Planned::DeleteRange(Span::of(space, &range)),
            });
        }
        let guard = place(Space::Meta, &batch.guard);
        ops.push(Planned::Put(guard.clone(), Some(Value::Here(batch.base.next().to_bytes().to_vec()))));
        Ok(Prepared { guard, base: batch.base, ops })
    }

    /// Deletes the values that a failed commit has written.
    async fn abandon(&self, batch: &Prepared, mut unused: Vec<Id>) -> Result<(), StoreError> {
        let there = |op: &Planned| match op {
            Planned::Put(_, Some(Value::There(ids))) => ids.clone(),
            _ => Vec::new(),
        };
        unused.extend(batch.ops.iter().flat_map(there));
        self.blocks.remove(&unused).await.map_err(failed)
    }
}

/// A batch whose long values are written.
struct Prepared {
    guard: Place,
    base: Revision,
    ops: Vec<Planned>,
}

enum Planned {
    Put(Place, Option<Value>),
    DeleteRange(Span),
}

/// Places from `start` up to, but not including, `end`.
struct Span {
    start: Place,
    end: Place,
}

impl Span {
    fn of(space: Space, range: &KeyRange) -> Self {
        let end = range.end.as_ref().map_or_else(|| vec![space as u8 + 1], |end| place(space, end));
        let start = place(space, &range.start);
        // An end before the start is an empty range.
        Self { end: end.max(start.clone()), start }
    }
}

enum Attempt {
    /// Lost the race, perhaps against an unrelated commit. These blocks were written in vain.
    Again(Vec<Id>),
    Failed(StoreError),
}

impl From<StoreError> for Attempt {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl From<Trouble> for Attempt {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Missing => Self::Again(Vec::new()),
            Trouble::Store(error) => Self::Failed(error),
        }
    }
}

impl<B: Bucket, H: Head<B>> Store for KvStore<B, H> {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.check_open()?;
        let places: Vec<Place> = keys.iter().map(|key| place(space, key)).collect();
        self.reading(async |view| self.blocks.open(self.find(view, &places).await?).await).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.check_open()?;
        let span = Span::of(space, range);
        self.reading(async |view| {
            let (items, next) = self.walk(view, &span, limit).await?;
            let (places, values): (Vec<Place>, Vec<Option<Value>>) =
                items.into_iter().map(|(place, value)| (place, Some(value))).unzip();
            let values = self.blocks.open(values).await?.into_iter().flatten();
            Ok(Page {
                items: places.iter().map(|place| key(place)).zip(values).collect(),
                next: next.map(|next| key(&next)),
            })
        })
        .await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.check_open()?;
        let batch = self.prepare(batch).await?;
        drop(self.turns.enter(&self.blocks.bucket).await);
        self.refresh();
        // Deleted once the manifest has changed: until then, a swap that was given up might still succeed.
        let mut unused = Vec::new();
        for tries in 0..TRIES {
            match self.attempt(&batch).await {
                Ok(revision) => {
                    self.blocks.remove(&unused).await.map_err(failed)?;
                    self.leave().await;
                    return Ok(revision);
                }
                Err(Attempt::Again(blocks)) => {
                    unused.extend(blocks);
                    self.blocks.bucket.pause(tries.min(8)).await;
                }
                Err(Attempt::Failed(error @ StoreError::Conflict { .. })) => {
                    self.abandon(&batch, unused).await?;
                    // Turns are only for fairness: without them it is a race again.
                    drop(self.turns.lose(&self.blocks.bucket).await);
                    return Err(error);
                }
                // The commit may have succeeded, so its blocks must stay.
                Err(Attempt::Failed(error)) => return Err(error),
            }
        }
        Err(StoreError::Failed("write conflict: lost every retry".into()))
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.closed.set(true);
        Ok(())
    }
}

fn place(space: Space, key: &Key) -> Place {
    let mut place = vec![space as u8];
    place.extend(key.as_bytes());
    place
}

fn key(place: &[u8]) -> Key {
    Key::from_bytes(place[1..].to_vec())
}

fn failed(BucketError(why): BucketError) -> StoreError {
    StoreError::Failed(why)
}
