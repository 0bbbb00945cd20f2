//! The part of a session for a prompt: read backwards within a budget; and the ids of the omitted ranges.

use crate::codec::{Beside, Kind as Stored, SessionRecord, StoredMessage};
use crate::context::prompt::{LARGE, LeftOutReason};
use crate::context::{Item, Kind, stored};
use crate::memory::dialog::compression::insert;
use crate::memory::dialog::messages::begins_inside_a_pair;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Message, MessageId, Role, SessionId};
use crate::store::{Space, Store};

/// The fewest and the most messages of one read.
const PAGE: (u64, u64) = (16, 512);

/// The number of messages by which a part that begins inside a tool pair is extended at a time, and in total.
const WIDER: (u64, usize) = (8, 128);

/// The limits of reading backwards.
pub(super) struct Reach {
    /// The most tokens.
    pub(in crate::memory) tokens: u32,
    /// The most messages, if limited.
    pub(in crate::memory) messages: Option<usize>,
    /// The most turns, if a policy limits them.
    pub(in crate::memory) turns: Option<usize>,
}

/// The material for a prompt.
#[derive(Default)]
pub(in crate::memory) struct Recent {
    /// The number of messages of the session.
    pub(in crate::memory) count: u64,
    /// The messages read, in order: those that every window keeps, and the newest that no summary replaces.
    pub(in crate::memory) read: Vec<StoredMessage>,
    /// Their view: messages, and items that replace some.
    pub(in crate::memory) view: Vec<Item>,
    /// The places of omitted messages, and the reason.
    pub(super) unread: Vec<Gap>,
    /// The app's own summary of the conversation (B15).
    pub(in crate::memory) given: Option<String>,
}

/// A range of messages that are not in a prompt, by places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::memory) struct Gap {
    pub(in crate::memory) from: u64,
    pub(in crate::memory) to: u64,
    pub(in crate::memory) why: LeftOutReason,
}

/// A range of messages of a session: `messages` with `before` and `count` reads it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MessageRange {
    /// The first message.
    pub first: MessageId,
    /// The last message.
    pub last: MessageId,
    /// The message after the last; `None` if the last is the newest.
    pub before: Option<MessageId>,
    /// The number of messages in the range.
    pub count: u64,
}

impl Recent {
    /// The message at a place, if it was read.
    pub(in crate::memory) fn at(&self, place: u64) -> Option<&Message> {
        let at = self.read.binary_search_by_key(&place, |stored| stored.place).ok()?;
        self.read.get(at).map(|stored| &stored.message)
    }

    /// The messages of an item that were read.
    pub(in crate::memory) fn of<'a>(&'a self, item: &'a Item) -> impl Iterator<Item = &'a Message> {
        item.spans.iter().flat_map(|(from, to)| *from..=*to).filter_map(|place| self.at(place))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Reads the material for a prompt. The length of the session does not matter: messages have their token counts,
    /// and those that cannot fit are not read.
    pub(super) async fn recent_talk(
        &self,
        session: &SessionId,
        record: Option<&SessionRecord>,
        reach: &Reach,
    ) -> Result<Recent, Error> {
        let keys = [self.inner.keys.summary(session), self.inner.keys.view(session)];
        let mut beside = self.fetch(Space::Records, &keys).await?.into_iter();
        let given = beside.next().flatten().map(|bytes| Beside::decode(Stored::Kept, &bytes)).transpose()?;
        let given = given.and_then(|given| given.get("text").as_str().map(str::to_owned));
        let Some(record) = record else { return Ok(Recent { given, ..Recent::default() }) };
        let view = beside.next().flatten().map(|bytes| Beside::decode(Stored::View, &bytes)).transpose()?;
        let stand_ins = view.as_ref().and_then(stored::read).unwrap_or_default();

        let mut reading = Reading { session, told: spans(&stand_ins), start: record.count, read: Vec::new() };
        let mean = (record.tokens / record.items.max(1)).max(1);
        let mut page = (u64::from(reach.tokens) / mean + PAGE.0).clamp(PAGE.0, PAGE.1);
        page = reach.messages.map_or(page, |most| page.min(most as u64 + PAGE.0));
        let mut why = reading.enough(reach, &stand_ins);
        while why.is_none() && reading.start > 0 {
            self.read_before(&mut reading, page).await?;
            why = reading.enough(reach, &stand_ins);
            page = (page * 2).min(PAGE.1);
        }
        // Neither a tool pair nor a merged group may be cut in two.
        let mut wider = 0;
        while reading.start > 0 && wider < WIDER.1 && reading.begins_inside(&stand_ins) {
            let before = reading.read.len();
            self.read_before(&mut reading, WIDER.0).await?;
            // A pair is compressed as a whole: there is nothing to find before a summary.
            if reading.read.len() == before {
                break;
            }
            wider += reading.read.len() - before;
        }
        let Reading { told, start, mut read, .. } = reading;
        let hidden = |place: u64| stand_ins.iter().any(|item| item.is_hidden() && item.covers(place));
        let fixed: Vec<u64> = record.fixed.iter().copied().filter(|place| *place < start && !hidden(*place)).collect();
        read.splice(0..0, self.read_places(session, &fixed).await?);

        let stands = |item: &Item| item.is_told() || item.is_hidden() || item.first() >= start;
        let mut view: Vec<Item> = read
            .iter()
            .filter(|stored| !stand_ins.iter().any(|item| stands(item) && item.covers(stored.place)))
            .map(|stored| Item::of(&stored.message, stored.place, stored.tokens))
            .collect();
        stand_ins.into_iter().filter(|item| stands(item) && !item.is_hidden()).for_each(|item| insert(&mut view, item));
        let unread = gaps(start, &told, &fixed, why.unwrap_or(LeftOutReason::NoRoom));
        Ok(Recent { count: record.count, read, view, unread, given })
    }

    /// Reads up to `page` more messages, or skips a summary.
    async fn read_before(&self, reading: &mut Reading<'_>, page: u64) -> Result<(), Error> {
        let last = reading.start - 1;
        if let Some(span) = reading.told.iter().find(|span| span.0 <= last && last <= span.1) {
            reading.start = span.0;
            return Ok(());
        }
        let floor = reading.told.iter().filter(|span| span.1 < last).map(|span| span.1 + 1).max().unwrap_or(0);
        let from = reading.start.saturating_sub(page).max(floor);
        let earlier = self.read_messages(reading.session, from, reading.start).await?;
        reading.read.splice(0..0, earlier);
        reading.start = from;
        Ok(())
    }

    /// The ids at both ends of each gap; `None` if the messages were just erased.
    pub(super) async fn ranges(
        &self,
        session: &SessionId,
        recent: &Recent,
        gaps: &[Gap],
    ) -> Result<Vec<Option<MessageRange>>, Error> {
        let ends = gaps.iter().flat_map(|gap| [gap.from, gap.to, gap.to + 1]);
        let mut places: Vec<u64> = ends.filter(|at| *at < recent.count && recent.at(*at).is_none()).collect();
        places.sort_unstable();
        places.dedup();
        let found = self.read_places(session, &places).await?;
        let id = |place: u64| {
            let stored = || found.iter().find(|stored| stored.place == place).map(|stored| &stored.message);
            recent.at(place).or_else(stored).map(|message| message.id.clone())
        };
        let range = |gap: &Gap| {
            let (first, last, before) = (id(gap.from)?, id(gap.to)?, id(gap.to + 1));
            Some(MessageRange { first, last, before, count: gap.to - gap.from + 1 })
        };
        Ok(gaps.iter().map(range).collect())
    }
}

/// A session that is being read from its end.
struct Reading<'a> {
    session: &'a SessionId,
    /// The places that are replaced or hidden: they are not read.
    told: Vec<(u64, u64)>,
    /// The place from which everything has been read or skipped.
    start: u64,
    read: Vec<StoredMessage>,
}

