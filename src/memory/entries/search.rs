//! Searching: what the index finds, and the beginning of the contents if they are asked for.

use crate::codec::Record;
use crate::index::{DocKind, Filter, Found, Miss, Owner, Part, Query, Ranking};
use crate::memory::engine::keys::Named;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Embedding, EntryId, Invalid, Json, Timestamp, Trust, sorted};
use crate::store::{Key, Space, Store};
use crate::text;
use std::collections::BTreeMap;

/// A query of more than this many bytes is refused: nobody types that much.
const MAX_QUERY_BYTES: usize = 64 * 1024;

/// What to search for, and where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOptions {
    /// The words, in any language.
    pub query: String,
    /// How hits are ordered.
    pub ranking: Ranking,
    /// At most this many; as the settings say if not said.
    pub limit: Option<usize>,
    /// No hit below this score; for the formula as the settings say if not said, otherwise 0.
    pub min_score: Option<f64>,
    /// Only this namespace.
    pub namespace: Option<String>,
    /// Only entries with at least one of these labels.
    pub any_tag: Vec<String>,
    /// Only entries with all of these labels.
    pub all_tags: Vec<String>,
    /// Only entries with none of these labels.
    pub no_tag: Vec<String>,
    /// Only what happened at this time or later.
    pub from: Option<Timestamp>,
    /// Only what happened before this time.
    pub until: Option<Timestamp>,
    /// Only this conversation.
    pub session: Option<String>,
    /// Only what this agent wrote.
    pub agent: Option<String>,
    /// Only what came from there.
    pub source: Option<String>,
    /// Only entries whose metadata has these fields with these values.
    pub metadata: Vec<(String, Json)>,
    /// Only what is believed at least this far; anything if not said.
    pub min_trust: Option<Trust>,
    /// Whether hits carry the beginning of their content; as the settings say if not said.
    pub include_content: Option<bool>,
    /// Whether hits carry the parts of their score.
    pub explain: bool,
    /// Where the query lies, as the embedder sees it that has seen the entries.
    pub embedding: Option<Embedding>,
    /// The ids of hits in the app's own order, best first. They come before all other hits.
    pub ranked: Vec<String>,
}

