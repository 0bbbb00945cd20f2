//! Conflicts: statements that contradict each other and are both held to be true. Recording decides most contradictions
//! by itself; what is left was added by the app, came with an import, or has too little trust to replace the other.

use super::long_term::may_relate;
use crate::codec::hex;
use crate::index::{DocKind, Filter, Owner, Query, Ranking};
use crate::judgement::{Fact, are_distinct, contradicts, is_of_user, is_one_of_many, may_concern};
use crate::log::hash;
use crate::memory::engine::judging::Described;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::{READ, RECORD};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::repeated::LONG_TERM;
use crate::memory::entries::sources::SOURCE_TAG;
use crate::model::{Entry, EntryId, Json, Tags};
use crate::store::{Durability, Key, Store};
use crate::text::{self, Told};
use std::rc::Rc;

/// The number of the newest statements that are compared.
const COMPARED: usize = 1000;

/// The beginning of the tag of an entry that was settled to stand beside an older one. The id of the conflict follows.
pub(super) const BESIDE_TAG: &str = "keepsake:beside:";

/// Two statements that contradict each other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// The id, which stays the same until one of the statements changes.
    pub id: String,
    /// The newer statement, with its content.
    pub newer: (Entry, String),
    /// The older statement, with its content.
    pub older: (Entry, String),
}

/// The statement of a conflict that stays true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// The newer one.
    Newer,
    /// The older one.
    Older,
    /// Both.
    Both,
}

/// A stored statement, read for comparison.
struct Read {
    entry: Entry,
    content: String,
    read: Rc<Described>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The contradictions between current statements of long-term memory, the newest first. An agent gets its own and
    /// those of no agent.
    pub async fn conflicts(&self, agent: Option<&str>, limit: usize) -> Result<Vec<Conflict>, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let owner = agent.map_or(Owner::Anybody, Owner::SeenBy);
        self.conflicts_of(owner, limit, None).await
    }

    /// Settles a conflict: a statement that is not kept is in the past from now on. Returns the ids of those.
    pub async fn resolve(&self, id: &str, keep: Keep) -> Result<Vec<EntryId>, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.load_shelf().await?;
            let found = self.conflicts_of(Owner::Anybody, 1, Some(id)).await?.pop().ok_or(Error::NO_CONFLICT)?;
            let (newer, older) = (found.newer.0.id, found.older.0.id);
            let (Some(new), Some(old)) = (self.read_stored(&newer).await?, self.read_stored(&older).await?) else {
                return Err(Error::NO_CONFLICT);
            };
            let mut gone = Vec::new();
            match keep {
                Keep::Newer => {
                    let follows = |entry: &mut Entry| entry.replaces = entry.replaces.take().or(Some(older.clone()));
                    self.plan_marked(plan, new, follows).await?;
                    self.plan_past(plan, old).await?;
                    gone.push(older.clone());
                }
                Keep::Older => {
                    self.plan_past(plan, new).await?;
                    gone.push(newer);
                }
                Keep::Both => {
                    let mut tags = new.record.entry.tags.as_slice().to_vec();
                    tags.push(format!("{BESIDE_TAG}{id}"));
                    let tags = Tags::new("tags", tags)?;
                    self.plan_marked(plan, new, |entry| entry.tags = tags).await?;
                }
            }
            self.plan_note(plan, || past(&gone))?;
            Ok(gone)
        })
        .await
    }

    /// The conflicts between what an owner sees, or the one with this id.
    async fn conflicts_of(&self, owner: Owner<'_>, limit: usize, id: Option<&str>) -> Result<Vec<Conflict>, Error> {
        let all = self.statements(owner).await?;
        let mut found = Vec::new();
        for (at, newer) in all.iter().enumerate() {
            self.breathe(RECORD + all.len()).await;
            for older in all.iter().skip(at + 1).filter(|older| newer.contradicts(older)) {
                let name = id_of(&newer.entry.id, &older.entry.id);
                let settled = newer.entry.tags.as_slice().iter().any(|tag| tag.strip_prefix(BESIDE_TAG) == Some(&name));
                if settled || id.is_some_and(|id| id != name) {
                    continue;
                }
                found.push(Conflict { id: name, newer: newer.whole(), older: older.whole() });
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The newest current statements of long-term memory, the newest first.
    async fn statements(&self, owner: Owner<'_>) -> Result<Vec<Read>, Error> {
        let now = self.now()?;
        let documents = [SOURCE_TAG.to_owned()];
        let filter = Filter {
            kinds: &[DocKind::Entry],
            namespace: Some(LONG_TERM),
            no_tag: &documents,
            valid_at: Some(now),
            owner,
            ..Filter::default()
        };
        let query = Query { limit: COMPARED, filter, ..Query::new("", Ranking::Best) };
        let keys: Vec<Key> = self.with_shelf(|shelf| {
            let ids =
                shelf.index.latest(&query, now).into_iter().filter_map(|hit| EntryId::new("id", hit.found.id).ok());
            ids.map(|id| self.inner.keys.entry(&id)).collect()
        });
        let mut all = Vec::new();
        for (record, content) in self.fetch_entries(&keys).await? {
            let Some(content) = content.filter(|_| !record.entry.truncated) else { continue };
            self.breathe(READ + content.len()).await;
            let read = self.described(&content, None);
            all.push(Read { entry: record.entry, read, content });
        }
        all.sort_by_key(|read| std::cmp::Reverse(read.entry.updated_at));
        Ok(all)
    }
}

impl Read {
    fn contradicts(&self, older: &Self) -> bool {
        self.entry.agent == older.entry.agent
            && may_relate(self.entry.speaker.as_ref(), older.entry.speaker.as_ref())
            && may_concern(&self.read.fact, &older.read.fact)
            && outdates(&self.read.fact, &self.read.told, &older.read)
    }

    fn whole(&self) -> (Entry, String) {
        (self.entry.clone(), self.content.clone())
    }
}

/// Whether a new statement means that an older one is no longer true. `told` are the words of the new one.
pub(super) fn outdates(new: &Fact, told: &Told, old: &Described) -> bool {
    let fact = &old.fact;
    let corrects = told.relation(&old.told) == text::Relation::Corrects;
    corrects && !is_one_of_many(new, fact) && !are_distinct(new, fact)
        || contradicts(new, fact, &|| are_kindred(new, told, old))
}

/// Whether the words of two statements are phrases for one attribute: then their comparison has decided. The words of
/// "User lives in" and "I live in" are not compared.
pub(super) fn are_kindred(new: &Fact, told: &Told, old: &Described) -> bool {
    is_of_user(&new.text) == is_of_user(&old.fact.text) && told.is_kindred(&old.told)
}

fn id_of(newer: &EntryId, older: &EntryId) -> String {
    let digest = hash(format!("{}\0{}", newer.as_str(), older.as_str()).as_bytes());
    hex::encode(digest.get(..8).unwrap_or(&digest))
}

/// The answer of `resolve` as JSON.
pub(in crate::memory) fn past(ids: &[EntryId]) -> Json {
    Json::Array(ids.iter().map(|id| id.as_str().into()).collect())
}
