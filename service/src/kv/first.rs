//! The first manifest of a storage: agreement on its key without a swap of an absent key.
//!
//! Some stores execute such a swap unconditionally, so that two writers of a new storage would both be told that they
//! won. Here the manifest starts as a blank that only one writer writes, and every swap is from an existing value.
//!
//! The writer of the blank is the first one to increment a counter. It may die before it writes, or be slow: after a
//! timeout the others decide in turns, as in `claims`. The owner of a turn repeats the choice of the latest turn before
//! it, or else chooses a manifest of its own, under the turn's number. A choice is decided once it is written and
//! nobody has claimed the next turn: a later claimant finds the choice and repeats it. So one manifest is chosen, and
//! only that one is ever swapped; a late blank stays a blank.

use super::claims::PAUSES;
use super::manifest::Manifest;
use super::{Bucket, BucketError};

/// The key of the manifest.
#[derive(Debug)]
pub(super) struct First {
    prefix: String,
}

impl First {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    /// The manifest of the owner of a turn. All but the first are rare: the owner of the first turn must have died or
    /// stalled.
    pub(super) fn manifest(&self, turn: u64) -> String {
        if turn == 0 { format!("{}.m", self.prefix) } else { format!("{}.m.{turn}", self.prefix) }
    }

    /// The counter of a turn: the first writer that increments it owns the turn.
    fn claim(&self, turn: u64) -> String {
        format!("{}.f.{turn}", self.prefix)
    }

    /// The key of the choice of a turn: the turn of the chosen manifest.
    fn choice(&self, turn: u64) -> String {
        format!("{}.g.{turn}", self.prefix)
    }

    /// The key of the turn of the chosen manifest, if it is not the first. Only one value is ever written here.
    pub(super) fn elsewhere(&self) -> String {
        format!("{}.e", self.prefix)
    }

    /// The chosen manifest, if it is known not to be the first, by the value of `elsewhere`.
    pub(super) fn moved(&self, elsewhere: Option<Vec<u8>>) -> Result<Option<String>, BucketError> {
        Ok(elsewhere.map(|bytes| number(&bytes)).transpose()?.map(|turn| self.manifest(turn)))
    }

    /// The chosen manifest. If there is none yet, a blank one is written.
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
            // Before anything is committed there: readers look here when they find nothing at the first key.
            bucket.set(vec![(self.elsewhere(), chosen.to_string().into_bytes())]).await?;
        }
        Ok(self.manifest(chosen))
    }

    /// Writes the choice of a turn's owner.
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

    /// The choice of a turn, if it is decided; `None` if the next turn decides. The order of the reads matters: a
    /// choice that exists before the next turn is seen to be unclaimed is decided.
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

    /// Read as for a swap: some hosts answer a plain read from a cache.
    async fn chosen<B: Bucket>(&self, bucket: &B, turn: u64) -> Result<Option<u64>, BucketError> {
        if turn == 0 {
            return Ok(bucket.cas(&self.manifest(0)).await?.1.map(|_| 0));
        }
        bucket.cas(&self.choice(turn)).await?.1.map(|bytes| number(&bytes)).transpose()
    }
}

/// A manifest without a commit.
fn blank() -> Vec<u8> {
    Manifest::default().encode()
}

/// Whether a manifest has a commit: then it is the chosen one.
pub(super) fn is_begun(manifest: Option<&[u8]>) -> bool {
    manifest.is_some_and(|bytes| bytes != blank())
}

fn number(bytes: &[u8]) -> Result<u64, BucketError> {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
    text.ok_or_else(|| BucketError("the first manifest cannot be found".into()))
}
