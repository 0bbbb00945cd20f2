//! Long-term memory for agents: retrieves what was recorded, as quoted blocks (E14, E15).

use super::answers::Beside;
use super::candidates::{Text, worth_by_rank};
use crate::context::prompt::{self, Item, Kind, Request};
use crate::index::{DocKind, Owner, Ranking};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::{Hit, SearchOptions};
use crate::model::{AgentId, Embedding, Invalid};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// The block of memories that are relevant to a text (E14); empty if there are none. An agent gets its own memories
    /// and those of no agent.
    pub async fn retrieve(
        &self,
        query: &str,
        limit: usize,
        agent: Option<&AgentId>,
        embedding: Option<Embedding>,
    ) -> Result<String, Error> {
        let (query, ranking) = (query.to_owned(), Ranking::Best);
        let options = SearchOptions { query, ranking, limit: Some(limit), embedding, ..SearchOptions::default() };
        self.retrieve_by(&options, agent).await
    }

    /// The block of the entries that a search finds.
    pub(in crate::memory) async fn retrieve_by(
        &self,
        options: &SearchOptions,
        agent: Option<&AgentId>,
    ) -> Result<String, Error> {
        let text = |hit: Hit| Text::new(Kind::Memory, hit.id.as_str(), hit.summary, hit.score).trusted(hit.trust);
        let mut texts: Vec<Text> = self.relevant(options, agent).await?.into_iter().map(text).collect();
        worth_by_rank(&mut texts);
        self.block(&texts)
    }

    /// The entries for an agent, or all entries if there is no agent.
    pub(in crate::memory) async fn relevant(
        &self,
        options: &SearchOptions,
        agent: Option<&AgentId>,
    ) -> Result<Vec<Hit>, Error> {
        let owner = agent.map_or(Owner::Anybody, |agent| Owner::SeenBy(agent.as_str()));
        let hits = self.find_answers(options, &[DocKind::Entry], owner, &Beside::NOTHING).await?;
        Ok(hits.into_iter().map(|(_, hit)| hit).collect())
    }

    /// Quotes texts from a long-term memory of the app's own, in the same way.
    pub fn quote_memories(&self, texts: &[String]) -> Result<String, Error> {
        let told = |(at, text): (usize, &String)| Text::new(Kind::Memory, &at.to_string(), text.clone(), 1.0);
        self.block(&texts.iter().enumerate().map(told).collect::<Vec<Text>>())
    }

    /// The block of the user's standing instructions; empty if there are none.
    pub(in crate::memory) async fn standing_block(&self, agent: Option<&AgentId>) -> Result<String, Error> {
        let text = self.standing(agent.map(AgentId::as_str), u32::MAX).await?;
        self.block(&Vec::from_iter(text))
    }

    fn block(&self, found: &[Text]) -> Result<String, Error> {
        let items: Vec<Item<'_>> = found.iter().map(Text::item).collect();
        let count = |text: &str| self.count_tokens(text);
        let request = Request {
            items: &items,
            turns: &[],
            budget: u32::MAX,
            order: &[Kind::Instruction, Kind::Memory],
            count: &count,
        };
        let compiled = prompt::compile(&request).map_err(|small| Invalid::value("budget", small.to_string()))?;
        Ok(compiled.prompt)
    }

    /// The answer of the tool `retrieve_from_memory` (E15).
    pub async fn retrieve_from_memory(
        &self,
        options: &SearchOptions,
        agent: Option<&AgentId>,
    ) -> Result<String, Error> {
        let found = self.retrieve_by(options, agent).await?;
        Ok(if found.is_empty() { "No relevant memories found".to_owned() } else { found })
    }
}
