//! A sentence or clause made ready: folded, with all cues found in it.

use super::attribute::{Attribute, Subject};
use super::compare::holds;
use super::content::stems;
use super::fold::{
    any, char_at, count, each, first, folded, is_digit, is_of, is_word, len, listed, place, seek, slice, spaced, tail,
    trim_end, width, words,
};
use super::hindi::sound;
use super::lang::Lang;
use super::pack::{END, Entry, List, MORE, NAMES, PREFIX, Pack, SEEKS, START};
use crate::text::{Class, class};

/// How far the parts of a cue may be apart, in bytes, where there are spaces.
const APART: usize = 40;

/// Particles after a Korean pronoun of one syllable.
const PARTICLES: &str = " 은 는 이 가 를 을 도 의 한테 에게 만 랑 야";

/// A cue that was found, or one of its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) sense: u8,
    pub(super) flags: u8,
    part: u8,
    cue: u16,
    /// Where it begins.
    pub(super) at: usize,
    /// Where its last part ends.
    pub(super) end: usize,
}

impl Hit {
    /// Whether it counts only at the beginning.
    pub(super) fn at_start(&self) -> bool {
        self.flags & START != 0
    }

    /// Whether it counts only at the end.
    pub(super) fn at_end(&self) -> bool {
        self.flags & END != 0
    }
}

/// A text made ready.
pub(super) struct Prepared {
    /// Folded. With spaces: its words, each between two spaces. Without: as it was.
    pub(super) text: String,
    /// Where the text ends without punctuation and final particles.
    pub(super) end: usize,
    pub(super) hits: Vec<Hit>,
    /// About how many words it has.
    pub(super) size: f32,
}

impl Prepared {
    /// Makes a text ready, which is in NFKD.
    #[inline(never)]
    pub(super) fn new(decomposed: &str, pack: &Pack) -> Self {
        let lang = pack.lang;
        let mut text = adapt(folded(decomposed, false), lang);
        let mut toned = String::new();
        if lang.is_unspaced() || lang == Lang::Ko {
            text = pack.cut(List::Idiom, &text).trim().to_owned();
        }
        let size;
        if lang.is_unspaced() {
            size = count(&text, &|c| is_word(c) && class(c) != Class::Mark) as f32 / 2.2;
        } else {
            let other = if lang == Lang::Vi { folded(decomposed, true) } else { String::new() };
            let mut list = words(&text);
            let mut others = words(&other);
            // Only a text with tones tells that the others have none.
            if other == text || others.len() != list.len() {
                others.clear();
            }
            if lang != Lang::Ko {
                cut_words(&mut list, &mut others, pack);
            }
            size = list.len() as f32 * if lang == Lang::Ko { 1.5 } else { 1.0 };
            toned = spaced(&others);
            text = spaced(&list);
        }
        let mut own = Self { end: bare_end(&text, pack), hits: Vec::new(), size, text };
        own.search(&toned, pack);
        own
    }

    /// Finds all cues.
    fn search(&mut self, toned: &str, pack: &Pack) {
        let mut found: Vec<Hit> = Vec::new();
        visit(&self.text, pack, 0, &mut |entry, at, end, loose| {
            // A Korean ending stands at the end of a word, and nowhere else.
            if (!loose || entry.flags & END != 0 && end == self.end) && sounds(&self.text, toned, entry, at, pack) {
                found.push(Hit { sense: entry.sense, flags: entry.flags, part: entry.part, cue: entry.cue, at, end });
            }
        });
        for hit in &found {
            if hit.part == 0
                && let Some(hit) = self.hit(*hit, &found, pack)
            {
                self.hits.push(hit);
            }
        }
    }

    /// The cue whose first part was found, if its other parts follow.
    fn hit(&self, mut hit: Hit, found: &[Hit], pack: &Pack) -> Option<Hit> {
        // A courtesy, and nothing else, may stand before a request.
        let polite = hit.sense == List::Requests as u8
            && found.iter().any(|courtesy| {
                courtesy.sense == List::Courtesy as u8 && self.is_first(courtesy.at) && courtesy.end + 1 == hit.at
            });
        let starts = polite || self.is_first(hit.at);
        let mut last = hit;
        while last.flags & MORE != 0 {
            let follows = |next: &&Hit| next.cue == last.cue && next.part == last.part + 1 && next.at >= last.end;
            let next = *found.iter().find(follows)?;
            if !pack.lang.is_unspaced() && next.at - last.end > APART {
                return None;
            }
            last = next;
        }
        hit.end = last.end;
        (!(hit.at_start() && !starts || hit.at_end() && hit.end != self.end)).then_some(hit)
    }

