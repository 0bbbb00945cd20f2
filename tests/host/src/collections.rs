//! The calls of the interface `collections`.

use crate::instance::{Call, Instance};
use crate::wit_collections::{Change, Expected, Hit, Item};
use wasmtime::component::ResourceAny;

impl Instance {
    /// Calls `get`.
    pub fn values(&mut self, memory: ResourceAny, collection: &str, keys: &[String]) -> Call<Vec<Option<String>>> {
        self.exports.keepsake_memory_collections().call_get(&mut self.store, memory, collection, keys)
    }

    /// Calls `list-values`.
    pub fn list_values(&mut self, memory: ResourceAny, collection: &str, prefix: &str, limit: u32) -> Call<Vec<Item>> {
        let exports = self.exports.keepsake_memory_collections();
        exports.call_list_values(&mut self.store, memory, collection, Some(prefix), None, Some(limit))
    }

    /// Calls `write`.
    pub fn write_values(
        &mut self,
        memory: ResourceAny,
        collection: &str,
        changes: &[Change],
        expect: &[Expected],
    ) -> Call<bool> {
        self.exports.keepsake_memory_collections().call_write(&mut self.store, memory, collection, changes, expect)
    }

    /// Calls `search`.
    pub fn search_values(
        &mut self,
        memory: ResourceAny,
        collection: &str,
        query: &str,
        prefix: &str,
    ) -> Call<Vec<Hit>> {
        let exports = self.exports.keepsake_memory_collections();
        exports.call_search(&mut self.store, memory, collection, query, Some(prefix), None)
    }
}