/// A hit: minimal output (D1), enough to decide whether to read more.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The entry's id.
    pub id: EntryId,
    /// Its score, from 0 to 1.
    pub score: f64,
    /// Where it belongs.
    pub namespace: String,
    /// Its summary.
    pub summary: String,
    /// Its labels.
    pub tags: Vec<String>,
    /// When it was first written.
    pub created_at: Timestamp,
    /// When it happened.
    pub at: Timestamp,
    /// The conversation that it belongs to.
    pub session: Option<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// Where it came from.
    pub source: Option<String>,
    /// The beginning of the content, if it was asked for.
    pub content_preview: Option<String>,
    /// The parts of the score, if they were asked for; their sum is the score.
    pub receipt: Vec<Part>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Searches everything that can be seen now.
    pub async fn search(&self, options: &SearchOptions) -> Result<Vec<Hit>, Error> {
        let found = self.find(options, &[DocKind::Entry]).await?;
        let mut hits: Vec<Hit> = found.into_iter().map(|(_, hit)| hit).collect();
        if self.shows_content(options) {
            self.add_previews(&mut hits).await?;
        }
        Ok(hits)
    }

    /// Searches everything of these kinds.
    pub(in crate::memory) async fn find(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
    ) -> Result<Vec<(DocKind, Hit)>, Error> {
        self.find_owned(options, kinds, Owner::Anybody).await
    }

    /// Searches everything of these kinds that belongs to these owners.
    pub(in crate::memory) async fn find_owned(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
        owner: Owner<'_>,
    ) -> Result<Vec<(DocKind, Hit)>, Error> {
        self.prepare_search(options).await?;
        let now = self.now()?;
        let normal = self.normal(options);
        let mut query = self.query(&normal, kinds);
        query.filter.owner = owner;
        let limit = query.limit;
        if cfg!(feature = "full") && limit > 0 {
            query.limit = limit.max(options.ranked.len());
        }
        // The hits whose summary is not at hand, and where their records are.
        let (mut lacking, mut keys) = (Vec::new(), Vec::new());
        let mut hits: Vec<(DocKind, Hit)> = self.with_shelf(|shelf| {
            let mut hits = Vec::new();
            for hit in shelf.index.search(&query, now) {
                let Some(named) = Named::of_doc(hit.found.kind, hit.found.id) else { continue };
                let Some(plain) = plain(&hit.found) else { continue };
                if hit.found.summary.is_none() {
                    lacking.push(hits.len());
                    keys.push(self.inner.keys.named(&named));
                }
                hits.push((hit.found.kind, Hit { score: hit.score, receipt: hit.receipt, ..plain }));
            }
            hits
        });
        let records = self.fetch(Space::Records, &keys).await?;
        let mut gone = 0;
        for ((at, key), record) in lacking.into_iter().zip(&keys).zip(records) {
            let Some(bytes) = record else {
                // What has gone meanwhile is no hit.
                hits.remove(at - gone);
                gone += 1;
                continue;
            };
            let (kind, hit) = &mut hits[at - gone];
            hit.summary = self.read_summary(*kind, key, &bytes).await?;
            if let Some(shelf) = &mut self.inner.state.borrow_mut().shelf {
                shelf.index.remember(*kind, hit.id.as_str(), &hit.summary);
            }
        }
        if cfg!(feature = "full") && !options.ranked.is_empty() {
            hits = in_order(hits, &options.ranked);
            hits.truncate(limit);
        }
        Ok(hits)
    }

    /// The ids of what is of these kinds and belongs there, best first, each with its score.
    pub(in crate::memory) async fn find_ids(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
        namespace: &str,
        limit: usize,
    ) -> Result<Vec<(String, f64)>, Error> {
        self.prepare_search(options).await?;
        let now = self.now()?;
        let normal = self.normal(options);
        let mut query = self.query(&normal, kinds);
        query.limit = limit;
        query.filter.namespace = Some(namespace);
        Ok(self.with_shelf(|shelf| {
            shelf.index.search(&query, now).into_iter().map(|hit| (hit.found.id.to_owned(), hit.score)).collect()
        }))
    }

    /// The summary of what a record holds.
    async fn read_summary(&self, kind: DocKind, key: &Key, bytes: &[u8]) -> Result<String, Error> {
        if kind == DocKind::Entry {
            return Ok(Record::decode(bytes)?.entry.summary);
        }
        let change = self.leaf_of_talk(key, bytes, &[]).await?;
        Ok(change.and_then(|change| change.leaf?.summary()).unwrap_or_default())
    }

    /// What keeps an entry out of the hits, if anything does.
    pub async fn explain_miss(&self, id: &EntryId, options: &SearchOptions) -> Result<Miss, Error> {
        self.prepare_search(options).await?;
        let now = self.now()?;
        let normal = self.normal(options);
        let query = self.query(&normal, &[DocKind::Entry]);
        let miss = self.with_shelf(|shelf| Some(shelf.index.explain_miss(id.as_str(), &query, now)));
        Ok(miss.unwrap_or(Miss::Unknown))
    }

    async fn prepare_search(&self, options: &SearchOptions) -> Result<(), Error> {
        if options.query.len() > MAX_QUERY_BYTES {
            return Err(Invalid::too_large("query", MAX_QUERY_BYTES, options.query.len()).into());
        }
        self.some_namespace(options.namespace.as_deref())?;
        self.refresh_if_told().await?;
        self.load_shelf().await?;
        self.check_dimensions(options.embedding.as_ref())
    }

    /// The words and labels that are asked for, in the form in which the index has them.
    fn normal(&self, options: &SearchOptions) -> SearchOptions {
        let all = |tags: &[String]| tags.iter().map(|tag| self.inner.env.decompose(tag)).collect();
        SearchOptions {
            query: self.inner.env.decompose(&options.query),
            any_tag: all(&options.any_tag),
            all_tags: all(&options.all_tags),
            no_tag: all(&options.no_tag),
            ..options.clone()
        }
    }

    fn query<'a>(&'a self, options: &'a SearchOptions, kinds: &'a [DocKind]) -> Query<'a> {
        let retrieval = &self.inner.config.retrieval;
        let least = if options.ranking == Ranking::Formula { retrieval.min_score } else { 0.0 };
        Query {
            text: &options.query,
            ranking: options.ranking,
            limit: options.limit.unwrap_or(retrieval.top_k),
            min_score: options.min_score.unwrap_or(least),
            filter: Filter {
                kinds,
                namespace: options.namespace.as_deref(),
                any_tag: &options.any_tag,
                all_tags: &options.all_tags,
                no_tag: &options.no_tag,
                from: options.from,
                until: options.until,
                session: options.session.as_deref(),
                agent: options.agent.as_deref(),
                owner: Owner::Anybody,
                source: options.source.as_deref(),
                metadata: &options.metadata,
                min_trust: options.min_trust.map_or(0, |trust| trust as u8),
            },
            explain: options.explain,
            embedding: options.embedding.as_ref(),
            meaning: self.inner.meaning.get(),
        }
    }

    /// Whether hits carry the beginning of their content.
    pub(in crate::memory) fn shows_content(&self, options: &SearchOptions) -> bool {
        options.include_content.unwrap_or(self.inner.config.output.include_content_by_default)
    }

    /// The beginning of the content of one entry, if it is there.
    pub(in crate::memory) async fn content_preview(&self, id: &EntryId) -> Result<Option<String>, Error> {
        let content = self.get(id).await?.map(|(_, content)| content);
        Ok(content.map(|content| preview(content, self.inner.config.output.content_preview_chars)))
    }

    /// Adds the beginnings of the contents (D14), read for all hits together.
    async fn add_previews(&self, hits: &mut [Hit]) -> Result<(), Error> {
        let chars = self.inner.config.output.content_preview_chars;
        let keys: Vec<Key> = hits.iter().map(|hit| self.inner.keys.entry(&hit.id)).collect();
        let values = self.fetch(Space::Records, &keys).await?;
        let there = keys.into_iter().zip(values).filter_map(|(key, value)| Some((key, value?))).collect();
        for (record, content) in self.with_contents(there).await? {
            if let Some(hit) = hits.iter_mut().find(|hit| hit.id == record.entry.id) {
                hit.content_preview = content.map(|content| preview(content, chars));
            }
        }
        Ok(())
    }
}

