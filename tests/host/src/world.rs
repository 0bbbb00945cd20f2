//! What an instance sees of the world: the imports, and how a test breaks them.

use crate::bindings::keepsake::memory::{clock, entropy, storage, types};
use crate::storage::{Handle, Storage};
use keepsake::memory::Env;
use keepsake::memory::scripted::Scripted;
use storage::{Batch, Key, KeyRange, Page, Revision, Space, StoreError};
use wasmtime::component::{Resource, ResourceTable};

/// What happens at the chosen call of the storage.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// It fails with this error and has no effect; the next one works again.
    Fail(StoreError),
    /// It fails with this error and has no effect, and so do all later ones of the same kind.
    FailOn(StoreError),
    /// It takes effect, but the instance is told that it failed: the answer was lost.
    LoseAnswer(StoreError),
    /// A `get` answers with one value too few.
    DropValue,
}

/// Everything that one instance can see of the world.
#[derive(Debug)]
pub struct World {
    table: ResourceTable,
    storage: Storage,
    scripted: Scripted,
    calls: Vec<&'static str>,
    due: Option<(usize, Fault)>,
    lasting: Option<(&'static str, StoreError)>,
    /// How many random bytes are missing from each answer.
    pub missing_entropy: usize,
    /// How much memory there is.
    pub growth: Growth,
}

impl World {
    pub(crate) fn new(storage: &Storage, scripted: &Scripted) -> Self {
        Self {
            table: ResourceTable::new(),
            storage: storage.clone(),
            scripted: scripted.clone(),
            calls: Vec::new(),
            due: None,
            lasting: None,
            missing_entropy: 0,
            growth: Growth::default(),
        }
    }

    /// Lets `fault` happen at the `nth` call of the storage from now; 1 is the next.
    pub fn break_at(&mut self, nth: usize, fault: Fault) {
        self.due = Some((self.calls.len() + nth, fault));
    }

    /// Whether the fault that was asked for is still to come.
    pub fn is_fault_due(&self) -> bool {
        self.due.is_some()
    }

    /// The calls of the storage so far, by name.
    pub fn calls(&self) -> &[&'static str] {
        &self.calls
    }

    /// How many handles to the storage are held.
    pub fn handles(&mut self) -> usize {
        self.table.iter_mut().count()
    }

    /// Runs one call of the storage, or breaks it.
    fn run<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&mut Self) -> wasmtime::Result<Result<T, StoreError>>,
    ) -> wasmtime::Result<Result<T, StoreError>> {
        self.calls.push(name);
        if let Some((_, error)) = self.lasting.as_ref().filter(|(lasting, _)| *lasting == name) {
            return Ok(Err(error.clone()));
        }
        match self.due.take_if(|(nth, fault)| *nth == self.calls.len() && *fault != Fault::DropValue) {
            None | Some((_, Fault::DropValue)) => work(self),
            Some((_, Fault::Fail(error))) => Ok(Err(error)),
            Some((_, Fault::FailOn(error))) => {
                self.lasting = Some((name, error.clone()));
                Ok(Err(error))
            }
            Some((_, Fault::LoseAnswer(error))) => Ok(work(self)?.and(Err(error))),
        }
    }
}

impl types::Host for World {}

impl storage::Host for World {}

impl storage::HostStore for World {
    fn open(&mut self) -> wasmtime::Result<Result<Resource<Handle>, StoreError>> {
        self.run("open", |world| Ok(Ok(world.table.push(world.storage.connect())?)))
    }

    fn get(
        &mut self,
        store: Resource<Handle>,
        space: Space,
        keys: Vec<Key>,
    ) -> wasmtime::Result<Result<Vec<Option<Vec<u8>>>, StoreError>> {
        let mut answer = self.run("get", |world| Ok(world.table.get(&store)?.get(space, &keys)))?;
        if self.due.take_if(|(nth, _)| *nth == self.calls.len()).is_some() {
            let _ = answer.as_mut().map(Vec::pop);
        }
        Ok(answer)
    }

    fn scan(
        &mut self,
        store: Resource<Handle>,
        space: Space,
        range: KeyRange,
        limit: u32,
    ) -> wasmtime::Result<Result<Page, StoreError>> {
        self.run("scan", |world| Ok(world.table.get(&store)?.scan(space, &range, limit)))
    }

    fn commit(&mut self, store: Resource<Handle>, batch: Batch) -> wasmtime::Result<Result<Revision, StoreError>> {
        self.run("commit", |world| Ok(world.table.get(&store)?.commit(batch)))
    }

    fn close(&mut self, store: Resource<Handle>) -> wasmtime::Result<Result<(), StoreError>> {
        self.run("close", |world| Ok(world.table.get(&store)?.close()))
    }

    fn drop(&mut self, store: Resource<Handle>) -> wasmtime::Result<()> {
        self.table.delete(store)?;
        Ok(())
    }
}

impl clock::Host for World {
    fn now(&mut self) -> wasmtime::Result<types::Timestamp> {
        Ok(self.scripted.millis())
    }
}

impl entropy::Host for World {
    fn bytes(&mut self, len: u32) -> wasmtime::Result<Vec<u8>> {
        let mut bytes = vec![0; (len as usize).saturating_sub(self.missing_entropy)];
        self.scripted.entropy(&mut bytes).map_err(|error| wasmtime::format_err!("{error:?}"))?;
        Ok(bytes)
    }
}

/// How much an instance may take of the host's memory.
#[derive(Debug, Default)]
pub struct Growth {
    /// How often its memory may still grow. Absent: as often as it likes.
    pub left: Option<u32>,
    /// How often it was told that it may not.
    pub refused: u32,
}

impl wasmtime::ResourceLimiter for Growth {
    fn memory_growing(&mut self, _current: usize, _desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        match &mut self.left {
            None => Ok(true),
            Some(0) => {
                self.refused += 1;
                Ok(false)
            }
            Some(left) => {
                *left -= 1;
                Ok(true)
            }
        }
    }

    fn table_growing(&mut self, _current: usize, _desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}
