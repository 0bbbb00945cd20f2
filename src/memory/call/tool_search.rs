//! The tool that searches: its scopes, and the former tools that it replaces.

use super::dialog::recalled;
use super::digest::digest;
use super::search::RESULTS;
use super::tools::{ToolBeside, ToolScope};
use crate::files::Kind;
use crate::index::Ranking;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::memory::prompt::digest::DigestOptions;
use crate::memory::prompt::recall::{RecallOptions, RecallScope};
use crate::model::{AgentId, Invalid, Json};
use crate::store::Store;
use crate::tools::{Args, Tool};

/// What a call of a tool searches.
pub(super) enum ToolSearch {
    /// Stored data, and learnings and knowledge.
    Search(Search),
    /// Long-term memory, for the former tool `retrieve_from_memory`.
    Retrieve(SearchOptions, Option<AgentId>),
}

pub(super) struct Search {
    pub(super) query: String,
    /// The search of entries, documents and conversations; `None` if the scope is another.
    pub(super) recall: Option<RecallOptions>,
    limit: usize,
    /// The agent whose learnings and whose knowledge to search.
    learnings: Option<String>,
    knowledge: Option<String>,
}

impl ToolSearch {
    /// The search of a call; `None` if the tool does not search.
    pub(super) fn of(
        tool: &Tool,
        args: &Args,
        scope: &ToolScope,
        beside: &ToolBeside,
    ) -> Result<Option<Self>, Invalid> {
        let texts = |name: &str| -> Vec<String> {
            let items = args.get(name).and_then(Json::as_array).unwrap_or(&[]);
            items.iter().filter_map(Json::as_str).map(str::to_owned).collect()
        };
        let text = |name: &str| args.get(name).and_then(Json::as_str);
        let part = match tool.name {
            "memory_search" => text("scope").unwrap_or("all"),
            "query_memory" => "all",
            "search_learnings" => "learnings",
            "search_knowledge" => "knowledge",
            "retrieve_from_memory" => {
                let options = SearchOptions {
                    query: texts("keywords").join(" "),
                    ranking: Ranking::Best,
                    limit: Some(RESULTS),
                    embedding: beside.embedding.clone(),
                    ranked: beside.ranked.clone(),
                    ..SearchOptions::default()
                };
                let agent = scope.agent.clone().map(|agent| AgentId::new("agent", agent)).transpose()?;
                return Ok(Some(Self::Retrieve(options, agent)));
            }
            _ => return Ok(None),
        };
        let agent = scope.agent.as_deref().or(text("agent"));
        let of_agent = |wanted: &str| agent.filter(|_| part == "all" || part == wanted).map(str::to_owned);
        let recalled = match part {
            "memories" => Some(RecallScope::Memories),
            "conversations" => Some(RecallScope::Conversations),
            "documents" => Some(RecallScope::Documents),
            "learnings" | "knowledge" => None,
            _ => Some(RecallScope::All),
        };
        if recalled.is_none() && agent.is_none() {
            return Err(Invalid::value("agent", "is required for the scopes learnings and knowledge"));
        }
        let (namespace, any_tag) = (text("namespace").map(str::to_owned), texts("tags"));
        let filter = if namespace.is_some() { Some("namespace") } else { (!any_tag.is_empty()).then_some("tags") };
        if let Some(filter) = filter
            && matches!(recalled, None | Some(RecallScope::Conversations))
        {
            return Err(Invalid::value(filter, format!("must be omitted for the scope {part}")));
        }
        let limit = args.get("limit").and_then(Json::as_i64).and_then(|limit| usize::try_from(limit).ok());
        let limit = limit.unwrap_or(RESULTS);
        let entries_only = filter.is_some();
        let recall = recalled.map(|scope_of| RecallOptions {
            limit,
            scope: scope_of,
            namespace,
            any_tag,
            ranking: Ranking::Best,
            embedding: beside.embedding.clone(),
            agent: scope.agent.clone(),
            ranked: beside.ranked.clone(),
            ..RecallOptions::default()
        });
        Ok(Some(Self::Search(Search {
            query: text("query").unwrap_or_default().to_owned(),
            recall,
            limit,
            learnings: of_agent("learnings").filter(|_| !entries_only),
            knowledge: of_agent("knowledge").filter(|_| !entries_only),
        })))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    pub(super) async fn tool_searched(&self, search: ToolSearch) -> Result<Json, Error> {
        let search = match search {
            ToolSearch::Retrieve(options, agent) => {
                return Ok(self.retrieve_from_memory(&options, agent.as_ref()).await?.into());
            }
            ToolSearch::Search(search) => search,
        };
        let Search { query, recall, limit, learnings, knowledge } = search;
        let (mut hits, mut overview) = (Vec::new(), None);
        if let Some(options) = recall {
            let found = self.recall(&query, &options).await?;
            hits = found.iter().map(|found| (found.hit.score, recalled(found))).collect();
            if matches!(options.scope, RecallScope::All | RecallScope::Conversations) {
                overview = self.digest_for(&query, &DigestOptions::default()).await?;
            }
        }
        if let Some(agent) = learnings {
            let path = self.place_of(Kind::Learnings, &agent).await?;
            let found = self.search_learnings(&agent, &query, limit).await?;
            let file = |text: &str, score| of_file("learning", path.as_str(), None, score, text);
            hits = merged(hits, found.iter().map(|found| (found.score, file(&found.text, found.score))).collect());
        }
        if let Some(agent) = knowledge {
            let found = self.search_knowledge(&agent, &query, limit).await?;
            let passages = found.iter().map(|found| {
                let json = of_file("knowledge", &found.path, Some(found.line), found.score, &found.text);
                (found.score, json)
            });
            hits = merged(hits, passages.collect());
        }
        hits.truncate(limit);
        let hits = Json::Array(hits.into_iter().map(|(_, hit)| hit).collect());
        Ok(match overview {
            Some(overview) => Json::object(vec![("hits", hits), ("digest", digest(&overview))]),
            None => hits,
        })
    }
}

/// A hit in a file, by the path that the tools for files take.
fn of_file(kind: &str, path: &str, line: Option<usize>, score: f64, text: &str) -> Json {
    Json::object(vec![
        ("ref", format!("/{path}").into()),
        ("kind", kind.into()),
        ("line", line.into()),
        ("score", score.into()),
        ("text", text.into()),
    ])
}

/// Both lists, the better of their first hits first. The order within a list stays: a reranker may have set it.
fn merged(one: Vec<(f64, Json)>, other: Vec<(f64, Json)>) -> Vec<(f64, Json)> {
    let (mut one, mut other) = (one.into_iter().peekable(), other.into_iter().peekable());
    let mut all = Vec::new();
    loop {
        let next = match (one.peek(), other.peek()) {
            (Some((first, _)), Some((second, _))) if second > first => other.next(),
            (Some(_), _) => one.next(),
            (None, _) => other.next(),
        };
        let Some(next) = next else { return all };
        all.push(next);
    }
}
