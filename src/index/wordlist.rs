//! The words of a segment: sorted, each with its entries, for lookup without decoding the others.

use super::postings::{Posting, Postings};
use super::strings::Strings;
use crate::model::sort;

/// The number of words per block. In a block, words are prefix-compressed; the first of each block is complete.
const BLOCK: usize = 16;

/// Parsed words. They are not trusted: an invalid reference has no entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wordlist<'a> {
    /// The offset of each block in `words`.
    starts: &'a [[u8; 4]],
    words: &'a [u8],
}

/// An encoded word: the length of the common prefix with the previous one, the rest, and its entries.
struct Line<'a> {
    shared: usize,
    rest: &'a [u8],
    held: Held<'a>,
}

/// The entries that have a word, by their place in the segment.
pub(super) struct Held<'a> {
    rest: &'a [u8],
    next: u32,
    payload: u32,
}

impl Iterator for Held<'_> {
    type Item = Posting;

    fn next(&mut self) -> Option<Posting> {
        let value = small(&mut self.rest)?;
        let doc = self.next.saturating_add(value >> 1);
        self.next = doc.saturating_add(1);
        // Mostly equal to the previous value, and then omitted.
        if value & 1 == 0 {
            self.payload = small(&mut self.rest)?;
        }
        Some(Posting { doc, fields: self.payload as u8 & 7, count: self.payload >> 3 })
    }
}

fn line<'a>(rest: &mut &'a [u8]) -> Option<Line<'a>> {
    let shared = small(rest)? as usize;
    Some(Line { shared, rest: piece(rest)?, held: Held { rest: piece(rest)?, next: 0, payload: 0 } })
}

impl<'a> Wordlist<'a> {
    pub(super) fn read(bytes: &mut &'a [u8]) -> Option<Self> {
        Some(Self { starts: piece(bytes)?.as_chunks().0, words: piece(bytes)? })
    }

    fn block(&self, start: &[u8; 4]) -> &'a [u8] {
        self.words.get(u32::from_le_bytes(*start) as usize..).unwrap_or(&[])
    }

    /// The beginnings of the first words of the blocks, for [`find`](Self::find).
    pub(super) fn fence(&self) -> Vec<u32> {
        let first = |start| line(&mut self.block(start)).map_or(u32::MAX, |line| beginning(line.rest));
        self.starts.iter().map(first).collect()
    }

    /// The entries that have `term`, if it is here.
    pub(super) fn find(&self, fence: &[u32], term: &[u8]) -> Option<Held<'a>> {
        let begins = beginning(term);
        let mut after = fence.partition_point(|first| *first < begins);
        let starts = |line: Line<'_>| line.rest <= term;
        while fence.get(after) == Some(&begins) && line(&mut self.block(self.starts.get(after)?)).is_some_and(starts) {
            after += 1;
        }
        let mut rest = self.block(self.starts.get(after.checked_sub(1)?)?);
        // The length of the common prefix of the current word and `term`. A word that shares more than that with the
        // previous one differs from `term` at the same place.
        let mut matched = 0;
        for _ in 0..BLOCK {
            let line = line(&mut rest)?;
            if line.shared > matched {
                continue;
            }
            let wanted = term.get(line.shared..)?;
            if line.rest == wanted {
                return Some(line.held);
            }
            if line.rest > wanted {
                return None;
            }
            matched = line.shared + in_common(line.rest, wanted);
        }
        None
    }

    /// Calls `see` with each word and its entries.
    pub(super) fn walk(&self, see: &mut dyn FnMut(&str, Held<'a>)) {
        let mut rest = self.words;
        let mut word = Vec::new();
        while let Some(line) = line(&mut rest) {
            word.truncate(line.shared);
            word.extend(line.rest);
            if let Ok(word) = std::str::from_utf8(&word) {
                see(word, line.held);
            }
        }
    }
}

