//! Terms and their entries. The words of stored segments are decoded on demand: most are never searched, and decoding
//! all of them would take most of the time of opening.

use super::doc::NONE;
use super::postings::{Posting, Postings, Reader};
use super::taking::slot;
use super::vocabulary::Vocabulary;
use super::wordlist::{Wordlist, beginning};

/// The terms of an index and their lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    pub(super) vocabulary: Vocabulary,
    /// The lists; incomplete while segments are pending, unless the term was looked up.
    pub(super) postings: Postings,
    waiting: Vec<Waiting>,
    /// The words of entries below this number are pending. Lists are rising, so only those of the first entries can be.
    waiting_below: u32,
    /// The number of pending segments whose words are in the vocabulary.
    known: usize,
    /// 1 for each term whose list is complete, while segments are pending.
    whole: Vec<u32>,
}

/// A segment whose words are not decoded yet.
#[derive(Clone, Debug)]
struct Waiting {
    bytes: Vec<u8>,
    /// The beginnings of some of its words, and of the first of all. A search looks into every segment, and mostly for forms
    /// of its words that none has.
    fence: Vec<u32>,
    lowest: u32,
    /// The number of its first entry.
    first: u32,
}

impl Waiting {
    fn words(&self) -> Option<Wordlist<'_>> {
        Wordlist::read(&mut self.bytes.as_slice())
    }

    /// The entries that have a term.
    fn find(&self, term: &[u8]) -> Option<impl Iterator<Item = Posting>> {
        let held = if beginning(term) < self.lowest { None } else { self.words()?.find(&self.fence, term) }?;
        Some(held.map(|held| Posting { doc: self.first.saturating_add(held.doc), ..held }))
    }
}

impl Words {
    fn push(&mut self, term: u32, posting: Posting) {
        if posting.fields != 0 {
            self.vocabulary.mark_as_written(term);
        }
        self.postings.push(term, posting);
    }

    /// Adds the words of a segment whose first entry has the number `first`.
    pub(super) fn take(&mut self, words: &Wordlist<'_>, first: u32) {
        words.walk(&mut |word, held| {
            let term = self.vocabulary.intern(word);
            for posting in held {
                self.push(term, Posting { doc: first.saturating_add(posting.doc), ..posting });
            }
        });
    }

    /// Keeps a segment of entries from `first` up to `end` for decoding on demand, or decodes it at once if it must.
    pub(super) fn keep(&mut self, bytes: Vec<u8>, first: u32, end: u32) {
        let Some(words) = Wordlist::read(&mut bytes.as_slice()) else { return };
        if first == self.waiting_below {
            let fence = words.fence();
            let lowest = fence.first().copied().unwrap_or(u32::MAX);
            self.waiting.push(Waiting { bytes, fence, lowest, first });
            self.waiting_below = end;
        } else {
            self.take(&words, first);
        }
    }

    /// The number of a term with its complete list, if an entry has it.
    pub(super) fn find(&mut self, text: &str) -> Option<u32> {
        let known = self.vocabulary.find(text);
        let is_whole = |term: u32| self.whole.get(term as usize) == Some(&1);
        if !self.waiting.is_empty() && !known.is_some_and(is_whole) {
            return self.make_whole(text, known);
        }
        known
    }

