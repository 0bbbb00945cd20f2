//! Recall: a search over all entries, messages and histories, without deleted messages.

use super::answers::Beside;
use crate::codec::{self, Kind as Stored};
use crate::context::{Kind, stored};
use crate::index::{DocKind, Owner, Ranking};
use crate::judgement::FORGOTTEN;
use crate::memory::engine::keys::place_of;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::{Hit, SearchOptions};
use crate::memory::entries::sources::SOURCE_TAG;
use crate::model::{Embedding, SessionId, Trust};
use crate::store::{Key, Space, Store};
use crate::text::{self, Voice};

/// The most messages to skip because they ask the same question.
const ASKED_BEFORE: usize = 8;

/// The part of the memory that a recall searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecallScope {
    /// Everything.
    #[default]
    All,
    /// Entries that are no passages of documents.
    Memories,
    /// Messages and histories.
    Conversations,
    /// Passages of ingested documents.
    Documents,
}

impl RecallScope {
    fn kinds(self, tool_traffic: bool) -> Vec<DocKind> {
        let mut kinds = match self {
            Self::Memories | Self::Documents => return vec![DocKind::Entry],
            Self::All => vec![DocKind::Entry, DocKind::Message, DocKind::History],
            Self::Conversations => vec![DocKind::Message, DocKind::History],
        };
        kinds.extend(tool_traffic.then_some(DocKind::ToolTraffic));
        kinds
    }
}

/// The options of a recall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecallOptions {
    /// The most hits.
    pub limit: usize,
    /// The part of the memory to search.
    pub scope: RecallScope,
    /// Only entries of this namespace.
    pub namespace: Option<String>,
    /// Only entries with at least one of these tags.
    pub any_tag: Vec<String>,
    /// Only this conversation.
    pub session: Option<SessionId>,
    /// The ranking of hits.
    pub ranking: Ranking,
    /// The embedding of the query.
    pub embedding: Option<Embedding>,
    /// The calling agent: entries of other agents are left out. If absent, all entries are searched.
    pub agent: Option<String>,
    /// Also calls of the memory's own tools and their results.
    pub include_tool_traffic: bool,
    /// The ids of hits in the app's own order, best first. They come before all other hits.
    pub ranked: Vec<String>,
    /// The least trust of a hit; any if `None`.
    pub min_trust: Option<Trust>,
    /// Only hits that answer the query, and none if there is no answer; otherwise all hits.
    pub only_answers: bool,
    /// Whether hits have the parts of their score.
    pub explain: bool,
}

/// A hit among entries, messages of all sessions, and histories.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recalled {
    /// The kind of document.
    pub kind: DocKind,
    /// The id of the entry or of the message, or the name of the history.
    pub reference: String,
    /// The hit. Its id is the entry's, or contains the place in the session.
    pub hit: Hit,
}

