//! Parses a query: the terms to look up with their weights, the words as written, a date, a kind of answer.

use super::chars::{Class, class};
use super::dates::{Date, find_date};
use super::listed::Listed;
use super::marks::ends_asking;
use super::stop::{is_asking, is_english, is_stop, is_stop_elsewhere, without_question_words};
use super::terms::{PLAIN, Role, Term, terms};
use super::traits::{Traits, Voice};
use super::turns::About;

/// The kind of answer that a question wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wants {
    /// Unknown.
    #[default]
    Anything,
    /// A time: `when`.
    Time,
    /// A number: `how many`.
    Number,
    /// A person or a place: `who`, `where`.
    Name,
}

/// A word of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word, folded.
    pub text: String,
    /// Its position among the words.
    pub position: u32,
    /// Whether it begins with a capital.
    pub capital: bool,
}

/// A term to look up.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The term.
    pub text: String,
    /// Its relation to its word.
    pub role: Role,
    /// The position of its word.
    pub position: u32,
    /// Whether the word asks for a report, and is hardly in the reported text: `mention`, `conversation`.
    pub asks: bool,
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// The unique terms to look up. Stop words are included only if there is nothing else.
    pub sought: Vec<Sought>,
    /// Every word, in order.
    pub words: Vec<Word>,
    /// The date in it.
    pub date: Option<Date>,
    /// The kind of answer.
    pub wants: Wants,
    /// Whether the question is about the asking person.
    pub is_mine: bool,
    /// Whether it asks for messages of the assistant.
    pub of_assistant: bool,
    /// Whether it asks for help or advice.
    pub wants_help: bool,
    /// Whether it is in English; otherwise its words are looked up as written, with all similar ones.
    pub english: bool,
}

/// The most words of a query; the rest is ignored.
const MAX_WORDS: usize = 256;

/// The most words of a question that is not in English for which similar ones are looked up: each is compared with
/// every word of the memory.
const MAX_GROUPS: usize = 32;

impl Question {
    /// Parses `text`, which is in NFKD. `today` is a day number, for `yesterday` and the like.
    pub fn new(text: &str, today: i64) -> Self {
        Self::at_home(text, today, &|| true, true)
    }

    /// The same for a memory: `home` says whether it is in English, which decides the language of a few keywords, and
    /// `talks` whether it has dialog, for which the speakers matter.
    pub fn at_home(text: &str, today: i64, home: &dyn Fn() -> bool, talks: bool) -> Self {
        let cut = without_question_words(text);
        let rest = cut.as_deref().unwrap_or(text);
        let kept = kept(rest);
        let words = words(&kept);
        let spaced = words.iter().map(|word| word.text.as_str()).filter(|word| is_spaced(word));
        let english = is_english(spaced, home);
        let is_stop = |word: &&Word| is_stop(&word.text) || !english && is_stop_elsewhere(&word.text);
        let stop: Vec<u32> = words.iter().filter(is_stop).map(|word| word.position).collect();
        let mut sought = sought(kept, &stop, english);
        if sought.is_empty() {
            sought = self::sought(self::kept(text), &[], english);
        }
        let date = find_date(&words, today);
        let wants = wants(&words);
        let asks = |sought: &mut Sought| {
            let word = words.iter().find(|word| word.position == sought.position);
            sought.asks = word.is_some_and(|word| is_asking(&word.text));
        };
        sought.iter_mut().for_each(asks);
        // If there is nothing else, they are the subject.
        if sought.iter().all(|sought| sought.asks) {
            sought.iter_mut().for_each(|sought| sought.asks = false);
        }
        let about = if talks { About::of(text) } else { About::default() };
        let About { mine: is_mine, assistant: of_assistant, help: wants_help } = about;
        Self { sought, words, date, wants, english, is_mine, of_assistant, wants_help }
    }
}

/// Whether `text` is a question without content beyond `query`, which is a question as well. Both are in NFKD. Keywords
/// are no question: they match everything that has them.
pub fn only_asks(text: &str, query: &str) -> bool {
    // Few texts are questions: the query is parsed only for those.
    if !Traits::of(text, Voice::Other, false).asks_at_all() {
        return false;
    }
    let Question { sought: known, words, .. } = Question::new(query, 0);
    let is_sought = |word: &Word| known.iter().any(|sought| sought.position == word.position);
    if words.iter().all(is_sought) && without_question_words(query).is_none() && !ends_asking(query) {
        return false;
    }
    let is_known = |sought: &Sought| known.iter().any(|known| known.text == sought.text);
    Question::new(text, 0).sought.iter().all(|sought| sought.asks || is_known(sought))
}

/// A term of a question, with its own copy of the text.
struct Kept {
    text: String,
    role: Role,
    position: u32,
    capital: bool,
}

fn kept(text: &str) -> Vec<Kept> {
    let mut kept = Vec::new();
    terms(text, &mut |Term { text, role, position, capital }| {
        kept.push(Kept { text: text.to_owned(), role, position, capital });
    });
    kept
}

/// The words of a text, for tests.
#[cfg(test)]
pub(super) fn words_of(text: &str) -> Vec<Word> {
    words(&kept(text))
}

/// The words among the terms, for parsing dates and names. Han characters are words of their own here.
fn words(kept: &[Kept]) -> Vec<Word> {
    let words = kept.iter().filter(|term| matches!(term.role, Role::Word | Role::Single | Role::Lone));
    let word = |term: &Kept| Word { text: term.text.clone(), position: term.position, capital: term.capital };
    words.take(MAX_WORDS).map(word).collect()
}