/// The hits with those that are ranked in front, in the order of the ranking; the others as they were.
fn in_order(hits: Vec<(DocKind, Hit)>, ranked: &[String]) -> Vec<(DocKind, Hit)> {
    let ranks: BTreeMap<&str, usize> = ranked.iter().enumerate().map(|(rank, id)| (id.as_str(), rank)).collect();
    let rank = |(_, hit): &(DocKind, Hit)| ranks.get(hit.id.as_str()).copied().unwrap_or(ranked.len());
    let order = sorted(hits.len(), &|one, other| rank(&hits[one]).cmp(&rank(&hits[other])));
    let mut hits: Vec<Option<(DocKind, Hit)>> = hits.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| hits[at].take()).collect()
}

/// The first `chars` characters, marked if there were more.
fn preview(content: String, chars: usize) -> String {
    let head = text::cut(&content, chars);
    if head.len() < content.len() { format!("{head}...") } else { content }
}

/// A hit without its score.
fn plain(found: &Found<'_>) -> Option<Hit> {
    Some(Hit {
        id: EntryId::new("id", found.id).ok()?,
        score: 0.0,
        namespace: found.namespace.to_owned(),
        summary: found.summary.unwrap_or_default().to_owned(),
        tags: found.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        created_at: found.created_at,
        at: found.at,
        session: found.session.map(str::to_owned),
        speaker: found.speaker.map(str::to_owned),
        source: found.source.map(str::to_owned),
        content_preview: None,
        receipt: Vec::new(),
    })
}
