//! Answers to a question: the hits of a search that say something about it, and those alone. A question about a thing
//! that was never mentioned has none.

use super::conflicts::are_kindred;
use super::fading::{FADING, fade};
use crate::index::{DocKind, Index, Owner, Part};
use crate::judgement::{Fact, Relation, Sought, compare, recall};
use crate::memory::engine::judging::Described;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::repeated::LONG_TERM;
use crate::memory::entries::search::{Hit, SearchOptions, in_order};
use crate::memory::entries::sources::SOURCE_TAG;
use crate::model::sorted;
use crate::store::Store;
use crate::text;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// The least score of a hit that is shown for its words alone: a share of the best possible score. A question has few
/// words, and an answer most of them; of a long message a hit has a few, so the share is less by its length.
const FLOOR: f64 = 0.2;
const FEW: f64 = 5.0;

/// The least share of the words of a question that a statement has, if it is shown for them.
const COVERED: f64 = 0.2;

/// The number of hits that are looked for by the attributes of a question, and the fewest by its words.
const BY_ATTRIBUTE: usize = 32;

/// The most stems of a message that is one statement; the most bytes of one that hardly has more, and of one that may
/// have so few.
const LONGEST: usize = 16;
const BRIEF: usize = 64;
const LONG: usize = 400;

/// The number of the best hits among which news comes first.
const NEWS: usize = 24;

/// The number of the newest statements that are looked at whatever their words.
const NEWEST: usize = 64;

/// A hit, with its words. A long text is read only when it is its turn: most are too far behind.
struct Candidate {
    kind: DocKind,
    hit: Hit,
    /// Its words, in which no invisible character joins two.
    words: String,
    stems: OnceCell<Rc<[u32]>>,
    /// Whether the words are a person's, or an entry's that is no document.
    is_said: bool,
    /// The words as judgement reads them.
    said: OnceCell<Rc<Described>>,
    /// Whether they state something.
    states: bool,
    /// Its score without common words, such as "my".
    score: f64,
}

impl Candidate {
    /// Its statement, if it is one.
    fn statement(&self) -> Option<&Described> {
        self.said.get().filter(|_| self.states).map(Rc::as_ref)
    }

    fn fact(&self) -> Option<&Fact> {
        self.statement().map(|said| &said.fact)
    }
}

/// The hits that are not wanted among the answers, because the reader has them. They are compared with the others.
pub(in crate::memory) struct Beside<'a> {
    /// How many hits to look at, at least.
    pub(in crate::memory) pool: usize,
    pub(in crate::memory) has: &'a dyn Fn(DocKind, &Hit) -> bool,
}

