//! An instance whose functions are called with values of their own types, found in the component: no list of verbs.

use crate::instance::{component, linked};
use crate::storage::Storage;
use crate::world::World;
use keepsake::memory::scripted::Scripted;
use wasmtime::Store;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Func, Instance, Val};

/// An instance of the component, and the functions that it exports.
pub struct Untyped {
    store: Store<World>,
    functions: Vec<(String, Func)>,
}

impl Untyped {
    /// A new instance on `storage`.
    ///
    /// # Panics
    /// If it cannot be made, which no test expects.
    pub fn new(storage: &Storage, scripted: &Scripted) -> Self {
        let mut store = Store::new(component().engine(), World::new(storage, scripted));
        store.limiter(|world| &mut world.growth);
        store.set_fuel(u64::MAX).expect("fuel is switched on");
        let instance = linked().instance_pre().instantiate(&mut store).expect("there is nothing to refuse");
        let functions = functions(&mut store, &instance);
        Self { store, functions }
    }

    /// The names of the functions: `interface#function`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(name, _)| name.as_str())
    }

    /// Calls the function at this place. `make` gets the type of each parameter; nothing is called if it gives no value for
    /// one. An error is a trap.
    ///
    /// # Panics
    /// If there is no function at this place.
    pub fn call(
        &mut self,
        at: usize,
        mut make: impl FnMut(&str, &wasmtime::component::Type) -> Option<Val>,
    ) -> Option<wasmtime::Result<Vec<Val>>> {
        let function = self.functions[at].1;
        let ty = function.ty(&self.store);
        let params: Option<Vec<Val>> = ty.params().map(|(name, ty)| make(name, &ty)).collect();
        let mut results: Vec<Val> = ty.results().map(|_| Val::Bool(false)).collect();
        Some(function.call(&mut self.store, &params?, &mut results).map(|()| results))
    }
}

fn functions(store: &mut Store<World>, instance: &Instance) -> Vec<(String, Func)> {
    let engine = component().engine();
    let mut functions = Vec::new();
    for (interface, item) in component().component_type().exports(engine) {
        let ComponentItem::ComponentInstance(inside) = item.ty else { continue };
        let outer = instance.get_export_index(&mut *store, None, interface).expect("it is exported");
        for (name, _) in inside.exports(engine) {
            let Some(index) = instance.get_export_index(&mut *store, Some(&outer), name) else { continue };
            if let Some(function) = instance.get_func(&mut *store, index) {
                functions.push((format!("{interface}#{name}"), function));
            }
        }
    }
    functions
}
