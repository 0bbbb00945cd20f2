//! JSON verbs of knowledge and of the graph: decode, call, encode.

use super::verb;
use crate::codec::json::{self, Fields};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::memory::stores::graph::{Entity, Graph, GraphChange, Relation};
use crate::memory::stores::semantic::{Document, DocumentAdded, Knowledge, KnowledgeQuery};
use crate::model::{Invalid, Json, Metadata, Tags, Trust};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs of documents.
    pub(super) async fn document_verbs(&self, verb: verb::Documents, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            verb::Documents::AddDocuments => {
                let given = documents(fields.list("documents"));
                fields.finish()?;
                let added = self.add_documents(&given?).await?;
                let answer = |added: &DocumentAdded| {
                    Json::object(vec![
                        ("id", added.id.as_str().into()),
                        ("chunks", added.chunks.into()),
                        ("replaced", added.replaced.into()),
                    ])
                };
                Ok(Json::Array(added.iter().map(answer).collect()))
            }
            verb::Documents::DeleteDocument => {
                let id = fields.required_text("id");
                fields.finish()?;
                Ok(self.delete_document(&id).await?.into())
            }
            verb::Documents::SemanticSearch => {
                let filters = filters(fields.value("filters").unwrap_or_default());
                let asked = KnowledgeQuery {
                    query: fields.required_text("query"),
                    top_k: either_count(&mut fields, "topK", "top_k").unwrap_or(5),
                    filters: fields.accept(filters).unwrap_or_default(),
                    graph: Some(fields.count("graph").unwrap_or(1).min(2)),
                    embedding: json::embedding(&mut fields),
                    external: external(&mut fields),
                };
                fields.finish()?;
                Ok(Json::Array(self.knowledge(&asked).await?.iter().map(knowledge).collect()))
            }
        }
    }

    /// Verbs of the graph.
    pub(super) async fn graph_verbs(&self, verb: verb::Graph, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            verb::Graph::GraphAdd => {
                let given = graph(&mut fields, false);
                fields.finish()?;
                Ok(counts(&self.add_to_graph(&given).await?))
            }
            verb::Graph::GraphDelete => {
                let given = graph(&mut fields, true);
                fields.finish()?;
                Ok(counts(&self.delete_from_graph(&given).await?))
            }
            verb::Graph::GraphOpen => {
                let names = fields.texts("names");
                fields.finish()?;
                Ok(to_json(&self.open_graph(&names).await?))
            }
            verb::Graph::GraphRead => {
                fields.finish()?;
                Ok(to_json(&self.graph().await?))
            }
            verb::Graph::GraphSearch => {
                let query = fields.required_text("query");
                let (limit, steps) = (fields.count("limit").unwrap_or(10), fields.count("steps").unwrap_or(0));
                fields.finish()?;
                Ok(to_json(&self.search_graph(&query, limit, steps).await?))
            }
        }
    }
}

/// A count under one of two names.
pub(super) fn either_count(fields: &mut Fields, name: &'static str, other: &'static str) -> Option<usize> {
    let name = if fields.has(name) { name } else { other };
    fields.count(name)
}

const DOCUMENT_FIELDS: &[&str] =
    &["id", "content", "text", "source", "title", "tags", "metadata", "namespace", "embedding", "trust"];

/// Decodes documents. Errors name the index. Unknown fields become part of the metadata (B18).
pub(crate) fn documents(items: Vec<Json>) -> Result<Vec<Document>, Invalid> {
    let read = |(at, item): (usize, Json)| {
        let mut fields = Fields::of("documents", item);
        let tags = Tags::new("tags", fields.texts("tags"));
        let (id, source) = (fields.text("id"), fields.text("source"));
        let beside = source.clone().filter(|source| id.as_ref().is_some_and(|id| id != source));
        let content =
            if fields.has("content") { fields.required_text("content") } else { fields.required_text("text") };
        let mut document = Document {
            id: id.or(source).unwrap_or_default(),
            content,
            title: fields.text("title"),
            tags: fields.accept(tags).unwrap_or_default(),
            metadata: json::metadata(&mut fields),
            namespace: fields.text("namespace"),
            embedding: json::embedding(&mut fields),
            trust: fields.made("trust", |field, word| Trust::new(field, &word)),
        };
        // A document is identified by its id; its source is stored beside it.
        let mut own = Json::object(vec![("source", beside.into())]);
        fields.own("metadata", DOCUMENT_FIELDS).add_to(&mut own);
        let own = Metadata::new("metadata", own);
        let own = fields.accept(own).unwrap_or_default();
        let metadata = std::mem::take(&mut document.metadata).or("metadata", own);
        document.metadata = fields.accept(metadata).unwrap_or_default();
        match fields.finish() {
            Ok(()) => Ok(document),
            Err(mistake) => Err(mistake.within(&format!("documents[{at}]"))),
        }
    };
    items.into_iter().enumerate().map(read).collect()
}

