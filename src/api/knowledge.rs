//! Documents, and questions to them.

use super::{KnowledgeGraph, call, handle};
use crate::memory::{Document, DocumentAdded, Env, Error, Knowledge, KnowledgeQuery, SearchOptions};
use crate::model::{Embedding, Json, Metadata, Tags, Trust};
use crate::store::Store;

handle! {
    /// Knowledge: documents, and the graph of entities and relations.
    SemanticMemory
}

call! {
    /// Adds a document; see [`SemanticMemory::add_document`].
    AddDocument(Document) -> DocumentAdded, |memory, document| {
        let added = memory.add_documents(&[document]).await?;
        Ok(added.into_iter().next().unwrap_or_default())
    }
}

impl<S, E> AddDocument<S, E> {
    /// Its id: a document replaces the one with the same id. Default: made from the text, so that adding a text twice
    /// keeps one document.
    pub fn id(self, id: impl Into<String>) -> Self {
        self.edit(|document| document.id = id.into())
    }

    /// Its title.
    pub fn title(self, title: impl Into<String>) -> Self {
        self.edit(|document| document.title = Some(title.into()))
    }

    /// Its tags.
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        let tags = Tags::new("tags", tags.into_iter().map(Into::into).collect());
        self.set(tags, |document, tags| document.tags = tags)
    }

    /// The app's own data: a JSON object.
    pub fn metadata(self, metadata: impl Into<Json>) -> Self {
        self.set(Metadata::new("metadata", metadata.into()), |document, metadata| document.metadata = metadata)
    }

    /// Its namespace. Default: `long-term`.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        self.edit(|document| document.namespace = Some(namespace.into()))
    }

    /// The trust in it. Default: [`Trust::Low`], because its author is not the user.
    pub fn trust(self, trust: Trust) -> Self {
        self.edit(|document| document.trust = Some(trust))
    }

    /// Its embedding, by the app's model.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        let embedding = Embedding::new("embedding", embedding.into());
        self.set(embedding, |document, made| document.embedding = Some(made))
    }
}

call! {
    /// Asks the documents; see [`SemanticMemory::search`].
    Ask(KnowledgeQuery) -> Vec<Knowledge>, |memory, asked| memory.knowledge(&asked).await
}

impl<S, E> Ask<S, E> {
    /// The most results. Default: 5.
    pub fn top_k(self, most: usize) -> Self {
        self.edit(|asked| asked.top_k = most)
    }

    /// Only documents with this tag, or with another one that is given.
    pub fn tag(self, tag: impl Into<String>) -> Self {
        self.edit(|asked| asked.filters.any_tag.push(tag.into()))
    }

    /// Only this document.
    pub fn source(self, source: impl Into<String>) -> Self {
        self.edit(|asked| asked.filters.source = Some(source.into()))
    }

    /// Only documents whose metadata has this value under this name.
    pub fn metadata(self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.edit(|asked| asked.filters.metadata.push((name.into(), value.into())))
    }

    /// The number of relations to walk from the hits in the graph, at most 2. Default: 1.
    pub fn graph(self, steps: usize) -> Self {
        self.edit(|asked| asked.graph = Some(steps.min(2)))
    }

    /// The embedding of the query, by the model that embedded the documents.
    pub fn embedding(self, embedding: impl Into<Vec<f32>>) -> Self {
        self.set(Embedding::new("embedding", embedding.into()), |asked, made| asked.embedding = Some(made))
    }
}

impl<S: Store, E: Env> SemanticMemory<S, E> {
    /// Adds a document, in chunks.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let semantic = memory.semantic();
    /// semantic.add_document("Refunds take five days.").id("refunds.md").title("Refunds").await?;
    ///
    /// let found = semantic.search("how long does a refund take?").top_k(3).await?;
    /// assert_eq!(found[0].source.as_deref(), Some("refunds.md"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn add_document(&self, text: impl Into<String>) -> AddDocument<S, E> {
        AddDocument::new(&self.memory, Document { content: text.into(), ..Document::default() })
    }

    /// Adds documents in one commit, all or none.
    pub async fn add_documents(
        &self,
        documents: impl IntoIterator<Item = Document>,
    ) -> Result<Vec<DocumentAdded>, Error> {
        let documents: Vec<Document> = documents.into_iter().collect();
        self.memory.add_documents(&documents).await
    }

    /// Searches documents and the graph.
    pub fn search(&self, query: impl Into<String>) -> Ask<S, E> {
        let filters = SearchOptions::default();
        let asked = KnowledgeQuery { query: query.into(), top_k: 5, filters, graph: Some(1), ..Default::default() };
        Ask::new(&self.memory, asked)
    }

    /// Deletes a document. Returns the number of its chunks.
    pub async fn delete(&self, id: &str) -> Result<usize, Error> {
        self.memory.delete_document(id).await
    }

    /// The graph of entities and relations.
    pub fn graph(&self) -> KnowledgeGraph<S, E> {
        KnowledgeGraph::new(&self.memory)
    }
}
