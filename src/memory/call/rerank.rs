//! The candidates of a search call, for a reranker of the app. The reranker gets them first; the call is then made with
//! their ids in its order (`ranked`).

use super::prompt::context_options;
use super::search::{keyword_options, recall_options, retrieve_options, search_options};
use super::tool_search::{Search, ToolSearch};
use super::verb::{Documented, Entries, Session, Sessions, Tools, Verb};
use crate::codec::json::Fields;
use crate::index::Ranking;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::{Hit, SearchOptions};
use crate::memory::prompt::recall::{RecallOptions, Recalled};
use crate::model::{AgentId, Invalid, Json, SessionId};
use crate::store::Store;

/// A query and its hits, each with its key.
type Candidates = (String, Vec<(String, Hit)>);

impl<S: Store, E: Env> Memory<S, E> {
    /// Returns the query of a call and at most `limit` hits, best first; no hits if the call does not use the ranking
    /// `best`.
    pub(super) async fn candidates(&self, args: Json) -> Result<Json, Error> {
        let mut fields = Fields::of("args", args);
        let (verb, limit) = (fields.required_text("verb"), fields.count("limit").unwrap_or_default());
        let args = fields.value("args").unwrap_or_default();
        fields.finish()?;
        let (query, hits) = match Verb::named(&verb) {
            Some(Verb::Tools(Tools::CallTool)) => self.called_candidates(args, limit).await?,
            Some(verb) => self.candidates_of(verb, args, limit).await?,
            None => return Err(Invalid::value("verb", "is not known").into()),
        };
        let hits = hits.into_iter().map(|(name, hit)| {
            Json::object(vec![
                ("key", hit.id.as_str().into()),
                ("id", name.into()),
                ("text", hit.content_preview.unwrap_or(hit.summary).into()),
                ("score", hit.score.into()),
            ])
        });
        Ok(Json::object(vec![("query", query.into()), ("hits", Json::Array(hits.collect()))]))
    }

    async fn called_candidates(&self, call: Json, limit: usize) -> Result<Candidates, Error> {
        match self.called_search(call)? {
            Some(ToolSearch::Search(Search { query, recall: Some(options), .. })) => {
                self.recall_candidates(query, options, limit).await
            }
            Some(ToolSearch::Retrieve(options, agent)) => {
                self.relevant_candidates(options, agent.as_ref(), limit).await
            }
            _ => Ok(Candidates::default()),
        }
    }

    async fn candidates_of(&self, verb: Verb, args: Json, limit: usize) -> Result<Candidates, Error> {
        match verb {
            Verb::Entries(Entries::Search) | Verb::Documented(Documented::MemorySearch) => {
                let options = search_options(args)?;
                if options.ranking == Ranking::Formula || options.limit == Some(0) {
                    return Ok(Candidates::default());
                }
                let options = SearchOptions { limit: Some(limit), ..options };
                let hits = self.search(&options).await?;
                Ok((options.query, entries(hits)))
            }
            Verb::Sessions(Sessions::QueryMemory) => {
                let (query, options) = recall_options(Fields::of("args", args))?;
                self.recall_candidates(query, options, limit).await
            }
            Verb::Sessions(Sessions::Retrieve) => {
                let (options, agent, _) = retrieve_options(Fields::of("args", args))?;
                self.relevant_candidates(options, agent.as_ref(), limit).await
            }
            Verb::Sessions(Sessions::RetrieveFromMemory) => {
                let (options, agent) = keyword_options(Fields::of("args", args))?;
                self.relevant_candidates(options, agent.as_ref(), limit).await
            }
            Verb::Session(Session::Context) => {
                let mut fields = Fields::of("args", args);
                let session = fields.required_text("session");
                let (options, _) = context_options(fields)?;
                let (_, limits) = self.limits(&options);
                if !limits.recalls {
                    return Ok(Candidates::default());
                }
                let query = match &options.query {
                    Some(query) => query.clone(),
                    None => self.last_asked(&SessionId::new("session", session)?).await?.unwrap_or_default(),
                };
                self.recall_candidates(query, RecallOptions { limit, ..options.recall() }, limit).await
            }
            _ => Err(Invalid::value("verb", "does not search").into()),
        }
    }

    async fn relevant_candidates(
        &self,
        asked: SearchOptions,
        agent: Option<&AgentId>,
        limit: usize,
    ) -> Result<Candidates, Error> {
        if asked.limit == Some(0) {
            return Ok(Candidates::default());
        }
        let asked = SearchOptions { limit: Some(limit), ..asked };
        let hits = self.relevant(&asked, agent).await?;
        Ok((asked.query, entries(hits)))
    }

    async fn recall_candidates(&self, query: String, asked: RecallOptions, limit: usize) -> Result<Candidates, Error> {
        if asked.ranking == Ranking::Formula || asked.limit == 0 || query.trim().is_empty() {
            return Ok(Candidates::default());
        }
        let found = self.recall(&query, &RecallOptions { limit, ..asked }).await?;
        let hit = |Recalled { reference, hit, .. }| (reference, hit);
        Ok((query, found.into_iter().map(hit).collect()))
    }
}

fn entries(hits: Vec<Hit>) -> Vec<(String, Hit)> {
    hits.into_iter().map(|hit| (hit.id.to_string(), hit)).collect()
}
