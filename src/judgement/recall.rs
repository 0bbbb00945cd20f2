//! Which facts a question calls up, and when none does. The scores may be combined with those of an index.

use super::attribute::{Attribute, Attributes, Subject};
use super::change::{HIDES, PRECEDES, SINGLE, evidence};
use super::compare::{holds, may_compare, shared};
use super::content::stems;
use super::fact::{Fact, adapted};
use super::fold::{folded, has_of, words};
use super::judge::Judge;
use super::lang::Lang;
use super::owner::{by_ending, names_speaker};
use super::pack::{List, Pack, SEEKS};
use super::prepared::Prepared;
use super::sentence::beginning;
use crate::model::sorted;

/// The least share of the best score that is shown.
const FLOOR: f32 = 0.35;

/// The number of bytes of a question that are read.
const ENOUGH: usize = 4000;

/// Attributes that are too common to call up a fact by themselves.
const WEAK: Attributes =
    Attributes::of(&[Attribute::Event, Attribute::Money, Attribute::Tool, Attribute::Instruction, Attribute::Family]);

/// Attributes that a question about one asks for as well, at half the weight.
const LINKED: &[(Attribute, Attributes)] = &[
    (Attribute::Allergy, Attributes::of(&[Attribute::Diet, Attribute::Dislike, Attribute::Health])),
    (Attribute::Diet, Attributes::of(&[Attribute::Allergy, Attribute::Like, Attribute::Dislike])),
    (Attribute::Birthday, Attributes::of(&[Attribute::Age])),
    (Attribute::Event, Attributes::of(&[Attribute::Birthday])),
];

/// The attribute that the word "remember" is a cue of.
const INSTRUCTION: Attributes = Attributes::of(&[Attribute::Instruction]);

/// How people ask whether something is known, in all languages: "do you remember my name?", "tell me my name". These words name
/// nothing. They are not in the packs, because the English pack is at its size limit.
const KNOWING: &str = "\
do you still know remember recall forget forgot forgotten tell say can could please again \
weißt kennst erinnerst dich noch mal war lautet vergessen sag nenn nenne kannst verrate nochmal bitte \
sais connais rappelle rappelles souviens dis peux encore te \
sabes conoces recuerdas acuerdas dime di puedes decirme todavía \
sabe lembra lembras diga diz dizer conhece ainda você pode \
знаешь знаете помнишь помните помнить забыл забыла не скажи скажите напомни назови ты \
bạn em biết nhớ còn nói nhắc cho có không \
kamu anda tahu ingat masih bilang sebutkan katakan \
पता याद जानते जानती मालूम बताओ बताइए तुम तू आप तुम्हें आपको है क्या \
تعرف تعرفين تتذكر تذكر تذكرين أخبرني ذكرني قل هل ما زلت \
覚えていますか 覚えてますか 覚えている 覚えてる 知っていますか 知ってますか 知っている 知ってる わかりますか わかる 教えてください 教えて 言ってみて 言って を \
알아 알아요 알고 있어 있나요 있니 아니 아세요 기억해 기억하니 기억하세요 기억하고 기억나 기억나요 말해 말해줘 말해봐 알려줘 알려주세요 말씀해 해 주세요 \
รู้จัก รู้ จำ ได้ บอก หน่อย ไหม หรือเปล่า ยัง คุณ \
告诉我 告訴我 知道 还记得 還記得 记得 忘了 说出 说说 你 还 吗 能 请";

/// Attributes of which a person has one, and whose cues name no value: "where I live" names every statement about it.
const NAMED: Attributes = Attributes::of(&[
    Attribute::Home,
    Attribute::Phone,
    Attribute::Email,
    Attribute::Birthday,
    Attribute::Age,
    Attribute::Origin,
]);

/// The most stems of a statement that says one thing. In a longer message "now" may tell any change.
const BRIEF: usize = 12;

