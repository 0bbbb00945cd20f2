//! A copy-on-write tree: an order over immutable blocks. A change rewrites the path up to the manifest.

use super::block::{Block, Child, Id, Place, Value};
use super::bytes::torn;
use super::{Bucket, BucketError};
use keepsake::store::StoreError;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The approximate number of bytes per leaf.
const LEAF: usize = 32 * 1024;
/// The number of children per branch.
const FAN: usize = 64;
/// The number of cached blocks.
const HELD: usize = 512;
/// Values up to this length are stored in their leaf.
const INLINE: usize = 8 * 1024;
/// The most bytes of one bucket value: some buckets hold 400 KB.
const PIECE: usize = 256 * 1024;

/// The reason why a block cannot be read.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It is missing: the reference is out of date.
    Missing,
    /// Any other error.
    Store(StoreError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<BucketError> for Trouble {
    fn from(BucketError(why): BucketError) -> Self {
        Self::Store(StoreError::Failed(why))
    }
}

type Outcome<T> = Result<T, Trouble>;

/// The blocks of one storage.
#[derive(Debug)]
pub(super) struct Blocks<B> {
    pub(super) bucket: B,
    prefix: String,
    held: RefCell<BTreeMap<Id, Rc<Block>>>,
}

/// The blocks that a change of the tree writes, and those that it drops.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) fresh: Vec<(Id, Rc<Block>)>,
    pub(super) dead: Vec<Id>,
}

/// Changes in the order of their places.
type Edits<'a> = &'a [(Place, Option<Value>)];

impl<B: Bucket> Blocks<B> {
    pub(super) fn new(bucket: B, prefix: &str) -> Self {
        Self { bucket, prefix: prefix.to_owned(), held: RefCell::default() }
    }

    fn key(&self, id: Id) -> String {
        format!("{}.o.{}", self.prefix, id.text())
    }

    async fn load(&self, ids: &[Id]) -> Outcome<Vec<Rc<Block>>> {
        let missing: Vec<Id> = ids.iter().filter(|id| !self.held.borrow().contains_key(id)).copied().collect();
        if !missing.is_empty() {
            let keys: Vec<_> = missing.iter().map(|id| self.key(*id)).collect();
            let found = self.bucket.get(&keys).await?;
            let mut held = self.held.borrow_mut();
            if held.len() + missing.len() > HELD {
                held.retain(|id, _| ids.contains(id));
            }
            for (id, bytes) in missing.into_iter().zip(found) {
                held.insert(id, Rc::new(Block::decode(&bytes.ok_or(Trouble::Missing)?)?));
            }
        }
        let held = self.held.borrow();
        ids.iter().map(|id| held.get(id).cloned().ok_or(Trouble::Missing)).collect()
    }

    /// Stores a value: a long one in blocks of its own, which are written at once.
    pub(super) async fn keep(&self, bytes: Vec<u8>) -> Result<Value, BucketError> {
        if bytes.len() <= INLINE {
            return Ok(Value::Here(bytes));
        }
        let pieces: Vec<(Id, &[u8])> = bytes.chunks(PIECE).map(|piece| (Id(self.bucket.chance()), piece)).collect();
        for (id, piece) in &pieces {
            self.bucket.set(vec![(self.key(*id), piece.to_vec())]).await?;
        }
        Ok(Value::There(pieces.into_iter().map(|(id, _)| id).collect()))
    }

    /// The bytes of values.
    pub(super) async fn open(&self, values: Vec<Option<Value>>) -> Outcome<Vec<Option<Vec<u8>>>> {
        let there = |value: &Option<Value>| if let Some(Value::There(ids)) = value { ids.clone() } else { Vec::new() };
        let keys: Vec<String> = values.iter().flat_map(there).map(|id| self.key(id)).collect();
        let found = if keys.is_empty() { Vec::new() } else { self.bucket.get(&keys).await? };
        let mut pieces = found.into_iter();
        let mut opened = Vec::with_capacity(values.len());
        for value in values {
            opened.push(match value {
                None => None,
                Some(Value::Here(bytes)) => Some(bytes),
                Some(Value::There(ids)) => {
                    let parts: Option<Vec<Vec<u8>>> = ids.iter().map(|_| pieces.next().flatten()).collect();
                    Some(parts.ok_or(Trouble::Missing)?.concat())
                }
            });
        }
        Ok(opened)
    }