    /// The list of a term.
    pub(super) fn list(&mut self, text: &str) -> Reader<'_> {
        let known = self.find(text);
        self.postings.read(known.unwrap_or(NONE))
    }

    /// The complete list of a term that has a number.
    pub(super) fn whole_list(&mut self, term: u32) -> Reader<'_> {
        if !self.waiting.is_empty() && self.whole.get(term as usize) != Some(&1) {
            let text = self.vocabulary.get(term).to_owned();
            self.make_whole(&text, Some(term));
        }
        self.postings.read(term)
    }

    /// Gives numbers to the pending words as written, without their lists.
    pub(super) fn know_waiting(&mut self) {
        for waiting in self.waiting.iter().skip(std::mem::replace(&mut self.known, self.waiting.len())) {
            let Some(words) = waiting.words() else { continue };
            words.walk(&mut |word, mut held| {
                if held.any(|posting| posting.fields != 0) {
                    let term = self.vocabulary.intern(word);
                    self.vocabulary.mark_as_written(term);
                }
            });
        }
    }

    /// Decodes the pending entries of one term. A term without entries gets no number: queries must not fill the
    /// memory.
    fn make_whole(&mut self, text: &str, known: Option<u32>) -> Option<u32> {
        let mut found: Vec<Posting> = Vec::new();
        for waiting in &self.waiting {
            found.extend(waiting.find(text.as_bytes()).into_iter().flatten());
        }
        if found.is_empty() && known.is_none() {
            return None;
        }
        let term = self.vocabulary.intern(text);
        found.extend(self.postings.read(term));
        self.postings.clear(term);
        for posting in found {
            self.push(term, posting);
        }
        *slot(&mut self.whole, term, 0) = 1;
        Some(term)
    }

    /// Decodes everything that is pending. The lists are rebuilt: first the pending entries, then the newer ones.
    pub(super) fn take_waiting(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let since = std::mem::take(&mut self.postings);
        let end = std::mem::take(&mut self.waiting_below);
        self.whole = Vec::new();
        self.known = 0;
        for waiting in std::mem::take(&mut self.waiting) {
            if let Some(words) = waiting.words() {
                self.take(&words, waiting.first);
            }
        }
        for term in 0..self.vocabulary.len() as u32 {
            for posting in since.read(term).filter(|posting| posting.doc >= end) {
                self.postings.push(term, posting);
            }
        }
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let waiting = self.waiting.iter().map(|waiting| waiting.bytes.capacity() + waiting.fence.capacity() * 4);
        let waiting: usize = waiting.sum();
        self.vocabulary.bytes() + self.postings.bytes() + waiting + self.whole.capacity() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, all, put};
    use super::super::{DocKind, Index, Ranking, Segment, SegmentWriter};

    /// Reloads an index from stored segments, one for each `span` places of the order of writing.
    fn loaded(index: &Index, span: u64, end: u64) -> Index {
        let mut loaded = Index::default();
        for start in (0..end).step_by(span as usize) {
            let mut writer = SegmentWriter::default();
            for places in [start..start + span / 2, start + span / 2..start + span] {
                let bytes = index.segment(0..places.end + 3);
                writer.copy(&Segment::read(&bytes).unwrap(), &|seq| places.contains(&seq));
            }
            assert!(loaded.load(&writer.finish()));
        }
        loaded
    }

    fn say(index: &mut Index, seq: u64, chance: u64) {
        let content = format!("word{chance} tells of topic{} and group{}", chance % 7, chance % 3);
        let sample = Sample { id: &seq.to_string(), seq, content: &content, summary: &content, ..Sample::default() };
        let sample = Sample { session: chance.is_multiple_of(2).then_some("s"), tags: "Tag other", ..sample };
        put(index, &sample);
    }

    /// Whether both answer the same, except for the summaries.
    fn same(one: &Index, other: &Index, query: &str, ranking: Ranking) {
        let answers = |index: &Index| {
            let hits = all(index, query, ranking).into_iter();
            hits.map(|hit| (hit.found.id.to_owned(), hit.score, hit.receipt)).collect::<Vec<_>>()
        };
        assert_eq!(answers(one), answers(other), "{query}");
    }

    #[test]
    fn words_that_wait_answer_as_those_that_do_not() {
        let mut state = 7_u64;
        let mut roll = |sides: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % sides
        };
        for round in 0..40 {
            let mut eager = Index::default();
            let count = roll(150);
            // In another order than they were written, as records are read.
            for at in 0..count {
                say(&mut eager, at * 37 % count.max(38), roll(50));
            }
            let mut lazy = loaded(&eager, 1 + roll(60), count.max(38));
            for _ in 0..60 {
                let seq = roll(count + 60);
                match roll(4) {
                    0 | 1 => {
                        let chance = roll(50);
                        say(&mut eager, seq, chance);
                        say(&mut lazy, seq, chance);
                    }
                    2 => {
                        let id = seq.to_string();
                        assert_eq!(eager.remove(DocKind::Entry, &id), lazy.remove(DocKind::Entry, &id));
                    }
                    _ => {
                        let query = format!("topic{} word{} group1 ot tells", roll(8), roll(60));
                        // The formula decodes everything, so in some rounds it is never used.
                        let ranking = if roll(4) == 0 && round % 2 == 0 { Ranking::Formula } else { Ranking::Best };
                        same(&eager, &lazy, &query, ranking);
                    }
                }
            }
            eager.compact();
            lazy.compact();
            same(&eager, &lazy, "topic3 tells word7", Ranking::Best);
            same(&eager, &lazy, "opic3 word", Ranking::Formula);
        }
    }
}