/// Whether a word is of a script with spaces. A run of one without may be many words.
fn is_spaced(word: &str) -> bool {
    word.starts_with(|c| class(c) == Class::Letter)
}

fn sought(kept: Vec<Kept>, stop: &[u32], english: bool) -> Vec<Sought> {
    let mut sought: Vec<Sought> = Vec::new();
    let mut groups = 0..MAX_GROUPS;
    let mut grouped = None;
    for Kept { text, role, position, .. } in kept {
        if stop.binary_search(&position).is_ok() {
            continue;
        }
        // Typed without accents, it may stand for a word with accents.
        let plain = role == Role::Word && text.chars().all(|c| class(c) == Class::Letter);
        let plain = plain.then(|| format!("{PLAIN}{text}"));
        let mut seek = |text: String, role: Role| {
            if sought.len() < MAX_WORDS && !sought.iter().any(|known| known.text == text) {
                sought.push(Sought { text, role, position, asks: false });
            }
        };
        match role {
            Role::Word if english || groups.next().is_none() => {}
            Role::Word => {
                grouped = Some(position);
                seek(text, Role::Word);
            }
            Role::Stem if grouped == Some(position) => {}
            role => seek(text, role),
        }
        if let Some(plain) = plain {
            seek(plain, Role::Plain);
        }
    }
    sought
}

fn wants(words: &[Word]) -> Wants {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let kind = |at: usize| WANTS.find(text(at)).or_else(|| WANTS.find(&format!("{}_{}", text(at), text(at + 1))));
    match (0..words.len()).find_map(kind) {
        Some("time") => Wants::Time,
        Some("number") => Wants::Number,
        Some(_) => Wants::Name,
        None => Wants::Anything,
    }
}

/// Words and pairs of words that indicate the kind of answer.
static WANTS: Listed = Listed::new(
    "\
    when:time what_date:time what_day:time what_month:time what_year:time what_time:time which_date:time \
    which_day:time which_month:time which_year:time which_time:time how_long:time how_recently:time how_many:number \
    how_much:number how_old:number how_often:number who: where: whose: whom: which_city: which_country: which_state: \
    which_book: which_movie: which_band:",
);

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_up(text: &str) -> Vec<String> {
        let question = Question::new(text, 0);
        question.sought.into_iter().filter(|sought| sought.role != Role::Plain).map(|sought| sought.text).collect()
    }

    #[test]
    fn stop_words_are_left_out_unless_nothing_else_is_said() {
        assert_eq!(looked_up("When did Caroline paint the sunrise?"), ["carolin", "paint", "sunris"]);
        assert_eq!(looked_up("who was it"), ["who", "be", "it"]);
        assert_eq!(looked_up("東京"), ["東", "東京", "京"]);
        assert_eq!(looked_up(""), Vec::<String>::new());
    }

    #[test]
    fn a_question_is_told_from_its_answer() {
        for (text, query) in [
            ("What is my dog called?", "what is my dog called"),
            ("What's my dog called?", "Can you tell me what my dog is called?"),
            ("我的狗叫什么?", "我的狗叫什么"),
            // Languages without a list of stop words.
            ("내 강아지 이름은 뭐예요?", "내 강아지 이름은 뭐예요?"),
            ("Ի՞նչ է իմ շան անունը", "Ի՞նչ է իմ շան անունը"),
        ] {
            assert!(only_asks(text, query), "{text}");
        }
        for (text, query) in [
            ("My dog is called Rex", "What is my dog called?"),
            ("Did I tell you that my dog Rex is ill?", "What is my dog called?"),
            ("", "dog"),
            ("Where is my dog?", "dog"),
        ] {
            assert!(!only_asks(text, query), "{text}");
        }
    }

    #[test]
    fn words_of_other_languages_are_sought_as_written() {
        let roles = |text: &str| -> Vec<(String, Role)> {
            let sought = Question::new(text, 0).sought.into_iter().filter(|sought| sought.role != Role::Plain);
            sought.map(|sought| (sought.text, sought.role)).collect()
        };
        let written = |word: &str| (word.to_owned(), Role::Word);
        assert_eq!(
            roles("Welche Kirchen wurden fu\u{308}r Ko\u{308}ln gebaut?"),
            ["kirchen", "ko\u{308}ln", "gebaut"].map(written)
        );
        assert!(!Question::new("Где книги?", 0).english && Question::new("Where are the books?", 0).english);
        // Languages without spaces have no such words, and only some words of a long question are used.
        assert!(roles("東京タワーはどこですか").iter().all(|(_, role)| *role != Role::Word));
        let long: String = (0..10_000).map(|n| format!("слово{n} ")).collect();
        let long = roles(&long);
        assert_eq!(long.iter().filter(|(_, role)| *role == Role::Word).count(), MAX_GROUPS);
        assert!(long.len() <= MAX_WORDS && roles(&"東京".repeat(10_000)).len() <= MAX_WORDS);
    }

    #[test]
    fn the_kind_of_answer_is_understood() {
        for (text, wants) in [
            ("When did he go?", Wants::Time),
            ("How many dogs?", Wants::Number),
            ("Where is she from?", Wants::Name),
            ("What is it?", Wants::Anything),
        ] {
            assert_eq!(Question::new(text, 0).wants, wants, "{text}");
        }
    }
}
