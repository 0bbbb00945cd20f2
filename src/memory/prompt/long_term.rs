//! Long-term memory for agents: records the facts of a conversation (E12–E17).

use super::conflicts::{BESIDE_TAG, outdates};
use super::understood::{Understood, UnderstoodFact, check_understood};
use crate::codec::Record;
use crate::index::{DocKind, Filter, Owner, Query, Ranking};
use crate::judgement::{Attributes, Fact, SecretKind, Subject, adopted, without_secrets};
use crate::memory::engine::judging::LastRecorded;
use crate::memory::engine::plan::{Plan, Stored};
use crate::memory::engine::talk::trust_of;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::repeated::LONG_TERM;
use crate::memory::entries::sources::SOURCE_TAG;
use crate::memory::entries::writing::{INSTRUCTION_TAG, check_source};
use crate::model::{
    AgentId, Draft, Entry, EntryId, FactKey, Importance, Invalid, Message, Role, SessionId, Speaker, Tags, Timestamp,
    Trust, check_readable, sorted,
};
use crate::store::{Durability, Key, Store};
use crate::text::{self, Told};

/// The number of entries, those with the most common words, that a new text is compared with.
const COMPARED: usize = 32;

/// The origin of a recorded text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The conversation.
    pub session: Option<SessionId>,
    /// The agent that records.
    pub agent: Option<AgentId>,
    /// The source, in words.
    pub source: Option<String>,
    /// The lowest trust of what the recorder has read for it.
    pub trust: Trust,
}

/// Outcome of recording a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A new entry was added.
    New,
    /// An entry has the same words. It becomes more important and lasts longer.
    Same,
    /// A new entry was added, and entries that it contradicts are in the past since.
    Corrected,
}

/// A recorded text: its entry and the outcome.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// The current entry.
    pub entry: Entry,
    /// The outcome of recording the text.
    pub outcome: Outcome,
    /// The entries that are in the past since.
    pub replaced: Vec<EntryId>,
}

/// The speaker of a statement, for its trust.
#[derive(Clone, Copy)]
struct Said {
    /// The lowest trust of what it can be derived from.
    trust: Trust,
    /// Whether it is the user's own message. Only that can give a standing instruction.
    by_user: bool,
    /// Whether the model tells it in a message. There it mostly repeats what it was told.
    replies: bool,
}

/// A statement to record.
struct Statement {
    fact: Fact,
    /// The kinds of the secrets that were replaced in it: nobody reviews recorded texts, so they must hold none.
    secrets: Vec<SecretKind>,
    /// Whether it is recorded only if it replaces another: it does not say whose it is.
    is_change: bool,
    /// The key of its slot, if the app names one.
    key: Option<FactKey>,
}

/// A part of a message that changes the memory.
enum Part {
    Statement(Box<Statement>),
    /// A request to forget, in its words.
    Forget(String),
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Records the facts and the standing instructions in messages of the user and the model (E17), and obeys requests to
    /// forget. Messages that the app has `understood` itself are not judged. See [`Outcome`].
    pub async fn record(
        &self,
        messages: &[Message],
        understood: &[Understood],
        origin: &Origin,
    ) -> Result<Vec<Recorded>, Error> {
        check_understood(understood, messages.len(), origin.agent.as_ref())?;
        // Before anything is recorded: a refused call has no effect.
        let is_read = |at: usize, role| {
            matches!(role, Role::User | Role::Assistant) && !understood.iter().any(|one| one.message == at)
        };
        for (at, message) in messages.iter().enumerate().filter(|(at, message)| is_read(*at, message.role)) {
            check_readable(&format!("messages[{at}].content"), &message.text())?;
        }
        let mut kept = Vec::new();
        let mut trust = self.trust_in_assistant(origin).await?;
        for (at, message) in messages.iter().enumerate() {
            trust = trust.min(trust_of(message));
            let said = match message.role {
                // A message with tool results has the user's role with some providers, and is not of the user.
                Role::User if trust_of(message) == Trust::Low => {
                    Said { trust: Trust::Low, by_user: false, replies: false }
                }
                Role::User => Said { trust: Trust::Normal, by_user: true, replies: false },
                Role::Assistant => Said { trust, by_user: false, replies: true },
                Role::System | Role::Tool => continue,
            };
            if message.role == Role::Assistant {
                Box::pin(self.reinforce(&message.text(), origin)).await?;
            }
            let speaker = message.name.as_deref().unwrap_or(message.role.as_str());
            let before = kept.len();
            let parts = match understood.iter().find(|one| one.message == at) {
                Some(one) => self.understood_parts(&one.facts, origin)?,
                None => self.parts(&message.text(), message.role),
            };
            for part in parts {
                match part {
                    Part::Statement(statement) => {
                        kept.extend(self.record_statement(&statement, Some(speaker), said, origin).await?);
                    }
                    Part::Forget(request) if said.by_user => {
                        let own = ids_of(kept.get(before..).unwrap_or(&[]));
                        let last = if own.is_empty() { self.last_recorded(origin) } else { own };
                        let gone = Box::pin(self.forget_requested(&request, origin.agent.as_ref(), &last)).await?;
                        kept.retain(|recorded| !gone.contains(&recorded.entry.id));
                    }
                    Part::Forget(_) => {}
                }
            }
            // After an answer of the model, "that" still means the user's message before it.
            let own = ids_of(kept.get(before..).unwrap_or(&[]));
            self.set_recorded(origin, own, message.role == Role::User);
        }
        Ok(kept)
    }

