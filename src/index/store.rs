//! The entries of an index: taken in, taken out, written down, cleared away.

use super::arena::Arena;
use super::doc::{Doc, DocKind, Found, NONE, Row};
use super::postings::{Posting, Postings, grow};
use super::search::Room;
use super::segment::{Card, Segment, SegmentWriter};
use super::strings::Strings;
use super::vector::dimensions;
use super::vocabulary::Vocabulary;
use super::weights::Weights;
use crate::model::{Importance, Timestamp};
use crate::text::Traits;

/// More words than this do not move the average: one huge entry must not make all others look short (S3).
const LONG: u32 = 256;

/// The search index of one tenant, in memory. Adding costs the same whatever is there already; what was removed is
/// cleared away when it has become more than half.
///
/// Entries have numbers, in the order they came. Lists of them rise, which is what lets them be written as distances.
#[derive(Clone, Debug, Default)]
pub struct Index {
    pub(super) vocabulary: Vocabulary,
    pub(super) postings: Postings,
    pub(super) rows: Vec<Row>,
    /// The words of each entry; 0 if it is gone.
    pub(super) lengths: Vec<u32>,
    pub(super) traits: Vec<Traits>,
    /// The sum of `lengths`, each counted up to `LONG`, and how many are not 0.
    pub(super) total_length: u64,
    pub(super) live: u32,
    ids: Strings,
    /// The entry of each id, or `NONE`.
    doc_of_id: Vec<u32>,
    keys: Strings,
    /// The entry of each key, or `NONE`.
    doc_of_key: Vec<u32>,
    pub(super) names: Strings,
    /// How many entries each name has as its namespace, expired or not.
    held: Vec<u32>,
    pub(super) lists: Vec<u32>,
    summaries: Arena,
    pub(super) vectors: Arena,
    /// How many entries have a vector, and of how many numbers those are.
    pub(super) embedded: u32,
    dimensions: usize,
    /// Live entries by `seq`.
    pub(super) order: Vec<u32>,
    pub(super) session_names: Strings,
    /// The turns of each session, by `seq`.
    pub(super) sessions: Vec<Vec<u32>>,
    speaker_names: Strings,
    /// The words of each speaker's name.
    pub(super) speakers: Vec<Vec<String>>,
    pub(super) weights: Weights,
    pub(super) room: Room,
}

impl Index {
    /// An empty index whose best ranking weighs as said. `Index::default()` weighs as measured.
    pub fn with_weights(weights: Weights) -> Self {
        Self { weights, ..Self::default() }
    }

