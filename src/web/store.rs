//! The storage on the JavaScript side: IndexedDB, or the app's own. A request is one byte array and so is its answer:
//! passing objects field by field would cost more than serialising them. `pkg/src/engine/storage-wire.ts` is the other
//! side.

use super::executor::host;
use super::tickets::Ticket;
use crate::store::{Durability, Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};

const GET: u8 = 0;
const SCAN: u8 = 1;
const COMMIT: u8 = 2;
const CLOSE: u8 = 3;
const TURN: u8 = 4;

/// The number of changes of a commit that are serialised at once.
const GROUP: usize = 8192;

/// The storage of this instance.
#[derive(Debug)]
pub(super) struct HostStore {
    /// Its number: tests have several storages.
    number: u32,
}

impl HostStore {
    pub(super) fn new(number: u32) -> Self {
        Self { number }
    }

    async fn ask(&self, request: Request) -> Result<Answer, StoreError> {
        let ticket = Ticket::new();
        host().ok_or(StoreError::Closed)?.store(self.number, ticket.number(), &request.0);
        let mut answer = Answer { bytes: ticket.await, at: 0 };
        match answer.byte()? {
            0 => Ok(answer),
            1 => Err(StoreError::Failed(answer.text()?)),
            2 => Err(StoreError::QuotaExceeded),
            3 => Err(StoreError::Unavailable(answer.text()?)),
            4 => Err(StoreError::Lost),
            5 => Err(StoreError::Closed),
            _ => Err(nonsense()),
        }
    }
}

impl Store for HostStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let mut request = Request(vec![GET, place(space)]);
        request.number(keys.len());
        for key in keys {
            request.bytes(key.as_bytes());
        }
        let mut answer = self.ask(request).await?;
        keys.iter().map(|_| answer.some_bytes()).collect()
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let mut request = Request(vec![SCAN, place(space)]);
        request.range(range);
        request.number(limit);
        let mut answer = self.ask(request).await?;
        let count = answer.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push((Key::from_bytes(answer.bytes()?), answer.bytes()?));
        }
        Ok(Page { items, next: answer.some_bytes()?.map(Key::from_bytes) })
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let next = batch.base.next();
        let mut request = Request(vec![COMMIT, u8::from(batch.durability == Durability::Strict)]);
        request.bytes(batch.guard.as_bytes());
        request.some_bytes(
            (batch.base != Revision::default()).then(|| batch.base.to_bytes()).as_ref().map(|base| &base[..]),
        );
        request.bytes(&next.to_bytes());
        request.number(batch.ops.len());
        for some in batch.ops.chunks(GROUP) {
            for op in some {
                let kind = match op {
                    Op::Put(..) => 0,
                    Op::Delete(..) => 1,
                    Op::DeleteRange(..) => 2,
                    Op::Add(..) => 3,
                };
                request.0.extend([kind, place(op.space())]);
                match op {
                    Op::Put(_, key, value) | Op::Add(_, key, value) => {
                        request.bytes(key.as_bytes());
                        request.bytes(value);
                    }
                    Op::Delete(_, key) => request.bytes(key.as_bytes()),
                    Op::DeleteRange(_, range) => request.range(range),
                }
            }
            // Yield to other tasks: serialising a large commit takes long.
            #[cfg(feature = "full")]
            if some.len() == GROUP {
                crate::memory::Env::pause(&super::env::WebEnv, 0).await;
            }
        }
        if self.ask(request).await?.byte()? == 1 {
            return Ok(next);
        }
        let guard = self.get(Space::Meta, &[batch.guard]).await?;
        Err(StoreError::Conflict { current: Revision::from_bytes(guard[0].as_deref())? })
    }

    async fn turn(&self, guard: &Key) -> Result<(), StoreError> {
        let mut request = Request(vec![TURN]);
        request.bytes(guard.as_bytes());
        self.ask(request).await.map(|_| ())
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.ask(Request(vec![CLOSE])).await.map(|_| ())
    }
}

fn place(space: Space) -> u8 {
    Space::ALL.iter().position(|known| *known == space).unwrap_or_default() as u8
}

fn nonsense() -> StoreError {
    StoreError::Failed("invalid response of the storage".into())
}

/// A request: little-endian numbers of four bytes, and length-prefixed bytes.
struct Request(Vec<u8>);

impl Request {
    fn number(&mut self, number: usize) {
        self.0.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend(bytes);
    }

    fn some_bytes(&mut self, bytes: Option<&[u8]>) {
        self.0.push(u8::from(bytes.is_some()));
        if let Some(bytes) = bytes {
            self.bytes(bytes);
        }
    }

    fn range(&mut self, range: &KeyRange) {
        self.bytes(range.start.as_bytes());
        self.some_bytes(range.end.as_ref().map(Key::as_bytes));
    }
}

/// An answer, in the same encoding.
struct Answer {
    bytes: Vec<u8>,
    at: usize,
}

impl Answer {
    fn take(&mut self, length: usize) -> Result<&[u8], StoreError> {
        let from = self.at;
        let taken = self.bytes.get(from..from.saturating_add(length)).ok_or_else(nonsense)?;
        self.at += length;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, StoreError> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self) -> Result<usize, StoreError> {
        let bytes = self.take(4)?.try_into().map_err(|_| nonsense())?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        let length = self.number()?;
        Ok(self.take(length)?.to_vec())
    }

    fn some_bytes(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        match self.byte()? {
            0 => Ok(None),
            _ => self.bytes().map(Some),
        }
    }

    fn text(&mut self) -> Result<String, StoreError> {
        Ok(String::from_utf8_lossy(&self.bytes()?).into_owned())
    }
}
