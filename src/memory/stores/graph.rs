//! A small knowledge graph: entities, observations about them, and their relations.

use super::flow::check_name;
use crate::index::{DocKind, Ranking};
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::model::{Invalid, Json};
use crate::store::{Durability, Key, Store};

/// An entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Entity {
    /// Its name, which identifies it.
    pub name: String,
    /// Its type.
    pub kind: String,
    /// The observations about it.
    pub observations: Vec<String>,
}

/// A relation between two entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Relation {
    /// The source entity.
    pub from: String,
    /// The target entity.
    pub to: String,
    /// The type, in a few words.
    pub kind: String,
}

/// A part of the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Graph {
    /// The entities.
    pub entities: Vec<Entity>,
    /// Their relations, each once.
    pub relations: Vec<Relation>,
}

/// The numbers of added or deleted parts of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphChange {
    /// The number of entities.
    pub entities: usize,
    /// The number of relations.
    pub relations: usize,
    /// The number of observations.
    pub observations: usize,
}

/// A stored entity, with its incoming and outgoing relations.
#[derive(Clone, Debug, Default)]
struct Node {
    entity: Entity,
    relations: Vec<Relation>,
    /// The stored value, if it existed.
    before: Option<Json>,
    /// Whether it existed, or does now.
    there: bool,
    changed: bool,
}

/// The most bytes of a stored entity.
const MAX_BYTES: usize = 256 * 1024;

