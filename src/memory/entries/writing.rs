//! The writing verbs of the namespaces: add, update, delete, clear, cleanup.

use crate::index::Found;
use crate::memory::engine::plan::{Evicted, New, Plan, Salts, Stored};
use crate::memory::engine::slices::{READ, RECORD};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::repeated::statement;
use crate::model::{
    Changes, Draft, Entry, EntryId, Invalid, Json, Namespace, NamespaceRules, Namespaces, SecretKind, Timestamp, Trust,
    add_kinds, check_readable,
};
use crate::store::{Durability, Store};
use crate::text;
use std::cell::Cell;

/// The tag of standing instructions. Nothing of low trust has it.
pub(in crate::memory) const INSTRUCTION_TAG: &str = "instruction";

const MAX_SOURCE_BYTES: usize = 1024;
/// The interval of expiry sweeps during adds, in places of the log, and the most entries of one sweep.
const SWEEP_EVERY: u64 = 32;
const SWEEP_MOST: usize = 64;

const CUT_MARK: &str = "... [truncated]";

/// A draft without secrets that must not be stored, and the kinds that were replaced in it.
type Checked = (Draft, Vec<SecretKind>);

/// The entries to delete.
enum Doomed {
    One(EntryId),
    All(Option<Namespace>),
    Expired,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Adds an entry. A draft with the key of another entry updates that entry. An expired entry no longer exists
    /// (F45): its key and its id are free, and it leaves no history.
    pub async fn add(&self, draft: Draft) -> Result<Entry, Error> {
        let checked = self.check_draft(draft)?;
        self.write_together(async |plan: &mut Plan| {
            let entry = self.plan_checked(plan, &checked).await?;
            self.plan_note(plan, || entry.id.as_str().into())?;
            Ok(entry)
        })
        .await
    }

    /// Adds entries in the order of their drafts, in few commits; an idempotent call in one. Every draft is checked
    /// before the first is written. If the storage fails later, or another program has taken an id meanwhile, the
    /// entries before it are stored.
    pub async fn add_many(&self, drafts: Vec<Draft>) -> Result<Vec<Entry>, Error> {
        let mut checked = Vec::with_capacity(drafts.len());
        for (at, draft) in drafts.into_iter().enumerate() {
            checked.push(self.check_draft(draft).map_err(|error| error.within(&format!("drafts[{at}]")))?);
            self.breathe(READ).await;
        }
        self.check_ids(&checked).await?;
        let (total, in_one) = (checked.len(), self.is_noted());
        let mut entries: Vec<Entry> = Vec::with_capacity(total);
        let mut most = total;
        while let Some(left) = checked.get(entries.len()..).filter(|left| !left.is_empty()) {
            let (some, done) = (left.get(..most).unwrap_or(left), entries.len());
            // The draft that is being planned; `None` after the last.
            let current = Cell::new(None);
            let written = self.write(Durability::Relaxed, async |plan: &mut Plan| {
                let mut entries: Vec<Entry> = Vec::with_capacity(some.len());
                for (at, draft) in some.iter().enumerate() {
                    current.set(Some(at));
                    entries.push(self.plan_checked(plan, draft).await?);
                    self.report(done + at + 1, total);
                    self.breathe(RECORD + draft.0.content.len()).await;
                    if !in_one && plan.is_full() {
                        break;
                    }
                }
                current.set(None);
                let ids = || entries.iter().map(|entry| entry.id.as_str().into());
                self.plan_note(plan, || Json::Array(ids().collect()))?;
                Ok(entries)
            });
            match (written.await, current.get()) {
                (Ok(written), _) => {
                    entries.extend(written);
                    most = total;
                }
                // This draft needs what those before it write, so their commit comes first.
                (Err(Error::AlreadyExists { .. }), Some(at)) if at > 0 && !in_one => most = at,
                (Err(error), Some(at)) => return Err(error.within(&format!("drafts[{}]", done + at))),
                // The storage may take fewer operations than this.
                (Err(Error::Store(error)), None) if some.len() > 1 && !in_one && error.may_be_size() => {
                    most = some.len() / 2
                }
                (Err(error), None) => return Err(error),
            }
        }
        Ok(entries)
    }

