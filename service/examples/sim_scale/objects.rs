//! Durable Objects: for each tenant one, with a database of its own and a memory that stays open for a while. What is
//! counted are the rows that the storage is asked for.

use crate::bucket::Service;
use crate::engine::Op;
use crate::memories::{SimEnv, user};
use crate::meter::{Bill, OBJECT};
use crate::pattern::{Kind, Step};
use crate::run::Answer;
use keepsake::Error;
use keepsake::memory::Memory;
use keepsake::model::{Config, Json};
use keepsake::store::{Key, KeyRange, Op as Change, Page, Revision, Space, Store, StoreError, WriteBatch};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

/// After how long without a request an object is no longer in memory.
const EVICTED_US: u64 = 10_000_000;
/// What a prompt and a compression may have, as the API has it.
const CONTEXT_TOKENS: u64 = 32_000;

/// A key with its space in front.
type Place = (u8, Vec<u8>);

/// The rows of a database.
pub(crate) type Table = BTreeMap<Place, Rc<Vec<u8>>>;

/// A database.
#[derive(Debug)]
pub(crate) struct Rows {
    table: RefCell<Table>,
    service: Rc<Service>,
    free: Cell<bool>,
}

impl Rows {
    /// A database in which nothing costs time.
    pub(crate) fn new(table: Table, service: Rc<Service>) -> Self {
        Self { table: RefCell::new(table), service, free: Cell::new(true) }
    }

    pub(crate) fn table(&self) -> Table {
        self.table.borrow().clone()
    }

    async fn takes(&self, op: Op, rows: usize, bytes: usize) {
        if self.free.get() {
            return;
        }
        let Service { engine, world, dice, .. } = &*self.service;
        let millis = match op {
            Op::Read => rows as f64 * dice.latency(engine.read_ms.0, engine.read_ms.1),
            _ => dice.latency(engine.write_ms.0, engine.write_ms.1),
        };
        world.sleep(((millis + bytes as f64 / engine.bytes_a_ms) * 1000.0) as u64).await;
    }

    fn span(space: Space, range: &KeyRange) -> (Bound<Place>, Bound<Place>) {
        let start = (space as u8, range.start.as_bytes().to_vec());
        let end =
            range.end.as_ref().map_or((space as u8 + 1, Vec::new()), |end| (space as u8, end.as_bytes().to_vec()));
        (Bound::Included(start.clone()), Bound::Excluded(end.max(start)))
    }
}

impl Store for Rows {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let find = |key: &Key| self.table.borrow().get(&(space as u8, key.as_bytes().to_vec())).map(|row| row.to_vec());
        let found: Vec<Option<Vec<u8>>> = keys.iter().map(find).collect();
        found.iter().for_each(|row| self.service.meter.count(Op::Read, row.as_ref().map_or(0, Vec::len)));
        self.takes(Op::Read, found.len(), found.iter().flatten().map(Vec::len).sum()).await;
        Ok(found)
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let mut items: Vec<(Key, Vec<u8>)> = Vec::new();
        let mut next = None;
        for ((_, key), value) in self.table.borrow().range(Self::span(space, range)) {
            if items.len() == limit {
                next = Some(Key::from_bytes(key.clone()));
                break;
            }
            self.service.meter.count(Op::Read, value.len());
            items.push((Key::from_bytes(key.clone()), value.to_vec()));
        }
        self.takes(Op::Read, items.len(), items.iter().map(|(_, value)| value.len()).sum()).await;
        Ok(Page { items, next })
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let guard = (Space::Meta as u8, batch.guard.as_bytes().to_vec());
        let held = self.table.borrow().get(&guard).cloned();
        let current = Revision::from_bytes(held.as_ref().map(|held| held.as_slice()))?;
        if current != batch.base {
            return Err(StoreError::Conflict { current });
        }
        let mut written = 0;
        for change in batch.ops {
            let mut table = self.table.borrow_mut();
            match change {
                Change::Put(space, key, bytes) | Change::Add(space, key, bytes) => {
                    self.service.meter.count(Op::Write, bytes.len());
                    written += bytes.len();
                    table.insert((space as u8, key.as_bytes().to_vec()), Rc::new(bytes));
                }
                Change::Delete(space, key) => {
                    self.service.meter.count(Op::Delete, 0);
                    table.remove(&(space as u8, key.as_bytes().to_vec()));
                }
                Change::DeleteRange(space, range) => {
                    let gone: Vec<_> = table.range(Self::span(space, &range)).map(|(key, _)| key.clone()).collect();
                    gone.iter().for_each(|key| {
                        self.service.meter.count(Op::Delete, 0);
                        table.remove(key);
                    });
                }
            }
        }
        self.service.meter.count(Op::Write, 8);
        self.table.borrow_mut().insert(guard, Rc::new(batch.base.next().to_bytes().to_vec()));
        self.takes(Op::Write, 1, written).await;
        Ok(batch.base.next())
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

type Kept = Memory<Rc<Rows>, SimEnv>;

/// An object: its database, and its memory as long as it is in memory.
struct Object {
    rows: Rc<Rows>,
    memory: Option<Rc<Kept>>,
    asked_us: u64,
}

/// All objects.
#[derive(Default)]
pub(crate) struct Objects(RefCell<BTreeMap<usize, Object>>);

impl Objects {
    pub(crate) fn knows(&self, tenant: usize) -> bool {
        self.0.borrow().contains_key(&tenant)
    }

