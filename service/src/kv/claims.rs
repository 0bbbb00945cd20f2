//! A compare-and-swap built on a counter, for buckets without their own.
//!
//! A writer draws a number from the counter and writes its value, with the slot that it was planned on, into the slot
//! of that number. Slots are read in order: a slot is valid if it was planned on the last valid slot. So all readers
//! agree.
//!
//! If a number was drawn and its slot stays empty, its owner may be dead or slow. After a timeout others decide about
//! the slot in turns; a turn belongs to the first writer that increments its counter. The owner of a turn writes the
//! value of the latest turn before it, or else that the slot is void. A value is decided once it is written and nobody
//! has claimed the next turn: a later claimant finds the value and writes the same again. So a slot never has two
//! values, however slow a writer is; the timeout is needed for progress, not for correctness.

use super::bytes::{Reader, Writer};
use super::{Bucket, BucketError, Head, Swapped};
use keepsake::store::StoreError;
use std::collections::BTreeMap;

/// The pauses while waiting for an empty slot.
pub(super) const PAUSES: [u32; 8] = [1, 2, 4, 8, 16, 64, 256, 1024];
/// The number of old slots kept for slow readers. Few in tests, so that slots do disappear.
const KEPT: u64 = if cfg!(test) { 3 } else { 64 };

/// The content of a slot whose owner was given up.
const VOID: &[u8] = b"void";

/// The head of a bucket that only has counters.
#[derive(Debug)]
pub struct Claims {
    prefix: String,
}

/// The last valid slot, and the last slot that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    counts: u64,
    looked: u64,
}

/// The content of a slot.
struct Slot {
    /// The slot that it was planned on.
    base: u64,
    /// The value; `None` if the slot is void.
    value: Option<Vec<u8>>,
}

impl Slot {
    fn encode(base: u64, value: &[u8]) -> Vec<u8> {
        let mut out = Writer::new();
        out.number(base);
        out.bytes(value);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        if bytes == VOID {
            return Ok(Self { base: 0, value: None });
        }
        let mut from = Reader::new(bytes)?;
        Ok(Self { base: from.number()?, value: Some(from.bytes()?) })
    }
}

impl Claims {
    fn counter(&self) -> String {
        format!("{}.c", self.prefix)
    }

    /// The key of the hint, from which readers start.
    fn hint(&self) -> String {
        format!("{}.h", self.prefix)
    }

    /// The key of a turn's value. The first turn belongs to the writer that drew the number.
    fn turn(&self, slot: u64, turn: u64) -> String {
        format!("{}.p.{slot}.{turn}", self.prefix)
    }

    fn claim(&self, slot: u64, turn: u64) -> String {
        format!("{}.s.{slot}.{turn}", self.prefix)
    }

    async fn one<B: Bucket>(bucket: &B, key: String) -> Result<Option<Vec<u8>>, BucketError> {
        Ok(bucket.get(&[key]).await?.pop().flatten())
    }

    /// The content of a slot, if it is decided already. The order of the reads matters: a value that exists before the
    /// next turn is seen to be unclaimed is decided.
    async fn decided<B: Bucket>(&self, bucket: &B, slot: u64, turn: u64) -> Result<Found, BucketError> {
        let Some(value) = Self::one(bucket, self.turn(slot, turn)).await? else { return Ok(Found::Empty) };
        let next = Self::one(bucket, self.claim(slot, turn + 1)).await?;
        Ok(if next.is_some() { Found::Contested } else { Found::Value(value) })
    }

    /// Whether so many numbers were drawn after a slot that it may have been deleted.
    async fn is_old<B: Bucket>(&self, bucket: &B, slot: u64) -> Result<bool, BucketError> {
        Ok(bucket.increment(&self.counter(), 0).await? >= slot + KEPT)
    }

    /// Whether an empty slot is decided and deleted: if it is before a valid one, which takes a scan of all keys.
    async fn is_gone<B: Bucket>(&self, bucket: &B, slot: u64) -> Result<bool, BucketError> {
        Ok(self.is_old(bucket, slot).await? && self.recover(bucket).await?.0.counts >= slot)
    }

    /// Decides about a slot and returns its content; `None` if it was deleted.
    async fn settle<B: Bucket>(&self, bucket: &B, slot: u64) -> Result<Option<Slot>, BucketError> {
        let mut turn = 0;
        let bytes = loop {
            let mut pauses = PAUSES.iter();
            let found = loop {
                match self.decided(bucket, slot, turn).await? {
                    Found::Empty => match pauses.next() {
                        Some(millis) => bucket.pause(*millis).await,
                        None => break Found::Empty,
                    },
                    found => break found,
                }
            };
            if let Found::Value(value) = found {
                break value;
            }
            turn += 1;
            let mine = matches!(found, Found::Empty) && bucket.increment(&self.claim(slot, turn), 1).await? == 1;
            if mine {
                let before: Vec<_> = (0..turn).rev().map(|turn| self.turn(slot, turn)).collect();
                let latest = bucket.get(&before).await?.into_iter().flatten().next();
                if latest.is_none() && self.is_gone(bucket, slot).await? {
                    return Ok(None);
                }
                bucket.set(vec![(self.turn(slot, turn), latest.unwrap_or_else(|| VOID.to_vec()))]).await?;
            }
        };
        decode(&bytes).map(Some)
    }

