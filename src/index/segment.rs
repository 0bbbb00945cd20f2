//! Segments: what the index knows of some entries, as flat bytes. They are stored, and taken in again without taking
//! a text apart; an entry on its way into the index is a segment of one.

use super::doc::{Doc, field_text};
use super::postings::{CONTENT, SUMMARY, TAGS};
use super::strings::Strings;
use crate::model::Json;
use crate::text::{Role, Traits, key, terms};

/// What is stored of an index, and how texts are taken apart for it. An index of another format is rebuilt.
pub const FORMAT: u8 = 1;

/// What a segment says of one entry. Texts are numbers of the segment's list; where there may be none, 0 is none and
/// the rest is one higher.
#[derive(Clone, Debug, Default)]
pub(super) struct Card<'a> {
    pub(super) seq: u64,
    /// Written, expires, happened, in milliseconds.
    pub(super) times: [i64; 3],
    pub(super) importance: f64,
    pub(super) trust: u8,
    pub(super) traits: u8,
    /// How many words it has; at least 1.
    pub(super) length: u32,
    pub(super) id: u32,
    pub(super) namespace: u32,
    /// Session, agent, speaker, source, key; each may be none.
    pub(super) names: [u32; 5],
    pub(super) summary: &'a str,
    /// How many tags, fields of the metadata, and words of the speaker's name are in `lists`.
    pub(super) counts: [u32; 3],
    /// The tags, the tags as they are compared, the fields, the speaker's words.
    pub(super) lists: Vec<u32>,
    /// Where its content lies among others; may be empty.
    pub(super) vector: &'a [u8],
    /// Each term once, with in which fields it is (the lowest three bits) and how often.
    pub(super) terms: Vec<(u32, u32)>,
}

/// A segment that was read.
#[derive(Debug)]
pub struct Segment<'a> {
    texts: Vec<&'a str>,
    cards: &'a [u8],
}

impl<'a> Segment<'a> {
    /// Reads a segment; nothing if the bytes are not one. Beyond this point nothing is trusted either: a number that
    /// leads nowhere is an empty text.
    pub fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let rest = &mut bytes;
        let count = number(rest)? as usize;
        let lengths: Option<Vec<u64>> = (0..count.min(rest.len())).map(|_| number(rest)).collect();
        let total = lengths.as_ref()?.iter().fold(0_u64, |sum, length| sum.saturating_add(*length));
        let (text, cards) = rest.split_at_checked(usize::try_from(total).ok()?)?;
        let text = std::str::from_utf8(text).ok()?;
        let mut at = 0;
        let mut texts = Vec::with_capacity(count.min(text.len() + 1));
        for length in lengths? {
            let end = at + length as usize;
            texts.push(text.get(at..end)?);
            at = end;
        }
        Some(Self { texts, cards })
    }

    pub(super) fn text(&self, number: u32) -> &'a str {
        self.texts.get(number as usize).copied().unwrap_or("")
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Its entries. Whatever cannot be read ends them: a checksum has already said that the bytes are as written.
    pub(super) fn cards(&self) -> impl Iterator<Item = Card<'a>> {
        let mut rest = self.cards;
        std::iter::from_fn(move || card(&mut rest))
    }
}