/// The parsed intent of a question.
#[derive(Clone, Debug)]
pub struct Sought {
    lang: Option<Lang>,
    stems: Vec<u32>,
    /// The stems that are no cue.
    own: Vec<u32>,
    /// The stems that tell what it is about.
    topic: Vec<u32>,
    /// Attributes that a statement's cue names.
    told: Attributes,
    /// Attributes that only a question's cue names.
    asked: Attributes,
    subject: Option<Subject>,
    /// The stems of the word that names the person.
    relation: Vec<u32>,
    me: bool,
    /// Whether it asks how something is done, by anybody.
    how_to: bool,
    /// Whether it asks for something to be done.
    requests: bool,
    mine: bool,
}

/// How well a fact answers.
#[derive(Clone, Copy, Debug)]
struct Match {
    attribute: f32,
    /// Whether a statement's cue named the attribute.
    told: bool,
    /// Whether all shared attributes are weak ones.
    weak: bool,
    /// Whether all shared attributes are events: of these each has a word of its own.
    event: bool,
    overlap: f32,
    subject: f32,
}

impl Sought {
    /// Reads a question. `prior` is the language of the message before it, `last` the person that was spoken of last, whom
    /// "she" means.
    pub fn read(question: &str, prior: Option<Lang>, last: Option<Subject>, judge: &Judge<'_>) -> Self {
        let decomposed = judge.decomposed(beginning(question, ENOUGH));
        let lang = judge.language(question, prior);
        let pack = judge.pack(lang);
        let mut sought = Self {
            lang,
            stems: stems(&adapted(&folded(&decomposed, false), pack), pack),
            own: Vec::new(),
            topic: Vec::new(),
            told: Attributes::default(),
            asked: Attributes::default(),
            subject: None,
            relation: Vec::new(),
            me: false,
            how_to: false,
            requests: false,
            mine: false,
        };
        let Some(pack) = pack else { return sought };
        let text = Prepared::new(&decomposed, pack);
        sought.own = text.own(&sought.stems, pack);
        sought.topic = sought.stems.iter().copied().filter(|stem| !holds(&pack.general, *stem)).collect();
        sought.told = Attributes::of_bits(text.attributes(0));
        sought.asked = Attributes::of_bits(text.attributes(SEEKS));
        sought.asked = sought.asked.without(sought.told);
        if sought.asks_name() {
            let text = without_knowing(&adapted(&folded(&decomposed, false), Some(pack)), judge, pack);
            let named = stems(&text, Some(pack));
            sought.own.retain(|stem| holds(&named, *stem));
            sought.told = sought.told.without(INSTRUCTION);
        }
        sought.me = names_speaker(&text, pack) || by_ending(&decomposed, &text, pack);
        if let Some((subject, at)) = text.named() {
            sought.subject = Some(subject);
            sought.relation = stems(text.word(at), Some(pack));
        }
        if sought.subject.is_none() && !sought.me && text.has(List::Pronoun) {
            sought.subject = last;
        }
        sought.how_to = text.has(List::HowTo);
        sought.mine = text.has(List::Mine);
        sought.requests = !has_of(question, "?？؟") && text.has(List::Requests);
        sought
    }

    /// The number of its words that carry content.
    pub fn size(&self) -> usize {
        self.stems.len()
    }

    /// The share of its words that a text with these stems has; 0 for questions of how something is done, by anybody.
    pub fn coverage(&self, stems: &[u32]) -> f64 {
        if self.how_to || self.stems.is_empty() {
            return 0.0;
        }
        let shared = self.stems.iter().filter(|stem| stems.binary_search(stem).is_ok()).count();
        shared as f64 / self.stems.len() as f64
    }

    /// Its language.
    pub fn lang(&self) -> Option<Lang> {
        self.lang
    }

    /// The attributes that it asks for.
    pub fn attributes(&self) -> Attributes {
        let all = self.told.or(self.asked);
        let linked = LINKED.iter().filter(|(attribute, _)| all.has(*attribute));
        linked.fold(all, |all, (_, linked)| all.or(*linked))
    }