    /// The last valid slot, starting from the hint. The search ends at an empty slot: no writer has been told yet that
    /// a later one is valid.
    async fn look<B: Bucket>(&self, bucket: &B) -> Result<(Seen, Option<Vec<u8>>), BucketError> {
        let hint = Self::one(bucket, self.hint()).await?.map(|bytes| read_hint(&bytes)).transpose()?;
        let (mut seen, mut value) = match hint {
            // No slot is valid yet.
            None | Some(Seen { counts: 0, .. }) => (Seen::default(), None),
            Some(seen) => match Self::one(bucket, self.turn_of(bucket, seen.counts, 0).await?).await? {
                Some(bytes) => (seen, decode(&bytes)?.value),
                None => {
                    let found = self.recover(bucket).await?;
                    if found.1.is_none() {
                        return Err(lost());
                    }
                    found
                }
            },
        };
        loop {
            let slot = seen.looked + 1;
            let decided = match self.decided(bucket, slot, 0).await? {
                Found::Value(bytes) => Some(decode(&bytes)?),
                Found::Contested => self.settle(bucket, slot).await?,
                // A slot that may have been deleted, because it was not valid, does not end the search.
                Found::Empty if self.is_old(bucket, slot).await? => {
                    let found = self.recover(bucket).await?;
                    if found.0.counts >= slot {
                        (seen, value) = found;
                        continue;
                    }
                    self.settle(bucket, slot).await?
                }
                Found::Empty if Self::one(bucket, self.claim(slot, 1)).await?.is_none() => return Ok((seen, value)),
                Found::Empty => self.settle(bucket, slot).await?,
            };
            let Some(decided) = decided else {
                (seen, value) = self.recover(bucket).await?;
                continue;
            };
            seen.looked = slot;
            if decided.value.is_some() && decided.base == seen.counts {
                seen.counts = slot;
                value = decided.value;
            }
        }
    }

    /// The key of the deciding turn of a decided slot: the last written turn, from a written one on. Turns in between
    /// may be empty if their owners died; all turns of a valid slot have the same value.
    async fn turn_of<B: Bucket>(&self, bucket: &B, slot: u64, from: u64) -> Result<String, BucketError> {
        let mut turn = from;
        while Self::one(bucket, self.turn(slot, turn + 1)).await?.is_some() {
            turn += 1;
        }
        Ok(self.turn(slot, turn))
    }

    /// The last slot known to be valid from all remaining keys, for readers whose hint leads nowhere because a slow
    /// writer has put it back.
    ///
    /// A slot is valid if another was planned on it, so the latest of those is valid. If it was deleted, a later slot
    /// is known to be valid: the first one that was planned on it and is not void, since earlier slots are settled by
    /// then, and a later valid one would have been planned on it. If it still exists, later slots may not be decided
    /// yet, and the caller has to walk through them.
    async fn recover<B: Bucket>(&self, bucket: &B) -> Result<(Seen, Option<Vec<u8>>), BucketError> {
        let begin = format!("{}.p.", self.prefix);
        let numbers = |key: &String| {
            let (slot, turn) = key.strip_prefix(&begin)?.split_once('.')?;
            Some((slot.parse::<u64>().ok()?, turn.parse::<u64>().ok()?))
        };
        let mut slots = BTreeMap::new();
        for (slot, turn) in bucket.keys().await?.iter().filter_map(numbers) {
            let latest = slots.entry(slot).or_insert(turn);
            *latest = turn.max(*latest);
        }
        let mut written: Vec<(u64, u64, Vec<u8>)> = Vec::new();
        for (slot, turn) in slots {
            let held = Self::one(bucket, self.turn_of(bucket, slot, turn).await?).await?;
            let Some(held) = held.map(|bytes| decode(&bytes)).transpose()? else { continue };
            written.extend(held.value.map(|value| (slot, held.base, value)));
        }
        let Some(latest) = written.iter().map(|(_, base, _)| *base).max() else { return Ok(Default::default()) };
        let counts = written.iter().position(|(slot, ..)| *slot == latest);
        let counts = match counts {
            None if latest > 0 => written.iter().position(|(_, base, _)| *base == latest),
            counts => counts,
        };
        let Some(counts) = counts else { return Ok(Default::default()) };
        let (slot, _, value) = written.swap_remove(counts);
        Ok((Seen { counts: slot, looked: slot }, Some(value)))
    }
}

enum Found {
    Value(Vec<u8>),
    Empty,
    Contested,
}