    /// Refuses ids that are taken, by an entry or by an earlier draft.
    async fn check_ids(&self, checked: &[Checked]) -> Result<(), Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let now = self.now()?;
        let mut seen = std::collections::BTreeSet::new();
        for (at, (draft, _)) in checked.iter().enumerate() {
            let Some(id) = &draft.id else { continue };
            let is_there = |found: Option<Found<'_>>| {
                found.filter(|found| found.expires_at > now).map(|found| found.id.to_owned())
            };
            let (same_key, same_id) = self.with_shelf(|shelf| {
                let index = &shelf.index;
                let about = draft.key.as_ref().and_then(|key| index.about(key.as_str()));
                (is_there(about.and_then(|id| index.get(id))), is_there(index.get(id.as_str())))
            });
            let field = match same_key {
                Some(known) if known != id.as_str() => "key",
                None if same_id.is_some() => "id",
                _ if !seen.insert(id.as_str()) => "id",
                _ => continue,
            };
            return Err(Error::AlreadyExists { field: format!("drafts[{at}].{field}") });
        }
        Ok(())
    }

    /// Checks a draft before it is queued, so that a bad one does not wait for other writes.
    fn check_draft(&self, mut draft: Draft) -> Result<Checked, Error> {
        check_content(&draft.content)?;
        let secrets = self.apply_secret_rule(draft.secrets, Some(&mut draft.content), draft.summary.as_mut())?;
        check_source(draft.source.as_deref())?;
        self.namespace(draft.namespace.as_deref())?;
        Ok((draft, secrets))
    }

    /// Adds a draft to a plan, or strengthens the entry that it repeats. Fails if it needs what an earlier draft of the
    /// plan writes: the index does not know that yet.
    async fn plan_checked(&self, plan: &mut Plan, (draft, secrets): &Checked) -> Result<Entry, Error> {
        let statement = statement(draft);
        let is_free = draft.id.as_ref().is_none_or(|id| plan.claim('i', id.as_str()))
            && draft.key.as_ref().is_none_or(|key| plan.claim('k', key.as_str()))
            && statement.is_none_or(|words| plan.claim('s', &words));
        if !is_free {
            return Err(Error::AlreadyExists { field: "id".to_owned() });
        }
        match self.repeated(plan, draft).await? {
            Some(old) if plan.touches(old.record.seq) => Err(Error::AlreadyExists { field: "id".to_owned() }),
            Some(old) => self.plan_stronger(plan, old, draft.importance).await,
            None => self.plan_add(plan, draft, secrets).await,
        }
    }

    /// Writes a draft, in which these kinds of secrets were replaced. It replaces the entry with its key.
    pub(in crate::memory) async fn plan_add(
        &self,
        plan: &mut Plan,
        draft: &Draft,
        secrets: &[SecretKind],
    ) -> Result<Entry, Error> {
        self.load_shelf().await?;
        let known = match &draft.key {
            Some(key) => {
                self.with_shelf(|shelf| shelf.index.about(key.as_str()).and_then(|id| EntryId::new("id", id).ok()))
            }
            None => None,
        };
        let mut old = match &known {
            Some(id) => self.read_stored(id).await?,
            None => None,
        };
        if old.as_ref().is_some_and(|old| plan.touches(old.record.seq)) {
            return Err(Error::AlreadyExists { field: "key".to_owned() });
        }
        if let Some(gone) = old.take_if(|old| old.record.entry.is_expired(plan.now)) {
            plan.expire(&gone.record.entry.id, gone.record.seq);
        }
        self.plan_put(plan, draft, old.as_ref(), secrets).await
    }

    /// Writes a draft; `old`, if there is one, becomes its history.
    pub(in crate::memory) async fn plan_put(
        &self,
        plan: &mut Plan,
        draft: &Draft,
        old: Option<&Stored>,
        secrets: &[SecretKind],
    ) -> Result<Entry, Error> {
        self.load_shelf().await?;
        let id = match (old, &draft.id) {
            (Some(old), None) => old.record.entry.id.clone(),
            (Some(old), Some(wanted)) if old.record.entry.id == *wanted => wanted.clone(),
            (Some(_), Some(_)) => return Err(Error::AlreadyExists { field: "key".to_owned() }),
            (None, wanted) => self.free_id(plan, wanted.as_ref())?,
        };
        let now = draft.created_at.unwrap_or(plan.now);
        if now > plan.now {
            return Err(Invalid::value("createdAt", "must not be in the future").into());
        }
        let (namespace, rules) = self.namespace(draft.namespace.as_deref())?;
        let (content, truncated) = cut(&draft.content, rules);
        let entry = Entry {
            id,
            namespace,
            summary: summary(draft.summary.as_deref(), &content, rules, secrets)?,
            content_chars: draft.content.chars().count(),
            truncated,
            tags: draft.tags.clone(),
            importance: draft.importance,
            source: draft.source.clone(),
            metadata: draft.metadata.clone(),
            key: draft.key.clone(),
            session: draft.session.clone(),
            agent: draft.agent.clone(),
            speaker: draft.speaker.clone(),
            at: draft.at.unwrap_or(now),
            valid_from: draft.valid_from,
            valid_until: draft.valid_until,
            replaces: draft.replaces.clone(),
            trust: put_trust(draft, &content, old)?,
            secrets: secrets.to_vec(),
            promoted: None,
            count: 1,
            seen_at: None,
            version: old.map_or(1, |old| old.record.entry.version + 1),
            created_at: old.map_or(now, |old| old.record.entry.created_at),
            updated_at: now,
            expires_at: expiry(now, draft.ttl_millis, rules),
        };
        check_validity(&entry)?;
        check_instruction(&entry)?;
        self.make_room(plan, &entry, rules);
        self.sweep(plan, &entry.id);
        let vector = self.vector(draft.embedding.as_ref())?;
        let words = old.map(|_| self.words(&entry, &content));
        let new = New { entry: entry.clone(), content: &content, words: words.as_ref(), vector, salts: self.salts()? };
        match old {
            Some(old) => plan.update(old, new),
            None => plan.add(new),
        }
        Ok(entry)
    }

    /// Updates an entry. The old version stays in its history, and out of every list and search.
    pub async fn update(&self, id: &EntryId, changes: &Changes) -> Result<Entry, Error> {
        if let Some(content) = &changes.content {
            check_content(content)?;
        }
        check_source(changes.source.as_deref())?;
        let mut changes = changes.clone();
        let secrets = self.apply_secret_rule(changes.secrets, changes.content.as_mut(), changes.summary.as_mut())?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let entry = self.plan_update(plan, id, &changes, &secrets).await?;
            self.plan_note(plan, || id.as_str().into())?;
            Ok(entry)
        })
        .await
    }

    async fn plan_update(
        &self,
        plan: &mut Plan,
        id: &EntryId,
        changes: &Changes,
        secrets: &[SecretKind],
    ) -> Result<Entry, Error> {
        self.load_shelf().await?;
        let old = self.read_stored(id).await?.filter(|old| !old.record.entry.is_expired(plan.now));
        let old = old.ok_or(Error::NO_ENTRY)?;
        let before = &old.record.entry;
        let (namespace, rules) =
            self.namespace(Some(changes.namespace.as_deref().unwrap_or(before.namespace.as_str())))?;
        let given = match &changes.content {
            Some(content) => content.clone(),
            None => old.content()?,
        };
        let (content, cut_now) = cut(&given, rules);
        let moved = namespace != before.namespace;
        // A summary not made from the content is the caller's own, and stays as long as the content does.
        let was = self.namespace(Some(before.namespace.as_str())).map_or(rules, |(_, rules)| rules);
        let stays = changes.summary.is_none() && changes.content.is_none();
        let summary = if stays && before.summary != text::summarize(&given, was.max_summary_chars) {
            text::summarize(&before.summary, rules.max_summary_chars)
        } else {
            summary(changes.summary.as_deref(), &content, rules, secrets)?
        };
        let trust = changes.trust.unwrap_or(before.trust);
        if trust > before.trust {
            return Err(Invalid::value("trust", "can only be lowered by an update; raise it by `promote`").into());
        }
        let mut tags = changes.tags.clone().unwrap_or_else(|| before.tags.clone());
        if trust < before.trust && trust == Trust::Low && changes.tags.is_none() {
            tags = tags.without(INSTRUCTION_TAG);
        }
        // A new text has its own secrets; in the old text those of before were replaced.
        let mut replaced = if changes.content.is_none() { before.secrets.clone() } else { Vec::new() };
        add_kinds(&mut replaced, secrets.iter().copied());
        let entry = Entry {
            namespace,
            summary,
            content_chars: changes.content.as_ref().map_or(before.content_chars, |content| content.chars().count()),
            truncated: cut_now || (changes.content.is_none() && before.truncated),
            tags,
            importance: changes.importance.unwrap_or(before.importance),
            source: changes.source.clone().or_else(|| before.source.clone()),
            metadata: changes.metadata.clone().unwrap_or_else(|| before.metadata.clone()),
            valid_from: changes.valid_from.or(before.valid_from),
            valid_until: changes.valid_until.or(before.valid_until),
            trust,
            count: if changes.content.is_none() { before.count } else { 1 },
            seen_at: before.seen_at.filter(|_| changes.content.is_none()),
            secrets: replaced,
            version: before.version + 1,
            updated_at: plan.now,
            expires_at: if moved || changes.ttl_millis.is_some() || changes.content.is_some() {
                expiry(plan.now, changes.ttl_millis, rules)
            } else {
                before.expires_at
            },
            ..before.clone()
        };
        check_validity(&entry)?;
        check_instruction(&entry)?;
        self.make_room(plan, &entry, rules);
        let mut vector = self.vector(changes.embedding.as_ref())?;
        if vector.is_none() && changes.content.is_none() {
            vector = self.read_vector(&old.record).await?;
        }
        let words = self.words(&entry, &content);
        let new = New { entry: entry.clone(), content: &content, words: Some(&words), vector, salts: self.salts()? };
        plan.update(&old, new);
        Ok(entry)
    }

    /// Deletes an entry: record, content and history. Returns whether it was visible.
    pub async fn delete(&self, id: &EntryId) -> Result<bool, Error> {
        self.take_away(&Doomed::One(id.clone())).await.map(|count| count > 0)
    }

    /// Deletes everything, or everything in one namespace. Returns the number of visible entries deleted.
    pub async fn clear(&self, namespace: Option<&str>) -> Result<usize, Error> {
        self.take_away(&Doomed::All(self.some_namespace(namespace)?)).await
    }

    /// Deletes expired entries (D37). Returns their number.
    pub async fn cleanup(&self) -> Result<usize, Error> {
        self.take_away(&Doomed::Expired).await
    }

    /// Deletes entries. If there are none, nothing is written.
    async fn take_away(&self, doomed: &Doomed) -> Result<usize, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        if self.doomed(doomed, self.now()?).0.is_empty() {
            return Ok(0);
        }
        self.write_erasing(async |plan: &mut Plan| {
            // A repair may have dropped the index while this waited in the lane.
            self.load_shelf().await?;
            let (ids, count) = self.doomed(doomed, plan.now);
            for (at, (id, seq)) in ids.iter().enumerate() {
                plan.delete(id, *seq);
                self.report(at + 1, ids.len());
                self.breathe(RECORD).await;
            }
            self.plan_note(plan, || count.into())?;
            Ok(count)
        })
        .await
    }

    /// The entries to delete, and the number of visible ones among them.
    fn doomed(&self, doomed: &Doomed, now: Timestamp) -> (Vec<(EntryId, u64)>, usize) {
        self.with_shelf(|shelf| {
            let index = &shelf.index;
            let chosen: Vec<Found<'_>> = match doomed {
                Doomed::One(id) => index.get(id.as_str()).into_iter().collect(),
                Doomed::All(None) => index.all().collect(),
                Doomed::All(Some(name)) => index.all().filter(|found| found.namespace == name.as_str()).collect(),
                Doomed::Expired => index.all().filter(|found| found.expires_at <= now).collect(),
            };
            let seen = chosen.iter().filter(|found| found.expires_at > now).count();
            let counted = if matches!(doomed, Doomed::Expired) { chosen.len() } else { seen };
            (chosen.iter().filter_map(place).collect(), counted)
        })
    }

    /// Deletes some expired entries with an add now and then (D34), so that no call is needed for it. Only a few at a
    /// time, so that no add is slow.
    fn sweep(&self, plan: &mut Plan, keep: &EntryId) {
        if plan.swept || !plan.before.seq.is_multiple_of(SWEEP_EVERY) {
            return;
        }
        plan.swept = true;
        let now = plan.now;
        let expired: Vec<(EntryId, u64)> = self.with_shelf(|shelf| {
            let expired = shelf.index.all().filter(|found| found.expires_at <= now && found.id != keep.as_str());
            expired.filter_map(|found| place(&found)).take(SWEEP_MOST).collect()
        });
        for (id, seq) in expired {
            if !plan.touches(seq) {
                plan.delete(&id, seq);
            }
        }
    }

    /// The evictions since the last call. The first call returns nothing: recording begins with it.
    pub fn evicted(&self) -> Vec<Evicted> {
        self.inner.evicted.replace(Some(Vec::new())).unwrap_or_default()
    }

    /// The requested id if no visible entry has it, or a new id. The index, which must be loaded, has every entry: the
    /// storage is not asked.
    fn free_id(&self, plan: &mut Plan, wanted: Option<&EntryId>) -> Result<EntryId, Error> {
        loop {
            let id = match wanted {
                Some(id) => id.clone(),
                None => EntryId::from_entropy(self.entropy()?),
            };
            let held = self.with_shelf(|shelf| shelf.index.get(id.as_str()).map(|found| (found.seq, found.expires_at)));
            match held {
                None => return Ok(id),
                Some((seq, expires_at)) if expires_at <= plan.now => {
                    plan.expire(&id, seq);
                    return Ok(id);
                }
                Some(_) if wanted.is_some() => return Err(Error::AlreadyExists { field: "id".to_owned() }),
                Some(_) => {}
            }
        }
    }

    pub(in crate::memory) fn salts(&self) -> Result<Salts, Error> {
        Ok([self.entropy()?, self.entropy()?])
    }

    pub(in crate::memory) fn namespace(&self, name: Option<&str>) -> Result<(Namespace, &NamespaceRules), Error> {
        Ok(self.inner.config.namespaces.find("namespace", name.unwrap_or(Namespaces::DEFAULT))?)
    }

    /// The named namespace, if there is one.
    pub(super) fn some_namespace(&self, name: Option<&str>) -> Result<Option<Namespace>, Error> {
        name.map(|name| self.namespace(Some(name)).map(|(namespace, _)| namespace)).transpose()
    }
}

