//! Tool calls of a model: validated against the table of tools, run, and answered in a few words.

use super::tool_search::ToolSearch;
use super::verb::{Agents, Documented, FileChanges, Sessions, State, Team, Tools};
use crate::codec::json::{self, Fields};
use crate::files::{Document, Kind, check_writable};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::writing::INSTRUCTION_TAG;
use crate::memory::files::tree::Expect;
use crate::memory::prompt::long_term::Origin;
use crate::model::{Embedding, Invalid, Json, SessionId, Trust};
use crate::store::Store;
use crate::text::visible;
use crate::tools::{self, Args, Effect, Format, SchemaOptions, TOOLS, Tool, listed};

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolAnswer {
    /// The text for the model.
    pub text: String,
    /// The result for programs; `None` if the call failed.
    pub data: Json,
    /// Whether the model has to correct its call.
    pub is_error: bool,
}

impl ToolAnswer {
    fn failed(text: String) -> Self {
        Self { text, data: Json::Null, is_error: true }
    }
}

/// The scope of a model's tool calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolScope {
    /// The agent that the model acts as. `None`: the model passes it as an argument.
    pub agent: Option<String>,
    /// Only these tools; all if empty.
    pub only: Vec<String>,
    /// Only tools that change nothing.
    pub read_only: bool,
    /// Paths of files and folders that tools may write although they are hidden or no documents; `/` is the whole tree.
    /// Files that other programs reserve (`.git`, `node_modules`) are never written.
    pub writable: Vec<String>,
    /// The conversation in which the model calls. Once it holds content of low trust, what the model records is of low
    /// trust too, and the profile cannot be changed.
    pub session: Option<SessionId>,
}

/// Results of the app's own models for a call, beside its arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolBeside {
    /// The embedding of the call's query.
    pub embedding: Option<Embedding>,
    /// The summary of the entry that it adds.
    pub summary: Option<String>,
    /// The ids of hits in the app's own order, best first. They come before all other hits.
    pub ranked: Vec<String>,
}

impl ToolScope {
    fn admits(&self, tool: &Tool) -> bool {
        let wanted = self.only.is_empty() || self.only.iter().any(|name| listed(name) == listed(tool.name));
        wanted && (!self.read_only || tool.effect == Effect::Reads)
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The tools in the format of a provider.
    pub fn tools(&self, format: Format, strict: bool, scope: &ToolScope) -> Result<Vec<Json>, Error> {
        for (at, name) in scope.only.iter().enumerate() {
            if tools::tool(name).is_none() {
                let known = TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
                return Err(Invalid::value(format!("only[{at}]"), format!("is no tool; there are {known}")).into());
            }
        }
        let namespaces = self.namespace_names();
        let how = SchemaOptions { format, strict, namespaces: &namespaces, agent_known: scope.agent.is_some() };
        Ok(TOOLS.iter().filter(|tool| scope.admits(tool)).map(|tool| tools::shown(tool, &how)).collect())
    }

    /// Runs a tool call. A mistake of the model is an answer; a failure of the storage is an error.
    pub async fn call_tool(&self, name: &str, args: Json, scope: &ToolScope) -> Result<ToolAnswer, Error> {
        self.call_tool_with(name, args, scope, &ToolBeside::default()).await
    }

    /// The same with results of the app's own models.
    pub async fn call_tool_with(
        &self,
        name: &str,
        args: Json,
        scope: &ToolScope,
        beside: &ToolBeside,
    ) -> Result<ToolAnswer, Error> {
        self.load_shelf().await?;
        // An invalid embedding is the embedder's fault, not the calling model's.
        self.check_dimensions(beside.embedding.as_ref())?;
        check_writable(&scope.writable)?;
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
        match self.done(tool, &args, scope, beside).await {
            Ok(data) => {
                let mut text = data.as_str().map_or_else(|| data.to_string(), str::to_owned);
                // The text of a file stays unescaped, because an edit has to match the file exactly.
                if !matches!(tool.name, "read_memory_file" | "list_memory_files") {
                    text = visible(&text).into_owned();
                }
                Ok(ToolAnswer { text, data, is_error: false })
            }
            // The model can correct its arguments, but not a failure of the storage.
            Err(error) if error.field().is_some() => Ok(ToolAnswer::failed(format!("`{name}` failed: {error}."))),
            Err(error) => Err(error),
        }
    }

    /// The text to embed for a tool call that also searches by embedding; `None` for other calls.
    pub async fn tool_query(&self, name: &str, args: &Json) -> Result<Option<String>, Error> {
        let parsed = args.as_str().and_then(|text| json::parse(text).ok());
        let args = parsed.as_ref().unwrap_or(args);
        let query = match name {
            // Learnings and knowledge are searched by words.
            "memory_search" if matches!(args.get("scope").as_str(), Some("learnings" | "knowledge")) => None,
            "memory_search" | "query_memory" => args.get("query").as_str().map(str::to_owned),
            "retrieve_from_memory" => match args.get("keywords") {
                Json::Array(words) => Some(words.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" ")),
                word => word.as_str().map(str::to_owned),
            },
            _ => None,
        };
        match query.filter(|query| !query.trim().is_empty()) {
            Some(query) => self.to_embed(&query).await.map(Some),
            None => Ok(None),
        }
    }