    /// Whether nothing stands before `at`: in Arabic the word's prefix does not count.
    fn is_first(&self, at: usize) -> bool {
        self.before(at).is_empty() && (at <= 1 || self.text.starts_with(' '))
    }

    /// The words before a place, in a text with spaces.
    #[inline(never)]
    pub(super) fn before(&self, at: usize) -> Vec<&str> {
        let begin = slice(&self.text, 0, at).rfind(' ').unwrap_or(0);
        list(slice(&self.text, 0, begin))
    }

    /// The rest of the word at a place, in a text with spaces.
    pub(super) fn word(&self, at: usize) -> &str {
        let rest = tail(&self.text, at);
        slice(rest, 0, place(rest, " ").unwrap_or(rest.len()))
    }

    /// Its words, in a text with spaces.
    pub(super) fn words(&self) -> Vec<&str> {
        list(&self.text)
    }

    /// The first hit of a list.
    #[inline(never)]
    pub(super) fn find(&self, list: List, test: &dyn Fn(&Hit) -> bool) -> Option<&Hit> {
        self.hits.iter().find(|hit| hit.sense == list as u8 && test(hit))
    }

    /// Whether a cue of a list is in it.
    #[inline(never)]
    pub(super) fn has(&self, list: List) -> bool {
        self.find(list, &|_| true).is_some()
    }

    /// How much its cues speak for the language of the pack: long ones more.
    pub(super) fn weight(&self) -> u32 {
        self.hits.iter().map(|hit| 2 + (hit.end - hit.at) as u32 / 3).sum()
    }

    /// The attributes of its cues, as bits: those of a statement, or of a question if `offset` is `SEEKS`.
    #[inline(never)]
    pub(super) fn attributes(&self, offset: u8) -> u32 {
        let own = self.hits.iter().map(|hit| hit.sense.wrapping_sub(offset));
        own.filter(|sense| *sense < SEEKS).fold(0, |bits, sense| bits | 1 << sense)
    }

    /// Which of its stems belong to no cue: they tell one person or thing from another. The word that a prefix such as
    /// `wohn*` is found in belongs to it.
    #[inline(never)]
    pub(super) fn own(&self, all: &[u32], pack: &Pack) -> Vec<u32> {
        let mut cues = Vec::new();
        for hit in &self.hits {
            if is_topic(hit.sense) && hit.flags & PREFIX != 0 && !pack.lang.is_unspaced() {
                cues.append(&mut stems(self.word(hit.at), Some(pack)));
            }
        }
        all.iter().copied().filter(|stem| !holds(&pack.known, *stem) && !cues.contains(stem)).collect()
    }

    /// Whether it begins with a possessive of the speaker, and the first two words with content after it are its own.
    pub(super) fn is_of_thing(&self, own: &[u32], pack: &Pack) -> bool {
        let Some(mine) = self.find(List::Mine, &|hit| self.is_first(hit.at)) else { return false };
        let rest = list(tail(&self.text, mine.end));
        let told = rest.iter().map(|word| stems(word, Some(pack))).filter(|stems| !stems.is_empty());
        // "My old phone" is about the phone: the cue may be the second word.
        let mut told = told.take(2).map(|stems| stems.iter().any(|stem| holds(own, *stem)));
        told.next() == Some(true) && told.next() == Some(true)
    }