impl<S: Store, E: Env> Memory<S, E> {
    /// Adds entities, observations and relations. Known ones change nothing; an unknown name in a relation or an
    /// observation becomes an entity. Returns the numbers of new ones.
    pub async fn add_to_graph(&self, graph: &Graph) -> Result<GraphChange, Error> {
        check(graph)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut nodes = self.nodes(&names(graph)).await?;
            let mut new = GraphChange::default();
            for given in &graph.entities {
                let Some(node) = find(&mut nodes, &given.name) else { continue };
                if !node.there || (node.entity.kind.is_empty() && !given.kind.is_empty()) {
                    node.entity.kind.clone_from(&given.kind);
                    node.changed = true;
                }
                for observation in &given.observations {
                    if !node.entity.observations.contains(observation) {
                        node.entity.observations.push(observation.clone());
                        new.observations += 1;
                        node.changed = true;
                    }
                }
                new.entities += usize::from(!node.there);
                node.there = true;
            }
            for relation in &graph.relations {
                let mut is_new = false;
                for end in [&relation.from, &relation.to] {
                    let Some(node) = find(&mut nodes, end) else { continue };
                    if !node.relations.contains(relation) {
                        node.relations.push(relation.clone());
                        (node.changed, is_new) = (true, true);
                    }
                    new.entities += usize::from(!node.there);
                    node.changed |= !node.there;
                    node.there = true;
                }
                new.relations += usize::from(is_new);
            }
            self.plan_nodes(plan, &nodes)?;
            Ok(new)
        })
        .await
    }

    /// Deletes entities (those that `graph` names without an observation), observations, or relations. An entity is
    /// deleted with its relations. Returns the numbers of deleted ones.
    pub async fn delete_from_graph(&self, graph: &Graph) -> Result<GraphChange, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut wanted = names(graph);
            for node in self.nodes(&wanted).await? {
                let ends = node.relations.iter().flat_map(|relation| [&relation.from, &relation.to]);
                for name in ends {
                    if !wanted.contains(name) {
                        wanted.push(name.clone());
                    }
                }
            }
            let mut nodes = self.nodes(&wanted).await?;
            let mut gone = GraphChange::default();
            let mut cut: Vec<Relation> = Vec::new();
            for given in &graph.entities {
                let Some(node) = find(&mut nodes, &given.name).filter(|node| node.there) else { continue };
                let before = node.entity.observations.len();
                if given.observations.is_empty() {
                    gone.entities += 1;
                    gone.observations += before;
                    (node.there, node.changed) = (false, true);
                } else {
                    node.entity.observations.retain(|observation| !given.observations.contains(observation));
                    gone.observations += before - node.entity.observations.len();
                    node.changed |= before != node.entity.observations.len();
                }
            }
            let dead: Vec<String> =
                nodes.iter().filter(|node| !node.there).map(|node| node.entity.name.clone()).collect();
            for node in &mut nodes {
                let ends = |relation: &Relation| dead.contains(&relation.from) || dead.contains(&relation.to);
                let goes = |relation: &Relation| graph.relations.contains(relation) || ends(relation);
                for relation in node.relations.iter().filter(|relation| goes(relation)) {
                    if !cut.contains(relation) {
                        cut.push(relation.clone());
                    }
                }
                let before = node.relations.len();
                node.relations.retain(|relation| !goes(relation));
                node.changed |= node.relations.len() != before;
            }
            gone.relations = cut.len();
            self.plan_nodes(plan, &nodes)?;
            Ok(gone)
        })
        .await
    }

    /// The entities with these names, and all of their relations.
    pub async fn open_graph(&self, names: &[String]) -> Result<Graph, Error> {
        self.check_open()?;
        Ok(graph_of(self.nodes(names).await?.into_iter().filter(|node| node.there).collect()))
    }

    /// The whole graph.
    pub async fn graph(&self) -> Result<Graph, Error> {
        self.check_open()?;
        let all = self.kept_in(self.inner.keys.entities()).await?;
        Ok(graph_of(all.into_iter().filter_map(read).collect()))
    }

    /// The entities that match a query, best first, and entities up to `steps` relations away from them.
    pub async fn search_graph(&self, query: &str, limit: usize, steps: usize) -> Result<Graph, Error> {
        let found = self.walk(query, limit, steps).await?;
        Ok(graph_of(found.into_iter().map(|(node, ..)| node).collect()))
    }

    /// The same with scores, and the path of names to each. Each step halves the score.
    async fn walk(&self, query: &str, limit: usize, steps: usize) -> Result<Vec<(Node, f64, Vec<String>)>, Error> {
        let options = SearchOptions {
            query: query.to_owned(),
            ranking: Ranking::Best,
            limit: Some(limit),
            ..SearchOptions::default()
        };
        let hits = self.find(&options, &[DocKind::Entity]).await?;
        let names: Vec<String> = hits.iter().map(|(_, hit)| hit.id.to_string()).collect();
        let mut found: Vec<(Node, f64, Vec<String>)> = Vec::new();
        for (node, (_, hit)) in self.nodes(&names).await?.into_iter().zip(&hits) {
            found.push((node, hit.score, Vec::new()));
        }
        let mut from = 0;
        for _ in 0..steps.min(2) {
            let (mut next, mut origins): (Vec<String>, Vec<(f64, Vec<String>)>) = (Vec::new(), Vec::new());
            for (node, score, via) in &found[from..] {
                for relation in &node.relations {
                    let name = if relation.from == node.entity.name { &relation.to } else { &relation.from };
                    if next.contains(name) || found.iter().any(|(known, ..)| known.entity.name == *name) {
                        continue;
                    }
                    let mut path = via.clone();
                    path.push(node.entity.name.clone());
                    next.push(name.clone());
                    origins.push((score / 2.0, path));
                }
            }
            from = found.len();
            let reached = self.nodes(&next).await?.into_iter().zip(origins);
            found.extend(reached.map(|(node, (score, via))| (node, score, via)));
        }
        found.retain(|(node, ..)| node.there);
        Ok(found)
    }

    /// Entities as search results: name, text, score, and path.
    pub(super) async fn graph_hits(
        &self,
        query: &str,
        limit: usize,
        steps: usize,
    ) -> Result<Vec<(String, String, f64, Vec<String>)>, Error> {
        let found = self.walk(query, limit, steps).await?;
        let hit = |(node, score, via): (Node, f64, Vec<String>)| (node.entity.name.clone(), node.told(), score, via);
        Ok(found.into_iter().map(hit).collect())
    }

    /// The entities with these names; a missing one is empty.
    async fn nodes(&self, names: &[String]) -> Result<Vec<Node>, Error> {
        let key = |name: &String| self.inner.keys.named(&Named::Entity(name.clone()));
        let keys: Vec<Key> = names.iter().map(key).collect();
        let kept = self.kept_of(&keys).await?;
        let mut nodes: Vec<Node> = kept.into_iter().filter_map(read).collect();
        Ok(names
            .iter()
            .map(|name| match nodes.iter().position(|node| node.entity.name == *name) {
                Some(at) => nodes.swap_remove(at),
                None => Node { entity: Entity { name: name.clone(), ..Entity::default() }, ..Node::default() },
            })
            .collect())
    }

    fn plan_nodes(&self, plan: &mut Plan, nodes: &[Node]) -> Result<(), Error> {
        for node in nodes.iter().filter(|node| node.changed) {
            let named = Named::Entity(node.entity.name.clone());
            match (&node.before, node.there) {
                (_, true) => {
                    let value = node.to_json(plan.now.to_string());
                    let bytes = value.to_string().len();
                    if bytes > MAX_BYTES {
                        return Err(Invalid::too_large("entities", MAX_BYTES, bytes).into());
                    }
                    self.plan_known(plan, &named, value, node.before.as_ref())?;
                }
                (Some(before), false) => self.plan_forget(plan, &named, before),
                (None, false) => {}
            }
        }
        Ok(())
    }
}

