//! Classifies a sentence: a statement to keep, an instruction, a request to forget, or a sentence that is not kept.

use super::attribute::{Attribute, Attributes, Subject};
use super::content::is_numeric;
use super::fact::Traits;
use super::fold::{
    any, char_at, char_before, digit, each, ending, first, is_digit, is_of, is_word, last, len, seek, slice, tail,
    trim_end, width, words,
};
use super::lang::Lang;
use super::owner::{
    has_two_capitals, has_unknown_topic, introduces, is_capital, is_kin, is_speakers, is_title, names_speaker,
    names_thing,
};
use super::pack::{List, Pack};
use super::prepared::{Hit, Prepared};
use super::sentence::{clauses, unquoted};

/// The reason why a sentence is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A question.
    Question,
    /// A request to do something now.
    Request,
    /// A hypothesis, hearsay or fiction.
    Hypothetical,
    /// A quotation.
    Quotation,
    /// It is about somebody or something that is not the speaker's.
    Other,
    /// It will not be true tomorrow.
    Passing,
    /// It keeps the conversation going.
    SmallTalk,
    /// It follows a request as the text to work on.
    Material,
    /// It says nothing about anybody.
    Nothing,
}

/// The class of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A statement. `true` if an attribute with an owner was found, `false` if only its form speaks for it.
    Fact(bool),
    /// A statement with a value but no owner: kept in a message that does nothing but state, else dropped for this reason.
    Told(Reason),
    /// A standing instruction.
    Instruction,
    /// A request to forget.
    Forget,
    /// Not kept.
    Dropped(Reason),
}

/// Attributes that outweigh words for a passing state.
const STRONG: Attributes = Attributes::of(&[
    Attribute::Home,
    Attribute::Job,
    Attribute::Name,
    Attribute::Phone,
    Attribute::Email,
    Attribute::Allergy,
    Attribute::Birthday,
    Attribute::Event,
    Attribute::Instruction,
    Attribute::Tool,
    Attribute::Origin,
    Attribute::Health,
    Attribute::Family,
    Attribute::Language,
    Attribute::School,
]);

/// Attributes that need no owner if there is a number or a change.
const OWNERLESS: Attributes = Attributes::of(&[
    Attribute::Event,
    Attribute::Money,
    Attribute::Tool,
    Attribute::Instruction,
    Attribute::Phone,
    Attribute::Email,
]);

/// Attributes that a wish or a feeling makes passing.
const WISHED: Attributes = Attributes::of(&[
    Attribute::Money,
    Attribute::Tool,
    Attribute::Size,
    Attribute::School,
    Attribute::Vehicle,
    Attribute::Diet,
    Attribute::Event,
]);

/// Attributes whose bare mention is a statement about the speaker.
const BARE: Attributes = Attributes::of(&[Attribute::Allergy, Attribute::Pet, Attribute::Dislike, Attribute::Health]);

/// The most bytes of a name in quotation marks, in NFKD.
const NAME: usize = 40;

/// A preprocessed sentence.
pub(super) struct Sentence<'a> {
    pack: &'a Pack,
    /// In NFKD, without quotations.
    raw: String,
    /// The number of bytes of its quotations.
    quoted: usize,
    asks_by_mark: bool,
    has_colon: bool,
    text: Prepared,
    /// The first clause, if there are several.
    first: Option<Prepared>,
    me: bool,
    family: Option<Subject>,
    pub(super) traits: Traits,
}

impl<'a> Sentence<'a> {
    /// Reads a sentence that is in NFKD.
    pub(super) fn read(decomposed: &str, pack: &'a Pack) -> Self {
        let (raw, quoted) = unquoted(decomposed);
        let text = Prepared::new(&raw, pack);
        let parts = clauses(&raw);
        let first = parts.first().filter(|_| parts.len() > 1).map(|first| Prepared::new(first, pack));
        let names_speaker = names_speaker(&text, pack);
        let me = names_speaker || is_speakers(&raw, &text, pack);
        let named = text.named().filter(|(subject, at)| !is_title(&raw, &text, *subject, *at, pack));
        let family =
            named.filter(|(subject, at)| me || is_kin(&raw, &text, *subject, *at, pack)).map(|(subject, _)| subject);
        let drops = pack.lang.drops_subjects();
        let traits = Traits {
            subject: family.unwrap_or(Subject::Speaker),
            owned: me || family.is_some() || drops && !has_unknown_topic(&raw, &text, pack),
            attributes: attributes(&text),
            negated: text.has(List::Negation),
            changed: text.has(List::Change),
            also: text.has(List::Also),
            names_speaker,
        };
        let (asks_by_mark, has_colon) = (ends_asking(decomposed), is_of(':', decomposed));
        Self { pack, raw, quoted, asks_by_mark, has_colon, text, first, me, family, traits }
    }

