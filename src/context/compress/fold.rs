//! Folds many items into one summary: in chunks, then the summaries of the chunks in chunks, until one is left (C12).
//!
//! Earlier summaries are not summarised again with the messages that follow them: the room of a whole summary would
//! shrink to that of a chunk. They join the summaries of the messages when those are merged.

use super::super::item::{Item, Kind, tokens};
use super::super::pairs::{Shape, nearest};
use super::{Request, Swap, Task};

/// The items being folded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fold {
    items: Vec<Item>,
    /// The number of the resulting history; `None` for a plain summary.
    history: Option<u32>,
    /// The approximate number of items per chunk.
    size: usize,
    /// The most tokens of the last summary.
    budget: u64,
    /// Earlier summaries that are still to be merged with those of the messages.
    told: Vec<Item>,
}

impl Fold {
    /// Folds the items of `view` at the positions `movable` into a history or a summary, in chunks of this size and
    /// within a budget. Returns the first requests. Each chunk has whole pairs of `shape`.
    pub(super) fn start(
        view: &[Item],
        movable: &[usize],
        shape: &Shape,
        (history, size, budget): (Option<u32>, usize, u64),
    ) -> (Self, Vec<Request>) {
        let items: Vec<Item> = movable.iter().map(|at| view[*at].clone()).collect();
        let (told, fresh): (Vec<usize>, Vec<usize>) = movable.iter().copied().partition(|at| view[*at].is_told());
        let take = |positions: &[usize]| positions.iter().map(|at| view[*at].clone()).collect::<Vec<Item>>();
        let mut fold = Self { history, size: size.max(1), budget, items, told: take(&told) };
        if fresh.is_empty() {
            let told = std::mem::take(&mut fold.told);
            let requests = fold.level(&told, Task::Merge, fold.size.max(2), &|_| false);
            return (fold, requests);
        }
        let splits = |at: usize| fresh.get(at).is_some_and(|position| shape.splits(*position));
        let requests = fold.level(&take(&fresh), Task::Summarise, fold.size, &splits);
        (fold, requests)
    }

    /// These summaries in order, with the earlier ones if the next merge is the last.
    pub(super) fn with_told(&mut self, mut summaries: Vec<Item>) -> Vec<Item> {
        let last = summaries.len() == 1 || summaries.len() + self.told.len() <= self.size.max(2);
        if summaries.is_empty() || !last {
            return summaries;
        }
        for told in std::mem::take(&mut self.told) {
            let at = summaries.partition_point(|other| other.first() < told.first());
            summaries.insert(at, told);
        }
        summaries
    }

    /// See [`super::Compression::numbered_after`].
    pub(super) fn number_after(&mut self, made: u32) {
        self.history = self.history.map(|number| number.max(made.saturating_add(1)));
    }

    /// The requests for the level above these summaries.
    pub(super) fn next_level(&self, summaries: Vec<Item>) -> Vec<Request> {
        self.level(&summaries, Task::Merge, self.size.max(2), &|_| false)
    }

    /// The items of the view that `summary` replaces.
    pub(super) fn originals(&self, summary: &Item) -> Vec<Item> {
        // They are in order, and only those between its first and its last message can be in it.
        let from = self.items.partition_point(|item| item.first() < summary.first());
        let rest = self.items.get(from..).unwrap_or(&[]);
        let near = rest.iter().take_while(|item| item.first() <= summary.last());
        near.filter(|item| summary.contains(item)).cloned().collect()
    }

    /// The last summary, in place of everything that went into it.
    pub(super) fn finish(&self, mut summary: Item) -> Swap {
        let of = self.originals(&summary);
        if let (Some(number), Kind::Summary(text)) = (self.history, &mut summary.kind) {
            summary.kind = Kind::History(number, std::mem::take(text));
        }
        Swap { of, with: summary }
    }

