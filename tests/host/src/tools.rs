//! The calls of the interface `tools`.

use crate::instance::{Call, Instance};
use crate::wit_tools::{ToolAnswer, ToolScope};
use wasmtime::component::ResourceAny;

impl Instance {
    /// Calls `show`.
    pub fn show_tools(
        &mut self,
        memory: ResourceAny,
        format: &str,
        strict: bool,
        scope: &ToolScope,
    ) -> Call<Vec<String>> {
        self.exports.keepsake_memory_tools().call_show(&mut self.store, memory, format, strict, scope)
    }

    /// Calls `call`.
    pub fn call_tool(&mut self, memory: ResourceAny, name: &str, args: &str, scope: &ToolScope) -> Call<ToolAnswer> {
        let args = args.to_owned();
        self.exports.keepsake_memory_tools().call_call(&mut self.store, memory, name, &args, scope)
    }
}
