//! Whose statement it is: the speaker's, by pronoun or by the form of a verb, or that of somebody nobody introduced.

use super::attribute::{Attribute, Attributes, Subject};
use super::compare::holds;
use super::content::stems;
use super::fold::{any, count, first, folded, is_digit, is_of, last, len, listed, seek, slice, tail, width, words};
use super::lang::Lang;
use super::pack::{List, NAMES, Pack};
use super::prepared::{Hit, Prepared};
use crate::text::small;

/// Whether the speaker is in it without a pronoun. `raw` is the text in NFKD, with its capitals and accents.
pub(super) fn is_speakers(raw: &str, text: &Prepared, pack: &Pack) -> bool {
    text.has(List::Verb) || by_past(text, pack) || by_ending(raw, text, pack)
}

/// The names of the user in the third person, which all languages share here: a text begins with one of them.
const USER: &str = "user|người dùng|nguoi dung|ユーザー|利用者|用户|用戶|使用者|사용자|nutzer|benutzer|usuari|usuári|utilisat|\
utilizador|пользовател|المستخدم|उपयोगकर्ता|ผู้ใช้|pengguna";

/// Whether a text begins with the user in the third person, as models write: "User lives in Hanoi".
pub fn is_of_user(text: &str) -> bool {
    let start: String = text.chars().take(24).map(small).collect();
    let rest = ["the ", "der ", "die ", "el ", "la ", "l'", "l’", "o ", "a "]
        .iter()
        .find_map(|article| start.strip_prefix(article));
    let start = rest.unwrap_or(&start);
    USER.split('|').any(|name| start.starts_with(name))
}

/// Whether a pronoun or a verb of the first person is in it. After an article the same form is a noun: "el trabajo".
#[inline(never)]
pub(super) fn names_speaker(text: &Prepared, pack: &Pack) -> bool {
    let is_own = |hit: &Hit| {
        let word = slice(&text.text, hit.at, hit.end);
        let is_noun = || text.before(hit.at).last().is_some_and(|before| pack.has(List::Determiner, before));
        !(len(word) > 3 && pack.ends(List::Ending, word) > 0 && is_noun())
    };
    text.find(List::First, &is_own).is_some()
}

/// A past form that does not tell its person is the speaker's if nothing unknown stands before it.
fn by_past(text: &Prepared, pack: &Pack) -> bool {
    let is_own = |hit: &Hit| {
        let mut at = 1;
        for word in text.before(hit.at) {
            let lists = [List::Change, List::Habit, List::Passing, List::Also];
            let is_known = pack.begins(List::Topic, word) > 0
                || pack.is_stop(word)
                || len(word) < 4
                || lists.iter().any(|list| text.find(*list, &|hit| hit.at <= at && at < hit.end).is_some());
            if !is_known {
                return false;
            }
            at += word.len() + 1;
        }
        true
    };
    text.find(List::Past, &is_own).is_some()
}

/// Whether the form of a verb tells the first person: by the endings of the pack, and in Arabic by its beginning.
#[inline(never)]
pub(super) fn by_ending(raw: &str, text: &Prepared, pack: &Pack) -> bool {
    let own = words(raw);
    if pack.lang == Lang::Ar {
        return own.iter().enumerate().any(|(number, word)| is_arabic_first(word, number == 0, pack));
    }
    // "Guardé": with its accent the past tells the first person.
    let is_past = |(number, word): (usize, &&str)| {
        word.ends_with("e\u{301}")
            && len(word) > 5
            && (number == 0 || !is_capital(word))
            && !pack.has(List::Exception, &folded(word, false))
    };
    if pack.lang == Lang::Es && own.iter().enumerate().any(is_past) {
        return true;
    }
    let (within, least) = if pack.lang == Lang::Ru { (3, 3) } else { (7, 4) };
    let mut before = "";
    for (number, word) in text.words().into_iter().take(within).enumerate() {
        // Written so in the text: without accent, and small unless it is the first. A capital before another, or before
        // `de`, is a name's.
        let is_plain = || {
            let next = own.get(1).copied().unwrap_or("");
            own.contains(&word)
                || number == 0
                    && !is_capital(next)
                    && !listed("de del da do", next)
                    && own.first().is_some_and(|own| folded(own, true) == word)
        };
        if pack.ends(List::Ending, word) > 0
            && len(word) >= least
            && !any(word, &|c| c.is_ascii() && !c.is_ascii_alphabetic())
            && !pack.has(List::Exception, word)
            && pack.ends(List::Exempt, word) == 0
            && !pack.has(List::Determiner, before)
            && (pack.lang == Lang::Ru || is_plain())
        {
            return true;
        }
        before = word;
    }
    false
}

/// Whether a word begins with a capital.
#[inline(never)]
pub(super) fn is_capital(word: &str) -> bool {
    small(first(word)) != first(word)
}

/// The words before a name in an introduction: at most two.
const INTRODUCES: &str = "|i'm|i m|i am|ich bin|soy|je suis|sou|saya|aku|toi la|minh la|em la|я|";

