//! Whether a new statement repeats an older one, replaces it, takes it back, or stands beside it.

use super::attribute::{Attribute, Attributes, Subject};
use super::change::{REPLACES, SINGLE, evidence};
use super::fact::Fact;
use super::lang::Lang;
use crate::text::small;

/// The effect of a new statement on an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It says the same in the same words.
    Same,
    /// Both are true.
    Adds,
    /// The older one is no longer true.
    Supersedes,
    /// The older one is no longer true, and nothing replaces it: "no longer vegetarian".
    Retracts,
}

/// How many hashes two sorted lists share.
#[inline(never)]
pub(super) fn shared(one: &[u32], other: &[u32]) -> usize {
    one.iter().filter(|stem| holds(other, **stem)).count()
}

/// Whether a hash is in a sorted list.
#[inline(never)]
pub(super) fn holds(list: &[u32], stem: u32) -> bool {
    list.binary_search(&stem).is_ok()
}

/// The overlap of two statements.
struct Common {
    attributes: Attributes,
    stems: usize,
    /// The share of the shorter one's stems that are in the other.
    ratio: f32,
    other_numbers: bool,
}

/// Compares a new statement with an older one.
pub fn compare(new: &Fact, old: &Fact) -> Relation {
    if new.plain == old.plain {
        return Relation::Same;
    }
    let stems = shared(&new.stems, &old.stems);
    // The names of two things, or of a thing and a person.
    let two_names =
        (new.other_name || old.other_name) && !(new.other_name && old.other_name && shared(&new.own, &old.own) > 0);
    let names = if two_names { Attributes::of(&[Attribute::Name]) } else { Attributes::default() };
    let fewest = new.stems.len().min(old.stems.len()).max(1);
    let common = Common {
        attributes: new.attributes.and(old.attributes).without(names),
        stems,
        ratio: stems as f32 / fewest as f32,
        other_numbers: new.numbers != old.numbers,
    };
    if new.attributes.has(Attribute::Instruction) != old.attributes.has(Attribute::Instruction) {
        return Relation::Adds;
    }
    if are_apart(new, old) {
        return Relation::Adds;
    }
    if new.also && !new.negated && !new.changed {
        let corrects = common.ratio > 0.8 && common.other_numbers && new.subject == Subject::Speaker;
        return if corrects { Relation::Supersedes } else { Relation::Adds };
    }
    if by_name(new, &common) {
        return if replaces_name(new) { Relation::Supersedes } else { Relation::Adds };
    }
    let denies = new.negated != old.negated;
    let replaces = if new.changed {
        evidence(new, old, SINGLE, &|_| false) >= REPLACES
    } else {
        let denied = denies && stems >= 1 && (!common.attributes.is_empty() || common.ratio >= 0.5);
        denied || by_slot(new, old, &common) || is_corrected(new, old, &common)
    };
    match replaces {
        true if denies && new.negated => Relation::Retracts,
        true => Relation::Supersedes,
        false => Relation::Adds,
    }
}

/// Whether two statements of other numbers also have other words on both sides: the washing machine is under warranty until
/// 2026, the dishwasher until 2028. A correction repeats the words, and has another value.
pub fn are_distinct(new: &Fact, old: &Fact) -> bool {
    let has_more = |one: &Fact, other: &Fact| one.things.iter().any(|stem| !holds(&other.things, *stem));
    let common = new.attributes.and(old.attributes);
    // Where pronouns are left out, "HP kantor" and "HP pribadi" have a number each, and Dinda and Fajar a birthday.
    let unnamed = !new.names_speaker && !old.names_speaker && matches!(new.lang, Some(Lang::Id | Lang::Vi));
    let told = new.owned && !new.of_thing && common.meets(Attributes::TOLD_ANEW);
    let others = unnamed && told && !common.has(Attribute::Home);
    let sums = new.numbers != old.numbers && !new.numbers.is_empty() && !old.numbers.is_empty() && !told;
    new.owned == old.owned
        && (old.changed || !new.changed)
        && (others || sums)
        && has_more(new, old)
        && has_more(old, new)
}

