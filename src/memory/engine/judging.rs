//! The language packs of an open memory, and the context that judgement keeps between messages.

use super::{Env, Error, Memory};
use crate::judgement::{Attributes, Fact, Judge, Lang, Pack, Packs, Seen, Subject};
use crate::model::{AgentId, EntryId, SessionId};
use crate::store::Store;
use crate::text::Told;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// The loaded packs, and the context of the last message.
#[derive(Debug, Default)]
pub(in crate::memory) struct Judging {
    packs: Packs,
    lang: Option<Lang>,
    /// The languages of judged texts whose packs were not loaded.
    wanted: Vec<Lang>,
    /// The person that was spoken of last, whom "she" means.
    pub(in crate::memory) subject: Option<Subject>,
    /// The statements that were recalled since the last answer of the assistant.
    pub(in crate::memory) recalled: Vec<EntryId>,
    /// The entries of the last message, which "forget that" means.
    pub(in crate::memory) recorded: LastRecorded,
}

/// A stored text as judgement reads it.
#[derive(Debug)]
pub(in crate::memory) struct Described {
    pub(in crate::memory) fact: Fact,
    /// Its words, for comparison with others.
    pub(in crate::memory) told: Told,
    /// The language before it.
    prior: Option<Lang>,
    /// Whether it states something, as a message.
    states: OnceCell<bool>,
}

/// The entries that were recorded from the last message, and its session and agent: nobody else can mean them.
#[derive(Debug, Default)]
pub(in crate::memory) struct LastRecorded {
    pub(in crate::memory) session: Option<SessionId>,
    pub(in crate::memory) agent: Option<AgentId>,
    pub(in crate::memory) ids: Vec<EntryId>,
}

impl Described {
    /// Whether it is this text, after one of this language.
    pub(super) fn is_of(&self, text: &str, prior: Option<Lang>) -> bool {
        self.prior == prior && self.fact.text == text
    }
}

impl Judging {
    /// Notes the packs that a text may need and that are not loaded.
    fn want(&mut self, seen: &Seen<'_>, prior: Option<Lang>) {
        for lang in self.packs.near(seen, prior) {
            if self.packs.get(lang).is_none() && !self.wanted.contains(&lang) {
                self.wanted.push(lang);
            }
        }
    }

    /// Search words for other statements about these attributes.
    pub(in crate::memory) fn kindred(&self, lang: Option<Lang>, attributes: Attributes) -> String {
        lang.and_then(|lang| self.packs.get(lang)).map_or_else(String::new, |pack| pack.kindred(attributes))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Loads the pack of a language, or replaces it. Nothing of it is stored.
    pub fn use_pack(&self, text: &str) -> Result<(), Error> {
        self.check_open()?;
        let decompose = |text: &str| self.decomposed(text);
        let pack = Pack::parse(text, &decompose)?;
        self.add_pack(Arc::new(pack));
        Ok(())
    }

    /// Adds a pack. Texts are read anew with it.
    fn add_pack(&self, pack: Arc<Pack>) {
        self.inner.judging.borrow_mut().packs.share(pack);
        self.inner.derived.borrow_mut().clear();
    }

    /// The languages of these texts, and of stored texts that were judged since the last call, for which there is a pack
    /// that is not loaded.
    pub fn missing_packs(&self, texts: &[String]) -> Vec<&'static str> {
        let mut judging = self.inner.judging.borrow_mut();
        let mut prior = judging.lang;
        for text in texts {
            let decomposed = self.decomposed(text);
            let seen = Seen::new(&decomposed);
            judging.want(&seen, prior);
            prior = judging.packs.language_of(&seen, prior).or(prior);
        }
        let wanted = std::mem::take(&mut judging.wanted);
        wanted.into_iter().filter(|lang| judging.packs.get(*lang).is_none()).map(Lang::code).collect()
    }

    /// Runs `judge`, and leaves the language of the last message as it was: stored texts are no part of the
    /// conversation.
    pub(in crate::memory) fn aside<T>(&self, judge: impl FnOnce() -> T) -> T {
        let lang = self.inner.judging.borrow().lang;
        let answer = judge();
        self.inner.judging.borrow_mut().lang = lang;
        answer
    }

    /// A stored text as judgement reads it. `near` is the language of the text that it is compared with.
    pub(in crate::memory) fn described(&self, text: &str, near: Option<Lang>) -> Rc<Described> {
        let prior = near.or(self.inner.judging.borrow().lang);
        let known = self.inner.derived.borrow().described(text, prior);
        if let Some(known) = known {
            return known;
        }
        let fact = self.aside(|| self.judged(text, |judge, _| judge.describe(text, prior)));
        let told = Told::new(&self.decomposed(text));
        let described = Rc::new(Described { fact, told, prior, states: OnceCell::new() });
        self.inner.derived.borrow_mut().keep_described(text, prior, &described);
        described
    }

    /// The stems of a stored text. `near` is the language of the text that it is compared with.
    pub(in crate::memory) fn stems_of(&self, text: &str, near: Option<Lang>) -> Rc<[u32]> {
        let prior = near.or(self.inner.judging.borrow().lang);
        let (key, known) = self.inner.derived.borrow().stems(text, prior);
        known.unwrap_or_else(|| {
            let stems = self.aside(|| self.judged(text, |judge, _| judge.stems(text, prior))).into();
            self.inner.derived.borrow_mut().keep_stems(key, &stems);
            stems
        })
    }

    /// Whether a text states something, as a message: a question states nothing.
    pub(in crate::memory) fn states(&self, said: &Described) -> bool {
        let text = &said.fact.text;
        let judge = || self.judged(text, |judge, _| !judge.judge(text, said.prior).facts.is_empty());
        *said.states.get_or_init(|| self.aside(judge))
    }

    /// Runs `judge` with the packs that are loaded.
    pub(in crate::memory) fn with_judge<T>(&self, judge: impl FnOnce(&Judge<'_>) -> T) -> T {
        let decompose = |text: &str| self.decomposed(text);
        judge(&Judge::new(&self.inner.judging.borrow().packs, &decompose))
    }

    /// Judges a text with the pack of its language, which artefacts that have the packs load first.
    pub(in crate::memory) fn judged<T>(&self, text: &str, judge: impl FnOnce(&Judge<'_>, Option<Lang>) -> T) -> T {
        let decompose = |text: &str| self.decomposed(text);
        let (decomposed, prior) = (decompose(text), self.inner.judging.borrow().lang);
        let seen = Seen::new(&decomposed);
        self.inner.judging.borrow_mut().want(&seen, prior);
        // JavaScript loads packs itself, also in the builds for tests, which have them.
        #[cfg(all(feature = "packs", not(feature = "web")))]
        {
            let wanted = std::mem::take(&mut self.inner.judging.borrow_mut().wanted);
            for lang in wanted {
                if let Some(pack) = crate::judgement::shared(lang, &decompose) {
                    self.add_pack(pack);
                }
            }
        }
        let lang = self.inner.judging.borrow().packs.language_of(&seen, prior);
        let answer = self.with_judge(|own| judge(&own.of(text, &seen), prior));
        let mut judging = self.inner.judging.borrow_mut();
        judging.lang = lang.or(prior);
        answer
    }
}
