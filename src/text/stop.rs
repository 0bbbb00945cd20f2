//! Words that carry no meaning of their own in a question. They are left out of queries, never out of the index.

/// Whether `word`, folded, is one of them: articles, pronouns, auxiliaries, question words.
pub(super) fn is_stop(word: &str) -> bool {
    let listed = |word: &str| STOP.binary_search(&word).is_ok();
    listed(word)
        || word.ends_with("n't")
        || word.split_once('\'').is_some_and(|(head, tail)| tail.len() <= 2 && listed(head))
}

/// Whether `word`, folded, asks for something to be told. Such words are hardly in what is told.
pub(super) fn is_asking(word: &str) -> bool {
    ASKING.binary_search(&word).is_ok()
}

/// Sorted.
const ASKING: &[&str] = &[
    "across",
    "chat",
    "conversation",
    "conversations",
    "different",
    "discuss",
    "discussed",
    "earlier",
    "give",
    "help",
    "item",
    "items",
    "list",
    "mention",
    "mentioned",
    "only",
    "order",
    "please",
    "previously",
    "provide",
    "said",
    "say",
    "show",
    "tell",
    "throughout",
    "told",
    "various",
];

/// Sorted. English, and the commonest of Vietnamese (in NFKD, as all text here) that are no words of English.
const STOP: &[&str] = &[
    "a",
    "about",
    "after",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "both",
    "but",
    "by",
    "can",
    "could",
    "co\u{301}",
    "cu\u{309}a",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "during",
    "each",
    "for",
    "from",
    "gi\u{300}",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "just",
    "la\u{300}",
    "many",
    "may",
    "me",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "myself",
    "na\u{300}o",
    "no",
    "nor",
    "not",
    "of",
    "on",
    "or",
    "other",
    "our",
    "ours",
    "out",
    "over",
    "own",
    "shall",
    "she",
    "should",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "up",
    "us",
    "va\u{300}",
    "very",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "you",
    "your",
    "yours",
    "đo\u{301}",
];

/// The text without the question words of Japanese and Chinese, which no space sets apart; a space takes their place.
pub(super) fn without_question_words(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some(first) = rest.chars().next() {
        match QUESTION.iter().find_map(|word| rest.strip_prefix(word)) {
            Some(tail) if !first.is_ascii() => {
                found = true;
                out.push(' ');
                rest = tail;
            }
            _ => {
                out.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or("");
            }
        }
    }
    found.then_some(out)
}

/// Longer ones first.
const QUESTION: &[&str] = &[
    "て\u{3099}しょうか",
    "と\u{3099}のよう",
    "何て\u{3099}すか",
    "て\u{3099}すか",
    "と\u{3099}んな",
    "ましたか",
    "いくつ",
    "いくら",
    "た\u{3099}れ",
    "と\u{3099}こ",
    "と\u{3099}の",
    "と\u{3099}れ",
    "なせ\u{3099}",
    "ますか",
    "为什么",
    "為什麼",
    "いつ",
    "为何",
    "什么",
    "什麼",
    "何时",
    "多少",
    "如何",
    "怎么",
    "怎麼",
    "何",
    "哪",
    "誰",
    "谁",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_knows_contractions() {
        assert!(STOP.is_sorted_by(|one, next| one < next));
        for word in ["what", "didn't", "they're", "i'm"] {
            assert!(is_stop(word), "{word}");
        }
        for word in ["paint", "o'clock", "việt"] {
            assert!(!is_stop(word), "{word}");
        }
    }
}
