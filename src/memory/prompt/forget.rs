//! Forgets what a query means: erases entries with all that they replaced, and the text of messages that said it.

use crate::codec::Record;
use crate::index::{DocKind, Filter, Owner, Query, Ranking};
use crate::judgement::{Meant, Named, Traces};
use crate::memory::engine::fetch::CHUNK;
use crate::memory::engine::judging::Described;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::RECORD;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::reading::MOST_REPLACED;
use crate::memory::entries::sources::SOURCE_TAG;
use crate::model::{AgentId, EntryId, Invalid, Json, SessionId, Timestamp};
use crate::store::{Key, Store};
use crate::text::Told;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most entries that a query is compared with, by the words that they share.
const COMPARED: usize = 1000;

/// The options of forgetting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetOptions {
    /// The statement to forget, in any words that name it: "my PIN".
    pub query: String,
    /// Whether the text of messages is erased as well.
    pub messages: bool,
    /// Only entries that this agent sees, and sessions that are not another agent's.
    pub agent: Option<AgentId>,
}

/// The outcome of forgetting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forgotten {
    /// The erased entries.
    pub entries: Vec<EntryId>,
    /// The number of messages whose text was erased.
    pub messages: u64,
}

/// An entry to erase: its place in the index, and its text.
struct Erased {
    id: EntryId,
    seq: u64,
    text: String,
}

/// The sessions to look in, and what for.
type Talk = (Vec<SessionId>, Traces);

impl<S: Store, E: Env> Memory<S, E> {
    /// Erases the entries that a query means, in every namespace and in the past too, with those that they replaced; and
    /// with `messages` the text of messages that said it, with its copies in tool results, summaries and titles. The log
    /// keeps salted hashes only.
    pub async fn forget(&self, options: &ForgetOptions) -> Result<Forgotten, Error> {
        self.check_open()?;
        let sought = self.named_to_forget(&options.query);
        if sought.is_empty() {
            return Err(Invalid::value("query", "must name what to forget").into());
        }
        // If there is nothing to forget, nothing is written.
        self.refresh().await?;
        let mut look = self.look(self.now()?);
        self.plan_forgetting(&mut look, &sought, options).await?;
        if look.ops.is_empty() {
            return Ok(Forgotten::default());
        }
        let forgotten = self
            .write_erasing(async |plan: &mut Plan| {
                let forgotten = self.plan_forgetting(plan, &sought, options).await?;
                self.plan_note(plan, || self::forgotten(&forgotten))?;
                Ok(forgotten)
            })
            .await?;
        // Summaries that the app is writing may quote what is forgotten.
        if options.messages {
            self.inner.pending.borrow_mut().clear();
        }
        Ok(forgotten)
    }

    /// Judges all that a query may mean, so that the packs of what is stored are wanted, and leaves everything as it was.
    pub(in crate::memory) async fn judge_to_forget(&self, options: &ForgetOptions) -> Result<(), Error> {
        self.check_open()?;
        let sought = self.aside(|| self.named_to_forget(&options.query));
        if !sought.is_empty() {
            self.refresh().await?;
            // Neither clock nor dice are asked: at the first of all times nothing has expired.
            self.judge_forgetting(&mut self.look(Timestamp::MIN), &sought, options).await?;
        }
        Ok(())
    }

    /// A plan that is not committed.
    fn look(&self, now: Timestamp) -> Plan {
        let state = self.inner.state.borrow();
        Plan::new(self.inner.keys.clone(), state.revision, state.head, now)
    }

    /// Erases the entries that a request in a message means: those that it names, or, if it names none ("forget that"),
    /// the `last` ones. Returns the erased ones.
    pub(super) async fn forget_requested(
        &self,
        request: &str,
        agent: Option<&AgentId>,
        last: &[EntryId],
    ) -> Result<Vec<EntryId>, Error> {
        if !self.named_to_forget(request).is_empty() {
            let (query, agent) = (request.to_owned(), agent.cloned());
            return Ok(self.forget(&ForgetOptions { query, agent, messages: false }).await?.entries);
        }
        if last.is_empty() {
            return Ok(Vec::new());
        }
        self.write_erasing(async |plan: &mut Plan| {
            let mut meant = Vec::new();
            for id in last {
                meant.extend(self.read_record(id).await?.map(|record| of_record(record, None)));
            }
            self.plan_erased(plan, meant).await.map(|erased| erased.into_iter().map(|erased| erased.id).collect())
        })
        .await
    }

    fn named_to_forget(&self, request: &str) -> Named {
        self.judged(request, |judge, prior| judge.named(request, prior))
    }

