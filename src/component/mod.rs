//! The WIT door: the core as a component, on a storage, a clock and dice that the host provides. Decode, call, encode.

mod convert;
mod env;
mod ready;
mod store;

/// What `wit/` says, in Rust.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated from wit/, where the documentation is")]
#[allow(unsafe_code, reason = "generated: values cross the component boundary as raw memory")]
mod bindings {
    wit_bindgen::generate!({ world: "keepsake", path: "wit" });

    export!(Keepsake with_types_in self);

    use super::Keepsake;
}

use crate::memory::Memory;
use crate::model::{EntryId, UserId};
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
    fn open(user: String) -> Result<door::Memory, door::Error> {
        let user = UserId::new("user", user)?;
        let memory = ready(Self::open(HostStore::open()?, HostEnv, user))?;
        Ok(door::Memory::new(memory))
    }

    fn add(&self, draft: door::Draft) -> Result<door::Entry, door::Error> {
        let draft = draft.try_into()?;
        let entry = ready(self.add(draft))?;
        Ok(entry.into())
    }

    fn get(&self, id: door::EntryId) -> Result<Option<door::EntryWithContent>, door::Error> {
        let id = EntryId::new("id", id)?;
        let found = ready(self.get(&id))?;
        Ok(found.map(Into::into))
    }

    fn list(&self, options: door::ListOptions) -> Result<Vec<door::Entry>, door::Error> {
        let options = options.try_into()?;
        let entries = ready(self.list(&options))?;
        Ok(entries.into_iter().map(Into::into).collect())
    }

    fn flush(&self) -> Result<(), door::Error> {
        Ok(ready(self.flush())?)
    }

    fn close(&self) -> Result<(), door::Error> {
        Ok(ready(self.close())?)
    }
}
