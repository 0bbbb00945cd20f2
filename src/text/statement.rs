//! Relation between two statements: the same, a correction, or two facts.
//!
//! The data of languages is in the tables of [`super::phrases`]; this only compares. In doubt two statements are two
//! facts, so that nothing is lost.

use super::chars::{Class, class, has_case, is_capital, is_digit};
use super::fold::{fold, unaccent};
use super::marks::is_question_mark;
use super::phrases::{
    ARTICLES, ATTRIBUTES, AUXILIARIES, Attribute, CALENDAR, COPULAS, DUMMIES, ENDINGS, LINKS, NEGATIONS, NO_NAMES, NOW,
    SCHEDULED, SHORT_FORMS,
};
use super::stem::stem;
use std::cell::OnceCell;

/// The relation of a new statement to an old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It has the same words.
    Same,
    /// It says something else about the same thing.
    Corrects,
    /// It is another fact.
    Different,
}

/// The most words of a statement: longer ones are only compared for equality, as they say more than one thing.
const MOST: usize = 60;

/// A statement that is compared with others.
#[derive(Debug)]
pub struct Told {
    words: Vec<Word>,
    /// The words without those for the present; none of a long text.
    lately: OnceCell<Vec<Word>>,
    /// The single-valued attributes of which it gives a value.
    attributes: OnceCell<Vec<&'static Attribute>>,
}

impl Told {
    /// Reads a statement in NFKD.
    pub fn new(text: &str) -> Self {
        Self { words: words(text), lately: OnceCell::new(), attributes: OnceCell::new() }
    }

    fn lately(&self) -> &[Word] {
        self.lately.get_or_init(|| if self.words.len() <= MOST { without(&self.words, NOW) } else { Vec::new() })
    }

    fn attributes(&self) -> &[&'static Attribute] {
        let says = |attribute: &&Attribute| said(self.lately(), attribute.phrases).is_some();
        self.attributes.get_or_init(|| ATTRIBUTES.iter().filter(says).collect())
    }

    /// Its relation to an older statement.
    pub fn relation(&self, older: &Self) -> Relation {
        let (old, new) = (&older.words, &self.words);
        if old.iter().map(|word| &word.text).eq(new.iter().map(|word| &word.text)) {
            return Relation::Same;
        }
        let comparable =
            |words: &[Word]| (1..=MOST).contains(&words.len()) && words.iter().all(|word| word.text != "?");
        if !comparable(old) || !comparable(new) {
            return Relation::Different;
        }
        let common = old.iter().filter(|word| new.iter().any(|other| other.text == word.text)).count();
        let mostly_same = common * 3 >= old.len().min(new.len());
        let other = |attribute: &Attribute| other_value(attribute, older.lately(), self.lately());
        let corrects = mostly_same && (negates(old, new) || other_number(older.lately(), self.lately()))
            || self.attributes().iter().any(|attribute| other(attribute));
        if corrects { Relation::Corrects } else { Relation::Different }
    }

    /// Search words for statements that it may correct, which need not have a word in common with it: other phrases for
    /// the same single-valued attribute. Empty if it has none.
    pub fn kindred(&self) -> String {
        self.lasting().map(|phrases| phrases.replace(['|', '<', '*'], " ")).collect::<Vec<_>>().join(" ")
    }

    /// Whether both say the same attributes, and at least one.
    pub fn is_kindred(&self, other: &Self) -> bool {
        self.lasting().next().is_some() && self.lasting().eq(other.lasting())
    }

    /// The phrases of its attributes that have no date.
    fn lasting(&self) -> impl Iterator<Item = &'static str> {
        self.attributes().iter().filter(|attribute| !attribute.scheduled).map(|attribute| attribute.phrases)
    }
}

/// A word, or a character of a script without spaces.
#[derive(Clone, Debug)]
struct Word {
    /// The compared form: without case, with accents.
    text: String,
    /// The form of the tables: without accents too.
    plain: String,
    /// Whether it may be a name: it begins with a capital, or its script has none.
    named: bool,
    capital: bool,
    /// The punctuation mark before it, if that ends a part of the sentence.
    after: Option<char>,
}

impl Word {
    fn is(&self, listed: &str) -> bool {
        match listed.strip_suffix('*') {
            Some(start) => self.plain.starts_with(start),
            None => self.plain == listed || self.text == listed,
        }
    }

    fn is_one_of(&self, table: &str) -> bool {
        table.split('|').any(|listed| self.is(listed))
    }

