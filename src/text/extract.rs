//! A summary made of what was said: the sentences that matter most, word for word and in their order.
//!
//! This is what stands in where no language model summarises (X5). It invents nothing, and the same texts give the same
//! summary everywhere: there are no logarithms here, whose last digit differs between platforms.

use super::bare::bare;
use super::chars::{Class, class};
use super::cues::Cues;
use super::markdown::{Blocks, Kind};
use super::sentences::Sentences;
use super::stop::is_stop;
use super::terms::{Role, terms};
use super::traits::Traits;
use crate::model::{sort, sorted};

/// The share of the best sentence's score that any other needs.
const FLOOR: f64 = 0.35;

/// The salient sentences of `texts`, which are the messages of a conversation or parts of a document, in order: those of
/// one text on one line. At most `max_tokens` by `count`, and never longer than the texts on a line each.
///
/// A sentence counts for its words — those that come back but are not everywhere —, for names, numbers, times and turns
/// of phrase that decide or prefer, at the start of a text, and as the answer to a question. One that says what a chosen
/// one already says is left out. Code is not read.
pub fn extract(texts: &[&str], max_tokens: u32, count: &dyn Fn(&str) -> u32) -> String {
    let mut sentences = collect(texts);
    weigh(&mut sentences);
    let score = |at: usize| sentences.get(at).map_or(0.0, |sentence| sentence.score);
    let order = sorted(sentences.len(), &|one, other| score(other).total_cmp(&score(one)));

    let longest = texts.iter().map(|text| text.len() + 1).sum::<usize>().saturating_sub(1);
    // What is far below the best is not worth its place, even if there is room.
    let floor = order.first().map_or(0.0, |best| score(*best) * FLOOR);
    let mut chosen: Vec<&Sentence<'_>> = Vec::new();
    let mut out = String::new();
    let mut used = 0;
    for sentence in order.iter().filter_map(|at| sentences.get(*at)).take_while(|sentence| sentence.score >= floor) {
        // Counts add up to within one: most that cannot fit need not be tried.
        let fits = used + count(sentence.text) <= max_tokens.saturating_add(1);
        if !fits || chosen.iter().any(|known| known.says(sentence)) {
            continue;
        }
        let at = chosen.partition_point(|known| known.order < sentence.order);
        chosen.insert(at, sentence);
        let joined = join(&chosen);
        let tokens = count(&joined);
        if tokens <= max_tokens && joined.len() <= longest {
            (out, used) = (joined, tokens);
        } else {
            chosen.remove(at);
        }
    }
    if out.is_empty() {
        let best = order.first().and_then(|at| sentences.get(*at)).map_or("", |sentence| sentence.text);
        return shorten(best, max_tokens, count).to_owned();
    }
    out
}

struct Sentence<'a> {
    text: &'a str,
    /// Which of the texts it is from.
    source: usize,
    /// Which sentence of all it is.
    order: usize,
    /// Hashes of its terms, sorted, each once.
    terms: Vec<u32>,
    /// First what it is besides its words, then all that it counts for.
    score: f64,
}

impl Sentence<'_> {
    /// Whether `other` says hardly anything that this one does not.
    fn says(&self, other: &Self) -> bool {
        let shared = other.terms.iter().filter(|term| self.terms.binary_search(term).is_ok()).count();
        shared * 5 >= other.terms.len() * 4 && (shared > 0 || is_same(self.text, other.text))
    }
}

fn is_same(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| class(*c) != Class::Gap).filter_map(bare).collect::<String>();
    letters(one) == letters(other)
}

