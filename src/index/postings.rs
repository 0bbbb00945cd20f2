//! Postings: the entries that have a term, with counts and fields; one byte list per term, in blocks that grow with the
//! list.
//!
//! All lists share one arena. A block ends with the address of the next one, so a list grows without being moved, and a
//! term that occurs once takes eight bytes.

/// The fields that the documented formula distinguishes, as bits.
pub(super) const SUMMARY: u8 = 1;
pub(super) const CONTENT: u8 = 2;
pub(super) const TAGS: u8 = 4;

use super::arena::Arena;

const LINK: usize = 4;

/// Block sizes: small for the many rare terms, larger for each further block.
fn block_size(level: u32) -> usize {
    8 << level.min(7)
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
        self.lists[at] = list;
    }

    /// Empties a term's list.
    pub(super) fn clear(&mut self, term: u32) {
        if let Some(list) = self.lists.get_mut(term as usize) {
            *list = List::default();
        }
    }

    /// Adds a block to a list.
    fn lengthen(&mut self, list: &mut List) {
        let size = block_size(if list.end == 0 { 0 } else { list.level + 1 });
        let start = self.arena.room(size);
        if list.end == 0 {
            list.first = start;
        } else {
            if let Some(link) = self.arena.get_mut(list.end, LINK as u32) {
                link.copy_from_slice(&start.to_le_bytes());
            }
            list.level += 1;
        }
        list.at = start;
        list.end = start + (size - LINK) as u32;
    }

    /// A term's list.
    pub(super) fn read(&self, term: u32) -> Reader<'_> {
        let list = self.lists.get(term as usize).copied().unwrap_or_default();
        let mut reader =
            Reader { arena: &self.arena, block: &[], at: 0, start: 0, level: 0, stop: list.at, next_doc: 0 };
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
    /// The offset of the next byte in the block, and the start of the block.
    at: usize,
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
    }

    /// Continues in the next block.
    #[cold]
    fn follow(&mut self) {
        let link = self.block.last_chunk().copied().unwrap_or_default();
        self.level += 1;
        self.enter(u32::from_le_bytes(link));
    }

    #[inline(always)]
    fn byte(&mut self) -> u8 {
        if self.at + LINK >= self.block.len() {
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
}
