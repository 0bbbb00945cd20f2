//! Interned names: sorted, found by binary search.

use crate::model::sorted;

/// The bytes of a name that count; longer names with this prefix are equal.
const MAX_NAME: usize = 200;

/// A sorted list of names; the index is the number of a name.
pub(super) struct Names<'a> {
    sorted: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn new(mut names: Vec<&'a str>) -> Self {
        for name in &mut names {
            *name = head(name);
        }
        let name = |at: usize| names.get(at).copied().unwrap_or("");
        let order = sorted(names.len(), &|one, other| name(one).cmp(name(other)));
        let mut sorted: Vec<&str> = order.into_iter().map(name).collect();
        sorted.dedup();
        Self { sorted }
    }

    /// The number of a name that is in the list.
    pub(super) fn find(&self, name: &str) -> usize {
        let name = head(name);
        self.sorted.partition_point(|known| *known < name)
    }

    /// The name with a number.
    pub(super) fn get(&self, number: usize) -> &'a str {
        self.sorted.get(number).copied().unwrap_or("")
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }
}

/// The bytes of a name that count.
pub(super) fn head(name: &str) -> &str {
    name.get(..name.floor_char_boundary(MAX_NAME)).unwrap_or(name)
}
