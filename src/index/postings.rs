//! Postings: the entries that have a term, with counts and fields; one byte list per term, in blocks that grow with the
//! list.
//!
//! All lists share one arena. A block ends with the address of the next one, so a list grows without being moved, and a
//! term that occurs once takes eight bytes. A large block also says with which entry the next one begins, so that a reader
//! who looks for few entries decodes only the blocks that may have them.

/// The fields that the documented formula distinguishes, as bits.
pub(super) const SUMMARY: u8 = 1;
pub(super) const CONTENT: u8 = 2;
pub(super) const TAGS: u8 = 4;

use super::arena::Arena;

/// The level from which blocks are large. Only there is an entry never divided between two blocks.
const LARGE: u32 = 7;

/// Block sizes: small for the many rare terms, larger for each further block.
fn block_size(level: u32) -> usize {
    8 << level.min(LARGE)
}

/// The size of the end of a block: the address of the next one, and in a large one also the least entry of the next one
/// and the bytes in use, which are 0 while there is no next one.
fn link_size(level: u32) -> usize {
    if level < LARGE { 4 } else { 12 }
}

/// The bytes of a block for entries.
fn room_of(level: u32) -> usize {
    block_size(level) - link_size(level)
}

/// Reserves room for `more`, a quarter at a time: doubling would leave large lists half empty.
pub(super) fn grow<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4 + 64));
    }
}

/// One entry in a term's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) doc: u32,
    /// The fields in which the formula finds it.
    pub(super) fields: u8,
    /// The count for the best ranking, in halves; 0 if that ranking ignores it.
    pub(super) count: u32,
}

/// The beginning and the end of a list.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    first: u32,
    /// The address of the next byte, and the end of the block.
    at: u32,
    end: u32,
    level: u32,
    /// The last entry plus one: entries are delta-encoded.
    next_doc: u32,
    /// The number of entries with a count, and of those that had been deleted when so many were in the whole index.
    counted: u32,
    dead: u32,
    dead_of: u32,
}

/// The lists of all terms, by the term's number.
#[derive(Clone, Debug, Default)]
pub(super) struct Postings {
    arena: Arena,
    lists: Vec<List>,
}

impl Postings {
    /// Adds an entry to a term's list. Entries come in rising order, at most once per term.
    pub(super) fn push(&mut self, term: u32, posting: Posting) {
        let at = term as usize;
        if at >= self.lists.len() {
            let more = at + 1 - self.lists.len();
            grow(&mut self.lists, more);
            self.lists.resize(at + 1, List::default());
        }
        let mut list = self.lists[at];
        // At most five bytes each.
        let mut bytes = [0; 10];
        let mut len = 0;
        let distance = posting.doc.saturating_sub(list.next_doc);
        for mut value in [distance, (posting.count.min(1 << 20) << 3) | u32::from(posting.fields)] {
            while value >= 0x80 {
                bytes[len] = value as u8 | 0x80;
                len += 1;
                value >>= 7;
            }
            bytes[len] = value as u8;
            len += 1;
        }
        let mut rest = &bytes[..len];
        if list.level >= LARGE && ((list.end - list.at) as usize) < len {
            self.lengthen(&mut list);
        }
        while !rest.is_empty() {
            if list.at == list.end {
                self.lengthen(&mut list);
            }
            let (now, later) = rest.split_at(rest.len().min((list.end - list.at) as usize));
            if let Some(room) = self.arena.get_mut(list.at, now.len() as u32) {
                room.copy_from_slice(now);
            }
            list.at += now.len() as u32;
            rest = later;
        }
        list.next_doc = posting.doc + 1;
        list.counted += u32::from(posting.count > 0);
        self.lists[at] = list;
    }