fn number(rest: &mut &[u8]) -> Option<u64> {
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

fn small(rest: &mut &[u8]) -> Option<u32> {
    u32::try_from(number(rest)?).ok()
}

fn card<'a>(rest: &mut &'a [u8]) -> Option<Card<'a>> {
    let seq = number(rest)?;
    let mut times = [0; 3];
    for time in &mut times {
        let value = number(rest)?;
        *time = (value >> 1) as i64 ^ -((value & 1) as i64);
    }
    let (importance, after) = rest.split_first_chunk()?;
    let ([trust, traits], after) = after.split_first_chunk()?;
    *rest = after;
    let mut numbers = [0; 13];
    for value in &mut numbers {
        *value = small(rest)?;
    }
    let [length, id, namespace, session, agent, speaker, source, key, tags, fields, words, summary, vector] = numbers;
    let (summary, after) = rest.split_at_checked(summary as usize)?;
    let (vector, after) = after.split_at_checked(vector as usize)?;
    *rest = after;
    let listed = (tags as usize * 2).checked_add(fields as usize)?.checked_add(words as usize)?;
    let lists = (0..listed.min(rest.len())).map(|_| small(rest)).collect::<Option<Vec<u32>>>()?;
    let count = small(rest)? as usize;
    let terms = (0..count.min(rest.len())).map(|_| Some((small(rest)?, small(rest)?)));
    Some(Card {
        seq,
        times,
        importance: f64::from_le_bytes(*importance),
        trust: *trust,
        traits: *traits,
        length: length.max(1),
        id,
        namespace,
        names: [session, agent, speaker, source, key],
        summary: std::str::from_utf8(summary).ok()?,
        counts: [tags, fields, words],
        lists,
        vector,
        terms: terms.collect::<Option<Vec<_>>>()?,
    })
}

/// A segment being put together.
#[derive(Debug, Default)]
pub struct SegmentWriter {
    pub(super) texts: Strings,
    cards: Vec<u8>,
}

impl SegmentWriter {
    /// Takes an entry apart and writes it down.
    pub fn write(&mut self, doc: &Doc<'_>) {
        let (terms, length, traits) = self.terms(doc);
        let mut card = Card {
            seq: doc.seq,
            times: [doc.created_at, doc.expires_at, doc.at].map(crate::model::Timestamp::millis),
            importance: doc.importance.get(),
            trust: doc.trust,
            traits: traits.bits(),
            length,
            id: self.texts.intern(&doc.kind.with(doc.id)),
            namespace: self.texts.intern(doc.namespace),
            names: [doc.session, doc.agent, doc.speaker, doc.source, doc.key]
                .map(|name| name.map_or(0, |name| self.texts.intern(name) + 1)),
            summary: doc.summary,
            counts: [doc.tags.len() as u32, 0, 0],
            lists: doc.tags.iter().map(|tag| self.texts.intern(tag)).collect(),
            vector: doc.vector,
            terms,
        };
        // One comparable form for each tag, also if the caller's two lists differ in length.
        for at in 0..doc.tags.len() {
            let tag = doc.text.tags.get(at).or(doc.tags.get(at)).map_or("", String::as_str);
            card.lists.push(self.texts.intern(&key(tag)));
        }
        if !doc.metadata.is_empty()
            && let Json::Object(fields) = doc.metadata.to_json()
        {
            for text in fields.iter().filter_map(|(name, value)| field_text(name, value)) {
                card.lists.push(self.texts.intern(&text));
                card.counts[1] += 1;
            }
        }
        crate::text::terms(doc.text.speaker, &mut |term| {
            if term.role == Role::Word {
                card.lists.push(self.texts.intern(term.text));
                card.counts[2] += 1;
            }
        });
        self.push(&card);
    }

