//! All cues of a pack in one sorted table, so that a text is searched for all of them at once.

use crate::model::sorted;

/// No key.
const NONE: u16 = u16::MAX;

/// One spelling, with the longest other key that it begins with, and the cues that it is a part of.
#[derive(Clone, Debug)]
struct Key {
    text: Box<str>,
    shorter: u16,
    parts: Vec<Part>,
}

/// A part of a cue: `moved+to` has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The number of the cue.
    pub(super) cue: u16,
    /// Which part of it.
    pub(super) at: u8,
    /// Whether a word may go on after it.
    pub(super) is_prefix: bool,
}

/// Spellings in order. A key that a text begins with is at or below the text in this order, and every such key is a
/// beginning of the last one: one binary search and a walk over `shorter` find them all.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Vec<Key>);

impl Keys {
    /// The table of these spellings.
    pub(super) fn new(list: Vec<(Box<str>, Part)>) -> Self {
        let text = |at: usize| list.get(at).map(|(text, _)| text);
        let order = sorted(list.len(), &|one, other| text(one).cmp(&text(other)));
        let mut keys: Vec<Key> = Vec::new();
        for (text, part) in order.into_iter().filter_map(|at| list.get(at)) {
            if let Some(last) = keys.last_mut().filter(|last| last.text == *text) {
                last.parts.push(*part);
                continue;
            }
            let mut shorter = keys.len().checked_sub(1);
            while let Some(key) = shorter.and_then(|at| keys.get(at)) {
                if text.starts_with(&*key.text) {
                    break;
                }
                shorter = Some(usize::from(key.shorter)).filter(|_| key.shorter != NONE);
            }
            let shorter = shorter.and_then(|at| u16::try_from(at).ok()).unwrap_or(NONE);
            keys.push(Key { text: text.clone(), shorter, parts: vec![*part] });
        }
        Self(keys)
    }

    /// Calls `found` with each part that `rest` begins with, and its length in bytes.
    pub(super) fn at(&self, rest: &str, found: &mut dyn FnMut(Part, usize)) {
        let mut at = self.0.partition_point(|key| *key.text <= *rest).checked_sub(1);
        while let Some(key) = at.and_then(|at| self.0.get(at)) {
            if rest.as_bytes().starts_with(key.text.as_bytes()) {
                for part in &key.parts {
                    found(*part, key.text.len());
                }
            }
            at = Some(usize::from(key.shorter)).filter(|_| key.shorter != NONE);
        }
    }

    /// Whether it has no keys.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_a_text_begins_with_is_found() {
        let all = ["a", "ab", "abd", "abc", "b", "ba", "ac", "abcde"];
        let part = |cue| Part { cue, at: 0, is_prefix: false };
        let keys = Keys::new(all.iter().zip(0..).map(|(text, cue)| (Box::from(*text), part(cue))).collect());
        for text in ["abcd", "abcde", "ad", "b", "bb", "c", "", "abdx", "a"] {
            let mut found = Vec::new();
            keys.at(text, &mut |part, len| found.push((usize::from(part.cue), len)));
            found.sort_unstable();
            let mut expected: Vec<_> = all
                .iter()
                .enumerate()
                .filter(|(_, key)| text.starts_with(**key))
                .map(|(at, key)| (at, key.len()))
                .collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
    }
}
