//! Searches of entries.

use super::given::When;
use super::{Memory, call};
use crate::index::{Miss, Ranking};
use crate::memory::{Env, Error, Hit, SearchOptions};
use crate::model::{Embedding, EntryId, Json, Trust};
use crate::store::Store;

call! {
    /// Searches entries; see [`Memory::search`].
    Search(SearchOptions) -> Vec<Hit>, |memory, options| memory.search(&options).await
}

impl<S, E> Search<S, E> {
    /// The most hits. Default: 5, or what the settings say.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|options| options.limit = Some(limit))
    }

    /// Only this namespace.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|options| options.namespace = Some(namespace.into()))
    }

    /// Only entries with this tag, or with another one that is given.
    pub fn tag(self, tag: impl Into<String>) -> Self {
        self.any_tag([tag])
    }

    /// Only entries with at least one of these tags.
    pub fn any_tag<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        self.edit(|options| options.any_tag.extend(tags.into_iter().map(Into::into)))
    }

    /// Only entries with all of these tags.
    pub fn all_tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        self.edit(|options| options.all_tags.extend(tags.into_iter().map(Into::into)))
    }

    /// Only entries with none of these tags.
    pub fn no_tag<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        self.edit(|options| options.no_tag.extend(tags.into_iter().map(Into::into)))
    }

    /// Only entries of events at this time or later.
    pub fn from(self, from: impl Into<When>) -> Self {
        self.set(from.into().timestamp("from"), |options, from| options.from = Some(from))
    }

    /// Only entries of events before this time.
    pub fn until(self, until: impl Into<When>) -> Self {
        self.set(until.into().timestamp("until"), |options, until| options.until = Some(until))
    }

    /// Only entries that are true at this time. Default: now.
    pub fn as_of(self, at: impl Into<When>) -> Self {
        self.set(at.into().timestamp("asOf"), |options, at| options.as_of = Some(at))
    }

    /// Also entries that are no longer true, or not yet.
    pub fn include_past(self) -> Self {
        self.edit(|options| options.include_past = true)
    }

    /// Only this conversation.
    pub fn session(self, session: impl Into<String>) -> Self {
        self.edit(|options| options.session = Some(session.into()))
    }

    /// Only entries of this agent.
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.edit(|options| options.agent = Some(agent.into()))
    }

    /// Only entries from this source.
    pub fn source(self, source: impl Into<String>) -> Self {
        self.edit(|options| options.source = Some(source.into()))
    }

    /// Only entries whose metadata has this value under this name.
    pub fn metadata(self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.edit(|options| options.metadata.push((name.into(), value.into())))
    }

    /// Only entries with at least this trust.
    pub fn min_trust(self, trust: Trust) -> Self {
        self.edit(|options| options.min_trust = Some(trust))
    }

    /// The lowest score of a hit.
    pub fn min_score(self, score: f64) -> Self {
        self.edit(|options| options.min_score = Some(score))
    }

    /// The ranking. Default: [`Ranking::Best`].
    pub fn ranking(self, ranking: Ranking) -> Self {
        self.edit(|options| options.ranking = ranking)
    }

    /// Hits with a preview of their content.
    pub fn include_content(self) -> Self {
        self.edit(|options| options.include_content = Some(true))
    }

    /// Hits with the parts of their score.
    pub fn explain(self) -> Self {
        self.edit(|options| options.explain = true)
    }

    /// The embedding of the query, by the model that embedded the entries.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        self.set(Embedding::new("embedding", embedding.into()), |options, made| options.embedding = Some(made))
    }

    /// The ids of hits in the app's own order, best first. They come before all other hits.
    pub fn ranked<T: Into<String>>(self, ids: impl IntoIterator<Item = T>) -> Self {
        self.edit(|options| options.ranked = ids.into_iter().map(Into::into).collect())
    }
}

impl<S: Store, E: Env> Search<S, E> {
    /// In place of hits: the reason why this entry is not among them, if there is one.
    pub async fn explain_miss(self, id: impl Into<String>) -> Result<Miss, Error> {
        let id = EntryId::new("id", id)?;
        let options = self.given.checked()?;
        self.memory.explain_miss(&id, &options).await
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Searches entries in any language. The best hit comes first, with its summary and its score; [`Memory::get`] has
    /// the content.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, types::Miss};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// memory.add("Deploy keys rotate on Mondays").id("keys").tag("ops").await?;
    /// memory.add("Tea at four").tag("day").await?;
    ///
    /// let hits = memory.search("when do deploy keys change?").tag("ops").explain().await?;
    /// assert_eq!(hits[0].id.as_str(), "keys");
    /// assert!(hits[0].receipt.iter().any(|part| part.term == "deploy"));
    ///
    /// let miss = memory.search("deploy keys").tag("day").explain_miss("keys").await?;
    /// assert_eq!(miss, Miss::Filtered("tags"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn search(&self, query: impl Into<String>) -> Search<S, E> {
        let ranking = Ranking::Best;
        Search::new(&self.core, SearchOptions { query: query.into(), ranking, ..SearchOptions::default() })
    }
}
