//! Long-term memory for agents: records the facts of a conversation, and retrieves them later (E12–E17).

use super::candidates::{Text, worth_by_rank};
use crate::codec::Record;
use crate::context::prompt::{self, Item, Kind, Request};
use crate::index::{DocKind, Filter, Owner, Query, Ranking};
use crate::judgement::{Secret, SecretKind, redact, secrets_by_shape};
use crate::memory::engine::plan::{Plan, Stored};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::{Hit, SearchOptions};
use crate::memory::entries::sources::SOURCE_TAG;
use crate::memory::entries::writing::{check_source, expiry};
use crate::model::{
    AgentId, Draft, Embedding, Entry, EntryId, Importance, Invalid, Message, Role, SessionId, Speaker, Timestamp,
};
use crate::store::{Durability, Key, Space, Store};
use crate::text::{self, Relation};

const LONG_TERM: &str = "long-term";

/// The number of entries, those with the most common words, that a new text is compared with.
const COMPARED: usize = 32;

/// Each repetition closes this fraction of the gap between an entry's importance and the highest.
const STRONGER: f64 = 0.1;

/// The origin of a recorded text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The conversation.
    pub session: Option<SessionId>,
    /// The agent that records.
    pub agent: Option<AgentId>,
    /// The source, in words.
    pub source: Option<String>,
}

/// Outcome of recording a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A new entry was added.
    New,
    /// An entry has the same words. It becomes more important and lasts longer.
    Same,
    /// It replaced the text that it corrects, which is in the entry's history.
    Corrected,
}

