//! Messages hidden from a session's view: deleted ones, which never appear again in a prompt, summary or search, and
//! cleared ones, which a saved state may restore. The messages themselves stay in the session and in its log.

use super::compression::insert;
use super::messages::check_content;
use crate::codec::{SessionRecord, StoredMessage};
use crate::context::prompt::spoken;
use crate::context::{Item, Kind, with_partners};
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{AgentId, MessageDraft, MessageId, SessionId};
use crate::store::{Durability, Store};

impl<S: Store, E: Env> Memory<S, E> {
    /// Deletes messages from a session's view, by id or by the name of the item that replaces them. A tool call and its
    /// result are deleted together. A summary of one of them is dropped, and its other messages are shown again until
    /// the next compression. Returns the number of newly hidden messages.
    pub async fn hide(&self, session: &SessionId, refs: &[String]) -> Result<u64, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let record = self.planned_record(session).await?.ok_or(Error::NO_SESSION)?;
            let mut view = self.whole_view(session, &record).await?;
            let before = hidden_count(&view);
            let spans = self.spans_of(session, &record, &view, refs).await?;
            self.give_up(session, &mut view, &spans).await?;
            let chosen = view.iter().map(|item| item.is_message() && item.overlaps(&spans)).collect();
            let chosen = with_partners(&view, chosen);
            let partners = view.iter().zip(&chosen).filter(|(_, chosen)| **chosen).flat_map(|(item, _)| &item.spans);
            let spans: Vec<(u64, u64)> = spans.into_iter().chain(partners.copied()).collect();
            let mut at = 0;
            view.retain(|_| {
                at += 1;
                !chosen[at - 1]
            });
            hide_in(&mut view, Kind::Deleted, &spans);
            for (seq, history) in self.placed_histories(session).await? {
                if Item::hidden(Kind::Deleted, history.spans).overlaps(&spans) {
                    plan.forget(&Named::History(session.clone(), history.number.into()), Some(seq));
                }
            }
            let hidden = hidden_count(&view) - before;
            self.plan_view(plan, session, record, &view)?;
            Ok(hidden)
        })
        .await
    }

    /// Clears a session's view of all messages so far. Returns their number.
    pub async fn clear_view(&self, session: &SessionId) -> Result<u64, Error> {
        if self.session_record(session).await?.is_none() {
            return Ok(0);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let Some(record) = self.planned_record(session).await? else { return Ok(0) };
            let mut view = self.stand_ins(session).await?;
            let before = hidden_count(&view);
            view.retain(Item::is_hidden);
            hide_in(&mut view, Kind::Cleared, &[(0, record.count.saturating_sub(1))]);
            let hidden = hidden_count(&view) - before;
            self.plan_view(plan, session, record, &view)?;
            Ok(hidden)
        })
        .await
    }

    /// Shows the messages of a saved state, and the messages after the last of them. A message that the session does
    /// not have is appended. Other messages are cleared from the view; deleted ones stay deleted. A state without
    /// messages changes nothing. Returns the number of added messages.
    pub async fn restore_view(
        &self,
        session: &SessionId,
        agent: Option<&AgentId>,
        drafts: &[MessageDraft],
    ) -> Result<u64, Error> {
        check_content(drafts)?;
        let record = self.session_record(session).await?;
        let unchanged = match &record {
            None => drafts.is_empty(),
            Some(record) => self.restored(session, record, drafts).await?.is_none(),
        };
        if unchanged {
            return Ok(0);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let record = self.planned_record(session).await?;
            let mut record = record.unwrap_or_else(|| SessionRecord::new(plan.now));
            let Some(restored) = self.restored(session, &record, drafts).await? else { return Ok(0) };
            record.agent = agent.cloned().or(record.agent);
            let Restored { mut view, added } = restored;
            for (at, draft) in &added {
                let place = record.count;
                let message = self.plan_draft(plan, session, &mut record, (*at, draft)).await?;
                let tokens = self.count_tokens(&spoken(&message));
                insert(&mut view, Item::of(&message, place, tokens));
            }
            self.plan_view(plan, session, record, &view)?;
            Ok(added.len() as u64)
        })
        .await
    }

    /// The view for a saved state, and the messages to add; `None` if the view is already that.
    async fn restored(
        &self,
        session: &SessionId,
        record: &SessionRecord,
        drafts: &[MessageDraft],
    ) -> Result<Option<Restored>, Error> {
        if drafts.is_empty() {
            return Ok(None);
        }
        let said = self.read_messages(session, 0, record.count).await?;
        let (known, new) = matched(&said, drafts);
        let mut view = self.whole_view(session, record).await?;
        let is = |kind: Kind, place: u64| view.iter().any(|item| item.kind == kind && item.covers(place));
        let last = known.last().copied();
        let newer = |place: u64| last.is_some_and(|last| place > last) && !is(Kind::Cleared, place);
        let stays = |place: u64| newer(place) || known.binary_search(&place).is_ok();
        let cleared = |hides: &dyn Fn(u64) -> bool| {
            let places = said.iter().map(|stored| stored.place).filter(|place| !is(Kind::Deleted, *place));
            Item::hidden(Kind::Cleared, places.filter(|place| hides(*place)).map(|place| (place, place)))
        };
        let gone = cleared(&|place| !stays(place));
        if new.is_empty() && gone == cleared(&|place| is(Kind::Cleared, place)) {
            return Ok(None);
        }
        self.give_up(session, &mut view, &gone.spans).await?;
        view.retain(|item| item.kind != Kind::Cleared && !(item.is_message() && item.overlaps(&gone.spans)));
        if !gone.spans.is_empty() {
            insert(&mut view, gone.clone());
        }
        for stored in &said {
            if !view.iter().any(|item| item.covers(stored.place)) {
                insert(&mut view, Item::of(&stored.message, stored.place, stored.tokens));
            }
        }
        let taken = |id: &MessageId| said.iter().any(|stored| stored.message.id == *id);
        let mut added: Vec<(usize, MessageDraft)> = Vec::with_capacity(new.len());
        for at in new {
            let mut draft = drafts[at].clone();
            draft.id =
                draft.id.filter(|id| !taken(id) && !added.iter().any(|(_, other)| other.id.as_ref() == Some(id)));
            added.push((at, draft));
        }
        Ok(Some(Restored { view, added }))
    }

    /// The deleted or cleared messages of a session, in order.
    pub async fn hidden(&self, session: &SessionId) -> Result<Vec<MessageId>, Error> {
        self.check_open()?;
        let hidden = self.hidden_until(session, u64::MAX).await?;
        let spans = hidden.into_iter().flat_map(|item| item.spans);
        let places: Vec<u64> =
            Item::hidden(Kind::Deleted, spans).spans.iter().flat_map(|(from, to)| *from..=*to).collect();
        let messages = self.read_places(session, &places).await?;
        Ok(messages.into_iter().map(|stored| stored.message.id).collect())
    }

    /// The items of a session's view that hide messages, up to a place.
    pub(in crate::memory) async fn hidden_until(&self, session: &SessionId, last: u64) -> Result<Vec<Item>, Error> {
        let hidden = self.stand_ins(session).await?.into_iter().filter(Item::is_hidden);
        let cut = |item: Item| {
            let spans = item.spans.iter().filter(|span| span.0 <= last).map(|span| (span.0, span.1.min(last)));
            Item::hidden(item.kind.clone(), spans)
        };
        Ok(hidden.map(cut).filter(|item| !item.spans.is_empty()).collect())
    }

    /// The places of the referenced messages.
    async fn spans_of(
        &self,
        session: &SessionId,
        record: &SessionRecord,
        view: &[Item],
        refs: &[String],
    ) -> Result<Vec<(u64, u64)>, Error> {
        let mut spans = Vec::new();
        for (at, reference) in refs.iter().enumerate() {
            match view.iter().find(|item| !item.is_hidden() && item.name() == *reference) {
                Some(item) => spans.extend(&item.spans),
                None => {
                    let id = MessageId::new(&format!("refs[{at}]"), reference.as_str())?;
                    let place = self.place_of_message(session, record, &id).await?.ok_or(Error::NO_MESSAGE)?;
                    spans.push((place, place));
                }
            }
        }
        Ok(spans)
    }

    /// Replaces summaries of messages at these places by their messages.
    async fn give_up(&self, session: &SessionId, view: &mut Vec<Item>, spans: &[(u64, u64)]) -> Result<(), Error> {
        let tells = |item: &Item| !item.is_hidden() && !item.is_message() && item.overlaps(spans);
        let (given_up, rest): (Vec<Item>, Vec<Item>) = std::mem::take(view).into_iter().partition(tells);
        *view = rest;
        let places: Vec<u64> =
            given_up.iter().flat_map(|item| &item.spans).flat_map(|(from, to)| *from..=*to).collect();
        for stored in self.read_places(session, &places).await? {
            insert(view, Item::of(&stored.message, stored.place, stored.tokens));
        }
        Ok(())
    }
}

