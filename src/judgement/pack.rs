//! A language as data: the cues of one pack in one sorted table, read from its text. packs/README.md has the format.

use super::attribute::{Attribute, Attributes, Subject};
use super::compare::holds;
use super::content::stems;
use super::fold::{each, folded, hash, position, slice, tail};
use super::lang::Lang;
use super::prepared::{adapt, is_topic};
use crate::model::{Invalid, sort, sorted};

/// The longest pack. The packs of this repository have at most 13.2 KB.
const MAX_PACK: usize = 64 * 1024;

/// The sense of a cue is a number: that of an attribute if a statement with the cue is about it; of an attribute and this
/// if a question is; of a subject and `NAMES`; or of a list.
pub(super) const SEEKS: u8 = 32;
/// The sense of the first subject.
pub(super) const NAMES: u8 = 64;
/// An item with a hyphen is an ending: the sense of its list and this.
const ENDS: u8 = 64;

/// The purpose of a list in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum List {
    /// `I`: first person.
    First = 96,
    /// `P`: past forms that do not tell the person.
    Past,
    /// `Q`: questions.
    Asks,
    /// `R`: requests.
    Requests,
    /// `H`: hypothesis, hearsay, fiction.
    Fiction,
    /// `N`: passing state.
    Passing,
    /// `S`: small talk.
    Small,
    /// `O`: stance, feeling, wish.
    Stance,
    /// `X`: negation.
    Negation,
    /// `C`: change or correction.
    Change,
    /// `A`: "also".
    Also,
    /// `G`: habit.
    Habit,
    /// `W`: weekdays, months, clock words.
    Calendar,
    /// `fg`: requests to forget.
    Forget,
    /// `V`: verb forms of the first person.
    Verb,
    /// `B`: possessives of others.
    Others,
    /// `K`: courtesies at the beginning of a request.
    Courtesy,
    /// `Y`: how-to questions.
    HowTo,
    /// `U`: pronouns of others.
    Pronoun,
    /// `M`: possessives of the speaker.
    Mine,
    /// `F`: news, measures of the world, trouble of the moment, the person spoken to.
    Foreign,
    /// `Z`: idioms that are cut out before cues are sought. From here on each list is sought by itself.
    Idiom,
    /// `se`: words for secrets.
    Secret,
    /// `T`: words that may stand before a statement about the speaker.
    Topic,
    /// `L`, and the words of some lists: words that are no content.
    Stop,
    /// `D`: words after which a word with an ending of the first person is no verb.
    Determiner,
    /// `E`: words with such an ending that are no verbs.
    Exception,
    /// `J`: particles at the end of a sentence, or of a word where there are spaces.
    Particle,
    /// `se` after `?`: words for secrets that are never a number.
    Token = Self::Secret as u8 + SEEKS,
    /// `V` with a hyphen: endings of verbs of the first person.
    Ending = Self::Verb as u8 + ENDS,
    /// `E` with a hyphen: such endings of other words.
    Exempt = Self::Exception as u8 + ENDS,
}

/// The keys of the lists, in the order of `List`.
const KEYS: &str = "I P Q R H N S O X C A G W fg V B K Y U M F Z se T L D E J";

/// `^`: only at the beginning of a clause.
pub(super) const START: u8 = 1;
/// `$`: only at the end of a sentence.
pub(super) const END: u8 = 2;
/// `*`: a word may go on after it.
pub(super) const PREFIX: u8 = 4;
/// Another part of the cue follows.
pub(super) const MORE: u8 = 8;

/// A part of a cue: `moved+to` has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    from: u32,
    pub(super) len: u8,
    /// The bytes of its spelling with tones, after the other one.
    toned: u8,
    pub(super) sense: u8,
    pub(super) flags: u8,
    /// The number of the cue.
    pub(super) cue: u16,
    /// Which part of it.
    pub(super) part: u8,
}

impl Entry {
    /// The table that it is sought in.
    fn table(&self) -> u8 {
        if self.sense < List::Idiom as u8 { 0 } else { self.sense }
    }
}

/// The cues of one language.
#[derive(Clone, Debug)]
pub struct Pack {
    pub(super) lang: Lang,
    /// All spellings.
    text: String,
    /// In the order of tables and spellings.
    entries: Vec<Entry>,
    /// The words of `Stop`, as hashes.
    stops: Vec<u32>,
    /// Stems of cues: they do not tell one thing from another.
    pub(super) known: Vec<u32>,
    /// Stems of times, habits, people, "my" and "is called": a question and a statement that share nothing else are about two
    /// things.
    pub(super) general: Vec<u32>,
    /// Stems of requests to forget: they do not tell what to forget.
    pub(super) forget: Vec<u32>,
}

