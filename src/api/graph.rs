//! The knowledge graph.

use super::handle;
use crate::memory::{Env, Error, Graph, GraphChange};
use crate::store::Store;

handle! {
    /// A graph of entities with observations about them, and of the relations between them.
    KnowledgeGraph
}

impl<S: Store, E: Env> KnowledgeGraph<S, E> {
    /// Adds entities, observations and relations. What exists already is not added again.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, types::Graph};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let graph = memory.semantic().graph();
    /// let parts = Graph::default()
    ///     .entity("Hue", "person", ["adopted a dog"])
    ///     .relation("Hue", "lives in", "Hanoi");
    /// graph.add(&parts).await?;
    /// assert_eq!(graph.search("Hue", 10, 1).await?.relations[0].to, "Hanoi");
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn add(&self, parts: &Graph) -> Result<GraphChange, Error> {
        self.memory.add_to_graph(parts).await
    }

    /// Deletes relations, observations, and entities without observations here, with their relations.
    pub async fn delete(&self, parts: &Graph) -> Result<GraphChange, Error> {
        self.memory.delete_from_graph(parts).await
    }

    /// The entities of these names, with the relations between them.
    pub async fn open<T: Into<String>>(&self, names: impl IntoIterator<Item = T>) -> Result<Graph, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        self.memory.open_graph(&names).await
    }

    /// The whole graph.
    pub async fn read(&self) -> Result<Graph, Error> {
        self.memory.graph().await
    }

    /// The entities that a query finds, and those that so many relations lead to.
    pub async fn search(&self, query: &str, limit: usize, steps: usize) -> Result<Graph, Error> {
        self.memory.search_graph(query, limit, steps).await
    }
}
