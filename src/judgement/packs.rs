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
        let top = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
        let is_near = |score: u32| score + CLOSE > top;
        let near = scores.iter().filter(|(_, score)| is_near(*score));
        if near.clone().count() > 1 && near.clone().all(|(lang, _)| self.get(*lang).is_some()) {
            for (lang, score) in scores.iter_mut().filter(|(_, score)| is_near(*score)) {
                *score += self.get(*lang).map_or(0, |pack| Prepared::new(decomposed, pack).weight());
            }
        }
        best(&scores, decomposed)
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pack> {
        self.list.iter()
    }
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
