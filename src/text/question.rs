//! What a query asks for: the terms to look up and their weights, the words as they were said, a date, a kind of answer.

use super::chars::{Class, class};
use super::dates::{Date, find_date};
use super::stop::{is_asking, is_stop, without_question_words};
use super::terms::{PLAIN, Role, terms};
use super::traits::{Traits, Voice};
use super::turns::About;

/// What kind of answer a question wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wants {
    /// Nothing can be said.
    #[default]
    Anything,
    /// A time: `when`.
    Time,
    /// A number: `how many`.
    Number,
    /// Somebody or a place: `who`, `where`.
    Name,
}

/// A word of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word, folded.
    pub text: String,
    /// Which word it is, as its terms say.
    pub position: u32,
    /// Whether it begins with a capital.
    pub capital: bool,
}

/// A term to look up.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The term.
    pub text: String,
    /// What it is to its word.
    pub role: Role,
    /// The word it belongs to.
    pub position: u32,
    /// Whether the word asks for something to be told, and is hardly in what is told: `mention`, `conversation`.
    pub asks: bool,
}

/// A query, understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// What to look up, each once. Stop words are not among them unless there is nothing else.
    pub sought: Vec<Sought>,
    /// Every word, in order.
    pub words: Vec<Word>,
    /// The date that is named.
    pub date: Option<Date>,
    /// What kind of answer is wanted.
    pub wants: Wants,
    /// Whether the one who asks speaks of themselves.
    pub is_mine: bool,
    /// Whether it asks for what the assistant said.
    pub of_assistant: bool,
    /// Whether it asks for help or advice.
    pub wants_help: bool,
}

/// A query longer than this is read up to here.
const MAX_WORDS: usize = 256;

impl Question {
    /// Reads `text`, which is in NFKD. `today` is a day number, for `yesterday` and the like.
    pub fn new(text: &str, today: i64) -> Self {
        let cut = without_question_words(text);
        let rest = cut.as_deref().unwrap_or(text);
        let words = words_of(rest);
        let stop: Vec<u32> = words.iter().filter(|word| is_stop(&word.text)).map(|word| word.position).collect();
        let mut sought = sought(rest, &stop);
        if sought.is_empty() {
            sought = self::sought(text, &[]);
        }
        let date = find_date(&words, today);
        let wants = wants(&words);
        let asks = |sought: &mut Sought| {
            let word = words.iter().find(|word| word.position == sought.position);
            sought.asks = word.is_some_and(|word| is_asking(&word.text));
        };
        sought.iter_mut().for_each(asks);
        // If nothing else is asked, they are what is asked for.
        if sought.iter().all(|sought| sought.asks) {
            sought.iter_mut().for_each(|sought| sought.asks = false);
        }
        let About { mine: is_mine, assistant: of_assistant, help: wants_help } = About::of(text);
        Self { sought, words, date, wants, is_mine, of_assistant, wants_help }
    }
}

/// Whether `text` is a question that says nothing beyond what `query` says. Both are in NFKD.
pub fn only_asks(text: &str, query: &str) -> bool {
    let known = Question::new(query, 0).sought;
    let is_known = |sought: &Sought| known.iter().any(|known| known.text == sought.text);
    Traits::of(text, Voice::Other, false).asks_at_all()
        && Question::new(text, 0).sought.iter().all(|sought| sought.asks || is_known(sought))
}

/// The words of a text, for reading dates and names. Han characters are words of their own here.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    terms(text, &mut |term| {
        if matches!(term.role, Role::Word | Role::Single | Role::Lone) && words.len() < MAX_WORDS {
            words.push(Word { text: term.text.to_owned(), position: term.position, capital: term.capital });
        }
    });
    words
}

fn sought(text: &str, stop: &[u32]) -> Vec<Sought> {
    let mut sought: Vec<Sought> = Vec::new();
    terms(text, &mut |term| {
        if term.role.in_best() && stop.binary_search(&term.position).is_err() && sought.len() < MAX_WORDS {
            if !sought.iter().any(|known| known.text == term.text) {
                sought.push(Sought {
                    text: term.text.to_owned(),
                    role: term.role,
                    position: term.position,
                    asks: false,
                });
            }
        } else if term.role == Role::Word && stop.binary_search(&term.position).is_err() && sought.len() < MAX_WORDS {
            // Typed without accents, it may mean a word that was written with them.
            let plain = format!("{PLAIN}{}", term.text);
            if term.text.chars().all(|c| class(c) == Class::Letter) && !sought.iter().any(|known| known.text == plain) {
                sought.push(Sought { text: plain, role: Role::Plain, position: term.position, asks: false });
            }
        }
    });
    sought
}

fn wants(words: &[Word]) -> Wants {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let kind = |at: usize| match (text(at), text(at + 1)) {
        ("when", _) | ("what" | "which", "date" | "day" | "month" | "year" | "time") => Some(Wants::Time),
        ("how", "long" | "recently") => Some(Wants::Time),
        ("how", "many" | "much" | "old" | "often") => Some(Wants::Number),
        ("who" | "where" | "whose" | "whom", _) => Some(Wants::Name),
        ("which", "city" | "country" | "state" | "book" | "movie" | "band") => Some(Wants::Name),
        _ => None,
    };
    (0..words.len()).find_map(kind).unwrap_or_default()
}

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
        ] {
            assert!(only_asks(text, query), "{text}");
        }
        for (text, query) in [
            ("My dog is called Rex", "What is my dog called?"),
            ("Did I tell you that my dog Rex is ill?", "What is my dog called?"),
            ("", "dog"),
        ] {
            assert!(!only_asks(text, query), "{text}");
        }
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
