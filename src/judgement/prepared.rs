//! A sentence or clause made ready: folded, with all cues found in it.

use super::attribute::{Attribute, Subject};
use super::fold::{Folding, is_word, place, words};
use super::keys::{Keys, Part};
use super::lang::Lang;
use super::pack::{List, Pack, Sense};
use crate::text::{Class, class};

/// How far the parts of a cue may be apart, in bytes, where there are spaces.
const APART: usize = 40;

/// Particles after a Korean pronoun of one syllable.
const PARTICLES: &str = "은 는 이 가 를 을 도 의 한테 에게 만 랑 야 ";

/// A cue that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) sense: Sense,
    /// Where it begins.
    pub(super) at: usize,
    /// Where its last part ends.
    pub(super) end: usize,
    pub(super) at_start: bool,
    pub(super) at_end: bool,
    pub(super) chars: u8,
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

/// A part that was found: which, where, until where.
type Found = (Part, usize, usize);

impl Prepared {
    /// Makes a text ready, which is in NFKD.
    pub(super) fn new(decomposed: &str, pack: &Pack) -> Self {
        let lang = pack.lang;
        let mut folded = adapt(Folding::Plain.of(decomposed), lang);
        if lang.is_unspaced() || lang == Lang::Ko {
            folded = cut(&folded, &pack.idioms);
        }
        if lang.is_unspaced() {
            let text = folded.trim().to_owned();
            let end = bare_end(&text, pack);
            let letters = text.chars().filter(|c| is_word(*c) && class(*c) != Class::Mark).count();
            return Self { end, hits: Vec::new(), size: letters as f32 / 2.2, text }.searched(None, pack);
        }
        let mut list: Vec<&str> = words(&folded).collect();
        let other;
        let mut toned = None;
        // Only a text with tones tells that the others have none.
        if lang == Lang::Vi && decomposed.chars().any(|c| matches!(c, '\u{300}'..='\u{36f}' | 'đ' | 'Đ')) {
            other = Folding::Toned.of(decomposed);
            toned = Some(words(&other).collect::<Vec<&str>>()).filter(|toned| toned.len() == list.len());
        }
        if lang != Lang::Ko {
            cut_words(&mut list, toned.as_mut(), &pack.idioms);
        }
        let text = spaced(&list);
        let end = bare_end(&text, pack);
        let size = list.len() as f32 * if lang == Lang::Ko { 1.5 } else { 1.0 };
        let toned = toned.map(|list| spaced(&list));
        Self { end, hits: Vec::new(), size, text }.searched(toned.as_deref(), pack)
    }

    /// Finds all cues.
    fn searched(mut self, toned: Option<&str>, pack: &Pack) -> Self {
        let mut found: Vec<Found> = Vec::new();
        visit(&self.text, pack.lang, &pack.keys, &mut |part, at, end, loose| {
            let Some(cue) = pack.cues.get(usize::from(part.cue)) else { return };
            // A Korean ending stands at the end of a word, and nowhere else.
            if loose && !(cue.at_end && end == self.end) {
                return;
            }
            if toned.is_some_and(|toned| !sounds(&self.text, toned, part, at, pack)) {
                return;
            }
            found.push((part, at, end));
        });
        for (part, at, end) in &found {
            if let Some(hit) = (part.at == 0).then(|| self.hit(*part, *at, *end, &found, pack)).flatten() {
                self.hits.push(hit);
            }
        }
        self
    }

    /// The cue whose first part was found at `at`, if its other parts follow.
    fn hit(&self, part: Part, at: usize, end: usize, found: &[Found], pack: &Pack) -> Option<Hit> {
        let cue = pack.cues.get(usize::from(part.cue))?;
        let mut last = end;
        for number in 1..cue.parts {
            let next =
                found.iter().filter(|(next, from, _)| next.cue == part.cue && next.at == number && *from >= last);
            let (_, from, to) = next.min_by_key(|(_, from, _)| *from)?;
            if !pack.lang.is_unspaced() && from - last > APART {
                return None;
            }
            last = *to;
        }
        let starts = self.is_first(at) || cue.sense == Sense::In(List::Requests) && self.is_polite(at, found, pack);
        if cue.at_start && !starts || cue.at_end && last != self.end {
            return None;
        }
        Some(Hit { sense: cue.sense, at, end: last, at_start: cue.at_start, at_end: cue.at_end, chars: cue.chars })
    }

    /// Whether nothing stands before `at`: in Arabic the word's prefix does not count.
    fn is_first(&self, at: usize) -> bool {
        self.words_before(at).next().is_none() && (at <= 1 || self.text.starts_with(' '))
    }

    /// Whether a courtesy, and nothing else, stands before `at`.
    fn is_polite(&self, at: usize, found: &[Found], pack: &Pack) -> bool {
        let courtesy =
            |part: &Part| pack.cues.get(usize::from(part.cue)).map(|cue| cue.sense) == Some(Sense::In(List::Courtesy));
        found.iter().any(|(part, from, to)| courtesy(part) && self.is_first(*from) && to + 1 == at)
    }