    /// Whether it asks about the speaker or a person, for an attribute of this fact.
    pub fn asks_for(&self, fact: &Fact) -> bool {
        let personal = self.me || self.subject.is_some() || self.lang.is_some_and(Lang::drops_subjects);
        personal && fact.attributes.meets(self.told.or(self.asked))
    }

    /// Whether it names attributes of the speaker or a person, and nothing else; `known` are stems that name nothing.
    pub(super) fn names_attributes(&self, known: &[u32]) -> bool {
        let asked = self.told.or(self.asked);
        let personal = self.me || self.subject.is_some() || self.lang.is_some_and(Lang::drops_subjects);
        personal && asked.meets(NAMED) && self.own.iter().all(|stem| holds(known, *stem))
    }

    /// Whether a fact is about the person and an attribute that it names.
    pub(super) fn names(&self, fact: &Fact) -> bool {
        let is_same = match self.subject {
            Some(subject) => !self.is_another(subject, fact),
            None => fact.subject == Subject::Speaker && !fact.of_other,
        };
        is_same && fact.attributes.meets(self.told.or(self.asked).and(NAMED))
    }

    /// Whether a fact is about another person than the one that it asks about, and answers for that person only.
    pub fn is_of_another(&self, fact: &Fact) -> bool {
        let asked = self.told.or(self.asked);
        self.subject.is_some_and(|own| fact.owned && self.is_another(own, fact) && fact.attributes.meets(asked))
    }

    /// Whether a fact is not about the person that it asks about. Relatives are of many kinds: the same word tells which.
    fn is_another(&self, subject: Subject, fact: &Fact) -> bool {
        let other_word =
            subject == Subject::Relative && !self.relation.is_empty() && shared(&self.relation, &fact.stems) == 0;
        fact.subject != subject || other_word
    }

    /// Whether a text with these stems has one of the words that tell what it is about. Without such words any text may be about
    /// it; about the speaker's name only one that has a word for it.
    pub fn touches(&self, stems: &[u32]) -> bool {
        match self.asks_own_name() {
            true => shared(if self.topic.is_empty() { &self.stems } else { &self.topic }, stems) > 0,
            false => self.topic.is_empty() || shared(&self.topic, stems) > 0,
        }
    }

    /// Whether it asks for the name of somebody or something that this fact does not mention: of the dentist, or of the
    /// speaker, and not of the dog.
    pub fn names_another(&self, fact: &Fact) -> bool {
        if self.asks_own_name() && fact.other_name && fact.attributes.has(Attribute::Pet) {
            return true;
        }
        if !self.told.or(self.asked).has(Attribute::Name)
            || self.subject.is_some()
            || shared(&self.own, &fact.stems) > 0
        {
            return false;
        }
        let other = self.told.without(Attributes::of(&[Attribute::Name]));
        let names = fact.attributes.has(Attribute::Name);
        if other.is_empty() {
            return names && !self.own.is_empty();
        }
        let other = if names { other } else { other.without(WEAK) };
        !fact.attributes.meets(other) && (names || shared(&self.stems, &fact.stems) == 0)
    }

    /// Whether it asks for the name of the speaker.
    fn asks_own_name(&self) -> bool {
        self.asks_name() && self.me && self.subject.is_none() && self.own.is_empty()
    }

    /// Whether it asks for a name, and for nothing else.
    fn asks_name(&self) -> bool {
        let asked = if self.told.is_empty() { self.asked } else { self.told };
        asked.without(INSTRUCTION) == Attributes::of(&[Attribute::Name])
    }

