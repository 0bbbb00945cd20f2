//! The component of a host that has models, and what those say when a test asks them to.

use crate::bindings::Keepsake;
use crate::instance::{Call, Instance, compiled};
use crate::storage::Storage;
use crate::wit::{Error, Hit, Query};
use crate::wit_dialog::{Compressed, Context, ContextOptions, Recall, Recalled, Strategy};
use crate::wit_stores::Skill;
use crate::wit_tools::{ToolAnswer, ToolScope};
use crate::world::World;
use keepsake::memory::scripted::Scripted;
use std::sync::{Arc, OnceLock};
use wasmtime::Store;
use wasmtime::component::{Component, ComponentNamedList, ComponentType, HasSelf, Lift, Linker, Lower, ResourceAny};

/// What is to become shorter.
#[derive(Clone, Debug, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Passage {
    /// What was said, or summaries.
    pub texts: Vec<String>,
    /// Whether they are summaries.
    #[component(name = "are-summaries")]
    pub are_summaries: bool,
    /// How long the summary may be.
    #[component(name = "max-tokens")]
    pub max_tokens: u32,
}

type Shared<I, O> = Arc<dyn Fn(I) -> O + Send + Sync>;

/// The models of a host.
#[derive(Clone)]
pub struct Models {
    /// Writes summaries.
    pub summarize: Shared<Vec<Passage>, Vec<Option<String>>>,
    /// Says where texts lie.
    pub embed: Shared<Vec<String>, Option<Vec<Vec<f32>>>>,
    /// Makes skills of traces.
    pub teach: Shared<(String, Vec<String>), Option<Vec<String>>>,
}

/// An instance of the component that asks models.
pub struct Hooked {
    /// What it can do without them.
    pub instance: Instance,
    exports: wasmtime::component::Instance,
}

/// The component with hooks as it was built.
///
/// # Panics
/// If it was not built.
pub fn hooked_component() -> &'static Component {
    static COMPONENT: OnceLock<Component> = OnceLock::new();
    COMPONENT.get_or_init(|| compiled("keepsake-hooks.component.wasm"))
}

impl Hooked {
    /// A new instance on `storage`, with these models.
    ///
    /// # Panics
    /// If it cannot be made, which no test expects.
    pub fn new(storage: &Storage, scripted: &Scripted, models: &Models) -> Self {
        let engine = hooked_component().engine();
        let mut linker = Linker::<World>::new(engine);
        Keepsake::add_to_linker::<_, HasSelf<_>>(&mut linker, |world| world).expect("each import is there once");
        let Models { summarize, embed, teach } = models.clone();
        let linked = (|| {
            let mut root = linker.root();
            let mut summarizer = root.instance("keepsake:memory/summarizer@0.1.0")?;
            summarizer.func_wrap("summarize", move |_, (passages,): (Vec<Passage>,)| Ok((summarize(passages),)))?;
            let mut embedder = root.instance("keepsake:memory/embedder@0.1.0")?;
            embedder.func_wrap("embed", move |_, (texts,): (Vec<String>,)| Ok((embed(texts),)))?;
            let mut teacher = root.instance("keepsake:memory/teacher@0.1.0")?;
            teacher.func_wrap("teach", move |_, asked: (String, Vec<String>)| Ok((teach(asked),)))?;
            linker.instantiate_pre(hooked_component())
        })();
        let linked = linked.expect("every import is there");
        let mut store = Store::new(engine, World::new(storage, scripted));
        store.limiter(|world| &mut world.growth);
        store.set_fuel(u64::MAX).expect("fuel is switched on");
        let exports = linked.instantiate(&mut store).expect("there is nothing to refuse");
        let named = Keepsake::new(&mut store, &exports).expect("every export is there");
        Self { instance: Instance { store, exports: named, raw: exports }, exports }
    }

    fn call<P, R>(&mut self, name: &str, params: P) -> Call<R>
    where
        P: ComponentNamedList + Lower,
        (Result<R, Error>,): ComponentNamedList + Lift,
    {
        let store = &mut self.instance.store;
        let interface = self.exports.get_export_index(&mut *store, None, "keepsake:memory/hooked@0.1.0");
        let function = self.exports.get_export_index(&mut *store, interface.as_ref(), name);
        let function = function.expect("the world names it");
        let function = self.exports.get_typed_func::<P, (Result<R, Error>,)>(&mut *store, &function)?;
        Ok(function.call(&mut *store, params)?.0)
    }

    /// Calls `hooked.compress`.
    pub fn compress(&mut self, session: ResourceAny, way: Option<Strategy>) -> Call<Compressed> {
        self.call("compress", (session, way))
    }

    /// Calls `hooked.embed`.
    pub fn embed(&mut self, memory: ResourceAny, limit: u32) -> Call<u64> {
        self.call("embed", (memory, limit))
    }

    /// Calls `hooked.search`.
    pub fn search(&mut self, memory: ResourceAny, query: Query) -> Call<Vec<Hit>> {
        self.call("search", (memory, query))
    }

    /// Calls `hooked.query-memory`.
    pub fn query_memory(&mut self, memory: ResourceAny, recall: Recall) -> Call<Vec<Recalled>> {
        self.call("query-memory", (memory, recall))
    }

    /// Calls `hooked.make-context`.
    pub fn make_context(&mut self, session: ResourceAny, options: ContextOptions) -> Call<Context> {
        self.call("make-context", (session, options))
    }

    /// Calls `hooked.call-tool`.
    pub fn call_tool(&mut self, memory: ResourceAny, name: String, args: String, scope: ToolScope) -> Call<ToolAnswer> {
        self.call("call-tool", (memory, name, args, scope))
    }

    /// Calls `hooked.learn`.
    pub fn learn(&mut self, memory: ResourceAny, task_type: Option<String>) -> Call<Vec<Skill>> {
        self.call("learn", (memory, task_type))
    }
}
