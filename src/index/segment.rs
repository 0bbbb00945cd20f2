//! Segments: indexed entries as flat bytes. They are stored, and loaded without tokenising any text; an entry to be
//! indexed is a segment of one.
//!
//! First come the words ([`Wordlist`]), which are decoded on demand, then the data of each entry.

use super::doc::{DocKind, Span};
use super::wordlist::{Wordlist, number, small};
use crate::model::{Importance, Timestamp};

/// The version of the stored index and of its tokenisation. An index of another version is rebuilt.
pub const FORMAT: u8 = 5;

/// The data of one entry in a segment beside its words. Strings are numbers of the segment's list; an optional one is 0
/// for none, or the number plus one.
#[derive(Clone, Debug)]
pub(super) struct Card<'a> {
    pub(super) seq: u64,
    /// The times of writing, expiry and event.
    pub(super) times: [Timestamp; 3],
    /// The interval in which it is true; always if `None`.
    pub(super) valid: Option<Span>,
    pub(super) importance: Importance,
    pub(super) trust: u8,
    pub(super) traits: u16,
    /// The number of its words; at least 1.
    pub(super) length: u32,
    pub(super) id: u32,
    pub(super) namespace: u32,
    /// Session, agent, speaker, source, key; all optional.
    pub(super) names: [u32; 5],
    /// The summary, if it is cached: a stored segment has none, because the record has it.
    pub(super) summary: Option<&'a str>,
    /// The numbers of tags, metadata fields, and words of the speaker's name in `lists`.
    pub(super) counts: [u32; 3],
    /// The tags, the normalised tags, the fields, the speaker's words.
    pub(super) lists: Vec<u32>,
    /// The stored embedding of its content; may be empty.
    pub(super) vector: &'a [u8],
}

/// A parsed segment.
#[derive(Debug)]
pub struct Segment<'a> {
    pub(super) words: Wordlist<'a>,
    /// The size of the words, which come first.
    pub(super) size_of_words: usize,
    texts: Vec<&'a str>,
    pub(super) cards: Vec<Card<'a>>,
}

impl<'a> Segment<'a> {
    /// Parses a segment; `None` if the bytes are not one. Its contents are not trusted either: an invalid number is an
    /// empty string.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let rest = &mut rest;
        let words = Wordlist::read(rest)?;
        let size_of_words = bytes.len() - rest.len();
        let lengths = numbers(small(rest)?, rest)?;
        let total = lengths.iter().fold(0_u64, |sum, length| sum.saturating_add((*length).into()));
        let mut text = piece(usize::try_from(total).ok()?, rest)?;
        let mut texts = Vec::with_capacity(lengths.len());
        for length in lengths {
            texts.push(std::str::from_utf8(piece(length as usize, &mut text)?).ok()?);
        }
        let mut segment = Self { words, size_of_words, texts, cards: Vec::new() };
        for _ in 0..small(rest)? {
            let card = card(rest)?;
            DocKind::split(segment.text(card.id))?;
            segment.cards.push(card);
        }
        rest.is_empty().then_some(segment)
    }

    pub(super) fn text(&self, number: u32) -> &'a str {
        self.texts.get(number as usize).copied().unwrap_or("")
    }

    /// All of its words.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        self.words.walk(&mut |word, _| words.push(word.to_owned()));
        words
    }

    /// The summary of its first entry.
    pub fn summary(&self) -> Option<&'a str> {
        self.cards.first()?.summary
    }
}

fn piece<'a>(size: usize, rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (piece, after) = rest.split_at_checked(size)?;
    *rest = after;
    Some(piece)
}

fn numbers(count: u32, rest: &mut &[u8]) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        numbers.push(small(rest)?);
    }
    Some(numbers)
}

fn time(rest: &mut &[u8]) -> Option<Timestamp> {
    let value = number(rest)?;
    Timestamp::from_millis("at", (value >> 1) as i64 ^ -((value & 1) as i64)).ok()
}

fn card<'a>(rest: &mut &'a [u8]) -> Option<Card<'a>> {
    let seq = number(rest)?;
    let times = [time(rest)?, time(rest)?, time(rest)?];
    let valid = if number(rest)? == 0 { None } else { Some([time(rest)?, time(rest)?]) };
    let (importance, after) = rest.split_first_chunk()?;
    let ([trust, low, high], after) = after.split_first_chunk()?;
    *rest = after;
    let read: [u32; 13] = numbers(13, rest)?.try_into().ok()?;
    let [length, id, namespace, session, agent, speaker, source, key, tags, fields, words, summary, vector] = read;
    let summary = match summary.checked_sub(1) {
        Some(size) => Some(std::str::from_utf8(piece(size as usize, rest)?).ok()?),
        None => None,
    };
    let vector = piece(vector as usize, rest)?;
    let listed = tags.checked_mul(2)?.checked_add(fields)?.checked_add(words)?;
    Some(Card {
        seq,
        times,
        valid,
        importance: Importance::new("importance", f64::from_le_bytes(*importance)).ok()?,
        trust: *trust,
        traits: u16::from_le_bytes([*low, *high]),
        length: length.max(1),
        id,
        namespace,
        names: [session, agent, speaker, source, key],
        summary,
        counts: [tags, fields, words],
        lists: numbers(listed, rest)?,
        vector,
    })
}