/// `found` without messages of which entries beside them say most: a prompt would have a recorded fact twice. The first of
/// these entries takes the place of the message, if that came first.
pub(super) fn without_recorded(mut found: Vec<Recalled>) -> Vec<Recalled> {
    let mut at = 0;
    while let Some(Recalled { kind, hit, .. }) = found.get(at) {
        let records = |entry: &&(usize, &Recalled)| {
            let (_, Recalled { kind, hit: entry, .. }) = entry;
            *kind == DocKind::Entry && entry.trust >= hit.trust && hit.summary.contains(entry.summary.trim())
        };
        let entries: Vec<(usize, &Recalled)> = found.iter().enumerate().collect();
        let mut records = entries.iter().filter(records).peekable();
        let first = records.peek().map(|(first, _)| *first);
        let said: usize = records.map(|(_, entry)| entry.hit.summary.trim().len()).sum();
        match first.filter(|_| *kind == DocKind::Message && 2 * said >= hit.summary.trim().len()) {
            None => at += 1,
            Some(first) => {
                found.swap(at, first.max(at));
                found.remove(first.max(at));
            }
        }
    }
    found
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Searches all entries, messages of all sessions, and histories (C22). A message that only repeats the question is
    /// skipped.
    pub async fn recall(&self, query: &str, asked: &RecallOptions) -> Result<Vec<Recalled>, Error> {
        self.recall_beside(query, asked, &Beside::NOTHING).await
    }

    /// The same, without what the reader has.
    pub(super) async fn recall_beside(
        &self,
        query: &str,
        asked: &RecallOptions,
        beside: &Beside<'_>,
    ) -> Result<Vec<Recalled>, Error> {
        let mut most = asked.limit.max(asked.ranked.len());
        // Some are left out below by their trust.
        most = most.saturating_add(if asked.min_trust.is_some() { beside.pool } else { 0 });
        let source = vec![SOURCE_TAG.to_owned()];
        let (all_tags, no_tag) = match asked.scope {
            RecallScope::All | RecallScope::Conversations => (Vec::new(), Vec::new()),
            RecallScope::Memories => (Vec::new(), source),
            RecallScope::Documents => (source, Vec::new()),
        };
        let options = SearchOptions {
            query: query.to_owned(),
            namespace: asked.namespace.clone(),
            any_tag: asked.any_tag.clone(),
            all_tags,
            no_tag,
            ranking: asked.ranking,
            limit: Some(if asked.limit > 0 { most.saturating_add(ASKED_BEFORE) } else { 0 }),
            ranked: asked.ranked.clone(),
            session: asked.session.as_ref().map(ToString::to_string),
            embedding: asked.embedding.clone(),
            min_trust: asked.min_trust,
            explain: asked.explain,
            ..SearchOptions::default()
        };
        let owner = asked.agent.as_deref().map_or(Owner::Anybody, Owner::SeenBy);
        // Only entries have a namespace of the app and tags.
        let entries_only = asked.namespace.is_some() || !asked.any_tag.is_empty();
        let mut kinds = asked.scope.kinds(asked.include_tool_traffic);
        kinds.retain(|kind| *kind == DocKind::Entry || !entries_only);
        let decomposed = self.decomposed(query);
        let only_asks = |kind: DocKind, hit: &Hit| {
            matches!(kind, DocKind::Message | DocKind::ToolTraffic)
                && (hit.summary == FORGOTTEN || text::only_asks(&self.decomposed(&hit.summary), &decomposed))
        };
        let has = |kind: DocKind, hit: &Hit| (beside.has)(kind, hit) || only_asks(kind, hit);
        let found = if asked.only_answers {
            self.find_answers(&options, &kinds, owner, &Beside { has: &has, ..*beside }).await?
        } else {
            self.without_deleted(self.find_owned(&options, &kinds, owner).await?).await?
        };
        let found = self.with_repeated(found).await?;
        let found = found.into_iter().filter(|(_, hit)| asked.min_trust.is_none_or(|least| hit.trust >= least));
        let recalled = found.map(|(kind, hit)| {
            let kind = if kind == DocKind::ToolTraffic { DocKind::Message } else { kind };
            // For messages and histories, the source field has their own names.
            let name = hit.source.clone().filter(|_| kind != DocKind::Entry);
            Recalled { kind, reference: name.unwrap_or_else(|| hit.id.to_string()), hit }
        });
        let mut found: Vec<Recalled> =
            recalled.filter(|recalled| asked.only_answers || !only_asks(recalled.kind, &recalled.hit)).collect();
        found.truncate(asked.limit);
        Ok(found)
    }

    /// `found` with the trust of what the assistant said after a message of low trust: it may repeat that.
    async fn with_repeated(&self, mut found: Vec<(DocKind, Hit)>) -> Result<Vec<(DocKind, Hit)>, Error> {
        let mut known: Vec<(SessionId, Option<u64>)> = Vec::new();
        for (kind, hit) in &mut found {
            let is_message = matches!(kind, DocKind::Message | DocKind::ToolTraffic);
            let repeats = is_message && hit.voice == Voice::Assistant;
            let Some((session, place)) = place_of(hit.id.as_str()).filter(|_| repeats) else { continue };
            let low_from = match known.iter().find(|(of, _)| *of == session) {
                Some((_, low_from)) => *low_from,
                None => {
                    let low_from = self.low_from(&session).await?;
                    known.push((session, low_from));
                    low_from
                }
            };
            if low_from.is_some_and(|from| from < place) {
                hit.trust = Trust::Low;
            }
        }
        Ok(found)
    }

    /// `found` without messages that were deleted from the view of their session.
    pub(super) async fn without_deleted(&self, mut found: Vec<(DocKind, Hit)>) -> Result<Vec<(DocKind, Hit)>, Error> {
        let place = |(kind, hit): &(DocKind, Hit)| match kind {
            DocKind::Message | DocKind::ToolTraffic => place_of(hit.id.as_str()),
            _ => None,
        };
        let mut sessions: Vec<SessionId> = Vec::new();
        for (session, _) in found.iter().filter_map(place) {
            if !sessions.contains(&session) {
                sessions.push(session);
            }
        }
        let revision = self.inner.state.borrow().revision;
        let (at, mut known) = self.inner.deleted.borrow().clone();
        if at != revision {
            known.clear();
        }
        sessions.retain(|session| !known.iter().any(|(of, _)| of == session));
        let keys: Vec<Key> = sessions.iter().map(|session| self.inner.keys.view(session)).collect();
        let views = if keys.is_empty() { Vec::new() } else { self.fetch(Space::Records, &keys).await? };
        let news = !views.is_empty();
        for (session, bytes) in sessions.into_iter().zip(views) {
            let view = bytes.map(|bytes| codec::Beside::decode(Stored::View, &bytes)).transpose()?;
            let view = view.as_ref().and_then(stored::read).unwrap_or_default();
            let deleted = view.into_iter().filter(|item| item.kind == Kind::Deleted);
            known.push((session, deleted.flat_map(|item| item.spans).collect()));
        }
        let deleted = |of: &SessionId, at: u64| {
            let mut spans = known.iter().filter(|(session, _)| session == of).flat_map(|(_, spans)| spans);
            spans.any(|(from, to)| *from <= at && at <= *to)
        };
        found.retain(|found| !place(found).is_some_and(|(of, at)| deleted(&of, at)));
        // A later revision may have arrived meanwhile, which these views may not include.
        if news && self.inner.state.borrow().revision == revision {
            *self.inner.deleted.borrow_mut() = (revision, known);
        }
        Ok(found)
    }
}