    /// Counts the terms of an entry, and says how many words and which traits it has.
    fn terms(&mut self, doc: &Doc<'_>) -> (Vec<(u32, u32)>, u32, Traits) {
        let mut found: Vec<(u32, u32)> = Vec::new();
        // For each text its place in `found`, if that is where it is.
        let mut places: Vec<u32> = Vec::new();
        let mut length = 0_u32;
        // Who says it is a field of its own; before what is said, only the formula reads the name.
        let (label, said) = split_label(doc.text.content, doc.text.speaker);
        let mut traits = Traits::of(said);
        let texts = &mut self.texts;
        // A summary that is the beginning of the content says nothing twice.
        let beginning = doc.text.summary.trim_end_matches("...");
        let repeats = doc.text.content.trim_start().starts_with(beginning);
        let mut take = |text: &str, field: u8, weight: u32| {
            terms(text, &mut |term| {
                let number = texts.intern(term.text) as usize;
                let fields = if term.role.in_formula() { field } else { 0 };
                let count = if term.role.in_best() { weight } else { 0 };
                if places.len() <= number {
                    places.resize(number + 1, 0);
                }
                match found.get_mut(places[number] as usize).filter(|(known, _)| *known as usize == number) {
                    Some((_, payload)) => *payload = (*payload | u32::from(fields)).saturating_add(count << 3),
                    None => {
                        places[number] = found.len() as u32;
                        found.push((number as u32, count << 3 | u32::from(fields)));
                    }
                }
                if field & CONTENT != 0 && weight > 0 {
                    traits.see(&term);
                }
                length += u32::from(matches!(term.role, Role::Stem | Role::Pair | Role::Lone) && count > 0);
            });
        };
        if doc.text.summary == doc.text.content {
            take(label, SUMMARY | CONTENT, 0);
            take(said, SUMMARY | CONTENT, 2);
        } else {
            take(doc.text.summary, SUMMARY, if repeats { 0 } else { 2 });
            take(label, CONTENT, 0);
            take(said, CONTENT, 2);
        }
        for tag in doc.text.tags {
            take(tag, TAGS, 3);
        }
        (found, length.max(1), traits)
    }

    /// Copies the entries of a segment, except those that `drop` names by their place in the order of writing.
    pub fn copy(&mut self, segment: &Segment<'_>, keep: &dyn Fn(u64) -> bool) {
        for mut card in segment.cards().filter(|card| keep(card.seq)) {
            let mut renumber = |number: &mut u32| *number = self.texts.intern(segment.text(*number));
            renumber(&mut card.id);
            renumber(&mut card.namespace);
            card.lists.iter_mut().for_each(&mut renumber);
            card.terms.iter_mut().for_each(|(term, _)| renumber(term));
            for name in card.names.iter_mut().filter(|name| **name > 0) {
                *name -= 1;
                renumber(name);
                *name += 1;
            }
            self.push(&card);
        }
    }

    /// Writes down a card whose numbers are those of `texts`.
    pub(super) fn push(&mut self, card: &Card<'_>) {
        self.number(card.seq);
        for time in card.times {
            self.number((time << 1 ^ time >> 63) as u64);
        }
        self.cards.extend(card.importance.to_le_bytes());
        self.cards.extend([card.trust, card.traits]);
        let [session, agent, speaker, source, key] = card.names;
        let [tags, fields, words] = card.counts;
        let (summary, vector) = (card.summary.len() as u32, card.vector.len() as u32);
        let Card { length, id, namespace, .. } = *card;
        let numbers =
            [length, id, namespace, session, agent, speaker, source, key, tags, fields, words, summary, vector];
        for value in numbers {
            self.number(value.into());
        }
        self.cards.extend(card.summary.as_bytes());
        self.cards.extend(card.vector);
        for value in &card.lists {
            self.number((*value).into());
        }
        self.number(card.terms.len() as u64);
        for (term, payload) in &card.terms {
            self.number((*term).into());
            self.number((*payload).into());
        }
    }

    fn number(&mut self, value: u64) {
        push_number(&mut self.cards, value);
    }

    /// Whether there is no entry in it.
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.cards.len() + self.texts.bytes() / 2);
        let count = self.texts.len() as u32;
        push_number(&mut bytes, count.into());
        for text in 0..count {
            push_number(&mut bytes, self.texts.get(text).len() as u64);
        }
        for text in 0..count {
            bytes.extend(self.texts.get(text).as_bytes());
        }
        bytes.extend(self.cards);
        bytes
    }
}

fn push_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Parts `Ann: I see` into the label and what is said, if Ann is the speaker.
fn split_label<'a>(content: &'a str, speaker: &str) -> (&'a str, &'a str) {
    let rest = content.strip_prefix(speaker).filter(|_| !speaker.is_empty());
    match rest.and_then(|rest| rest.strip_prefix(':')) {
        Some(said) => content.split_at(content.len() - said.len()),
        None => ("", content),
    }
}