    /// The number of live entries of a term with a count; `deleted` is the number of entries deleted from the index, and
    /// as long as it is the same, nothing is decoded.
    pub(super) fn counted(&mut self, term: u32, deleted: u32, is_live: impl Fn(u32) -> bool) -> usize {
        let Some(list) = self.lists.get(term as usize).copied() else { return 0 };
        if list.dead_of == deleted {
            return (list.counted - list.dead) as usize;
        }
        let dead = self.read(term).filter(|posting| posting.count > 0 && !is_live(posting.doc)).count();
        self.lists[term as usize] = List { dead: dead as u32, dead_of: deleted, ..list };
        list.counted as usize - dead
    }

    /// Empties a term's list.
    pub(super) fn clear(&mut self, term: u32) {
        if let Some(list) = self.lists.get_mut(term as usize) {
            *list = List::default();
        }
    }

    /// Adds a block to a list.
    fn lengthen(&mut self, list: &mut List) {
        let is_first = list.end == 0;
        let level = if is_first { 0 } else { list.level + 1 };
        let start = self.arena.room(block_size(level));
        if is_first {
            list.first = start;
        } else {
            let used = list.at + room_of(list.level) as u32 - list.end;
            let numbers = [start, list.next_doc, used];
            let link = self.arena.get_mut(list.end, link_size(list.level) as u32).unwrap_or_default();
            for (bytes, number) in link.chunks_exact_mut(4).zip(numbers) {
                bytes.copy_from_slice(&number.to_le_bytes());
            }
        }
        list.level = level;
        list.at = start;
        list.end = start + room_of(level) as u32;
    }

    /// A term's list.
    pub(super) fn read(&self, term: u32) -> Reader<'_> {
        let list = self.lists.get(term as usize).copied().unwrap_or_default();
        let mut reader =
            Reader { arena: &self.arena, block: &[], at: 0, end: 0, start: 0, level: 0, stop: list.at, next_doc: 0 };
        if list.end != 0 {
            reader.enter(list.first);
        }
        reader
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.lists.capacity() * size_of::<List>()
    }
}

/// Reads a list from its beginning.
pub(super) struct Reader<'a> {
    arena: &'a Arena,
    block: &'a [u8],
    /// The offsets of the next byte in the block and of the end of its entries, and the start of the block.
    at: usize,
    end: usize,
    start: u32,
    level: u32,
    stop: u32,
    next_doc: u32,
}

