//! Rollback: takes back what came from a source, from a session or since a time, with everything derived from it.
//! Entries that it had replaced are true again, and entries that it had changed get their version from before.

use crate::codec::{Record, json};
use crate::index::DocKind;
use crate::memory::engine::fetch::CHUNK;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::{New, Plan};
use crate::memory::engine::slices::RECORD;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Entry, EntryId, Json, SessionId, Skill, Timestamp};
use crate::store::{Durability, Key, Op, Space, Store};

/// The origin of what is taken back.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RollbackScope {
    /// Everything from this source.
    Source(String),
    /// Everything from this session, with the session itself.
    Session(SessionId),
    /// Everything written at this time or later.
    Since(Timestamp),
}

/// A thing that a rollback removes or restores.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RolledBack {
    /// An entry.
    Entry(EntryId),
    /// A session with its messages.
    Session(SessionId),
    /// A history of a session, by its name.
    History(SessionId, String),
    /// A step of an agent, by its number.
    Step(u64),
    /// A learned skill.
    Skill(String),
}

/// The result of a rollback, or of its preview.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Rollback {
    /// The removed things.
    pub removed: Vec<RolledBack>,
    /// The entries that are true again, or have their version from before.
    pub restored: Vec<RolledBack>,
}

/// The changes of a rollback, decided on one revision.
#[derive(Default)]
struct Effect {
    /// Entries to delete, by their places.
    deleted: Vec<(EntryId, u64)>,
    /// Entries that get an earlier version.
    earlier: Vec<(Entry, String)>,
    /// Entries that are true again, with the key that they had.
    revived: Vec<Entry>,
    sessions: Vec<SessionId>,
    histories: Vec<RolledBack>,
    /// Steps with their places.
    steps: Vec<(u64, u64)>,
    skills: Vec<Skill>,
}

impl Effect {
    fn told(&self) -> Rollback {
        let entry = |id: &EntryId| RolledBack::Entry(id.clone());
        let mut removed: Vec<RolledBack> = self.deleted.iter().map(|(id, _)| entry(id)).collect();
        removed.extend(self.sessions.iter().cloned().map(RolledBack::Session));
        removed.extend(self.histories.iter().cloned());
        removed.extend(self.steps.iter().map(|(number, _)| RolledBack::Step(*number)));
        removed.extend(self.skills.iter().map(|skill| RolledBack::Skill(skill.id.clone())));
        let restored = self.revived.iter().chain(self.earlier.iter().map(|(version, _)| version));
        Rollback { removed, restored: restored.map(|version| entry(&version.id)).collect() }
    }
}

impl RollbackScope {
    /// Whether a version of an entry came from there.
    fn covers(&self, entry: &Entry) -> bool {
        match self {
            Self::Source(source) => entry.source.as_ref() == Some(source),
            Self::Session(session) => entry.session.as_ref() == Some(session),
            Self::Since(since) => entry.updated_at >= *since,
        }
    }

