//! Knowledge (B18): documents in chunks, the graph, and the app's own search results, in one answer.

use crate::codec::Record;
use crate::index::Ranking;
use crate::log::hash;
use crate::memory::engine::vectors::same_dimensions;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::memory::entries::sources::{IngestOptions, PIECE_CHARS};
use crate::model::{Draft, Embedding, Invalid, Json, Metadata, Tags, Trust, sorted};
use crate::store::{Key, Space, Store};

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Document {
    /// The id: a document replaces the one with the same id. If empty, an id is made from the text, so that adding a
    /// text twice keeps one document.
    pub id: String,
    /// The text.
    pub content: String,
    /// Its title.
    pub title: Option<String>,
    /// Its tags.
    pub tags: Tags,
    /// The app's own data.
    pub metadata: Metadata,
    /// Its namespace; `long-term` if `None`.
    pub namespace: Option<String>,
    /// Its embedding, if the app has it already. Each chunk gets it.
    pub embedding: Option<Embedding>,
    /// The trust in it; low if `None`, because its author is not the user.
    pub trust: Option<Trust>,
}

/// The result of adding a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentAdded {
    /// The id.
    pub id: String,
    /// The number of its chunks.
    pub chunks: usize,
    /// The number of replaced chunks.
    pub replaced: usize,
}

/// The options of a knowledge search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnowledgeQuery {
    /// The query.
    pub query: String,
    /// The most results.
    pub top_k: usize,
    /// Filters by source, tags and metadata.
    pub filters: SearchOptions,
    /// The number of relations to walk from the hits in the graph; `None` leaves the graph out.
    pub graph: Option<usize>,
    /// The embedding of the query.
    pub embedding: Option<Embedding>,
    /// The app's own search results, best first.
    pub external: Vec<Knowledge>,
}

/// A result of a knowledge search.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Knowledge {
    /// The id of the chunk, the name of the entity, or the external id.
    pub id: String,
    /// `chunk`, `entity` or `external`.
    pub kind: &'static str,
    /// Its text.
    pub text: String,
    /// Its score.
    pub score: f64,
    /// Its source: the document's id.
    pub source: Option<String>,
    /// The app's own data.
    pub metadata: Json,
    /// The entities on the path to it.
    pub via: Vec<String>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Adds documents in chunks. Returns the result for each.
    pub async fn add_documents(&self, documents: &[Document]) -> Result<Vec<DocumentAdded>, Error> {
        let mut dimensions = None;
        for (at, document) in documents.iter().enumerate() {
            let Some(embedding) = &document.embedding else { continue };
            if dimensions.is_none() {
                self.refresh().await?;
                self.load_shelf().await?;
                dimensions = self.with_shelf(|shelf| shelf.index.dimensions());
            }
            let named = |mistake: Invalid| mistake.within(&format!("documents[{at}]"));
            same_dimensions(dimensions, embedding).map_err(named)?;
            dimensions = Some(embedding.as_slice().len());
        }
        for (at, document) in documents.iter().enumerate() {
            if !document.id.is_empty() && documents[..at].iter().any(|other| other.id == document.id) {
                return Err(Invalid::value(format!("documents[{at}].id"), "must be unique").into());
            }
            if document.content.trim().is_empty() {
                return Err(Invalid::value(format!("documents[{at}].content"), "must not be empty").into());
            }
        }
        let mut sources = Vec::with_capacity(documents.len());
        for (at, document) in documents.iter().enumerate() {
            let options = IngestOptions {
                namespace: document.namespace.clone(),
                tags: document.tags.clone(),
                target_chars: PIECE_CHARS,
                title: document.title.clone(),
                metadata: document.metadata.clone(),
                trust: document.trust,
            };
            let id = if document.id.is_empty() { id_of(&document.content, &sources) } else { document.id.clone() };
            let named = |mistake: Invalid| mistake.within(&format!("documents[{at}]"));
            let mut drafts = self.pieces(&id, &document.content, &options).await.map_err(named)?;
            for draft in &mut drafts {
                draft.embedding.clone_from(&document.embedding);
            }
            sources.push((id, drafts));
        }
        let went = self.replace_sources(&sources).await?;
        let added = sources.into_iter().zip(went);
        Ok(added.map(|((id, drafts), replaced)| DocumentAdded { id, chunks: drafts.len(), replaced }).collect())
    }

    /// Deletes a document. Returns the number of its chunks.
    pub async fn delete_document(&self, id: &str) -> Result<usize, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        if self.pieces_of(id).await.is_empty() {
            return Ok(0);
        }
        let went = self.replace_sources(&[(id.to_owned(), Vec::new())]).await?;
        Ok(went.first().copied().unwrap_or(0))
    }

    /// The knowledge for a question, best first: entries and chunks of documents, entities of the graph and their
    /// neighbours, and the app's own results.
    pub async fn knowledge(&self, asked: &KnowledgeQuery) -> Result<Vec<Knowledge>, Error> {
        let options = SearchOptions {
            query: asked.query.clone(),
            ranking: Ranking::Best,
            limit: Some(asked.top_k),
            embedding: asked.embedding.clone(),
            ..asked.filters.clone()
        };
        let hits = self.search(&options).await?;
        let keys: Vec<Key> = hits.iter().map(|hit| self.inner.keys.entry(&hit.id)).collect();
        let records = self.fetch(Space::Records, &keys).await?;
        let mut found: Vec<Knowledge> = Vec::new();
        for (hit, bytes) in hits.into_iter().zip(records) {
            let record = bytes.map(|bytes| Record::decode(&bytes)).transpose()?;
            found.push(Knowledge {
                id: hit.id.to_string(),
                kind: "chunk",
                text: hit.summary,
                score: hit.score,
                source: hit.source,
                metadata: record.map_or(Json::Null, |record| record.entry.metadata.to_json()),
                via: Vec::new(),
            });
        }
        // Entities have no tags, sources or metadata, so any filter excludes them.
        if let Some(steps) = asked.graph.filter(|_| !filters(&asked.filters)) {
            for (id, text, score, via) in self.graph_hits(&asked.query, asked.top_k, steps).await? {
                found.push(Knowledge { id, kind: "entity", text, score, via, ..Knowledge::default() });
            }
        }
        // External scores may mean anything. Only their order counts: the first is worth as much as our best.
        let best = found.iter().fold(0.0_f64, |best, known| best.max(known.score));
        let best = if best > 0.0 { best } else { 1.0 };
        for (rank, known) in asked.external.iter().enumerate() {
            found.push(Knowledge { kind: "external", score: best / (1.0 + rank as f64), ..known.clone() });
        }
        let order = sorted(found.len(), &|one, other| found[other].score.total_cmp(&found[one].score));
        Ok(order.into_iter().take(asked.top_k).map(|at| found[at].clone()).collect())
    }
}

/// Whether options have a filter.
fn filters(options: &SearchOptions) -> bool {
    let SearchOptions { any_tag, source, namespace, session, metadata, .. } = options;
    !any_tag.is_empty() || source.is_some() || namespace.is_some() || session.is_some() || !metadata.is_empty()
}

/// The id of a document without one: made from the text; a second document with the same text gets another id.
fn id_of(content: &str, others: &[(String, Vec<Draft>)]) -> String {
    let digits: String = hash(content.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let id = format!("doc-{digits}");
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let mut free =
        std::iter::once(id.clone()).chain(numbered).filter(|id| !others.iter().any(|(known, _)| known == id));
    free.next().unwrap_or(id)
}
