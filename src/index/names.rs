//! Which speakers a question names, by their own name, in another spelling, or by what the others call them.

use super::doc::NONE;
use super::store::Index;
use super::words::Words;
use crate::text::{Listed, Term, Word};

/// The first character of terms for names that somebody was called by. Entries hold them without counting them.
const CALLED: char = '\u{2}';

/// Words after which people are called by their names.
static CALLING: Listed = Listed::new(
    "\
    hey hi hello thanks dear hallo danke liebe lieber bonjour salut merci hola gracias ola ciao grazie привет \
    спасибо chao oi",
);

/// Collects the names that a turn calls somebody by.
#[derive(Default)]
pub(super) struct Calls {
    calling: bool,
    /// As terms, each once.
    pub(super) names: Vec<String>,
}

impl Calls {
    /// Looks at the next word of the turn.
    pub(super) fn see(&mut self, word: &Term<'_>) {
        if self.calling {
            let name = called(word.text);
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
        self.calling = CALLING.has(word.text);
    }
}

fn called(name: &str) -> String {
    format!("{CALLED}{name}")
}

/// The speaker who is called `name`: nearly always, and more than once, somebody beside them says so.
fn who_is_called(index: &Index, words: &mut Words, name: &str) -> Option<u32> {
    let mut counts: Vec<(u32, usize)> = Vec::new();
    let mut all = 0;
    for posting in words.list(&called(name)).take(MANY) {
        let Some(other) = index.beside(posting.doc) else { continue };
        all += 1;
        match counts.iter_mut().find(|(speaker, _)| *speaker == other) {
            Some((_, count)) => *count += 1,
            None => counts.push((other, 1)),
        }
    }
    let (speaker, count) = counts.into_iter().max_by_key(|(speaker, count)| (*count, NONE - speaker))?;
    (count >= 2 && 5 * count >= 4 * all).then_some(speaker)
}

/// So many calls are enough to know.
const MANY: usize = 200;

/// The speakers that the words of a question name, by number, and the positions of the words that do so. A word with a
/// capital that is nobody's name means the speakers whose names are spelled nearly so (`Muhammad` is `Muhhamed`), or the
/// one whom the others call so.
pub(super) fn named(index: &Index, stored: &mut Words, words: &[Word]) -> (Vec<u32>, Vec<u32>) {
    let speakers = &index.speakers;
    let (mut found, mut positions) = (Vec::new(), Vec::new());
    let mut called = Vec::new();
    let mut look_for = |word: &Word, is_name: &dyn Fn(&str) -> bool| {
        let before = positions.len();
        for (speaker, names) in (0_u32..).zip(speakers) {
            if names.iter().any(|name| is_name(name)) {
                found.push(speaker);
                positions.push(word.position);
            }
        }
        positions.len() > before
    };
    for word in words {
        // The first word has a capital whatever it is.
        if look_for(word, &|name| name == word.text) || !word.capital || word.position == 0 {
            continue;
        }
        let spelled_so = speakers.len() <= FEW && look_for(word, &|name| alike(name, &word.text));
        if !spelled_so && let Some(speaker) = who_is_called(index, stored, &word.text) {
            called.push((speaker, word.position));
        }
    }
    for (speaker, position) in called {
        found.push(speaker);
        positions.push(position);
    }
    (found, positions)
}

/// Among more speakers, a name that is spelled nearly so is likely somebody else's.
const FEW: usize = 16;

/// Whether two names begin with the same letter and share half of their pairs of letters or more.
fn alike(one: &str, other: &str) -> bool {
    let pairs =
        |name: &str| -> Vec<[char; 2]> { name.chars().zip(name.chars().skip(1)).map(<[char; 2]>::from).collect() };
    let (one_pairs, mut other_pairs) = (pairs(one), pairs(other));
    let all = one_pairs.len() + other_pairs.len();
    let mut is_shared = |pair: &[char; 2]| {
        let place = other_pairs.iter().position(|known| known == pair);
        place.map(|place| other_pairs.swap_remove(place)).is_some()
    };
    let first = one.chars().next();
    first == other.chars().next() && all >= 6 && 4 * one_pairs.iter().filter(|pair| is_shared(pair)).count() >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_in_another_spelling() {
        assert!(alike("muhammad", "muhhamed"));
        assert!(alike("catherine", "catharine"));
        for (one, other) in [("ann", "anton"), ("monday", "monica"), ("kate", "emi"), ("", "")] {
            assert!(!alike(one, other), "{one} {other}");
        }
    }
}