    /// Whether nothing of an entry is from before.
    fn began(&self, entry: &Entry) -> bool {
        match self {
            Self::Since(since) => entry.created_at >= *since,
            _ => true,
        }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Takes back what came from there, in one commit. A preview returns the same and changes nothing.
    pub async fn rollback(&self, scope: &RollbackScope, preview: bool) -> Result<Rollback, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let told = self.effect_of(scope).await?.told();
        if preview || told == Rollback::default() {
            return Ok(told);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.load_shelf().await?;
            let effect = self.effect_of(scope).await?;
            self.plan_rollback(plan, &effect).await?;
            let told = effect.told();
            self.plan_note(plan, || rolled_back(&told))?;
            Ok(told)
        })
        .await
    }

    async fn effect_of(&self, scope: &RollbackScope) -> Result<Effect, Error> {
        let mut effect = Effect::default();
        self.add_entries(scope, &mut effect).await?;
        match scope {
            RollbackScope::Source(_) => {}
            RollbackScope::Session(session) => {
                if self.session_record(session).await?.is_some() {
                    effect.sessions.push(session.clone());
                }
            }
            RollbackScope::Since(since) => {
                let new = self.sessions().await?.into_iter().filter(|info| info.record.created_at >= *since);
                effect.sessions.extend(new.map(|info| info.id));
            }
        }
        for session in &effect.sessions {
            let named = |name: String| RolledBack::History(session.clone(), name);
            effect.histories.extend(self.histories(session).await?.iter().map(|history| named(history.name())));
        }
        effect.steps = self.steps_from(scope);
        effect.skills = self.skills_from(scope, &effect.steps).await?;
        Ok(effect)
    }

    /// The entries to delete, to set back and to revive.
    async fn add_entries(&self, scope: &RollbackScope, effect: &mut Effect) -> Result<(), Error> {
        let ids: Vec<Key> = self.with_shelf(|shelf| {
            let ids = shelf.index.all().filter_map(|found| EntryId::new("id", found.id).ok());
            ids.map(|id| self.inner.keys.entry(&id)).collect()
        });
        let mut records: Vec<Record> = Vec::with_capacity(ids.len());
        for chunk in ids.chunks(CHUNK) {
            for bytes in self.fetch(Space::Records, chunk).await?.into_iter().flatten() {
                records.push(Record::decode(&bytes)?);
            }
        }
        let mut gone: Vec<&Entry> = Vec::new();
        for record in &records {
            let entry = &record.entry;
            if !scope.covers(entry) {
                continue;
            }
            let versions = self.all(Space::Records, self.inner.keys.versions(&entry.id)).await?;
            let versions = self.with_contents(versions).await?.into_iter().rev();
            let mut before = versions.filter(|(version, _)| !scope.covers(&version.entry));
            match before.next() {
                Some((version, Some(content))) => effect.earlier.push((
                    Entry {
                        version: entry.version,
                        expires_at: version.entry.expires_at.max(entry.expires_at),
                        ..version.entry
                    },
                    content,
                )),
                _ if scope.began(entry) => {
                    effect.deleted.push((entry.id.clone(), record.seq));
                    gone.push(entry);
                }
                // Only moved to the past, or strengthened by a repetition.
                _ => {}
            }
        }
        for entry in &gone {
            let Some(replaced) = &entry.replaces else { continue };
            let is_gone = |id: &EntryId| gone.iter().any(|other| other.id == *id);
            // An entry that stays has replaced this one, and with it the older ones.
            if records.iter().any(|other| other.entry.replaces.as_ref() == Some(&entry.id) && !is_gone(&other.entry.id))
            {
                continue;
            }
            for other in records.iter().map(|record| &record.entry) {
                // An entry names one of those that it replaced; the others were closed in the same commit.
                let with_it = other.updated_at == entry.created_at && other.namespace == entry.namespace;
                let closed = other.valid_until.is_some() && (other.id == *replaced || with_it);
                let known = effect.revived.iter().any(|known| known.id == other.id);
                if closed && !is_gone(&other.id) && !known {
                    let key = if other.id == *replaced { entry.key.clone() } else { None };
                    effect.revived.push(Entry { valid_until: None, key, ..other.clone() });
                }
            }
        }
        Ok(())
    }

    /// The steps from there, with their places in the index.
    fn steps_from(&self, scope: &RollbackScope) -> Vec<(u64, u64)> {
        self.with_shelf(|shelf| {
            let steps = shelf.index.everything(0).filter(|found| found.kind == DocKind::Step);
            let from_there = steps.filter(|found| match scope {
                RollbackScope::Source(_) => false,
                RollbackScope::Session(session) => found.source == Some(session.as_str()),
                RollbackScope::Since(since) => found.at >= *since,
            });
            from_there.filter_map(|found| Some((found.id.parse().ok()?, found.seq))).collect()
        })
    }

    /// The skills that were learned from these steps, or since that time.
    async fn skills_from(&self, scope: &RollbackScope, steps: &[(u64, u64)]) -> Result<Vec<Skill>, Error> {
        let keys: Vec<Key> = steps.iter().map(|(number, _)| self.inner.keys.named(&Named::Step(*number))).collect();
        let mut traces: Vec<String> = Vec::new();
        for step in self.kept_of(&keys).await?.into_iter().filter_map(json::read_step) {
            traces.push(step.draft.trace_id.unwrap_or_else(|| format!("#{}", step.number)));
        }
        let mut skills = self.skills().await?;
        skills.retain(|skill| {
            let learned = skill.draft.evidence.as_ref();
            learned.is_some_and(|evidence| evidence.traces.iter().any(|trace| traces.contains(trace)))
                || matches!(scope, RollbackScope::Since(since) if skill.created_at >= *since)
        });
        Ok(skills)
    }

    async fn plan_rollback(&self, plan: &mut Plan, effect: &Effect) -> Result<(), Error> {
        for (id, seq) in &effect.deleted {
            plan.delete(id, *seq);
            self.breathe(RECORD).await;
        }
        for (version, content) in &effect.earlier {
            let Some(old) = self.read_stored(&version.id).await? else { continue };
            let entry = Entry { version: version.version + 1, updated_at: plan.now, ..version.clone() };
            let words = self.words(&entry, content);
            plan.update(&old, New { entry, content, words: Some(&words), vector: None, salts: self.salts()? });
        }
        for entry in &effect.revived {
            let Some(old) = self.read_stored(&entry.id).await? else { continue };
            let (vector, content) = (self.read_vector(&old.record).await?, old.content()?);
            let record = Record { entry: Entry { updated_at: plan.now, ..entry.clone() }, ..old.record };
            let words = self.words(&record.entry, &content);
            plan.keep(record, &words, vector.as_deref(), self.salts()?);
        }
        for (number, seq) in &effect.steps {
            plan.forget(&Named::Step(*number), Some(*seq));
        }
        for skill in &effect.skills {
            let named = Named::Skill(skill.id.clone());
            let Some(value) = self.kept(self.inner.keys.named(&named)).await? else { continue };
            self.plan_forget(plan, &named, &value);
            plan.ops.push(Op::DeleteRange(Space::Records, self.inner.keys.skill_versions(&skill.id)));
        }
        for session in &effect.sessions {
            // Entries and steps are planned above.
            let talk = self.of_session(session, true).into_iter().filter(|(kind, ..)| *kind != DocKind::Step);
            plan.erase_session(session, talk.collect());
        }
        Ok(())
    }
}

/// The answer as JSON: kinds and ids, which the note of an idempotent call may hold.
pub(crate) fn rolled_back(Rollback { removed, restored }: &Rollback) -> Json {
    let thing = |thing: &RolledBack| {
        let (kind, id, session) = match thing {
            RolledBack::Entry(id) => ("entry", id.to_string(), None),
            RolledBack::Session(id) => ("session", id.to_string(), None),
            RolledBack::History(session, name) => ("history", name.clone(), Some(session.as_str())),
            RolledBack::Step(number) => ("step", number.to_string(), None),
            RolledBack::Skill(id) => ("skill", id.clone(), None),
        };
        Json::object(vec![("kind", kind.into()), ("id", id.into()), ("session", session.into())])
    };
    let things = |things: &[RolledBack]| Json::Array(things.iter().map(thing).collect());
    Json::object(vec![("removed", things(removed)), ("restored", things(restored))])
}
