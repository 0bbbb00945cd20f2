//! The first manifest of a storage: where it is, agreed on without a swap of an absent key.
//!
//! Some stores write such a swap whatever is there by then, so that two writers of a new storage would both be told that
//! they won. Here the manifest begins as a blank that is written by one writer only, and every swap is from a value.
//!
//! The writer of the blank is the first one to count. It may die before it writes, and it may only be slow: after some
//! patience the others decide in turns, as in `claims`. The owner of a turn chooses what the latest turn before it has
//! chosen, or else a manifest of its own, under the turn's number. A choice counts once it is written and nobody has claimed
//! the next turn: whoever claims that turn later finds the choice, and repeats it. So one manifest counts, and only that
//! one is ever swapped; a blank that comes too late stays a blank.

use super::claims::PAUSES;
use super::manifest::Manifest;
use super::{Bucket, BucketError};

/// Where the manifest is.
#[derive(Debug)]
pub(super) struct First {
    prefix: String,
}

impl First {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    /// The manifest that the owner of a turn begins. All but the first are rare: the owner of the first turn must have
    /// died, or slept.
    pub(super) fn manifest(&self, turn: u64) -> String {
        if turn == 0 { format!("{}.m", self.prefix) } else { format!("{}.m.{turn}", self.prefix) }
    }

    /// The counter that gives a turn to the first writer that adds to it.
    fn claim(&self, turn: u64) -> String {
        format!("{}.f.{turn}", self.prefix)
    }

    /// Which turn's manifest the owner of a turn has chosen.
    fn choice(&self, turn: u64) -> String {
        format!("{}.g.{turn}", self.prefix)
    }

    /// Which turn's manifest counts, if it is not the first one's. Only one value is ever written here.
    pub(super) fn elsewhere(&self) -> String {
        format!("{}.e", self.prefix)
    }

    /// The manifest that counts, if it is known to be another than the first one: by what was read of `elsewhere`.
    pub(super) fn moved(&self, elsewhere: Option<Vec<u8>>) -> Result<Option<String>, BucketError> {
        Ok(elsewhere.map(|bytes| number(&bytes)).transpose()?.map(|turn| self.manifest(turn)))
    }

    /// The manifest that counts. If there is none yet, a blank one is begun.
    pub(super) async fn settle<B: Bucket>(&self, bucket: &B) -> Result<String, BucketError> {
        let mut turn = 0;
        let chosen = loop {
            if bucket.increment(&self.claim(turn), 1).await? == 1 {
                self.propose(bucket, turn).await?;
            }
            if let Some(chosen) = self.decided(bucket, turn).await? {
                break chosen;
            }
            turn += 1;
        };
        if chosen > 0 {
            // Before anything is committed there: readers look here when they find nothing at the first place.
            bucket.set(vec![(self.elsewhere(), chosen.to_string().into_bytes())]).await?;
        }
        Ok(self.manifest(chosen))
    }

    /// The choice that the owner of a turn writes.
    async fn propose<B: Bucket>(&self, bucket: &B, turn: u64) -> Result<(), BucketError> {
        let mut chosen = None;
        for earlier in (0..turn).rev() {
            chosen = self.chosen(bucket, earlier).await?;
            if chosen.is_some() {
                break;
            }
        }
        if chosen.is_none() {
            bucket.set(vec![(self.manifest(turn), blank())]).await?;
        }
        // The blank of the first turn is its choice.
        if turn > 0 {
            let chosen = chosen.unwrap_or(turn);
            bucket.set(vec![(self.choice(turn), chosen.to_string().into_bytes())]).await?;
        }
        Ok(())
    }

    /// The choice of a turn, if it counts; none if the next turn decides. In this order: a choice that is there before
    /// it is seen that nobody has claimed the next turn counts.
    async fn decided<B: Bucket>(&self, bucket: &B, turn: u64) -> Result<Option<u64>, BucketError> {
        let mut pauses = PAUSES.iter();
        loop {
            if let Some(chosen) = self.chosen(bucket, turn).await? {
                let claimed = bucket.increment(&self.claim(turn + 1), 0).await? > 0;
                return Ok((!claimed).then_some(chosen));
            }
            match pauses.next() {
                Some(millis) => bucket.pause(*millis).await,
                None => return Ok(None),
            }
        }
    }

    /// Read as if to be swapped: some hosts answer a plain read of a key with what they have read before.
    async fn chosen<B: Bucket>(&self, bucket: &B, turn: u64) -> Result<Option<u64>, BucketError> {
        if turn == 0 {
            return Ok(bucket.cas(&self.manifest(0)).await?.1.map(|_| 0));
        }
        bucket.cas(&self.choice(turn)).await?.1.map(|bytes| number(&bytes)).transpose()
    }
}

/// A manifest that nothing was committed to.
fn blank() -> Vec<u8> {
    Manifest::default().encode()
}

/// Whether something was committed to a manifest: then it is the one that counts.
pub(super) fn is_begun(manifest: Option<&[u8]>) -> bool {
    manifest.is_some_and(|bytes| bytes != blank())
}

fn number(bytes: &[u8]) -> Result<u64, BucketError> {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
    text.ok_or_else(|| BucketError("the first manifest cannot be found".into()))
}
