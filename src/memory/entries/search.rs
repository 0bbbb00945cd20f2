//! Search: the hits of the index, and previews of their contents on request.

use super::reading::check_past;
use crate::codec::Record;
use crate::index::{DocKind, Filter, Found, Index, Miss, Owner, Part, Query, Ranking};
use crate::memory::engine::keys::Named;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Embedding, EntryId, Invalid, Json, Timestamp, Trust, sorted};
use crate::store::{Key, Space, Store};
use crate::text::{self, Voice};
use std::collections::BTreeMap;

/// The most bytes of a query.
const MAX_QUERY_BYTES: usize = 64 * 1024;

/// The options of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOptions {
    /// The query, in any language.
    pub query: String,
    /// The ranking of hits.
    pub ranking: Ranking,
    /// The most hits; the default of the settings if `None`.
    pub limit: Option<usize>,
    /// The lowest score of a hit. If `None`: for the formula the default of the settings, otherwise 0.
    pub min_score: Option<f64>,
    /// Only this namespace.
    pub namespace: Option<String>,
    /// Only entries with at least one of these tags.
    pub any_tag: Vec<String>,
    /// Only entries with all of these tags.
    pub all_tags: Vec<String>,
    /// Only entries with none of these tags.
    pub no_tag: Vec<String>,
    /// Only entries whose event time is this or later.
    pub from: Option<Timestamp>,
    /// Only entries whose event time is before this.
    pub until: Option<Timestamp>,
    /// Only entries that are true at this time; now if `None`.
    pub as_of: Option<Timestamp>,
    /// Whether entries that are no longer true, or not yet, are found as well.
    pub include_past: bool,
    /// Only this conversation.
    pub session: Option<String>,
    /// Only entries of this agent.
    pub agent: Option<String>,
    /// Only entries from this source.
    pub source: Option<String>,
    /// Only entries whose metadata has these fields with these values.
    pub metadata: Vec<(String, Json)>,
    /// Only entries with at least this trust; all if `None`.
    pub min_trust: Option<Trust>,
    /// Whether hits have a preview of their content; the default of the settings if `None`.
    pub include_content: Option<bool>,
    /// Whether hits have the parts of their score.
    pub explain: bool,
    /// The embedding of the query, by the same embedder as the entries.
    pub embedding: Option<Embedding>,
    /// The ids of hits in the app's own order, best first. They come before all other hits.
    pub ranked: Vec<String>,
}

