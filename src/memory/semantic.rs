//! Knowledge (B18): documents in pieces, the graph, and what an app finds elsewhere, in one answer.

use super::context::{IngestOptions, pieces};
use super::entries::pieces_of;
use super::{Env, Error, Memory, SearchOptions};
use crate::codec::Record;
use crate::index::Ranking;
use crate::model::{Embedding, Invalid, Json, Metadata, Tags, sorted};
use crate::store::{Key, Space, Store};

/// About how long a piece of a document is.
pub(super) const PIECE_CHARS: usize = 1200;

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What it is known by: a document of the same id makes room for it.
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
    /// Takes documents in, in pieces. Answers for each how many pieces it has, and how many of an older one went.
    pub async fn add_documents(&self, documents: &[Document]) -> Result<Vec<(usize, usize)>, Error> {
        for (at, document) in documents.iter().enumerate() {
            if document.id.is_empty() {
                return Err(Invalid::value(format!("documents[{at}].id"), "or `source` must be given").into());
            }
            if documents[..at].iter().any(|other| other.id == document.id) {
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
            let drafts = pieces(&document.id, &document.content, &options);
            let named = |mistake: Invalid| mistake.within(&format!("documents[{at}]"));
            sources.push((document.id.clone(), drafts.map_err(named)?));
        }
        let went = self.replace_sources(&sources).await?;
        Ok(sources.iter().map(|(_, drafts)| drafts.len()).zip(went).collect())
    }

    /// Takes a document away. Answers how many pieces it had.
    pub async fn delete_document(&self, id: &str) -> Result<usize, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        if self.with_shelf(|shelf| pieces_of(&shelf.index, id)).is_empty() {
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
        if let Some(steps) = asked.graph {
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
