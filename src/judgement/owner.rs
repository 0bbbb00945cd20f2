//! Whose statement it is: the speaker's, by pronoun or by the form of a verb, or that of somebody nobody introduced.

use super::attribute::{Attributes, Subject};
use super::fold::{Folding, hash, words};
use super::lang::Lang;
use super::pack::{List, Pack, Sense};
use super::prepared::{Prepared, cut};
use crate::text::small;

/// Whether the speaker is in it. `raw` is the text in NFKD, with its capitals and accents.
pub(super) fn is_speakers(raw: &str, text: &Prepared, pack: &Pack) -> bool {
    names_speaker(text, pack) || text.has(List::Verb) || by_past(text, pack) || by_ending(raw, text, pack)
}

/// Whether a pronoun or a verb of the first person is in it. After an article the same form is a noun: "el trabajo".
pub(super) fn names_speaker(text: &Prepared, pack: &Pack) -> bool {
    text.of(List::First).any(|hit| {
        let is_noun = || text.words_before(hit.at).last().is_some_and(|before| pack.determiners.has(before));
        let word = text.text.get(hit.at..hit.end).unwrap_or("");
        let is_verb = word.chars().nth(3).is_some() && pack.endings.iter().any(|ending| word.ends_with(&**ending));
        !(is_verb && is_noun())
    })
}

/// A past form that does not tell its person is the speaker's if nothing unknown stands before it.
fn by_past(text: &Prepared, pack: &Pack) -> bool {
    let known = |word: &str, at: usize| {
        let mut is_topic = false;
        pack.topics.at(word, &mut |_, _| is_topic = true);
        let lists = [List::Change, List::Habit, List::Passing, List::Also];
        is_topic
            || pack.common.has(word)
            || word.chars().nth(3).is_none()
            || lists.iter().any(|list| text.of(*list).any(|hit| hit.at <= at && at < hit.end))
    };
    text.of(List::Past).any(|hit| {
        let mut at = 1;
        text.words_before(hit.at).all(|word| {
            let begin = at;
            at += word.len() + 1;
            known(word, begin)
        })
    })
}

/// Whether the form of a verb tells the first person: by the endings of the pack, and in Arabic by its beginning.
pub(super) fn by_ending(raw: &str, text: &Prepared, pack: &Pack) -> bool {
    if pack.lang == Lang::Ar {
        return words(raw).any(|word| is_arabic_first(word, pack));
    }
    if pack.endings.is_empty() {
        return false;
    }
    let (within, least) = if pack.lang == Lang::Ru { (3, 3) } else { (7, 4) };
    let mut before = "";
    for (number, word) in text.words().take(within).enumerate() {
        let ends = pack.endings.iter().any(|ending| word.ends_with(&**ending));
        if ends
            && word.chars().nth(least - 1).is_some()
            && word.chars().all(|c| !c.is_ascii() || c.is_ascii_alphabetic())
            && !pack.exceptions.has(word)
            && !pack.exempt.iter().any(|ending| word.ends_with(&**ending))
            && !pack.determiners.has(before)
            && (pack.lang == Lang::Ru || is_plain(raw, word, number == 0))
        {
            return true;
        }
        before = word;
    }
    false
}

/// Whether a word is written so in the text: without accent, and small unless it is the first. A capital before another,
/// or before `de`, is a name's.
fn is_plain(raw: &str, word: &str, is_first: bool) -> bool {
    let mut list = words(raw);
    if words(raw).any(|own| own == word) {
        return true;
    }
    let Some(first) = list.next().filter(|_| is_first) else { return false };
    let next = list.next().unwrap_or("");
    let small_next = next.starts_with(|c| small(c) == c) && !matches!(next, "de" | "del" | "da" | "do");
    small_next && first.chars().map(small).eq(word.chars())
}

/// "We" ends in نا; "I" of the present begins with أ.
fn is_arabic_first(word: &str, pack: &Pack) -> bool {
    let count = word.chars().filter(|c| matches!(c, '\u{620}'..='\u{64a}')).count();
    if word.ends_with("نا") && count > 4 {
        return true;
    }
    let mut chars = word.chars();
    let begins = chars.next() == Some('ا') && matches!(chars.next(), Some('\u{653}' | '\u{654}'));
    begins && count > 3 && !pack.exceptions.holds(hash(&Folding::Plain.of(word)))
}

/// Whether a relation without "my" is the speaker's: close kin at the beginning.
pub(super) fn is_kin(text: &Prepared, subject: Subject, at: usize, pack: &Pack) -> bool {
    pack.lang.drops_subjects()
        || pack.lang == Lang::Ar
        || subject.is_close() && text.words_before(at).nth(1).is_none() && !text.has(List::Others)
}

/// Whether a sentence without a person begins with a topic that nobody introduced.
pub(super) fn has_unknown_topic(raw: &str, text: &Prepared, pack: &Pack) -> bool {
    match pack.lang {
        Lang::Ja => japanese_topic(text, pack),
        Lang::Ko => korean_topic(text, pack),
        Lang::Zh | Lang::Th => topic_before_cue(text, pack),
        Lang::Vi | Lang::Id => text.has(List::Others) || has_two_capitals(raw) && !begins_with_speaker(text),
        _ => false,
    }
}

/// Whether an attribute's cue is within a range.
fn names_attribute(text: &Prepared, end: usize) -> bool {
    text.hits.iter().any(|hit| matches!(hit.sense, Sense::Says(_) | Sense::Seeks(_)) && hit.end <= end)
}

fn japanese_topic(text: &Prepared, pack: &Pack) -> bool {
    let marks = text.text.char_indices().enumerate().skip(2).take(13);
    let mut found =
        marks.filter(|(_, (at, c))| *c == 'は' || text.text.get(*at..).is_some_and(|rest| rest.starts_with("って")));
    let Some((_, (end, _))) = found.next() else { return false };
    let topic = text.text.get(..end).unwrap_or("");
    cut(topic, &pack.topics) == topic && !names_attribute(text, end)
}

fn korean_topic(text: &Prepared, pack: &Pack) -> bool {
    let Some(word) = text.words().next() else { return false };
    let mut is_known = false;
    pack.topics.at(word, &mut |_, _| is_known = true);
    let marked = word.ends_with(['은', '는', '이', '가']) && word.chars().nth(2).is_some();
    marked && !is_known && !names_attribute(text, word.len() + 1)
}

fn topic_before_cue(text: &Prepared, pack: &Pack) -> bool {
    let personal = text.says().find(|(attribute, _)| Attributes::PERSONAL.has(*attribute));
    let Some(before) = personal.and_then(|(_, hit)| text.text.get(..hit.at)) else { return false };
    if before.chars().nth(1).is_none() {
        return false;
    }
    let rest = cut(before, &pack.topics);
    let left = rest.chars().filter(|c| !matches!(c, ' ' | ',' | '、' | '，') && !c.is_ascii_digit()).count();
    left >= if pack.lang == Lang::Zh { 2 } else { 3 }
}

/// Whether the first two words begin with capitals.
pub(super) fn has_two_capitals(raw: &str) -> bool {
    let mut list = raw.split(char::is_whitespace).filter(|word| !word.is_empty());
    let capital = |word: Option<&str>| word.and_then(|word| word.chars().next()).is_some_and(|c| small(c) != c);
    capital(list.next()) && capital(list.next())
}

fn begins_with_speaker(text: &Prepared) -> bool {
    text.of(List::First).any(|hit| text.words_before(hit.at).nth(1).is_none())
}
