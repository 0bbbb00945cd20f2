//! The verbs of the namespaces: add, get, content, list.

use super::plan::Plan;
use super::{Env, Error, Memory};
use crate::codec::{Body, Record};
use crate::model::{Draft, Entry, EntryId, Invalid, Namespace, NamespaceRules, Namespaces};
use crate::store::{Durability, Space, Store};
use crate::text;

const MAX_SOURCE_BYTES: usize = 1024;
const CUT_MARK: &str = "... [truncated]";

/// What to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Only this namespace; all of them if not said.
    pub namespace: Option<String>,
    /// At most this many; all if not said.
    pub limit: Option<usize>,
    /// Only what is older than this entry: the last one of the page before.
    pub after: Option<EntryId>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Remembers something.
    pub async fn add(&self, draft: Draft) -> Result<Entry, Error> {
        if draft.content.trim().is_empty() {
            return Err(Invalid::value("content", "must not be empty").into());
        }
        if let Some(source) = draft.source.as_ref().filter(|source| source.len() > MAX_SOURCE_BYTES) {
            return Err(Invalid::too_large("source", MAX_SOURCE_BYTES, source.len()).into());
        }
        // Refused before it queues up, so that a bad name does not wait for good writes.
        self.namespace(draft.namespace.as_deref())?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| self.plan_add(plan, &draft).await).await
    }

    async fn plan_add(&self, plan: &mut Plan, draft: &Draft) -> Result<Entry, Error> {
        let (namespace, rules) = self.namespace(draft.namespace.as_deref())?;
        let id = self.free_id(draft.id.as_ref()).await?;
        let content_chars = draft.content.chars().count();
        let truncated = content_chars > rules.max_content_chars;
        let content = if truncated {
            let room = rules.max_content_chars.saturating_sub(CUT_MARK.len());
            format!("{}{CUT_MARK}", text::cut(&draft.content, room))
        } else {
            draft.content.clone()
        };
        let entry = Entry {
            id,
            namespace,
            summary: text::summarize(&content, rules.max_summary_chars),
            content_chars,
            truncated,
            tags: draft.tags.clone(),
            importance: draft.importance,
            source: draft.source.clone(),
            metadata: draft.metadata.clone(),
            created_at: plan.now,
            updated_at: plan.now,
            expires_at: plan.now.plus_days(rules.ttl_days),
        };
        plan.add_entry(entry.clone(), &content, [self.entropy()?, self.entropy()?]);
        Ok(entry)
    }

    /// The id that was asked for, if nobody has it, or one that nobody has.
    async fn free_id(&self, wanted: Option<&EntryId>) -> Result<EntryId, Error> {
        loop {
            let id = match wanted {
                Some(id) => id.clone(),
                None => EntryId::from_entropy(self.entropy()?),
            };
            if self.read_record(&id).await?.is_none() {
                return Ok(id);
            }
            if wanted.is_some() {
                return Err(Error::AlreadyExists);
            }
        }
    }

    /// The entry called `id` with its whole content; nothing if there is none, or no longer.
    pub async fn get(&self, id: &EntryId) -> Result<Option<(Entry, String)>, Error> {
        self.check_open()?;
        let now = self.now()?;
        let Some(record) = self.read_record(id).await?.filter(|record| !record.entry.is_expired(now)) else {
            return Ok(None);
        };
        if record.body.is_none() {
            let content = record.entry.summary.clone();
            return Ok(Some((record.entry, content)));
        }
        let bodies = self.inner.store.get(Space::Bodies, &[self.inner.keys.entry(id)]).await?;
        match bodies.into_iter().next().flatten() {
            Some(bytes) => Ok(Some((record.entry, Body::decode(&bytes)?))),
            // Gone between the two reads.
            None => Ok(None),
        }
    }

    /// Entries without their contents, newest first.
    pub async fn list(&self, options: &ListOptions) -> Result<Vec<Entry>, Error> {
        self.refresh().await?;
        let namespace = match options.namespace.as_deref() {
            Some(name) => Some(self.namespace(Some(name))?.0),
            None => None,
        };
        let before = match &options.after {
            Some(id) => match self.read_record(id).await? {
                Some(record) => Some(record.seq),
                None => return Err(Invalid::value("after", "must be the id of an entry that is there").into()),
            },
            None => None,
        };
        self.load_catalog().await?;
        let now = self.now()?;
        let keys: Vec<_> = {
            let state = self.inner.state.borrow();
            let catalog = state.catalog.iter();
            let rows = catalog.flat_map(|catalog| catalog.newest(now, namespace.as_ref(), before));
            rows.take(options.limit.unwrap_or(usize::MAX)).map(|id| self.inner.keys.entry(id)).collect()
        };
        let mut entries = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(256) {
            for bytes in self.inner.store.get(Space::Records, chunk).await?.into_iter().flatten() {
                entries.push(Record::decode(&bytes)?.entry);
            }
        }
        Ok(entries)
    }

    async fn read_record(&self, id: &EntryId) -> Result<Option<Record>, Error> {
        let found = self.inner.store.get(Space::Records, &[self.inner.keys.entry(id)]).await?;
        Ok(found.into_iter().next().flatten().map(|bytes| Record::decode(&bytes)).transpose()?)
    }

    fn namespace(&self, name: Option<&str>) -> Result<(Namespace, &NamespaceRules), Error> {
        Ok(self.inner.namespaces.find("namespace", name.unwrap_or(Namespaces::DEFAULT))?)
    }
}