    /// Whether a pet, or where there are spaces a word of its own, stands before its first cue for a name: "my dog is called",
    /// "my boat is called". In "people call me" the cue has the speaker.
    pub(super) fn tells_other_name(&self, own: &[u32], pack: &Pack) -> bool {
        let names = self.hits.iter().filter(|hit| hit.sense == Attribute::Name as u8);
        let Some(name) = names.min_by_key(|hit| hit.at) else { return false };
        let is_own = |word: &&str| stems(word, Some(pack)).iter().any(|stem| holds(own, *stem));
        self.hits.iter().any(|hit| hit.sense == Attribute::Pet as u8 && hit.at < name.at)
            || !pack.lang.is_unspaced()
                && self.before(name.at).iter().any(is_own)
                && self.find(List::First, &|hit| (name.at..name.end).contains(&hit.at)).is_none()
    }

    /// The stems of the first word with content after a cue, or of the last one before it if none follows. Numbers, times
    /// and cues of change do not count.
    pub(super) fn beside(&self, hit: &Hit, pack: &Pack) -> Vec<u32> {
        let is_cue =
            |word: &str| any(word, &is_digit) || pack.has(List::Change, word) || pack.has(List::Calendar, word);
        let end = hit.end + self.word(hit.end).len();
        let told = |word: &&str| {
            let stems = if is_cue(word) { Vec::new() } else { stems(word, Some(pack)) };
            (!stems.is_empty()).then_some(stems)
        };
        let after = list(tail(&self.text, end)).iter().find_map(told);
        after.or_else(|| self.before(hit.at).iter().rev().find_map(told)).unwrap_or_default()
    }

    /// Whether a person is named at the beginning: among the first three words, or in the first four characters.
    pub(super) fn is_of_other(&self, pack: &Pack) -> bool {
        let early = |at| if pack.lang.is_unspaced() { at <= 12 } else { self.before(at).len() <= 2 };
        self.named().is_some_and(|(_, at)| early(at))
    }

    /// The first person that is named; of two at one place the longer name.
    #[inline(never)]
    pub(super) fn named(&self) -> Option<(Subject, usize)> {
        let mut best: Option<&Hit> = None;
        for hit in &self.hits {
            if (NAMES..List::First as u8).contains(&hit.sense)
                && best.is_none_or(|old| hit.at < old.at || hit.at == old.at && hit.end >= old.end)
            {
                best = Some(hit);
            }
        }
        best.and_then(|hit| Some((*Subject::ALL.get(usize::from(hit.sense - NAMES))?, hit.at)))
    }
}

/// Whether a sense is an attribute of a statement, a person, a habit or a time.
pub(super) fn is_topic(sense: u8) -> bool {
    sense < SEEKS
        || (NAMES..List::First as u8).contains(&sense)
        || sense == List::Habit as u8
        || sense == List::Calendar as u8
}

/// The words of a text that has one space between them.
fn list(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for word in text.split(' ') {
        if !word.is_empty() {
            out.push(word);
        }
    }
    out
}

/// Folds further what a language joins: English 's, French elisions and hyphens; and the scripts of Hindi.
#[inline(never)]
pub(super) fn adapt(folded: String, lang: Lang) -> String {
    if lang == Lang::Hi {
        return sound(&folded);
    }
    if !matches!(lang, Lang::En | Lang::Fr) {
        return folded;
    }
    let mut out = String::new();
    each!(&folded, |at, c| {
        let follows = || is_word(char_at(&folded, at + width(c)));
        let splits = match c {
            '\'' => listed(ELIDED, last_word(&out)),
            '-' => !last_word(&out).is_empty() && follows(),
            _ => false,
        };
        out.push(if lang == Lang::Fr && splits { ' ' } else { c });
        if lang == Lang::En && c == 's' && out.ends_with("'s") && !follows() {
            let end = out.len() - 2;
            let word = last_word(slice(&out, 0, end));
            if word.len() > 1 && !listed(NO_GENITIVE, word) {
                out.truncate(end);
            }
        }
    });
    out
}

/// The word that a text ends with.
fn last_word(text: &str) -> &str {
    tail(text, trim_end(text, &is_word).len())
}

/// After these `'s` is a verb.
const NO_GENITIVE: &str = "what that where when who how it let here there he she";
/// French words before an apostrophe.
const ELIDED: &str = "j l d m n s t c qu";