    /// Whether a newer statement tells a change of the thing that it asks about, or another time of the same event, so
    /// that the older one is past.
    pub fn is_outdated(&self, old: &Fact, new: &Fact) -> bool {
        let own = shared(&new.own, &old.own);
        let moved = new.attributes.and(old.attributes).has(Attribute::Event)
            && new.when != old.when
            && own > 0
            && own * 2 >= new.own.len().min(old.own.len());
        let words = shared(&self.stems, &new.stems).cmp(&shared(&self.stems, &old.stems)) as i32;
        let points = || {
            let asked = self.told.or(self.asked);
            let counts = if asked.is_empty() && self.subject.is_none() { SINGLE } else { asked };
            // Of two the older one alone is about what is asked for.
            let only = match old.attributes.and(asked) {
                told if told.is_empty() || new.attributes.meets(asked) => 0,
                told => 1 + i32::from(told.meets(Attributes::LASTING)),
            };
            let asked = i32::from(new.attributes.meets(asked)) - only;
            evidence(new, old, counts, &|stem| holds(&self.stems, stem)) + words + asked
        };
        let is_brief = |fact: &Fact| fact.words(fact.stems.len()) <= BRIEF;
        may_compare(new, old)
            && is_brief(new)
            && is_brief(old)
            && (moved && words >= 0 || new.changed && points() >= HIDES)
    }

    /// Whether two texts with these stems have one of its words in common.
    pub fn shares(&self, one: &[u32], other: &[u32]) -> bool {
        self.stems.iter().any(|stem| holds(one, *stem) && holds(other, *stem))
    }

    /// Whether a newer message may tell more recent news of what it asks about than an older one: both have two of its
    /// words, and another number, a denial or a change; or it tells a change of the same thing.
    pub fn is_news(&self, new: &Fact, old: &Fact) -> bool {
        let both = self.stems.iter().filter(|stem| holds(&new.stems, **stem) && holds(&old.stems, **stem)).count();
        let other = new.numbers != old.numbers && !new.numbers.is_empty() && !old.numbers.is_empty();
        let alters =
            both > 0 && new.changed && may_compare(new, old) && evidence(new, old, SINGLE, &|_| false) >= PRECEDES;
        both >= self.stems.len().clamp(1, 2) && (new.changed || new.negated != old.negated || other) || alters
    }

    /// The person that it asks about, if it names one.
    pub fn subject(&self) -> Option<Subject> {
        self.subject
    }

    /// How well a fact answers. `weights` are those of the question's stems.
    fn matches(&self, fact: &Fact, weights: &[f32]) -> Match {
        if self.names_another(fact) {
            return Match { attribute: 0.0, told: false, weak: true, event: false, overlap: 0.0, subject: 0.0 };
        }
        let mut overlap = 0.0;
        // The cue of what is asked for, such as "is called", tells nothing about another person.
        let another = self.subject.is_some_and(|subject| self.is_another(subject, fact));
        for (stem, weight) in self.stems.iter().zip(weights) {
            let counts = holds(&fact.stems, *stem) && (!another || holds(&self.own, *stem));
            overlap += if counts { *weight } else { 0.0 };
        }
        if matches!(self.lang, Some(Lang::Zh | Lang::Th)) {
            overlap *= 0.7;
        }
        let own = fact.attributes;
        let told = own.meets(self.told);
        let linked =
            |asked: Attributes| LINKED.iter().any(|(attribute, linked)| asked.has(*attribute) && own.meets(*linked));
        let introduced = fact.introduces && self.asks_own_name();
        let attribute = if told {
            2.0
        } else if own.meets(self.asked) || linked(self.told) {
            1.0
        } else if introduced {
            1.5
        } else if linked(self.asked) {
            0.5
        } else {
            0.0
        };
        let subject = match self.subject {
            Some(_) if !another => 1.0,
            Some(_) => -2.0,
            None if fact.of_other && self.me && own.and(self.told).meets(SINGLE) => -2.0,
            None if fact.subject != Subject::Speaker && self.me => -0.7,
            None if fact.other_name && self.asks_own_name() => -0.7,
            None => 0.0,
        };
        // A condition that is named, or a thing of the body that is asked for, is another than those that are told.
        let named = if self.own.is_empty() { self.told } else { self.told.or(self.asked) };
        let named = named.and(Attributes::of(&[Attribute::Health]));
        let common = own.and(self.told.or(self.asked));
        let weak = common.is_in(WEAK.or(named)) && !introduced;
        let event = common.is_in(Attributes::of(&[Attribute::Event]));
        Match { attribute, told, weak, event, overlap, subject }
    }