fn collect<'a>(texts: &[&'a str]) -> Vec<Sentence<'a>> {
    let mut sentences: Vec<Sentence<'a>> = Vec::new();
    let mut asked = false;
    for (source, text) in texts.iter().enumerate() {
        let mut first = true;
        let answers = asked;
        let blocks = Blocks::new(text).filter(|block| !matches!(block.kind, Kind::Code));
        for sentence in blocks.flat_map(|block| Sentences::new(text.get(block.range).unwrap_or(""))) {
            let sentence = sentence.trim();
            if sentence.is_empty() {
                continue;
            }
            let (terms, traits) = read(sentence);
            let cues = Cues::of(sentence);
            let yes = |flag: bool, worth: f64| if flag { worth } else { 0.0 };
            let worth = 1.0
                + yes(cues.strong, 0.8)
                + yes(cues.weak, 0.3)
                + yes(traits.has_number(), 0.3)
                + yes(traits.has_name(), 0.3)
                + yes(cues.time || traits.has_time(), 0.2)
                + yes(first, 0.2)
                + yes(first && answers, 0.5)
                + yes(source == 0 || source + 1 == texts.len(), 0.1)
                - yes(cues.asks, 0.6)
                - yes(cues.small_talk, 0.9);
            let order = sentences.len();
            sentences.push(Sentence { text: sentence, source, order, terms, score: worth.max(0.0) });
            asked = cues.asks;
            first = false;
        }
    }
    sentences
}

/// The terms of a sentence that carry meaning, as hashes, and what kind of sentence they make it.
fn read(sentence: &str) -> (Vec<u32>, Traits) {
    let mut traits = Traits::of(sentence);
    let mut found = Vec::new();
    let mut stop = false;
    terms(sentence, &mut |term| {
        traits.see(&term);
        let wanted = match term.role {
            Role::Word => {
                stop = is_stop(term.text);
                false
            }
            Role::Stem => !stop,
            // Pairs of hiragana are mostly grammar.
            Role::Pair => !term.text.chars().all(|c| matches!(c, 'ぁ'..='ゟ')),
            Role::Lone | Role::Inner | Role::Picture => true,
            Role::Plain | Role::Part | Role::Single => false,
        };
        if wanted {
            found.push(hash(term.text));
        }
    });
    sort(&mut found, &mut u32::cmp);
    found.dedup();
    (found, traits)
}