impl Reading<'_> {
    /// The limit that ends the reading, if one is reached.
    fn enough(&self, reach: &Reach, stand_ins: &[Item]) -> Option<LeftOutReason> {
        // Merged messages count as one, and a large one can be shortened.
        let merged = |place: u64| {
            let merges = |item: &Item| item.kind == Kind::Merge && item.covers(place) && item.first() != place;
            stand_ins.iter().any(merges)
        };
        let opens =
            |stored: &&StoredMessage| stored.message.role == Role::User && stored.message.answers().next().is_none();
        let items = || self.read.iter().filter(|stored| !merged(stored.place)).count();
        let turns = || self.read.iter().filter(opens).count();
        let large = reach.tokens / LARGE;
        let weight = || self.read.iter().map(|stored| u64::from(stored.tokens.min(large).max(1))).sum::<u64>();
        if reach.messages.is_some_and(|most| items() >= most) {
            Some(LeftOutReason::Window)
        } else if reach.turns.is_some_and(|most| turns() >= most) {
            Some(LeftOutReason::Policy)
        } else {
            (weight() > u64::from(reach.tokens)).then_some(LeftOutReason::NoRoom)
        }
    }

    /// Whether the read part begins between a call and its result, or inside a merged group.
    fn begins_inside(&self, stand_ins: &[Item]) -> bool {
        let torn = |item: &Item| {
            !item.is_told() && !item.is_hidden() && item.first() < self.start && self.start <= item.last()
        };
        let near = self.read.get(..WIDER.1).unwrap_or(&self.read);
        stand_ins.iter().any(torn) || begins_inside_a_pair(near)
    }
}

/// The places that are replaced by summaries or hidden.
fn spans(stand_ins: &[Item]) -> Vec<(u64, u64)> {
    stand_ins
        .iter()
        .filter(|item| item.is_told() || item.is_hidden())
        .flat_map(|item| item.spans.iter().copied())
        .collect()
}

/// The places before `start` that are neither in `told` nor in `others`.
fn gaps(start: u64, told: &[(u64, u64)], others: &[u64], why: LeftOutReason) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut place = 0;
    while place < start {
        let span = told.iter().copied().chain(others.iter().map(|at| (*at, *at)));
        if let Some((_, to)) = span.clone().find(|span| span.0 <= place && place <= span.1) {
            place = to + 1;
            continue;
        }
        let next = span.map(|span| span.0).filter(|from| *from > place).min().unwrap_or(start).min(start);
        gaps.push(Gap { from: place, to: next - 1, why });
        place = next;
    }
    gaps
}

/// Sorts gaps, and joins adjacent ones with the same reason.
pub(super) fn joined(mut gaps: Vec<Gap>) -> Vec<Gap> {
    gaps.sort_unstable_by_key(|gap| gap.from);
    gaps.dedup_by(|next, gap| {
        let touches = gap.to + 1 == next.from && gap.why == next.why;
        if touches {
            gap.to = next.to;
        }
        touches
    });
    gaps
}
