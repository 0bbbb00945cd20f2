//! A statement that is kept: who and what it is about, and the traits by which two statements are compared.

use super::attribute::{Attribute, Attributes, Subject};
use super::content::{is_numeric, numbers, stems as stems_of};
use super::fold::{folded, pieces, slice, spaced};
use super::lang::Lang;
use super::pack::{List, Pack};
use super::prepared::{Prepared, adapt};
use super::sentence::{beginning, clauses};

/// The number of bytes of a text that are compared by words.
const ENOUGH: usize = 4000;

/// The traits of a statement, by its cues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The words that are kept. A secret in them is replaced.
    pub text: String,
    /// The language, if it is one with a pack.
    pub lang: Option<Lang>,
    /// The subject.
    pub subject: Subject,
    /// Whether it is known to be about the speaker or the speaker's people.
    pub owned: bool,
    /// The attributes.
    pub attributes: Attributes,
    /// Whether it denies something.
    pub negated: bool,
    /// Whether it tells a change or a correction.
    pub changed: bool,
    /// Whether it adds to what was said before: "also".
    pub also: bool,
    /// Whether the speaker is named by a pronoun.
    pub names_speaker: bool,
    /// Its numbers.
    pub numbers: String,
    /// Its numbers, weekdays, months and hours.
    pub when: String,
    /// Hashes of the stems of its words, in order.
    pub stems: Vec<u32>,
    /// The stems that are no cue: they tell one person or thing from another.
    pub own: Vec<u32>,
    /// The same without digits.
    pub things: Vec<u32>,
    /// The words next to its cues of change.
    pub altered: Vec<u32>,
    /// Whether it begins with "my" and words that are no cues: it is about these, and not about the speaker.
    pub of_thing: bool,
    /// Whether it begins with the person that it is about.
    pub of_other: bool,
    /// Whether the name that it tells is that of an animal or a thing.
    pub other_name: bool,
    /// Whether the speaker gives a name without a cue for names: "I'm Priya".
    pub introduces: bool,
    /// The text without case, accents and punctuation.
    pub plain: String,
}

/// The traits that the cues of a sentence show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    pub(super) subject: Subject,
    pub(super) owned: bool,
    pub(super) attributes: Attributes,
    pub(super) negated: bool,
    pub(super) changed: bool,
    pub(super) also: bool,
    /// Whether the speaker is named by a pronoun.
    pub(super) names_speaker: bool,
}

impl Traits {
    /// No traits.
    pub(super) const NONE: Self = Self {
        subject: Subject::Speaker,
        owned: false,
        attributes: Attributes::of(&[]),
        negated: false,
        changed: false,
        also: false,
        names_speaker: false,
    };

    /// The combined traits of two sentences.
    #[inline(never)]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            subject: if self.subject == Subject::Speaker { other.subject } else { self.subject },
            owned: self.owned || other.owned,
            attributes: self.attributes.or(other.attributes),
            negated: self.negated | other.negated,
            changed: self.changed | other.changed,
            also: self.also | other.also,
            names_speaker: self.names_speaker | other.names_speaker,
        }
    }
}

impl Fact {
    /// The fact of a text with these traits. `decomposed` is the text in NFKD.
    #[inline(never)]
    pub(super) fn new(text: &str, decomposed: &str, traits: Traits, pack: Option<&Pack>) -> Self {
        let whole = folded(decomposed, false);
        let (start, decomposed) = (beginning(&whole, ENOUGH), beginning(decomposed, ENOUGH));
        let numbers = numbers(start);
        let mut when = numbers.clone();
        let stems = stems_of(&adapted(start, pack), pack);
        let (mut own, mut things, mut of_thing, mut of_other) = (stems.clone(), Vec::new(), false, false);
        let (mut other_name, mut introduces) = (false, false);
        if let Some(pack) = pack {
            let prepared = Prepared::new(decomposed, pack);
            for hit in &prepared.hits {
                if hit.sense == List::Calendar as u8 {
                    when.push(' ');
                    when.push_str(slice(&prepared.text, hit.at, hit.end));
                }
            }
            own = prepared.own(&stems, pack);
            things = own.clone();
            if !numbers.is_empty() {
                let wordy = |c| if is_numeric(c) { ' ' } else { c };
                let wordy: String = adapted(start, Some(pack)).chars().map(wordy).collect();
                things = prepared.own(&stems_of(&wordy, Some(pack)), pack);
            }
            of_thing = prepared.is_of_thing(&own, pack);
            of_other = traits.subject != Subject::Speaker && prepared.is_of_other(pack);
            if traits.subject == Subject::Speaker {
                other_name = prepared.tells_other_name(&own, pack);
                introduces = super::owner::introduces(decomposed, pack);
            }
        }
        let altered = match pack {
            Some(pack) if traits.changed => altered(decomposed, pack),
            _ => Vec::new(),
        };
        Self {
            text: text.to_owned(),
            lang: pack.map(|pack| pack.lang),
            subject: traits.subject,
            owned: traits.owned,
            attributes: traits.attributes,
            negated: traits.negated,
            changed: traits.changed,
            also: traits.also,
            names_speaker: traits.names_speaker,
            when: when.trim().to_owned(),
            plain: spaced(&pieces(&whole, "")).trim().to_owned(),
            numbers,
            stems,
            own,
            things,
            altered,
            of_thing,
            of_other,
            other_name,
            introduces,
        }
    }

    /// About how many words have so many stems: where words have no ends, a stem is a pair of characters, or four.
    pub(super) fn words(&self, stems: usize) -> usize {
        stems / self.lang.map_or(1, |lang| if lang == Lang::Th { 4 } else { 1 + usize::from(lang.is_unspaced()) })
    }

    /// Whether it tells nothing that `other` does not: "you told me that you're allergic to peanuts" of "I'm allergic to
    /// peanuts". It has no attribute, number or time of its own, and names one of its things, or without an attribute
    /// most of its own things are those.
    pub fn echoes(&self, other: &Self) -> bool {
        let own = self.attributes.without(Attributes::of(&[Attribute::Instruction]));
        let dated = self.when.split_whitespace().all(|when| other.when.split_whitespace().any(|known| known == when));
        let shared = self.things.iter().filter(|thing| other.things.contains(thing)).count();
        let names = if own.is_empty() { 2 * shared > self.things.len() } else { shared > 0 };
        names && dated && own.is_in(other.attributes) && !self.changed && self.negated == other.negated
    }

    /// Whether it is a standing instruction.
    pub fn is_instruction(&self) -> bool {
        self.attributes.has(Attribute::Instruction)
    }
}

/// The stems of the words next to the cues of change: the first after a cue, or the last before it if none follows.
fn altered(decomposed: &str, pack: &Pack) -> Vec<u32> {
    let mut out = Vec::new();
    for clause in clauses(decomposed) {
        let prepared = Prepared::new(clause, pack);
        for hit in &prepared.hits {
            if hit.sense == List::Change as u8 {
                out.append(&mut prepared.beside(hit, pack));
            }
        }
    }
    out
}

/// A folded text with the words apart that its language joins.
pub(super) fn adapted(folded: &str, pack: Option<&Pack>) -> String {
    pack.map_or_else(|| folded.to_owned(), |pack| adapt(folded.to_owned(), pack.lang))
}
