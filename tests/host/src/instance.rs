//! The component, compiled once, and instances of it.

use crate::bindings::{Keepsake, KeepsakePre};
use crate::storage::Storage;
use crate::wit::{
    Changes, Draft, Embedded, Entry, EntryWithContent, Error, Hit, ListOptions, Miss, Query, Stats, Unembedded,
};
use crate::world::World;
use keepsake::memory::scripted::Scripted;
use keepsake_contract::Function;
use std::path::Path;
use std::sync::OnceLock;
use wasmtime::component::{Component, HasSelf, Linker, ResourceAny, Val};
use wasmtime::{Config, Engine, OptLevel, Store};

/// What a call gives: outside, whether the instance came to an end; inside, what the memory answered.
pub type Call<T> = wasmtime::Result<Result<T, Error>>;

/// The component as it was built.
///
/// # Panics
/// If it was not built.
pub fn component() -> &'static Component {
    static COMPONENT: OnceLock<Component> = OnceLock::new();
    COMPONENT.get_or_init(|| compiled("keepsake.component.wasm"))
}

/// A component of this name, compiled.
pub(crate) fn compiled(name: &str) -> Component {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/component").join(name);
    let Ok(bytes) = std::fs::read(file) else { panic!("run `cargo xtask build` first") };
    let mut config = Config::new();
    config.consume_fuel(true).cranelift_opt_level(OptLevel::None);
    let engine = Engine::new(&config).expect("the settings are few and known to go together");
    Component::new(&engine, bytes).expect("the build has validated it")
}

pub(crate) fn linked() -> &'static KeepsakePre<World> {
    static LINKED: OnceLock<KeepsakePre<World>> = OnceLock::new();
    LINKED.get_or_init(|| {
        let mut linker = Linker::new(component().engine());
        Keepsake::add_to_linker::<_, HasSelf<_>>(&mut linker, |world| world).expect("each import is there once");
        let linked = linker.instantiate_pre(component()).expect("every import is there");
        KeepsakePre::new(linked).expect("every export is there")
    })
}

/// One instance of the component, with its own memory and its own view of the world.
pub struct Instance {
    pub(crate) store: Store<World>,
    pub(crate) exports: Keepsake,
    pub(crate) raw: wasmtime::component::Instance,
}

impl Instance {
    /// A new instance on `storage`, with as much fuel as it likes.
    ///
    /// # Panics
    /// If it cannot be made, which no test expects.
    pub fn new(storage: &Storage, scripted: &Scripted) -> Self {
        let mut store = Store::new(component().engine(), World::new(storage, scripted));
        store.limiter(|world| &mut world.growth);
        store.set_fuel(u64::MAX).expect("fuel is switched on");
        let raw = linked().instance_pre().instantiate(&mut store).expect("there is nothing to refuse");
        let exports = Keepsake::new(&mut store, &raw).expect("every export is there");
        Self { store, exports, raw }
    }

    /// Its view of the world.
    pub fn world(&mut self) -> &mut World {
        self.store.data_mut()
    }

    /// Fills it up with this much fuel.
    pub fn set_fuel(&mut self, fuel: u64) {
        self.store.set_fuel(fuel).expect("fuel is switched on");
    }

    /// How much fuel is left.
    pub fn fuel(&self) -> u64 {
        self.store.get_fuel().expect("fuel is switched on")
    }

    /// Calls a function of the contract.
    ///
    /// # Errors
    /// If the instance comes to an end.
    ///
    /// # Panics
    /// If the component does not have this function.
    pub fn invoke(&mut self, interface: &str, function: &Function, params: &[Val]) -> wasmtime::Result<Vec<Val>> {
        let outer = format!("keepsake:memory/{interface}@0.1.0");
        let name = match (&function.resource, function.is_static) {
            (Some(resource), false) => format!("[method]{resource}.{}", function.name),
            (Some(resource), true) => format!("[static]{resource}.{}", function.name),
            (None, _) => function.name.clone(),
        };
        let outer = self.raw.get_export_index(&mut self.store, None, &outer).expect("it is exported");
        let inner = self.raw.get_export_index(&mut self.store, Some(&outer), &name).expect("it is there");
        let called = self.raw.get_func(&mut self.store, inner).expect("it is a function");
        let mut results: Vec<Val> = called.ty(&self.store).results().map(|_| Val::Bool(false)).collect();
        called.call(&mut self.store, params, &mut results)?;
        Ok(results)
    }

    /// Calls `memory.open` without settings.
    pub fn open(&mut self, user: &str) -> Call<ResourceAny> {
        self.open_with(user, None)
    }

    /// Calls `memory.open`.
    pub fn open_with(&mut self, user: &str, config: Option<&str>) -> Call<ResourceAny> {
        let config = config.map(str::to_owned);
        self.exports.keepsake_memory_memory().memory().call_open(&mut self.store, user, config.as_ref())
    }