impl Pack {
    /// Reads a pack. `decompose` gives a text in NFKD.
    pub fn parse(text: &str, decompose: &dyn Fn(&str) -> String) -> Result<Self, Invalid> {
        if text.len() > MAX_PACK {
            return Err(Invalid::too_large("pack", MAX_PACK, text.len()));
        }
        let text = decompose(text);
        let code = text.split('\n').next().and_then(|line| line.strip_prefix('@'));
        let refused = |line: usize, reason: &str| Err(Invalid::value(format!("pack line {line}"), reason));
        let Some(lang) = code.and_then(|code| Lang::of(code.trim())) else {
            return refused(1, "must be `@` and the code of a language, such as `@en`");
        };
        let mut pack = Self {
            lang,
            text: String::new(),
            entries: Vec::new(),
            stops: Vec::new(),
            known: Vec::new(),
            general: Vec::new(),
            forget: Vec::new(),
        };
        for (number, line) in text.split('\n').enumerate().skip(1) {
            if !line.trim().is_empty() && pack.line(line).is_none() {
                let reason = "must be a known key, a space, and items with `|` between them";
                return refused(number + 1, reason);
            }
        }
        let own = |at: usize| pack.entries.get(at).map(|entry| (entry.table(), pack.spelling(entry)));
        let order = sorted(pack.entries.len(), &|one, other| own(one).cmp(&own(other)));
        pack.entries = order.into_iter().filter_map(|at| pack.entries.get(at).copied()).collect();
        let stops = pack.entries.iter().filter(|entry| entry.sense == List::Stop as u8);
        pack.stops = stops.map(|entry| hash(pack.spelling(entry))).collect();
        sort(&mut pack.stops, &mut u32::cmp);
        let (mut known, mut general, mut forget) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &pack.entries {
            if entry.sense == List::Forget as u8 {
                forget.append(&mut stems(pack.spelling(entry), Some(&pack)));
            }
            if entry.sense == List::First as u8 || entry.sense == List::Mine as u8 {
                general.append(&mut stems(pack.spelling(entry), Some(&pack)));
            }
            if is_topic(entry.sense) {
                let mut own = stems(pack.spelling(entry), Some(&pack));
                if entry.sense >= SEEKS || entry.sense == Attribute::Name as u8 {
                    general.extend_from_slice(&own);
                }
                known.append(&mut own);
            }
        }
        sort(&mut known, &mut u32::cmp);
        sort(&mut general, &mut u32::cmp);
        (pack.known, pack.general, pack.forget) = (known, general, forget);
        Ok(pack)
    }

    /// The language that it is for.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Its words that state one of these attributes: search words for statements that share no word with another.
    pub fn kindred(&self, attributes: Attributes) -> String {
        let mut words = String::new();
        for entry in &self.entries {
            let stated = Attribute::ALL.get(usize::from(entry.sense));
            if stated.is_some_and(|attribute| attributes.has(*attribute)) {
                for spelling in [self.spelling(entry), self.toned(entry)] {
                    words.push_str(spelling);
                    words.push(' ');
                }
            }
        }
        words
    }

    /// Reads one line; `None` if it is wrong.
    fn line(&mut self, line: &str) -> Option<()> {
        let (key, items) = line.split_once(' ')?;
        let mut sense = if let Some(attribute) = Attribute::of(key) {
            attribute as u8
        } else if let Some(subject) = Subject::of(key) {
            NAMES + subject as u8
        } else {
            List::First as u8 + position(KEYS, key)? as u8
        };
        for half in items.split('?') {
            for item in half.split('|') {
                self.cue(item.trim(), sense)?;
            }
            sense = sense.wrapping_add(SEEKS);
        }
        Some(())
    }

    /// Takes one cue: `^` at the beginning, `$` at the end, `*` a word goes on, `+` between parts.
    fn cue(&mut self, source: &str, sense: u8) -> Option<()> {
        let (sense, source) = source.strip_prefix('-').map_or((sense, source), |rest| (sense.wrapping_add(ENDS), rest));
        let (mut all, source) = source.strip_prefix('^').map_or((0, source), |rest| (START, rest));
        let source = source.strip_suffix('$').inspect(|_| all |= END).unwrap_or(source);
        let cue = u16::try_from(self.entries.len()).ok()?;
        let parts = source.split('+').count();
        for (part, text) in source.split('+').enumerate() {
            let mut flags = all | if part + 1 < parts { MORE } else { 0 };
            let text = text.strip_suffix('*').inspect(|_| flags |= PREFIX).unwrap_or(text);
            let mut own = folded(text, false);
            // The place of a secret is sought in the text as it is written.
            if sense != List::Secret as u8 && sense != List::Token as u8 {
                own = adapt(own, self.lang);
            }
            if own.is_empty() || own.len() > 120 {
                return None;
            }
            let from = self.text.len() as u32;
            self.text.push_str(&own);
            let mut toned = 0;
            if matches!(self.lang, Lang::Vi | Lang::Hi) {
                let other = folded(text, self.lang == Lang::Vi);
                toned = if other == own { 0 } else { other.len() as u8 };
                self.text.push_str(&other);
            }
            self.entries.push(Entry { from, len: own.len() as u8, toned, sense, flags, cue, part: part as u8 });
            if parts == 1 {
                self.note(&own, from, sense);
            }
        }
        Some(())
    }