    /// The entries that "that" means after the last message of the same session and agent.
    fn last_recorded(&self, origin: &Origin) -> Vec<EntryId> {
        let judging = self.inner.judging.borrow();
        let LastRecorded { session, agent, ids } = &judging.recorded;
        if *session == origin.session && *agent == origin.agent { ids.clone() } else { Vec::new() }
    }

    /// Sets the entries of the last message, or adds to them.
    fn set_recorded(&self, origin: &Origin, ids: Vec<EntryId>, replaces: bool) {
        let mut all = if replaces { Vec::new() } else { self.last_recorded(origin) };
        all.extend(ids);
        let (session, agent) = (origin.session.clone(), origin.agent.clone());
        self.inner.judging.borrow_mut().recorded = LastRecorded { session, agent, ids: all };
    }

    /// Records these texts, without the secrets in them. See [`Outcome`].
    pub async fn record_texts(&self, texts: &[String], origin: &Origin) -> Result<Vec<Recorded>, Error> {
        for content in texts {
            check_readable("content", content)?;
        }
        let mut kept = Vec::new();
        let said = Said { trust: self.trust_in_assistant(origin).await?, by_user: false, replies: false };
        for content in texts.iter().filter(|content| !content.trim().is_empty()) {
            let statement = self.judged(content, |judge, prior| {
                let (content, secrets) = without_secrets(content, &judge.secrets(content));
                Statement { fact: judge.describe(&content, prior), secrets, is_change: false, key: None }
            });
            kept.extend(self.record_statement(&statement, None, said, origin).await?);
        }
        if !kept.is_empty() {
            self.set_recorded(origin, ids_of(&kept), true);
        }
        Ok(kept)
    }

    /// The trust in what the assistant says in a session: low once it has read something from outside, which it may
    /// repeat in its own words.
    pub(in crate::memory) async fn trust_in_assistant(&self, origin: &Origin) -> Result<Trust, Error> {
        let low = match &origin.session {
            Some(session) => self.low_from(session).await?.is_some(),
            None => false,
        };
        Ok(if low { Trust::Low } else { origin.trust.min(Trust::Normal) })
    }

    /// The statements that the app found in a message, without the secrets in them.
    fn understood_parts(&self, facts: &[UnderstoodFact], origin: &Origin) -> Result<Vec<Part>, Invalid> {
        let part = |given: &UnderstoodFact| {
            let key = given.key(origin.agent.as_ref())?;
            Ok(Part::Statement(self.judged(&given.text, |judge, prior| {
                let (content, secrets) = without_secrets(&given.text, &judge.secrets(&given.text));
                let fact = given.marked(judge.describe(&content, prior));
                Box::new(Statement { fact, secrets, is_change: false, key })
            })))
        };
        facts.iter().map(part).collect()
    }

