//! The words of a segment: sorted, each with the entries that hold it, to be looked up without reading the others.

use super::strings::Strings;
use crate::model::sort;

/// So many words follow each other as "as much of the last one, then this"; the next one stands for itself again.
const BLOCK: usize = 16;

/// A term in an entry: the term's number, the entry's, and in which fields it is (the lowest three bits) and how often.
pub(super) type Occurrence = (u32, u32, u32);

/// Words that were read. Nothing in them is trusted: what leads nowhere holds nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wordlist<'a> {
    /// Where in `words` each block begins.
    starts: &'a [[u8; 4]],
    words: &'a [u8],
}

/// A word as it is written down: how much of the last one it begins with, what follows, and who holds it.
struct Line<'a> {
    shared: usize,
    rest: &'a [u8],
    held: Held<'a>,
}

/// The entries that hold a word, by their place in the segment, each with its payload.
pub(super) struct Held<'a> {
    rest: &'a [u8],
    next: u32,
    payload: u32,
}

impl Iterator for Held<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        let value = small(&mut self.rest)?;
        let entry = self.next.checked_add(value >> 1)?;
        self.next = entry.saturating_add(1);
        // Mostly the same as the last one, and then not said again.
        if value & 1 == 0 {
            self.payload = small(&mut self.rest)?;
        }
        Some((entry, self.payload))
    }
}

fn line<'a>(rest: &mut &'a [u8]) -> Option<Line<'a>> {
    let shared = small(rest)? as usize;
    let mut piece = || {
        let (piece, after) = { small(rest).and_then(|size| rest.split_at_checked(size as usize)) }?;
        *rest = after;
        Some(piece)
    };
    Some(Line { shared, rest: piece()?, held: Held { rest: piece()?, next: 0, payload: 0 } })
}

impl<'a> Wordlist<'a> {
    pub(super) fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let blocks = small(&mut bytes)? as usize;
        let (starts, words) = bytes.split_at_checked(blocks.checked_mul(4)?)?;
        Some(Self { starts: starts.as_chunks().0, words })
    }

    fn block(&self, start: &[u8; 4]) -> &'a [u8] {
        self.words.get(u32::from_le_bytes(*start) as usize..).unwrap_or(&[])
    }

    /// The entries that hold `term`, if it is here.
    pub(super) fn find(&self, term: &[u8]) -> Option<Held<'a>> {
        let after = self.starts.partition_point(|start| {
            let first = line(&mut self.block(start));
            first.is_some_and(|line| line.rest <= term)
        });
        let mut rest = self.block(self.starts.get(after.checked_sub(1)?)?);
        // How much of the present word is the beginning of `term`. Words that have more in common with the one before
        // them than that differ from `term` where that one does.
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
            matched = line.shared + line.rest.iter().zip(wanted).take_while(|(one, other)| one == other).count();
        }
        None
    }

    /// Hands each word and who holds it to `see`.
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

/// Writes words down. Of each word, the entries come in rising order.
pub(super) fn write(terms: &Strings, held: &[Occurrence], bytes: &mut Vec<u8>) {
    // Where the entries of each term begin, among those of all of them.
    let mut places = vec![0_u32; terms.len() + 1];
    for (term, _, _) in held {
        places[*term as usize + 1] += 1;
    }
    for at in 0..terms.len() {
        places[at + 1] += places[at];
    }
    let mut next = places.clone();
    let mut by_term = vec![0_u32; held.len()];
    for (at, (term, _, _)) in (0_u32..).zip(held) {
        let place = &mut next[*term as usize];
        by_term[*place as usize] = at;
        *place += 1;
    }
    let mut order: Vec<u32> = (0..terms.len() as u32).collect();
    sort(&mut order, &mut |one, other| terms.get(*one).cmp(terms.get(*other)));
    let (mut words, mut starts, mut list) = (Vec::new(), Vec::new(), Vec::new());
    let mut last: &[u8] = &[];
    for (at, term) in order.iter().enumerate() {
        let word = terms.get(*term).as_bytes();
        if at % BLOCK == 0 {
            starts.extend((words.len() as u32).to_le_bytes());
            last = &[];
        }
        let shared = word.iter().zip(last).take_while(|(one, other)| one == other).count();
        push_number(&mut words, shared as u64);
        push_piece(&mut words, &word[shared..]);
        list.clear();
        let (mut entry, mut payload) = (0, 0);
        for at in &by_term[places[*term as usize] as usize..places[*term as usize + 1] as usize] {
            let (_, of, with) = held[*at as usize];
            let same = with == payload;
            push_number(&mut list, u64::from(of.saturating_sub(entry)) << 1 | u64::from(same));
            if !same {
                push_number(&mut list, with.into());
            }
            (entry, payload) = (of + 1, with);
        }
        push_piece(&mut words, &list);
        last = word;
    }
    push_number(bytes, (starts.len() / 4) as u64);
    bytes.extend(starts);
    bytes.extend(words);
}

/// A number of seven bits a byte, the lowest first.
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

/// A piece with its size in front.
pub(super) fn push_piece(bytes: &mut Vec<u8>, piece: &[u8]) {
    push_number(bytes, piece.len() as u64);
    bytes.extend(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_found_and_no_other() {
        let mut terms = Strings::default();
        let mut held = Vec::new();
        for entry in 0..90_u32 {
            for word in ["", "a", "ab", "common", &format!("w{entry}"), &format!("w{}x", entry % 7), "việt"] {
                held.push((terms.intern(word), entry, entry % 3 * 8 + 1));
            }
        }
        let mut bytes = Vec::new();
        write(&terms, &held, &mut bytes);
        let list = Wordlist::read(&bytes).unwrap();
        let mut walked = Vec::new();
        list.walk(&mut |word, held| walked.push((word.to_owned(), held.collect::<Vec<_>>())));
        assert!(walked.is_sorted() && walked.len() == terms.len());
        for (word, expected) in &walked {
            let number = terms.find(word).unwrap();
            let written: Vec<(u32, u32)> =
                held.iter().filter(|held| held.0 == number).map(|held| (held.1, held.2)).collect();
            assert_eq!(*expected, written, "{word}");
            assert_eq!(list.find(word.as_bytes()).unwrap().collect::<Vec<_>>(), written, "{word}");
            for other in [format!("{word}\u{0}"), format!("{word}zz"), format!("!{word}")] {
                assert!(terms.find(&other).is_some() || list.find(other.as_bytes()).is_none(), "{other}");
            }
        }
        // Bytes that are not words hold nothing, and do no harm.
        for at in 0..bytes.len() {
            let mut torn = bytes.clone();
            torn[at] ^= 0xFF;
            for torn in [&torn[..], &bytes[..at]] {
                let Some(list) = Wordlist::read(torn) else { continue };
                let mut seen = 0;
                list.walk(&mut |word, held| seen += word.len() + held.take(1000).count());
                let _ = list.find(b"w45").map(|held| held.take(1000).count());
            }
        }
    }
}