    /// How many entries there are, expired ones included.
    pub fn len(&self) -> usize {
        self.live as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Takes an entry in. One with the same id makes room for it.
    pub fn put(&mut self, doc: &Doc<'_>) {
        let mut writer = SegmentWriter::default();
        writer.write(doc);
        if let Some(segment) = Segment::read(&writer.finish()) {
            self.take(&segment);
        }
    }

    /// Takes the entries of a segment in. Those with the same ids make room for them.
    pub fn take(&mut self, segment: &Segment<'_>) {
        // The number of each text in the vocabulary, once it is known.
        let mut terms = vec![NONE; segment.len()];
        for card in segment.cards() {
            self.remove_full(segment.text(card.id));
            self.take_card(segment, &card, &mut terms);
        }
    }

    fn take_card(&mut self, segment: &Segment<'_>, card: &Card<'_>, terms: &mut [u32]) {
        let time = |millis| Timestamp::from_millis("at", millis).ok();
        let ([Some(created_at), Some(expires_at), Some(at)], Ok(importance)) =
            (card.times.map(time), Importance::new("importance", card.importance))
        else {
            return;
        };
        let Some((kind, _)) = DocKind::split(segment.text(card.id)) else { return };
        let number = self.rows.len() as u32;
        for (text, payload) in &card.terms {
            let Some(known) = terms.get_mut(*text as usize) else { continue };
            if *known == NONE {
                *known = self.vocabulary.intern(segment.text(*text));
            }
            let posting = Posting { doc: number, fields: *payload as u8 & 7, count: payload >> 3 };
            if posting.fields != 0 {
                self.vocabulary.mark_as_written(*known);
            }
            self.postings.push(*known, posting);
        }
        let name = |names: &mut Strings, text: u32| match text.checked_sub(1) {
            Some(text) => names.intern(segment.text(text)),
            None => NONE,
        };
        let [session, agent, speaker, source, key] = card.names;
        let names = self.lists.len() as u32;
        let [tags, fields, words] = card.counts;
        let (listed, words) = card.lists.split_at(card.lists.len().saturating_sub(words as usize));
        grow(&mut self.lists, listed.len());
        self.lists.extend(listed.iter().map(|text| self.names.intern(segment.text(*text))));
        let row = Row {
            seq: card.seq,
            created_at,
            expires_at,
            at,
            importance,
            id: self.ids.intern(segment.text(card.id)),
            namespace: self.names.intern(segment.text(card.namespace)),
            session: name(&mut self.session_names, session),
            agent: name(&mut self.names, agent),
            speaker: name(&mut self.speaker_names, speaker),
            source: name(&mut self.names, source),
            key: name(&mut self.keys, key),
            summary: (self.summaries.push(card.summary.as_bytes()), card.summary.len() as u32),
            vector: (self.vectors.push(card.vector), card.vector.len() as u32),
            names,
            tags: tags.min(u32::from(u16::MAX)) as u16,
            fields: fields.min(u32::from(u16::MAX)) as u16,
            trust: card.trust,
            kind,
        };
        self.sessions.resize_with(self.session_names.len(), Vec::new);
        if self.speakers.len() < self.speaker_names.len() {
            self.speakers.push(words.iter().map(|text| segment.text(*text).to_owned()).collect());
        }
        insert(&mut self.order, &self.rows, number, card.seq);
        if let Some(turns) = self.sessions.get_mut(row.session as usize) {
            insert(turns, &self.rows, number, card.seq);
        }
        *slot(&mut self.doc_of_id, row.id, NONE) = number;
        if row.key != NONE {
            *slot(&mut self.doc_of_key, row.key, NONE) = number;
        }
        *slot(&mut self.held, row.namespace, 0) += 1;
        if !card.vector.is_empty() {
            self.embedded += 1;
            self.dimensions = dimensions(card.vector);
        }
        grow(&mut self.rows, 1);
        self.rows.push(row);
        self.lengths.push(card.length);
        self.traits.push(Traits::from_bits(card.traits));
        self.total_length += u64::from(card.length.min(LONG));
        self.live += 1;
    }

    /// Takes an entry out, and says whether it was there. Its summary is overwritten at once; its words leave the
    /// vocabulary with the next [`compact`](Self::compact).
    pub fn remove(&mut self, kind: DocKind, id: &str) -> bool {
        self.remove_full(&kind.with(id))
    }

    fn remove_full(&mut self, full: &str) -> bool {
        let Some(number) = self.number_of(full) else { return false };
        let at = number as usize;
        let row = self.rows[at].clone();
        self.doc_of_id[row.id as usize] = NONE;
        if let Some(known) = self.doc_of_key.get_mut(row.key as usize).filter(|known| **known == number) {
            *known = NONE;
        }
        *slot(&mut self.held, row.namespace, 1) -= 1;
        remove_from(&mut self.order, &self.rows, number, row.seq);
        if let Some(turns) = self.sessions.get_mut(row.session as usize) {
            remove_from(turns, &self.rows, number, row.seq);
        }
        self.total_length -= u64::from(self.lengths[at].min(LONG));
        self.lengths[at] = 0;
        self.live -= 1;
        self.summaries.erase(row.summary.0, row.summary.1);
        self.vectors.erase(row.vector.0, row.vector.1);
        self.embedded -= u32::from(row.vector.1 > 0);
        if self.rows.len() > 64 && self.rows.len() as u64 > 2 * u64::from(self.live) {
            self.compact();
        }
        true
    }

    /// Clears away what removed entries left behind: nothing of their words stays.
    pub fn compact(&mut self) {
        let old = std::mem::take(self);
        self.weights = old.weights.clone();
        // Each piece is a walk through all lists: few pieces, and none of them as large as the index.
        for piece in old.order.chunks(4096.max(old.order.len() / 8)) {
            let mut writer = SegmentWriter::default();
            old.write(piece, &mut writer);
            if let Some(segment) = Segment::read(&writer.finish()) {
                self.take(&segment);
            }
        }
    }

    /// The entries whose places in the order of writing lie in `places`, as a segment. Walks through all lists.
    pub fn segment(&self, places: std::ops::Range<u64>) -> Vec<u8> {
        let start = self.order.partition_point(|number| self.seq(*number) < places.start);
        let end = self.order.partition_point(|number| self.seq(*number) < places.end);
        let mut writer = SegmentWriter::default();
        self.write(self.order.get(start..end).unwrap_or(&[]), &mut writer);
        writer.finish()
    }

    /// Writes entries down as they were taken in.
    fn write(&self, numbers: &[u32], writer: &mut SegmentWriter) {
        let mut place = vec![NONE; self.rows.len()];
        for (at, number) in (0_u32..).zip(numbers) {
            place[*number as usize] = at;
        }
        let mut terms: Vec<Vec<(u32, u32)>> = vec![Vec::new(); numbers.len()];
        for term in 0..self.vocabulary.len() as u32 {
            let mut text = NONE;
            for posting in self.postings.read(term) {
                let wanted = place.get(posting.doc as usize).and_then(|at| terms.get_mut(*at as usize));
                if let Some(terms) = wanted {
                    if text == NONE {
                        text = writer.texts.intern(self.vocabulary.get(term));
                    }
                    terms.push((text, posting.count << 3 | u32::from(posting.fields)));
                }
            }
        }
        let some = |names: &Strings, name: u32, writer: &mut SegmentWriter| {
            if name == NONE { 0 } else { writer.texts.intern(names.get(name)) + 1 }
        };
        for (number, terms) in numbers.iter().zip(terms) {
            let at = *number as usize;
            let Some(row) = self.rows.get(at) else { continue };
            let listed = row.names as usize..row.names as usize + 2 * usize::from(row.tags) + usize::from(row.fields);
            let listed = self.lists.get(listed).unwrap_or(&[]);
            let words = self.speakers.get(row.speaker as usize).map_or(&[][..], Vec::as_slice);
            let mut lists: Vec<u32> = listed.iter().map(|name| writer.texts.intern(self.names.get(*name))).collect();
            lists.extend(words.iter().map(|word| writer.texts.intern(word)));
            let card = Card {
                seq: row.seq,
                times: [row.created_at, row.expires_at, row.at].map(Timestamp::millis),
                importance: row.importance.get(),
                trust: row.trust,
                traits: self.traits.get(at).map_or(0, |traits| traits.bits()),
                length: self.lengths.get(at).copied().unwrap_or(1),
                id: writer.texts.intern(self.ids.get(row.id)),
                namespace: writer.texts.intern(self.names.get(row.namespace)),
                names: [
                    some(&self.session_names, row.session, writer),
                    some(&self.names, row.agent, writer),
                    some(&self.speaker_names, row.speaker, writer),
                    some(&self.names, row.source, writer),
                    some(&self.keys, row.key, writer),
                ],
                summary: self.summary(row),
                counts: [row.tags.into(), row.fields.into(), words.len() as u32],
                lists,
                vector: self.vectors.get(row.vector.0, row.vector.1),
                terms,
            };
            writer.push(&card);
        }
    }

    fn seq(&self, number: u32) -> u64 {
        self.rows.get(number as usize).map_or(0, |row| row.seq)
    }

    /// The id of the entry about `key`, expired or not.
    pub fn about(&self, key: &str) -> Option<&str> {
        let number = *self.doc_of_key.get(self.keys.find(key)? as usize)?;
        (number != NONE).then(|| self.id(number))
    }

    /// How many entries a namespace holds, expired or not.
    pub fn held(&self, namespace: &str) -> usize {
        self.names.find(namespace).and_then(|name| self.held.get(name as usize)).map_or(0, |held| *held as usize)
    }

    /// The turns of a session, of every kind, in the order of writing.
    pub fn session(&self, session: &str) -> impl Iterator<Item = Found<'_>> {
        let turns = self.session_names.find(session).and_then(|session| self.sessions.get(session as usize));
        turns.map_or(&[][..], Vec::as_slice).iter().filter_map(|number| self.found(*number))
    }

