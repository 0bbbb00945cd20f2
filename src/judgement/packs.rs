//! The packs that are loaded.

use super::fold::words;
use super::lang::{Lang, by_script, scores};
use super::languages::LATIN;
use super::pack::Pack;
use super::prepared::Prepared;
use super::sentence::beginning;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
#[cfg(all(feature = "packs", not(feature = "web")))]
use std::sync::OnceLock;

/// The number of bytes of a message that language detection reads.
const ENOUGH: usize = 1000;

/// Languages that are less than so many points apart are told apart by their packs.
const CLOSE: u32 = 9;

/// The packs that are loaded, at most one for each language.
#[derive(Clone, Debug, Default)]
pub struct Packs {
    list: Vec<Arc<Pack>>,
}

/// A text whose language is sought more than once: with another language before it, and by different parts of
/// judgement.
pub(crate) struct Seen<'t> {
    /// Its beginning, in NFKD.
    text: &'t str,
    scores: OnceCell<[u32; LATIN.len()]>,
    /// The language that was found last, and the one before it.
    found: Cell<Option<(Option<Lang>, Option<Lang>)>>,
}

impl<'t> Seen<'t> {
    /// A text in NFKD.
    pub(crate) fn new(decomposed: &'t str) -> Self {
        Self { text: beginning(decomposed, ENOUGH), scores: OnceCell::new(), found: Cell::new(None) }
    }

    /// The points of the languages in Latin letters. The language before it has some more.
    fn scores(&self, prior: Option<Lang>) -> [u32; LATIN.len()] {
        let mut scores = *self.scores.get_or_init(|| scores(self.text));
        for (score, (lang, ..)) in scores.iter_mut().zip(&LATIN) {
            *score += if prior == Some(*lang) { 6 } else { 0 };
        }
        scores
    }
}

impl Packs {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pack, or replaces the one of its language.
    pub fn add(&mut self, pack: Pack) {
        self.share(Arc::new(pack));
    }

    /// The same of a pack that others have too.
    pub(crate) fn share(&mut self, pack: Arc<Pack>) {
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
        self.language_of(&Seen::new(decomposed), prior)
    }

    /// The same of a text that was looked at.
    pub(crate) fn language_of(&self, seen: &Seen<'_>, prior: Option<Lang>) -> Option<Lang> {
        match seen.found.get() {
            Some((after, lang)) if after == prior => lang,
            _ => {
                let lang = self.find(seen, prior);
                seen.found.set(Some((prior, lang)));
                lang
            }
        }
    }

    fn find(&self, seen: &Seen<'_>, prior: Option<Lang>) -> Option<Lang> {
        let decomposed = seen.text;
        if let Some(found) = by_script(decomposed, prior) {
            return found;
        }
        let mut scores = seen.scores(prior);
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
    pub(crate) fn near(&self, seen: &Seen<'_>, prior: Option<Lang>) -> Vec<Lang> {
        if let Some(found) = by_script(seen.text, prior) {
            return found.into_iter().collect();
        }
        let scores = seen.scores(prior);
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
        self.list.iter().map(Arc::as_ref)
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

/// The pack of a language, read once for all memories of a program. `decompose` is NFKD, whoever has it.
#[cfg(all(feature = "packs", not(feature = "web")))]
pub(crate) fn shared(lang: Lang, decompose: &dyn Fn(&str) -> String) -> Option<Arc<Pack>> {
    static READ: [OnceLock<Option<Arc<Pack>>>; Lang::ALL.len()] = [const { OnceLock::new() }; Lang::ALL.len()];
    // A pack of this repository parses: tests/judgement.rs reads each.
    let read = || Pack::parse(built_in(lang), decompose).ok().map(Arc::new);
    READ.get(lang as usize)?.get_or_init(read).clone()
}