/// Among so many words an introduction begins: "Hi there, I'm Priya".
const EARLY: usize = 6;

/// Whether the speaker gives a name without a cue for names: what follows has one capital, and is no cue.
#[inline(never)]
pub(super) fn introduces(raw: &str, pack: &Pack) -> bool {
    let words = words(raw);
    let is_name = |word: &str| {
        let stems = stems(&folded(word, false), Some(pack));
        is_capital(word)
            && !any(tail(word, width(first(word))), &|c| small(c) != c)
            && stems.iter().any(|stem| !holds(&pack.known, *stem))
    };
    (0..words.len().min(EARLY)).any(|at| {
        let phrase = |count: usize| words.get(at..at + count).map(|words| folded(&words.join(" "), false));
        let begins = |count| phrase(count).is_some_and(|phrase| INTRODUCES.contains(&format!("|{phrase}|")));
        (1..=2).any(|count| begins(count) && words.get(at + count).is_some_and(|word| is_name(word)))
    })
}

/// "We" ends in نا; "I" of the present begins with أ. "My" is ي: after the ت of a noun, and at the end of the first word,
/// where adjectives do not stand.
fn is_arabic_first(word: &str, is_first: bool, pack: &Pack) -> bool {
    let count = count(word, &|c| matches!(c, '\u{620}'..='\u{64a}'));
    let begins = word.starts_with("ا\u{653}") || word.starts_with("ا\u{654}");
    let is_noun = !word.starts_with("ال") && !word.starts_with('ي');
    let mine = count > 3 && is_noun && (word.ends_with("تي") || is_first && word.ends_with('ي'));
    word.ends_with("نا") && count > 4
        || (begins && count > 3 || mine) && !pack.has(List::Exception, &folded(word, false))
}

/// Whether a relation without "my" is the speaker's: close kin at the beginning, or any before a name, as in "uncle Horst".
/// `raw` is the text in NFKD, with its capitals.
pub(super) fn is_kin(raw: &str, text: &Prepared, subject: Subject, at: usize, pack: &Pack) -> bool {
    let before = text.before(at).len();
    let named = || before == 0 && words(raw).get(1).is_some_and(|next| is_capital(next));
    pack.lang.drops_subjects()
        || pack.lang == Lang::Ar
        || (subject.is_close() && before < 2 || named()) && text.find(List::Others, &|hit| hit.at < at).is_none()
}

/// Whether the German word for a wife is the title of a name: "bei Frau Meier", and not "meine Frau Anna".
pub(super) fn is_title(raw: &str, text: &Prepared, subject: Subject, at: usize, pack: &Pack) -> bool {
    let before = text.before(at);
    pack.lang == Lang::De
        && subject == Subject::Wife
        && !before.last().is_some_and(|word| word.starts_with("mein"))
        && words(raw).get(before.len() + 1).is_some_and(|next| is_capital(next))
}

/// Whether a sentence without a person begins with a topic that nobody introduced.
pub(super) fn has_unknown_topic(raw: &str, text: &Prepared, pack: &Pack) -> bool {
    let own = &*text.text;
    // Whether an attribute's cue is before a place.
    let names = |end: usize| text.hits.iter().any(|hit| hit.sense < NAMES && hit.end <= end);
    match pack.lang {
        Lang::Ja => {
            let end = seek(own, &mut |at, c| at > 3 && (c == 'は' || tail(own, at).starts_with("って")));
            let topic = slice(own, 0, end);
            end < own.len() && len(topic) < 15 && pack.cut(List::Topic, topic) == topic && !names(end)
        }
        Lang::Ko => {
            let list = text.words();
            let word = list.first().copied().unwrap_or("");
            let marked = is_of(last(word), "은는이가") && len(word) > 2;
            marked && pack.begins(List::Topic, word) == 0 && !names(word.len() + 1)
        }
        Lang::Zh | Lang::Th => {
            let is_personal = |hit: &&Hit| {
                Attribute::ALL.get(usize::from(hit.sense)).is_some_and(|own| Attributes::PERSONAL.has(*own))
            };
            let before = text.hits.iter().find(is_personal).map_or("", |hit| slice(own, 0, hit.at));
            let rest = pack.cut(List::Topic, before);
            let left = count(&rest, &|c| !is_of(c, " ,、，") && !is_digit(c));
            len(before) > 1 && left >= if pack.lang == Lang::Zh { 2 } else { 3 }
        }
        _ => {
            let begins = text.find(List::First, &|hit| text.before(hit.at).len() < 2).is_some();
            text.has(List::Others) || has_two_capitals(raw) && !begins
        }
    }
}

/// Whether the third word begins with a capital, after two that do not: "la tour Eiffel".
pub(super) fn names_thing(raw: &str) -> bool {
    let list = words(raw);
    list.get(2).is_some_and(|third| is_capital(third)) && list.get(1).is_some_and(|second| !is_capital(second))
}

/// Whether the first two words begin with capitals.
pub(super) fn has_two_capitals(raw: &str) -> bool {
    let list = words(raw);
    list.len() > 1 && list.iter().take(2).all(|word| is_capital(word))
}