    /// The statements of a message that are worth recording, without the secrets in them, and its requests to forget, in
    /// order. In a language without a pack statements are chosen by names, numbers and common phrases.
    fn parts(&self, said: &str, role: Role) -> Vec<Part> {
        self.judged(said, |judge, prior| {
            let judged = judge.judge(said, prior);
            // The whole message, since the block of a key has several lines.
            let (plain, secrets) = without_secrets(said, &judged.secrets);
            let (facts, changes): (Vec<Fact>, Vec<Fact>) = if judged.lang.is_none() || judged.missing.is_some() {
                let salient = text::salient(&plain).into_iter();
                (salient.map(|sentence| judge.describe(sentence, prior)).collect(), Vec::new())
            } else {
                let all = judged.facts.into_iter().chain(judged.instructions);
                (all.filter(|fact| role != Role::Assistant || !is_promise(fact)).collect(), judged.changes)
            };
            let facts = facts.into_iter().map(|fact| (fact, false));
            let facts = facts.chain(changes.into_iter().map(|fact| (fact, true)));
            let holds = |fact: &Fact, kind: &SecretKind| fact.text.contains(&kind.mark());
            let statement = |(fact, is_change): (Fact, bool)| Statement {
                secrets: secrets.iter().copied().filter(|kind| holds(&fact, kind)).collect(),
                fact,
                is_change,
                key: None,
            };
            let place = |text: &str| plain.find(text).unwrap_or(plain.len());
            let requests = judged.forget.into_iter().map(|fact| (place(&fact.text), Part::Forget(fact.text)));
            let statements = facts.map(|fact| (place(&fact.0.text), Part::Statement(Box::new(statement(fact)))));
            let mut parts: Vec<(usize, Part)> = Vec::new();
            for part in statements.chain(requests) {
                let at = parts.partition_point(|(place, _)| *place <= part.0);
                parts.insert(at, part);
            }
            parts.into_iter().map(|(_, part)| part).collect()
        })
    }

    async fn record_statement(
        &self,
        statement: &Statement,
        speaker: Option<&str>,
        said: Said,
        origin: &Origin,
    ) -> Result<Option<Recorded>, Error> {
        let Statement { fact, is_change, key, .. } = statement;
        check_source(origin.source.as_deref())?;
        let tags = if fact.is_instruction() && said.by_user { vec![INSTRUCTION_TAG.to_owned()] } else { Vec::new() };
        let draft = Draft {
            content: fact.text.clone(),
            namespace: Some(LONG_TERM.to_owned()),
            tags: Tags::new("tags", tags)?,
            session: origin.session.clone(),
            agent: origin.agent.clone(),
            source: origin.source.clone(),
            speaker: speaker.map(|name| Speaker::new("speaker", name)).transpose()?,
            trust: said.trust,
            key: key.clone(),
            ..Draft::default()
        };
        if *is_change {
            self.refresh().await?;
            self.load_shelf().await?;
            if self.related(&draft, statement, said, self.now()?).await?.is_empty() {
                return Ok(None);
            }
        }
        self.inner.judging.borrow_mut().subject = Some(fact.subject).filter(|subject| *subject != Subject::Speaker);
        // Decided on the revision of the commit: of two calls with the same text, the second finds the entry of the
        // first.
        let plan = async |plan: &mut Plan| self.plan_record(plan, &draft, statement, said).await;
        let (entry, outcome, replaced) = self.write(Durability::Relaxed, plan).await?;
        Ok(Some(Recorded { entry, outcome, replaced }))
    }

