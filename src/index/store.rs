//! The entries of an index: taken in, taken out, cleared away.

use super::doc::{Doc, Found, NONE, Row, field_text, intern};
use super::postings::{CONTENT, Posting, Postings, SUMMARY, TAGS, grow};
use super::search::Room;
use super::strings::Strings;
use super::vocabulary::Vocabulary;
use super::weights::Weights;
use crate::model::Json;
use crate::text::{Role, Traits, key, terms};

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
    pub(super) names: Strings,
    pub(super) lists: Vec<u32>,
    summaries: Vec<u8>,
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
    /// Reused between calls: the terms of the entry that is coming in, each once.
    incoming: Vec<Incoming>,
    /// For each term its place in `incoming`, if that is where it is. Nothing needs to be cleared between entries.
    places: Vec<u32>,
}

/// A term of the entry that is coming in.
#[derive(Clone, Debug)]
struct Incoming {
    term: u32,
    fields: u8,
    count: u32,
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
        self.remove(doc.id);
        let number = self.rows.len() as u32;
        let (length, traits) = self.take_terms(number, doc);
        let row = self.row(doc);
        let before = |known: &u32| self.rows.get(*known as usize).is_some_and(|known| known.seq < doc.seq);
        let place = self.order.partition_point(before);
        self.order.insert(place, number);
        if let Some(turns) = self.sessions.get_mut(row.session as usize) {
            let rows = &self.rows;
            let place = turns.partition_point(|known| rows.get(*known as usize).is_some_and(|row| row.seq < doc.seq));
            turns.insert(place, number);
        }
        let id = row.id as usize;
        if id >= self.doc_of_id.len() {
            self.doc_of_id.resize(id + 1, NONE);
        }
        self.doc_of_id[id] = number;
        grow(&mut self.rows, 1);
        self.rows.push(row);
        self.lengths.push(length);
        self.traits.push(traits);
        self.total_length += u64::from(length.min(LONG));
        self.live += 1;
    }

    /// Counts the terms of an entry into their lists, and says how many words and which traits it has.
    fn take_terms(&mut self, number: u32, doc: &Doc<'_>) -> (u32, Traits) {
        let mut incoming = std::mem::take(&mut self.incoming);
        incoming.clear();
        let mut length = 0_u32;
        // Who says it is a field of its own; before what is said, only the formula reads the name.
        let (label, said) = split_label(doc.text.content, doc.text.speaker);
        let mut traits = Traits::of(said);
        let (vocabulary, places) = (&mut self.vocabulary, &mut self.places);
        // A summary that is the beginning of the content says nothing twice.
        let beginning = doc.text.summary.trim_end_matches("...");
        let repeats = doc.text.content.trim_start().starts_with(beginning);
        let mut take = |text: &str, field: u8, weight: u32| {
            terms(text, &mut |term| {
                let as_written = term.role.in_formula();
                let number = vocabulary.intern(term.text, as_written);
                let fields = if as_written { field } else { 0 };
                let count = if term.role.in_best() { weight } else { 0 };
                if places.len() <= number as usize {
                    places.resize(number as usize + 1, 0);
                }
                let place = places.get(number as usize).copied().unwrap_or(0) as usize;
                match incoming.get_mut(place).filter(|known| known.term == number) {
                    Some(known) => {
                        known.fields |= fields;
                        known.count = known.count.saturating_add(count);
                    }
                    None => {
                        places[number as usize] = incoming.len() as u32;
                        incoming.push(Incoming { term: number, fields, count });
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
        for Incoming { term, fields, count } in &incoming {
            self.postings.push(*term, Posting { doc: number, fields: *fields, count: *count });
        }
        self.incoming = incoming;
        (length.max(1), traits)
    }

    fn row(&mut self, doc: &Doc<'_>) -> Row {
        let summary = (self.summaries.len() as u32, doc.summary.len() as u32);
        grow(&mut self.summaries, doc.summary.len());
        self.summaries.extend_from_slice(doc.summary.as_bytes());
        let names = self.lists.len() as u32;
        for tag in doc.tags {
            self.lists.push(self.names.intern(tag));
        }
        // One comparable form for each tag, also if the caller's two lists differ in length.
        for at in 0..doc.tags.len() {
            let tag = doc.text.tags.get(at).or(doc.tags.get(at)).map_or("", String::as_str);
            self.lists.push(self.names.intern(&key(tag)));
        }
        let before_fields = self.lists.len();
        if !doc.metadata.is_empty()
            && let Json::Object(fields) = doc.metadata.to_json()
        {
            let texts = fields.iter().filter_map(|(name, value)| field_text(name, value));
            self.lists.extend(texts.map(|text| self.names.intern(&text)));
        }
        let fields = (self.lists.len() - before_fields).min(usize::from(u16::MAX)) as u16;
        let session = intern(&mut self.session_names, doc.session);
        self.sessions.resize_with(self.session_names.len(), Vec::new);
        let speaker = intern(&mut self.speaker_names, doc.speaker);
        if self.speakers.len() < self.speaker_names.len() {
            let mut words = Vec::new();
            terms(doc.text.speaker, &mut |term| {
                if term.role == Role::Word {
                    words.push(term.text.to_owned());
                }
            });
            self.speakers.push(words);
        }
        Row {
            seq: doc.seq,
            created_at: doc.created_at,
            expires_at: doc.expires_at,
            at: doc.at,
            importance: doc.importance,
            id: self.ids.intern(doc.id),
            namespace: self.names.intern(doc.namespace),
            session,
            agent: intern(&mut self.names, doc.agent),
            speaker,
            source: intern(&mut self.names, doc.source),
            summary,
            names,
            tags: doc.tags.len().min(usize::from(u16::MAX)) as u16,
            fields,
            trust: doc.trust,
        }
    }

    /// Takes an entry out, and says whether it was there. Its summary is overwritten at once; its words leave the
    /// vocabulary with the next [`compact`](Self::compact).
    pub fn remove(&mut self, id: &str) -> bool {
        let Some(number) = self.number(id) else { return false };
        let at = number as usize;
        let row = self.rows[at].clone();
        self.doc_of_id[row.id as usize] = NONE;
        let seq = row.seq;
        remove_from(&mut self.order, &self.rows, number, seq);
        if let Some(turns) = self.sessions.get_mut(row.session as usize) {
            remove_from(turns, &self.rows, number, seq);
        }
        self.total_length -= u64::from(self.lengths[at].min(LONG));
        self.lengths[at] = 0;
        self.live -= 1;
        let (start, len) = (row.summary.0 as usize, row.summary.1 as usize);
        if let Some(text) = self.summaries.get_mut(start..start + len) {
            text.fill(0);
        }
        if self.rows.len() > 64 && self.rows.len() as u64 > 2 * u64::from(self.live) {
            self.compact();
        }
        true
    }

    /// Clears away what removed entries left behind: nothing of their words stays.
    pub fn compact(&mut self) {
        let old = std::mem::take(self);
        self.weights = old.weights.clone();
        let mut moved = vec![NONE; old.rows.len()];
        let mut kept = (0_u32..).zip(&old.rows).filter(|(number, _)| old.lengths[*number as usize] > 0);
        for (new, (number, row)) in (0_u32..).zip(&mut kept) {
            moved[number as usize] = new;
            let name = |name: u32| old.name(name);
            let names = row.names as usize..row.names as usize + 2 * usize::from(row.tags) + usize::from(row.fields);
            let start = self.lists.len() as u32;
            for name in old.lists.get(names).unwrap_or(&[]) {
                self.lists.push(self.names.intern(old.names.get(*name)));
            }
            let summary = (self.summaries.len() as u32, row.summary.1);
            self.summaries.extend_from_slice(old.summary(row).as_bytes());
            let session = (row.session != NONE).then(|| old.session_names.get(row.session));
            let speaker = row.speaker;
            let row = Row {
                id: self.ids.intern(old.ids.get(row.id)),
                namespace: self.names.intern(old.names.get(row.namespace)),
                session: intern(&mut self.session_names, session),
                agent: intern(&mut self.names, name(row.agent)),
                speaker: intern(&mut self.speaker_names, old.speaker(row)),
                source: intern(&mut self.names, name(row.source)),
                summary,
                names: start,
                ..row.clone()
            };
            if self.speakers.len() < self.speaker_names.len() {
                self.speakers.push(old.speakers.get(speaker as usize).cloned().unwrap_or_default());
            }
            self.sessions.resize_with(self.session_names.len(), Vec::new);
            self.doc_of_id.push(new);
            self.lengths.push(old.lengths[number as usize]);
            self.traits.push(old.traits[number as usize]);
            self.rows.push(row);
        }
        let keep =
            |list: &[u32]| list.iter().map(|number| moved[*number as usize]).filter(|new| *new != NONE).collect();
        self.order = keep(&old.order);
        for turns in &old.sessions {
            let turns: Vec<u32> = keep(turns);
            if let Some(row) = turns.first().and_then(|first| self.rows.get(*first as usize)) {
                self.sessions[row.session as usize] = turns;
            }
        }
        for term in 0..old.vocabulary.len() as u32 {
            for posting in old.postings.read(term) {
                let doc = moved[posting.doc as usize];
                if doc != NONE {
                    let new = self.vocabulary.intern(old.vocabulary.get(term), posting.fields != 0);
                    self.postings.push(new, Posting { doc, ..posting });
                }
            }
        }
        self.total_length = old.total_length;
        self.live = old.live;
    }

    pub(super) fn number(&self, id: &str) -> Option<u32> {
        let id = self.ids.find(id)?;
        self.doc_of_id.get(id as usize).copied().filter(|number| *number != NONE)
    }

    pub(super) fn id(&self, number: u32) -> &str {
        self.rows.get(number as usize).map_or("", |row| self.ids.get(row.id))
    }

    pub(super) fn name(&self, name: u32) -> Option<&str> {
        (name != NONE).then(|| self.names.get(name))
    }

    fn speaker(&self, row: &Row) -> Option<&str> {
        (row.speaker != NONE).then(|| self.speaker_names.get(row.speaker))
    }

    fn summary(&self, row: &Row) -> &str {
        let (start, len) = (row.summary.0 as usize, row.summary.1 as usize);
        self.summaries.get(start..start + len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }

    pub(super) fn found(&self, number: u32) -> Option<Found<'_>> {
        let row = self.rows.get(number as usize)?;
        let names = self.lists.get(row.names as usize..row.names as usize + usize::from(row.tags)).unwrap_or(&[]);
        Some(Found {
            id: self.ids.get(row.id),
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
        let lists =
            (self.lists.capacity() + self.doc_of_id.capacity() + self.places.capacity()) * 4 + self.traits.capacity();
        strings + self.postings.bytes() + rows + turns + lists + self.summaries.capacity()
    }
}

/// Parts `Ann: I see` into the label and what is said, if Ann is the speaker.
fn split_label<'a>(content: &'a str, speaker: &str) -> (&'a str, &'a str) {
    let rest = content.strip_prefix(speaker).filter(|_| !speaker.is_empty());
    match rest.and_then(|rest| rest.strip_prefix(':')) {
        Some(said) => content.split_at(content.len() - said.len()),
        None => ("", content),
    }
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
        index.remove("id");
        assert_eq!(found(&index, "new", Ranking::Best), Vec::<&str>::new());
        assert!(index.is_empty() && index.get("id").is_none());
        assert!(!index.summaries.windows(6).any(|bytes| bytes == b"second"), "X1: no text stays");
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
            changed.remove(&format!("id{n}"));
        }
        assert_eq!(answers(&changed), answers(&fresh));
        changed.compact();
        assert_eq!(answers(&changed), answers(&fresh));
        assert_eq!(changed.vocabulary.find("group1"), None);
        assert_eq!(changed.get("id9"), fresh.get("id9"));
        let newest =
            |index: &Index| index.newest(at(0), None, None).map(|found| found.id.to_owned()).collect::<Vec<_>>();
        assert_eq!(newest(&changed), newest(&fresh));
        assert!(!changed.remove("id1") && changed.remove("id9"));
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
