//! Turns of writers that keep losing races for one manifest.
//!
//! A commit is correct without them: turns are for fairness, so that no writer starves. A writer that has lost twice
//! draws a ticket and waits until it is called. If the called writer dies, any waiter calls the next one after a
//! timeout. The called ticket is one value that anyone writes: written late or twice, it only costs a wait or a race.

use super::{Bucket, BucketError, Head};
use std::cell::Cell;
use std::marker::PhantomData;

/// The timeout of a called writer.
const LEASE_MS: u64 = 1_000;
/// The pause of a waiter between two polls, for each ticket before its own, and the longest pause.
const PAUSE_MS: u64 = 4;
const LONGEST_PAUSE_MS: u64 = 80;
/// The time after which a writer tries without its turn.
const PATIENCE_MS: u64 = 15_000;

/// The turns of one storage, for one writer.
#[derive(Debug)]
pub(super) struct Turns<H> {
    prefix: String,
    /// The number of races lost in a row.
    lost: Cell<u32>,
    ticket: Cell<Option<u64>>,
    head: PhantomData<H>,
}

impl<H> Turns<H> {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), lost: Cell::default(), ticket: Cell::default(), head: PhantomData }
    }

    fn tickets(&self) -> String {
        format!("{}.q", self.prefix)
    }

    /// The key of the called ticket and its timeout.
    fn called(&self) -> String {
        format!("{}.t", self.prefix)
    }

    /// Waits for a turn before a commit, if others are waiting for theirs: first come, first served.
    pub(super) async fn enter<B: Bucket>(&self, bucket: &B) -> Result<(), BucketError>
    where
        H: Head<B>,
    {
        if !H::TURNS || self.ticket.get().is_some() {
            return Ok(());
        }
        let found = bucket.get(&[self.called()]).await?.pop().flatten();
        if read(found).1 > bucket.now() { self.queue(bucket).await } else { Ok(()) }
    }

    /// Waits for a turn after a lost race.
    pub(super) async fn lose<B: Bucket>(&self, bucket: &B) -> Result<(), BucketError>
    where
        H: Head<B>,
    {
        self.lost.set(self.lost.get() + 1);
        // One lost race is not contention yet.
        if !H::TURNS || self.lost.get() < 2 && self.ticket.get().is_none() {
            return Ok(());
        }
        self.queue(bucket).await
    }

    async fn queue<B: Bucket>(&self, bucket: &B) -> Result<(), BucketError>
    where
        H: Head<B>,
    {
        let mine = match self.ticket.get() {
            Some(mine) => mine,
            None => bucket.increment(&self.tickets(), 1).await?,
        };
        self.ticket.set(Some(mine));
        let begun = bucket.now();
        while bucket.now() < begun.saturating_add(PATIENCE_MS) {
            let (called, until) = self.look(bucket).await?;
            if called == mine {
                return self.call(bucket, mine).await;
            }
            if called > mine {
                break;
            }
            if until <= bucket.now() {
                self.call(bucket, called + 1).await?;
                continue;
            }
            let jitter = u64::from(bucket.chance()[0]) % PAUSE_MS;
            let pause = ((mine - called) * PAUSE_MS).min(LONGEST_PAUSE_MS) + jitter;
            bucket.pause(u32::try_from(pause).unwrap_or(0)).await;
        }
        Ok(())
    }

    /// Calls the next ticket, if it is this writer's turn.
    pub(super) async fn leave<B: Bucket>(&self, bucket: &B) -> Result<(), BucketError>
    where
        H: Head<B>,
    {
        self.lost.set(0);
        let Some(mine) = self.ticket.take() else { return Ok(()) };
        if self.look(bucket).await?.0 <= mine {
            self.call(bucket, mine + 1).await?;
        }
        Ok(())
    }

    async fn look<B: Bucket>(&self, bucket: &B) -> Result<(u64, u64), BucketError>
    where
        H: Head<B>,
    {
        Ok(read(H::value(bucket, &self.called()).await?))
    }

    async fn call<B: Bucket>(&self, bucket: &B, ticket: u64) -> Result<(), BucketError> {
        let until = bucket.now().saturating_add(LEASE_MS);
        bucket.set(vec![(self.called(), format!("{ticket} {until}").into_bytes())]).await
    }
}

fn read(called: Option<Vec<u8>>) -> (u64, u64) {
    let text = called.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let numbers = text.split_once(' ').and_then(|(called, until)| Some((called.parse().ok()?, until.parse().ok()?)));
    numbers.unwrap_or_default()
}
