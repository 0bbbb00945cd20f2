//! Tools for a model: their schemas, and its calls.

use super::{Memory, call};
use crate::memory::{Env, ToolAnswer, ToolBeside, ToolScope};
use crate::model::{Embedding, Invalid, Json, SessionId};
use crate::store::Store;
use crate::tools::Format;

/// What tools are wanted.
#[derive(Debug)]
pub(super) struct Wanted {
    format: Format,
    strict: bool,
    scope: ToolScope,
}

call! {
    /// The tools of a memory; see [`Memory::tools`].
    Tools(Wanted) -> Vec<Json>, |memory, wanted| memory.tools(wanted.format, wanted.strict, &wanted.scope)
}

impl<S, E> Tools<S, E> {
    /// Strict schemas, for providers that have them.
    pub fn strict(self) -> Self {
        self.edit(|wanted| wanted.strict = true)
    }
}

/// A call of a tool.
#[derive(Debug)]
pub(super) struct Called {
    name: String,
    args: Json,
    scope: ToolScope,
    beside: ToolBeside,
}

call! {
    /// Runs a tool call; see [`Memory::call_tool`].
    CallTool(Called) -> ToolAnswer, |memory, called| {
        memory.call_tool_with(&called.name, called.args, &called.scope, &called.beside).await
    }
}

impl<S, E> CallTool<S, E> {
    /// The embedding of the call's query, by the model that embedded the entries.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        let embedding = Embedding::new("embedding", embedding.into());
        self.set(embedding, |called, made| called.beside.embedding = Some(made))
    }
}

/// The scope of a model, for its tools and its calls.
macro_rules! scope {
    ($name:ident, $given:ty) => {
        impl<S, E> $name<S, E> {
            /// The agent that the model acts as. Default: the model passes it as an argument.
            pub fn agent(self, agent: impl Into<String>) -> Self {
                self.edit(|given: &mut $given| given.scope.agent = Some(agent.into()))
            }

            /// Only these tools. Default: all.
            pub fn only<T: Into<String>>(self, tools: impl IntoIterator<Item = T>) -> Self {
                self.edit(|given: &mut $given| given.scope.only = tools.into_iter().map(Into::into).collect())
            }

            /// Only tools that change nothing.
            pub fn read_only(self) -> Self {
                self.edit(|given: &mut $given| given.scope.read_only = true)
            }

            /// The conversation in which the model calls. Once it holds content of low trust, what the model records
            /// there is of low trust too.
            pub fn session(self, session: impl Into<String>) -> Self {
                let session: Result<SessionId, Invalid> = SessionId::new("session", session);
                self.set(session, |given: &mut $given, session| given.scope.session = Some(session))
            }

            /// Paths that the model may write although they are hidden or no documents; `/` is the whole tree.
            pub fn writable<T: Into<String>>(self, paths: impl IntoIterator<Item = T>) -> Self {
                self.edit(|given: &mut $given| given.scope.writable = paths.into_iter().map(Into::into).collect())
            }
        }
    };
}

scope!(Tools, Wanted);
scope!(CallTool, Called);

impl<S: Store, E: Env> Memory<S, E> {
    /// The tools of this memory in the format of a provider, as JSON.
    ///
    /// ```
    /// # use keepsake::{Json, MemStore, Memory, types::ToolFormat};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let tools = memory.tools(ToolFormat::OpenAi).only(["memory_add", "memory_search"]).await?;
    /// assert_eq!(tools.len(), 2);
    ///
    /// // The model calls one. Its mistakes are answers that it can read, not errors.
    /// let args: Json = r#"{ "content": "Tea at four" }"#.parse().unwrap();
    /// let answer = memory.call_tool("memory_add", args).session("s-1").await?;
    /// assert!(!answer.is_error, "{}", answer.text);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn tools(&self, format: Format) -> Tools<S, E> {
        Tools::new(&self.core, Wanted { format, strict: false, scope: ToolScope::default() })
    }

    /// Runs a model's call of a tool. `args` is the object that the model wrote, or its text as a JSON string.
    pub fn call_tool(&self, name: impl Into<String>, args: impl Into<Json>) -> CallTool<S, E> {
        let (scope, beside) = (ToolScope::default(), ToolBeside::default());
        CallTool::new(&self.core, Called { name: name.into(), args: args.into(), scope, beside })
    }
}
