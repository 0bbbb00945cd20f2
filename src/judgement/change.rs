//! Whether a statement of a change is about the same aspect as an older one. "Switched the car insurance" leaves the
//! colour of the car as it was, "switched the car for a van" does not.

use super::attribute::{Attribute, Attributes};
use super::compare::{holds, shared};
use super::fact::Fact;

/// Attributes of which a person has one.
pub(super) const SINGLE: Attributes = Attributes::of(&[
    Attribute::Home,
    Attribute::Phone,
    Attribute::Email,
    Attribute::Birthday,
    Attribute::Age,
    Attribute::Origin,
    Attribute::Size,
]);

/// The least evidence by which a change replaces a statement when it is told; by which it hides one from a question, that
/// tells more of what is asked for; and by which it is shown before it.
pub(super) const REPLACES: i32 = 2;
pub(super) const HIDES: i32 = 0;
pub(super) const PRECEDES: i32 = -1;

/// The number of words that the older statement has alone, if it says more than the newer one.
const MORE: usize = 3;

/// How much speaks for a change of the aspect that the older statement tells. The points of `kind`, `yes` and `no` are the
/// rounded weights of a regression over the labelled pairs of `tests/judgement/`; those of a denial and of no shared word
/// were chosen by hand. `asked` are the attributes that count, `is_asked` tells whether a question has a word.
#[inline(never)]
pub(super) fn evidence(new: &Fact, old: &Fact, asked: Attributes, is_asked: &dyn Fn(u32) -> bool) -> i32 {
    let common = new.attributes.and(old.attributes);
    let stems = shared(&new.stems, &old.stems);
    let listed = common.meets(Attributes::MANY) && new.negated == old.negated;
    let known = if listed { shared(&new.own, &old.own) } else { stems };
    let single = common.and(asked).meets(SINGLE);
    if known == 0 && !common.meets(Attributes::SLOTS) {
        return i32::MIN / 2;
    }
    let fewest = new.stems.len().min(old.stems.len()).max(1);
    // Values of one kind: two numbers, or two names.
    let kind = match (new.numbers.is_empty(), old.numbers.is_empty()) {
        (true, true) => 2,
        (false, false) => 1,
        _ => 0,
    };
    // "A new job" names the attribute that both have.
    let is_cue = |stem: u32| !common.is_empty() && !holds(&new.own, stem);
    let is_known = |stem: &u32| holds(&old.stems, *stem) || is_asked(*stem) || is_cue(*stem);
    let another = !new.altered.is_empty() && !new.altered.iter().any(is_known);
    // "Not at the bakery any more".
    let denied = new.negated && !old.negated && new.altered.iter().any(|stem| holds(&old.stems, *stem));
    let more = old.words(old.things.iter().filter(|stem| !holds(&new.things, **stem)).count());
    let yes = [single, single, stems * 10 >= fewest * 3, stems * 2 >= fewest];
    let no = [another, more >= MORE, !old.attributes.is_in(new.attributes), !new.attributes.is_in(old.attributes)];
    let unknown = match known {
        0 if !single => 1 + i32::from(new.attributes != old.attributes),
        _ => 0,
    };
    let count = |list: [bool; 4]| list.iter().filter(|is| **is).count() as i32;
    kind + count(yes) - count(no) + 3 * i32::from(denied) - unknown
}