impl<B: Bucket> Head<B> for Claims {
    type Seen = Seen;

    /// Slots are settled in the order in which they were drawn.
    const TURNS: bool = true;

    fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    async fn read(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError> {
        Ok(self.look(bucket).await?.1)
    }

    async fn newest(&self, bucket: &B) -> Result<Option<Vec<u8>>, BucketError> {
        Ok(self.look(bucket).await?.1)
    }

    async fn value(bucket: &B, key: &str) -> Result<Option<Vec<u8>>, BucketError> {
        Self::one(bucket, key.to_owned()).await
    }

    async fn begin(&self, bucket: &B) -> Result<(Seen, Option<Vec<u8>>), BucketError> {
        self.look(bucket).await
    }

    async fn swap(&self, bucket: &B, seen: Seen, value: Vec<u8>) -> Result<Swapped, BucketError> {
        let mine = bucket.increment(&self.counter(), 1).await?;
        let bytes = Slot::encode(seen.counts, &value);
        bucket.set(vec![(self.turn(mine, 0), bytes)]).await?;
        let mut counts = seen.counts;
        for slot in seen.looked + 1..=mine {
            let Some(held) = self.settle(bucket, slot).await? else {
                return Err(BucketError("lost the race while it was suspended".into()));
            };
            if held.value.is_some() && held.base == counts {
                counts = slot;
            }
        }
        if counts > seen.counts {
            bucket.set(vec![(self.hint(), format!("{counts} {mine}").into_bytes())]).await?;
        }
        // Claims stay: a slow writer must still find that its slot was taken over.
        let old = (seen.looked + 1..=mine).filter_map(|slot| slot.checked_sub(KEPT)).filter(|slot| *slot < counts);
        let old: Vec<_> = old.map(|slot| self.turn(slot, 0)).collect();
        if !old.is_empty() {
            bucket.delete(&old).await?;
        }
        Ok(if counts == mine { Swapped::Yes } else { Swapped::No })
    }
}

fn read_hint(bytes: &[u8]) -> Result<Seen, BucketError> {
    let text = std::str::from_utf8(bytes).map_err(|_| lost())?;
    let (counts, looked) = text.split_once(' ').ok_or_else(lost)?;
    Ok(Seen { counts: counts.parse().map_err(|_| lost())?, looked: looked.parse().map_err(|_| lost())? })
}

fn decode(bytes: &[u8]) -> Result<Slot, BucketError> {
    Slot::decode(bytes).map_err(|error| BucketError(error.to_string()))
}

fn lost() -> BucketError {
    BucketError("the newest manifest cannot be found".into())
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemBucket;
    use super::*;
    use futures::executor::block_on;

    #[test]
    fn a_slot_that_was_given_up_stays_void_though_one_who_gave_it_up_died() {
        let (bucket, claims) = (MemBucket::default(), <Claims as Head<MemBucket>>::new("t"));
        let found = block_on(async {
            // The hint was put back to a deleted slot.
            bucket.set(vec![(claims.hint(), b"1 1".to_vec())]).await?;
            bucket.increment(&claims.counter(), 6).await?;
            // The owner of slot 5 was late, the first claimant died, and the second found it empty.
            bucket.set(vec![(claims.turn(5, 0), Slot::encode(4, b"late"))]).await?;
            bucket.increment(&claims.claim(5, 1), 1).await?;
            bucket.increment(&claims.claim(5, 2), 1).await?;
            bucket.set(vec![(claims.turn(5, 2), VOID.to_vec())]).await?;
            bucket.set(vec![(claims.turn(6, 0), Slot::encode(4, b"counts"))]).await?;
            claims.read(&bucket).await
        });
        assert_eq!(found, Ok(Some(b"counts".to_vec())));
    }

    #[test]
    fn a_slot_whose_owner_is_slow_is_not_taken_for_one_that_is_gone() {
        let (bucket, claims) = (MemBucket::default(), <Claims as Head<MemBucket>>::new("t"));
        let (before, after) = block_on(async {
            bucket.set(vec![(claims.hint(), b"4 4".to_vec())]).await?;
            bucket.increment(&claims.counter(), 5 + KEPT).await?;
            bucket.set(vec![(claims.turn(4, 0), Slot::encode(3, b"four"))]).await?;
            for slot in 6..=5 + KEPT {
                bucket.set(vec![(claims.turn(slot, 0), Slot::encode(4, format!("{slot}").as_bytes()))]).await?;
            }
            let before = claims.read(&bucket).await?;
            // Now the owner of slot 5 writes.
            bucket.set(vec![(claims.turn(5, 0), Slot::encode(4, b"late"))]).await?;
            Ok::<_, BucketError>((before, claims.read(&bucket).await?))
        })
        .unwrap();
        assert_eq!((before.as_deref(), after.as_deref()), (Some(b"6".as_slice()), Some(b"6".as_slice())));
    }
}
