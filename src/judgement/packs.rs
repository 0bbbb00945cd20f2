//! The packs that are loaded.

use super::fold::words;
use super::lang::{Lang, by_script, scores};
use super::languages::LATIN;
use super::pack::Pack;
use super::prepared::Prepared;
use super::sentence::beginning;

/// The number of bytes of a message that language detection reads.
const ENOUGH: usize = 1000;

/// Languages that are less than so many points apart are told apart by their packs.
const CLOSE: u32 = 9;

/// The packs that are loaded, at most one for each language.
#[derive(Clone, Debug, Default)]
pub struct Packs {
    list: Vec<Pack>,
}

impl Packs {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pack, or replaces the one of its language.
    pub fn add(&mut self, pack: Pack) {
        self.list.retain(|old| old.lang != pack.lang);
        self.list.push(pack);
    }

    /// The pack of a language, if it is loaded.
    pub fn get(&self, lang: Lang) -> Option<&Pack> {
        self.iter().find(|pack| pack.lang == lang)
    }

    /// The language of a message, `None` if it is in none of the fourteen. It needs no pack; but where common words leave
    /// several languages, the cues of their packs decide, if all of those are loaded. `decomposed` is the message in
    /// NFKD, `prior` the language of the message before it.
    pub fn language(&self, decomposed: &str, prior: Option<Lang>) -> Option<Lang> {
        let decomposed = beginning(decomposed, ENOUGH);
        if let Some(found) = by_script(decomposed, prior) {
            return found;
        }
        let mut scores = scores(decomposed, prior);
        let near = nearness(&scores);
        let loaded = LATIN.iter().zip(near).filter(|((lang, ..), near)| *near && self.get(*lang).is_some()).count();
        let count = near.iter().filter(|near| **near).count();
        let (mut best, mut most) = (Lang::En, 0);
        for ((score, (lang, ..)), near) in scores.iter_mut().zip(&LATIN).zip(near) {
            if count > 1
                && loaded == count
                && near
                && let Some(pack) = self.get(*lang)
            {
                *score += Prepared::new(decomposed, pack).weight();
            }
            if *score > most {
                (best, most) = (*lang, *score);
            }
        }
        // Several words of which none is known are in another language.
        (most > 0 || words(decomposed).len() < 4).then_some(best)
    }

    /// The languages that a message may be in, by its letters and commonest words: the packs that judging it needs.
    pub fn near(&self, decomposed: &str, prior: Option<Lang>) -> Vec<Lang> {
        let decomposed = beginning(decomposed, ENOUGH);
        if let Some(found) = by_script(decomposed, prior) {
            return found.into_iter().collect();
        }
        let scores = scores(decomposed, prior);
        let mut languages = Vec::new();
        for ((score, (lang, ..)), near) in scores.iter().zip(&LATIN).zip(nearness(&scores)) {
            // A message without any common word, such as "ok", needs no other pack.
            if near && (*score > 0 || *lang == Lang::En) {
                languages.push(*lang);
            }
        }
        languages
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pack> {
        self.list.iter()
    }
}

/// Which languages may be the one, by their scores. English always may: its words are in texts of every language.
fn nearness(scores: &[u32; LATIN.len()]) -> [bool; LATIN.len()] {
    let top = scores.iter().fold(0, |top, score| top.max(*score));
    let mut near = [false; LATIN.len()];
    for ((near, score), (lang, ..)) in near.iter_mut().zip(scores).zip(&LATIN) {
        *near = (*score > 0 || top == 0 || *lang == Lang::En) && score + CLOSE > top;
    }
    near
}

/// The text of a language's pack, for artefacts that embed them.
#[cfg(feature = "packs")]
pub fn built_in(lang: Lang) -> &'static str {
    macro_rules! texts {
        ($($variant:ident $file:literal,)*) => {
            match lang {
                $(Lang::$variant => include_str!(concat!("../../packs/", $file, ".txt")),)*
            }
        };
    }
    texts! {
        Ar "ar", De "de", En "en", Es "es", Fr "fr", Hi "hi", Id "id", Ja "ja", Ko "ko", Pt "pt", Ru "ru", Th "th",
        Vi "vi", Zh "zh",
    }
}
