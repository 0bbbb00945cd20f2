//! Builds segments: from entries, or from other segments.

use super::doc::{Doc, NONE, field_text};
use super::names::Calls;
use super::postings::{CONTENT, Posting, Postings, SUMMARY, TAGS};
use super::segment::{Card, Segment};
use super::strings::Strings;
use super::taking::slot;
use super::wordlist::{self, push_number};
use crate::model::{Json, Timestamp};
use crate::text::{Role, Stems, Traits, Voice, key, name_words, terms_with};

/// A segment being built.
#[derive(Debug, Default)]
pub struct SegmentWriter {
    pub(super) texts: Strings,
    cards: Vec<u8>,
    /// The number of entries.
    entries: u32,
    terms: Strings,
    lists: Postings,
    stems: Stems,
}

impl SegmentWriter {
    /// Tokenises an entry and adds it.
    pub fn write(&mut self, doc: &Doc<'_>) {
        if self.entries == 1 {
            self.stems.keep();
        }
        let (length, traits) = self.take_apart(doc);
        let mut card = Card {
            seq: doc.seq,
            times: [doc.created_at, doc.expires_at, doc.at],
            valid: doc.valid,
            importance: doc.importance,
            trust: doc.trust,
            traits: traits.bits(),
            length,
            id: self.texts.intern(&doc.kind.with(doc.id)),
            namespace: self.texts.intern(doc.namespace),
            names: [doc.session, doc.agent, doc.speaker, doc.source, doc.key]
                .map(|name| name.map_or(0, |name| self.texts.intern(name) + 1)),
            summary: Some(doc.summary),
            counts: [doc.tags.len() as u32, 0, 0],
            lists: doc.tags.iter().map(|tag| self.texts.intern(tag)).collect(),
            vector: doc.vector,
        };
        // One normalised form per tag, also if the caller's two arrays differ in length.
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
        name_words(doc.text.speaker, &mut |word| {
            card.lists.push(self.texts.intern(word));
            card.counts[2] += 1;
        });
        self.push(&card);
    }

    /// Counts the terms of an entry. Returns the number of its words and its traits.
    fn take_apart(&mut self, doc: &Doc<'_>) -> (u32, Traits) {
        let mut found: Vec<(u32, Posting)> = Vec::new();
        // The index of each term in `found`, if it is there.
        let mut places: Vec<u32> = Vec::new();
        let mut length = 0_u32;
        // The speaker is a separate field; only the formula reads the name before the text.
        let (label, said) = split_label(doc.text.content, doc.text.speaker);
        let by_anybody = doc.voice == Voice::Other && doc.speaker.is_none() && doc.session.is_some();
        let mut traits = Traits::of(said, doc.voice, by_anybody);
        // A summary that is the beginning of the content adds no words.
        let beginning = doc.text.summary.strip_suffix("...").unwrap_or(doc.text.summary);
        let repeats = doc.text.content.trim_start().starts_with(beginning);
        // The neighbouring turns tell who is addressed by a name.
        let mut calls = Calls::default();
        let mut take = |text: &str, field: u8, weight: u32| {
            terms_with(&mut self.stems, text, &mut |term| {
                if term.role == Role::Word && doc.session.is_some() && doc.speaker.is_some() {
                    calls.see(&term);
                }
                let number = self.terms.intern(term.text);
                let fields = if term.role.in_formula() { field } else { 0 };
                let count = if term.role.in_best() { weight } else { 0 };
                let place = slot(&mut places, number, 0);
                match found.get_mut(*place as usize).filter(|(known, _)| *known == number) {
                    Some((_, posting)) => {
                        posting.fields |= fields;
                        posting.count = posting.count.saturating_add(count);
                    }
                    None => {
                        *place = found.len() as u32;
                        found.push((number, Posting { doc: self.entries, fields, count }));
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
        for name in calls.names {
            let called = Posting { doc: self.entries, fields: 0, count: 0 };
            found.push((self.terms.intern(&name), called));
        }
        for (term, posting) in found {
            self.lists.push(term, posting);
        }
        (length.max(1), traits)
    }

    /// Adds an entry, by its place in the segment, to the list of a term.
    pub(super) fn hold(&mut self, term: &str, posting: Posting) {
        self.lists.push(self.terms.intern(term), posting);
    }

    /// Copies the entries of a segment that `keep` selects by their place in the order of writing, in the stored form:
    /// without summaries, which the records have.
    pub fn copy(&mut self, segment: &Segment<'_>, keep: &dyn Fn(u64) -> bool) {
        let mut places = vec![NONE; segment.cards.len()];
        for (card, place) in segment.cards.iter().zip(&mut places).filter(|(card, _)| keep(card.seq)) {
            *place = self.entries;
            let mut card = Card { summary: None, ..card.clone() };
            let mut renumber = |number: &mut u32| *number = self.texts.intern(segment.text(*number));
            renumber(&mut card.id);
            renumber(&mut card.namespace);
            card.lists.iter_mut().for_each(&mut renumber);
            for name in card.names.iter_mut().filter(|name| **name > 0) {
                *name -= 1;
                renumber(name);
                *name += 1;
            }
            self.push(&card);
        }
        segment.words.walk(&mut |word, held| {
            for posting in held {
                if let Some(place) = places.get(posting.doc as usize).filter(|place| **place != NONE) {
                    self.hold(word, Posting { doc: *place, ..posting });
                }
            }
        });
    }

    /// Adds a card whose numbers are those of `texts`.
    pub(super) fn push(&mut self, card: &Card<'_>) {
        self.number(card.seq);
        card.times.into_iter().for_each(|time| self.time(time));
        self.number(card.valid.is_some().into());
        card.valid.into_iter().flatten().for_each(|time| self.time(time));
        self.cards.extend(card.importance.get().to_le_bytes());
        self.cards.push(card.trust);
        self.cards.extend(card.traits.to_le_bytes());
        let [session, agent, speaker, source, key] = card.names;
        let [tags, fields, words] = card.counts;
        let (summary, vector) = (card.summary.map_or(0, |summary| summary.len() as u32 + 1), card.vector.len() as u32);
        let Card { length, id, namespace, .. } = *card;
        let numbers =
            [length, id, namespace, session, agent, speaker, source, key, tags, fields, words, summary, vector];
        for value in numbers {
            self.number(value.into());
        }
        self.cards.extend(card.summary.unwrap_or("").as_bytes());
        self.cards.extend(card.vector);
        for value in &card.lists {
            self.number((*value).into());
        }
        self.entries += 1;
    }

    fn time(&mut self, time: Timestamp) {
        let time = time.millis();
        self.number((time << 1 ^ time >> 63) as u64);
    }

    fn number(&mut self, value: u64) {
        push_number(&mut self.cards, value);
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        wordlist::write(&self.terms, &self.lists, &mut bytes);
        let count = self.texts.len() as u32;
        push_number(&mut bytes, count.into());
        for text in 0..count {
            push_number(&mut bytes, self.texts.get(text).len() as u64);
        }
        for text in 0..count {
            bytes.extend(self.texts.get(text).as_bytes());
        }
        push_number(&mut bytes, self.entries.into());
        bytes.extend(self.cards);
        bytes
    }
}

/// Splits `Ann: I see` into the label and the text, if Ann is the speaker.
fn split_label<'a>(content: &'a str, speaker: &str) -> (&'a str, &'a str) {
    let rest = content.strip_prefix(speaker).filter(|_| !speaker.is_empty());
    let said = rest.and_then(|rest| rest.strip_prefix(':'));
    said.and_then(|said| content.split_at_checked(content.len() - said.len())).unwrap_or(("", content))
}