    /// The values at `places`, each with its index in the request.
    pub(super) async fn find(
        &self,
        children: &[Child],
        levels: u64,
        places: Vec<(usize, &Place)>,
        found: &mut [Option<Value>],
    ) -> Outcome<()> {
        let mut groups: BTreeMap<Id, Vec<(usize, &Place)>> = BTreeMap::new();
        for (at, place) in places {
            if let Some(child) = children.get(route(children, place)) {
                groups.entry(child.id).or_default().push((at, place));
            }
        }
        let ids: Vec<Id> = groups.keys().copied().collect();
        for (block, (_, wanted)) in self.load(&ids).await?.iter().zip(groups) {
            match &**block {
                Block::Branch(children) if levels > 0 => {
                    Box::pin(self.find(children, levels - 1, wanted, found)).await?;
                }
                Block::Leaf(items) if levels == 0 => {
                    for (at, place) in wanted {
                        let item = items.binary_search_by(|(other, _)| other.cmp(place)).ok();
                        found[at] = item.map(|item| items[item].1.clone());
                    }
                }
                _ => return Err(torn().into()),
            }
        }
        Ok(())
    }

    /// The leaf of `place`, and the start of the next one.
    pub(super) async fn leaf(
        &self,
        children: &[Child],
        levels: u64,
        place: &Place,
    ) -> Outcome<(Rc<Block>, Option<Place>)> {
        let mut block = Rc::new(Block::Branch(children.to_vec()));
        let mut end = None;
        for _ in 0..=levels {
            let Block::Branch(children) = &*block else { return Err(torn().into()) };
            let at = route(children, place);
            if let Some(next) = children.get(at + 1) {
                end = Some(next.first.clone());
            }
            let Some(child) = children.get(at) else { return Ok((Rc::new(Block::Leaf(Vec::new())), None)) };
            let id = child.id;
            block = self.load(&[id]).await?.pop().ok_or(Trouble::Missing)?;
        }
        Ok((block, end))
    }

    /// The blocks that replace `children` after `edits`. Small adjacent leaves are merged when they are rewritten.
    pub(super) async fn edit(
        &self,
        children: Vec<Child>,
        levels: u64,
        edits: Edits<'_>,
        work: &mut Work,
    ) -> Outcome<Vec<Child>> {
        let mut out = Vec::new();
        let mut pending = if levels == 0 { Block::Leaf(Vec::new()) } else { Block::Branch(Vec::new()) };
        if children.is_empty() {
            merge(&mut pending, &[], edits, work);
        }
        let mut rest = edits;
        for (at, child) in children.iter().enumerate() {
            let end = children.get(at + 1).map(|next| &next.first);
            let mine = rest.partition_point(|(place, _)| end.is_none_or(|end| place < end));
            let (edits, later) = rest.split_at(mine);
            rest = later;
            if edits.is_empty() {
                self.write(&mut pending, &mut out, work);
                out.push(child.clone());
                continue;
            }
            let block = self.load(&[child.id]).await?.pop().ok_or(Trouble::Missing)?;
            work.dead.push(child.id);
            match (&*block, &mut pending) {
                (Block::Leaf(items), _) if levels == 0 => merge(&mut pending, items, edits, work),
                (Block::Branch(below), Block::Branch(pending)) => {
                    pending.extend(Box::pin(self.edit(below.clone(), levels - 1, edits, work)).await?);
                }
                _ => return Err(torn().into()),
            }
        }
        self.write(&mut pending, &mut out, work);
        Ok(out)
    }