    /// Whether a word, as words are compared, is part of a speaker's name.
    pub fn is_speaker(&self, word: &str) -> bool {
        self.speakers.iter().any(|words| words.iter().any(|known| known == word))
    }

    /// How many numbers its vectors have; nothing if there is no vector.
    pub fn dimensions(&self) -> Option<usize> {
        (self.embedded > 0).then_some(self.dimensions)
    }

    /// The entries without a vector that have not expired, in the order of writing.
    pub fn without_vector(&self, now: Timestamp) -> impl Iterator<Item = Found<'_>> {
        let lacks = move |number: &&u32| {
            let row = self.rows.get(**number as usize);
            row.is_some_and(|row| row.vector.1 == 0 && row.expires_at > now && row.kind == DocKind::Entry)
        };
        self.order.iter().filter(lacks).filter_map(|number| self.found(*number))
    }

    /// How many entries lie in `places` of the order of writing.
    pub fn between(&self, places: &std::ops::Range<u64>) -> usize {
        let before = |seq: u64| self.order.partition_point(|number| self.seq(*number) < seq);
        before(places.end) - before(places.start)
    }

    /// The number of an entry.
    pub(super) fn number(&self, id: &str) -> Option<u32> {
        self.number_of(&DocKind::Entry.with(id))
    }

    fn number_of(&self, full: &str) -> Option<u32> {
        let id = self.ids.find(full)?;
        self.doc_of_id.get(id as usize).copied().filter(|number| *number != NONE)
    }

    pub(super) fn id(&self, number: u32) -> &str {
        let full = self.rows.get(number as usize).map_or("", |row| self.ids.get(row.id));
        full.get(1..).unwrap_or("")
    }

    pub(super) fn name(&self, name: u32) -> Option<&str> {
        (name != NONE).then(|| self.names.get(name))
    }

    fn speaker(&self, row: &Row) -> Option<&str> {
        (row.speaker != NONE).then(|| self.speaker_names.get(row.speaker))
    }

    fn summary(&self, row: &Row) -> &str {
        std::str::from_utf8(self.summaries.get(row.summary.0, row.summary.1)).unwrap_or("")
    }

    pub(super) fn found(&self, number: u32) -> Option<Found<'_>> {
        let row = self.rows.get(number as usize)?;
        let names = self.lists.get(row.names as usize..row.names as usize + usize::from(row.tags)).unwrap_or(&[]);
        Some(Found {
            kind: row.kind,
            id: self.id(number),
            seq: row.seq,
            namespace: self.names.get(row.namespace),
            summary: self.summary(row),
            tags: names.iter().map(|name| self.names.get(*name)).collect(),
            importance: row.importance,
            created_at: row.created_at,
            expires_at: row.expires_at,
            at: row.at,
            session: (row.session != NONE).then(|| self.session_names.get(row.session)),
            agent: self.name(row.agent),
            speaker: self.speaker(row),
            source: self.name(row.source),
            trust: row.trust,
        })
    }

    /// About how many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        let strings = self.ids.bytes() + self.names.bytes() + self.session_names.bytes() + self.vocabulary.bytes();
        let rows = self.rows.capacity() * size_of::<Row>() + (self.lengths.capacity() + self.order.capacity()) * 4;
        let turns: usize = self.sessions.iter().map(|turns| turns.capacity() * 4 + size_of::<Vec<u32>>()).sum();
        let lists = (self.lists.capacity() + self.doc_of_id.capacity()) * 4 + self.traits.capacity();
        strings + self.postings.bytes() + rows + turns + lists + self.summaries.bytes() + self.vectors.bytes()
    }
}