    async fn plan_record(
        &self,
        plan: &mut Plan,
        draft: &Draft,
        statement: &Statement,
        said: Said,
    ) -> Result<(Entry, Outcome, Vec<EntryId>), Error> {
        self.load_shelf().await?;
        let related = self.related(draft, statement, said, plan.now).await?;
        if let Some((_, same)) = related.iter().find(|(same, _)| *same)
            && let Some(old) = self.read_stored(same).await?
        {
            let before = &old.record.entry;
            if before.trust == draft.trust {
                return Ok((self.plan_stronger(plan, old, Importance::default()).await?, Outcome::Same, Vec::new()));
            }
            // A repetition from outside makes nothing stronger, and one by the model lends its trust to nothing.
            if before.trust > draft.trust || said.replies {
                return Ok((before.clone(), Outcome::Same, Vec::new()));
            }
        }
        let mut draft = draft.clone();
        // A slot that an entry of higher trust has is not taken from it.
        if related.is_empty() && self.in_slot(&draft).is_some() {
            draft.key = None;
        }
        let mut replaced = Vec::new();
        for (_, id) in related {
            let Some(old) = self.read_stored(&id).await? else { continue };
            let entry = &old.record.entry;
            // An instruction of the user is only replaced by the user.
            if is_instruction(entry) && !said.by_user {
                continue;
            }
            if replaced.is_empty() {
                inherit(&mut draft, entry, plan.now)?;
            }
            self.plan_past(plan, old).await?;
            replaced.push(id);
        }
        let outcome = if replaced.is_empty() { Outcome::New } else { Outcome::Corrected };
        Ok((self.plan_put(plan, &draft, None, &statement.secrets).await?, outcome, replaced))
    }

    /// The current entry of a draft's slot.
    fn in_slot(&self, draft: &Draft) -> Option<EntryId> {
        let key = draft.key.as_ref()?;
        self.with_shelf(|shelf| shelf.index.about(key.as_str()).and_then(|id| EntryId::new("id", id).ok()))
    }

    /// The entry that a statement repeats, marked by `true`; or else the entries that it contradicts, newest first.
    async fn related(
        &self,
        draft: &Draft,
        Statement { fact, is_change, key, .. }: &Statement,
        by: Said,
        now: Timestamp,
    ) -> Result<Vec<(bool, EntryId)>, Error> {
        let said = self.decomposed(&draft.content);
        if key.is_some() {
            let Some(id) = self.in_slot(draft) else { return Ok(Vec::new()) };
            let Some(old) = self.read_stored(&id).await? else { return Ok(Vec::new()) };
            let same = Told::new(&said).relation(&self.described(&old.content()?, None).told) == text::Relation::Same;
            let may = same || old.record.entry.trust <= draft.trust;
            return Ok(may.then_some((same, id)).into_iter().collect());
        }
        let cues = self.inner.judging.borrow().kindred(fact.lang, fact.attributes.and(Attributes::SLOTS));
        let told = Told::new(&said);
        let words = self.kindred_words(&said, &told);
        let documents = [SOURCE_TAG.to_owned()];
        let filter = Filter {
            kinds: &[DocKind::Entry],
            namespace: Some(LONG_TERM),
            no_tag: &documents,
            valid_at: Some(now),
            owner: Owner::Only(draft.agent.as_ref().map(AgentId::as_str)),
            ..Filter::default()
        };
        let mut keys: Vec<Key> = Vec::new();
        for words in [words, self.decomposed(&cues)].iter().filter(|words| !words.trim().is_empty()) {
            let query = Query { limit: COMPARED, filter, ..Query::new(words, Ranking::Best) };
            self.with_shelf(|shelf| {
                for hit in shelf.index.search(&query, now) {
                    let key = EntryId::new("id", hit.found.id).ok().map(|id| self.inner.keys.entry(&id));
                    keys.extend(key.filter(|key| !keys.contains(key)));
                }
            });
        }
        let mut found: Vec<Entry> = Vec::new();
        for (Record { entry, .. }, content) in self.fetch_entries(&keys).await? {
            let may_relate = may_relate(entry.speaker.as_ref(), draft.speaker.as_ref());
            let Some(content) = content.filter(|_| !entry.truncated && (may_relate || by.replies)) else { continue };
            let old = &self.described(&content, fact.lang);
            if by.replies && fact.echoes(&old.fact) {
                return Ok(vec![(true, entry.id)]);
            }
            if !may_relate {
                continue;
            }
            if told.relation(&old.told) == text::Relation::Same {
                return Ok(vec![(true, entry.id)]);
            }
            let adopted = if *is_change || fact.changed && !fact.owned { adopted(fact, &old.fact) } else { None };
            if *is_change && adopted.is_none() {
                continue;
            }
            let fact = adopted.as_ref().unwrap_or(fact);
            if entry.trust <= draft.trust && outdates(fact, &told, old) {
                found.push(entry);
            }
        }
        let order = sorted(found.len(), &|one, other| found[other].updated_at.cmp(&found[one].updated_at));
        Ok(order.into_iter().filter_map(|at| Some((false, found.get(at)?.id.clone()))).collect())
    }

