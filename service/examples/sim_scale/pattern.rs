//! What tenants do: how many of them there are, how they talk, and how much they have already said. All of it is assumed,
//! and each assumption is a constant.

use crate::dice::Dice;

/// How many tenants there are, unless the command line says.
pub(crate) const TENANTS: usize = 1_000_000;
/// How many requests a run makes, about, unless the command line says.
pub(crate) const REQUESTS: usize = 2_500;
/// How many conversations a tenant has a day, on average.
const SESSIONS_A_DAY: f64 = 0.5;
/// The busiest hour against the average one.
const PEAK: f64 = 3.0;
/// How many turns a conversation has: the least, and how many may be added.
const TURNS: (usize, usize) = (2, 7);
/// How long a model takes to answer, and a person to write: medians in seconds, and one deviation for both.
const MODEL_S: f64 = 3.0;
const PERSON_S: f64 = 12.0;
const WAIT_SIGMA: f64 = 0.6;
/// How often a turn also searches, and how often it keeps a fact.
const SEARCHES: f64 = 0.3;
const ADDS: f64 = 0.4;
/// How many entries and messages a tenant has: log-normal, by its median and deviation.
const KEPT_MEDIAN: f64 = 120.0;
const KEPT_SIGMA: f64 = 1.3;
/// The sizes that are really made: 8, 16, … Those in between are the next smaller one, those above are the largest. In tests
/// few: what is tried there is not how long it takes to make them.
const SMALLEST: usize = 8;
const SIZES: usize = if cfg!(test) { 3 } else { 9 };
/// How long texts are, in words: a message, and a fact.
const MESSAGE_WORDS: f64 = 40.0;
const FACT_WORDS: f64 = 14.0;
const WORDS_SIGMA: f64 = 0.7;
/// How many words there are, and how much more often the frequent ones are said.
const VOCABULARY: usize = 8_000;

/// The kinds of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Append,
    Context,
    Search,
    Add,
}

/// One request, and how long nothing happens before it.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) wait_us: u64,
}

/// How many requests a second this many tenants make at their busiest.
pub(crate) fn rate(tenants: usize) -> f64 {
    tenants as f64 * SESSIONS_A_DAY * PEAK / 86_400.0 * steps_a_session()
}

/// How many requests a conversation has, on average.
pub(crate) fn steps_a_session() -> f64 {
    (TURNS.0 as f64 + (TURNS.1 - 1) as f64 / 2.0) * (3.0 + SEARCHES + ADDS)
}

/// A conversation.
pub(crate) fn session(dice: &Dice) -> Vec<Step> {
    let mut steps = Vec::new();
    for turn in 0..TURNS.0 + dice.below(TURNS.1) {
        let person = if turn == 0 { 0.0 } else { dice.log_normal(PERSON_S, WAIT_SIGMA) };
        let mut step = |kind, text: String, seconds: f64| {
            steps.push(Step { kind, text, wait_us: (seconds * 1e6) as u64 });
        };
        step(Kind::Append, text(dice, MESSAGE_WORDS), person);
        if dice.share() < SEARCHES {
            step(Kind::Search, text(dice, 3.0), 0.0);
        }
        step(Kind::Context, text(dice, 6.0), 0.0);
        step(Kind::Append, text(dice, MESSAGE_WORDS), dice.log_normal(MODEL_S, WAIT_SIGMA));
        if dice.share() < ADDS {
            step(Kind::Add, text(dice, FACT_WORDS), 0.0);
        }
    }
    steps
}

/// Which size a tenant's memory has: its number.
pub(crate) fn size(tenant: usize) -> usize {
    let kept = Dice::new(tenant as u64 ^ 0x5153).log_normal(KEPT_MEDIAN, KEPT_SIGMA);
    (0..SIZES).rev().find(|size| items(*size) as f64 <= kept).unwrap_or(0)
}

/// How many entries and messages a memory of a size has.
pub(crate) fn items(size: usize) -> usize {
    SMALLEST << size
}

/// What was said before: a fact, or a message.
pub(crate) fn said(dice: &Dice, fact: bool) -> String {
    text(dice, if fact { FACT_WORDS } else { MESSAGE_WORDS })
}

fn text(dice: &Dice, words: f64) -> String {
    let count = dice.log_normal(words, WORDS_SIGMA).clamp(1.0, 400.0) as usize;
    (0..count).map(|_| word(dice)).collect::<Vec<_>>().join(" ")
}

/// A word: the smaller its number, the more often it is said and the shorter it is.
fn word(dice: &Dice) -> String {
    const SOUNDS: [&str; 16] =
        ["ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ra", "se", "ti", "vo", "wu", "xa", "zen"];
    let mut number = (dice.share().powi(3) * VOCABULARY as f64) as usize;
    let mut word = String::new();
    loop {
        word.push_str(SOUNDS[number % SOUNDS.len()]);
        number /= SOUNDS.len();
        if number == 0 {
            return word;
        }
    }
}
