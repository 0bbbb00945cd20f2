//! Requests to forget: the texts that a request means, and copies of them in other texts.

use super::attribute::Attributes;
use super::content::stems;
use super::fact::{Fact, adapted};
use super::fold::{folded as fold, pieces, place, spaced, words};
use super::judge::Judge;
use super::lang::Lang;
use super::recall::Sought;
use super::sentence::{beginning, sentences};

/// The text in the place of a forgotten one.
pub const FORGOTTEN: &str = "[forgotten]";

/// The least bytes of a sentence whose copies are recognised: shorter ones, such as "yes", say nothing alone.
const LEAST: usize = 8;

/// The most bytes of a text that are compared by stems.
const ENOUGH: usize = 4000;

/// The number of stems that two texts share.
fn shared(query: &[u32], candidate: &[u32]) -> usize {
    query.iter().filter(|stem| candidate.contains(stem)).count()
}

/// The number of shared stems from which on a candidate is meant: the highest number, if it is at least half of the
/// stems of the query that occur in any candidate. `None` if no candidate is meant.
fn least_shared(query: &[u32], candidates: &[&[u32]]) -> Option<usize> {
    let best = candidates.iter().map(|candidate| shared(query, candidate)).max()?;
    let occurs = |stem: &&u32| candidates.iter().any(|candidate| candidate.contains(stem));
    let occurring = query.iter().filter(occurs).count();
    (best > 0 && 2 * best >= occurring).then_some(best)
}

/// What a request to forget names.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// The stems of its words, without those that ask for it.
    pub stems: Vec<u32>,
    /// If it names attributes of a person and nothing else: "where I live".
    of: Option<Sought>,
}

impl Named {
    /// Whether it names nothing: "forget that".
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty() && self.of.is_none()
    }

    /// The attributes whose facts are meant whatever their words, and the language that names them.
    pub fn attributes(&self) -> Option<(Attributes, Option<Lang>)> {
        self.of.as_ref().map(|of| (of.attributes(), of.lang()))
    }

    /// Which of these facts are meant: those about the attributes that it names; if there are none, or if it names something
    /// else, those that share the most words with it.
    pub fn meant<'a>(&self, facts: impl Iterator<Item = &'a Fact> + Clone) -> Meant {
        if facts.clone().any(|fact| self.names(fact)) {
            return Meant::About;
        }
        let stems: Vec<&[u32]> = facts.filter(|fact| self.may_mean(fact)).map(|fact| fact.stems.as_slice()).collect();
        least_shared(&self.stems, &stems).map_or(Meant::Nothing, Meant::Sharing)
    }

    /// Whether a fact is one of those.
    pub fn means(&self, fact: &Fact, meant: Meant) -> bool {
        match meant {
            Meant::Nothing => false,
            Meant::Sharing(least) => self.may_mean(fact) && shared(&self.stems, &fact.stems) >= least,
            Meant::About => self.names(fact),
        }
    }

    fn names(&self, fact: &Fact) -> bool {
        self.of.as_ref().is_some_and(|of| of.names(fact))
    }

    /// Whether a fact may be meant by its words. One about something else than the attribute that is named is not.
    fn may_mean(&self, fact: &Fact) -> bool {
        self.of.is_none() || fact.attributes.is_empty()
    }
}

/// A sentence that may be meant.
#[derive(Clone, Debug)]
pub struct Stated {
    /// Its text.
    pub text: String,
    /// What it tells.
    pub fact: Fact,
    /// Whether it states something: a question or a request does not.
    pub states: bool,
}

/// The texts that are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// None.
    Nothing,
    /// Those that share at least so many stems with the request.
    Sharing(usize),
    /// Those about the attributes that it names.
    About,
}

/// The traces of forgotten statements, by which copies of them are found in other texts.
#[derive(Clone, Debug)]
pub struct Traces {
    /// What is named.
    named: Named,
    /// The sentences that are meant.
    meant: Meant,
    /// Sentences and values of the forgotten statements, as plain words.
    phrases: Vec<String>,
    /// Whole forgotten texts, as plain words: a summary may quote any part of them.
    sources: Vec<String>,
}

/// A text to compare with traces, its judge, and the language of the text before it.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The text.
    pub text: &'a str,
    /// The judge.
    pub judge: &'a Judge<'a>,
    /// The language of the text before it.
    pub prior: Option<Lang>,
}

impl Traces {
    /// The traces of a request.
    pub fn new(named: Named, meant: Meant) -> Self {
        Self { named, meant, phrases: Vec::new(), sources: Vec::new() }
    }

    /// The sentences that are meant.
    pub fn meant(&self) -> Meant {
        self.meant
    }

    /// Sets them.
    pub fn set_meant(&mut self, meant: Meant) {
        self.meant = meant;
    }

    /// Whether no text can match.
    pub fn is_empty(&self) -> bool {
        self.meant == Meant::Nothing && self.phrases.is_empty()
    }