    /// Whether it is a number, a part of a date, or an email address.
    fn is_value(&self) -> bool {
        self.plain.chars().any(|c| is_digit(c) || c == '@') || self.is_one_of(CALENDAR)
    }

    /// Whether it is a value, or belongs to one.
    fn may_count(&self) -> bool {
        self.is_value() || self.is_one_of(LINKS)
    }
}

/// The words of a text in order. Case, spaces and the punctuation around words do not count; symbols that belong to a
/// word do: `C` and `C++`, `5` and `-5` are different.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut after = None;
    for chunk in text.split_whitespace() {
        let mut word = String::new();
        let mut chars = chunk.chars().peekable();
        let mut flush = |word: &mut String, after: &mut Option<char>| {
            let trimmed = word.trim_end_matches(['.', ':', '-', '\'']).trim_start_matches(['.', ':', '\'']);
            push(trimmed, after, &mut words);
            if word.ends_with(':') {
                *after = Some(':');
            }
            word.clear();
        };
        while let Some(c) = chars.next() {
            match (c, class(c)) {
                _ if is_question_mark(c, word.chars().next_back()) => {
                    flush(&mut word, &mut after);
                    word.push('?');
                    flush(&mut word, &mut after);
                }
                (_, Class::Cjk | Class::Unspaced | Class::Picture) => {
                    flush(&mut word, &mut after);
                    word.push(c);
                    while let Some(mark) = chars.next_if(|c| class(*c) == Class::Mark) {
                        word.push(mark);
                    }
                    flush(&mut word, &mut after);
                }
                ('’', _) => word.push('\''),
                (',', _) if word.ends_with(is_digit) && chars.peek().is_some_and(|c| is_digit(*c)) => word.push(c),
                (',' | ';' | '，' | '、' | '；' | '：' | '،' | '؛' | '—' | '–', _) => {
                    flush(&mut word, &mut after);
                    after = Some(if c == '：' { ':' } else { c });
                }
                ('!' | '"' | '(' | ')' | '[' | ']' | '{' | '}' | '*' | '`', _) => flush(&mut word, &mut after),
                (_, Class::Gap) if !c.is_ascii() && !"€£¥₫₹₩°−".contains(c) => {
                    flush(&mut word, &mut after)
                }
                _ => word.push(c),
            }
        }
        flush(&mut word, &mut after);
    }
    words
}

/// Adds a word with its contractions expanded: `isn't` is `is not`, `j'habite` is `je habite`.
fn push(raw: &str, after: &mut Option<char>, words: &mut Vec<Word>) {
    if raw.is_empty() || raw == "-" {
        return;
    }
    let mut text = String::new();
    fold(raw, &mut text);
    let capital = raw.starts_with(is_capital);
    let cased = raw.starts_with(has_case);
    let mut one = |text: &str| {
        let mut plain = String::new();
        unaccent(text, &mut plain);
        let plain = voiced(&plain);
        words.push(Word { text: text.to_owned(), plain, named: capital || !cased, capital, after: after.take() });
    };
    for (short, long) in SHORT_FORMS {
        if let Some(start) = text.strip_suffix(short) {
            [start].into_iter().chain(long.split(' ')).filter(|part| !part.is_empty()).for_each(one);
            return;
        }
    }
    match text.split_once('\'') {
        Some((article, noun)) if matches!(article, "c" | "d" | "j" | "l" | "m" | "n" | "qu" | "s" | "t") => {
            one(&format!("{article}e"));
            one(noun);
        }
        _ => one(&text),
    }
}

/// Joins kana with the marks that NFKD has separated.
fn voiced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (c, out.chars().next_back()) {
            ('\u{3099}' | '\u{309a}', Some(kana)) => {
                out.pop();
                out.extend(char::from_u32(kana as u32 + c as u32 - 0x3098));
            }
            _ => out.push(c),
        }
    }
    out
}

/// The number of words of this phrase if `words` begin with it.
fn begins(words: &[Word], phrase: &str) -> Option<usize> {
    let mut at = 0;
    for part in phrase.split(' ') {
        let unspaced = part.starts_with(|c: char| class(c) == Class::Cjk);
        for c in part.chars().filter(|_| unspaced) {
            words.get(at).filter(|word| word.plain.chars().eq([c]))?;
            at += 1;
        }
        if !unspaced {
            words.get(at).filter(|word| word.is(part))?;
            at += 1;
        }
    }
    Some(at)
}

