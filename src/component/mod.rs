//! The WIT door: the core as a component, on a storage, a clock and dice that the host provides. Decode, call, encode.

mod collections;
mod convert;
mod dialog;
mod dialog_convert;
mod digest_convert;
mod env;
mod files;
mod files_convert;
#[cfg(feature = "hooks")]
mod hooked;
mod knowhow_convert;
mod ready;
mod store;
mod stores;
mod stores_convert;
mod tools;

/// What `wit/` says, in Rust.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated from wit/, where the documentation is")]
#[allow(unsafe_code, reason = "generated: values cross the component boundary as raw memory")]
mod bindings {
    #[cfg(not(feature = "hooks"))]
    wit_bindgen::generate!({ world: "keepsake", path: "wit" });
    #[cfg(feature = "hooks")]
    wit_bindgen::generate!({ world: "memory-with-hooks", path: "wit" });

    export!(Keepsake with_types_in self);

    use super::Keepsake;
}

use crate::memory::{Memory, SearchOptions};
use crate::model::{Changes, EntryId, UserId};
use bindings::exports::keepsake::memory::memory as door;
use env::HostEnv;
use ready::ready;
use store::HostStore;

/// The component.
struct Keepsake;

impl door::Guest for Keepsake {
    type Memory = Memory<HostStore, HostEnv>;
}

impl door::GuestMemory for Memory<HostStore, HostEnv> {
    fn open(user: String, config: Option<door::Config>) -> Result<door::Memory, door::Error> {
        let (user, config) = (UserId::new("user", user)?, convert::config(config)?);
        let memory = ready(Self::open(HostStore::open()?, HostEnv, user, config))?;
        Ok(door::Memory::new(memory))
    }

    fn add(&self, draft: door::Draft) -> Result<door::Entry, door::Error> {
        let draft = draft.try_into()?;
        let entry = ready(self.add(draft))?;
        Ok(entry.into())
    }

    fn update(&self, id: door::EntryId, changes: door::Changes) -> Result<door::Entry, door::Error> {
        let (id, changes) = (EntryId::new("id", id)?, Changes::try_from(changes)?);
        let entry = ready(self.update(&id, &changes))?;
        Ok(entry.into())
    }

    fn get(&self, id: door::EntryId) -> Result<Option<door::EntryWithContent>, door::Error> {
        let id = EntryId::new("id", id)?;
        let found = ready(self.get(&id))?;
        Ok(found.map(Into::into))
    }

    fn history(&self, id: door::EntryId) -> Result<Vec<door::EntryWithContent>, door::Error> {
        let id = EntryId::new("id", id)?;
        let versions = ready(self.history(&id))?;
        Ok(versions.into_iter().map(Into::into).collect())
    }

    fn delete(&self, id: door::EntryId) -> Result<bool, door::Error> {
        let id = EntryId::new("id", id)?;
        Ok(ready(self.delete(&id))?)
    }

    fn list(&self, options: door::ListOptions) -> Result<Vec<door::Entry>, door::Error> {
        let options = options.try_into()?;
        let entries = ready(self.list(&options))?;
        Ok(entries.into_iter().map(Into::into).collect())
    }

    fn search(&self, query: door::Query) -> Result<Vec<door::Hit>, door::Error> {
        let options = query.try_into()?;
        let hits = ready(self.search(&options))?;
        Ok(hits.into_iter().map(Into::into).collect())
    }

    fn explain_miss(&self, id: door::EntryId, query: door::Query) -> Result<door::Miss, door::Error> {
        let (id, options) = (EntryId::new("id", id)?, SearchOptions::try_from(query)?);
        let miss = ready(self.explain_miss(&id, &options))?;
        Ok(miss.into())
    }

    fn to_embed(&self, query: String) -> Result<String, door::Error> {
        Ok(ready(self.to_embed(&query))?)
    }

    fn unembedded(&self, limit: u32) -> Result<(Vec<door::Unembedded>, u64), door::Error> {
        let (items, total) = ready(self.unembedded(limit as usize))?;
        Ok((items.into_iter().map(Into::into).collect(), total as u64))
    }

    fn embed(&self, embeddings: Vec<door::Embedded>) -> Result<u64, door::Error> {
        let embeddings = embeddings.into_iter().map(convert::embedded).collect::<Result<Vec<_>, _>>()?;
        let count = ready(self.embed(&embeddings))?;
        Ok(count as u64)
    }

    fn count(&self, namespace: Option<String>) -> Result<u64, door::Error> {
        let count = ready(self.count(namespace.as_deref()))?;
        Ok(count as u64)
    }

    fn stats(&self) -> Result<door::Stats, door::Error> {
        let stats = ready(self.stats())?;
        Ok(stats.into())
    }

    fn clear(&self, namespace: Option<String>) -> Result<u64, door::Error> {
        let count = ready(self.clear(namespace.as_deref()))?;
        Ok(count as u64)
    }

    fn cleanup(&self) -> Result<u64, door::Error> {
        let count = ready(self.cleanup())?;
        Ok(count as u64)
    }

    fn hint(&self) {
        self.hint();
    }

    fn use_meaning(&self, file: Vec<u8>) -> Result<(), door::Error> {
        Ok(self.use_meaning(&file)?)
    }

    fn flush(&self) -> Result<(), door::Error> {
        Ok(ready(self.flush())?)
    }

    fn close(&self) -> Result<(), door::Error> {
        Ok(ready(self.close())?)
    }
}
