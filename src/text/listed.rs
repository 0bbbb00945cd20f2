//! Word lists in one string: smaller than an array of strings, and as fast once it is parsed.

use crate::model::sorted;
use std::sync::OnceLock;

/// Words separated by spaces, each with an optional value: `march:3`.
pub(crate) struct Listed {
    text: &'static str,
    /// The words and their values, sorted; parsed on first use.
    words: OnceLock<Vec<(&'static str, &'static str)>>,
}

impl Listed {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self { text, words: OnceLock::new() }
    }

    /// The value of `word`, if it is in the list; empty if it has none.
    pub(crate) fn find(&self, word: &str) -> Option<&'static str> {
        let words = self.words.get_or_init(|| {
            let words: Vec<_> = self.text.split(' ').map(|word| word.split_once(':').unwrap_or((word, ""))).collect();
            let places = sorted(words.len(), &|one, other| words[one].0.cmp(words[other].0));
            places.into_iter().map(|place| words[place]).collect()
        });
        let at = words.binary_search_by(|(known, _)| (*known).cmp(word)).ok()?;
        words.get(at).map(|(_, value)| *value)
    }

    /// Whether `word` is in the list.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.find(word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_in_any_order() {
        static WORDS: Listed = Listed::new("pear apple:malus được fig:4");
        let found = ["apple", "fig", "pear", "được"].map(|word| WORDS.find(word));
        assert_eq!(found, [Some("malus"), Some("4"), Some(""), Some("")]);
        for word in ["", "app", "apples", "apple:malus", "pear apple", "zebra"] {
            assert!(!WORDS.has(word), "{word}");
        }
    }
}