impl Node {
    fn to_json(&self, now: String) -> Json {
        let relation = |relation: &Relation| {
            let Relation { from, to, kind } = relation;
            Json::Array(vec![from.as_str().into(), to.as_str().into(), kind.as_str().into()])
        };
        let at = self.before.as_ref().map_or(Json::from(now), |before| before.get("at").clone());
        Json::object(vec![
            ("name", self.entity.name.as_str().into()),
            ("type", self.entity.kind.as_str().into()),
            ("observations", self.entity.observations.as_slice().into()),
            ("relations", Json::Array(self.relations.iter().map(relation).collect())),
            ("at", at),
        ])
    }

    /// The entity as text.
    fn told(&self) -> String {
        let mut told = self.entity.name.clone();
        if !self.entity.kind.is_empty() {
            told.push_str(&format!(" ({})", self.entity.kind));
        }
        if !self.entity.observations.is_empty() {
            told.push_str(": ");
            told.push_str(&self.entity.observations.join("; "));
        }
        for Relation { from, to, kind } in &self.relations {
            told.push_str(&format!("\n{from} {kind} {to}"));
        }
        told
    }
}

fn read(value: Json) -> Option<Node> {
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let observations = value.get("observations").as_array()?.iter().map(text).collect::<Option<Vec<_>>>()?;
    let relation = |relation: &Json| match relation.as_array()? {
        [from, to, kind] => Some(Relation { from: text(from)?, to: text(to)?, kind: text(kind)? }),
        _ => None,
    };
    let relations = value.get("relations").as_array()?.iter().map(relation).collect::<Option<Vec<_>>>()?;
    let kind = value.get("type").as_str().unwrap_or("").to_owned();
    let entity = Entity { name: text(value.get("name"))?, kind, observations };
    Some(Node { entity, relations, before: Some(value), there: true, changed: false })
}

fn find<'a>(nodes: &'a mut [Node], name: &str) -> Option<&'a mut Node> {
    nodes.iter_mut().find(|node| node.entity.name == name)
}

/// Every name once.
fn names(graph: &Graph) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let ends = graph.relations.iter().flat_map(|relation| [&relation.from, &relation.to]);
    for name in graph.entities.iter().map(|entity| &entity.name).chain(ends) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn graph_of(nodes: Vec<Node>) -> Graph {
    let mut graph = Graph::default();
    for node in nodes {
        for relation in node.relations {
            if !graph.relations.contains(&relation) {
                graph.relations.push(relation);
            }
        }
        graph.entities.push(node.entity);
    }
    graph
}

fn check(graph: &Graph) -> Result<(), Invalid> {
    for (at, entity) in graph.entities.iter().enumerate() {
        check_name(&format!("entities[{at}].name"), &entity.name)?;
    }
    for (at, relation) in graph.relations.iter().enumerate() {
        check_name(&format!("relations[{at}].from"), &relation.from)?;
        check_name(&format!("relations[{at}].to"), &relation.to)?;
        check_name(&format!("relations[{at}].type"), &relation.kind)?;
    }
    Ok(())
}