/// The longest phrase of a table at the beginning of `words`.
fn longest(words: &[Word], table: &str) -> Option<usize> {
    longest_of(words, table, false)
}

/// The same of the phrases that follow their value, or of the others.
fn longest_of(words: &[Word], table: &str, behind: bool) -> Option<usize> {
    let Word { text, plain, .. } = words.first()?;
    let first = |text: &str| text.as_bytes().first().copied();
    let (one, other) = (first(text), first(plain));
    let mut most = None;
    for phrase in table.split('|') {
        let bare = phrase.strip_prefix('<');
        let refused = bare.is_some() != behind;
        let phrase = bare.unwrap_or(phrase);
        // Most are refused by their first byte.
        if !refused && (first(phrase) == one || first(phrase) == other) {
            most = most.max(begins(words, phrase));
        }
    }
    most
}

/// The words without the phrases of a table.
fn without(words: &[Word], table: &str) -> Vec<Word> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let skipped = longest(rest, table);
        kept.extend(rest.first().filter(|_| skipped.is_none()).cloned());
        at += skipped.unwrap_or(1);
    }
    kept
}

/// The range of the first phrase of a table.
fn find(words: &[Word], table: &str) -> Option<(usize, usize)> {
    find_of(words, table, false)
}

/// The same of the phrases that follow their value, or of the others.
fn find_of(words: &[Word], table: &str, behind: bool) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| Some((at, at + longest_of(words.get(at..)?, table, behind)?)))
}

/// Whether one is the negation of the other, and nothing else differs.
fn negates(old: &[Word], new: &[Word]) -> bool {
    let ((old, denied), (new, denies)) = (undenied(old), undenied(new));
    let last = old.len().saturating_sub(1);
    denied != denies
        && old.len() == new.len()
        && old.len() > 1
        && old.iter().zip(&new).enumerate().all(|(at, (one, other))| alike(one, other, at == last))
}

/// The words without negations and their dummy words, and whether there was a negation.
fn undenied(words: &[Word]) -> (Vec<&Word>, bool) {
    let (mut kept, mut denied, mut at) = (Vec::new(), false, 0);
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = longest(rest, NEGATIONS) {
            (denied, at) = (true, at + length);
        } else if let Some(length) = longest(rest, DUMMIES).or_else(|| longest(rest, ARTICLES)) {
            at += length;
        } else {
            kept.extend(rest.first());
            at += 1;
        }
    }
    (kept, denied)
}

/// Whether two words are forms of one. Names must be equal; a verb at the end of a Korean sentence may have any ending.
fn alike(one: &Word, other: &Word, last: bool) -> bool {
    if one.text == other.text {
        return true;
    }
    let stem = |word: &Word| {
        let mut out = String::new();
        stem(&word.text, &mut out);
        out
    };
    if stem(one) == stem(other) {
        return true;
    }
    let hangul = |word: &Word| word.text.chars().all(|c| matches!(c, '가'..='힣'));
    let cyrillic =
        |word: &Word| !word.capital && word.text.chars().all(|c| matches!(c, 'а'..='я' | 'ё' | '\u{306}' | '\u{308}'));
    let shared = one.text.chars().zip(other.text.chars()).take_while(|(a, b)| a == b).count();
    let rest = one.text.chars().count().max(other.text.chars().count()) - shared;
    if hangul(one) && hangul(other) {
        let noun = |word: &Word| word.text.trim_end_matches(['은', '는', '이', '가', '을', '를']).to_owned();
        return noun(one) == noun(other) || last && shared >= 1 && rest <= 3;
    }
    cyrillic(one) && cyrillic(other) && shared >= 3 && rest <= 2
}

