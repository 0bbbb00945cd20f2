//! The stored index: immutable segments, kept in step with the records by the commits that change them.
//!
//! An entry belongs to the segment of its place in the order of writing. The commit in which the log passes the end of
//! a segment stores it. A commit that changes an entry of a stored segment rewrites that segment, so that no deleted
//! content stays in it (X1). Opening reads the segments and applies the log from the last stored one.

use super::plan::Plan;
use super::state::{DocChange, Shelf, State};
use super::{Env, Error, Memory};
use crate::codec::{Frame, Kind};
use crate::index::{FORMAT, Segment, SegmentWriter};
use crate::log::Head;
use crate::store::{Op, Revision, Space, Store};
use std::rc::Rc;

/// The number of log places per segment: few enough that rewriting one is quick, enough to keep the number of segments
/// low.
pub(super) const SPAN: u64 = 256;

/// The most bytes of one piece of a segment: some backends refuse larger values.
const PIECE: usize = 512 * 1024;

/// The approximate work of building one from its entries.
const SEGMENT: usize = 4096;

/// The most entries for which there is room after the first read: a manifest may say anything.
const EXPECTED: u64 = 1 << 20;

/// The number of values per read.
const PAGE: usize = 32;

/// The number of segments that one commit stores when there are none.
const CATCH_UP: u64 = 8;

/// The number of complete segments when the log ends at `seq`.
pub(super) fn sealed(seq: u64) -> u64 {
    seq / SPAN
}

/// The extent of the stored index.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Manifest {
    /// The log is applied from this revision.
    revision: Revision,
    head: Head,
    /// The number of segments: a missing one must be noticed.
    segments: u64,
}

impl Manifest {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        for number in [self.revision.0, self.head.seq, self.segments] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend(self.head.hash);
        Frame::seal(Kind::Index, &bytes)
    }

    /// `None` if it is corrupt, or of another format.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let (format, mut rest) = Frame::open(Kind::Index, bytes).ok()?.payload.split_first()?;
        let mut number = || {
            let (number, after) = rest.split_first_chunk()?;
            rest = after;
            Some(u64::from_be_bytes(*number))
        };
        let (revision, seq, segments) = (number()?, number()?, number()?);
        let hash = rest.try_into().ok()?;
        (*format == FORMAT).then_some(Self { revision: Revision(revision), head: Head { seq, hash }, segments })
    }
}

/// Joins the pieces of a segment as they are read.
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    expected: u32,
    found: u32,
}

impl Pieces {
    fn add(&mut self, value: &[u8]) -> Option<()> {
        let (expected, piece) = Frame::open(Kind::Index, value).ok()?.payload.split_first_chunk()?;
        self.expected = u32::from_be_bytes(*expected);
        self.found += 1;
        self.bytes.extend(piece);
        Some(())
    }

    fn whole(&self) -> Option<Segment<'_>> {
        if self.found == self.expected { Segment::read(&self.bytes) } else { None }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The index from the stored segments, and the revision to continue from; `None` if it is missing, corrupt, or of
    /// another format.
    pub(super) async fn read_segments(&self) -> Result<Option<State>, Error> {
        let Some(manifest) = self.manifest().await? else { return Ok(None) };
        if self.head_at(manifest.revision).await? != Some(manifest.head) {
            return Ok(None);
        }
        let known = self.inner.state.borrow().revision;
        let mut shelf = Shelf::default();
        let mut range = self.inner.keys.index();
        let (mut current, mut pieces, mut segments) = (u64::MAX, Pieces::default(), 0);
        let mut parted = false;
        loop {
            let page = self.page(Space::Index, &range, PAGE).await?;
            for (key, value) in &page.items {
                let Some(number) = self.inner.keys.segment_of(key) else { continue };
                // The previous segment was rewritten in fewer pieces meanwhile, or a piece is missing.
                if number != current && pieces.found > 0 {
                    return Ok(None);
                }
                current = number;
                if pieces.add(value).is_none() {
                    return Ok(None);
                }
                if pieces.found == pieces.expected {
                    if !shelf.index.load(&std::mem::take(&mut pieces).bytes) {
                        return Ok(None);
                    }
                    segments += 1;
                }
            }
            if segments <= PAGE as u64 {
                // The others are probably as full as these.
                let others = manifest.segments.saturating_sub(segments);
                let held = (shelf.index.len() as u64).saturating_mul(others) / segments.max(1);
                shelf.index.expect(held.min(EXPECTED) as usize);
            }
            parted |= pieces.found > 0;
            match page.next {
                Some(next) => range = range.from(next),
                None => break,
            }
        }
        // Pieces from two pages belong together only if the segment was not rewritten in between.
        if parted && self.current_revision().await? != known {
            return Ok(None);
        }
        // If others stored more segments after the manifest was read, the log covers them.
        let now = self.manifest().await?;
        let whole = now.is_some_and(|now| now.segments == segments || now.revision > manifest.revision);
        Ok((whole && pieces.found == 0).then_some(State {
            revision: manifest.revision,
            head: manifest.head,
            shelf: Some(shelf),
            ..State::default()
        }))
    }

