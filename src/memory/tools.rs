//! Calls of a model: what it asks for is checked against the table of tools, done, and answered in few words.

use super::{Env, Error, Memory};
use crate::codec::json::{self, Fields};
use crate::model::{Invalid, Json};
use crate::store::Store;
use crate::tools::{self, Args, Effect, Format, Shown, TOOLS, Tool};

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// For the model.
    pub text: String,
    /// The same for programs; nothing if it failed.
    pub data: Json,
    /// Whether the model has to do something else.
    pub is_error: bool,
}

impl ToolAnswer {
    fn failed(text: String) -> Self {
        Self { text, data: Json::Null, is_error: true }
    }
}

/// Under what conditions a model calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolScope {
    /// The agent that it is. Otherwise it is asked.
    pub agent: Option<String>,
    /// Only these tools; all if there are none.
    pub only: Vec<String>,
    /// Only tools that change nothing.
    pub read_only: bool,
}

impl ToolScope {
    fn admits(&self, tool: &Tool) -> bool {
        let wanted = self.only.is_empty() || self.only.iter().any(|name| name == tool.name);
        wanted && (!self.read_only || tool.effect == Effect::Reads)
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The tools in a form, for the makers of models.
    pub fn tools(&self, format: Format, strict: bool, scope: &ToolScope) -> Result<Vec<Json>, Error> {
        for (at, name) in scope.only.iter().enumerate() {
            if tools::tool(name).is_none() {
                let known = TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
                return Err(Invalid::value(format!("only[{at}]"), format!("is no tool; there are {known}")).into());
            }
        }
        let namespaces = self.namespace_names();
        let how = Shown { format, strict, namespaces: &namespaces, agent_known: scope.agent.is_some() };
        Ok(TOOLS.iter().filter(|tool| scope.admits(tool)).map(|tool| tools::shown(tool, &how)).collect())
    }

    /// Does what a model asks for. What it did wrong is an answer to it; failures of the storage are errors.
    pub async fn call_tool(&self, name: &str, args: Json, scope: &ToolScope) -> Result<ToolAnswer, Error> {
        let Some(tool) = tools::tool(name) else {
            let known: Vec<&str> = TOOLS.iter().filter(|tool| scope.admits(tool)).map(|tool| tool.name).collect();
            return Ok(ToolAnswer::failed(format!("There is no such tool. There are: {}.", known.join(", "))));
        };
        if !scope.admits(tool) {
            let why =
                if scope.read_only { "changes the memory, which may only be read here" } else { "is not allowed here" };
            return Ok(ToolAnswer::failed(format!("`{name}` {why}.")));
        }
        let args = match tools::check(tool, args, scope.agent.as_deref(), &self.namespace_names()) {
            Ok(args) => args,
            Err(mistakes) => {
                let text = format!(
                    "`{name}` was not called: {}. Correct the arguments and call it again.",
                    mistakes.join("; ")
                );
                return Ok(ToolAnswer::failed(text));
            }
        };
        match self.done(tool, &args, scope).await {
            Ok(data) => {
                let text = data.as_str().map_or_else(|| data.to_string(), str::to_owned);
                Ok(ToolAnswer { text, data, is_error: false })
            }
            // What was asked for can be asked for otherwise; what the storage does cannot.
            Err(error) if error.field().is_some() => Ok(ToolAnswer::failed(format!("`{name}` failed: {error}."))),
            Err(error) => Err(error),
        }
    }

    async fn done(&self, tool: &Tool, args: &Args, scope: &ToolScope) -> Result<Json, Error> {
        let all = || Json::object(args.without(&[]));
        let agent = args.get("agent").and_then(Json::as_str).unwrap_or_default();
        let file = |name: &str| Json::from(format!("agents/{agent}/memory/{name}.md"));
        let documented = match tool.name {
            "memory_add" => Some("memoryAdd"),
            "memory_search" => Some("memorySearch"),
            "memory_get" => Some("memoryGetContent"),
            "memory_stats" => Some("memoryStats"),
            "memory_delete" => Some("memoryDelete"),
            _ => None,
        };
        if let Some(name) = documented {
            let answer = self.documented(name, all()).await.unwrap_or_default();
            return match answer.get("error").as_str() {
                Some(problem) => Err(Invalid::value("arguments", problem).into()),
                None => Ok(answer),
            };
        }
        match tool.name {
            // What an agent records and what it is told are in one scope.
            "query_memory" | "record_to_memory" | "retrieve_from_memory" => {
                let verb = match tool.name {
                    "query_memory" => "queryMemory",
                    "record_to_memory" => "recordToMemory",
                    _ => "retrieveFromMemory",
                };
                let mut given = args.without(&[]);
                given.extend(scope.agent.as_deref().map(|agent| ("agent", agent.into())));
                self.through(self.converse(verb, Json::object(given)).await)
            }
            "update_profile" => {
                let mut given = args.without(&[]);
                given.extend(scope.agent.as_deref().map(|agent| ("source", agent.into())));
                self.through(self.stores("updateProfile", Json::object(given)).await)
            }
            "read_memory_file" => {
                let found = self.through(self.file_verbs("file", all()).await)?;
                found.get("text").as_str().map(Json::from).ok_or(Error::NO_FILE)
            }
            "write_memory_file" => {
                self.through(self.file_verbs("writeFile", all()).await)?;
                Ok("The file was written.".into())
            }
            "update_memory_section" => {
                let path = file(args.get("file").and_then(Json::as_str).unwrap_or_default());
                let mut given = args.without(&["agent", "file"]);
                given.push(("path", path.clone()));
                match self.through(self.file_verbs("updateSection", Json::object(given)).await) {
                    Err(error) if error.field() == Some("section") => {
                        let titles = self.section_titles(&path).await?;
                        let reason = format!("is no section of this file; its sections are: {}", titles.join("; "));
                        Err(Invalid::value("section", reason).into())
                    }
                    answer => answer.map(|_| "The section was updated.".into()),
                }
            }
            "record_decision" | "record_learning" => {
                let name = if tool.name == "record_decision" { "decisions" } else { "learnings" };
                let entry = Json::object(args.without(&["agent"]));
                let given = vec![("path", file(name)), ("entries", Json::Array(vec![entry]))];
                self.through(self.file_verbs("recordNotes", Json::object(given)).await)?;
                Ok("It was recorded.".into())
            }
            "search_learnings" => {
                let found = self.through(self.file_verbs("searchLearnings", all()).await)?;
                let texts: Vec<&str> =
                    found.as_array().unwrap_or(&[]).iter().filter_map(|entry| entry.get("text").as_str()).collect();
                let text = texts.join("\n\n---\n\n");
                Ok(if text.is_empty() { "Nothing was learned about this yet".into() } else { text.into() })
            }
            _ => {
                let mut given = args.without(&["agent"]);
                given.push(("fromAgent", agent.into()));
                self.through(self.file_verbs("handOver", Json::object(given)).await)?;
                Ok("The work was handed over.".into())
            }
        }
    }

    /// What a model can choose from. It may see them: it is given the whole file when it is activated.
    async fn section_titles(&self, path: &Json) -> Result<Vec<String>, Error> {
        let args = Json::object(vec![("path", path.clone()), ("text", Json::Null)]);
        let parsed = self.through(self.file_verbs("parseFile", args).await)?;
        let title = |section: &Json| section.get("title").as_str().map(str::to_owned);
        Ok(parsed.get("sections").as_array().unwrap_or(&[]).iter().filter_map(title).collect())
    }

    /// The answer of a group of verbs, which knows the one that was asked for.
    fn through(&self, answer: Result<Result<Json, Error>, Json>) -> Result<Json, Error> {
        answer.unwrap_or(Err(Error::NotFound { what: "tool with this name" }))
    }

    fn namespace_names(&self) -> Vec<&str> {
        self.inner.config.namespaces.names().map(|name| name.as_str()).collect()
    }

    /// The two verbs of tools, with JSON in and out; the arguments come back if it is neither.
    pub(super) async fn tool_verbs(&self, verb: &str, args: Json) -> Result<Result<Json, Error>, Json> {
        if verb != "tools" && verb != "callTool" {
            return Err(args);
        }
        Ok(self.with_tools(verb, Fields::of("args", args)).await)
    }

    async fn with_tools(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        let scope = ToolScope {
            agent: fields.text("agent"),
            only: fields.texts("only"),
            read_only: fields.flag("readOnly").unwrap_or_default(),
        };
        if verb == "tools" {
            let (format, strict) = (fields.required_text("format"), fields.flag("strict").unwrap_or_default());
            fields.finish()?;
            return Ok(Json::Array(self.tools(Format::new("format", &format)?, strict, &scope)?));
        }
        let (name, given) = (fields.required_text("name"), fields.value("args").unwrap_or_default());
        fields.finish()?;
        let given = match given {
            // As some makers' models give them.
            Json::String(text) => json::parse(&text).unwrap_or(Json::String(text)),
            given => given,
        };
        let answer = self.call_tool(&name, given, &scope).await?;
        Ok(Json::object(vec![("text", answer.text.into()), ("data", answer.data), ("isError", answer.is_error.into())]))
    }
}
