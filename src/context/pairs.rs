//! Items that belong together, and items that must stay: rules for every window and every compression.
//!
//! - A tool call is never split from its result.
//! - A tool result stays until the model has spoken after it; a call without a result likewise.
//! - Pinned messages and instructions of the app stay unchanged.
//! - The newest items stay.
//! - The partner of an item that stays, stays with it.

use super::item::Item;
use crate::model::Role;

/// The pairs of items with a call and its result, the earlier first.
///
/// A result belongs to the nearest earlier call with its id, because some providers restart their ids in each turn; if
/// there is none, to the first later one. A result without a call belongs to nothing.
pub(super) fn links(items: &[Item]) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for (at, item) in items.iter().enumerate() {
        for id in &item.answers {
            let calls = |other: &Item| other.calls.contains(id);
            let before = items.iter().take(at).rposition(calls);
            let call = before.or_else(|| items.iter().skip(at).position(calls).map(|after| at + after));
            match call {
                Some(call) if call != at => links.push((call.min(at), call.max(at))),
                _ => {}
            }
        }
    }
    links
}

/// These items, and their partners of tool pairs.
pub fn with_partners(items: &[Item], chosen: Vec<bool>) -> Vec<bool> {
    Shape::closed(items, chosen).into_stays()
}

/// The position nearest to `wish` between `low` and `high` that `fits`; of two equally near, the earlier.
pub(super) fn nearest(wish: usize, low: usize, high: usize, fits: &dyn Fn(usize) -> bool) -> Option<usize> {
    let wish = wish.min(high);
    let ways = (0..=high).flat_map(|far| [wish.checked_sub(far), Some(wish + far)]).flatten();
    ways.filter(|at| (low..=high).contains(at)).find(|at| fits(*at))
}

/// The compressible part of a view.
pub(super) struct Shape {
    links: Vec<(usize, usize)>,
    /// For each item, whether it stays.
    stays: Vec<bool>,
}

impl Shape {
    /// The shape of a view whose last `keep` items stay, at least the newest, and all that are `held`.
    pub(super) fn of(items: &[Item], keep: usize, held: &dyn Fn(usize) -> bool) -> Self {
        let speaks = |item: &Item| item.role == Role::Assistant && !item.is_told();
        let spoken = items.iter().rposition(speaks).unwrap_or(0);
        let kept = items.len().saturating_sub(keep.max(1));
        let stays =
            |(at, item): (usize, &Item)| at >= kept || item.is_fixed() || at >= spoken && item.is_tool() || held(at);
        let stays = items.iter().enumerate().map(stays).collect();
        Self::closed(items, stays)
    }

    /// The shape in which these and their partners stay.
    pub(super) fn closed(items: &[Item], mut stays: Vec<bool>) -> Self {
        let links = links(items);
        let mut grown = true;
        while grown {
            grown = false;
            // From the end, where most of the staying items are, so that a chain of pairs takes one pass.
            for (a, b) in links.iter().rev() {
                if stays[*a] != stays[*b] {
                    (stays[*a], stays[*b], grown) = (true, true, true);
                }
            }
        }
        Self { links, stays }
    }

    /// For each item, whether it stays.
    pub(super) fn into_stays(self) -> Vec<bool> {
        self.stays
    }

    /// Whether the item at `at` stays.
    pub(super) fn stays(&self, at: usize) -> bool {
        self.stays[at]
    }

    /// The positions of the items that may be compressed.
    pub(super) fn movable(&self) -> Vec<usize> {
        (0..self.stays.len()).filter(|at| !self.stays[*at]).collect()
    }

    /// Whether a border before the item at `at` splits a compressible pair.
    pub(super) fn splits(&self, at: usize) -> bool {
        self.links.iter().any(|(a, b)| *a < at && at <= *b && !self.stays[*a])
    }

    /// Whether no pair has only one end within `from..to`.
    pub(super) fn encloses(&self, from: usize, to: usize) -> bool {
        let within = |at: &usize| (from..to).contains(at);
        self.links.iter().all(|(a, b)| within(a) == within(b))
    }
}

#[cfg(test)]
mod tests {
    use super::super::story::items;
    use super::*;

    #[test]
    fn x11_results_belong_to_the_nearest_call_of_their_id() {
        let check = |story: &str, expected: &[(usize, usize)]| assert_eq!(links(&items(story)), expected, "{story}");
        check("u1 a1+x t1=x", &[(1, 2)]);
        check("a1+x+y t1=y t1=x", &[(0, 1), (0, 2)]);
        check("a1+x+y t1=x=y", &[(0, 1), (0, 1)]);
        check("a1+x t1=x t1=x", &[(0, 1), (0, 2)]);
        check("a1+x t1=x a1 a1+x t1=x", &[(0, 1), (3, 4)]);
        check("t1=x u1", &[]);
        check("t1=x a1+x", &[(0, 1)]);
    }

    fn movable(story: &str, keep: usize) -> Vec<usize> {
        Shape::of(&items(story), keep, &|_| false).movable()
    }

    #[test]
    fn e23_what_the_model_has_not_read_stays_with_its_call() {
        assert_eq!(movable("u1 a1+x t1=x u1", 1), [0]);
        assert_eq!(movable("u1 a1+x t1=x a1 u1", 1), [0, 1, 2, 3]);
        // One of two results is still missing.
        assert_eq!(movable("u1 a1+x+y t1=x u1 u1", 1), [0, 3]);
        // A call is no longer open once the model has spoken after it.
        assert_eq!(movable("u1 a1+x u1 a1 u1", 1), [0, 1, 2, 3]);
        // A late result holds its call, not the messages in between.
        assert_eq!(movable("a1+x u1 a1 u1 a1 t1=x", 1), [1, 2, 3, 4]);
        assert_eq!(movable("t1=x u1 u1", 1), [1]);
    }

    #[test]
    fn pinned_and_system_messages_stay_and_so_does_what_belongs_to_them() {
        assert_eq!(movable("s1 u1 u1! a1 u1", 1), [1, 3]);
        assert_eq!(movable("a1+x t1=x! a1 u1", 1), [2]);
        assert_eq!(movable("a1+x! t1=x t1=x a1 u1 a1 u1", 3), [3]);
        assert_eq!(movable("u1", 0), [0; 0]);
        assert_eq!(movable("", 0), [0; 0]);
    }

    #[test]
    fn x11_the_nearest_border_is_the_earlier_of_two() {
        assert_eq!(nearest(5, 0, 9, &|at| at == 3 || at == 7), Some(3));
        assert_eq!(nearest(5, 0, 9, &|at| at == 2 || at == 7), Some(7));
        assert_eq!(nearest(5, 4, 6, &|at| at == 3 || at == 7), None);
        assert_eq!(nearest(20, 4, 6, &|_| true), Some(6));
    }
}
