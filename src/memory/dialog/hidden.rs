//! Messages hidden from a session's view: deleted ones, which no prompt, summary or search has again, and cleared
//! ones, which a saved state may bring back. The messages themselves stay in the session and in its log.

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
    /// Deletes messages from a session's view, by their ids or by the name of what stands for them in the view. The other
    /// half of a tool call goes with its partner. A summary that tells of one of them is given up, and the others that it
    /// stood for are shown again until the next compression. Answers how many messages are hidden now that were not.
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

    /// Begins a session's view anew: nothing that was said so far is in it any more. Answers how many messages that were.
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

    /// Shows the messages of a saved state, and what was said after the last of them. A message of the state that the
    /// session does not have is added at its end. Other messages are cleared from the view; deleted ones stay deleted. A
    /// state without messages changes nothing. Answers how many messages were added.
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

    /// The view that a saved state leads to, and the messages to add to it; nothing if that is the view as it is.
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

    /// The messages of a session that its view does not show, deleted or cleared, in order.
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

    /// The places that these references stand for.
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

    /// Puts messages in the place of what stands for several of them, if one of those is at these places.
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

/// The places of the messages of a state in a session, and which of them the session does not have. Those come last, in a
/// session as in a state: if they do not, or the order is another one, the state is of another session.
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

/// Takes the messages at these places out of a view, in its item of that kind.
fn hide_in(view: &mut Vec<Item>, kind: Kind, spans: &[(u64, u64)]) {
    let before = view.iter().position(|item| item.kind == kind).map(|at| view.remove(at).spans);
    let spans = before.into_iter().flatten().chain(spans.iter().copied());
    let item = Item::hidden(kind, spans);
    if !item.spans.is_empty() {
        insert(view, item);
    }
}

/// How many messages a view hides.
fn hidden_count(view: &[Item]) -> u64 {
    let spans = view.iter().filter(|item| item.is_hidden()).flat_map(|item| item.spans.iter().copied());
    Item::hidden(Kind::Deleted, spans).messages()
}
