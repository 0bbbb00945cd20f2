//! The packs that are loaded.

use super::lang::{Common, Lang, best, by_letters};
use super::pack::Pack;
use super::prepared::Prepared;
use super::sentence::beginning;

/// The number of bytes of a message that language detection reads.
const ENOUGH: usize = 1000;

/// Languages that are less than so many points apart are told apart by their packs.
const CLOSE: u32 = 9;

/// The packs that are loaded, at most one for each language.
#[derive(Clone, Debug)]
pub struct Packs {
    list: Vec<Pack>,
    common: Common,
}

impl Default for Packs {
    fn default() -> Self {
        Self::new()
    }
}

impl Packs {
    /// None.
    pub fn new() -> Self {
        Self { list: Vec::new(), common: Common::new() }
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
        let Some(mut scores) = self.common.scores(decomposed, prior) else { return by_letters(decomposed, prior) };
        let is_near = nearness(&scores);
        let near = scores.iter().filter(|(lang, score)| is_near(*lang, *score));
        if near.clone().count() > 1 && near.clone().all(|(lang, _)| self.get(*lang).is_some()) {
            for (lang, score) in scores.iter_mut().filter(|(lang, score)| is_near(*lang, *score)) {
                *score += self.get(*lang).map_or(0, |pack| Prepared::new(decomposed, pack).weight());
            }
        }
        best(&scores, decomposed)
    }

    /// The languages that a message may be in, by its letters and commonest words: the packs that judging it needs.
    pub fn near(&self, decomposed: &str, prior: Option<Lang>) -> Vec<Lang> {
        let decomposed = beginning(decomposed, ENOUGH);
        let Some(scores) = self.common.scores(decomposed, prior) else {
            return by_letters(decomposed, prior).into_iter().collect();
        };
        let is_near = nearness(&scores);
        // A message without any common word, such as "ok", needs no other pack.
        let near = scores.iter().filter(|(lang, score)| is_near(*lang, *score) && (*score > 0 || *lang == Lang::En));
        near.map(|(lang, _)| *lang).collect()
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pack> {
        self.list.iter()
    }
}

/// Whether a language with this score may be the one. English always may: its words are in texts of every language.
fn nearness(scores: &[(Lang, u32)]) -> impl Fn(Lang, u32) -> bool + use<> {
    let top = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
    move |lang, score| (score > 0 || top == 0 || lang == Lang::En) && score + CLOSE > top
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