/// A hit: minimal output (D1), enough to decide whether to read more.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The entry's id.
    pub id: EntryId,
    /// Its place in the order of writing.
    pub seq: u64,
    /// Its score, from 0 to 1.
    pub score: f64,
    /// Its namespace.
    pub namespace: String,
    /// Its summary.
    pub summary: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// The time of its first version.
    pub created_at: Timestamp,
    /// The time of the event.
    pub at: Timestamp,
    /// The time from which it is true; always if `None`.
    pub valid_from: Option<Timestamp>,
    /// The time from which it is no longer true; never if `None`.
    pub valid_until: Option<Timestamp>,
    /// Its session.
    pub session: Option<String>,
    /// Its speaker.
    pub speaker: Option<String>,
    /// Its source.
    pub source: Option<String>,
    /// The trust in it.
    pub trust: Trust,
    /// Its importance, from 0 to 1.
    pub(in crate::memory) importance: f64,
    /// The role of its speaker.
    pub(in crate::memory) voice: Voice,
    /// The beginning of the content, if requested.
    pub content_preview: Option<String>,
    /// The parts of the score, if requested; their sum is the score.
    pub receipt: Vec<Part>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Searches all visible entries.
    pub async fn search(&self, options: &SearchOptions) -> Result<Vec<Hit>, Error> {
        let found = self.find(options, &[DocKind::Entry]).await?;
        let mut hits: Vec<Hit> = found.into_iter().map(|(_, hit)| hit).collect();
        if self.shows_content(options) {
            self.add_previews(&mut hits).await?;
        }
        Ok(hits)
    }

    /// Searches all documents of these kinds.
    pub(in crate::memory) async fn find(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
    ) -> Result<Vec<(DocKind, Hit)>, Error> {
        self.find_owned(options, kinds, Owner::Anybody).await
    }

    /// Searches all documents of these kinds and owners.
    pub(in crate::memory) async fn find_owned(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
        owner: Owner<'_>,
    ) -> Result<Vec<(DocKind, Hit)>, Error> {
        self.find_by(options, kinds, owner, Index::search).await
    }

    /// Searches in one of the ways of the index.
    pub(in crate::memory) async fn find_by(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
        owner: Owner<'_>,
        search: for<'i, 'q> fn(&'i Index, &Query<'q>, Timestamp) -> Vec<crate::index::Hit<'i>>,
    ) -> Result<Vec<(DocKind, Hit)>, Error> {
        self.prepare_search(options).await?;
        let now = self.now()?;
        let normal = self.normal(options);
        let mut query = self.query(&normal, kinds, now);
        query.filter.owner = owner;
        let limit = query.limit;
        if cfg!(feature = "full") && limit > 0 {
            query.limit = limit.max(options.ranked.len());
        }
        // The hits whose summary is not cached, and the keys of their records.
        let (mut lacking, mut keys) = (Vec::new(), Vec::new());
        let mut hits: Vec<(DocKind, Hit)> = self.with_shelf(|shelf| {
            let mut hits = Vec::new();
            for hit in search(&shelf.index, &query, now) {
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
                // Deleted meanwhile: not a hit.
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

    /// The ids and scores of matching documents of these kinds and this namespace, best first.
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
        let mut query = self.query(&normal, kinds, now);
        query.limit = limit;
        query.filter.namespace = Some(namespace);
        Ok(self.with_shelf(|shelf| {
            shelf.index.search(&query, now).into_iter().map(|hit| (hit.found.id.to_owned(), hit.score)).collect()
        }))
    }

    /// The summary in a record.
    async fn read_summary(&self, kind: DocKind, key: &Key, bytes: &[u8]) -> Result<String, Error> {
        if kind == DocKind::Entry {
            return Ok(Record::decode(bytes)?.entry.summary);
        }
        self.summary_of_talk(key, bytes).await
    }

    /// The reason why an entry is not among the hits, if there is one.
    pub async fn explain_miss(&self, id: &EntryId, options: &SearchOptions) -> Result<Miss, Error> {
        self.prepare_search(options).await?;
        let now = self.now()?;
        let normal = self.normal(options);
        let query = self.query(&normal, &[DocKind::Entry], now);
        let miss = self.with_shelf(|shelf| Some(shelf.index.explain_miss(id.as_str(), &query, now)));
        Ok(miss.unwrap_or(Miss::Unknown))
    }

    async fn prepare_search(&self, options: &SearchOptions) -> Result<(), Error> {
        if options.query.len() > MAX_QUERY_BYTES {
            return Err(Invalid::too_large("query", MAX_QUERY_BYTES, options.query.len()).into());
        }
        check_past(options.as_of, options.include_past)?;
        self.some_namespace(options.namespace.as_deref())?;
        self.refresh_if_told().await?;
        self.load_shelf().await?;
        self.check_dimensions(options.embedding.as_ref())
    }

    /// The options with words and tags in the form of the index.
    fn normal(&self, options: &SearchOptions) -> SearchOptions {
        let all = |tags: &[String]| tags.iter().map(|tag| self.decomposed(tag)).collect();
        SearchOptions {
            query: self.decomposed(&options.query),
            any_tag: all(&options.any_tag),
            all_tags: all(&options.all_tags),
            no_tag: all(&options.no_tag),
            ..options.clone()
        }
    }

    fn query<'a>(&'a self, options: &'a SearchOptions, kinds: &'a [DocKind], now: Timestamp) -> Query<'a> {
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
                valid_at: (!options.include_past).then(|| options.as_of.unwrap_or(now)),
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

    /// Whether hits have a preview of their content.
    pub(in crate::memory) fn shows_content(&self, options: &SearchOptions) -> bool {
        options.include_content.unwrap_or(self.inner.config.output.include_content_by_default)
    }

    /// The preview of the content of an entry, if it exists.
    pub(in crate::memory) async fn content_preview(&self, id: &EntryId) -> Result<Option<String>, Error> {
        let content = self.get(id).await?.map(|(_, content)| content);
        Ok(content.map(|content| preview(content, self.inner.config.output.content_preview_chars)))
    }

    /// Adds previews of the contents (D14), in one read for all hits.
    async fn add_previews(&self, hits: &mut [Hit]) -> Result<(), Error> {
        let chars = self.inner.config.output.content_preview_chars;
        let keys: Vec<Key> = hits.iter().map(|hit| self.inner.keys.entry(&hit.id)).collect();
        for (record, content) in self.fetch_entries(&keys).await? {
            if let Some(hit) = hits.iter_mut().find(|hit| hit.id == record.entry.id) {
                hit.content_preview = content.map(|content| preview(content, chars));
            }
        }
        Ok(())
    }
}

/// The ranked hits first, in the order of the ranking; then the others in their order.
pub(in crate::memory) fn in_order(hits: Vec<(DocKind, Hit)>, ranked: &[String]) -> Vec<(DocKind, Hit)> {
    let ranks: BTreeMap<&str, usize> = ranked.iter().enumerate().map(|(rank, id)| (id.as_str(), rank)).collect();
    let rank = |(_, hit): &(DocKind, Hit)| ranks.get(hit.id.as_str()).copied().unwrap_or(ranked.len());
    let order = sorted(hits.len(), &|one, other| rank(&hits[one]).cmp(&rank(&hits[other])));
    let mut hits: Vec<Option<(DocKind, Hit)>> = hits.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| hits[at].take()).collect()
}

/// The first `chars` characters, with a mark if there are more.
fn preview(content: String, chars: usize) -> String {
    let head = text::cut(&content, chars);
    if head.len() < content.len() { format!("{head}...") } else { content }
}

/// A hit without its score.
fn plain(found: &Found<'_>) -> Option<Hit> {
    Some(Hit {
        id: EntryId::new("id", found.id).ok()?,
        seq: found.seq,
        score: 0.0,
        namespace: found.namespace.to_owned(),
        summary: found.summary.unwrap_or_default().to_owned(),
        tags: found.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        created_at: found.created_at,
        at: found.at,
        valid_from: found.valid.map(|[from, _]| from).filter(|from| *from > Timestamp::MIN),
        valid_until: found.valid.map(|[_, until]| until).filter(|until| *until < Timestamp::MAX),
        session: found.session.map(str::to_owned),
        speaker: found.speaker.map(str::to_owned),
        source: found.source.map(str::to_owned),
        trust: Trust::from_level(found.trust),
        importance: found.importance.get(),
        voice: found.voice,
        content_preview: None,
        receipt: Vec::new(),
    })
}