    /// Calls `memory.add`.
    pub fn add(&mut self, memory: ResourceAny, draft: &Draft) -> Call<Entry> {
        self.exports.keepsake_memory_memory().memory().call_add(&mut self.store, memory, draft)
    }

    /// Calls `memory.update`.
    pub fn update(&mut self, memory: ResourceAny, id: &str, changes: &Changes) -> Call<Entry> {
        self.exports.keepsake_memory_memory().memory().call_update(&mut self.store, memory, &id.to_owned(), changes)
    }

    /// Calls `memory.get`.
    pub fn get(&mut self, memory: ResourceAny, id: &str) -> Call<Option<EntryWithContent>> {
        self.exports.keepsake_memory_memory().memory().call_get(&mut self.store, memory, &id.to_owned())
    }

    /// Calls `memory.history`.
    pub fn history(&mut self, memory: ResourceAny, id: &str) -> Call<Vec<EntryWithContent>> {
        self.exports.keepsake_memory_memory().memory().call_history(&mut self.store, memory, &id.to_owned())
    }

    /// Calls `memory.delete`.
    pub fn delete(&mut self, memory: ResourceAny, id: &str) -> Call<bool> {
        self.exports.keepsake_memory_memory().memory().call_delete(&mut self.store, memory, &id.to_owned())
    }

    /// Calls `memory.list`.
    pub fn list(&mut self, memory: ResourceAny, options: &ListOptions) -> Call<Vec<Entry>> {
        self.exports.keepsake_memory_memory().memory().call_list(&mut self.store, memory, options)
    }

    /// Calls `memory.search`.
    pub fn search(&mut self, memory: ResourceAny, query: &Query) -> Call<Vec<Hit>> {
        self.exports.keepsake_memory_memory().memory().call_search(&mut self.store, memory, query)
    }

    /// Calls `memory.explain-miss`.
    pub fn explain_miss(&mut self, memory: ResourceAny, id: &str, query: &Query) -> Call<Miss> {
        self.exports.keepsake_memory_memory().memory().call_explain_miss(&mut self.store, memory, &id.to_owned(), query)
    }

    /// Calls `memory.unembedded`.
    pub fn unembedded(&mut self, memory: ResourceAny, limit: u32) -> Call<(Vec<Unembedded>, u64)> {
        self.exports.keepsake_memory_memory().memory().call_unembedded(&mut self.store, memory, Some(limit))
    }

    /// Calls `memory.embed`.
    pub fn embed(&mut self, memory: ResourceAny, embeddings: &[Embedded]) -> Call<u64> {
        self.exports.keepsake_memory_memory().memory().call_embed(&mut self.store, memory, embeddings)
    }

    /// Calls `memory.count`.
    pub fn count(&mut self, memory: ResourceAny, namespace: Option<&str>) -> Call<u64> {
        self.exports.keepsake_memory_memory().memory().call_count(&mut self.store, memory, namespace)
    }

    /// Calls `memory.stats`.
    pub fn stats(&mut self, memory: ResourceAny) -> Call<Stats> {
        self.exports.keepsake_memory_memory().memory().call_stats(&mut self.store, memory)
    }

    /// Calls `memory.clear`.
    pub fn clear(&mut self, memory: ResourceAny, namespace: Option<&str>) -> Call<u64> {
        self.exports.keepsake_memory_memory().memory().call_clear(&mut self.store, memory, namespace)
    }

    /// Calls `memory.cleanup`.
    pub fn cleanup(&mut self, memory: ResourceAny) -> Call<u64> {
        self.exports.keepsake_memory_memory().memory().call_cleanup(&mut self.store, memory)
    }

    /// Calls `memory.hint`.
    pub fn hint(&mut self, memory: ResourceAny) -> wasmtime::Result<()> {
        self.exports.keepsake_memory_memory().memory().call_hint(&mut self.store, memory)
    }

    /// Calls `memory.use-meaning`.
    pub fn use_meaning(&mut self, memory: ResourceAny, file: &[u8]) -> Call<()> {
        self.exports.keepsake_memory_memory().memory().call_use_meaning(&mut self.store, memory, file)
    }

    /// Calls `memory.flush`.
    pub fn flush(&mut self, memory: ResourceAny) -> Call<()> {
        self.exports.keepsake_memory_memory().memory().call_flush(&mut self.store, memory)
    }

    /// Calls `memory.close`.
    pub fn close(&mut self, memory: ResourceAny) -> Call<()> {
        self.exports.keepsake_memory_memory().memory().call_close(&mut self.store, memory)
    }

    /// Drops a memory, closed or not, or a session.
    pub fn drop_memory(&mut self, memory: ResourceAny) -> wasmtime::Result<()> {
        memory.resource_drop(&mut self.store)
    }
}
