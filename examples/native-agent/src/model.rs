//! Models: a scripted one, which needs no network, and any server that speaks OpenAI's chat completions.

use serde_json::{Value, json};
use std::error::Error;

/// A model: from messages and tools in OpenAI's format to its next message.
pub(crate) trait Model {
    fn reply(&self, messages: &Value, tools: &[Value]) -> Result<Value, Box<dyn Error>>;
}

/// Does two things: it notes down what follows "remember that", and searches the memory for an answer to anything else.
pub(crate) struct Scripted;

impl Model for Scripted {
    fn reply(&self, messages: &Value, _: &[Value]) -> Result<Value, Box<dyn Error>> {
        let last = messages.as_array().and_then(|messages| messages.last()).ok_or("there is no message")?;
        let text = last["content"].as_str().unwrap_or_default();
        if last["role"] == "tool" {
            return Ok(json!({ "role": "assistant", "content": text }));
        }
        let note = text.to_lowercase().find("remember that ").map(|at| &text[at + "remember that ".len()..]);
        let (name, arguments) = match note {
            Some(note) => ("memory_add", json!({ "content": note, "namespace": "long-term" })),
            None => ("memory_search", json!({ "query": text })),
        };
        let function = json!({ "name": name, "arguments": arguments.to_string() });
        let calls = json!([{ "id": "call-1", "type": "function", "function": function }]);
        Ok(json!({ "role": "assistant", "content": null, "tool_calls": calls }))
    }
}

/// A server with `/chat/completions` below its URL: Ollama, llama.cpp, vLLM, or a proxy of a hosted model.
pub(crate) struct Endpoint {
    url: String,
    model: String,
    key: Option<String>,
}

impl Endpoint {
    pub(crate) fn new(base: String, model: String, key: Option<String>) -> Self {
        Self { url: format!("{}/chat/completions", base.trim_end_matches('/')), model, key }
    }
}

impl Model for Endpoint {
    fn reply(&self, messages: &Value, tools: &[Value]) -> Result<Value, Box<dyn Error>> {
        let mut request = ureq::post(&self.url);
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let body = json!({ "model": self.model, "messages": messages, "tools": tools });
        let request = request.header("content-type", "application/json");
        let answer = request.send(body.to_string())?.body_mut().read_to_string()?;
        let mut answer: Value = serde_json::from_str(&answer)?;
        match answer["choices"][0]["message"].take() {
            Value::Null => Err("the model's server returned no message".into()),
            message => Ok(message),
        }
    }
}