    /// Classifies the sentence. The first rule that applies decides.
    pub(super) fn kind(&self) -> Kind {
        if !any(&self.raw, &is_word) {
            return Kind::Dropped(Reason::Quotation);
        }
        if self.forgets() {
            return Kind::Forget;
        }
        if self.is_fiction() {
            return Kind::Dropped(Reason::Hypothetical);
        }
        let asks = self.asks();
        let requests = self.requests();
        if self.instructs(asks, requests) {
            return if self.is_habit() { Kind::Fact(true) } else { Kind::Instruction };
        }
        if asks {
            return Kind::Dropped(Reason::Question);
        }
        if requests {
            return Kind::Dropped(Reason::Request);
        }
        match self.passes() {
            Some(reason) => Kind::Dropped(reason),
            None => match self.states() {
                Kind::Dropped(reason @ (Reason::Other | Reason::Nothing)) if self.tells() => Kind::Told(reason),
                kind => kind,
            },
        }
    }

    /// Whether it tells of a thing or a person of the speaker's without saying so: "the lease runs until June". It has
    /// a value of its own, and nothing in it is of the moment, of the world, or of the person spoken to.
    fn tells(&self) -> bool {
        let text = &self.text;
        let plain = self.quoted == 0
            && !text.has(List::Stance)
            && !self.first().has(List::Small)
            && !is_old(&self.raw)
            && (self.pack.lang == Lang::De
                || !self.traits.attributes.is_empty()
                || !has_two_capitals(&self.raw) && (any(&self.raw, &is_numeric) || !names_thing(&self.raw)))
            && (!self.traits.negated || self.traits.changed);
        plain && (2.5..=18.0).contains(&text.size) && self.has_value()
    }

    /// Whether it has a number, a time or a name that is not its beginning.
    fn has_value(&self) -> bool {
        let text = &self.text;
        if any(&self.raw, &is_numeric) || text.has(List::Calendar) {
            return true;
        }
        let own = &*text.text;
        let topic = match self.pack.lang {
            Lang::Ja => seek(own, &mut |at, c| at > 3 && c == 'は') < own.len(),
            Lang::Zh => seek(own, &mut |at, c| at > 5 && is_of(c, "是在")) < own.len(),
            Lang::Ko => text.words().iter().take(2).any(|word| is_of(last(word), "은는") && len(word) > 2),
            _ => false,
        };
        if topic {
            return true;
        }
        let list = words(&self.raw);
        let de = self.pack.lang == Lang::De;
        let capital = |at: usize| list.get(at).is_some_and(|word| is_capital(word));
        (1..list.len()).any(|at| capital(at) && (!de || at > 1 && capital(at - 1)))
    }

    /// Whether it tells a change by more than a word for the moment, such as "now".
    pub(super) fn tells_change(&self) -> bool {
        let text = &self.text;
        let passing = |at: usize| text.find(List::Passing, &|hit| hit.at <= at && at < hit.end).is_some();
        text.find(List::Change, &|hit| !passing(hit.at)).is_some()
    }

    fn first(&self) -> &Prepared {
        self.first.as_ref().unwrap_or(&self.text)
    }

    /// In European languages the verb is near the beginning; "I always forget to …" is no request.
    fn forgets(&self) -> bool {
        let Some(hit) = self.text.find(List::Forget, &|_| true) else { return false };
        (self.me || self.first().has(List::Forget)) && (!self.pack.lang.asks_first() || hit.at < 15)
    }

    /// An ending of hearsay also tells what a doctor found out about the speaker.
    fn is_fiction(&self) -> bool {
        let own = self.traits.subject == Subject::Speaker;
        let medical = own && self.traits.attributes.meets(Attributes::of(&[Attribute::Allergy, Attribute::Health]));
        self.text.find(List::Fiction, &|hit| !(hit.at_end() && medical)).is_some()
    }

