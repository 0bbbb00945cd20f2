//! Lists without a query: by id, newest first, counts, and the order of eviction.

use super::doc::{DocKind, Found, Row};
use super::store::Index;
use crate::model::{Timestamp, sort};
use std::cmp::Ordering;

impl Index {
    /// The entry with this id, even if expired.
    pub fn get(&self, id: &str) -> Option<Found<'_>> {
        self.found(self.number(id)?)
    }

    /// Every entry, expired or not, in the order of writing.
    pub fn all(&self) -> impl Iterator<Item = Found<'_>> {
        self.order.iter().filter_map(|number| self.found(*number)).filter(|found| found.kind == DocKind::Entry)
    }

    /// Every document of every kind, expired or not, in the order of writing, without the first `skipped`.
    pub fn everything(&self, skipped: usize) -> impl Iterator<Item = Found<'_>> {
        self.order.iter().skip(skipped).filter_map(|number| self.found(*number))
    }

    /// The entries that are visible at `now` and true at `valid_at`, newest first; `before` is the `seq` to continue from.
    pub fn newest(
        &self,
        now: Timestamp,
        valid_at: Option<Timestamp>,
        namespace: Option<&str>,
        before: Option<u64>,
    ) -> impl Iterator<Item = Found<'_>> {
        let valid = move |found: &Found<'_>| {
            found.valid.zip(valid_at).is_none_or(|([from, until], at)| from <= at && at < until)
        };
        self.newest_of(DocKind::Entry, now, namespace, before).filter(valid)
    }

    /// The same for any kind.
    pub fn newest_of(
        &self,
        kind: DocKind,
        now: Timestamp,
        namespace: Option<&str>,
        before: Option<u64>,
    ) -> impl Iterator<Item = Found<'_>> {
        let row = |number: u32| self.rows.get(number as usize);
        let end = before.map_or(self.order.len(), |seq| {
            self.order.partition_point(|number| row(*number).is_some_and(|row| row.seq < seq))
        });
        let wanted = namespace.map(|name| self.names.find(name));
        let visible = move |number: &u32| {
            row(*number).is_some_and(|row| {
                let there = row.expires_at > now && row.kind == kind;
                there && wanted.is_none_or(|wanted| wanted == Some(row.namespace))
            })
        };
        self.order
            .get(..end)
            .unwrap_or(&[])
            .iter()
            .rev()
            .copied()
            .filter(visible)
            .filter_map(|number| self.found(number))
    }

    /// The documents of a source, of one kind, in the order of writing, without the first `skipped`.
    pub fn from_source(&self, kind: DocKind, source: &str, skipped: usize) -> impl Iterator<Item = Found<'_>> {
        let source = self.names.find(source);
        let from_there = move |number: &&u32| {
            let row = self.rows.get(**number as usize);
            row.is_some_and(|row| row.kind == kind && source.is_some_and(|source| row.source == source))
        };
        self.order.iter().filter(from_there).skip(skipped).filter_map(|number| self.found(*number))
    }

    /// The number of entries in a namespace: all of them, and those that are visible and true at `now`.
    pub fn count(&self, namespace: &str, now: Timestamp) -> (usize, usize) {
        let Some(namespace) = self.names.find(namespace) else { return (0, 0) };
        let rows = self.order.iter().filter_map(|number| self.rows.get(*number as usize));
        rows.filter(|row| row.namespace == namespace).fold((0, 0), |(all, visible), row| {
            (all + 1, visible + usize::from(row.expires_at > now && self.is_valid(row, now)))
        })
    }

    /// The numbers of the entries of a namespace in reverse order of eviction (X6). Evicted first are expired entries,
    /// then the least important, then the oldest. An entry that is no longer true is as important as any other.
    pub fn last_to_go(&self, namespace: &str, now: Timestamp) -> Vec<u32> {
        let Some(namespace) = self.names.find(namespace) else { return Vec::new() };
        let row = |number: &u32| self.rows.get(*number as usize);
        let there = |number: &u32| row(number).is_some_and(|row| row.namespace == namespace);
        let mut numbers: Vec<u32> = self.order.iter().copied().filter(there).collect();
        sort(&mut numbers, &mut |one, other| {
            let (Some(one), Some(other)) = (row(other), row(one)) else { return Ordering::Equal };
            let visible = |row: &Row| row.expires_at > now;
            let importance = one.importance.get().total_cmp(&other.importance.get());
            visible(one).cmp(&visible(other)).then(importance).then(one.seq.cmp(&other.seq))
        });
        numbers
    }

    /// Removes the entries at these places in the order of writing from `numbers`.
    pub fn remove_places(&self, numbers: &mut Vec<u32>, places: impl Iterator<Item = u64>) {
        let mut gone = Vec::new();
        for seq in places {
            let at = self.order.partition_point(|number| self.seq(*number) < seq);
            let Some(number) = self.order.get(at).filter(|number| self.seq(**number) == seq) else { continue };
            // One flag per number, so that many places cost one pass over the numbers.
            gone.resize(self.rows.len(), false);
            if let Some(flag) = gone.get_mut(*number as usize) {
                *flag = true;
            }
        }
        if !gone.is_empty() {
            numbers.retain(|number| !gone.get(*number as usize).is_some_and(|gone| *gone));
        }
    }

    /// The entry with a number.
    pub fn numbered(&self, number: u32) -> Option<Found<'_>> {
        self.found(number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, at, index};
    use super::*;

    fn ids(index: &Index, namespace: Option<&str>, before: Option<u64>) -> Vec<String> {
        index.newest(at(0), None, namespace, before).map(|found| found.id.to_owned()).collect()
    }

    #[test]
    fn d25_lists_are_newest_first_without_expired_ones() {
        let mut index = index(&[
            Sample { id: "a", seq: 1, ..Sample::default() },
            Sample { id: "c", seq: 3, namespace: "long-term", ..Sample::default() },
            Sample { id: "b", seq: 2, ..Sample::default() },
            Sample { id: "gone", seq: 4, expires: 0, ..Sample::default() },
        ]);
        assert_eq!(ids(&index, None, None), ["c", "b", "a"]);
        assert_eq!(ids(&index, Some("short-term"), None), ["b", "a"]);
        assert_eq!(ids(&index, None, Some(3)), ["b", "a"]);
        assert_eq!(ids(&index, Some("unknown"), None), Vec::<String>::new());
        assert_eq!(index.count("short-term", at(0)), (3, 2));
        assert_eq!(index.count("unknown", at(0)), (0, 0));
        assert!(index.remove(DocKind::Entry, "b") && !index.remove(DocKind::Entry, "b"));
        assert_eq!(ids(&index, None, None), ["c", "a"]);
        assert_eq!(index.len(), 3);
    }

    #[test]
    fn x6_expired_ones_go_first_then_the_least_important_then_the_oldest() {
        let index = index(&[
            Sample { id: "old", seq: 1, importance: 0.5, ..Sample::default() },
            Sample { id: "dull", seq: 2, importance: 0.1, ..Sample::default() },
            Sample { id: "new", seq: 3, importance: 0.1, ..Sample::default() },
            Sample { id: "expired", seq: 4, importance: 1.0, expires: -5, ..Sample::default() },
            Sample { id: "other", seq: 5, namespace: "long-term", ..Sample::default() },
        ]);
        let ids = |numbers: &[u32]| -> Vec<&str> {
            numbers.iter().rev().filter_map(|number| Some(index.numbered(*number)?.id)).collect()
        };
        let mut numbers = index.last_to_go("short-term", at(0));
        assert_eq!(ids(&numbers), ["expired", "dull", "new", "old"]);
        index.remove_places(&mut numbers, [2, 4, 99].into_iter());
        assert_eq!(ids(&numbers), ["new", "old"]);
        assert_eq!(index.last_to_go("unknown", at(0)), Vec::<u32>::new());
    }
}
