//! Extractive summary: the most important sentences, word for word and in order.
//!
//! Used when no language model summarises (X5). It invents nothing, and the same texts give the same summary
//! everywhere: it uses no logarithms, whose last digit differs between platforms.

use super::bare::bare;
use super::chars::{Class, class};
use super::markdown::{Blocks, Kind};
use super::marks::{CLOSING, is_full_stop};
use super::sentences::Sentences;
use super::stop::Telling;
use super::terms::terms;
use super::worth::{Place, Signs};
use crate::model::{sort, sorted};

/// The fixed cost of a sentence beside its tokens, so that very short ones are not preferred.
const OVERHEAD: f64 = 12.0;

/// The lowest score of a candidate sentence: below are greetings, thanks, fillers.
const LEAST: f64 = 0.2;

/// The most bytes of a speaker's name.
const SPEAKER: usize = 40;

/// The salient sentences of `texts`, which are the messages of a conversation or parts of a document, in order: one
/// line per text. At most `max_tokens` by `count`, and never longer than the texts on a line each. If there is enough
/// material, nearly all of the budget is used.
///
/// A sentence scores by its content (facts about people, decisions, rules, limits, corrections, open questions, names,
/// numbers, times), by words that no other has, and less for its length. One that repeats a chosen sentence is left
/// out; one that says something else about the same things is not. Code is skipped.
pub fn extract(texts: &[&str], max_tokens: u32, count: &dyn Fn(&str) -> u32) -> String {
    let mut sentences = collect(texts);
    weigh(&mut sentences);
    for sentence in &mut sentences {
        sentence.tokens = count(sentence.text) + if sentence.speaker.is_empty() { 0 } else { 2 };
    }
    let value = |at: usize| sentences.get(at).map_or(0.0, Sentence::value);
    let order = sorted(sentences.len(), &|one, other| value(other).total_cmp(&value(one)));
    let order: Vec<&Sentence<'_>> = order.into_iter().filter_map(|at| sentences.get(at)).collect();
    let material: Vec<&Sentence<'_>> = order.iter().copied().filter(|sentence| sentence.score >= LEAST).collect();

    let longest = texts.iter().map(|text| text.len() + 1).sum::<usize>().saturating_sub(1);
    let fits = |chosen: &[&Sentence<'_>]| {
        let joined = join(chosen);
        let tokens = count(&joined);
        (tokens <= max_tokens && joined.len() <= longest).then_some((joined, tokens))
    };
    let mut chosen: Vec<&Sentence<'_>> = Vec::new();
    let mut used = 0;
    for sentence in &material {
        if chosen.iter().any(|known| known.says(sentence)) {
            continue;
        }
        // A sentence that includes all of another replaces it.
        let lesser: u32 = chosen.iter().filter(|known| sentence.says(known)).map(|known| known.tokens).sum();
        if used - lesser + sentence.tokens <= max_tokens {
            chosen.retain(|known| !sentence.says(known));
            put(&mut chosen, sentence);
            used = used - lesser + sentence.tokens;
        }
    }
    // Token counts are not additive: the excess is removed, the least valuable first.
    let mut settled = fits(&chosen);
    while settled.is_none() && !chosen.is_empty() {
        let least = sorted(chosen.len(), &|one, other| chosen[one].value().total_cmp(&chosen[other].value()));
        least.first().map(|at| chosen.remove(*at));
        settled = fits(&chosen);
    }
    let (mut out, mut used) = settled.unwrap_or_default();
    // Token counts are rounded up: fill the rest with sentences that fit.
    for sentence in &material {
        let room = max_tokens.saturating_sub(used);
        let is_new = !chosen.iter().any(|known| known.order == sentence.order || known.says(sentence));
        if is_new && sentence.tokens <= room {
            put(&mut chosen, sentence);
            match fits(&chosen) {
                Some((joined, tokens)) => (out, used) = (joined, tokens),
                None => chosen.retain(|known| known.order != sentence.order),
            }
        }
    }
    if out.is_empty() {
        return shorten(order.first().map_or("", |best| best.text), max_tokens, count).to_owned();
    }
    out
}

