//! Tools for models, through the WIT door. Decode, call, encode.

use super::bindings::exports::keepsake::memory::tools as door;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use super::{Keepsake, convert};
use crate::memory::{Memory, ToolAnswer, ToolScope};
use crate::tools::{Format, GUIDANCE};

type Open = Memory<HostStore, HostEnv>;

impl From<door::ToolScope> for ToolScope {
    fn from(scope: door::ToolScope) -> Self {
        Self { agent: scope.agent, only: scope.only, read_only: scope.read_only, writable: scope.writable }
    }
}

impl From<ToolAnswer> for door::ToolAnswer {
    fn from(answer: ToolAnswer) -> Self {
        let data = (!answer.is_error).then(|| answer.data.to_string());
        Self { text: answer.text, data, is_error: answer.is_error }
    }
}

impl door::Guest for Keepsake {
    fn show(
        memory: door::MemoryBorrow<'_>,
        format: String,
        strict: bool,
        scope: door::ToolScope,
    ) -> Result<Vec<door::JsonObject>, door::Error> {
        let format = Format::new("format", &format)?;
        let tools = memory.get::<Open>().tools(format, strict, &scope.into())?;
        Ok(tools.iter().map(ToString::to_string).collect())
    }

    fn guidance() -> String {
        GUIDANCE.to_owned()
    }

    fn call(
        memory: door::MemoryBorrow<'_>,
        name: String,
        args: door::Json,
        scope: door::ToolScope,
    ) -> Result<door::ToolAnswer, door::Error> {
        let args = convert::value("args", &args)?;
        let answer = ready(memory.get::<Open>().call_tool(&name, args, &scope.into()))?;
        Ok(answer.into())
    }
}