impl Reader<'_> {
    fn enter(&mut self, start: u32) {
        self.block = self.arena.get(start, block_size(self.level) as u32);
        self.start = start;
        self.at = 0;
        self.end = match self.link(2) {
            0 => room_of(self.level),
            used => used as usize,
        };
    }

    /// A number at the end of the block; 0 if a small one does not have it.
    fn link(&self, at: usize) -> u32 {
        let link = self.block.get(room_of(self.level)..).unwrap_or(&[]);
        link.as_chunks().0.get(at).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Continues in the next block.
    #[cold]
    fn follow(&mut self) {
        let next = self.link(0);
        self.level += 1;
        self.enter(next);
    }

    /// Skips the blocks whose entries are all below `doc`.
    fn skip_to(&mut self, doc: u32) {
        while self.link(2) > 0 && self.link(1) <= doc {
            self.next_doc = self.link(1);
            self.follow();
        }
    }

    #[inline(always)]
    fn byte(&mut self) -> u8 {
        if self.at >= self.end {
            self.follow();
        }
        let byte = self.block.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    #[inline(always)]
    fn varint(&mut self) -> u32 {
        let first = self.byte();
        if first < 0x80 {
            return u32::from(first);
        }
        let mut value = u32::from(first & 0x7F);
        let mut shift = 7;
        loop {
            let byte = self.byte();
            value |= u32::from(byte & 0x7F).wrapping_shl(shift);
            shift += 7;
            if byte < 0x80 || shift > 28 {
                return value;
            }
        }
    }

    #[inline(always)]
    fn posting(&mut self) -> Option<Posting> {
        if self.start + self.at as u32 == self.stop {
            return None;
        }
        let doc = self.next_doc.wrapping_add(self.varint());
        self.next_doc = doc.wrapping_add(1);
        let payload = self.varint();
        Some(Posting { doc, fields: payload as u8 & 7, count: payload >> 3 })
    }

    /// Appends each entry that `is_wanted` with its count for the best ranking, capped at `most`, to `to`. This loop
    /// takes much of the time of a search, so it calls nothing.
    #[inline(always)]
    pub(super) fn counts(mut self, most: u32, is_wanted: impl Fn(u32) -> bool, to: &mut Vec<(u32, u32)>) {
        while let Some(Posting { doc, count, .. }) = self.posting() {
            if count > 0 && is_wanted(doc) {
                to.push((doc, count.min(most)));
            }
        }
    }

    /// Calls `see` with each of `docs` that is in the list, and its count, capped at `most`. `docs` are rising.
    pub(super) fn counts_of(mut self, docs: &[u32], most: u32, see: &mut dyn FnMut(u32, u32)) {
        let mut next = self.posting();
        for doc in docs {
            if next.is_some_and(|next| next.doc < *doc) {
                self.skip_to(*doc);
                next = self.find(|posting| posting.doc >= *doc);
            }
            let Some(next) = next else { return };
            if next.doc == *doc && next.count > 0 {
                see(*doc, next.count.min(most));
            }
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Posting;

    #[inline(never)]
    fn next(&mut self) -> Option<Posting> {
        self.posting()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut postings = Postings::default();
        let posting = |n: u32| Posting { doc: n * n, fields: (n % 8) as u8, count: n % 300 };
        for n in 0..2000 {
            for term in [0, 1, 5] {
                if n % (term + 1) == 0 {
                    postings.push(term, posting(n));
                }
            }
        }
        for term in [0, 1, 5] {
            let expected: Vec<Posting> = (0..2000).filter(|n| n % (term + 1) == 0).map(posting).collect();
            assert_eq!(postings.read(term).collect::<Vec<_>>(), expected);
        }
        assert_eq!(postings.read(3).count() + postings.read(99).count(), 0);
    }

    #[test]
    fn some_entries_are_read_as_if_all_were() {
        let mut postings = Postings::default();
        let has = |n: u32| n % 7 != 3;
        let count = |n: u32| n * 31 % 400;
        for n in (0..40_000).filter(|n| has(*n)) {
            // Another list grows between its blocks.
            postings.push(2, Posting { doc: n, fields: 1, count: 1 });
            postings.push(1, Posting { doc: n, fields: 3, count: count(n) });
        }
        for step in [1, 2, 6, 97, 3000, 39_999, 50_000] {
            let docs: Vec<u32> = (0..50_000).step_by(step).collect();
            let counted = |n: &u32| *n < 40_000 && has(*n) && count(*n) > 0;
            let expected = docs.iter().copied().filter(counted).map(|n| (n, count(n).min(300)));
            let mut seen = Vec::new();
            postings.read(1).counts_of(&docs, 300, &mut |doc, count| seen.push((doc, count)));
            assert_eq!(seen, expected.collect::<Vec<_>>(), "{step}");
        }
        postings.read(9).counts_of(&[1, 2], 1, &mut |_, _| panic!("it is empty"));
    }

    #[test]
    fn the_live_entries_are_counted_again_after_a_deletion() {
        let mut postings = Postings::default();
        for doc in 0..100 {
            postings.push(0, Posting { doc, fields: 1, count: doc % 4 });
        }
        assert_eq!(postings.counted(0, 0, |_| panic!("nothing was deleted")), 75);
        assert_eq!(postings.counted(0, 1, |doc| doc != 5), 74);
        assert_eq!(postings.counted(0, 1, |_| panic!("it was counted")), 74);
        postings.push(0, Posting { doc: 100, fields: 1, count: 1 });
        assert_eq!(postings.counted(0, 1, |_| panic!("it was counted")), 75);
        assert_eq!(postings.counted(0, 2, |doc| doc != 5 && doc != 8), 75, "the eighth has no count");
        assert_eq!(postings.counted(7, 2, |_| true), 0);
    }
}
