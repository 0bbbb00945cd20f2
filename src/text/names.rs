//! Names in scripts without capitals: the words of a name, and the forms in which a question has them.

use super::chars::{Class, class, has_case};
use super::fold::fold;
use super::marks::is_in;
use super::question::Sought;
use super::terms::{Role, terms};
use super::words::{Piece, Pieces};

/// Calls `emit` with each word of a name, which is in NFKD. A run without spaces is one word.
pub fn name_words(name: &str, emit: &mut dyn FnMut(&str)) {
    terms(name, &mut |term| {
        if term.role == Role::Word {
            emit(term.text);
        }
    });
    let mut word = String::new();
    for piece in Pieces::new(name) {
        if let Piece::Cjk(run) | Piece::Unspaced(run) = piece {
            word.clear();
            fold(run, &mut word);
            emit(&word);
        }
    }
}

/// Whether `word` may be a name although it has no capital, because its script has none.
pub fn is_caseless(word: &str) -> bool {
    word.starts_with(|c| class(c) == Class::Letter && !has_case(c))
}

/// The most characters of a particle or a case ending: `에게서`, `ისთვის`.
const ENDING: usize = 3;

/// Prefixes that Arabic and Hebrew write onto a name: and, so, by, to, like, from, that.
const PREFIXES: &str = "وفبلكהובלמשכ";

/// Whether `word`, of a script with spaces and without capitals, is `name` with affixes of its language.
pub fn is_form_of_name(word: &str, name: &str) -> bool {
    let count = |text: &str| text.chars().count();
    if !is_caseless(name) || count(name) < 2 {
        return false;
    }
    if name.starts_with(|c| matches!(c, '\u{590}'..='\u{8ff}')) {
        let prefix = word.strip_suffix(name).filter(|_| count(name) > 2);
        return prefix.is_some_and(|prefix| count(prefix) <= 2 && prefix.chars().all(|c| is_in(c, PREFIXES)));
    }
    let begins = |name: &str| word.strip_prefix(name).is_some_and(|ending| count(ending) <= ENDING);
    // A Korean name has one syllable for the family, which may be omitted, and two for the person.
    let given = name.char_indices().nth(1).and_then(|(at, _)| name.get(at..));
    let given = given.filter(|given| count(given) == 2 && name.starts_with(|c| matches!(c, '가'..='힣')));
    begins(name) || given.is_some_and(begins)
}

/// The positions of the characters of `name` in a question, for a script without spaces. Of a name in Han characters
/// the first two, mostly the family name, or the last two, the given name, are enough.
pub fn places_of_name(name: &str, sought: &[Sought]) -> Vec<u32> {
    let mut pairs: Vec<Option<u32>> = Vec::new();
    let is_run = |c: char| match class(c) {
        Class::Cjk => true,
        // Two letters of an alphabet are part of too many words.
        Class::Unspaced => name.chars().nth(2).is_some(),
        _ => false,
    };
    if name.starts_with(is_run) {
        terms(name, &mut |term| {
            if term.role == Role::Pair {
                let said = sought.iter().find(|sought| sought.role == Role::Pair && sought.text == term.text);
                pairs.push(said.map(|said| said.position));
            }
        });
    }
    let han = |c: &char| matches!(c, '\u{3400}'..='\u{9fff}');
    if pairs.iter().any(Option::is_none) {
        let first = pairs.first().copied().filter(|_| name.chars().take(2).all(|c| han(&c)));
        let last = pairs.last().copied().filter(|_| name.chars().rev().take(2).all(|c| han(&c)));
        pairs = [first, last].into_iter().flatten().filter(Option::is_some).collect();
    }
    // The last character has the position after that of its pair.
    pairs.into_iter().flatten().flat_map(|place| [place, place + 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::question::Question;
    use super::*;

    #[test]
    fn names_have_words_in_any_script() {
        let words = |name: &str| {
            let mut words = Vec::new();
            name_words(name, &mut |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(words("Ann Lee"), ["ann", "lee"]);
        assert_eq!(words("田中 太郎"), ["田中", "太郎"]);
        assert_eq!(words("สมชาย"), ["สมชาย"]);
        assert_eq!(words("김민수"), ["김민수"]);
        assert_eq!(words("🎉 …"), Vec::<String>::new());
    }

    #[test]
    fn forms_of_a_name_are_told_from_other_words() {
        for (word, name) in [
            ("민수", "민수"),
            ("민수에게", "민수"),
            ("민수는", "김민수"),
            ("ومحمد", "محمد"),
            ("לדוד", "דוד"),
            ("ნინოს", "ნინო"),
        ] {
            assert!(is_form_of_name(word, name), "{word} {name}");
        }
        for (word, name) in [
            ("민", "민"),
            ("민들레", "민수"),
            ("محمدية", "محمد"),
            ("عليه", "علي"),
            ("دوره", "نور"),
            ("annas", "anna"),
            ("мариам", "мари"),
            ("", ""),
        ] {
            assert!(!is_form_of_name(word, name), "{word} {name}");
        }
    }

    #[test]
    fn a_run_without_spaces_holds_a_name() {
        let places = |name: &str, question: &str| places_of_name(name, &Question::new(question, 0).sought);
        assert_eq!(places("田中", "田中さんの犬"), [0, 1]);
        assert_eq!(places("田中太郎", "犬と太郎"), [2, 3]);
        assert!(places("สมชาย", "บ้านของสมชายอยู่ที่ไหน").len() >= 4);
        for (name, question) in [("田中", "田んぼの中"), ("林", "林の中"), ("นก", "คนกินข้าว"), ("バジル", "バスに乗る")]
        {
            assert!(places(name, question).is_empty(), "{name}");
        }
    }
}