    /// The words before a place, in a text with spaces.
    pub(super) fn words_before(&self, at: usize) -> impl Iterator<Item = &str> {
        let begin = self.text.get(..at).and_then(|before| before.rfind(' ')).unwrap_or(0);
        self.text.get(..begin).unwrap_or("").split(' ').filter(|word| !word.is_empty())
    }

    /// Its words, in a text with spaces.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split(' ').filter(|word| !word.is_empty())
    }

    /// The hits of a list, in order.
    pub(super) fn of(&self, list: List) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(move |hit| hit.sense == Sense::In(list))
    }

    /// Whether a cue of a list is in it.
    pub(super) fn has(&self, list: List) -> bool {
        self.of(list).next().is_some()
    }

    /// How much its cues speak for the language of the pack: long ones more.
    pub(super) fn weight(&self) -> u32 {
        self.hits.iter().map(|hit| 2 + u32::from(hit.chars) / 3).sum()
    }

    /// The attributes that a statement is about, each with its first place.
    pub(super) fn says(&self) -> impl Iterator<Item = (Attribute, &Hit)> {
        self.hits
            .iter()
            .filter_map(|hit| if let Sense::Says(attribute) = hit.sense { Some((attribute, hit)) } else { None })
    }

    /// The first person that is named; of two at one place the longer name.
    pub(super) fn named(&self) -> Option<(Subject, usize)> {
        let mut best: Option<(Subject, &Hit)> = None;
        for hit in &self.hits {
            if let Sense::Names(subject) = hit.sense
                && best.is_none_or(|(_, old)| hit.at < old.at || hit.at == old.at && hit.chars > old.chars)
            {
                best = Some((subject, hit));
            }
        }
        best.map(|(subject, hit)| (subject, hit.at))
    }
}

/// Words with a space before, between and after them.
fn spaced(list: &[&str]) -> String {
    let mut text = String::from(" ");
    for word in list {
        text.push_str(word);
        text.push(' ');
    }
    text
}

/// Folds further what a language joins: English 's, French elisions and hyphens.
pub(super) fn adapt(folded: String, lang: Lang) -> String {
    match lang {
        Lang::En if folded.contains('\'') => without_genitives(&folded),
        Lang::Fr if folded.contains(['\'', '-']) => without_elisions(&folded),
        _ => folded,
    }
}

/// After these `'s` is a verb.
const NO_GENITIVE: &str = "what|that|where|when|who|how|it|let|here|there|he|she";

fn without_genitives(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    let mut rest = folded;
    while let Some(at) = place(rest, "'s") {
        let (piece, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        rest = after.get(2..).unwrap_or("");
        out.push_str(piece);
        let ends = !rest.starts_with(is_word);
        let word = out.rsplit(|c| !is_word(c)).next().unwrap_or("");
        if !ends || word.chars().nth(1).is_none() || NO_GENITIVE.split('|').any(|known| known == word) {
            out.push_str("'s");
        }
    }
    out.push_str(rest);
    out
}

fn without_elisions(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    for (at, c) in folded.char_indices() {
        if !matches!(c, '\'' | '-') {
            out.push(c);
            continue;
        }
        let head = out.rsplit(|c| !is_word(c)).next().unwrap_or("");
        let follows = folded.get(at + 1..).is_some_and(|rest| rest.starts_with(is_word));
        let splits = match c {
            '\'' => matches!(head, "j" | "l" | "d" | "m" | "n" | "s" | "t" | "c" | "qu"),
            _ => !head.is_empty() && follows,
        };
        out.push(if splits { ' ' } else { c });
    }
    out
}

/// A text with every string of a table replaced by a space; of several at one place the longest.
pub(super) fn cut(text: &str, table: &Keys) -> String {
    if table.is_empty() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut until = 0;
    for (at, c) in text.char_indices() {
        if at < until {
            continue;
        }
        let mut longest = 0;
        table.at(text.get(at..).unwrap_or(""), &mut |_, len| longest = longest.max(len));
        out.push(if longest > 0 { ' ' } else { c });
        until = at + longest;
    }
    out
}

/// Takes the words of idioms out of a list, and the words at the same places out of the other.
fn cut_words<'a>(list: &mut Vec<&'a str>, other: Option<&mut Vec<&'a str>>, table: &Keys) {
    let text = spaced(list);
    let mut gone = vec![false; list.len()];
    for (number, (at, _)) in text.match_indices(' ').enumerate() {
        let rest = text.get(at + 1..).unwrap_or("");
        table.at(rest, &mut |_, len| {
            if rest.as_bytes().get(len) == Some(&b' ') {
                let count = rest.get(..len).map_or(0, |idiom| idiom.split(' ').count());
                gone.iter_mut().skip(number).take(count).for_each(|gone| *gone = true);
            }
        });
    }
    for list in [Some(list), other].into_iter().flatten() {
        let mut marks = gone.iter();
        list.retain(|_| marks.next() != Some(&true));
    }
}

