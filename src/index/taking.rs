//! Adds entries to an index, and removes them.

use super::doc::{Doc, DocKind, NONE, Row};
use super::postings::grow;
use super::segment::{Card, Segment};
use super::store::Index;
use super::strings::Strings;
use super::vector::dimensions;
use super::writer::SegmentWriter;
use crate::text::{Traits, Voice, name_words};

/// The most words that count for the average length: one huge entry must not make all others look short (S3).
const LONG: u32 = 256;

impl Index {
    /// Adds an entry. It replaces one with the same id.
    pub fn put(&mut self, doc: &Doc<'_>) {
        let mut writer = SegmentWriter::default();
        writer.write(doc);
        if let Some(segment) = Segment::read(&writer.finish()) {
            self.take(&segment);
            self.tidy();
        }
    }

    /// Adds the entries of a segment. They replace those with the same ids.
    pub fn take(&mut self, segment: &Segment<'_>) {
        let first = self.take_cards(segment);
        self.words.get_mut().take(&segment.words, first);
    }

    /// Loads a stored segment, whose words are decoded on demand. Returns whether the bytes are a segment.
    pub fn load(&mut self, bytes: &[u8]) -> bool {
        let Some(segment) = Segment::read(bytes) else { return false };
        let first = self.take_cards(&segment);
        let words = bytes.get(..segment.size_of_words).unwrap_or(bytes).to_vec();
        self.words.get_mut().keep(words, first, self.rows.len() as u32);
        true
    }

    /// Makes room for about so many more entries at once: lists that grow while a large index is loaded leave holes.
    pub fn expect(&mut self, entries: usize) {
        fn room<T>(list: &mut Vec<T>, more: usize) {
            // Without room for all it grows step by step.
            list.try_reserve_exact(more).unwrap_or_default();
        }
        room(&mut self.rows, entries);
        room(&mut self.lengths, entries);
        room(&mut self.traits, entries);
        room(&mut self.places, entries);
        room(&mut self.order, entries);
        room(&mut self.doc_of_id, entries);
    }

    /// Adds the entries of a segment without their words. Returns the number of the first.
    fn take_cards(&mut self, segment: &Segment<'_>) -> u32 {
        let first = self.rows.len() as u32;
        for card in &segment.cards {
            self.remove_full(segment.text(card.id));
            self.take_card(segment, card);
        }
        first
    }

    fn take_card(&mut self, segment: &Segment<'_>, card: &Card<'_>) {
        let number = self.rows.len() as u32;
        let (kind, _) = DocKind::split(segment.text(card.id)).unwrap_or_default();
        let [created_at, expires_at, at] = card.times;
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
            importance: card.importance,
            id: self.ids.intern(segment.text(card.id)),
            namespace: self.names.intern(segment.text(card.namespace)),
            session: name(&mut self.session_names, session),
            agent: name(&mut self.names, agent),
            speaker: name(&mut self.speaker_names, speaker),
            source: name(&mut self.names, source),
            key: name(&mut self.keys, key),
            summary: card.summary.map_or((NONE, 0), |text| (self.summaries.push(text.as_bytes()), text.len() as u32)),
            vector: (self.vectors.push(card.vector), card.vector.len() as u32),
            names,
            span: card.valid.map_or(NONE, |span| {
                self.spans.push(span);
                self.spans.len() as u32 - 1
            }),
            tags: tags.min(u32::from(u16::MAX)) as u16,
            fields: fields.min(u32::from(u16::MAX)) as u16,
            trust: card.trust,
            kind,
        };
        self.sessions.resize_with(self.session_names.len(), Vec::new);
        if self.speakers.len() < self.speaker_names.len() {
            let mut words: Vec<String> = words.iter().map(|text| segment.text(*text).to_owned()).collect();
            // Segments of earlier releases have no words for a name written without spaces.
            if words.is_empty() {
                name_words(self.speaker_names.get(row.speaker), &mut |word| words.push(word.to_owned()));
            }
            self.speakers.push(words);
        }
        insert(&mut self.order, &self.rows, number, card.seq);
        if let Some(turns) = self.sessions.get_mut(row.session as usize) {
            insert(turns, &self.rows, number, card.seq);
        }
        let traits = Traits::from_bits(card.traits);
        self.said += u32::from(row.is_said());
        self.said_by_user[row.kind as usize] += u32::from(traits.voice() == Voice::User);
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
        self.traits.push(traits);
        self.join(number);
        self.total_length += u64::from(card.length.min(LONG));
        self.live += 1;
    }

    /// Removes an entry, and returns whether it existed. Its summary is overwritten at once; its words leave the
    /// vocabulary with the next [`compact`](Self::compact), which [`tidy`](Self::tidy) triggers.
    pub fn remove(&mut self, kind: DocKind, id: &str) -> bool {
        self.remove_full(&kind.with(id))
    }

    /// Caches the summary of an entry.
    pub fn remember(&mut self, kind: DocKind, id: &str, summary: &str) {
        let number = self.number_of(&kind.with(id));
        let row = number.and_then(|number| self.rows.get_mut(number as usize));
        if let Some(row) = row.filter(|row| row.summary.0 == NONE) {
            row.summary = (self.summaries.push(summary.as_bytes()), summary.len() as u32);
        }
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
        self.said -= u32::from(row.is_said());
        self.said_by_user[row.kind as usize] -= u32::from(self.traits[at].voice() == Voice::User);
        self.part(number);
        remove_from(&mut self.order, &self.rows, number, row.seq);
        if let Some(turns) = self.sessions.get_mut(row.session as usize) {
            remove_from(turns, &self.rows, number, row.seq);
        }
        self.total_length -= u64::from(self.lengths[at].min(LONG));
        self.lengths[at] = 0;
        self.live -= 1;
        self.deleted += 1;
        self.summaries.erase(row.summary.0, row.summary.1);
        self.vectors.erase(row.vector.0, row.vector.1);
        self.embedded -= u32::from(row.vector.1 > 0);
        true
    }

    /// Compacts if more is deleted than alive. Entry numbers change, so not while entries are added. Called after many
    /// removals, not between them: if nothing is left, nothing is copied.
    pub fn tidy(&mut self) {
        if self.is_untidy() {
            self.compact();
        }
    }

    /// Whether more is deleted than alive.
    pub fn is_untidy(&self) -> bool {
        self.rows.len() > 64 && self.rows.len() as u64 > 2 * u64::from(self.live)
    }
}

/// The slot `at` of a list that grows as needed.
pub(super) fn slot(list: &mut Vec<u32>, at: u32, empty: u32) -> &mut u32 {
    let at = at as usize;
    if at >= list.len() {
        list.resize(at + 1, empty);
    }
    &mut list[at]
}

/// Inserts `number` into a list ordered by `seq`.
fn insert(list: &mut Vec<u32>, rows: &[Row], number: u32, seq: u64) {
    let before = |known: &u32| rows.get(*known as usize).is_some_and(|row| row.seq < seq);
    // Almost always the last.
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
        assert_eq!((index.len(), index.get("id").unwrap().summary), (1, Some("second")));
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
        assert_eq!(changed.words.get_mut().vocabulary.find("group1"), None);
        assert_eq!(changed.get("id9"), fresh.get("id9"));
        let newest =
            |index: &Index| index.newest(at(0), None, None, None).map(|found| found.id.to_owned()).collect::<Vec<_>>();
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
