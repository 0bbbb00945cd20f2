//! The loop: a prompt from the memory, a reply of the model, the tools that it calls, until it has said something.

use crate::model::Model;
use keepsake::types::{Format, GUIDANCE, ToolFormat};
use keepsake::{FileStore, Json, Memory, Session};
use serde_json::{Value, json};
use std::error::Error;

/// A model that still calls tools after so many replies has lost its way.
const MAX_REPLIES: usize = 8;

/// The tools of the memory that the model gets.
const TOOLS: [&str; 2] = ["memory_add", "memory_search"];

pub(crate) struct Agent {
    memory: Memory<FileStore>,
    chat: Session<FileStore>,
    model: Box<dyn Model>,
}

impl Agent {
    pub(crate) async fn open(file: &str, model: Box<dyn Model>) -> Result<Self, Box<dyn Error>> {
        let memory = Memory::open(FileStore::open(file)?, "u-42").await?;
        Ok(Self { chat: memory.session("command-line"), memory, model })
    }

    /// The answer to what the user says. Each message is stored before the next step: an agent that is killed loses none.
    pub(crate) async fn answer(&self, said: &str) -> Result<String, Box<dyn Error>> {
        self.append(&json!([{ "role": "user", "content": said }])).await?;
        let tools = self.memory.tools(ToolFormat::OpenAi).only(TOOLS).await?;
        let tools =
            tools.iter().map(|tool| serde_json::from_str(&tool.to_string())).collect::<Result<Vec<Value>, _>>()?;
        for _ in 0..MAX_REPLIES {
            let reply = self.model.reply(&self.prompt().await?, &tools)?;
            self.append(&json!([reply])).await?;
            let calls = reply["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
            if calls.is_empty() {
                return Ok(reply["content"].as_str().unwrap_or_default().to_owned());
            }
            for call in calls {
                let (name, args) = (&call["function"]["name"], &call["function"]["arguments"]);
                let args: Json = args.as_str().unwrap_or("{}").parse().unwrap_or_default();
                // A call that the model got wrong has an answer, too: it says what to correct.
                let name = name.as_str().unwrap_or_default();
                let done = self.memory.call_tool(name, args).only(TOOLS).session("command-line").await?;
                self.append(&json!([{ "role": "tool", "tool_call_id": call["id"], "content": done.text }])).await?;
            }
        }
        Err("the model called tools without end".into())
    }

    /// The instructions, what the memory recalls, and the conversation as far as the budget reaches.
    async fn prompt(&self) -> Result<Value, Box<dyn Error>> {
        let system = format!("You help one person, briefly.\n\n{}", GUIDANCE);
        let request = self.chat.context().budget(4_000).system(system).format(Format::OpenAi).await?;
        Ok(serde_json::from_str(&request.to_string())?)
    }

    async fn append(&self, messages: &Value) -> Result<(), Box<dyn Error>> {
        self.chat.append_many(Format::OpenAi.read(&messages.to_string().parse()?)?).await?;
        Ok(())
    }

    pub(crate) async fn close(self) -> Result<(), Box<dyn Error>> {
        Ok(self.memory.close().await?)
    }
}
