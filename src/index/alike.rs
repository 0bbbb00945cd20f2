//! Words with similar spelling. A question that is not in English has inflected forms that no stemmer here knows, so
//! each of its words stands for the group of indexed words that share most of their letters with it.
//!
//! The similarity depends on the two words alone, never on the rest of the vocabulary: adding or deleting an entry must
//! not change the score of others. The vocabulary is scanned, so there is no table to store or update; the groups of the
//! last words are kept.

use super::best::{ENOUGH, WHOLE};
use super::postings::Posting;
use super::search::Scratch;
use super::store::Index;
use super::words::Words;
use crate::model::sort;
use crate::text::ends_asking;

/// The lowest similarity of two words of a group, in percent.
const ALIKE: u32 = 40;

/// The most words of a group, not counting words that no entry has.
const MOST: usize = 12;

/// The character n-grams of a word with its edges: 4-grams of `_word_`, or bigrams in Hangul, where a character is a
/// syllable. An apostrophe is an edge as well: `l'homme`, `İzmir'de`.
fn each_gram(word: &str, see: &mut dyn FnMut(u64)) -> u32 {
    let hangul = word.starts_with(|c| matches!(c, '가'..='힣'));
    let (size, mask) = if hangul { (2, 0xFFFF_FFFF) } else { (4, u64::MAX) };
    let (mut gram, mut read, mut count) = (u64::from(b'_'), 1, 0);
    for c in word.chars().chain(['_']) {
        gram = gram << 16 | u64::from(letter(c));
        read += 1;
        if read >= size {
            see(gram & mask);
            count += 1;
        }
    }
    if count == 0 {
        see(gram);
        count = 1;
    }
    count
}

/// A character in its compared form. The last letter of a Hebrew word has its own form, whose code point is just before
/// the regular one.
fn letter(c: char) -> u16 {
    match c {
        '\'' => u16::from(b'_'),
        'ך' | 'ם' | 'ן' | 'ף' | 'ץ' => c as u16 + 1,
        _ => c as u16,
    }
}

/// A bit set of the n-grams of a word.
fn signature(word: &str) -> u64 {
    let mut bits = 0;
    each_gram(word, &mut |gram| bits |= 1 << (gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58));
    bits
}

/// The similarity of a word to the one with these n-grams (Dice's coefficient), in units of [`WHOLE`].
fn likeness(grams: &[u64], word: &str) -> u32 {
    let mut shared = 0;
    let count = each_gram(word, &mut |gram| shared += u32::from(grams.contains(&gram)));
    let own = grams.len() as u32;
    2 * shared.min(own) * WHOLE / (own + count)
}

/// Whether a word is only compared exactly: a number, or a short Latin word with accents, which distinguish words in
/// Vietnamese.
fn is_exact(word: &str) -> bool {
    let is_accent = |c: &char| matches!(c, '\u{300}'..='\u{36f}');
    let letters = word.chars().filter(|c| !is_accent(c)).count();
    let vietnamese = letters < 5 && word.starts_with(|c: char| c < '\u{250}') && word.chars().any(|c| is_accent(&c));
    vietnamese || word.contains(|c: char| c.is_ascii_digit())
}

impl Index {
    /// Whether the entries are probably English: one in sixteen contains `the`. In a small memory this cannot be
    /// decided: then `text`, which has no English function words, counts as English if it is keywords, and not if it is
    /// a whole question.
    pub(super) fn is_english(&self, text: &str) -> bool {
        let wanted = (self.live / 16).min(64) as usize;
        if wanted == 0 {
            return !ends_asking(text) || text.split_whitespace().nth(2).is_none();
        }
        let is_live = |posting: &Posting| self.lengths.get(posting.doc as usize).is_some_and(|length| *length > 0);
        self.words.borrow_mut().list("the").filter(is_live).take(wanted).count() == wanted
    }
}