/// The id of an entry and its place in the order of writing.
pub(in crate::memory) fn place(found: &Found<'_>) -> Option<(EntryId, u64)> {
    Some((EntryId::new("id", found.id).ok()?, found.seq))
}

fn check_content(content: &str) -> Result<(), Invalid> {
    if content.trim().is_empty() {
        return Err(Invalid::value("content", "must not be empty"));
    }
    check_readable("content", content)
}

fn check_validity(entry: &Entry) -> Result<(), Invalid> {
    match (entry.valid_from, entry.valid_until) {
        (Some(from), Some(until)) if until <= from => {
            Err(Invalid::value("validUntil", "must be later than `validFrom`"))
        }
        _ => Ok(()),
    }
}

/// An instruction is obeyed, so no content from outside can be one.
fn check_instruction(entry: &Entry) -> Result<(), Invalid> {
    let is_instruction = entry.tags.as_slice().iter().any(|tag| tag == INSTRUCTION_TAG);
    if is_instruction && entry.trust == Trust::Low {
        return Err(Invalid::value("tags", "must not have `instruction` with low trust; raise it by `promote` first"));
    }
    Ok(())
}

/// The trust of a draft that may replace the entry with its key. The same content written again is not more trusted.
fn put_trust(draft: &Draft, content: &str, old: Option<&Stored>) -> Result<Trust, Error> {
    Ok(match old {
        Some(old) if old.content()? == content => draft.trust.min(old.record.entry.trust),
        _ => draft.trust,
    })
}

