//! Knowledge (B18): documents in pieces, the graph, and what an app finds elsewhere, in one answer.

use crate::codec::Record;
use crate::index::Ranking;
use crate::log::hash;
use crate::memory::engine::vectors::same_dimensions;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::memory::entries::sources::{IngestOptions, PIECE_CHARS};
use crate::model::{Draft, Embedding, Invalid, Json, Metadata, Tags, sorted};
use crate::store::{Key, Space, Store};

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The id: a document replaces the one with the same id. Empty: an id is made from the text, so that adding a text
    /// twice keeps one document.
    pub id: String,
    /// The text.
    pub content: String,
    /// Its title.
    pub title: Option<String>,
    /// Labels.
    pub tags: Tags,
    /// The app's own data.
    pub metadata: Metadata,
    /// Where it belongs; `long-term` if not said.
    pub namespace: Option<String>,
    /// Where it lies, if the app knows that already. Each piece of it has it.
    pub embedding: Option<Embedding>,
}

/// The result of adding a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentAdded {
    /// The id.
    pub id: String,
    /// How many pieces it has.
    pub chunks: usize,
    /// How many pieces of an older one went.
    pub replaced: usize,
}

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnowledgeQuery {
    /// In words.
    pub query: String,
    /// At most this many.
    pub top_k: usize,
    /// Only these documents, labels, data.
    pub filters: SearchOptions,
    /// How many relations to walk from what was found in the graph; none means that the graph is left out.
    pub graph: Option<usize>,
    /// Where the query lies.
    pub embedding: Option<Embedding>,
    /// What was found elsewhere, best first.
    pub external: Vec<Knowledge>,
}

/// Something that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// The id of the piece, the name of the thing, or what it is called elsewhere.
    pub id: String,
    /// `chunk`, `entity` or `external`.
    pub kind: &'static str,
    /// What it says.
    pub text: String,
    /// How well it fits.
    pub score: f64,
    /// Where it came from: the document's id.
    pub source: Option<String>,
    /// The app's own data.
    pub metadata: Json,
    /// The things by which it was come to.
    pub via: Vec<String>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Takes documents in, in pieces. Answers what became of each.
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
                return Err(Invalid::value(format!("documents[{at}].id"), "is the id of another one as well").into());
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

    /// Takes a document away. Answers how many pieces it had.
    pub async fn delete_document(&self, id: &str) -> Result<usize, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        if self.pieces_of(id).await.is_empty() {
            return Ok(0);
        }
        let went = self.replace_sources(&[(id.to_owned(), Vec::new())]).await?;
        Ok(went.first().copied().unwrap_or(0))
    }

    /// What is known that bears on a question, best first: entries and pieces of documents, things of the graph and those
    /// near them, and what was found elsewhere.
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
        // Things have no labels, sources or data, so no filter lets them through.
        if let Some(steps) = asked.graph.filter(|_| !filters(&asked.filters)) {
            for (id, text, score, via) in self.graph_hits(&asked.query, asked.top_k, steps).await? {
                found.push(Knowledge { id, kind: "entity", text, score, via, ..Knowledge::default() });
            }
        }
        // Elsewhere scores may mean anything. Their order counts: the first is worth as much as our best.
        let best = found.iter().fold(0.0_f64, |best, known| best.max(known.score));
        let best = if best > 0.0 { best } else { 1.0 };
        for (rank, known) in asked.external.iter().enumerate() {
            found.push(Knowledge { kind: "external", score: best / (1.0 + rank as f64), ..known.clone() });
        }
        let order = sorted(found.len(), &|one, other| found[other].score.total_cmp(&found[one].score));
        Ok(order.into_iter().take(asked.top_k).map(|at| found[at].clone()).collect())
    }
}

/// Whether options name a part of what there is.
fn filters(options: &SearchOptions) -> bool {
    let SearchOptions { any_tag, source, namespace, session, metadata, .. } = options;
    !any_tag.is_empty() || source.is_some() || namespace.is_some() || session.is_some() || !metadata.is_empty()
}

/// The id of a document that came without one: the same text gets the same id, and the same text twice two of them.
fn id_of(content: &str, others: &[(String, Vec<Draft>)]) -> String {
    let digits: String = hash(content.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let id = format!("doc-{digits}");
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let mut free =
        std::iter::once(id.clone()).chain(numbered).filter(|id| !others.iter().any(|(known, _)| known == id));
    free.next().unwrap_or(id)
}
