//! Progressive compression: merge, then summarise, then offload, and no further than needed (E6–E8).
//!
//! 1. Adjacent messages of one role become one item, and so does a run of tool calls with their results. This costs and
//!    loses nothing.
//! 2. Everything older than the last ten becomes one summary. Large messages are spared, because a summary would keep
//!    the least of them: as many of the newest as leave half of the free places for the session to continue.
//! 3. The large ones, the oldest first, are cut to their beginning, with the id to load the rest.
//!
//! If that is not enough, the large ones go into the summary as well. The documented example of fifty messages ends
//! with fifteen items: the summary, the offload references with their calls, and the last ten.

use super::super::item::{Item, Kind, tokens};
use super::super::pairs::Shape;
use super::fold::Fold;
use super::{Compression, Progressive, Request, Swap, Task, budget, share};
use crate::model::Role;

/// See [`super::plan`].
pub(super) fn plan(view: &[Item], settings: &Progressive) -> Option<Compression> {
    if !settings.over(view.len(), tokens(view)) {
        return None;
    }
    let spared = Shape::of(view, settings.last_keep, &|at| settings.large(&view[at]));
    let swaps = merges(view, &spared);
    let merged = Compression { swaps, ..Compression::default() };
    let view = merged.apply(view).ok()?;
    if !settings.over(view.len(), tokens(&view)) {
        return Some(merged);
    }
    let (fold, requests) = sparing(&view, settings).or_else(|| all(&view, settings))?;
    Some(Compression { fold, requests, ..merged })
}

type Asked = (Fold, Vec<Request>);

/// A summary of the older items without the large messages, and as many previews of these as needed.
fn sparing(view: &[Item], settings: &Progressive) -> Option<Asked> {
    let (limit, preview) = (settings.limit(), settings.preview);
    let movable = Shape::of(view, settings.last_keep, &|_| false).movable();
    let free = settings.msg_threshold.saturating_sub(view.len() - movable.len() + 1) / 2;
    let newest = movable.into_iter().rev().filter(|at| settings.large(&view[*at]));
    let spared: Vec<usize> = newest.take(free).collect();

    let shape = Shape::of(view, settings.last_keep, &|at| spared.contains(&at));
    let older = shape.movable();
    let weight = weight(view, &older);
    let room = share(limit).min(weight);
    let (mut count, mut after) = (view.len(), tokens(view));
    let (mut fold, mut requests) = Asked::default();
    // A single summary is not summarised again.
    if older.len() > 1 || weight > room {
        (count, after) = (count - older.len() + 1, after - weight + room);
        (fold, requests) = Fold::start(view, &older, &shape, (None, settings.msg_threshold, room));
    }
    for item in spared.iter().rev().map(|at| &view[*at]) {
        if after > limit && item.tokens > preview {
            after -= u64::from(item.tokens - preview);
            let task = Task::Preview(preview as usize);
            requests.push(Request { task, items: vec![item.clone()], max_tokens: preview });
        }
    }
    (!settings.over(count, after)).then_some((fold, requests))
}

/// A summary of all older items.
fn all(view: &[Item], settings: &Progressive) -> Option<Asked> {
    let limit = settings.limit();
    let shape = Shape::of(view, settings.last_keep, &|_| false);
    let older = shape.movable();
    let weight = weight(view, &older);
    let fits = view.len() - older.len() < settings.msg_threshold;
    let room = match budget(limit, tokens(view) - weight, weight) {
        Some(room) if fits => room,
        _ if weight > 2 * share(limit) || older.len() > settings.msg_threshold.max(1) => share(limit),
        _ => return None,
    };
    Some(Fold::start(view, &older, &shape, (None, settings.msg_threshold, room)))
}

fn weight(view: &[Item], positions: &[usize]) -> u64 {
    positions.iter().map(|at| u64::from(view[*at].tokens)).sum()
}

impl Progressive {
    fn over(&self, count: usize, tokens: u64) -> bool {
        count > self.msg_threshold || tokens > self.limit()
    }

    /// Whether a message is large and can be offloaded. A call cannot be cut.
    fn large(&self, item: &Item) -> bool {
        item.chars > self.large_payload && item.calls.is_empty() && matches!(item.kind, Kind::Message(_))
    }
}