    /// Takes the words of some lists as stop words.
    fn note(&mut self, text: &str, mut from: u32, sense: u8) {
        const NOTED: [List; 7] =
            [List::First, List::Asks, List::Negation, List::Also, List::Change, List::Habit, List::Small];
        if self.lang.is_unspaced() || !NOTED.iter().any(|list| *list as u8 == sense) {
            return;
        }
        for word in text.split(' ') {
            let len = word.len() as u8;
            self.entries.push(Entry { from, len, toned: 0, sense: List::Stop as u8, flags: 0, cue: 0, part: 0 });
            from += u32::from(len) + 1;
        }
    }

    /// The spelling of an entry.
    #[inline(never)]
    fn spelling(&self, entry: &Entry) -> &str {
        let from = entry.from as usize;
        slice(&self.text, from, from + usize::from(entry.len))
    }

    /// The spelling of an entry with tones; empty if it has none.
    pub(super) fn toned(&self, entry: &Entry) -> &str {
        let from = entry.from as usize + usize::from(entry.len);
        slice(&self.text, from, from + usize::from(entry.toned))
    }

    /// Calls `found` with each entry of a table that `rest` begins with, the longest first. All of them are at or below
    /// `rest` in the order of the table; below one that `rest` does not begin with, they are no longer than what both
    /// begin with.
    #[inline(never)]
    pub(super) fn at(&self, table: u8, rest: &str, found: &mut dyn FnMut(&Entry)) {
        let mut rest = rest.as_bytes();
        let mut end = self.entries.len();
        while !rest.is_empty() {
            let below = |entry: &Entry| (entry.table(), self.spelling(entry).as_bytes()) <= (table, rest);
            end = self.entries.get(..end).unwrap_or(&[]).partition_point(below);
            let mut shared = 0;
            while let Some(entry) = end.checked_sub(1).and_then(|at| self.entries.get(at)) {
                let own = self.spelling(entry).as_bytes();
                if entry.table() != table {
                    return;
                }
                shared = own.iter().zip(rest).take_while(|(own, rest)| own == rest).count();
                if shared < own.len() {
                    break;
                }
                found(entry);
                end -= 1;
                shared = 0;
            }
            rest = rest.get(..shared).unwrap_or(&[]);
        }
    }

    /// The length of the longest item of a list that a text begins with.
    #[inline(never)]
    pub(super) fn begins(&self, list: List, text: &str) -> usize {
        let mut longest = 0;
        self.at(list as u8, text, &mut |entry| longest = longest.max(usize::from(entry.len)));
        longest
    }

    /// Whether a word is in a list.
    pub(super) fn has(&self, list: List, word: &str) -> bool {
        !word.is_empty() && self.begins(list, word) == word.len()
    }

    /// Whether a word is no content. The list is asked for each word of a text.
    pub(super) fn is_stop(&self, word: &str) -> bool {
        holds(&self.stops, hash(word))
    }

    /// The length of the longest item of a list that a text ends with.
    #[inline(never)]
    pub(super) fn ends(&self, list: List, text: &str) -> usize {
        let mut longest = 0;
        let begin = self.entries.partition_point(|entry| entry.table() < list as u8);
        for entry in self.entries.iter().skip(begin).take_while(|entry| entry.sense == list as u8) {
            if text.ends_with(self.spelling(entry)) {
                longest = longest.max(usize::from(entry.len));
            }
        }
        longest
    }

    /// A text with every item of a list replaced by a space; of several at one place the longest.
    #[inline(never)]
    pub(super) fn cut(&self, list: List, text: &str) -> String {
        let mut out = String::new();
        let mut until = 0;
        each!(text, |at, c| {
            if at >= until {
                let longest = self.begins(list, tail(text, at));
                out.push(if longest > 0 { ' ' } else { c });
                until = at + longest;
            }
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str =
        "@en\nI i|my\nmother mum\nQ what\nR ^write\nX not\nC moved\nL the|a\nhome live|moved+to ? city\n";

    fn refused(text: &str) -> String {
        Pack::parse(text, &str::to_owned).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_small_pack_is_read() {
        let pack = Pack::parse(LEAST, &str::to_owned).unwrap();
        assert_eq!(pack.lang(), Lang::En);
        assert!(pack.is_stop("my") && pack.is_stop("the") && !pack.is_stop("city"));
        let mut found = Vec::new();
        pack.at(0, "moved to", &mut |entry| found.push((entry.sense, entry.flags, entry.len)));
        assert_eq!(found, [(Attribute::Home as u8, MORE, 5), (List::Change as u8, 0, 5)]);
        assert_eq!(pack.cut(List::Stop, "the dog"), "  dog");
    }

    #[test]
    fn a_mistake_is_named_by_its_line() {
        for (text, error) in [
            ("en\n", "`pack line 1` must be `@` and the code of a language, such as `@en`"),
            ("@en\nI i\nqq a", "`pack line 3` must be a known key"),
            ("@en\nI i||my", "`pack line 2` must be a known key"),
            ("@en\nI", "`pack line 2` must be a known key"),
        ] {
            assert!(refused(text).starts_with(error), "{}", refused(text));
        }
        assert!(refused(&"x".repeat(MAX_PACK + 1)).contains("too large"));
    }
}