    /// The search of a call in the form of the verb `callTool`; `None` if it does not search.
    pub(super) fn called_search(&self, args: Json) -> Result<Option<ToolSearch>, Invalid> {
        let (name, args, scope, beside) = tool_call(Fields::of("args", args))?;
        let Some(tool) = tools::tool(&name).filter(|tool| scope.admits(tool)) else { return Ok(None) };
        // The model is told what is wrong with its arguments when the tool is called.
        let Ok(args) = tools::check(tool, args, scope.agent.as_deref(), &self.namespace_names()) else {
            return Ok(None);
        };
        Ok(ToolSearch::of(tool, &args, &scope, &beside).unwrap_or_default())
    }

    async fn done(&self, tool: &Tool, args: &Args, scope: &ToolScope, beside: &ToolBeside) -> Result<Json, Error> {
        if let Some(search) = ToolSearch::of(tool, args, scope, beside)? {
            return self.tool_searched(search).await;
        }
        let origin = Origin { session: scope.session.clone(), ..Origin::default() };
        let trust = if tool.effect == Effect::Reads { Trust::Normal } else { self.trust_in_assistant(&origin).await? };
        let all = || {
            let mut all = args.without(&[]);
            if let Some(summary) = beside.summary.as_deref().filter(|_| tool.name == "memory_add") {
                all.push(("summary", summary.into()));
            }
            if tool.name == "memory_add" {
                // An instruction is the user's own: a model cannot give itself one.
                let tags = all.iter_mut().find(|(name, _)| *name == "tags");
                if let Some((_, Json::Array(tags))) = tags {
                    tags.retain(|tag| tag.as_str() != Some(INSTRUCTION_TAG));
                }
                all.push(("trust", trust.as_str().into()));
                // A text that a model writes is reviewed by no one.
                all.push(("secrets", "redact".into()));
                all.extend(scope.session.as_ref().map(|session| ("session", session.as_str().into())));
            }
            Json::object(all)
        };
        let given = |name: &str| args.get(name).and_then(Json::as_str);
        let agent = given("agent").unwrap_or_default();
        let documented = match tool.name {
            "memory_add" => Some(Documented::MemoryAdd),
            "memory_get" => Some(Documented::MemoryGetContent),
            "memory_stats" => Some(Documented::MemoryStats),
            "memory_delete" => Some(Documented::MemoryDelete),
            _ => None,
        };
        if let Some(verb) = documented {
            let answer = self.documented_verbs(verb, all()).await;
            return match answer.get("error").as_str() {
                Some(problem) => Err(Invalid::value("arguments", problem).into()),
                None => Ok(answer),
            };
        }
        match tool.name {
            "record_to_memory" => {
                let mut given = args.without(&[]);
                given.extend(scope.agent.as_deref().map(|agent| ("agent", agent.into())));
                given.extend(scope.session.as_ref().map(|session| ("session", session.as_str().into())));
                self.sessions_verbs(Sessions::RecordToMemory, of(given)).await
            }
            "update_profile" if trust == Trust::Low => {
                let why = "cannot be applied: this conversation holds content from outside, so the user has to say it";
                Err(Invalid::value("changes", why).into())
            }
            "update_profile" => {
                let mut given = args.without(&[]);
                given.extend(scope.agent.as_deref().map(|agent| ("source", agent.into())));
                self.state_verbs(State::UpdateProfile, of(given)).await
            }
            "list_memory_files" => Ok(self.listed_for(given("agent"), given("folder")).await?.into()),
            "read_memory_file" => {
                let path = self.meant_path("path", given("path").unwrap_or_default(), given("agent")).await?;
                self.file(&path).await?.map(|file| file.text.into()).ok_or(Error::NO_FILE)
            }
            "write_memory_file" => {
                let path = self.meant_path("path", given("path").unwrap_or_default(), given("agent")).await?;
                self.check_tool_path("path", &path, &scope.writable)?;
                self.write_file(&path, given("text").unwrap_or_default(), Expect::Any).await?;
                Ok("The file was written.".into())
            }
            "update_memory_section" => {
                let kind = Kind::named("file", given("file").unwrap_or_default())?;
                self.check_tool_path("agent", &self.place_of(kind, agent).await?, &scope.writable)?;
                match self.file_change_verbs(FileChanges::UpdateSection, Fields::of("args", all())).await {
                    Err(error) if error.field() == Some("section") => {
                        let reason = self.sections_to_choose(kind, agent).await?;
                        Err(Invalid::value("section", reason).into())
                    }
                    answer => answer.map(|_| "The section was updated.".into()),
                }
            }
            "record_decision" | "record_learning" => {
                let file = if tool.name == "record_decision" { "decisions" } else { "learnings" };
                let kind = Kind::named("file", file)?;
                self.check_tool_path("agent", &self.place_of(kind, agent).await?, &scope.writable)?;
                let entries = Json::Array(vec![Json::object(args.without(&["agent"]))]);
                let given = vec![("agent", agent.into()), ("file", file.into()), ("entries", entries)];
                self.agent_verbs(Agents::RecordNotes, of(given)).await?;
                Ok("It was recorded.".into())
            }
            _ => {
                let mut given = args.without(&["agent"]);
                given.push(("fromAgent", agent.into()));
                self.team_verbs(Team::HandOver, of(given)).await?;
                Ok("The work was handed over.".into())
            }
        }
    }