impl Words {
    /// Reads the entries with a word similar to `text` into `scratch.read`, with their counts in halves.
    pub(super) fn read_alike(&mut self, text: &str, scratch: &mut Scratch, is_live: &dyn Fn(u32) -> bool) {
        self.know_waiting();
        let mut group: Vec<(u32, u32)> = Vec::new();
        let exact = is_exact(text);
        if exact {
            group.extend(self.vocabulary.find(text).map(|term| (term, WHOLE)));
        } else {
            // The terms that were added since the last search for the word.
            let mut known = self.vocabulary.take_group(text);
            let mut grams = Vec::new();
            let count = each_gram(text, &mut |gram| grams.push(gram));
            let likely = self.vocabulary.resembling(known.compared, signature(text), count, ALIKE, &signature);
            let alike = likely.into_iter().map(|term| (term, likeness(&grams, self.vocabulary.get(term))));
            known.terms.extend(alike.filter(|(_, likeness)| *likeness >= WHOLE * ALIKE / 100));
            known.compared = self.vocabulary.len();
            group.extend(known.terms.iter().filter(|(term, _)| self.vocabulary.is_written(*term)));
            self.vocabulary.keep_group(known);
        }
        let mut order: Vec<u32> = (0..group.len() as u32).collect();
        sort(&mut order, &mut |one, other| {
            let (one, other) = (group[*one as usize], group[*other as usize]);
            other.1.cmp(&one.1).then_with(|| self.vocabulary.get(one.0).cmp(self.vocabulary.get(other.0)))
        });
        let Scratch { read, counts, counted, .. } = scratch;
        let mut members = 0;
        for at in order {
            let (term, likeness) = group[at as usize];
            // The vocabulary keeps words of deleted entries until it is compacted. Such a word that is still the stem
            // of another one must not count: a rebuilt index would not have it as a word.
            let mut written = self.whole_list(term).filter(|posting| posting.fields != 0 && is_live(posting.doc));
            if !exact && written.next().is_none() {
                continue;
            }
            let mut held = false;
            for posting in self.whole_list(term).filter(|posting| is_live(posting.doc)) {
                let Some(sum) = counts.get_mut(posting.doc as usize) else { continue };
                if sum[0] == 0 {
                    counted.push(posting.doc);
                }
                // A word with a stem is counted under the stem: here only its occurrence is known, not its count.
                let count = if posting.count == 0 { 2 } else { posting.count.min(ENOUGH) };
                sum[0] += count * likeness;
                held = true;
            }
            members += usize::from(held);
            if members == MOST {
                break;
            }
        }
        sort(counted, &mut u32::cmp);
        for doc in counted.drain(..) {
            let [sum, _] = counts.get_mut(doc as usize).map(std::mem::take).unwrap_or_default();
            read.push((doc, ((sum + WHOLE / 2) / WHOLE).min(ENOUGH)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ranking;
    use super::super::sample::{Sample, all, found, index};
    use super::*;

    const B: Ranking = Ranking::Best;

    fn alike(one: &str, other: &str) -> bool {
        let mut grams = Vec::new();
        each_gram(one, &mut |gram| grams.push(gram));
        likeness(&grams, other) >= WHOLE * ALIKE / 100
    }

    #[test]
    fn forms_of_a_word_are_alike_and_other_words_are_not() {
        for (one, other) in [
            ("книги", "книга"),
            ("kirche", "kirchen"),
            ("kitaplar", "kitapları"),
            ("izmir", "izmir'de"),
            ("homme", "l'homme"),
            ("الكتاب", "كتاب"),
            ("도서관", "도서관에서"),
            ("학교", "학교를"),
            ("भाषा", "भाषाओं"),
            ("מאבן", "מאבנים"),
            ("a", "a"),
        ] {
            assert!(alike(one, other) && alike(other, one), "{one} {other}");
        }
        for (one, other) in [("книга", "кошка"), ("haus", "maus"), ("학교", "도서관"), ("a", "b"), ("", "a")]
        {
            assert!(!alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn numbers_and_short_words_with_accents_are_like_no_other() {
        for word in ["42", "b12", "a\u{301}", "tie\u{302}\u{301}n", "vie\u{323}\u{302}t"] {
            assert!(is_exact(word), "{word}");
        }
        // Without an accent, with five letters, and in another script: `ɐ` is the first letter after the Latin ones.
        for word in ["", "a", "viet", "tie\u{302}\u{301}ng", "и\u{306}", "ɐ\u{301}", "\u{250}\u{301}b"] {
            assert!(!is_exact(word), "{word}");
        }
    }

    fn library() -> Index {
        index(&[
            Sample {
                id: "book", content: "Анна купила старую книгу на рынке", ..Sample::default()
            },
            Sample { id: "cat", content: "У Бориса живёт рыжая кошка", ..Sample::default() },
            Sample { id: "train", content: "Поезд опоздал на два часа", ..Sample::default() },
        ])
    }

    #[test]
    fn inflected_words_are_found_and_the_receipt_names_those_of_the_question() {
        let index = library();
        assert_eq!(found(&index, "Где продаются старые книги?", B)[0], "book");
        assert_eq!(found(&index, "рыжие кошки", B)[0], "cat");
        for hit in all(&index, "Где продаются старые книги?", B) {
            assert_eq!(hit.receipt.iter().fold(0.0, |sum, part| sum + part.value), hit.score);
            let named = hit.receipt.iter().filter(|part| part.label == "word").map(|part| part.term.as_str());
            assert_eq!(named.collect::<Vec<_>>(), ["старые", "книги"]);
        }
    }

    /// `key` is a word of the deleted entry, and the stem of a word of the other one.
    #[test]
    fn f44_a_word_of_a_deleted_entry_changes_no_score() {
        let stays = Sample { id: "stays", seq: 2, content: "keys steam teapot", ..Sample::default() };
        let mut index = index(&[Sample { id: "goes", seq: 1, content: "key", ..Sample::default() }, stays]);
        index.remove(crate::index::DocKind::Entry, "goes");
        let fresh = super::super::sample::index(&[stays]);
        let scores = |index: &Index| all(index, "ένα key", B).iter().map(|hit| hit.score).collect::<Vec<_>>();
        assert_eq!(scores(&index), scores(&fresh));
    }

    #[test]
    fn english_questions_and_numbers_are_compared_as_ever() {
        let index = index(&[
            Sample { id: "1984", content: "Роман вышел в 1984 году", ..Sample::default() },
            Sample { id: "1985", content: "Фильм вышел в 1985 году", ..Sample::default() },
            Sample { id: "paint", content: "She painted the mountains", ..Sample::default() },
            Sample { id: "pain", content: "There was pain in the mount", ..Sample::default() },
        ]);
        assert_eq!(found(&index, "1984", B), ["1984"]);
        assert_eq!(found(&index, "в 1985 г", B)[0], "1985");
        assert_eq!(found(&index, "Who is painting a mountain?", B), ["paint"]);
    }

    #[test]
    fn whole_questions_of_a_small_memory_are_in_their_own_language() {
        let index = index(&[
            Sample { id: "library", content: "Perpustakaan tutup lebih awal", ..Sample::default() },
            Sample { id: "painter", content: "Whitney repainted walls", ..Sample::default() },
        ]);
        assert_eq!(found(&index, "Kapan perpustakaannya ditutup?", B), ["library"]);
        assert_eq!(found(&index, "perpustakaannya", B), Vec::<&str>::new(), "a keyword may be English");
        assert_eq!(found(&index, "Who was repainting a wall?", B), ["painter"]);
    }

    #[test]
    fn keywords_follow_the_language_of_the_memory() {
        let remember = |texts: [&str; 2]| {
            let ids: Vec<String> = (0..40).map(|n| n.to_string()).collect();
            let texts: Vec<String> = (0..40).map(|n| format!("{} {n}", texts[usize::from(n > 0)])).collect();
            let samples = ids.iter().zip(&texts).map(|(id, content)| Sample { id, content, ..Sample::default() });
            index(&samples.collect::<Vec<_>>())
        };
        let german = remember(["Eine Gemeinde renoviert Kirchen", "Sonne und Regen heute"]);
        assert_eq!(found(&german, "renovierte Kirche", B)[0], "0");
        assert_eq!(found(&german, "Kirche", B), ["0"]);
        let english = remember(["A keyboard for the office", "The keys rotate on Mondays"]);
        assert!(!found(&english, "rotated key", B).contains(&"0"), "stems alone are compared");
    }

    #[test]
    fn a_word_that_was_sought_before_finds_the_words_that_came_since() {
        let mut index = library();
        let scores = |index: &Index| {
            let hits = all(index, "старые книги", B).into_iter();
            hits.map(|hit| (hit.found.id.to_owned(), hit.score)).collect::<Vec<_>>()
        };
        assert_eq!(scores(&index).len(), 1);
        let new =
            Sample { id: "shelf", seq: 9, content: "Книгой больше на полке", ..Sample::default() };
        super::super::sample::put(&mut index, &new);
        let mut fresh = library();
        super::super::sample::put(&mut fresh, &new);
        assert_eq!(scores(&index).len(), 2);
        assert_eq!(scores(&index), scores(&fresh));
    }

    #[test]
    fn entries_that_are_gone_change_no_score() {
        let mut changed = library();
        for n in 0..40 {
            let (id, content) = (format!("gone{n}"), format!("книг{n}а книга{n} книгу книгой"));
            super::super::sample::put(&mut changed, &Sample { id: &id, content: &content, ..Sample::default() });
        }
        for n in 0..40 {
            changed.remove(super::super::DocKind::Entry, &format!("gone{n}"));
        }
        let scores = |index: &Index| {
            let hits = all(index, "старые книги", B).into_iter();
            hits.map(|hit| (hit.found.id.to_owned(), hit.score)).collect::<Vec<_>>()
        };
        assert_eq!(scores(&changed), scores(&library()));
    }

    #[test]
    fn a_group_is_small_however_many_words_look_alike() {
        let words: Vec<String> = (0..50_000_u32).map(|n| format!("wortschatz{}", letters(n))).collect();
        let ids: Vec<String> = (0..50).map(|n| n.to_string()).collect();
        let texts: Vec<String> = words.chunks(1000).map(|words| words.join(" ")).collect();
        let samples = ids.iter().zip(&texts).map(|(id, content)| Sample { id, content, ..Sample::default() });
        let index = index(&samples.collect::<Vec<_>>());
        let mut scratch = Scratch { counts: vec![[0; 2]; 50], ..Scratch::default() };
        index.words.borrow_mut().read_alike(&words[7], &mut scratch, &|_| true);
        assert!((1..=MOST).contains(&scratch.read.len()), "{}", scratch.read.len());
        assert!(scratch.read.is_sorted() && scratch.counts.iter().all(|count| *count == [0; 2]));
        let total: u32 = scratch.read.iter().map(|(_, halves)| *halves).sum();
        assert!(total <= 2 * MOST as u32, "{total}");
        assert_eq!(scratch.read.iter().max_by_key(|(_, halves)| *halves).map(|(doc, _)| *doc), Some(0));
    }

    fn letters(mut n: u32) -> String {
        let mut out = String::new();
        for _ in 0..4 {
            out.push((b'a' + (n % 26) as u8) as char);
            n /= 26;
        }
        out
    }
}