/// A view restored from a saved state.
struct Restored {
    view: Vec<Item>,
    /// Messages that the session does not have, with their places in the state.
    added: Vec<(usize, MessageDraft)>,
}

/// The places of a state's messages in a session, and the state's messages that the session does not have. Those must
/// come last in the state, and the order must be the same: otherwise the state belongs to another session.
fn matched(said: &[StoredMessage], drafts: &[MessageDraft]) -> (Vec<u64>, Vec<usize>) {
    let same = |stored: &StoredMessage, draft: &MessageDraft| {
        let message = &stored.message;
        draft.id.as_ref().is_none_or(|id| *id == message.id)
            && (draft.role, &draft.name, &draft.content) == (message.role, &message.name, &message.content)
    };
    let mut known: Vec<u64> = Vec::new();
    let mut next = 0;
    for draft in drafts {
        let Some(found) = said.iter().skip(next).position(|stored| same(stored, draft)) else { break };
        known.push(said[next + found].place);
        next += found + 1;
    }
    let new: Vec<usize> = (known.len()..drafts.len()).collect();
    if new.iter().any(|at| drafts[*at].id.is_some() && said.iter().any(|stored| same(stored, &drafts[*at]))) {
        return (Vec::new(), (0..drafts.len()).collect());
    }
    (known, new)
}

/// Hides the messages at these places, in the view's item of that kind.
fn hide_in(view: &mut Vec<Item>, kind: Kind, spans: &[(u64, u64)]) {
    let before = view.iter().position(|item| item.kind == kind).map(|at| view.remove(at).spans);
    let spans = before.into_iter().flatten().chain(spans.iter().copied());
    let item = Item::hidden(kind, spans);
    if !item.spans.is_empty() {
        insert(view, item);
    }
}

/// The number of messages that a view hides.
fn hidden_count(view: &[Item]) -> u64 {
    let spans = view.iter().filter(|item| item.is_hidden()).flat_map(|item| item.spans.iter().copied());
    Item::hidden(Kind::Deleted, spans).messages()
}
