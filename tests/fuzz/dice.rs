//! Random numbers that follow from a seed, and what they do to bytes and JSON.

use serde_json::{Value, json};

/// Randomness of one input.
pub(crate) struct Dice(u64);

/// Texts that programs trip over.
const ODD: [&str; 26] = [
    "",
    " ",
    ".",
    "..",
    "/",
    "\\",
    ":",
    "%2e%2e",
    "\u{0}",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "\u{e0041}",
    "e\u{301}",
    "é",
    "ﬁ",
    "İ",
    "ß",
    "👩‍🚀",
    "日本語",
    "việt",
    "__proto__",
    "</memory>",
    "system:",
    "```",
    "-0",
];

/// Numbers at the edges of what a field can take.
const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "1e308",
    "1e400",
    "-1e400",
    "1e-400",
    "9007199254740993",
    "18446744073709551616",
    "4294967296",
    "1.5",
    "65536",
    "1e9",
    "253402300800000",
];

impl Dice {
    pub(crate) fn new(target: &str, input: u64) -> Self {
        let name = target
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(name ^ input.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// SplitMix64.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below `limit`; 0 if that is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn chance(&mut self, in_so_many: usize) -> bool {
        self.below(in_so_many) == 0
    }

    pub(crate) fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub(crate) fn bytes(&mut self, limit: usize) -> Vec<u8> {
        (0..self.below(limit)).map(|_| self.next() as u8).collect()
    }

    pub(crate) fn odd(&mut self) -> &'static str {
        self.choose::<&str>(&ODD)
    }

    /// A few odd texts and letters in a row.
    pub(crate) fn word(&mut self) -> String {
        (0..1 + self.below(3))
            .map(|_| if self.chance(2) { self.odd() } else { *self.choose(&["a", "b", "ab"]) })
            .collect()
    }

    /// What happens to bytes on disks and in wires: bits flip, pieces go, come twice, change places, lengths lie.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..1 + self.below(4) {
            let (at, other) = (self.below(bytes.len()), self.below(bytes.len()));
            let (low, high) = (at.min(other), at.max(other));
            match self.below(10) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(low..high)),
                2 => {
                    let piece = bytes[low..high.min(low + 64)].to_vec();
                    bytes.splice(at..at, piece);
                }
                3 => bytes.insert(at.min(bytes.len()), self.next() as u8),
                4 if !bytes.is_empty() => bytes.swap(at, other),
                5 if !bytes.is_empty() => bytes[at] = *self.choose(&[0, 1, 0x7f, 0x80, 0xff]),
                6 => {
                    // A number that says more than there is.
                    for byte in bytes.iter_mut().skip(at).take(4) {
                        *byte = 0xff;
                    }
                }
                7 => bytes.extend(self.bytes(16)),
                _ if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                _ => {}
            }
        }
    }

    fn number(&mut self) -> Value {
        serde_json::from_str(self.choose::<&str>(&NUMBERS)).unwrap_or(Value::Null)
    }

    fn any(&mut self) -> Value {
        match self.below(9) {
            0 => Value::Null,
            1 => json!(self.chance(2)),
            2 | 3 => self.number(),
            4 => json!([]),
            5 => json!({}),
            6 => json!([self.word(), self.number()]),
            7 => json!({ self.word(): self.word() }),
            _ => json!(self.word()),
        }
    }

    /// A value made of `value`: fields gone, doubled under another name, of another type, with odd texts.
    pub(crate) fn twist(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() && !self.chance(8) => {
                let name = fields.keys().nth(self.below(fields.len())).cloned().unwrap_or_default();
                match self.below(8) {
                    0 => drop(fields.remove(&name)),
                    1 => drop(fields.insert(self.word(), self.any())),
                    2 => {
                        let moved = fields.remove(&name).unwrap_or_default();
                        fields.insert(self.word(), moved);
                    }
                    _ => fields.get_mut(&name).into_iter().for_each(|inner| self.twist(inner)),
                }
            }
            Value::Array(items) if !items.is_empty() && !self.chance(8) => {
                let at = self.below(items.len());
                match self.below(6) {
                    0 => drop(items.remove(at)),
                    1 => items.push(items[at].clone()),
                    _ => self.twist(&mut items[at]),
                }
            }
            Value::String(text) if self.chance(2) => {
                let odd = self.odd();
                let at = text.char_indices().map(|(at, _)| at).nth(self.below(text.chars().count())).unwrap_or(0);
                text.insert_str(at, odd);
            }
            _ => *value = self.any(),
        }
    }
}
