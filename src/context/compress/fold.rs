//! Many items folded into one summary: in chunks, and then the summaries of these in chunks, until there is one (C12).

use super::super::item::{Item, Kind, tokens};
use super::super::pairs::{Shape, nearest};
use super::{Request, Swap, Task};

/// What is being folded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fold {
    items: Vec<Item>,
    /// The number of the history that comes of it; a plain summary if there is none.
    history: Option<u32>,
    /// How many items a chunk has, about.
    size: usize,
    /// How long the last summary may be.
    budget: u64,
}

impl Fold {
    /// Folds the items of `view` at the positions `movable` into a history, or a summary, in chunks of a size and with
    /// a budget, and gives the first requests. They hold whole pairs of `shape`, and so will each chunk.
    pub(super) fn start(
        view: &[Item],
        movable: &[usize],
        shape: &Shape,
        (history, size, budget): (Option<u32>, usize, u64),
    ) -> (Self, Vec<Request>) {
        let items: Vec<Item> = movable.iter().map(|at| view[*at].clone()).collect();
        let fold = Self { history, size: size.max(1), budget, items };
        let splits = |at: usize| movable.get(at).is_some_and(|position| shape.splits(*position));
        let requests = fold.level(&fold.items, Task::Summarise, fold.size, &splits);
        (fold, requests)
    }

    /// The requests for a level above these summaries.
    pub(super) fn next_level(&self, summaries: Vec<Item>) -> Vec<Request> {
        self.level(&summaries, Task::Merge, self.size.max(2), &|_| false)
    }

    /// The items that `summary` stands for, as they are in the view.
    pub(super) fn originals(&self, summary: &Item) -> Vec<Item> {
        self.items.iter().filter(|item| summary.contains(item)).cloned().collect()
    }

    /// The last summary, in place of all that went into it.
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
        // The summaries that are merged with each other have the room of one; none gets more than what it replaces.
        let room = (self.budget / ends.len().clamp(1, size.max(2)) as u64).max(1);
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

/// Where the chunk ends that begins at `from`. A rest of less than half a chunk is not worth its own.
fn end(from: usize, count: usize, size: usize, splits: &dyn Fn(usize) -> bool) -> usize {
    if (count - from).saturating_mul(2) < size.saturating_mul(3) {
        return count;
    }
    nearest(from.saturating_add(size), from + 1, count, &|at| !splits(at)).unwrap_or(count)
}

#[cfg(test)]
mod tests {
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
    fn x11_no_border_of_a_chunk_splits_a_pair() {
        assert_eq!(ends(25, 10, &|at| at == 10), [9, 19, 25]);
        assert_eq!(ends(25, 10, &|at| (5..13).contains(&at)), [13, 25]);
        assert_eq!(ends(25, 10, &|at| at < 25), [25]);
    }
}
