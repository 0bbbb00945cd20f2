//! Interned strings: the vocabulary, and names such as tags and sessions.

/// Strings by number, numbers by string. The hash table is our own, so that its order never depends on a random seed.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    text: String,
    /// The end of each string in `text`.
    ends: Vec<u32>,
    /// A hash table of numbers plus one, with linear probing; its size is a power of two.
    table: Vec<u32>,
}

/// FNV-1a, with the high bits mixed in because the table uses the low ones.
fn hash(text: &str) -> usize {
    let hash = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)) as usize
}

impl Strings {
    /// The number of strings.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The range of a string; empty if it does not exist.
    fn place_of(&self, number: u32) -> std::ops::Range<usize> {
        let at = number as usize;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize);
        start..self.ends.get(at).map_or(start, |end| *end as usize)
    }

    /// The string with a number; empty if it does not exist.
    pub(super) fn get(&self, number: u32) -> &str {
        self.text.get(self.place_of(number)).unwrap_or("")
    }

    /// The number of a string, if it exists.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let mask = self.table.len().checked_sub(1)?;
        let mut place = hash(text) & mask;
        while let Some(number) = self.table[place].checked_sub(1) {
            // Compared as bytes: most of the time of opening is spent here.
            if self.text.as_bytes().get(self.place_of(number)) == Some(text.as_bytes()) {
                return Some(number);
            }
            place = (place + 1) & mask;
        }
        None
    }

    /// The number of a string, which is added if it is new.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.find(text) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        if self.ends.len() * 4 > self.table.len() * 3 {
            self.table = vec![0; (self.ends.len() * 2).next_power_of_two().max(16)];
            for number in 0..=number {
                self.place(number);
            }
        } else {
            self.place(number);
        }
        number
    }

    fn place(&mut self, number: u32) {
        let mask = self.table.len() - 1;
        let mut place = hash(self.get(number)) & mask;
        while self.table[place] != 0 {
            place = (place + 1) & mask;
        }
        self.table[place] = number + 1;
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + (self.ends.capacity() + self.table.capacity()) * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_numbers() {
        let mut strings = Strings::default();
        assert_eq!(strings.find("a"), None);
        let numbers: Vec<u32> = (0..1000).map(|n| strings.intern(&format!("text {n}"))).collect();
        assert_eq!(numbers, (0..1000).collect::<Vec<u32>>());
        assert_eq!(strings.intern("text 7"), 7);
        assert_eq!(strings.find("text 999"), Some(999));
        assert_eq!(strings.find(""), None);
        assert_eq!(strings.intern(""), 1000);
        assert_eq!((strings.get(8), strings.get(1000), strings.get(5000)), ("text 8", "", ""));
    }
}