    fn asks(&self) -> bool {
        self.asks_by_mark
            || self.asks_in(&self.text, false)
            || self.first.as_ref().is_some_and(|first| self.asks_in(first, true))
    }

    /// Whether a cue asks. In a clause the cues of a sentence's end do not count, because another clause follows.
    fn asks_in(&self, text: &Prepared, is_clause: bool) -> bool {
        let asks = |hit: &Hit| {
            if is_clause && hit.at_end() {
                return false;
            }
            let before = text.before(hit.at);
            !self.pack.lang.asks_first()
                || hit.at_start()
                || before.is_empty()
                || before.len() == 1
                    && before.iter().all(|word| len(word) < 5)
                    && text.find(List::First, &|own| own.at < hit.at).is_none()
        };
        text.find(List::Asks, &asks).is_some()
    }

    fn requests(&self) -> bool {
        self.requests_in(&self.text, false) || self.first.as_ref().is_some_and(|first| self.requests_in(first, true))
    }

    /// A short cue of a script without spaces is part of many words, and counts only at the beginning.
    fn requests_in(&self, text: &Prepared, is_clause: bool) -> bool {
        let requests = |hit: &Hit| {
            let anywhere = match self.pack.lang {
                Lang::Th => false,
                Lang::Zh => hit.end - hit.at > 3,
                _ => true,
            };
            !(is_clause && hit.at_end()) && (anywhere || hit.at_end() || hit.at == 0)
        };
        text.find(List::Requests, &requests).is_some()
    }

    fn instructs(&self, asks: bool, requests: bool) -> bool {
        self.traits.attributes.has(Attribute::Instruction)
            && !(asks && (self.asks_by_mark || self.pack.lang.asks_first()))
            && !(requests && self.has_colon)
    }

    /// Whether "always" tells a habit of the speaker, not a wish: the speaker comes first. "From now on" may tell a date.
    fn is_habit(&self) -> bool {
        let dated = OWNERLESS.without(Attributes::of(&[Attribute::Instruction]));
        if self.traits.attributes.meets(dated) && has_time(&self.text.text) {
            return true;
        }
        let rule = self.text.hits.iter().find(|hit| hit.sense == Attribute::Instruction as u8);
        rule.is_some_and(|rule| self.text.find(List::First, &|speaker| speaker.at < rule.at).is_some())
    }

    /// Why it passes, if it does whatever it is about.
    fn passes(&self) -> Option<Reason> {
        let attributes = self.traits.attributes;
        // Of somebody known a few quoted words may be a name: my dad supports "Rotor".
        let names = self.quoted < NAME && (self.me || self.family.is_some());
        if self.quoted > 0 && attributes.is_empty() && !names {
            return Some(Reason::Quotation);
        }
        if !self.me && self.family.is_none() && (is_old(&self.raw) || self.text.has(List::Foreign)) {
            return Some(Reason::Other);
        }
        if self.text.has(List::Passing) && !attributes.meets(STRONG) {
            return Some(Reason::Passing);
        }
        let is_small = attributes.is_empty() && self.text.size <= 5.5 && self.first().has(List::Small);
        (is_small && !introduces(&self.raw, self.pack)).then_some(Reason::SmallTalk)
    }

    /// Whether it states something: by an attribute, by a change with a number, or by its form.
    fn states(&self) -> Kind {
        let attributes = self.traits.attributes;
        if !attributes.is_empty() {
            return self.by_attribute(attributes);
        }
        let has_number = any(&self.raw, &is_numeric);
        let owned = self.me || self.family.is_some();
        let small = self.first().has(List::Small);
        if self.traits.changed && has_number && (owned || self.pack.lang.drops_subjects() || self.text.size >= 3.0) {
            return Kind::Fact(false);
        }
        let plain = !small && !self.text.has(List::Stance);
        if owned && plain && self.text.size >= 1.8 || plain && self.by_form(has_number) {
            return Kind::Fact(false);
        }
        if introduces(&self.raw, self.pack) {
            return Kind::Fact(false);
        }
        Kind::Dropped(if small { Reason::SmallTalk } else { Reason::Nothing })
    }