/// Whether only a number, a date or a time differs, and it is the value and not the subject.
fn other_number(old: &[Word], new: &[Word]) -> bool {
    let (before, after) = around(old, new);
    let (Some(was), Some(is)) = (old.get(before..old.len() - after), new.get(before..new.len() - after)) else {
        return false;
    };
    let only_values = if was.len() == is.len() {
        was.iter().zip(is).all(|(was, is)| was.text == is.text || was.may_count() && is.may_count())
    } else {
        was.iter().chain(is).all(Word::may_count)
    };
    if !only_values || !was.iter().any(Word::is_value) || !is.iter().any(Word::is_value) {
        return false;
    }
    let (Some(start), Some(end)) = (old.get(..before), old.get(old.len() - after..)) else { return false };
    let linked = start.iter().rev().skip_while(|word| word.may_count()).count();
    let says = |table: &str| {
        (0..start.len())
            .any(|at| start.get(at..).and_then(|rest| longest(rest, table)).is_some_and(|length| at + length >= linked))
    };
    let plain_end = end.iter().all(Word::may_count);
    let nothing_done = end.iter().all(|word| word.capital || word.may_count());
    let whole: String = old.iter().map(|word| word.plain.as_str()).collect();
    let states = ENDINGS.split('|').any(|ending| whole.ends_with(ending));
    let colon = was.first().is_some_and(|word| word.after == Some(':')) && start.len() <= 4;
    let scheduled = find(start, SCHEDULED).is_some_and(|(at, _)| at < 4);
    let topic = linked > 0 && start.get(..linked).is_some_and(|start| topical(start) == linked);
    says(COPULAS) || says(AUXILIARIES) && nothing_done || colon || scheduled && (plain_end || states) || topic && states
}

/// The number of common words at the beginning, and at the end.
fn around(old: &[Word], new: &[Word]) -> (usize, usize) {
    let before = old.iter().zip(new).take_while(|(one, other)| one.text == other.text).count();
    let rest = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one.text == other.text);
    (before, after.count())
}

/// The number of words of the topic, if a particle marks it; otherwise 0.
fn topical(words: &[Word]) -> usize {
    let marks = |word: &Word| {
        matches!(word.plain.as_str(), "は" | "在")
            || word.plain.chars().count() > 1 && word.plain.ends_with(['은', '는', '이', '가'])
    };
    words.iter().rposition(marks).map_or(0, |at| at + 1)
}

/// Whether both give different values to this single-valued attribute of the same subject, such as a home.
fn other_value(attribute: &Attribute, old: &[Word], new: &[Word]) -> bool {
    let (Some((whose, is)), Some((who, was))) = (said(new, attribute.phrases), said(old, attribute.phrases)) else {
        return false;
    };
    let same = |one: &[Word], other: &[Word]| {
        one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one.text == other.text).count()
    };
    // A common ending is no part of either value, unless nothing else is left.
    let ending = same(was, is).min(was.len().saturating_sub(1)).min(is.len().saturating_sub(1));
    let (was, is) = (was.get(..was.len() - ending), is.get(..is.len() - ending));
    let (was, is) = (was.unwrap_or(&[]), is.unwrap_or(&[]));
    let lower = |words: &[Word]| words.iter().all(|word| !word.capital);
    let common = attribute.common || lower(old) && lower(new);
    subject(who).eq(subject(whose))
        && (!attribute.scheduled || find(who, SCHEDULED).is_some())
        && is_name(was, common)
        && is_name(is, common)
        && (!attribute.scheduled || was.iter().all(Word::is_value) == is.iter().all(Word::is_value))
}

/// The subject of a statement and its value, if it has one of these phrases. After `<` come phrases that follow their
/// value.
fn said<'a>(words: &'a [Word], phrases: &str) -> Option<(&'a [Word], &'a [Word])> {
    if let Some((at, after)) = find(words, phrases) {
        return Some((words.get(..at)?, words.get(after..)?));
    }
    let (at, _) = find_of(words, phrases, true)?;
    let start = topical(words.get(..at)?);
    Some((words.get(..start)?, words.get(start..at)?))
}

/// The words of the subject.
fn subject(words: &[Word]) -> impl Iterator<Item = &str> {
    words.iter().filter(|word| !word.is_one_of(ARTICLES)).map(|word| word.text.as_str())
}

/// Whether words are a name or another short value, and not a description. With `common`, lowercase words are enough.
fn is_name(words: &[Word], common: bool) -> bool {
    let unspaced = words.iter().all(|word| word.plain.chars().all(|c| class(c) == Class::Cjk));
    let most = if unspaced { 8 } else { 4 };
    let fits = |(at, word): (usize, &Word)| {
        let listed = word.is_one_of(ARTICLES) || word.is_one_of(LINKS) || word.is_one_of(DUMMIES);
        let named = word.named || word.is_value() || common && words.len() <= 3 && !listed;
        named && (at == 0 || word.after.is_none())
    };
    !words.is_empty() && words.len() <= most && words.iter().enumerate().all(fits) && find(words, NO_NAMES).is_none()
}