    /// Whether a fact that matches so is shown.
    fn shows(&self, found: &Match) -> bool {
        let Match { attribute, told, weak, overlap, subject, .. } = *found;
        let drops = self.lang.is_some_and(Lang::drops_subjects);
        if self.requests && !self.how_to && overlap < 0.7 && !(self.me && told || self.asks_own_name()) {
            return false;
        }
        if self.how_to {
            let own = self.mine || overlap >= 1.4;
            return overlap >= 0.7 && (self.me || drops) && own && (attribute >= 1.0 || overlap >= 0.9);
        }
        // Of another person than the one that is asked about, a fact tells nothing by its attribute.
        if subject < -1.0 && overlap < 0.7 || subject < 0.0 && overlap < 0.4 {
            return false;
        }
        if self.me || self.subject.is_some() {
            return attribute >= 1.0 && (!weak || overlap >= 0.4)
                || overlap >= 0.7
                || subject > 0.0 && attribute >= 0.5
                || attribute >= 2.0 && self.me && !found.event;
        }
        if drops {
            return told && !weak && subject == 0.0
                || attribute >= 1.0 && overlap >= 0.5
                || attribute >= 0.5 && overlap >= 0.9
                || overlap >= 1.4;
        }
        attribute >= 1.0 && overlap >= 0.7 || overlap >= 1.5
    }
}

/// The facts to show for a question, best first: the number of each in `facts`, and its score. `facts` are those that are
/// true now, in the order of their time. An empty answer is silence.
pub fn recall(sought: &Sought, facts: &[&Fact]) -> Vec<(usize, f32)> {
    let mut weights: Vec<f32> = Vec::new();
    for stem in &sought.stems {
        let count = facts.iter().filter(|fact| holds(&fact.stems, *stem)).count();
        weights.push(1.0 / (count.max(1) as f32).sqrt());
    }
    let mut out: Vec<(usize, f32)> = Vec::new();
    for (number, fact) in facts.iter().enumerate() {
        let found = sought.matches(fact, &weights);
        let score = found.attribute + 1.5 * found.overlap.min(3.0) + found.subject + 0.001 * number as f32;
        let spoken = sought.lang.is_some_and(Lang::drops_subjects) && fact.subject != Subject::Speaker;
        if score > 0.0 && sought.shows(&found) && !(spoken && is_only_told(sought, &found)) {
            out.push((number, score));
        }
    }
    let score = |at: usize| out.get(at).map_or(0.0, |(_, score)| *score);
    let mut best = Vec::new();
    for at in sorted(out.len(), &|one, other| score(other).total_cmp(&score(one))) {
        if best.first().is_none_or(|(_, best)| score(at) >= best * FLOOR) {
            best.extend(out.get(at).copied());
        }
    }
    best
}

/// A folded question without the words in which people ask whether something is known.
#[inline(never)]
fn without_knowing(question: &str, judge: &Judge<'_>, pack: &Pack) -> String {
    let knowing = adapted(&folded(&judge.decomposed(KNOWING), false), Some(pack));
    if pack.lang.is_unspaced() {
        return words(&knowing).iter().fold(question.to_owned(), |text, word| text.replace(word, " "));
    }
    let knowing = stems(&knowing, Some(pack));
    let is_other = |word: &&str| !stems(word, Some(pack)).iter().any(|stem| holds(&knowing, *stem));
    words(question).into_iter().filter(is_other).collect::<Vec<_>>().join(" ")
}

/// Whether nothing but an attribute speaks for a fact, in a question without a person.
fn is_only_told(sought: &Sought, found: &Match) -> bool {
    !sought.me
        && sought.subject.is_none()
        && !sought.how_to
        && found.overlap < if found.attribute >= 1.0 { 0.5 } else { 1.4 }
}