/// A recorded text: its entry and the outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The current entry.
    pub entry: Entry,
    /// The outcome of recording the text.
    pub outcome: Outcome,
    /// The kinds of secrets in the text. Each was replaced by its kind.
    pub secrets: Vec<SecretKind>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Records the facts that the user and the model stated (E17). See [`Outcome`].
    pub async fn record(&self, messages: &[Message], origin: &Origin) -> Result<Vec<Recorded>, Error> {
        let mut kept = Vec::new();
        for message in messages.iter().filter(|message| matches!(message.role, Role::User | Role::Assistant)) {
            // The whole message, since the block of a key has several lines.
            let (said, secrets) = without_secrets(&message.text());
            let speaker = message.name.as_deref().unwrap_or(message.role.as_str());
            for sentence in text::salient(&said) {
                kept.push(self.record_text(sentence, &secrets, Some(speaker), origin).await?);
            }
        }
        Ok(kept)
    }

    /// Records these texts, without the secrets in them. See [`Outcome`].
    pub async fn record_texts(&self, texts: &[String], origin: &Origin) -> Result<Vec<Recorded>, Error> {
        let mut kept = Vec::new();
        for content in texts.iter().filter(|content| !content.trim().is_empty()) {
            let (content, secrets) = without_secrets(content);
            kept.push(self.record_text(&content, &secrets, None, origin).await?);
        }
        Ok(kept)
    }

    async fn record_text(
        &self,
        content: &str,
        secrets: &[SecretKind],
        speaker: Option<&str>,
        origin: &Origin,
    ) -> Result<Recorded, Error> {
        check_source(origin.source.as_deref())?;
        let draft = Draft {
            content: content.to_owned(),
            namespace: Some(LONG_TERM.to_owned()),
            session: origin.session.clone(),
            agent: origin.agent.clone(),
            source: origin.source.clone(),
            speaker: speaker.map(|name| Speaker::new("speaker", name)).transpose()?,
            ..Draft::default()
        };
        // Decided on the revision of the commit: of two calls with the same text, the second finds the entry of the
        // first.
        let plan = async |plan: &mut Plan| self.plan_record(plan, &draft).await;
        let (entry, outcome) = self.write(Durability::Relaxed, plan).await?;
        let secrets = secrets.iter().copied().filter(|kind| content.contains(&kind.mark())).collect();
        Ok(Recorded { entry, outcome, secrets })
    }

    async fn plan_record(&self, plan: &mut Plan, draft: &Draft) -> Result<(Entry, Outcome), Error> {
        self.load_shelf().await?;
        Ok(match self.related(draft, plan.now).await? {
            Some((Relation::Same, old)) => (self.plan_stronger(plan, old).await?, Outcome::Same),
            Some((_, old)) => (self.plan_correction(plan, draft, &old).await?, Outcome::Corrected),
            None => (self.plan_add(plan, draft).await?, Outcome::New),
        })
    }

    /// The entry that a draft repeats, or else the newest one that it corrects.
    async fn related(&self, draft: &Draft, now: Timestamp) -> Result<Option<(Relation, Stored)>, Error> {
        let said = self.inner.env.decompose(&draft.content);
        let documents = [SOURCE_TAG.to_owned()];
        let filter = Filter {
            kinds: &[DocKind::Entry],
            namespace: Some(LONG_TERM),
            no_tag: &documents,
            owner: Owner::Only(draft.agent.as_ref().map(AgentId::as_str)),
            ..Filter::default()
        };
        let words = format!("{} {}", text::cut(&said, 1000), self.inner.env.decompose(&text::kindred(&said)));
        let query = Query { limit: COMPARED, filter, ..Query::new(&words, Ranking::Best) };
        let keys: Vec<Key> = self.with_shelf(|shelf| {
            let hits = shelf.index.search(&query, now).into_iter();
            hits.filter_map(|hit| Some(self.inner.keys.entry(&EntryId::new("id", hit.found.id).ok()?))).collect()
        });
        let values = self.fetch(Space::Records, &keys).await?;
        let there = keys.into_iter().zip(values).filter_map(|(key, value)| Some((key, value?))).collect();
        let mut corrected: Option<Entry> = None;
        for (Record { entry, .. }, content) in self.with_contents(there).await? {
            let Some(content) = content.filter(|_| !entry.truncated && may_relate(&entry, draft)) else { continue };
            match text::relation(&self.inner.env.decompose(&content), &said) {
                Relation::Same => return Ok(self.read_stored(&entry.id).await?.map(|old| (Relation::Same, old))),
                Relation::Corrects if entry.trust as u8 <= draft.trust as u8 => {
                    corrected = corrected.filter(|newest| newest.updated_at >= entry.updated_at).or(Some(entry));
                }
                _ => {}
            }
        }
        let Some(entry) = corrected else { return Ok(None) };
        Ok(self.read_stored(&entry.id).await?.map(|old| (Relation::Corrects, old)))
    }

    /// A repetition extends an entry's lifetime and raises its importance. The text is the same, so its history stays.
    async fn plan_stronger(&self, plan: &mut Plan, old: Stored) -> Result<Entry, Error> {
        let (vector, content) = (self.read_vector(&old.record).await?, old.content()?);
        let mut record = old.record;
        let (_, rules) = self.namespace(Some(LONG_TERM))?;
        let before = record.entry.importance.get();
        let stronger = ((before + (1.0 - before) * STRONGER) * 1000.0).round() / 1000.0;
        record.entry.importance = Importance::new("importance", stronger)?;
        record.entry.updated_at = plan.now;
        record.entry.expires_at = record.entry.expires_at.max(expiry(plan.now, None, rules));
        let (entry, words) = (record.entry.clone(), self.words(&record.entry, &content));
        plan.keep(record, &words, vector.as_deref(), self.salts()?);
        Ok(entry)
    }

    /// A correction replaces the entry. Time and session are the draft's; the app's tags, importance, metadata and key
    /// stay.
    async fn plan_correction(&self, plan: &mut Plan, draft: &Draft, old: &Stored) -> Result<Entry, Error> {
        let before = &old.record.entry;
        let draft = Draft {
            tags: before.tags.clone(),
            importance: before.importance,
            metadata: before.metadata.clone(),
            key: before.key.clone(),
            source: draft.source.clone().or_else(|| before.source.clone()),
            speaker: draft.speaker.clone().or_else(|| before.speaker.clone()),
            ..draft.clone()
        };
        self.plan_put(plan, &draft, Some(old)).await
    }

    /// The block of memories that are relevant to a text (E14); empty if there are none. An agent gets its own memories
    /// and those of no agent.
    pub async fn retrieve(
        &self,
        query: &str,
        limit: usize,
        agent: Option<&AgentId>,
        embedding: Option<Embedding>,
    ) -> Result<String, Error> {
        let (query, ranking) = (query.to_owned(), Ranking::Best);
        let options = SearchOptions { query, ranking, limit: Some(limit), embedding, ..SearchOptions::default() };
        self.retrieve_by(&options, agent).await
    }

    /// The block of the entries that a search finds.
    pub(in crate::memory) async fn retrieve_by(
        &self,
        options: &SearchOptions,
        agent: Option<&AgentId>,
    ) -> Result<String, Error> {
        let text = |hit: Hit| Text::new(Kind::Memory, hit.id.as_str(), hit.summary, hit.score);
        let mut texts: Vec<Text> = self.relevant(options, agent).await?.into_iter().map(text).collect();
        if !options.ranked.is_empty() {
            worth_by_rank(&mut texts);
        }
        self.block(&texts)
    }

    /// The entries for an agent, or all entries if there is no agent.
    pub(in crate::memory) async fn relevant(
        &self,
        options: &SearchOptions,
        agent: Option<&AgentId>,
    ) -> Result<Vec<Hit>, Error> {
        let owner = agent.map_or(Owner::Anybody, |agent| Owner::SeenBy(agent.as_str()));
        let hits = self.find_owned(options, &[DocKind::Entry], owner).await?;
        Ok(hits.into_iter().map(|(_, hit)| hit).collect())
    }

    /// Quotes texts from a long-term memory of the app's own, in the same way.
    pub fn quote_memories(&self, texts: &[String]) -> Result<String, Error> {
        let told = |(at, text): (usize, &String)| Text::new(Kind::Memory, &at.to_string(), text.clone(), 1.0);
        self.block(&texts.iter().enumerate().map(told).collect::<Vec<Text>>())
    }

    fn block(&self, found: &[Text]) -> Result<String, Error> {
        let items: Vec<Item<'_>> = found
            .iter()
            .map(|Text { kind, reference, text, value, .. }| Item { kind: *kind, reference, text, value: *value })
            .collect();
        let count = |text: &str| self.count_tokens(text);
        let request = Request { items: &items, turns: &[], budget: u32::MAX, order: &[Kind::Memory], count: &count };
        let compiled = prompt::compile(&request).map_err(|small| Invalid::value("budget", small.to_string()))?;
        Ok(compiled.prompt)
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
        if recorded.iter().any(|recorded| !recorded.secrets.is_empty()) {
            answer.push_str(". Secrets were left out");
        }
        Ok(answer)
    }

    /// The answer of the tool `retrieve_from_memory` (E15).
    pub async fn retrieve_from_memory(
        &self,
        options: &SearchOptions,
        agent: Option<&AgentId>,
    ) -> Result<String, Error> {
        let found = self.retrieve_by(options, agent).await?;
        Ok(if found.is_empty() { "No relevant memories found".to_owned() } else { found })
    }
}

/// A text with each secret replaced by its kind, and the kinds. Nobody reviews what is recorded, so it must hold none.
fn without_secrets(text: &str) -> (String, Vec<SecretKind>) {
    let found = secrets_by_shape(text);
    let mut kinds: Vec<SecretKind> = Vec::new();
    for Secret { kind, .. } in &found {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
    (redact(text, &found), kinds)
}

/// Whether a draft can be about the same as an entry: `I` is another person with another speaker.
fn may_relate(entry: &Entry, draft: &Draft) -> bool {
    match (&entry.speaker, &draft.speaker) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}