    /// Adds levels on top if there are too many blocks, and removes redundant ones.
    pub(super) async fn balance(&self, children: &mut Vec<Child>, levels: &mut u64, work: &mut Work) -> Outcome<()> {
        while children.len() > FAN {
            let mut pending = Block::Branch(std::mem::take(children));
            self.write(&mut pending, children, work);
            *levels += 1;
        }
        while let ([only], 1..) = (children.as_slice(), *levels) {
            let id = only.id;
            let fresh = work.fresh.iter().position(|(fresh, _)| *fresh == id);
            let block = match fresh {
                Some(at) => work.fresh.swap_remove(at).1,
                None => {
                    work.dead.push(id);
                    self.load(&[id]).await?.pop().ok_or(Trouble::Missing)?
                }
            };
            let Block::Branch(below) = &*block else { return Err(torn().into()) };
            *children = below.clone();
            *levels -= 1;
        }
        if children.is_empty() {
            *levels = 0;
        }
        Ok(())
    }

    /// Writes the pending items into blocks. Each but the last is full: keys mostly grow at the end.
    fn write(&self, pending: &mut Block, out: &mut Vec<Child>, work: &mut Work) {
        let mut add = |first: &Place, block: Block| {
            let id = Id(self.bucket.chance());
            out.push(Child { first: first.clone(), id });
            work.fresh.push((id, Rc::new(block)));
        };
        match pending {
            Block::Leaf(items) => {
                let mut size = 0;
                let mut leaf = Vec::new();
                for (place, value) in std::mem::take(items) {
                    size += place.len() + value.size();
                    leaf.push((place, value));
                    if size >= LEAF {
                        let full = std::mem::take(&mut leaf);
                        add(&full[0].0.clone(), Block::Leaf(full));
                        size = 0;
                    }
                }
                if let Some((first, _)) = leaf.first() {
                    add(&first.clone(), Block::Leaf(leaf));
                }
            }
            Block::Branch(children) => {
                for chunk in std::mem::take(children).chunks(FAN) {
                    add(&chunk[0].first, Block::Branch(chunk.to_vec()));
                }
            }
        }
    }

    /// Writes the new blocks of `work`, and caches them.
    pub(super) async fn store(&self, work: &Work) -> Result<(), BucketError> {
        if work.fresh.is_empty() {
            return Ok(());
        }
        let items = work.fresh.iter().map(|(id, block)| (self.key(*id), block.encode())).collect();
        self.bucket.set(items).await?;
        self.held.borrow_mut().extend(work.fresh.iter().map(|(id, block)| (*id, Rc::clone(block))));
        Ok(())
    }

    /// Deletes blocks.
    pub(super) async fn remove(&self, ids: &[Id]) -> Result<(), BucketError> {
        if ids.is_empty() {
            return Ok(());
        }
        self.held.borrow_mut().retain(|id, _| !ids.contains(id));
        self.bucket.delete(&ids.iter().map(|id| self.key(*id)).collect::<Vec<_>>()).await
    }
}

/// The index of the child of `place`. Places before the first child belong to it too.
fn route(children: &[Child], place: &Place) -> usize {
    children.partition_point(|child| child.first <= *place).saturating_sub(1)
}

/// Adds `items` with `edits` applied; replaced values with blocks of their own drop these.
fn merge(pending: &mut Block, items: &[(Place, Value)], edits: Edits<'_>, work: &mut Work) {
    let Block::Leaf(out) = pending else { return };
    let mut items = items.iter().peekable();
    for (place, value) in edits {
        while let Some(item) = items.next_if(|(other, _)| other < place) {
            out.push(item.clone());
        }
        if let Some((_, Value::There(ids))) = items.next_if(|(other, _)| other == place) {
            work.dead.extend(ids);
        }
        out.extend(value.clone().map(|value| (place.clone(), value)));
    }
    out.extend(items.cloned());
}