/// The caller's own summary if it is valid, or else the beginning of the content (D33).
fn summary(
    own: Option<&str>,
    content: &str,
    rules: &NamespaceRules,
    secrets: &[SecretKind],
) -> Result<String, Invalid> {
    let Some(own) = own else { return Ok(text::summarize(content, rules.max_summary_chars)) };
    // The mark of a secret may be longer than the secret.
    let own = if secrets.is_empty() { own } else { text::cut(own, rules.max_summary_chars) };
    let length = own.chars().count();
    if own.trim().is_empty() {
        return Err(Invalid::value("summary", "must not be empty"));
    }
    if length > rules.max_summary_chars {
        return Err(Invalid::too_large("summary", rules.max_summary_chars, length));
    }
    Ok(own.to_owned())
}

pub(in crate::memory) fn check_source(source: Option<&str>) -> Result<(), Invalid> {
    match source {
        Some(source) if source.len() > MAX_SOURCE_BYTES => {
            Err(Invalid::too_large("source", MAX_SOURCE_BYTES, source.len()))
        }
        _ => Ok(()),
    }
}

/// The content cut to the limit of the namespace, and whether it was cut (D32).
fn cut(content: &str, rules: &NamespaceRules) -> (String, bool) {
    if content.chars().nth(rules.max_content_chars).is_none() {
        return (content.to_owned(), false);
    }
    let room = rules.max_content_chars.saturating_sub(CUT_MARK.len());
    (format!("{}{CUT_MARK}", text::cut(content, room)), true)
}

pub(in crate::memory) fn expiry(now: Timestamp, ttl_millis: Option<i64>, rules: &NamespaceRules) -> Timestamp {
    ttl_millis.map_or_else(|| now.plus_days(rules.ttl_days), |millis| now.plus_millis(millis))
}
