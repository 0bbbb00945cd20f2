//! The languages with a pack, and which of them a message is in: by script, else by its commonest words and letters.

use super::fold::{each, folded, len, place, slice, words};
use super::languages::{LATIN, common};

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

/// The language that a message's script tells; `None` if it is in Latin letters. The rarer script counts even if most of
/// the message is in Latin letters, as names and code are. `prior` stands for a message without letters.
#[inline(never)]
pub(super) fn by_script(decomposed: &str, prior: Option<Lang>) -> Option<Option<Lang>> {
    if decomposed.is_ascii() {
        let has_letter = decomposed.bytes().any(|byte| byte.is_ascii_alphabetic());
        return if has_letter { None } else { Some(prior) };
    }
    let mut found = Some(prior);
    let mut han = false;
    let mut other = false;
    each!(decomposed, |_at, c| {
        let lang = match c as u32 {
            0x1100..=0x11FF | 0xAC00..=0xD7AF => Ko,
            0x3040..=0x30FF => Ja,
            0x0E00..=0x0E7F => Th,
            0x0900..=0x097F => Hi,
            0x0600..=0x06FF => Ar,
            0x0400..=0x04FF => Ru,
            code => {
                match code {
                    0x4E00..=0x9FFF => han = true,
                    0x41..=0x5A | 0x61..=0x7A if !other => found = None,
                    0x0370..=0x1FFF if found.is_some() => other = true,
                    _ => {}
                }
                continue;
            }
        };
        return Some(Some(lang));
    });
    match (han, other) {
        (true, _) => Some(Some(if prior == Some(Ja) { Ja } else { Zh })),
        (_, true) => Some(None),
        _ => found,
    }
}

/// The points of the languages in Latin letters: some for each common word, fewer for letters that few of them have.
#[inline(never)]
pub(super) fn scores(decomposed: &str) -> [u32; LATIN.len()] {
    let folded = folded(decomposed, false);
    let mut scores = [0; LATIN.len()];
    for word in words(&folded) {
        // An elision is a French word of its own.
        let head = place(word, "'").unwrap_or(3);
        let word = if head < 3 { slice(word, 0, head) } else { word };
        let (common, suffixed) = (common(word), len(word) > 4 && (word.ends_with("ku") || word.ends_with("nya")));
        for (place, (score, (lang, ..))) in scores.iter_mut().zip(&LATIN).enumerate() {
            *score += if common & 1 << place != 0 || suffixed && *lang == Id { 4 } else { 0 };
        }
    }
    let is_ascii = decomposed.is_ascii();
    for (score, (.., letters, points)) in scores.iter_mut().zip(&LATIN) {
        let has = |letter: &str| (!is_ascii || letter.is_ascii()) && place(decomposed, letter).is_some();
        *score += if *points > 0 && letters.split(' ').any(has) { *points } else { 0 };
    }
    scores
}
