//! Keys: length-prefixed parts, so that no part can reach into another (S6), compared as bytes.

/// A key, or a prefix of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Vec<u8>);

impl Key {
    /// A key from bytes that a store returned.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// This key and one more part: two bytes of length, then the part.
    ///
    /// # Panics
    /// If the part is longer than 65,535 bytes. Ids are far shorter.
    #[must_use]
    pub fn part(mut self, part: &[u8]) -> Self {
        assert!(part.len() <= usize::from(u16::MAX), "key parts are checked when ids are made");
        self.0.extend((part.len() as u16).to_be_bytes());
        self.0.extend(part);
        self
    }

    /// This key and a number, in numeric order.
    #[must_use]
    pub fn number(mut self, number: u64) -> Self {
        self.0.extend(number.to_be_bytes());
        self
    }

    /// This key with `rest` appended.
    #[must_use]
    pub fn join(mut self, rest: &[u8]) -> Self {
        self.0.extend(rest);
        self
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Keys from `start` up to, but not including, `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key that may be in the range.
    pub start: Key,
    /// The first key after the range; `None` if it has no end.
    pub end: Option<Key>,
}

impl KeyRange {
    /// Every key that begins with `prefix`.
    pub fn prefix(prefix: Key) -> Self {
        let mut end = prefix.0.clone();
        while end.pop_if(|byte| *byte == u8::MAX).is_some() {}
        let end = end.pop().map(|last| {
            end.push(last + 1);
            Key(end)
        });
        Self { start: prefix, end }
    }

    /// The part of this range from `start` on.
    #[must_use]
    pub fn from(&self, start: Key) -> Self {
        Self { start: start.max(self.start.clone()), end: self.end.clone() }
    }

    /// Whether no key can be in it.
    pub fn is_empty(&self) -> bool {
        self.end.as_ref().is_some_and(|end| *end <= self.start)
    }

    /// Whether `key` is in it.
    pub fn contains(&self, key: &Key) -> bool {
        *key >= self.start && self.end.as_ref().is_none_or(|end| key < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> Key {
        parts.iter().fold(Key::default(), |key, part| key.part(part.as_bytes()))
    }

    #[test]
    fn s6_no_id_reaches_into_another() {
        let tricky = ["", "a", "a:b", "b", ":", "user1", "user10", "%", "_", "\\", "\u{0}", "\u{ff}", "🙂"];
        for user in tricky {
            let own = KeyRange::prefix(key(&[user]));
            for other in tricky {
                for id in tricky {
                    assert_eq!(own.contains(&key(&[other, id])), user == other, "{user:?} and {other:?}/{id:?}");
                }
            }
        }
        assert_ne!(key(&["a:b", "c"]), key(&["a", "b:c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
    }

    #[test]
    fn a_prefix_range_ends_where_the_prefix_does() {
        let range = KeyRange::prefix(Key(vec![1, 255, 255]));
        assert_eq!(range.end, Some(Key(vec![2])));
        assert_eq!(KeyRange::prefix(Key(vec![255])).end, None);
        assert_eq!(KeyRange::prefix(Key::default()).end, None);
        assert!(range.contains(&Key(vec![1, 255, 255, 255, 255])));
        assert!(!range.contains(&Key(vec![2])));
    }

    #[test]
    fn numbers_order_as_numbers() {
        let numbered: Vec<Key> = [0, 1, 255, 256, u64::MAX].map(|n| Key::default().number(n)).to_vec();
        assert!(numbered.is_sorted());
    }
}