/// Whether two statements can be of the same person or thing, and the newer one neither repeats the older one nor adds to it.
/// Of nobody's, it must have a word of the older one: "the meeting moved to Thursday" is no new home.
pub(super) fn may_compare(new: &Fact, old: &Fact) -> bool {
    let at_home = new.attributes.and(old.attributes).has(Attribute::Home);
    let words = if at_home { shared(&new.own, &old.own) } else { shared(&new.stems, &old.stems) };
    let bears = new.owned || !at_home && !old.owned || words > 0;
    bears && new.plain != old.plain && (!new.also || new.negated) && !are_apart(new, old)
}

/// Whether two statements are about two people or two things.
fn are_apart(new: &Fact, old: &Fact) -> bool {
    are_distinct(new, old) || are_two(new, old) || !may_replace(new, old)
}

/// Two of a kind: my son A is 6, my son B is 9. Only words that are neither relation nor cue make them one.
fn are_two(new: &Fact, old: &Fact) -> bool {
    new.subject == old.subject
        && new.subject != Subject::Speaker
        && !new.subject.is_unique()
        && shared(&new.own, &old.own) == 0
        && !(new.changed && (new.negated != old.negated || repeats_half(new, old)))
}

/// Whether half of the words of the shorter one are in the other.
fn repeats_half(new: &Fact, old: &Fact) -> bool {
    2 * shared(&new.stems, &old.stems) >= new.stems.len().min(old.stems.len())
}

/// Statements about different people do not touch each other; but a change may leave the person out, and name a thing of
/// theirs. "I live with my parents" is not about them.
fn may_replace(new: &Fact, old: &Fact) -> bool {
    let unsaid = || !old.of_other || !new.names_speaker && shared(&new.own, &old.own) > 0;
    new.subject == old.subject || new.changed && new.subject == Subject::Speaker && unsaid()
}

/// Whether both tell a name, and nothing else decides.
fn by_name(new: &Fact, common: &Common) -> bool {
    let other = Attributes::of(&[Attribute::Pet, Attribute::Family]);
    common.attributes.has(Attribute::Name) && (new.subject != Subject::Speaker || !common.attributes.meets(other))
}

fn replaces_name(new: &Fact) -> bool {
    new.subject == Subject::Speaker || new.subject.is_unique() || new.negated && new.changed
}

/// Whether an attribute of which there is one value has a new one.
fn by_slot(new: &Fact, old: &Fact, common: &Common) -> bool {
    let attributes = common.attributes;
    let is_speaker = new.subject == Subject::Speaker;
    let apart = (new.of_thing || old.of_thing) && shared(&new.own, &old.own) == 0;
    let tied = !apart && (is_speaker || common.stems > 0);
    if (attributes.meets(SINGLE) || attributes.has(Attribute::Job)) && tied {
        return true;
    }
    let moved = !new.when.is_empty() && !old.when.is_empty() && new.when != old.when;
    if attributes.has(Attribute::Event) && moved && common.stems >= 1 {
        return true;
    }
    attributes.has(Attribute::Money) && common.ratio >= 0.5 && common.other_numbers
}

/// Whether an opposite or a corrected number replaces it.
fn is_corrected(new: &Fact, old: &Fact, common: &Common) -> bool {
    let (like, dislike) = (Attribute::Like, Attribute::Dislike);
    let opposite = new.attributes.has(like) && old.attributes.has(dislike)
        || new.attributes.has(dislike) && old.attributes.has(like);
    let corrected = common.ratio >= 0.7 && new.stems.len() >= 3 && common.other_numbers && !new.numbers.is_empty();
    opposite && common.stems >= 1 || corrected
}