    async fn manifest(&self) -> Result<Option<Manifest>, Error> {
        let found = self.fetch_one(Space::Index, self.inner.keys.manifest()).await?;
        Ok(found.and_then(|bytes| Manifest::decode(&bytes)))
    }

    /// Adds the changes of the stored index to a plan. Returns the next segment to store, if the set is then not
    /// complete.
    pub(super) async fn plan_segments(&self, plan: &mut Plan) -> Result<Option<u64>, Error> {
        let (before, after) = (sealed(plan.before.seq), sealed(plan.last_seq()));
        let mut unsaved = self.with_shelf(|shelf| shelf.unsaved);
        let mut emptied = 0;
        // The touched stored segments, each once. They come in runs; a sort would double this code.
        let mut stored: Vec<u64> = Vec::new();
        for number in plan.touched.iter().map(|seq| seq / SPAN).filter(|number| *number < before) {
            if stored.last() != Some(&number) && !stored.contains(&number) {
                stored.push(number);
            }
        }
        for number in stored {
            let range = self.inner.keys.segment(number);
            if self.is_emptied(plan, number) {
                plan.ops.push(Op::DeleteRange(Space::Index, range));
                emptied += 1;
                continue;
            }
            let page = self.page(Space::Index, &range, usize::MAX).await?;
            if page.items.is_empty() {
                continue;
            }
            let mut pieces = Pieces::default();
            let read = page.items.iter().try_for_each(|(_, value)| pieces.add(value));
            let Some(segment) = read.and_then(|()| pieces.whole()) else {
                // Records are the source of truth: a corrupt index is discarded.
                plan.ops.push(Op::DeleteRange(Space::Index, self.inner.keys.index()));
                return Ok(Some(0));
            };
            plan.ops.push(Op::DeleteRange(Space::Index, range));
            self.store_segment(plan, number, Some(&segment), &[]).await;
            self.breathe(pieces.bytes.len() / 8).await;
        }
        if let Some(next) = &mut unsaved {
            if *next == 0 {
                plan.ops.push(Op::DeleteRange(Space::Index, self.inner.keys.index()));
            }
            let end = (*next + CATCH_UP).min(before);
            let bytes = self.with_shelf(|shelf| shelf.index.segment(*next * SPAN..end * SPAN));
            let segment = Segment::read(&bytes);
            for number in *next..end {
                self.store_segment(plan, number, segment.as_ref(), &[]).await;
                self.breathe(bytes.len() / 64).await;
            }
            *next = end;
        }
        if after == before && emptied == 0 {
            return Ok(unsaved);
        }
        let manifest = match (unsaved, self.manifest().await?) {
            (None, Some(manifest)) => manifest,
            // Nothing is stored yet: the log is applied from its beginning.
            (None, None) if before == 0 => {
                Manifest { revision: Revision::default(), head: Head::default(), segments: 0 }
            }
            // The set is complete now.
            (Some(next), _) if next == before && after > before => {
                let count = |shelf: &Shelf| (0..before).filter(|at| shelf.index.between(&span(*at)) > 0).count() as u64;
                Manifest { revision: plan.base, head: plan.before, segments: self.with_shelf(count) }
            }
            _ => return Ok(unsaved),
        };
        let mut segments = manifest.segments.saturating_sub(emptied);
        if after > before {
            let recent = self.recent(&manifest).await?;
            for number in before..after {
                segments += u64::from(self.store_segment(plan, number, None, &recent).await);
                self.breathe(SEGMENT).await;
            }
            let manifest = Manifest { revision: plan.base, head: plan.before, segments };
            plan.ops.push(Op::Put(Space::Index, self.inner.keys.manifest(), manifest.encode()));
            return Ok(None);
        }
        plan.ops.push(Op::Put(Space::Index, self.inner.keys.manifest(), Manifest { segments, ..manifest }.encode()));
        Ok(unsaved)
    }