/// Inserts a sentence in the order of the texts.
fn put<'s, 'a>(chosen: &mut Vec<&'s Sentence<'a>>, sentence: &'s Sentence<'a>) {
    let at = chosen.partition_point(|known| known.order < sentence.order);
    chosen.insert(at, sentence);
}

struct Sentence<'a> {
    text: &'a str,
    /// The speaker prefix of its text; empty for the first sentence, which contains it.
    speaker: &'a str,
    /// The index of its text.
    source: usize,
    /// Its index among all sentences.
    order: usize,
    /// Hashes of its content words, in order.
    terms: Vec<u32>,
    /// Whether it has a negation.
    negates: bool,
    /// The score of its content, then the total score.
    score: f64,
    tokens: u32,
}

impl Sentence<'_> {
    /// The score per cost.
    fn value(&self) -> f64 {
        self.score / (f64::from(self.tokens) + OVERHEAD)
    }

    /// Whether this sentence includes all of `other`: the same words in the same order, and the same negation. One
    /// different word is another fact: a number, a name, a thing.
    fn says(&self, other: &Sentence<'_>) -> bool {
        if other.terms.is_empty() || self.terms.is_empty() {
            return is_same(self.text, other.text);
        }
        let mut rest = self.terms.iter();
        self.negates == other.negates && other.terms.iter().all(|term| rest.any(|known| known == term))
    }
}

fn is_same(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| class(*c) != Class::Gap).filter_map(bare).collect::<String>();
    letters(one) == letters(other)
}

fn collect<'a>(texts: &[&'a str]) -> Vec<Sentence<'a>> {
    let mut sentences: Vec<Sentence<'a>> = Vec::new();
    let mut signs: Vec<(Signs, bool)> = Vec::new();
    for (source, text) in texts.iter().enumerate() {
        let (mut first, mut name) = (true, "");
        let blocks = Blocks::new(text).filter(|block| !matches!(block.kind, Kind::Code));
        for sentence in blocks.flat_map(|block| Sentences::new(text.get(block.range).unwrap_or(""))) {
            let sentence = sentence.trim();
            // A bare number means nothing beside other sentences; as a whole message it may be an answer.
            let bare = !first && sentence.chars().all(|c| matches!(class(c), Class::Gap | Class::Digit));
            if sentence.is_empty() || bare {
                continue;
            }
            let (speaker, said) = if first { named(sentence) } else { ("", sentence) };
            let (terms, found) = read(said);
            let (order, negates) = (sentences.len(), found.negates());
            let named = if first { "" } else { name };
            let sentence =
                Sentence { text: sentence, speaker: named, source, order, terms, negates, score: 0.0, tokens: 0 };
            sentences.push(sentence);
            if first {
                name = speaker;
            }
            signs.push((found, first));
            first = false;
        }
    }
    for (at, sentence) in sentences.iter_mut().enumerate() {
        let (found, first) = &signs[at];
        // The sentence after a question, unless it is a question too, counts as the answer.
        let place = Place {
            first: *first,
            answers: at > 0 && signs[at - 1].0.asks(),
            answered: signs.get(at + 1).is_some_and(|(next, _)| !next.asks()),
        };
        sentence.score = found.worth(place);
    }
    sentences
}

/// The speaker prefix with its colon, and the rest of the sentence.
pub(super) fn named(sentence: &str) -> (&str, &str) {
    let end = sentence.find(": ").filter(|end| *end <= SPEAKER).map_or(0, |end| end + 2);
    match sentence.split_at_checked(end) {
        Some((name, said)) if !name.trim_end().contains(char::is_whitespace) => (name, said),
        _ => ("", sentence),
    }
}

/// The content terms of a sentence, and its signals.
fn read(sentence: &str) -> (Vec<u32>, Signs) {
    let mut signs = Signs::of(sentence);
    let mut found = Vec::new();
    let mut telling = Telling::default();
    terms(sentence, &mut |term| {
        signs.see(&term);
        if telling.is_told(&term) {
            found.push(hash(term.text));
        }
    });
    (found, signs)
}