/// Makes the words of idioms empty in a list, and the words at the same places in the other, and removes them.
fn cut_words<'a>(list: &mut Vec<&'a str>, other: &mut Vec<&'a str>, pack: &Pack) {
    let text = spaced(list);
    let (mut at, mut from) = (0, 1);
    while let Some(word) = list.get(at) {
        let rest = tail(&text, from);
        let mut cut = 0;
        pack.at(List::Idiom as u8, rest, &mut |entry| {
            let end = usize::from(entry.len);
            if rest.as_bytes().get(end) == Some(&b' ') {
                cut = cut.max(end);
            }
        });
        if cut == 0 {
            (at, from) = (at + 1, from + word.len() + 1);
            continue;
        }
        from += cut + 1;
        let gone = 1 + count(slice(rest, 0, cut), &|c| c == ' ');
        for list in [&mut *list, &mut *other] {
            if at + gone <= list.len() {
                list.drain(at..at + gone);
            }
        }
    }
}

/// Where a text ends without punctuation, laughter and final particles.
fn bare_end(text: &str, pack: &Pack) -> usize {
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = trim_end(rest, &|c| {
            is_of(c, " .!?。…~،؟।\"'”」)") || matches!(c, '\u{1100}'..='\u{11ff}') || class(c) == Class::Picture
        });
        if pack.lang.is_unspaced() {
            rest = slice(rest, 0, rest.len() - pack.ends(List::Particle, rest));
        }
        if rest.len() == before {
            return before;
        }
    }
}

/// Calls `found` with each entry of a table in a text, where the script lets it stand: entry, begin, end, and whether only
/// the end of the sentence could make it valid.
#[inline(never)]
pub(super) fn visit(text: &str, pack: &Pack, table: u8, found: &mut dyn FnMut(&Entry, usize, usize, bool)) {
    let lang = pack.lang;
    let (mut before, mut word) = ('\0', 0);
    each!(text, |at, c| {
        if before == ' ' {
            word = at;
        }
        let begins = before == ' ';
        let starts = match lang {
            // Not after a vowel that is written before its consonant, nor after a silent ห.
            Lang::Th => !(matches!(before, '\u{e40}'..='\u{e44}') || before == 'ห' && is_of(c, "นมงยรลว")),
            Lang::Ja | Lang::Zh | Lang::Ko => true,
            // A conjunction, a preposition or the article may be joined to an Arabic word.
            Lang::Ar => begins || listed("و ف ب ل ك ال وال فال بال لال كال لل", slice(text, word, at)),
            _ => begins,
        };
        before = c;
        let rest = tail(text, at);
        if starts {
            pack.at(table, rest, &mut |entry| {
                let (size, next) = (usize::from(entry.len), tail(rest, usize::from(entry.len)));
                let prefix = entry.flags & PREFIX != 0;
                let mut loose = false;
                let ends = match lang {
                    Lang::Th => !matches!(first(next), '\u{e30}'..='\u{e3a}' | '\u{e45}' | '\u{e47}'..='\u{e4e}'),
                    Lang::Ja | Lang::Zh => true,
                    Lang::Ko => {
                        let chars = len(slice(rest, 0, size));
                        let particle = || listed(PARTICLES, slice(next, 0, place(next, " ").unwrap_or(next.len())));
                        loose = !(begins && (chars > 1 || prefix || particle()) || chars > 2);
                        true
                    }
                    // كام is "how much", and not "as a mother".
                    Lang::Ar if !begins && size < 5 && entry.sense < List::First as u8 => false,
                    _ => prefix || first(next) == ' ',
                };
                if ends {
                    found(entry, at, at + size, loose);
                }
            });
        }
    });
}

/// Whether an entry that is written with tones has the same ones in the text.
fn sounds(text: &str, toned: &str, entry: &Entry, at: usize, pack: &Pack) -> bool {
    let spelling = pack.toned(entry);
    if spelling.is_empty() || toned.len() < 2 {
        return true;
    }
    let mut number = count(slice(text, 0, at), &|c| c == ' ');
    let from = seek(toned, &mut |_, c| {
        number -= usize::from(c == ' ');
        number == 0
    });
    let rest = tail(toned, from + 1);
    rest.starts_with(spelling) && (entry.flags & PREFIX != 0 || char_at(rest, spelling.len()) == ' ')
}