/// Whether a statement contradicts an older one about the same person: it tells a change, denies it, or gives another
/// value to an attribute that has one. `is_read` tells whether the words of both were compared already.
pub fn contradicts(new: &Fact, old: &Fact, is_read: &dyn Fn() -> bool) -> bool {
    let common = new.attributes.and(old.attributes);
    // "I now jog in the park" says nothing about "I live near the park".
    if common.is_empty() && !new.attributes.is_empty() && !old.attributes.is_empty() {
        return false;
    }
    // "I live in Leeds with my wife Anna" still tells her name after a move: a question decides what of it is past.
    let names_more = new.subject == Subject::Speaker && old.subject != Subject::Speaker && !old.of_other;
    let repeats = shared(&new.stems, &old.stems) * 4 >= old.stems.len() * 3;
    if new.changed && !repeats && (names_more || !old.attributes.and(Attributes::LASTING).is_in(new.attributes)) {
        return false;
    }
    let may = if new.owned && old.owned {
        let says_more = !old.attributes.and(Attributes::SLOTS).is_in(new.attributes);
        new.changed || new.negated != old.negated || common.meets(Attributes::TOLD_ANEW) && !says_more && !is_read()
    } else {
        // Of somebody's, or of nobody's: a new time of a meeting, not a new home of another person.
        let names = new.text.chars().skip(1).any(|c| small(c) != c);
        let impersonal =
            if common.is_empty() { shared(&new.own, &old.own) > 0 } else { !common.meets(Attributes::PERSONAL) };
        let another_sum = old.owned && common.has(Attribute::Money);
        (new.changed || another_sum) && impersonal && !(old.owned && names)
    };
    may && matches!(compare(new, old), Relation::Supersedes | Relation::Retracts)
}

/// Whether two statements can be about the same thing: a quick look before they are compared.
pub fn may_concern(new: &Fact, old: &Fact) -> bool {
    !new.attributes.and(old.attributes).is_empty() || shared(&new.stems, &old.stems) > 0
}

/// A change as a statement about the subject of an older one, if a name or a thing of it is mentioned: after "my daughter
/// Ines is in year 4", "Ines is in year 5 now".
pub fn adopted(change: &Fact, old: &Fact) -> Option<Fact> {
    let subject = if change.subject == Subject::Speaker { old.subject } else { change.subject };
    (shared(&change.own, &old.own) > 0).then(|| Fact { subject, owned: true, ..change.clone() })
}

/// Whether two statements are about two of a kind, such as two daughters or two languages, whatever their words.
pub fn is_one_of_many(new: &Fact, old: &Fact) -> bool {
    let several = new.subject == old.subject && new.subject.is_several();
    let listed = !new.attributes.and(old.attributes).is_empty() && new.attributes.is_in(Attributes::LISTED);
    new.owned && old.owned && new.negated == old.negated && (several || listed) && compare(new, old) == Relation::Adds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::{Judge, Pack, Packs};

    #[test]
    fn a_new_value_replaces_the_old_one_and_other_people_are_left_alone() {
        let mut packs = Packs::new();
        packs.add(Pack::parse(include_str!("../../packs/en.txt"), &str::to_owned).unwrap());
        let judge = Judge::new(&packs, &str::to_owned);
        for (old, new, relation) in [
            ("I live in Hanoi", "i live in hanoi!", Relation::Same),
            ("I live in Hanoi", "I moved to Da Nang", Relation::Supersedes),
            ("My wife is called Anna", "Sorry, my wife is called Hanna", Relation::Supersedes),
            ("I'm vegetarian", "I'm no longer vegetarian", Relation::Retracts),
            ("My number is 0113 496 0021", "My new number is 0113 496 0099", Relation::Supersedes),
            ("My son Tom is allergic to nuts", "My daughter Eva is allergic to milk", Relation::Adds),
            ("My son Tom is 6", "My son Ben is 9", Relation::Adds),
            ("I love jazz", "I also love opera", Relation::Adds),
            ("I live in Hanoi", "My brother lives in Hue", Relation::Adds),
        ] {
            assert_eq!(compare(&judge.describe(new, None), &judge.describe(old, None)), relation, "{old} / {new}");
        }
    }
}