    /// Adds the sentences of a forgotten text, and the values in it: numbers and codes of four or more characters,
    /// except years, and addresses of e-mail.
    pub fn add(&mut self, text: &str, judge: &Judge<'_>) {
        for sentence in sentences(text) {
            let folded = folded(sentence, judge);
            let phrase = plain(&folded);
            let long = Some(phrase).filter(|phrase| phrase.len() >= LEAST);
            for phrase in values(&folded).into_iter().chain(long) {
                if !self.phrases.contains(&phrase) {
                    self.phrases.push(phrase);
                }
            }
        }
    }

    /// Adds a forgotten text of which a summary may quote any part.
    pub fn add_source(&mut self, text: &str, judge: &Judge<'_>) {
        self.sources.push(plain(&folded(text, judge)));
    }

    /// Whether a text has a copy of a forgotten statement.
    pub fn has_copy(&self, text: &str, judge: &Judge<'_>) -> bool {
        !self.phrases.is_empty() && self.has_phrase(&plain(&folded(text, judge)))
    }

    /// Whether a text says something forgotten, in its own words or as a copy.
    pub fn is_meant(&self, read: Reading<'_>) -> bool {
        self.has_copy(read.text, read.judge) || sentences(read.text).iter().any(|sentence| self.means(sentence, read))
    }

    /// A text without the copies of forgotten statements; `None` if it has none.
    pub fn without_copies(&self, read: Reading<'_>) -> Option<String> {
        self.without(read, &|sentence| self.has_copy(sentence, read.judge))
    }

    /// A summary without forgotten sentences, and without parts of the sources; `None` if it has none.
    pub fn without_parts(&self, read: Reading<'_>) -> Option<String> {
        self.without(read, &|sentence| {
            // A line of a summary names the speaker before the text.
            let said = sentence.split_once(": ").map_or(sentence, |(_, said)| said);
            let part = plain(&folded(said, read.judge));
            let quoted = |source: &String| part.len() >= LEAST && place(source, &part).is_some();
            self.sources.iter().any(quoted) || self.has_copy(sentence, read.judge) || self.means(sentence, read)
        })
    }

    fn without(&self, Reading { text, judge, .. }: Reading<'_>, is_gone: &dyn Fn(&str) -> bool) -> Option<String> {
        let mut found = false;
        let mut lines: Vec<String> = Vec::new();
        for line in text.split('\n') {
            let mut kept = line.to_owned();
            for sentence in sentences(line).into_iter().filter(|sentence| is_gone(sentence)) {
                found = true;
                if let Some(at) = place(&kept, sentence) {
                    kept.replace_range(at..at + sentence.len(), FORGOTTEN);
                }
            }
            lines.push(kept);
        }
        let kept = lines.join("\n");
        // A copy may go over the end of a sentence or a line.
        if self.has_copy(&kept, judge) {
            return Some(FORGOTTEN.to_owned());
        }
        found.then_some(kept)
    }

    fn means(&self, sentence: &str, Reading { judge, prior, .. }: Reading<'_>) -> bool {
        // The request itself says nothing to forget.
        self.meant != Meant::Nothing
            && self.named.means(&judge.describe(sentence, prior), self.meant)
            && judge.judge(sentence, prior).forget.is_empty()
    }

    fn has_phrase(&self, text: &str) -> bool {
        self.phrases.iter().any(|phrase| is_within(text, phrase))
    }
}

impl<'a> Judge<'a> {
    /// The stems of a text.
    pub fn stems(&self, text: &str, prior: Option<Lang>) -> Vec<u32> {
        let pack = self.pack(self.language(text, prior));
        stems(&adapted(beginning(&folded(text, self), ENOUGH), pack), pack)
    }

    /// Whether a word is more than a common one, in a question of this language.
    pub fn has_content(&self, word: &str, lang: Option<Lang>) -> bool {
        let pack = self.pack(lang);
        pack.is_none() || !stems(&adapted(&folded(word, self), pack), pack).is_empty()
    }

    /// What a request to forget names.
    pub fn named(&self, request: &str, prior: Option<Lang>) -> Named {
        let pack = self.pack(self.language(request, prior));
        let asks = pack.map_or(&[][..], |pack| &pack.forget);
        let mut stems = self.stems(request, prior);
        stems.retain(|stem| !asks.contains(stem));
        let of = Sought::read(request, prior, None, self);
        Named { stems, of: of.names_attributes(asks).then_some(of) }
    }

    /// The sentences of a text that a request may mean. Requests to forget are left out, because they say nothing to forget.
    pub fn stated(&self, text: &str, prior: Option<Lang>, named: &Named) -> Vec<Stated> {
        let read = |sentence: &str| {
            let fact = self.describe(sentence, prior);
            if shared(&named.stems, &fact.stems) == 0 && !named.names(&fact) {
                return None;
            }
            let judged = self.judge(sentence, prior);
            let states = !judged.facts.is_empty() || !judged.instructions.is_empty() || !judged.secrets.is_empty();
            judged.forget.is_empty().then(|| Stated { text: sentence.to_owned(), fact, states })
        };
        sentences(text).into_iter().filter_map(read).collect()
    }
}