/// Where a text ends without punctuation, laughter and final particles.
fn bare_end(text: &str, pack: &Pack) -> usize {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_end_matches(|c| {
            matches!(
                c,
                ' ' | '.' | '!' | '?' | '。' | '…' | '~' | '،' | '؟' | '।' | '"' | '\'' | '”' | '」' | ')' | '\u{1100}'
                    ..='\u{11ff}'
            ) || class(c) == Class::Picture
        });
        let particles = if pack.lang.is_unspaced() { &*pack.particles } else { &[] };
        let shorter = particles.iter().find_map(|particle| trimmed.strip_suffix(&**particle)).unwrap_or(trimmed);
        if shorter.len() == rest.len() {
            return rest.len();
        }
        rest = shorter;
    }
}

/// Calls `found` with each part of a table in a text, where the script lets it stand: part, begin, end, and whether only
/// the end of the sentence could make it valid.
pub(super) fn visit(text: &str, lang: Lang, keys: &Keys, found: &mut dyn FnMut(Part, usize, usize, bool)) {
    let mut before = '\0';
    for (at, c) in text.char_indices() {
        let begins = before == ' ';
        let last = std::mem::replace(&mut before, c);
        let rest = text.get(at..).unwrap_or("");
        if lang == Lang::Th {
            if is_thai_start(last, c) {
                keys.at(rest, &mut |part, len| {
                    if !rest.get(len..).unwrap_or("").starts_with(is_thai_rest) {
                        found(part, at, at + len, false);
                    }
                });
            }
        } else if lang.is_unspaced() {
            keys.at(rest, &mut |part, len| found(part, at, at + len, false));
        } else if lang == Lang::Ko {
            keys.at(rest, &mut |part, len| {
                let (word, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
                let chars = word.chars().count();
                let whole = begins && (chars > 1 || part.is_prefix || is_particle(after)) || chars > 2;
                found(part, at, at + len, !whole);
            });
        } else if begins {
            keys.at(rest, &mut |part, len| whole(part, rest, len, &mut |part| found(part, at, at + len, false)));
            if lang == Lang::Ar {
                for skip in prefixes(rest) {
                    let rest = rest.get(skip..).unwrap_or("");
                    let at = at + skip;
                    keys.at(rest, &mut |part, len| {
                        whole(part, rest, len, &mut |part| found(part, at, at + len, false))
                    });
                }
            }
        }
    }
}

/// Whether a syllable may begin with `c`: not after a vowel that is written before its consonant, nor after a silent ห.
fn is_thai_start(before: char, c: char) -> bool {
    let silent = before == 'ห' && matches!(c, 'น' | 'ม' | 'ง' | 'ย' | 'ร' | 'ล' | 'ว');
    !matches!(before, '\u{e40}'..='\u{e44}') && !silent
}

/// Whether `c` belongs to the syllable before it.
fn is_thai_rest(c: char) -> bool {
    matches!(c, '\u{e30}'..='\u{e3a}' | '\u{e45}' | '\u{e47}'..='\u{e4e}')
}

/// Calls `found` if the part ends with a word, or need not.
fn whole(part: Part, rest: &str, len: usize, found: &mut dyn FnMut(Part)) {
    if part.is_prefix || rest.as_bytes().get(len) == Some(&b' ') {
        found(part);
    }
}

/// Whether a particle, or nothing, comes before the next space.
fn is_particle(after: &str) -> bool {
    let tail = after.split(' ').next().unwrap_or("");
    tail.is_empty() || PARTICLES.split(' ').any(|particle| particle == tail)
}

/// The lengths of the prefixes that an Arabic word may have: conjunction, preposition, article.
fn prefixes(word: &str) -> impl Iterator<Item = usize> {
    let one = word.starts_with(['و', 'ف', 'ب', 'ل', 'ك']);
    let rest = word.get(if one { 2 } else { 0 }..).unwrap_or("");
    let article = rest.starts_with("ال");
    let after = if one { 2 } else { 0 };
    [one.then_some(2), article.then_some(after + 4), word.starts_with("لل").then_some(4)].into_iter().flatten()
}

/// Whether a part that is written with tones has the same ones in the text.
fn sounds(text: &str, toned: &str, part: Part, at: usize, pack: &Pack) -> bool {
    let key = (part.cue, part.at);
    let Ok(found) = pack.toned.binary_search_by_key(&key, |(key, _)| *key) else { return true };
    let Some((_, spelling)) = pack.toned.get(found) else { return true };
    let number = text.get(..at).map_or(0, |before| before.matches(' ').count());
    let Some((from, _)) = toned.match_indices(' ').nth(number.saturating_sub(1)) else { return true };
    let rest = toned.get(from + 1..).unwrap_or("");
    rest.starts_with(&**spelling) && (part.is_prefix || rest.as_bytes().get(spelling.len()) == Some(&b' '))
}
