//! The loop: a prompt from the memory, a reply of the model, the tools that it calls, until it has said something.

use crate::model::Model;
use keepsake::codec::json::parse;
use keepsake::memory::{Format, ToolScope};
use keepsake::model::SessionId;
use keepsake::native::{FileStore, SystemEnv};
use keepsake::{Config, Memory, model::UserId, tools};
use serde_json::{Value, json};
use std::error::Error;

/// A model that still calls tools after so many replies has lost its way.
const MAX_REPLIES: usize = 8;

pub(crate) struct Agent {
    memory: Memory<FileStore, SystemEnv>,
    model: Box<dyn Model>,
    session: SessionId,
    scope: ToolScope,
}

impl Agent {
    pub(crate) async fn open(file: &str, model: Box<dyn Model>) -> Result<Self, Box<dyn Error>> {
        let (store, user) = (FileStore::open(file)?, UserId::new("user", "u-42")?);
        let memory = Memory::open(store, SystemEnv, user, Config::default()).await?;
        let session = SessionId::new("session", "command-line")?;
        let only = ["memory_add", "memory_search"].map(str::to_owned).to_vec();
        let scope = ToolScope { only, session: Some(session.clone()), ..ToolScope::default() };
        Ok(Self { memory, model, session, scope })
    }

    /// The answer to what the user says. Each message is stored before the next step: an agent that is killed loses none.
    pub(crate) async fn answer(&self, said: &str) -> Result<String, Box<dyn Error>> {
        self.append(&json!([{ "role": "user", "content": said }])).await?;
        let tools = self.memory.tools(tools::Format::new("format", "openai")?, false, &self.scope)?;
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
                let args = parse(args.as_str().unwrap_or("{}")).unwrap_or_default();
                // A call that the model got wrong has an answer, too: it says what to correct.
                let done = self.memory.call_tool(name.as_str().unwrap_or_default(), args, &self.scope).await?;
                self.append(&json!([{ "role": "tool", "tool_call_id": call["id"], "content": done.text }])).await?;
            }
        }
        Err("the model called tools without end".into())
    }

    /// The instructions, what the memory recalls, and the conversation as far as the budget reaches.
    async fn prompt(&self) -> Result<Value, Box<dyn Error>> {
        let system = format!("You help one person, briefly.\n\n{}", tools::GUIDANCE);
        let session = self.session.as_str();
        let args = json!({ "session": session, "budget": 4_000, "system": system, "format": "openai" });
        let context = self.memory.call("context", parse(&args.to_string()).map_err(|_| "no JSON")?).await?;
        Ok(serde_json::from_str(&context.get("messages").to_string())?)
    }

    async fn append(&self, messages: &Value) -> Result<(), Box<dyn Error>> {
        let drafts =
            Format::OpenAi.read(&parse(&messages.to_string()).map_err(|_| "the model's reply is not JSON")?)?;
        self.memory.append(&self.session, None, &drafts).await?;
        Ok(())
    }

    pub(crate) async fn close(self) -> Result<(), Box<dyn Error>> {
        Ok(self.memory.close().await?)
    }
}