fn folded(text: &str, judge: &Judge<'_>) -> String {
    fold(&judge.decomposed(text), false)
}

/// Words and single spaces, nothing else.
fn plain(folded: &str) -> String {
    spaced(&pieces(folded, "")).trim().to_owned()
}

/// The values in a folded text, as plain words.
fn values(folded: &str) -> Vec<String> {
    let mut out = Vec::new();
    for word in words(folded) {
        if word.contains('@') {
            out.push(plain(word));
            continue;
        }
        let codes = word.split(|c: char| !c.is_ascii_alphanumeric()).filter(|code| is_code(code));
        out.extend(codes.map(str::to_owned));
    }
    out
}

/// Whether a word is a number or a code that tells one thing from all others.
fn is_code(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_year = word.len() == 4 && digits == 4 && (word.starts_with("19") || word.starts_with("20"));
    word.len() >= 4 && digits >= 3 && !is_year
}

/// Whether a phrase is in a text, both as plain words. It must not begin or end inside a word or a number.
fn is_within(text: &str, phrase: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| place(rest, phrase)) {
        let (start, end) = (from + at, from + at + phrase.len());
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let after = text.get(end..).and_then(|text| text.chars().next());
        let is_cut = joins(before) && joins(phrase.chars().next()) || joins(after) && joins(phrase.chars().next_back());
        if !is_cut {
            return true;
        }
        from = start + phrase.chars().next().map_or(1, char::len_utf8);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::packs::Packs;
    use super::*;

    fn with_judge<T>(test: impl FnOnce(&Judge<'_>) -> T) -> T {
        let packs = Packs::default();
        test(&Judge::new(&packs, &str::to_owned))
    }

    #[test]
    fn the_candidates_with_the_most_common_stems_are_meant() {
        let [pin, bike, lock, tea] = [1, 2, 3, 4];
        assert_eq!(least_shared(&[pin], &[&[pin, bike], &[tea]]), Some(1));
        assert_eq!(least_shared(&[pin, bike], &[&[pin, bike], &[bike]]), Some(2));
        assert_eq!(least_shared(&[pin, bike], &[&[pin], &[bike]]), Some(1), "half of the stems");
        assert_eq!(least_shared(&[pin, bike, lock], &[&[pin], &[bike], &[lock]]), None, "a third of them");
        assert_eq!(least_shared(&[pin, bike, lock], &[&[pin], &[tea]]), Some(1), "the others never occur");
        assert_eq!(least_shared(&[pin], &[&[tea]]), None);
        assert_eq!(least_shared(&[pin], &[]), None);
    }

    #[test]
    fn values_are_codes_and_addresses_but_no_years_and_times() {
        let text =
            "in 2024 my pin was 4711, iban de89 3704, mail ann@example.com, at 18:30, 12 eggs, 暗証番号は9052です";
        assert_eq!(values(text), ["4711", "3704", "ann example com", "9052"]);
    }

    #[test]
    fn a_phrase_is_found_as_whole_words() {
        assert!(is_within("ok 4711 noted", "4711"));
        assert!(is_within("番号は4711です", "4711"));
        assert!(!is_within("order 147110", "4711"));
        assert!(is_within("47110 and 4711", "4711"));
        assert!(!is_within("", "4711"));
    }

    #[test]
    fn copies_are_cut_out_and_the_rest_stays() {
        with_judge(|judge| {
            let mut traces = Traces::new(Named::default(), Meant::Nothing);
            traces.add("My PIN is 4711.", judge);
            let without = |text| traces.without_copies(Reading { text, judge, prior: None });
            assert_eq!(without("I like tea. My pin is 4711! Bye."), Some("I like tea. [forgotten] Bye.".to_owned()));
            assert_eq!(without("one\nOK, 4711 it is\ntwo"), Some("one\n[forgotten]\ntwo".to_owned()));
            assert_eq!(without("My PIN\nis 4711"), Some("My PIN\n[forgotten]".to_owned()));
            assert_eq!(without("I like tea."), None);
        });
    }

    #[test]
    fn a_summary_loses_parts_of_a_forgotten_text_and_sentences_that_mean_the_same() {
        with_judge(|judge| {
            let mut traces = Traces::new(judge.named("allergy", None), Meant::Sharing(1));
            traces.add_source("I have an allergy. It is really bad with peanuts, so be careful.", judge);
            let without = |text| traces.without_parts(Reading { text, judge, prior: None });
            assert_eq!(
                without("user: It is really bad with peanuts…\nuser: I like tea"),
                Some("[forgotten]\nuser: I like tea".to_owned()),
            );
            assert_eq!(without("The user is allergic."), Some(FORGOTTEN.to_owned()));
            assert_eq!(without("The user likes tea."), None);
        });
    }
}