/// The possible merges of a view: adjacent items of the same kind.
fn merges(view: &[Item], shape: &Shape) -> Vec<Swap> {
    let speaker = |at: usize| match &view[at] {
        _ if shape.stays(at) => None,
        Item { kind: Kind::Message(_), role, .. } if !view[at].is_tool() => Some(*role),
        Item { kind: Kind::Message(_), .. } => Some(Role::Tool),
        Item { kind: Kind::Merge, role, .. } => Some(*role),
        _ => None,
    };
    let joins = |at: usize| {
        let before = &view[at - 1];
        speaker(at).is_some()
            && speaker(at) == speaker(at - 1)
            && before.last().checked_add(1) == Some(view[at].first())
    };
    let mut swaps = Vec::new();
    let mut from = 0;
    for to in 1..=view.len() {
        if to < view.len() && joins(to) {
            continue;
        }
        if let Some(role) = speaker(from).filter(|_| to - from > 1 && shape.encloses(from, to)) {
            let of = view[from..to].to_vec();
            let chars = of.iter().map(|item| u64::from(item.chars)).sum();
            swaps.push(Swap { with: Item::standing_for(&of, Kind::Merge, role, tokens(&of), chars), of });
        }
        from = to;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::super::super::story::{compressed, items, spans};
    use super::super::{Strategy, plan};
    use super::*;

    fn way() -> Strategy {
        Strategy::Progressive(Progressive::default())
    }

    fn story(words: &str, times: usize) -> String {
        vec![words; times].join(" ")
    }

    #[test]
    fn e5_e6_it_begins_above_thirty_messages_or_above_the_ratio_of_tokens() {
        assert!(plan(&items(&story("u1 a1", 15)), &way()).is_none());
        assert!(plan(&items(&story("u1 a1 u1", 11)), &way()).is_some());
        assert!(plan(&items(&story("u800", 12)), &way()).is_none());
        assert!(plan(&items(&format!("u1 {}", story("u800", 12))), &way()).is_some());
    }

    #[test]
    fn e7_if_merging_is_enough_nothing_is_summarised() {
        let view = items(&format!("u1 u2 a1 a1+x t1=x a1+y t1=y {}", story("u1 a1", 13)));
        let compression = plan(&view, &way()).unwrap();
        assert!(compression.requests().is_empty());
        let after = compression.apply(&view).unwrap();
        assert_eq!(spans(&after[..5]), "0-1 2 3-6 7 8");
        let facts: Vec<_> = after.iter().take(3).map(|item| (&item.kind, item.role, item.tokens, item.chars)).collect();
        assert_eq!(facts[0], (&Kind::Merge, Role::User, 3, 12));
        assert_eq!(facts[2], (&Kind::Merge, Role::Tool, 4, 16));
        assert!(plan(&after, &way()).is_none());

        // A gap may only be hidden: a message was deleted, or is in an earlier summary.
        let mut gap = view;
        gap.remove(4);
        let after = plan(&gap, &way()).unwrap().apply(&gap).unwrap();
        assert_eq!(spans(&after[..5]), "0-1 2 3 5-6 7");
    }

    #[test]
    fn e7_if_summarising_is_enough_nothing_is_offloaded() {
        let view = items(&format!("u2000 a1 {}", story("u10 a10", 20)));
        let compression = plan(&view, &way()).unwrap();
        let [request] = compression.requests() else { panic!() };
        assert_eq!((request.task, request.items.len(), request.max_tokens), (Task::Summarise, 31, 301));
        let after = compressed(&view, &way());
        assert_eq!(spans(&after), "0 1-31 32 33 34 35 36 37 38 39 40 41");
        assert_eq!(after[0], view[0]);
    }

    /// Twelve turns of a question, a call, its result and an answer, and a word of thanks. Two of the older results are
    /// whole pages.
    fn fifty() -> Vec<Item> {
        let turn = "u40 a30+x t200=x a90";
        let page = "u40 a30+x t9000=x a90";
        let turns = [turn, turn, page, turn, turn, turn, page, turn, turn, turn, turn, turn];
        items(&format!("{} u10 a10", turns.join(" ")))
    }

    #[test]
    fn e8_fifty_messages_become_fifteen_a_summary_and_references_and_the_last_ten() {
        let view = fifty();
        assert_eq!(view.len(), 50);
        let after = compressed(&view, &way());
        assert_eq!(after.len(), 15);
        let kinds = |wanted: fn(&Kind) -> bool| after.iter().filter(|item| wanted(&item.kind)).count();
        assert_eq!(kinds(|kind| matches!(kind, Kind::Summary(_))), 1);
        assert_eq!(kinds(|kind| matches!(kind, Kind::Offload(..))), 2);
        assert_eq!(spans(&after[..6]), "0-8,11-24,27-39 9 10 25 26 40");
        assert_eq!(after[5..], view[40..], "the last ten are untouched");
        // A reference has the id of the message, and still answers its call.
        assert_eq!((after[2].name(), &after[2].answers), ("m10".to_owned(), &view[10].answers));
        assert!(plan(&after, &way()).is_none());
    }

    #[test]
    fn e7_large_messages_are_offloaded_from_the_oldest_and_no_more_than_needed() {
        let view = items(&format!("u4000 u4000 u2000 {}", story("u10 a10", 6)));
        let after = compressed(&view, &way());
        assert!(matches!(after[0].kind, Kind::Offload(..)));
        assert!(after[1..].iter().all(|item| !matches!(item.kind, Kind::Offload(..))));
        assert!(plan(&after, &way()).is_none());
    }

    #[test]
    fn a_summary_alone_is_not_summarised_again_when_something_is_offloaded() {
        let mut view = items(&format!("u100 u9600 {}", story("u10 a10", 5)));
        view[0] = Item::told(&view[..1], Kind::Summary("so far".to_owned()), 100, 400);
        let compression = plan(&view, &way()).unwrap();
        let tasks: Vec<_> = compression.requests().iter().map(|request| (request.task, request.max_tokens)).collect();
        assert_eq!(tasks, [(Task::Preview(200), 200)]);
        assert_eq!(compressed(&view, &way())[0], view[0]);
    }

    #[test]
    fn e23_the_last_ten_keep_their_calls_and_what_is_not_read_is_not_offloaded() {
        let view = items(&format!("{} a1+x u1 t9000=x u1 a1 {}", story("u1 a1", 20), story("u1 a1", 4)));
        let after = compressed(&view, &way());
        assert_eq!(spans(&after[..4]), "0-39,41 40 42 43");
        assert_eq!(after[1..], [&view[40..41], &view[42..]].concat());

        let unread = items(&format!("{} a1+x t9000=x {}", story("u1 a1", 20), story("u1", 12)));
        assert_eq!(spans(&compressed(&unread, &way())[..4]), "0-39,42-43 40 41 44");
    }

    #[test]
    fn too_many_large_messages_go_into_the_summary() {
        let view = items(&format!("{} {}", story("u9000 a1", 20), story("u1 a1", 5)));
        let after = compressed(&view, &way());
        let offloaded = after.iter().filter(|item| matches!(item.kind, Kind::Offload(..))).count();
        assert_eq!((offloaded, after.len()), (9, 20));
        // A call is never offloaded: its text is the tool's input.
        let view = items(&format!("a9600+x t1=x {}", story("u1 a1", 10)));
        assert_eq!(spans(&compressed(&view, &way())[..2]), "0-11 12");
    }

    #[test]
    fn if_the_last_ten_are_too_much_it_helps_once_and_not_for_ever() {
        let heavy = |older: &str| items(&format!("{older} {}", story("u2000", 10)));
        assert!(plan(&heavy("u1919 a1"), &way()).is_none());
        let after = compressed(&heavy("u1920 a1"), &way());
        assert_eq!(spans(&after[..2]), "0-1 2");
        assert!(plan(&after, &way()).is_none());
        // The same by count, when thirty messages are pinned.
        let pinned = items(&format!("{} {}", story("u1!", 30), story("u1 a1", 8)));
        assert!(plan(&pinned, &way()).is_none());
    }
}