/// The place of `at` in a list that grows as needed.
fn slot(list: &mut Vec<u32>, at: u32, empty: u32) -> &mut u32 {
    let at = at as usize;
    if at >= list.len() {
        list.resize(at + 1, empty);
    }
    &mut list[at]
}

/// Puts `number` into a list that is ordered by `seq`.
fn insert(list: &mut Vec<u32>, rows: &[Row], number: u32, seq: u64) {
    let before = |known: &u32| rows.get(*known as usize).is_some_and(|row| row.seq < seq);
    // Nearly always the last.
    let place = if list.last().is_none_or(before) { list.len() } else { list.partition_point(before) };
    list.insert(place, number);
}

/// Removes `number` from a list that is ordered by `seq`.
fn remove_from(list: &mut Vec<u32>, rows: &[Row], number: u32, seq: u64) {
    let start = list.partition_point(|known| rows.get(*known as usize).is_some_and(|row| row.seq < seq));
    if let Some(at) = list.get(start..).and_then(|tail| tail.iter().position(|known| *known == number)) {
        list.remove(start + at);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, all, at, found, index, put};
    use super::super::{Query, Ranking};
    use super::*;

    const BOTH: [Ranking; 2] = [Ranking::Formula, Ranking::Best];

    #[test]
    fn the_same_id_replaces_and_a_removed_entry_is_found_no_more() {
        let mut index = index(&[Sample { content: "old words", summary: "first", ..Sample::default() }]);
        put(&mut index, &Sample { content: "new words", summary: "second", ..Sample::default() });
        assert_eq!((index.len(), index.get("id").unwrap().summary), (1, "second"));
        for ranking in BOTH {
            assert_eq!(found(&index, "old", ranking), Vec::<&str>::new());
            assert_eq!(found(&index, "new", ranking), ["id"]);
        }
        index.remove(DocKind::Entry, "id");
        assert_eq!(found(&index, "new", Ranking::Best), Vec::<&str>::new());
        assert!(index.is_empty() && index.get("id").is_none());
        let second = format!("{:?}", b"second");
        assert!(!format!("{:?}", index.summaries).contains(second.trim_matches(['[', ']'])), "X1: no text stays");
    }

    #[test]
    fn x1_compaction_changes_no_answer_and_leaves_no_word_behind() {
        let text =
            |n: u64| format!("entry {n} speaks of topic{} and group{} {}", n % 7, n % 3, "x".repeat(n as usize % 5));
        let mut changed = Index::default();
        let mut fresh = Index::default();
        for n in 0..300 {
            let (id, content, session) = (format!("id{n}"), text(n), format!("s{}", n % 4));
            let sample = Sample {
                id: &id,
                seq: n,
                content: &content,
                summary: &content,
                tags: "Tag other",
                session: (n % 2 == 0).then_some(&session),
                speaker: Some(if n % 4 == 0 { "Ann" } else { "Bob" }),
                metadata: "{\"k\":1}",
                ..Sample::default()
            };
            put(&mut changed, &sample);
            if n % 3 == 0 {
                put(&mut fresh, &sample);
            }
        }
        let answers = |index: &Index| {
            let mut answers = Vec::new();
            for text in ["topic3 group0", "entry Ann", "when did Bob speak of topic1?", "tag"] {
                for ranking in BOTH {
                    answers.extend(all(index, text, ranking).iter().map(|hit| (hit.found.id.to_owned(), hit.score)));
                }
            }
            answers
        };
        for n in (0..300).filter(|n| n % 3 != 0) {
            changed.remove(DocKind::Entry, &format!("id{n}"));
        }
        assert_eq!(answers(&changed), answers(&fresh));
        changed.compact();
        assert_eq!(answers(&changed), answers(&fresh));
        assert_eq!(changed.vocabulary.find("group1"), None);
        assert_eq!(changed.get("id9"), fresh.get("id9"));
        let newest =
            |index: &Index| index.newest(at(0), None, None).map(|found| found.id.to_owned()).collect::<Vec<_>>();
        assert_eq!(newest(&changed), newest(&fresh));
        assert!(!changed.remove(DocKind::Entry, "id1") && changed.remove(DocKind::Entry, "id9"));
        assert_eq!(changed.len(), 99);
    }

    #[test]
    fn a_text_is_found_by_its_first_words_in_any_language() {
        let texts = [
            "The deploy keys rotate on Mondays",
            "日本語の文章です",
            "tie\u{302}\u{301}ng Vie\u{323}\u{302}t",
            "ภาษาไทยง่าย",
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}\u{110b}\u{1165} \u{1103}\u{1166}",
            "مرحبا بالعالم",
            "שלום עולם",
            "привет мир",
            "नमस्ते दुनिया",
            "🎉🎉 party",
            "src/index/mod.rs v1.2.3",
            "猫",
            "C 3",
        ];
        let ids: Vec<String> = (0..texts.len()).map(|n| n.to_string()).collect();
        let samples = ids.iter().zip(texts).map(|(id, content)| Sample { id, content, ..Sample::default() });
        let index = index(&samples.collect::<Vec<_>>());
        for (id, text) in ids.iter().zip(texts) {
            assert_eq!(found(&index, text, Ranking::Best).first(), Some(&id.as_str()), "{text}");
            let first: String = text.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
            let hits = index.search(&Query { limit: 1, ..Query::new(&first, Ranking::Best) }, at(0));
            assert_eq!(hits[0].found.id, id, "{text}");
        }
    }

    #[test]
    fn absurd_texts_do_no_harm() {
        let huge = "a\u{301}. 日本 x_y ".repeat(6_000);
        let index = index(&[Sample { content: &huge, summary: "\u{0}\u{301}\u{301}", ..Sample::default() }]);
        for ranking in BOTH {
            assert_eq!(found(&index, &huge, ranking), ["id"]);
            assert_eq!(found(&index, "\u{301}", ranking), Vec::<&str>::new());
        }
    }
}
