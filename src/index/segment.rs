//! Segments: what the index knows of some entries, as flat bytes. They are stored, and taken in again without taking
//! a text apart; an entry on its way into the index is a segment of one.
//!
//! First come the words ([`Wordlist`]), which can wait until somebody looks for them, then what is known of each entry.

use super::doc::DocKind;
use super::wordlist::{Wordlist, number, small};
use crate::model::{Importance, Timestamp};

/// What is stored of an index, and how texts are taken apart for it. An index of another format is rebuilt.
pub const FORMAT: u8 = 4;

/// What a segment says of one entry beside its words. Texts are numbers of the segment's list; where there may be none,
/// 0 is none and the rest is one higher.
#[derive(Clone, Debug)]
pub(super) struct Card<'a> {
    pub(super) seq: u64,
    /// Written, expires, happened.
    pub(super) times: [Timestamp; 3],
    pub(super) importance: Importance,
    pub(super) trust: u8,
    pub(super) traits: u16,
    /// How many words it has; at least 1.
    pub(super) length: u32,
    pub(super) id: u32,
    pub(super) namespace: u32,
    /// Session, agent, speaker, source, key; each may be none.
    pub(super) names: [u32; 5],
    /// The summary, if it is at hand: what is stored has none, because the record has it.
    pub(super) summary: Option<&'a str>,
    /// How many tags, fields of the metadata, and words of the speaker's name are in `lists`.
    pub(super) counts: [u32; 3],
    /// The tags, the tags as they are compared, the fields, the speaker's words.
    pub(super) lists: Vec<u32>,
    /// Where its content lies among others; may be empty.
    pub(super) vector: &'a [u8],
}

/// A segment that was read.
#[derive(Debug)]
pub struct Segment<'a> {
    pub(super) words: Wordlist<'a>,
    texts: Vec<&'a str>,
    pub(super) cards: Vec<Card<'a>>,
}

impl<'a> Segment<'a> {
    /// Reads a segment; nothing if the bytes are not one. Beyond this point nothing is trusted either: a number that
    /// leads nowhere is an empty text.
    pub fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let rest = &mut bytes;
        let words = Wordlist::read(rest)?;
        let lengths = numbers(small(rest)?, rest)?;
        let total = lengths.iter().fold(0_u64, |sum, length| sum.saturating_add((*length).into()));
        let mut text = piece(usize::try_from(total).ok()?, rest)?;
        let mut texts = Vec::with_capacity(lengths.len());
        for length in lengths {
            texts.push(std::str::from_utf8(piece(length as usize, &mut text)?).ok()?);
        }
        let mut segment = Self { words, texts, cards: Vec::new() };
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

fn card<'a>(rest: &mut &'a [u8]) -> Option<Card<'a>> {
    let seq = number(rest)?;
    let mut time = || {
        let value = number(rest)?;
        Timestamp::from_millis("at", (value >> 1) as i64 ^ -((value & 1) as i64)).ok()
    };
    let times = [time()?, time()?, time()?];
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