    /// Search words for statements that this one may be about: its own, and other phrases for its attributes.
    pub(super) fn kindred_words(&self, decomposed: &str, told: &Told) -> String {
        format!("{} {}", text::cut(decomposed, 1000), self.decomposed(&told.kindred()))
    }

    /// An entry that is no longer true. Its text is the same, so its history stays; its key is free.
    pub(super) async fn plan_past(&self, plan: &mut Plan, old: Stored) -> Result<(), Error> {
        let now = plan.now;
        let end = |entry: &mut Entry| {
            entry.valid_until = Some(entry.valid_from.map_or(now, |from| now.max(from.plus_millis(1))));
            entry.updated_at = now;
            entry.key = None;
        };
        self.plan_marked(plan, old, end).await?;
        Ok(())
    }

    /// The answer of the tool `record_to_memory` (E15): the documented sentence, and the outcomes unless all texts were
    /// new.
    pub async fn record_to_memory(&self, content: &[String], origin: &Origin) -> Result<String, Error> {
        let recorded = self.record_texts(content, origin).await?;
        if recorded.is_empty() {
            return Ok("No content provided to record".to_owned());
        }
        let count = |outcome: Outcome| recorded.iter().filter(|recorded| recorded.outcome == outcome).count();
        let counts = [(Outcome::New, "new"), (Outcome::Corrected, "corrected"), (Outcome::Same, "already known")];
        let told = counts.map(|(outcome, name)| (count(outcome), name));
        let told: Vec<String> =
            told.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
        let mut answer = "Successfully recorded to long-term memory".to_owned();
        if count(Outcome::New) < recorded.len() {
            answer.push_str(&format!(" ({})", told.join(", ")));
        }
        if recorded.iter().any(|recorded| !recorded.entry.secrets.is_empty()) {
            answer.push_str(". Secrets were left out");
        }
        Ok(answer)
    }
}

fn ids_of(recorded: &[Recorded]) -> Vec<EntryId> {
    recorded.iter().map(|recorded| recorded.entry.id.clone()).collect()
}

/// A draft continues the entry that it replaces: the app's tags, importance, metadata and key stay.
fn inherit(draft: &mut Draft, old: &Entry, now: Timestamp) -> Result<(), Invalid> {
    // Of an entry of lower trust nothing is continued but its place: its tags may be another's words.
    if old.trust >= draft.trust {
        // The new statement alone says whether it is an instruction, and no conflict of it was settled.
        let own = |tag: &&String| *tag != INSTRUCTION_TAG && !tag.starts_with(BESIDE_TAG);
        let mut tags: Vec<String> = old.tags.as_slice().iter().filter(own).cloned().collect();
        tags.extend_from_slice(draft.tags.as_slice());
        draft.tags = Tags::new("tags", tags)?;
        draft.importance = old.importance;
        draft.metadata = old.metadata.clone();
    }
    draft.key = old.key.clone();
    draft.source = draft.source.take().or_else(|| old.source.clone());
    draft.speaker = draft.speaker.take().or_else(|| old.speaker.clone());
    draft.valid_from = Some(now);
    draft.replaces = Some(old.id.clone());
    Ok(())
}

fn is_instruction(entry: &Entry) -> bool {
    entry.tags.as_slice().iter().any(|tag| tag == INSTRUCTION_TAG)
}

/// Whether statements of two speakers can be about the same: `I` is another person with another speaker.
pub(super) fn may_relate(one: Option<&Speaker>, other: Option<&Speaker>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

/// Whether the model only promises something, such as "I'll remember that": what it promises is in the words of the user.
fn is_promise(fact: &Fact) -> bool {
    let tells = !fact.attributes.is_empty() || !fact.when.is_empty() || fact.things.len() > 1;
    fact.is_instruction() || fact.owned && !tells
}
