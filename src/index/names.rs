//! The speakers that a question names: by their own name, in another spelling, or by what the others call them.

use super::doc::NONE;
use super::store::Index;
use super::words::Words;
use crate::text::{Listed, Question, Role, Term, Word, is_caseless, is_form_of_name, places_of_name};

/// The first character of terms for names by which somebody was addressed. Entries have them without counting them.
const CALLED: char = '\u{2}';

/// Words before a name by which somebody is addressed.
static CALLING: Listed = Listed::new(
    "\
    hey hi hello thanks dear hallo danke liebe lieber bonjour salut merci hola gracias ola ciao grazie привет \
    спасибо chao oi مرحبا شكرا היי תודה नमस्ते धन्यवाद",
);

/// Collects the names by which a turn addresses somebody.
#[derive(Default)]
pub(super) struct Calls {
    calling: bool,
    /// The names as terms, each once.
    pub(super) names: Vec<String>,
}

impl Calls {
    /// Processes the next word of the turn.
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

/// The speaker addressed as `name`: almost always, and more than once, in a turn next to theirs.
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

/// The number of addresses that is enough to decide.
const MANY: usize = 200;

/// The speakers that the words of a question name, by number, and the positions of those words. A capitalised word that
/// is no speaker's name stands for speakers with a similar spelling (`Muhammad` is `Muhhamed`), or for the one whom
/// others address so. A script without capitals writes particles onto names, and one without spaces anything.
pub(super) fn named(index: &Index, stored: &mut Words, question: &Question) -> (Vec<u32>, Vec<u32>) {
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
    for word in &question.words {
        let caseless = is_caseless(&word.text);
        let is_name = |name: &str| name == word.text || caseless && is_form_of_name(&word.text, name);
        // The first word is always capitalised.
        if look_for(word, &is_name) || !caseless && (!word.capital || word.position == 0) {
            continue;
        }
        let spelled_so = !caseless && speakers.len() <= FEW && look_for(word, &|name| alike(name, &word.text));
        if !spelled_so && let Some(speaker) = who_is_called(index, stored, &word.text) {
            called.push((speaker, word.position));
        }
    }
    if question.sought.iter().any(|sought| sought.role == Role::Pair) {
        for (speaker, name) in
            (0_u32..).zip(speakers).flat_map(|(speaker, names)| names.iter().map(move |name| (speaker, name)))
        {
            let places = places_of_name(name, &question.sought);
            found.extend((!places.is_empty()).then_some(speaker));
            positions.extend(places);
        }
    }
    for (speaker, position) in called {
        found.push(speaker);
        positions.push(position);
    }
    (found, positions)
}

/// Among more speakers, a name with a similar spelling is probably somebody else's.
const FEW: usize = 16;

/// Whether two names begin with the same letter and share at least half of their letter pairs.
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
    use super::super::sample::{Sample, all, index};
    use super::super::segment::Segment;
    use super::super::{Hit, Ranking};
    use super::*;

    #[test]
    fn names_are_recognised_in_another_spelling() {
        assert!(alike("muhammad", "muhhamed"));
        assert!(alike("catherine", "catharine"));
        for (one, other) in [("ann", "anton"), ("monday", "monica"), ("kate", "emi"), ("", "")] {
            assert!(!alike(one, other), "{one} {other}");
        }
    }

    fn named_by(index: &Index, text: &str) -> Vec<String> {
        let is_named = |hit: &Hit<'_>| hit.receipt.iter().any(|part| part.label == "speaker");
        let hits = all(index, text, Ranking::Best).into_iter().filter(is_named);
        hits.map(|hit| hit.found.id.to_owned()).collect()
    }

    #[test]
    fn segments_of_earlier_releases_name_speakers_without_spaces() {
        let turn = |id, speaker| Sample { id, content: "旅行は楽しかった", speaker, ..Sample::default() };
        let bytes = index(&[turn("tanaka", Some("田中")), turn("suzuki", Some("鈴木"))]).segment(0..9);
        let mut segment = Segment::read(&bytes).unwrap();
        for card in &mut segment.cards {
            card.lists.truncate(card.lists.len() - card.counts[2] as usize);
            card.counts[2] = 0;
        }
        let mut index = Index::default();
        index.take(&segment);
        assert_eq!(named_by(&index, "田中さんの旅行は?"), ["tanaka"]);
    }

    #[test]
    fn a_name_is_known_if_it_is_said_twice_and_nearly_always_to_the_same_one() {
        // For each address of `kim`, the speaker that answers it.
        let called = |answers: &[&str]| {
            let mut samples = Vec::new();
            for (seq, speaker) in (0_u64..).zip(answers) {
                let turn = Sample { session: Some(["a", "b", "c", "d", "e", "f"][seq as usize]), ..Sample::default() };
                let call = Sample { id: "call", seq: 2 * seq, content: "Hi Kim", speaker: Some("Zoe"), ..turn };
                samples.push((
                    call,
                    Sample { id: "answer", seq: 2 * seq + 1, content: "Good morning", speaker: Some(speaker), ..turn },
                ));
            }
            let ids: Vec<String> = (0..2 * samples.len()).map(|n| n.to_string()).collect();
            let turns: Vec<Sample<'_>> = samples
                .iter()
                .flat_map(|(call, answer)| [*call, *answer])
                .zip(&ids)
                .map(|(turn, id)| Sample { id, ..turn })
                .collect();
            let index = index(&turns);
            let speaker = who_is_called(&index, &mut index.words.borrow_mut(), "kim")?;
            index.speakers.get(speaker as usize)?.first().cloned()
        };
        assert_eq!(called(&["Ann"]), None, "once may be by chance");
        assert_eq!(called(&["Ann", "Ann"]).as_deref(), Some("ann"));
        assert_eq!(called(&["Bob", "Ann", "Ann", "Ann", "Ann"]).as_deref(), Some("ann"), "four of five");
        assert_eq!(called(&["Ann", "Ann", "Ann", "Ann", "Bob"]).as_deref(), Some("ann"), "four of five");
        assert_eq!(called(&["Ann", "Bob", "Ann", "Ann"]), None, "three of four");
        assert_eq!(called(&["Ann", "Bob", "Ann", "Bob"]), None);
        assert_eq!(called(&[]), None);
    }

    #[test]
    fn people_are_called_by_name_in_scripts_without_capitals() {
        for (calls, question) in [
            (["مرحبا كريم كيف كانت الرحلة", "شكرا كريم"], "ماذا قال كريم عن الرحلة؟"),
            (["नमस्ते पप्पू यात्रा कैसी थी", "धन्यवाद पप्पू"], "पप्पू की यात्रा कैसी थी?"),
        ] {
            let turn = |id, seq, content, speaker| Sample {
                id,
                seq,
                content,
                speaker: Some(speaker),
                session: Some("s"),
                ..Sample::default()
            };
            let index = index(&[
                turn("1", 1, calls[0], "u1"),
                turn("2", 2, "الرحلة यात्रा", "u2"),
                turn("3", 3, calls[1], "u1"),
                turn("4", 4, "…", "u2"),
            ]);
            assert!(named_by(&index, question).contains(&"2".to_owned()), "{question}");
            assert!(!named_by(&index, question).contains(&"1".to_owned()), "{question}");
        }
    }
}