    /// Whether a plan deletes every entry of a stored segment.
    fn is_emptied(&self, plan: &Plan, number: u64) -> bool {
        let places = span(number);
        let gone = plan.touched_within(&places);
        let stays = plan.docs.iter().any(|change| change.leaf.as_ref().is_some_and(|leaf| places.contains(&leaf.seq)));
        !stays && self.with_shelf(|shelf| Some(shelf.index.between(&places))) == Some(gone)
    }

    /// Adds a new version of a segment to a plan: the documents of `old` and `recent` that the plan does not delete,
    /// and the plan's own. Returns whether it has any.
    async fn store_segment(
        &self,
        plan: &mut Plan,
        number: u64,
        old: Option<&Segment<'_>>,
        recent: &[DocChange],
    ) -> bool {
        let places = span(number);
        let mut writer = SegmentWriter::default();
        if let Some(old) = old {
            writer.copy(old, &|seq| places.contains(&seq) && !plan.touches(seq));
        }
        let known = recent.iter().filter_map(|change| change.leaf.as_ref());
        let known = known.filter(|leaf| !plan.touches(leaf.seq));
        let new = plan.docs.iter().filter_map(|change| change.leaf.as_ref());
        let leaves: Vec<_> = known.chain(new).filter(|leaf| places.contains(&leaf.seq)).collect();
        for batch in leaves.chunk_by(|one, other| Rc::ptr_eq(&one.segment, &other.segment)) {
            if let Some(segment) = batch.first().and_then(|leaf| Segment::read(&leaf.segment)) {
                writer.copy(&segment, &|seq| batch.iter().any(|leaf| leaf.seq == seq));
            }
            self.breathe(batch.first().map_or(0, |leaf| leaf.segment.len() / 4)).await;
        }
        if writer.is_empty() {
            return false;
        }
        let bytes = writer.finish();
        let pieces = bytes.chunks(PIECE);
        let count = pieces.len() as u32;
        for (piece, bytes) in (0..).zip(pieces) {
            let value = Frame::seal(Kind::Index, &[&count.to_be_bytes(), bytes].concat());
            plan.ops.push(Op::Put(Space::Index, self.inner.keys.segment_piece(number, piece), value));
        }
        true
    }

    /// The entries that are in no stored segment yet: from the loaded index, or else from the log.
    async fn recent(&self, manifest: &Manifest) -> Result<Vec<DocChange>, Error> {
        if let Some(recent) = self.with_shelf(|shelf| Some(shelf.recent.clone())) {
            return Ok(recent);
        }
        let (mut revision, mut head) = (manifest.revision, manifest.head);
        let mut recent: Vec<DocChange> = Vec::new();
        while let Some(step) = self.next_step(revision, head, true).await? {
            for change in step.docs {
                recent.retain(|known| known.kind != change.kind || known.id != change.id);
                if change.leaf.is_some() {
                    recent.push(change);
                }
            }
            (revision, head) = (step.to, step.head);
        }
        Ok(recent)
    }
}

fn span(number: u64) -> std::ops::Range<u64> {
    number * SPAN..(number + 1) * SPAN
}
