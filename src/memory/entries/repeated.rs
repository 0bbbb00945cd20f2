//! Repetition and use: a statement that is made again, or recalled and used, makes its entry stronger.

use crate::index::{DocKind, Filter, Owner, Query, Ranking};
use crate::memory::engine::plan::{Plan, Stored};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::writing::expiry;
use crate::model::{AgentId, Draft, Entry, EntryId, Importance, Timestamp, Trust};
use crate::store::Store;
use crate::text::small;

/// The namespace of lasting statements.
pub(in crate::memory) const LONG_TERM: &str = "long-term";

/// The most bytes of a text that is taken for a statement, and the number of entries it is compared with.
const MAX_STATEMENT_BYTES: usize = 1000;
const COMPARED: usize = 4;

/// How long a use is not counted again: no more than one write a day for it.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl<S: Store, E: Env> Memory<S, E> {
    /// The entry of long-term memory that a draft repeats and adds nothing to.
    pub(super) async fn repeated(&self, plan: &Plan, draft: &Draft) -> Result<Option<Stored>, Error> {
        if !may_repeat(draft) {
            return Ok(None);
        }
        self.load_shelf().await?;
        let filter = Filter {
            kinds: &[DocKind::Entry],
            namespace: Some(LONG_TERM),
            valid_at: Some(plan.now),
            owner: Owner::Only(draft.agent.as_ref().map(AgentId::as_str)),
            ..Filter::default()
        };
        let said = self.decomposed(&draft.content);
        let query = Query { limit: COMPARED, filter, ..Query::new(&said, Ranking::Best) };
        let ids: Vec<EntryId> = self.with_shelf(|shelf| {
            let found = shelf.index.search(&query, plan.now);
            found.iter().filter_map(|hit| EntryId::new("id", hit.found.id).ok()).collect()
        });
        for id in ids {
            let Some(old) = self.read_stored(&id).await? else { continue };
            let entry = &old.record.entry;
            let is_same = entry.trust == draft.trust
                && entry.speaker == draft.speaker
                && entry.session == draft.session
                && entry.source == draft.source
                && entry.tags == draft.tags
                && entry.metadata == draft.metadata;
            if is_same && plain_words(&old.content()?) == plain_words(&draft.content) {
                return Ok(Some(old));
            }
        }
        Ok(None)
    }

    /// Changes an entry beside its text, so that its history stays.
    pub(in crate::memory) async fn plan_marked(
        &self,
        plan: &mut Plan,
        old: Stored,
        change: impl FnOnce(&mut Entry),
    ) -> Result<Entry, Error> {
        let (vector, content) = (self.read_vector(&old.record).await?, old.content()?);
        let mut record = old.record;
        change(&mut record.entry);
        let (entry, words) = (record.entry.clone(), self.words(&record.entry, &content));
        plan.keep(record, &words, vector.as_deref(), self.salts()?);
        Ok(entry)
    }

    /// A repetition is counted, raises the importance of an entry and extends its lifetime.
    pub(in crate::memory) async fn plan_stronger(
        &self,
        plan: &mut Plan,
        old: Stored,
        least: Importance,
    ) -> Result<Entry, Error> {
        let (_, rules) = self.namespace(Some(old.record.entry.namespace.as_str()))?;
        let (now, expires_at) = (plan.now, expiry(plan.now, None, rules));
        let importance = old.record.entry.importance.stronger().max(least);
        self.plan_marked(plan, old, |entry| {
            entry.importance = importance;
            entry.count = entry.count.saturating_add(1);
            entry.seen_at = Some(now);
            entry.updated_at = now;
            entry.expires_at = entry.expires_at.max(expires_at);
        })
        .await
    }

    /// A use raises the importance of an entry, at most once a day. One of low trust gains nothing: its words may be there
    /// to be repeated.
    pub(in crate::memory) async fn plan_used(&self, plan: &mut Plan, id: &EntryId) -> Result<(), Error> {
        let now = plan.now;
        let old = self.read_stored(id).await?;
        let Some(old) = old.filter(|old| gains_by_use(&old.record.entry, now)) else { return Ok(()) };
        self.plan_marked(plan, old, |entry| {
            entry.importance = entry.importance.stronger();
            entry.seen_at = Some(now);
        })
        .await?;
        Ok(())
    }
}

/// Whether a use makes an entry stronger.
pub(in crate::memory) fn gains_by_use(entry: &Entry, now: Timestamp) -> bool {
    let since = entry.seen_at.unwrap_or(entry.updated_at);
    entry.trust > Trust::Low && !entry.is_expired(now) && now.millis().saturating_sub(since.millis()) >= DAY_MS
}

/// Whether a draft may repeat an entry: it is a statement, and says nothing beside it.
fn may_repeat(draft: &Draft) -> bool {
    let says_more = draft.id.is_some()
        || draft.key.is_some()
        || draft.summary.is_some()
        || draft.at.is_some()
        || draft.created_at.is_some()
        || draft.valid_from.is_some()
        || draft.valid_until.is_some()
        || draft.replaces.is_some()
        || draft.ttl_millis.is_some();
    let is_statement = draft.namespace.as_deref() == Some(LONG_TERM) && draft.content.len() <= MAX_STATEMENT_BYTES;
    is_statement && !says_more && !draft.keeps_duplicates
}

/// The words of a draft that may repeat an entry.
pub(super) fn statement(draft: &Draft) -> Option<String> {
    may_repeat(draft).then(|| plain_words(&draft.content))
}

/// The words of a text, whatever their case, their spaces and the mark at their end.
fn plain_words(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '!', '。', '！', '।']);
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        words.extend(word.chars().map(small));
        words.push(' ');
    }
    words
}
