//! Eviction: the entries that leave a full namespace for a new one (D38, X6), within a batch as between writes.

use super::plan::{Evicted, Plan};
use super::{Env, Memory};
use crate::codec::Record;
use crate::model::{Entry, EntryId, NamespaceRules};
use crate::store::Store;
use std::cmp::Ordering;

/// One namespace in the plan's state so far. Without it a batch would count only stored entries, and evict the same
/// ones again for each of its own.
#[derive(Debug, Default)]
pub(super) struct Room {
    namespace: String,
    /// The entries that the plan writes, in the order of eviction. The ones before `gone` are evicted: removing each
    /// from the front would be quadratic.
    written: Vec<Written>,
    gone: usize,
    /// The stored entries that the plan has not touched, by their index numbers, in reverse order of eviction. Sorted
    /// once per plan, when the namespace first overflows.
    stored: Option<Vec<u32>>,
    /// How many of the plan's touched places `stored` reflects.
    seen: usize,
}

/// An entry that a plan writes.
#[derive(Debug)]
struct Written {
    importance: f64,
    seq: u64,
    id: EntryId,
    /// Its change in `Plan::docs`.
    doc: usize,
}

impl Room {
    /// Takes the room of a namespace out of the plan's rooms.
    fn of(rooms: &mut Vec<Self>, namespace: &str) -> Self {
        match rooms.iter().position(|room| room.namespace == namespace) {
            Some(at) => rooms.swap_remove(at),
            None => Self { namespace: namespace.to_owned(), ..Self::default() },
        }
    }

    /// The entries that the plan writes and has not evicted.
    fn left(&self) -> &[Written] {
        self.written.get(self.gone..).unwrap_or(&[])
    }

    /// Records that the plan writes an entry, with its last index change.
    pub(in crate::memory) fn write(plan: &mut Plan, record: &Record) {
        let Record { seq, entry, .. } = record;
        let mut room = Self::of(&mut plan.rooms, entry.namespace.as_str());
        let importance = entry.importance.get();
        let rank = |other: &Written| other.importance.total_cmp(&importance).then(other.seq.cmp(seq));
        let at = room.gone + room.left().partition_point(|other| rank(other) == Ordering::Less);
        let doc = plan.docs.len().saturating_sub(1);
        room.written.insert(at, Written { importance, seq: *seq, id: entry.id.clone(), doc });
        plan.rooms.push(room);
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Evicts what must go before `entry` is written to its namespace, as if the entries of the plan were written one
    /// by one.
    pub(in crate::memory) fn make_room(&self, plan: &mut Plan, entry: &Entry, rules: &NamespaceRules) {
        let mut room = Room::of(&mut plan.rooms, entry.namespace.as_str());
        let victims = self.with_shelf(|shelf| {
            let index = &shelf.index;
            let known = index.get(entry.id.as_str()).filter(|found| found.namespace == room.namespace);
            let most = index.held(&room.namespace) + room.left().len() + usize::from(known.is_none());
            if room.stored.is_none() && most <= rules.max_entries {
                return Vec::new();
            }
            let mut stored = room.stored.take().unwrap_or_else(|| index.last_to_go(&room.namespace, plan.now));
            let touched = plan.touched.get(room.seen..).unwrap_or(&[]);
            let rewritten = known.as_ref().map(|found| found.seq);
            index.remove_places(&mut stored, touched.iter().copied().chain(rewritten));
            let excess = (stored.len() + room.left().len() + 1).saturating_sub(rules.max_entries);
            let mut victims: Vec<(EntryId, u64, Option<usize>)> = Vec::with_capacity(excess);
            for _ in 0..excess {
                let oldest = stored.last().and_then(|number| index.numbered(*number));
                let goes = oldest.filter(|found| {
                    let importance = found.importance.get();
                    let before =
                        |other: &Written| importance.total_cmp(&other.importance).then(found.seq.cmp(&other.seq));
                    found.expires_at <= plan.now
                        || room.left().first().is_none_or(|other| before(other) == Ordering::Less)
                });
                if let Some(found) = goes {
                    stored.pop();
                    victims.extend(EntryId::new("id", found.id).ok().map(|id| (id, found.seq, None)));
                } else if let Some(Written { id, seq, doc, .. }) = room.left().first() {
                    victims.push((id.clone(), *seq, Some(*doc)));
                    room.gone += 1;
                }
            }
            room.stored = Some(stored);
            victims
        });
        for (id, seq, doc) in victims {
            // An entry of this plan must not reach a stored segment either.
            if let Some(doc) = doc {
                plan.unread.retain(|unread| unread.doc != doc);
                if let Some(change) = plan.docs.get_mut(doc) {
                    change.leaf = None;
                }
            }
            plan.delete(&id, seq);
            plan.evicted.push(Evicted { id, namespace: room.namespace.clone() });
        }
        // The numbers of the victims are out of `stored` already.
        room.seen = if room.stored.is_some() { plan.touched.len() } else { 0 };
        plan.rooms.push(room);
    }
}