/// Encodes words, each with its list.
pub(super) fn write(terms: &Strings, lists: &Postings, bytes: &mut Vec<u8>) {
    let mut order: Vec<u32> = (0..terms.len() as u32).collect();
    sort(&mut order, &mut |one, other| terms.get(*one).cmp(terms.get(*other)));
    let (mut words, mut starts, mut list) = (Vec::new(), Vec::new(), Vec::new());
    let mut last: &[u8] = &[];
    for (at, term) in order.into_iter().enumerate() {
        let word = terms.get(term).as_bytes();
        if at % BLOCK == 0 {
            starts.extend((words.len() as u32).to_le_bytes());
            last = &[];
        }
        let shared = in_common(word, last);
        push_number(&mut words, shared as u64);
        push_piece(&mut words, word.get(shared..).unwrap_or(&[]));
        list.clear();
        let (mut next, mut payload) = (0, 0);
        for posting in lists.read(term) {
            let with = posting.count << 3 | u32::from(posting.fields);
            push_number(&mut list, u64::from(posting.doc.saturating_sub(next)) << 1 | u64::from(with == payload));
            if with != payload {
                push_number(&mut list, with.into());
            }
            (next, payload) = (posting.doc + 1, with);
        }
        push_piece(&mut words, &list);
        last = word;
    }
    push_piece(bytes, &starts);
    push_piece(bytes, &words);
}

/// The first four bytes of a word, as a number in the same order.
pub(super) fn beginning(word: &[u8]) -> u32 {
    let mut bytes = [0; 4];
    bytes.iter_mut().zip(word).for_each(|(to, byte)| *to = *byte);
    u32::from_be_bytes(bytes)
}

/// The length of the common prefix of two words.
fn in_common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// A varint: seven bits per byte, the lowest first.
pub(super) fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    let mut shift = 0;
    loop {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
        shift += 7;
        if shift > 63 {
            return None;
        }
    }
}

pub(super) fn small(rest: &mut &[u8]) -> Option<u32> {
    u32::try_from(number(rest)?).ok()
}

pub(super) fn push_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// A length-prefixed piece.
fn piece<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let size = small(rest)?;
    let (piece, after) = rest.split_at_checked(size as usize)?;
    *rest = after;
    Some(piece)
}

fn push_piece(bytes: &mut Vec<u8>, piece: &[u8]) {
    push_number(bytes, piece.len() as u64);
    bytes.extend(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_found_and_no_other() {
        let (mut terms, mut lists) = (Strings::default(), Postings::default());
        for doc in 0..90_u32 {
            for word in ["", "a", "ab", "common", &format!("w{doc}"), &format!("w{}x", doc % 7), "việt"] {
                lists.push(terms.intern(word), Posting { doc, fields: 1, count: doc % 3 });
            }
        }
        let mut bytes = Vec::new();
        write(&terms, &lists, &mut bytes);
        let list = Wordlist::read(&mut &bytes[..]).unwrap();
        let fence = list.fence();
        let mut walked = Vec::new();
        list.walk(&mut |word, held| walked.push((word.to_owned(), held.collect::<Vec<_>>())));
        assert!(walked.is_sorted_by(|one, other| one.0 < other.0) && walked.len() == terms.len());
        for (word, seen) in &walked {
            let written: Vec<Posting> = lists.read(terms.find(word).unwrap()).collect();
            assert_eq!(*seen, written, "{word}");
            assert_eq!(list.find(&fence, word.as_bytes()).unwrap().collect::<Vec<_>>(), written, "{word}");
            for other in [format!("{word}\u{0}"), format!("{word}zz"), format!("!{word}")] {
                assert!(terms.find(&other).is_some() || list.find(&fence, other.as_bytes()).is_none(), "{other}");
            }
        }
        // Bytes that are no valid words have no entries, and do no harm.
        for at in 0..bytes.len() {
            let mut torn = bytes.clone();
            torn[at] ^= 0xFF;
            for mut torn in [&torn[..], &bytes[..at]] {
                let Some(list) = Wordlist::read(&mut torn) else { continue };
                let mut seen = 0;
                list.walk(&mut |word, held| seen += word.len() + held.take(1000).count());
                let _ = list.find(&list.fence(), b"w45").map(|held| held.take(1000).count());
            }
        }
    }
}