impl Beside<'_> {
    /// Nothing.
    pub(in crate::memory) const NOTHING: Beside<'static> = Beside { pool: 0, has: &|_, _| false };
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Searches for answers: hits by words, and statements about the attribute that the question asks for. What a newer
    /// hit contradicts is not among them.
    pub(in crate::memory) async fn find_answers(
        &self,
        options: &SearchOptions,
        kinds: &[DocKind],
        owner: Owner<'_>,
        beside: &Beside<'_>,
    ) -> Result<Vec<(DocKind, Hit)>, Error> {
        let limit = options.limit.unwrap_or(self.inner.config.retrieval.top_k);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let most = limit.max(BY_ATTRIBUTE).max(beside.pool).max(options.ranked.len());
        // The receipts tell which words a hit is found by.
        let wide = SearchOptions { limit: Some(most), ranked: Vec::new(), explain: true, ..options.clone() };
        let mut found = self.find_owned(&wide, kinds, owner).await?;
        let last = self.inner.judging.borrow().subject;
        let sought = self.judged(&options.query, |judge, prior| Sought::read(&options.query, prior, last, judge));
        let cues = self.inner.judging.borrow().kindred(sought.lang(), sought.attributes());
        let wide = SearchOptions { explain: false, ..wide };
        let mut more = Vec::new();
        if !cues.trim().is_empty() {
            let kindred = SearchOptions { query: cues, limit: Some(BY_ATTRIBUTE), embedding: None, ..wide.clone() };
            more = self.find_owned(&kindred, kinds, owner).await?;
        }
        if kinds.contains(&DocKind::Entry) && !sought.attributes().is_empty() {
            let newest = SearchOptions { limit: Some(NEWEST), namespace: Some(LONG_TERM.to_owned()), ..wide.clone() };
            more.extend(self.find_by(&newest, &[DocKind::Entry], owner, Index::latest).await?);
        }
        for (kind, hit) in more {
            if !found.iter().any(|(known, other)| *known == kind && other.id == hit.id) {
                found.push((kind, Hit { score: 0.0, ..hit }));
            }
        }
        // Before they are compared: a message that was deleted contradicts nothing any more.
        let found = fade(self.without_deleted(found).await?, self.now()?);
        if let Some(subject) = sought.subject() {
            self.inner.judging.borrow_mut().subject = Some(subject);
        }
        // Vectors and word meanings find answers without a common word: then every hit may be one.
        let by_words = options.embedding.is_none() && self.inner.meaning.get().is_none();
        // The app's own order may begin with any of them.
        let enough = if options.ranked.is_empty() { limit } else { usize::MAX };
        let mut answers = self.aside(|| self.answers(&sought, found, by_words, enough, beside));
        if !options.ranked.is_empty() {
            answers = in_order(answers, &options.ranked);
        }
        answers.truncate(limit);
        self.note_recalled(&answers);
        if !options.explain {
            answers.iter_mut().for_each(|(_, hit)| hit.receipt.clear());
        }
        Ok(answers)
    }

    /// The first `enough` hits that answer a question, best first, without those that the reader has; of the best, news
    /// comes before what it outdates.
    fn answers(
        &self,
        sought: &Sought,
        found: Vec<(DocKind, Hit)>,
        by_words: bool,
        enough: usize,
        beside: &Beside<'_>,
    ) -> Vec<(DocKind, Hit)> {
        let known = RefCell::new(Vec::<(String, bool)>::new());
        let has_content = |word: &str| {
            let before = known.borrow().iter().find(|(known, _)| known == word).map(|(_, has)| *has);
            before.unwrap_or_else(|| {
                let has = self.with_judge(|judge| judge.has_content(word, sought.lang()));
                known.borrow_mut().push((word.to_owned(), has));
                has
            })
        };
        let mut candidates: Vec<Candidate> = Vec::with_capacity(found.len());
        for (kind, hit) in found {
            // An old statement still answers: what has faded changes the order alone.
            let counts = |part: &&Part| part.label != FADING && (part.term.is_empty() || has_content(&part.term));
            let score = hit.receipt.iter().filter(counts).map(|part| part.value).sum();
            let (words, is_said) = (hit.summary.replace(text::is_ignorable, " "), is_statement(kind, &hit));
            let (stems, said) = (OnceCell::new(), OnceCell::new());
            let mut candidate = Candidate { kind, hit, words, stems, is_said, said, states: false, score };
            candidate.states = self.is_stated(&candidate, sought);
            candidates.push(candidate);
        }
        let time = |at: usize| (candidates[at].hit.at, candidates[at].hit.seq);
        let by_time = sorted(candidates.len(), &|one, other| time(one).cmp(&time(other)));
        let spoken: Vec<usize> = by_time.iter().copied().filter(|at| candidates[*at].states).collect();
        let facts: Vec<&Fact> = spoken.iter().filter_map(|at| candidates[*at].fact()).collect();
        let shown: Vec<usize> = recall(sought, &facts).iter().filter_map(|(at, _)| spoken.get(*at).copied()).collect();
        // First the statements about the attribute that is asked for, then all others by their words.
        let asked = |at: &usize| candidates[*at].fact().is_some_and(|fact| sought.asks_for(fact));
        // A query of one character in a script without spaces has no word to judge by.
        let floor = if sought.size() == 0 || !by_words { 0.0 } else { FLOOR * (FEW / sought.size() as f64).min(1.0) };
        let first: Vec<usize> = shown.iter().copied().filter(asked).collect();
        let bears = |found: &Candidate| {
            let names_another = found.fact().is_some_and(|fact| sought.names_another(fact));
            let of_another = found.fact().is_some_and(|fact| sought.is_of_another(fact));
            let stems = self.stems(found, sought);
            let touches = !by_words || sought.touches(stems);
            // A question of common words alone, such as "where do I live?", has no score to tell its answers from others;
            // only if it asks for no attribute, as one character does, is what has the words enough.
            let meets = |fact: &Fact| fact.attributes.meets(sought.attributes());
            let common = if sought.attributes().is_empty() { found.hit.score } else { 0.0 };
            let may = found.score > 0.0 || common > 0.0 || found.fact().is_some_and(meets);
            let by_score = may && found.score >= floor;
            !of_another && !names_another && touches && (by_score || sought.coverage(stems) >= COVERED)
        };
        let rest = (0..candidates.len()).filter(|at| shown.contains(at) || bears(&candidates[*at]));
        let (mut order, mut own): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for at in first.iter().copied().chain(rest) {
            // A statement that is past gives its place to the one that outdates it.
            let at = Self::outdating(sought, &candidates, &by_time, at).unwrap_or(at);
            if !order.contains(&at) {
                order.push(at);
                let is_beside = (beside.has)(candidates[at].kind, &candidates[at].hit);
                own.extend((!is_beside).then_some(at));
            }
            if own.len() >= enough {
                break;
            }
        }
        let best = order.len().min(NEWS);
        self.newest_first(sought, &candidates, &mut order[..best]);
        let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
        let answers = order.into_iter().filter(|at| own.contains(at)).filter_map(|at| candidates[at].take());
        answers.map(|found| (found.kind, found.hit)).collect()
    }

    /// Whether a hit states something. A question that was asked before does not, and a long message says more than one
    /// thing.
    fn is_stated(&self, found: &Candidate, sought: &Sought) -> bool {
        let is_entry = found.kind == DocKind::Entry;
        let read = || found.said.get_or_init(|| self.described(&found.words, sought.lang()));
        if !found.is_said || !is_entry && found.words.len() > LONG {
            return false;
        }
        if is_entry || found.words.len() <= BRIEF {
            read();
        }
        is_entry || self.stems(found, sought).len() <= LONGEST && self.states(read())
    }

    /// The stems of a hit.
    fn stems<'a>(&self, found: &'a Candidate, sought: &Sought) -> &'a [u32] {
        match found.said.get() {
            Some(said) => &said.fact.stems,
            None => found.stems.get_or_init(|| self.stems_of(&found.words, sought.lang())),
        }
    }

    /// The newest statement about the attribute or the thing that is asked for which contradicts this one. One of lower trust
    /// does not, and what nobody owns says nothing about what is somebody's.
    fn outdating(sought: &Sought, candidates: &[Candidate], by_time: &[usize], at: usize) -> Option<usize> {
        let hit = &candidates[at].hit;
        let said = candidates[at].statement()?;
        let old = &said.fact;
        let asks = sought.asks_for(old);
        by_time.iter().rev().copied().take_while(|newer| *newer != at).find(|newer| {
            let newer = &candidates[*newer];
            let contradicts = |newer: &Described| {
                let fact = &newer.fact;
                let contradicts = asks
                    && !fact.changed
                    && (fact.owned || !old.owned)
                    && matches!(compare(fact, old), Relation::Supersedes | Relation::Retracts)
                    && !are_kindred(fact, &newer.told, said);
                contradicts || sought.is_outdated(old, fact)
            };
            newer.hit.trust >= hit.trust
                && newer.hit.speaker == hit.speaker
                && newer.statement().is_some_and(contradicts)
        })
    }

    /// Puts news before the older messages that it may outdate.
    fn newest_first(&self, sought: &Sought, candidates: &[Candidate], order: &mut [usize]) {
        let time = |at: usize| (candidates[at].hit.at, candidates[at].hit.seq);
        let read =
            |found: &Candidate| Rc::clone(found.said.get_or_init(|| self.described(&found.words, sought.lang())));
        let is_news = |new: usize, old: usize| {
            let (newer, older) = (&candidates[new], &candidates[old]);
            newer.is_said
                && older.is_said
                && newer.hit.speaker == older.hit.speaker
                && time(new) > time(old)
                && sought.shares(self.stems(newer, sought), self.stems(older, sought))
                && sought.is_news(&read(newer).fact, &read(older).fact)
        };
        for place in 1..order.len() {
            let to = (0..place).find(|before| is_news(order[place], order[*before]));
            if let Some(to) = to {
                order[to..=place].rotate_right(1);
            }
        }
    }
}

/// Whether a hit is a statement that can be compared with others: not a document, and not the assistant's own words.
fn is_statement(kind: DocKind, hit: &Hit) -> bool {
    match kind {
        DocKind::Entry => !hit.tags.iter().any(|tag| tag == SOURCE_TAG),
        DocKind::Message => hit.speaker.as_deref() != Some("assistant"),
        _ => false,
    }
}
