//! The languages with a pack, and which of them a message is in: by script, else by its commonest words and letters.

use super::fold::{Folding, hash, words};
use super::languages::{COMMON, LETTERS};
use crate::model::{sorted, within};

/// A language for which there is a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each name is its ISO 639-1 code")]
pub enum Lang {
    Ar,
    De,
    En,
    Es,
    Fr,
    Hi,
    Id,
    Ja,
    Ko,
    Pt,
    Ru,
    Th,
    Vi,
    Zh,
}

use Lang::{Ar, De, En, Es, Fr, Hi, Id, Ja, Ko, Pt, Ru, Th, Vi, Zh};

impl Lang {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 14] = [Ar, De, En, Es, Fr, Hi, Id, Ja, Ko, Pt, Ru, Th, Vi, Zh];

    /// The ISO 639-1 code, which is also the name of the pack: `en`.
    pub fn code(self) -> &'static str {
        const CODES: &str = "ardeenesfrhiidjakoptruthvizh";
        let at = self as usize * 2;
        CODES.get(at..at + 2).unwrap_or("")
    }

    /// The language of a code, in small letters.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// Whether it is written without spaces, so that cues match anywhere.
    pub(super) fn is_unspaced(self) -> bool {
        matches!(self, Ja | Th | Zh)
    }

    /// Whether it is written in Latin letters.
    pub(super) fn is_latin(self) -> bool {
        matches!(self, De | En | Es | Fr | Id | Pt | Vi)
    }

    /// Whether a sentence about the speaker often has no subject.
    pub(super) fn drops_subjects(self) -> bool {
        matches!(self, Ja | Zh | Th | Ko | Vi | Id)
    }

    /// Whether question words stand at the beginning, so that elsewhere they are conjunctions.
    pub(super) fn asks_first(self) -> bool {
        matches!(self, En | De | Es | Fr | Pt | Ru | Ar)
    }
}

/// The language that a message's script tells. A message in Latin letters has none, and `prior` stands for one without
/// letters.
pub(super) fn by_letters(decomposed: &str, prior: Option<Lang>) -> Option<Lang> {
    match by_script(decomposed) {
        Script::Of(Zh) if prior == Some(Ja) => prior,
        Script::Of(lang) => Some(lang),
        Script::Latin | Script::Other => None,
        Script::Nothing => prior,
    }
}

/// The script of a message.
enum Script {
    /// One that tells the language.
    Of(Lang),
    /// Latin letters.
    Latin,
    /// Letters that no pack knows.
    Other,
    /// No letters.
    Nothing,
}

/// The script: the rarer one counts even if most of the message is in Latin letters, as names and code are.
fn by_script(decomposed: &str) -> Script {
    let mut found = Script::Nothing;
    let mut han = false;
    for c in decomposed.chars() {
        match c as u32 {
            0x1100..=0x11FF | 0xAC00..=0xD7AF => return Script::Of(Ko),
            0x3040..=0x30FF => return Script::Of(Ja),
            0x4E00..=0x9FFF => han = true,
            0x0E00..=0x0E7F => return Script::Of(Th),
            0x0900..=0x097F => return Script::Of(Hi),
            0x0600..=0x06FF => return Script::Of(Ar),
            0x0400..=0x04FF => return Script::Of(Ru),
            0x41..=0x5A | 0x61..=0x7A if !matches!(found, Script::Other) => found = Script::Latin,
            0x0370..=0x1FFF if matches!(found, Script::Nothing) => found = Script::Other,
            _ => {}
        }
    }
    if han { Script::Of(Zh) } else { found }
}

/// Points of a language.
pub(super) type Scores = [(Lang, u32); COMMON.len()];

/// The common words of all languages in Latin letters: the hash of each, and a bit for each language that has it.
#[derive(Clone, Debug)]
pub(super) struct Common(Vec<(u32, u8)>);

impl Common {
    pub(super) fn new() -> Self {
        let mut list: Vec<(u32, u8)> = Vec::new();
        for (at, (_, words)) in COMMON.iter().enumerate() {
            list.extend(words.split(' ').map(|word| (hash(word), 1_u8 << at)));
        }
        let hash_at = |at: usize| list.get(at).map(|(hash, _)| *hash);
        let order = sorted(list.len(), &|one, other| hash_at(one).cmp(&hash_at(other)));
        let mut all: Vec<(u32, u8)> = Vec::with_capacity(list.len());
        for (hash, bits) in order.into_iter().filter_map(|at| list.get(at)) {
            match all.last_mut() {
                Some(last) if last.0 == *hash => last.1 |= bits,
                _ => all.push((*hash, *bits)),
            }
        }
        Self(all)
    }

    fn of(&self, word: &str) -> u8 {
        let found = self.0.binary_search_by_key(&hash(word), |(hash, _)| *hash);
        found.ok().and_then(|at| self.0.get(at)).map_or(0, |(_, bits)| *bits)
    }

    /// The languages in Latin letters with their points: some for each common word, fewer for letters that few of them
    /// have. `None` if the text is in another script.
    pub(super) fn scores(&self, decomposed: &str, prior: Option<Lang>) -> Option<Scores> {
        if !matches!(by_script(decomposed), Script::Latin) {
            return None;
        }
        let folded = Folding::Plain.of(decomposed);
        let mut scores = COMMON.map(|(lang, _)| (lang, if prior == Some(lang) { 5 } else { 0 }));
        for word in words(&folded) {
            // An elision is a French word of its own.
            let word = word.split_once('\'').map_or(word, |(head, _)| if head.len() < 3 { head } else { word });
            let bits = self.of(word);
            for (at, (_, score)) in scores.iter_mut().enumerate() {
                *score += if bits & 1 << at == 0 { 0 } else { 4 };
            }
        }
        for (owner, letters, points) in LETTERS {
            for (lang, score) in &mut scores {
                if owner == *lang && letters.split(' ').any(|letter| within(decomposed, letter)) {
                    *score += points;
                }
            }
        }
        Some(scores)
    }
}

/// The best language. Several words of which none is known are in another one.
pub(super) fn best(scores: &Scores, decomposed: &str) -> Option<Lang> {
    let mut best = (Lang::En, 0);
    for (lang, score) in scores {
        if *score > best.1 {
            best = (*lang, *score);
        }
    }
    (best.1 > 0 || words(decomposed).nth(3).is_none()).then_some(best.0)
}
