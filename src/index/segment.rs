//! Segments: what the index knows of some entries, as flat bytes. They are stored, and taken in again without taking
//! a text apart; an entry on its way into the index is a segment of one.
//!
//! First come the words ([`Wordlist`]), which can wait until somebody looks for them, then what is known of each entry.

use super::doc::DocKind;
use super::wordlist::{Wordlist, number, small};
use crate::model::{Importance, Timestamp};

/// What is stored of an index, and how texts are taken apart for it. An index of another format is rebuilt.
pub const FORMAT: u8 = 2;

/// What a segment says of one entry beside its words. Texts are numbers of the segment's list; where there may be none,
/// 0 is none and the rest is one higher.
#[derive(Clone, Debug)]
pub(super) struct Card<'a> {
    pub(super) seq: u64,
    /// Written, expires, happened.
    pub(super) times: [Timestamp; 3],
    pub(super) importance: Importance,
    pub(super) trust: u8,
    pub(super) traits: u8,
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
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (words, mut bytes) = split(bytes)?;
        let rest = &mut bytes;
        let lengths = (0..small(rest)?).map(|_| small(rest)).collect::<Option<Vec<u32>>>()?;
        let total = lengths.iter().fold(0_u64, |sum, length| sum.saturating_add((*length).into()));
        let (mut text, cards) = rest.split_at_checked(usize::try_from(total).ok()?)?;
        *rest = cards;
        let mut texts = Vec::with_capacity(lengths.len());
        for length in lengths {
            let (one, after) = text.split_at_checked(length as usize)?;
            texts.push(std::str::from_utf8(one).ok()?);
            text = after;
        }
        let cards = (0..small(rest)?).map(|_| card(rest)).collect::<Option<Vec<_>>>()?;
        let segment = Self { words: Wordlist::read(words)?, texts, cards };
        let all_known = segment.cards.iter().all(|card| DocKind::split(segment.text(card.id)).is_some());
        (rest.is_empty() && all_known).then_some(segment)
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

/// The words of a segment, and the rest of it.
pub(super) fn split(mut bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let size = small(&mut bytes)?;
    bytes.split_at_checked(size as usize)
}

fn card<'a>(rest: &mut &'a [u8]) -> Option<Card<'a>> {
    let seq = number(rest)?;
    let mut time = || {
        let value = number(rest)?;
        Timestamp::from_millis("at", (value >> 1) as i64 ^ -((value & 1) as i64)).ok()
    };
    let times = [time()?, time()?, time()?];
    let (importance, after) = rest.split_first_chunk()?;
    let ([trust, traits], after) = after.split_first_chunk()?;
    *rest = after;
    let mut numbers = [0; 13];
    for value in &mut numbers {
        *value = small(rest)?;
    }
    let [length, id, namespace, session, agent, speaker, source, key, tags, fields, words, summary, vector] = numbers;
    let summary = match summary.checked_sub(1) {
        Some(size) => {
            let (summary, after) = rest.split_at_checked(size as usize)?;
            *rest = after;
            Some(std::str::from_utf8(summary).ok()?)
        }
        None => None,
    };
    let (vector, after) = rest.split_at_checked(vector as usize)?;
    *rest = after;
    let listed = (tags as usize).checked_mul(2)?.checked_add(fields as usize)?.checked_add(words as usize)?;
    Some(Card {
        seq,
        times,
        importance: Importance::new("importance", f64::from_le_bytes(*importance)).ok()?,
        trust: *trust,
        traits: *traits,
        length: length.max(1),
        id,
        namespace,
        names: [session, agent, speaker, source, key],
        summary,
        counts: [tags, fields, words],
        lists: (0..listed).map(|_| small(rest)).collect::<Option<Vec<u32>>>()?,
        vector,
    })
}