    fn by_attribute(&self, attributes: Attributes) -> Kind {
        let has_number = any(&self.raw, &is_numeric);
        if self.me || self.family.is_some() {
            let wished = self.text.has(List::Stance) && self.family.is_none() && attributes.is_in(WISHED);
            let dated = attributes.has(Attribute::Event) && has_number;
            return if wished && !dated { Kind::Dropped(Reason::Passing) } else { Kind::Fact(true) };
        }
        let gossip = Attributes::PERSONAL.or(Attributes::of(&[Attribute::Family, Attribute::Like, Attribute::Tool]));
        if self.pack.lang.drops_subjects() {
            let is_gossip = attributes.is_in(gossip)
                && attributes.meets(Attributes::PERSONAL)
                && has_unknown_topic(&self.raw, &self.text, self.pack);
            return if is_gossip { Kind::Dropped(Reason::Other) } else { Kind::Fact(true) };
        }
        let old = is_old(&self.raw);
        if attributes.meets(OWNERLESS) && (has_number || self.traits.changed) && !old {
            return Kind::Fact(true);
        }
        if attributes.meets(BARE) && self.text.size <= 8.0 && !old {
            return Kind::Fact(true);
        }
        Kind::Dropped(Reason::Other)
    }

    /// A sentence without a person, in a language that often has none: a number, a habit, a time, a change or the
    /// polite ending of a verb.
    fn by_form(&self, has_number: bool) -> bool {
        let text = &self.text;
        let told = slice(&text.text, 0, text.end);
        let polite = match self.pack.lang {
            Lang::Ja => "ます ません てる ている",
            Lang::Ko => "해요 어요 아요 합니다 습니다 셔요 봐요 워요",
            _ => " ",
        };
        let polite = !ending(polite, told).is_empty();
        self.pack.lang.drops_subjects()
            && text.size >= 3.0
            && (has_number || self.traits.changed || text.has(List::Habit) || text.has(List::Calendar) || polite)
            && !is_old(&self.raw)
            && !has_two_capitals(&self.raw)
    }
}

/// The attributes of a statement. A weekday with a number is an event by itself; where a number or a vehicle is told, words
/// for jobs and names are part of its description.
fn attributes(text: &Prepared) -> Attributes {
    let mut found = Attributes::of_bits(text.attributes(0));
    let rest = found.without(Attributes::of(&[Attribute::Instruction]));
    if rest.is_empty() && text.has(List::Calendar) && has_time(&text.text) {
        return found.or(Attributes::of(&[Attribute::Event]));
    }
    let described = Attributes::of(&[
        Attribute::Vehicle,
        Attribute::Phone,
        Attribute::Email,
        Attribute::Birthday,
        Attribute::Money,
        Attribute::Size,
    ]);
    if found.meets(described) {
        found = found.without(Attributes::of(&[Attribute::Job, Attribute::Name, Attribute::Origin]));
    }
    if found.has(Attribute::Money) {
        found = found.without(Attributes::of(&[Attribute::Home]));
    }
    if found.has(Attribute::Birthday) {
        found = found.without(Attributes::of(&[Attribute::Age]));
    }
    found
}

/// Whether a text has a digit, or a numeral before 点.
fn has_time(text: &str) -> bool {
    let hour = seek(text, &mut |at, c| is_digit(c) || c == '点' && is_numeric(char_before(text, at)));
    hour < text.len()
}

/// Whether it ends with a question mark, or begins with one.
#[inline(never)]
pub(super) fn ends_asking(decomposed: &str) -> bool {
    is_of(last(trim_end(decomposed, &|c| is_of(c, "\"'”」) "))), "?？؟") || first(decomposed.trim()) == '¿'
}

/// Whether it names a year before 1940: history, not somebody's life.
pub(super) fn is_old(raw: &str) -> bool {
    let (mut year, mut count) = (0_u32, 0);
    let is_old = |year: u32, count: u32, at: usize| match count {
        3 => year >= 500 && first(tail(raw, at).trim()) == '年',
        4 => {
            (1000..1940).contains(&year)
                || (2000..2500).contains(&year) && slice(raw, 0, at - 4).trim().ends_with("พ.ศ.")
        }
        _ => false,
    };
    each!(raw, |at, c| {
        if is_digit(c) {
            year = year.wrapping_mul(10).wrapping_add(digit(c));
            count += 1;
        }
        if !is_digit(char_at(raw, at + width(c))) {
            if is_old(year, count, at + width(c)) {
                return true;
            }
            (year, count) = (0, 0);
        }
    });
    false
}