    /// The sections that a model can choose from. It may see them: activation returns the whole file.
    async fn sections_to_choose(&self, kind: Kind, agent: &str) -> Result<String, Error> {
        let document = Document::parse(self.documented_text(kind, agent).await?);
        let titles: Vec<&str> = (1..document.sections().len()).map(|at| document.title(at)).collect();
        let mut reason = match titles.as_slice() {
            [] => "is no section of this file; it has none yet".to_owned(),
            titles => format!("is no section of this file; its sections are: {}", titles.join("; ")),
        };
        if !kind.parts().is_empty() {
            let parts: Vec<&str> = kind.parts().iter().map(|part| part.heading()).collect();
            reason.push_str(&format!(". These can be written although they are missing: {}", parts.join("; ")));
        }
        Ok(reason)
    }

    fn namespace_names(&self) -> Vec<&str> {
        self.inner.config.namespaces.names().map(|name| name.as_str()).collect()
    }

    /// Verbs of tools.
    pub(super) async fn tool_verbs(&self, verb: Tools, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Tools::Guidance => {
                fields.finish()?;
                Ok(tools::GUIDANCE.into())
            }
            Tools::MemoryTool => self.memory_tool_verb(fields).await,
            Tools::ToolQuery => {
                let (name, given) = (fields.required_text("name"), fields.value("args").unwrap_or_default());
                fields.finish()?;
                Ok(self.tool_query(&name, &given).await?.into())
            }
            Tools::Tools => {
                let scope = tool_scope(&mut fields);
                let (format, strict) = (fields.required_text("format"), fields.flag("strict").unwrap_or_default());
                fields.finish()?;
                check_writable(&scope.writable)?;
                Ok(Json::Array(self.tools(Format::new("format", &format)?, strict, &scope)?))
            }
            Tools::CallTool => {
                let (name, given, scope, beside) = tool_call(fields)?;
                let ToolAnswer { text, data, is_error } = self.call_tool_with(&name, given, &scope, &beside).await?;
                Ok(Json::object(vec![("text", text.into()), ("data", data), ("isError", is_error.into())]))
            }
        }
    }
}

fn of(given: Vec<(&str, Json)>) -> Fields {
    Fields::of("args", Json::object(given))
}

fn tool_scope(fields: &mut Fields) -> ToolScope {
    ToolScope {
        agent: fields.text("agent"),
        only: fields.texts("only"),
        read_only: fields.flag("readOnly").unwrap_or_default(),
        writable: fields.texts("writable"),
        session: fields.made("session", SessionId::new),
    }
}

/// A call in the form of the verb `callTool`: the tool, its arguments, and its scope.
fn tool_call(mut fields: Fields) -> Result<(String, Json, ToolScope, ToolBeside), Invalid> {
    let scope = tool_scope(&mut fields);
    let (name, given) = (fields.required_text("name"), fields.value("args").unwrap_or_default());
    let beside = ToolBeside {
        embedding: json::embedding(&mut fields),
        summary: fields.text("summary"),
        ranked: fields.texts("ranked"),
    };
    fields.finish()?;
    let given = match given {
        // Models of some providers pass the arguments as a JSON string.
        Json::String(text) => json::parse(&text).unwrap_or(Json::String(text)),
        given => given,
    };
    Ok((name, given, scope, beside))
}