/// FNV-1a. Two words that meet by chance change a score a little, and nothing else.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Multiplies what a sentence is with what its words are worth.
fn weigh(sentences: &mut [Sentence<'_>]) {
    let mut all: Vec<u32> = sentences.iter().flat_map(|sentence| sentence.terms.iter().copied()).collect();
    sort(&mut all, &mut u32::cmp);
    let total = sentences.len() as f64;
    // A word that comes back is what the talk is about; one that is in every third sentence says little.
    let weight = |term: u32| {
        let count = (all.partition_point(|known| *known <= term) - all.partition_point(|known| *known < term)) as f64;
        let share = 3.0 * count / total.max(9.0);
        count.sqrt() / (1.0 + share * share)
    };
    for sentence in sentences {
        let sum: f64 = sentence.terms.iter().map(|term| weight(*term)).sum();
        // Between the sum, which likes long sentences, and the mean, which likes short ones.
        sentence.score *= sum / (sentence.terms.len() as f64 + 3.0).sqrt();
    }
}

/// The sentences in order: those of one text on one line, with a space between them where the script writes one.
fn join(chosen: &[&Sentence<'_>]) -> String {
    let mut out = String::new();
    let mut before: Option<&Sentence<'_>> = None;
    for sentence in chosen {
        match before {
            Some(last) if last.source != sentence.source => out.push('\n'),
            Some(last) if !last.text.ends_with(['。', '！', '？']) => out.push(' '),
            _ => {}
        }
        out.push_str(sentence.text);
        before = Some(sentence);
    }
    out
}

/// The beginning of `text` that has at most `max` tokens, to the end of a word if there is one.
fn shorten<'a>(text: &'a str, max: u32, count: &dyn Fn(&str) -> u32) -> &'a str {
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = text.floor_char_boundary((low + high).div_ceil(2));
        let fits = middle > low && text.get(..middle).is_some_and(|head| count(head) <= max);
        if fits {
            low = middle;
        } else {
            high = if middle > low { middle - 1 } else { low };
        }
    }
    let head = text.get(..text.floor_char_boundary(low)).unwrap_or("");
    let words = head.rsplit_once(char::is_whitespace).map_or(head, |(words, _)| words.trim_end());
    if head.len() == text.len() || words.is_empty() { head } else { words }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::count_tokens;
    use super::*;

    const TALK: [&str; 8] = [
        "Hi! How are you today?",
        "Fine, thanks. I'm planning the garden party for my daughter.",
        "Lovely. How many guests do you expect?",
        "About thirty. The party is on 14 June, and my budget is 400 euros.",
        "Should we rent a tent, in case it rains?",
        "Yes. We decided to rent the white tent from Miller's. The tent costs 120 euros.",
        "Great, great. The weather was nice yesterday.",
        "Indeed it was. One more thing: two of the guests are allergic to nuts.",
    ];

    #[test]
    fn x5_the_summary_holds_what_matters_in_its_order() {
        let summary = extract(&TALK, 60, &count_tokens);
        let mut last = 0;
        for wanted in ["14 June", "400 euros", "white tent", "allergic to nuts"] {
            let at = summary.find(wanted).unwrap_or_else(|| panic!("{wanted} is not in {summary:?}"));
            assert!(at > last);
            last = at;
        }
        for small in ["How are you", "Great, great", "weather"] {
            assert!(!summary.contains(small), "{summary:?}");
        }
    }

    #[test]
    fn x5_other_languages_are_summarised_too() {
        let japanese = [
            "おはようございます。",
            "来週の会議は3月5日に決まりました。いい天気ですね。",
            "了解です。資料は月曜日までに送ります。",
        ];
        let summary = extract(&japanese, 40, &count_tokens);
        assert_eq!(summary, "来週の会議は3月5日に決まりました。\n資料は月曜日までに送ります。");
        let vietnamese =
            ["Chào bạn nhé!", "Chúng tôi quyết định họp ở Huế ngày 5 tháng 3. Trời đẹp quá.", "Ừ, hay đấy."];
        assert_eq!(extract(&vietnamese, 25, &count_tokens), "Chúng tôi quyết định họp ở Huế ngày 5 tháng 3.");
    }

    #[test]
    fn x5_nothing_is_said_twice() {
        let texts = [
            "The server runs in Frankfurt.",
            "As I said: the server runs in Frankfurt!",
            "THE SERVER RUNS IN FRANKFURT",
        ];
        assert_eq!(
            extract(&texts, 100, &count_tokens).matches("rankfurt").count()
                + extract(&texts, 100, &count_tokens).matches("RANKFURT").count(),
            1
        );
        assert_eq!(extract(&["ok", "ok", "OK!"], 100, &count_tokens), "ok");
    }

    #[test]
    fn x5_the_limits_hold_for_any_texts() {
        let pieces = [
            "ok ",
            "I must go. ",
            "日本語です。",
            "\n",
            "```\ncode\n```\n",
            "# h\n",
            "Tôi thích trà. ",
            "? ",
            "12 ",
            "x",
            "ไทย",
            "🎉",
            "the ",
            "\u{301}",
            "- a\n",
            "We decided on 5 May. ",
            "veryverylongwordwithoutanyspaces",
        ];
        let mut state = 11_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..1_000 {
            let texts: Vec<String> =
                (0..next(6)).map(|_| (0..next(12)).map(|_| pieces[next(pieces.len())]).collect()).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let max = next(40) as u32;
            let summary = extract(&texts, max, &count_tokens);
            assert!(count_tokens(&summary) <= max, "{summary:?} has more than {max} tokens");
            assert!(summary.len() <= texts.join("\n").len());
            assert_eq!(summary, extract(&texts, max, &count_tokens));
        }
    }

    #[test]
    fn x5_a_sentence_that_is_too_long_is_cut_at_a_word() {
        let text = "There is one very long sentence here and nothing else that would fit into so few tokens";
        let summary = extract(&[text], 6, &count_tokens);
        assert!(text.starts_with(&format!("{summary} ")) && summary.len() > 10, "{summary:?}");
        assert_eq!(extract(&[text], 0, &count_tokens), "");
        assert_eq!(extract(&[], 10, &count_tokens), "");
    }
}