    async fn plan_forgetting(
        &self,
        plan: &mut Plan,
        sought: &Named,
        options: &ForgetOptions,
    ) -> Result<Forgotten, Error> {
        let (entries, talk) = self.judge_forgetting(plan, sought, options).await?;
        let messages = match talk {
            Some((sessions, traces)) => self.plan_forgotten_talk(plan, &sessions, traces).await?,
            None => 0,
        };
        Ok(Forgotten { entries, messages })
    }

    /// Plans to erase the entries that a query means, and with `messages` judges in which sessions to look for what.
    async fn judge_forgetting(
        &self,
        plan: &mut Plan,
        sought: &Named,
        options: &ForgetOptions,
    ) -> Result<(Vec<EntryId>, Option<Talk>), Error> {
        self.load_shelf().await?;
        let (meant, found) = self.meant(sought, options, plan.now).await?;
        let erased = self.plan_erased(plan, found).await?;
        let mut talk = None;
        if options.messages {
            let mut traces = Traces::new(sought.clone(), meant);
            for Erased { text, .. } in &erased {
                self.aside(|| self.judged(text, |judge, _| traces.add(text, judge)));
            }
            talk = Some(self.forgotten_talk(sought, traces, options.agent.as_ref()).await?);
        }
        Ok((erased.into_iter().map(|erased| erased.id).collect(), talk))
    }

    /// The entries that a query means, and by what.
    async fn meant(
        &self,
        sought: &Named,
        options: &ForgetOptions,
        now: Timestamp,
    ) -> Result<(Meant, Vec<Erased>), Error> {
        let query = self.decomposed(&options.query);
        let words = self.kindred_words(&query, &Told::new(&query));
        let documents = [SOURCE_TAG.to_owned()];
        let owner = options.agent.as_ref().map_or(Owner::Anybody, |agent| Owner::SeenBy(agent.as_str()));
        let filter = Filter { kinds: &[DocKind::Entry], no_tag: &documents, owner, ..Filter::default() };
        let asked = |text| Query { limit: COMPARED, filter, ..Query::new(text, Ranking::Best) };
        let cues = sought.attributes().map(|(attributes, lang)| self.inner.judging.borrow().kindred(lang, attributes));
        let keys: Vec<Key> = self.with_shelf(|shelf| {
            let mut hits = shelf.index.search(&asked(&words), now);
            // A fact about an attribute need not have a word of the query.
            if let Some(cues) = &cues {
                hits.extend(shelf.index.search(&asked(cues), now));
                hits.extend(shelf.index.latest(&asked(""), now));
            }
            let ids = hits.into_iter().map(|hit| EntryId::new("id", hit.found.id));
            let mut known = BTreeSet::new();
            let keys = ids.filter_map(|id| Some(self.inner.keys.entry(&id.ok()?)));
            keys.filter(|key| known.insert(key.clone())).collect()
        });
        let mut candidates: Vec<(Erased, Rc<Described>)> = Vec::new();
        for chunk in keys.chunks(CHUNK) {
            for (record, content) in self.fetch_entries(chunk).await? {
                let candidate = of_record(record, content);
                let described = self.described(&candidate.text, None);
                self.breathe(RECORD + candidate.text.len()).await;
                candidates.push((candidate, described));
            }
        }
        let meant = sought.meant(candidates.iter().map(|(_, described)| &described.fact));
        let found = candidates.into_iter().filter(|(_, described)| sought.means(&described.fact, meant));
        Ok((meant, found.map(|(erased, _)| erased).collect()))
    }

    /// Erases entries and all that they replaced. Returns what it erases.
    async fn plan_erased(&self, plan: &mut Plan, meant: Vec<Erased>) -> Result<Vec<Erased>, Error> {
        let mut erased: Vec<Erased> = Vec::new();
        for first in meant {
            let mut next = Some(first);
            for _ in 0..MOST_REPLACED {
                let Some(entry) = next.take().filter(|entry| erased.iter().all(|known| known.id != entry.id)) else {
                    break;
                };
                let replaced = match self.read_record(&entry.id).await?.and_then(|record| record.entry.replaces) {
                    Some(id) => self.read_stored(&id).await?,
                    None => None,
                };
                plan.delete(&entry.id, entry.seq);
                erased.push(entry);
                if let Some(stored) = replaced {
                    let content = stored.content()?;
                    next = Some(of_record(stored.record, Some(content)));
                }
            }
        }
        Ok(erased)
    }
}

fn of_record(record: Record, content: Option<String>) -> Erased {
    let text = content.unwrap_or(record.entry.summary);
    Erased { id: record.entry.id, seq: record.seq, text }
}

/// The answer as JSON: ids and a count, which the note of an idempotent call may hold.
pub(crate) fn forgotten(forgotten: &Forgotten) -> Json {
    let ids = forgotten.entries.iter().map(|id| id.as_str().into()).collect();
    Json::object(vec![("entries", Json::Array(ids)), ("messages", forgotten.messages.into())])
}