    fn level(&self, items: &[Item], task: Task, size: usize, splits: &dyn Fn(usize) -> bool) -> Vec<Request> {
        let mut ends = Vec::new();
        let mut from = 0;
        while from < items.len() {
            from = end(from, items.len(), size, splits);
            ends.push(from);
        }
        // Summaries that are still to be merged have more room together than their result: the merge sees all of them,
        // and knows better what to leave out than a chunk does. None gets more than it replaces.
        let share = ends.len().clamp(1, size.max(2)) as u64;
        let room = if share == 1 { self.budget } else { self.budget.saturating_mul(MERGED) / share };
        let room = room.max(1);
        let mut from = 0;
        let request = |to: &usize| {
            let items = items[from..*to].to_vec();
            from = *to;
            let most = room.min(tokens(&items));
            Request { task, max_tokens: u32::try_from(most).unwrap_or(u32::MAX), items }
        };
        ends.iter().map(request).collect()
    }
}

/// The ratio of the total length of summaries to that of their merge.
const MERGED: u64 = 3;

/// The end of the chunk that begins at `from`. A rest of less than half a chunk joins the last one.
fn end(from: usize, count: usize, size: usize, splits: &dyn Fn(usize) -> bool) -> usize {
    if (count - from).saturating_mul(2) < size.saturating_mul(3) {
        return count;
    }
    nearest(from.saturating_add(size), from + 1, count, &|at| !splits(at)).unwrap_or(count)
}

#[cfg(test)]
mod tests {
    use super::super::super::story::items;
    use super::*;

    fn ends(count: usize, size: usize, splits: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut ends = Vec::new();
        while *ends.last().unwrap_or(&0) < count {
            ends.push(end(*ends.last().unwrap_or(&0), count, size, splits));
        }
        ends
    }

    #[test]
    fn c11_chunks_have_about_ten_and_small_rests_join_the_last() {
        assert_eq!(ends(15, 10, &|_| false), [10, 15]);
        assert_eq!(ends(14, 10, &|_| false), [14]);
        assert_eq!(ends(36, 10, &|_| false), [10, 20, 30, 36]);
        assert_eq!(ends(3, 1, &|_| false), [1, 2, 3]);
        assert_eq!(ends(5, usize::MAX, &|_| false), [5]);
        assert_eq!(ends(0, 10, &|_| false), [0; 0]);
    }

    #[test]
    fn an_earlier_summary_is_merged_last_and_never_summarised_with_messages() {
        let mut view = items(&vec!["u100"; 60].join(" "));
        view[0] = Item::told(&view[..1], Kind::History(1, "so far".to_owned()), 90, 6);
        let shape = Shape::of(&view, 1, &|_| false);
        let movable: Vec<usize> = (0..50).collect();
        let (mut fold, requests) = Fold::start(&view, &movable, &shape, (Some(2), 4, 100));
        assert!(requests.iter().all(|request| !request.items.iter().any(Item::is_told)));
        let told = |request: &Request| Item::told(&request.items, Kind::Summary(String::new()), 1, 0);
        let mut level: Vec<Item> = requests.iter().map(told).collect();
        let mut levels = vec![level.len()];
        loop {
            let all = fold.with_told(level);
            if all.len() == 1 {
                assert_eq!(all[0].messages(), 50);
                break;
            }
            let requests = fold.next_level(all);
            let history = requests.iter().find(|request| request.items.contains(&view[0]));
            assert!(history.is_none_or(|request| requests.len() == 1 && request.max_tokens == 93), "{history:?}");
            level = requests.iter().map(told).collect();
            levels.push(level.len());
        }
        assert_eq!(levels, [12, 3, 1]);
    }

    #[test]
    fn x11_no_border_of_a_chunk_splits_a_pair() {
        assert_eq!(ends(25, 10, &|at| at == 10), [9, 19, 25]);
        assert_eq!(ends(25, 10, &|at| (5..13).contains(&at)), [13, 25]);
        assert_eq!(ends(25, 10, &|at| at < 25), [25]);
    }
}