    pub(crate) fn put(&self, tenant: usize, table: Table, service: &Rc<Service>) {
        let rows = Rc::new(Rows::new(table, Rc::clone(service)));
        rows.free.set(false);
        self.0.borrow_mut().insert(tenant, Object { rows, memory: None, asked_us: 0 });
    }

    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    async fn open(&self, service: &Rc<Service>, tenant: usize) -> Result<Rc<Kept>, Error> {
        let now = service.world.micros();
        let rows = {
            let mut all = self.0.borrow_mut();
            let Some(object) = all.get_mut(&tenant) else { unreachable!("it was put there before it is asked") };
            let awake = object.asked_us + EVICTED_US > now;
            object.asked_us = now;
            if let Some(memory) = object.memory.as_ref().filter(|_| awake) {
                return Ok(Rc::clone(memory));
            }
            Rc::clone(&object.rows)
        };
        let memory = Rc::new(Memory::open(rows, SimEnv(Rc::clone(service)), user()?, Config::default()).await?);
        if let Some(object) = self.0.borrow_mut().get_mut(&tenant) {
            object.memory = Some(Rc::clone(&memory));
        }
        Ok(memory)
    }

    /// Asks a tenant's object, as its part of the API would.
    pub(crate) async fn ask(&self, service: &Rc<Service>, tenant: usize, session: &str, step: &Step) -> Answer {
        let begin = service.world.micros();
        let bill = Bill { key: OBJECT, tenant, units: [1.0, 0.0] };
        if let Some(wait) = service.meter.admit(service.engine, &service.world, &[bill]) {
            service.world.sleep(wait).await;
        }
        let done = self.answer(service, tenant, session, step).await;
        let micros = service.world.micros() - begin;
        let status = match &done {
            Ok(_) => 200,
            Err(_) => 503,
        };
        if let (Kind::Append, Ok(memory)) = (step.kind, done) {
            let way = vec![("type", "tree-reduce".into()), ("contextTokens", CONTEXT_TOKENS.into())];
            let args = vec![("session", session.into()), ("way", Json::object(way)), ("hook", false.into())];
            drop(memory.call("compress", Json::object(args)).await);
        }
        Answer { status, micros }
    }

    async fn answer(
        &self,
        service: &Rc<Service>,
        tenant: usize,
        session: &str,
        step: &Step,
    ) -> Result<Rc<Kept>, Error> {
        let memory = self.open(service, tenant).await?;
        let text = || step.text.as_str().into();
        let (verb, args) = match step.kind {
            Kind::Append => {
                let message = Json::object(vec![("role", "user".into()), ("content", text())]);
                ("append", vec![("session", session.into()), ("messages", Json::Array(vec![message]))])
            }
            Kind::Context => {
                ("context", vec![("session", session.into()), ("query", text()), ("budget", CONTEXT_TOKENS.into())])
            }
            Kind::Search => ("search", vec![("query", text())]),
            Kind::Add => ("add", vec![("content", text())]),
        };
        memory.call(verb, Json::object(args)).await?;
        Ok(memory)
    }
}