/// Decodes filters. Unknown fields filter by metadata (B18).
pub(in crate::memory) fn filters(value: Json) -> Result<SearchOptions, Invalid> {
    if !matches!(value, Json::Object(_) | Json::Null) {
        return Err(Invalid::value("filters", "must be an object"));
    }
    let mut fields = Fields::of("filters", value);
    let mut metadata = match fields.value("metadata") {
        None => Vec::new(),
        Some(Json::Object(metadata)) => metadata,
        Some(_) => return Err(Invalid::value("filters.metadata", "must be an object")),
    };
    let options = SearchOptions {
        any_tag: fields.texts("tags"),
        source: fields.text("source"),
        namespace: fields.text("namespace"),
        session: fields.text("session"),
        ..SearchOptions::default()
    };
    metadata.extend(fields.rest().into_iter().filter(|(_, value)| !value.is_null()));
    let options = SearchOptions { metadata, ..options };
    fields.finish().map_err(|mistake| mistake.within("filters"))?;
    Ok(options)
}

/// Decodes documents found elsewhere.
pub(in crate::memory) fn external(fields: &mut Fields) -> Vec<Knowledge> {
    let mut read = Vec::new();
    for (at, item) in fields.list("external").into_iter().enumerate() {
        let mut item = Fields::of("external", item);
        // Scores of other systems are not comparable with ours; only their order is used.
        item.number("score");
        let text = if item.has("content") { item.required_text("content") } else { item.required_text("text") };
        read.push(Knowledge {
            id: item.text("id").unwrap_or_else(|| format!("external-{}", at + 1)),
            text,
            source: item.text("source"),
            metadata: item.value("metadata").unwrap_or_default(),
            ..Knowledge::default()
        });
        let finished = item.finish().map_err(|mistake| mistake.within(&format!("external[{at}]")));
        fields.accept(finished);
    }
    read
}

pub(crate) fn knowledge(known: &Knowledge) -> Json {
    let via = if known.via.is_empty() { Json::Null } else { known.via.as_slice().into() };
    Json::object(vec![
        ("id", known.id.as_str().into()),
        ("kind", known.kind.into()),
        ("text", known.text.as_str().into()),
        ("score", known.score.into()),
        ("source", known.source.as_deref().into()),
        ("title", known.metadata.get("title").clone()),
        ("metadata", known.metadata.clone()),
        ("via", via),
    ])
}

/// Decodes a part of a graph. In a deletion a name alone is the whole entity.
pub(crate) fn graph(fields: &mut Fields, names: bool) -> Graph {
    let mut graph = Graph::default();
    for (at, item) in fields.list("entities").into_iter().enumerate() {
        if names && let Json::String(name) = item {
            graph.entities.push(Entity { name, ..Entity::default() });
            continue;
        }
        let mut item = Fields::of("entities", item);
        let kind = item.either("type", "entityType").unwrap_or_default();
        let entity = Entity { name: item.required_text("name"), kind, observations: item.texts("observations") };
        graph.entities.push(entity);
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("entities[{at}]"))));
    }
    for (at, item) in fields.list("relations").into_iter().enumerate() {
        let mut item = Fields::of("relations", item);
        let kind = item.either("type", "relationType").unwrap_or_default();
        let relation = Relation { from: item.required_text("from"), to: item.required_text("to"), kind };
        graph.relations.push(relation);
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("relations[{at}]"))));
    }
    for (at, item) in fields.list("observations").into_iter().enumerate() {
        let mut item = Fields::of("observations", item);
        let name = item.either("entity", "entityName").unwrap_or_default();
        let observations = item.texts("contents");
        if !observations.is_empty() {
            graph.entities.push(Entity { name, kind: String::new(), observations });
        }
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("observations[{at}]"))));
    }
    graph
}

pub(crate) fn counts(change: &GraphChange) -> Json {
    Json::object(vec![
        ("entities", change.entities.into()),
        ("relations", change.relations.into()),
        ("observations", change.observations.into()),
    ])
}

pub(crate) fn to_json(graph: &Graph) -> Json {
    let entity = |entity: &Entity| {
        Json::object(vec![
            ("name", entity.name.as_str().into()),
            ("type", entity.kind.as_str().into()),
            ("observations", entity.observations.as_slice().into()),
        ])
    };
    let relation = |relation: &Relation| {
        Json::object(vec![
            ("from", relation.from.as_str().into()),
            ("to", relation.to.as_str().into()),
            ("type", relation.kind.as_str().into()),
        ])
    };
    Json::object(vec![
        ("entities", Json::Array(graph.entities.iter().map(entity).collect())),
        ("relations", Json::Array(graph.relations.iter().map(relation).collect())),
    ])
}