/// FNV-1a. A collision changes a score a little, and nothing else.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Multiplies the content score of a sentence by its uniqueness, so that repetitions are included once.
fn weigh(sentences: &mut [Sentence<'_>]) {
    let mut all: Vec<u32> = sentences.iter().flat_map(|sentence| sentence.terms.iter().copied()).collect();
    sort(&mut all, &mut u32::cmp);
    let times = |term: u32| {
        (all.partition_point(|known| *known <= term) - all.partition_point(|known| *known < term)).max(1) as f64
    };
    let total = sentences.len().max(1) as f64;
    for sentence in sentences {
        let own: f64 = sentence.terms.iter().map(|term| 1.0 / times(*term)).sum();
        // Of two equal ones the later is preferred: it may correct the other.
        let later = 0.2 * sentence.order as f64 / total;
        sentence.score = (1.0 + sentence.score + later).max(0.0) * (0.3 + own / (own + 2.0));
    }
}

/// Joins the sentences in order: one line per text, with spaces where the script has them.
fn join(chosen: &[&Sentence<'_>]) -> String {
    let mut out = String::new();
    let mut before: Option<&Sentence<'_>> = None;
    for sentence in chosen {
        match before {
            Some(last) if last.source != sentence.source => out.push('\n'),
            Some(last) if !last.text.trim_end_matches(CLOSING).ends_with(is_full_stop) => out.push(' '),
            _ => {}
        }
        // A line begins with its speaker, whichever sentence comes first.
        if before.is_none_or(|last| last.source != sentence.source) {
            out.push_str(sentence.speaker);
        }
        out.push_str(sentence.text);
        before = Some(sentence);
    }
    out
}

/// The longest prefix of `text` with at most `max` tokens, cut at the end of a word if possible.
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
        assert!(summary.contains("来週の会議は3月5日に決まりました。"), "{summary}");
        assert!(summary.contains("資料は月曜日までに送ります。") && !summary.contains("おはよう"), "{summary}");
        let vietnamese =
            ["Chào bạn nhé!", "Chúng tôi quyết định họp ở Huế ngày 5 tháng 3. Trời đẹp quá.", "Ừ, hay đấy."];
        let summary = extract(&vietnamese, 25, &count_tokens);
        assert!(summary.starts_with("Chúng tôi quyết định họp ở Huế ngày 5 tháng 3."), "{summary}");
        assert!(!summary.contains("Chào"), "{summary}");
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
        assert_eq!(extract(&["ok", "ok", "ok"], 100, &count_tokens), "ok");
    }

    #[test]
    fn x5_what_differs_in_one_word_is_another_fact_and_is_kept() {
        for pair in [
            ["Lan is allergic to nuts.", "Lan is not allergic to nuts."],
            ["The meeting is on 5 May.", "The meeting is on 6 May."],
            ["Ann pays Bob.", "Bob pays Ann."],
            ["She drinks tea with lemon juice.", "She drinks tea with orange juice."],
            ["他住在海淀区。", "他住在朝阳区。"],
            ["Tôi sống ở Hà Nội.", "Tôi sống ở Sài Gòn."],
        ] {
            assert_eq!(extract(&pair, 100, &count_tokens), pair.join("\n"));
        }
    }

    #[test]
    fn x5_the_budget_is_used_and_lines_tell_who_speaks() {
        let texts: Vec<String> = (0..60)
            .map(|at| format!("user: That is how it went. House {at} of the street was sold to family number {at}."))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for max in [40, 120, 240, 600] {
            let summary = extract(&texts, max, &count_tokens);
            let tokens = count_tokens(&summary);
            assert!(tokens <= max && tokens * 100 >= max * 85, "{tokens} of {max}");
            assert!(summary.lines().all(|line| line.starts_with("user: ")), "{summary}");
        }
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
