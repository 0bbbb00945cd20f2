//! What a character is to the search: part of a word, of a script without spaces, a picture, or nothing.

/// How a character takes part in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// White space, punctuation, anything that ends a word.
    Gap,
    /// A letter of a script that writes spaces.
    Letter,
    /// A digit.
    Digit,
    /// Belongs to the character before it: a combining mark or something invisible.
    Mark,
    /// Han, kana, bopomofo: read by ones and twos.
    Cjk,
    /// Thai, Lao, Khmer, Myanmar: read by twos and threes.
    Unspaced,
    /// An emoji or a dingbat.
    Picture,
}

/// The class of `c`. Blocks stand for scripts: their few punctuation marks are named, unassigned places do not matter.
pub(super) fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            _ => Class::Gap,
        };
    }
    match c as u32 {
        0x00AD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0xFE00..=0xFE0F | 0xFEFF => Class::Mark,
        0xE0000..=0xE01EF => Class::Mark,
        // Where NFKD splits a kana, its voicing mark follows it.
        0x3099 | 0x309A => Class::Mark,
        0x30A0 | 0x30FB => Class::Gap,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x3038..=0x312F => Class::Cjk,
        0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF => Class::Cjk,
        0x1B000..=0x1B16F | 0x20000..=0x323AF => Class::Cjk,
        0x0E3F | 0x0E4F | 0x0E5A | 0x0E5B | 0x104A..=0x104F | 0x17D4..=0x17DB => Class::Gap,
        0x0E31 | 0x0E34..=0x0E3A | 0x0E47..=0x0E4E | 0x0EB1 | 0x0EB4..=0x0EBC | 0x0EC8..=0x0ECE => Class::Mark,
        0x102B..=0x103E | 0x1056..=0x1059 | 0x105E..=0x1060 | 0x17B4..=0x17D3 | 0x17DD => Class::Mark,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => Class::Unspaced,
        0x2190..=0x21FF | 0x2300..=0x23FF | 0x25A0..=0x27BF | 0x2B00..=0x2BFF | 0x1F000..=0x1FAFF => Class::Picture,
        _ if is_mark(c) => Class::Mark,
        _ if c.is_alphabetic() => Class::Letter,
        _ if c.is_numeric() => Class::Digit,
        _ => Class::Gap,
    }
}

/// The marks that a reader may leave out and still be understood: accents, tones, breathings.
pub(super) fn is_accent(c: char) -> bool {
    matches!(c as u32, 0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF)
}

/// Marks that standard tables call letters are letters here too; these are the others, and the accents.
fn is_mark(c: char) -> bool {
    is_accent(c)
        || is_silent(c)
        || matches!(c as u32,
            0x0483..=0x0489 | 0x0711 | 0x0730..=0x074A | 0x07A6..=0x07B0 | 0x07EB..=0x07F3 | 0x0816..=0x082D
            | 0x0859..=0x085B | 0x0898..=0x08FF | 0x0F18 | 0x0F19 | 0x0F35 | 0x0F37 | 0x0F39 | 0x0F71..=0x0F84
            | 0x1DA0..=0x1DBF | 0xA66F..=0xA67D | 0xA802..=0xA82C | 0xA8E0..=0xA8F1 | 0xFE20..=0xFE2F)
        // The signs of the scripts of India sit at the same places of each block.
        || (matches!(c as u32, 0x0900..=0x0DFF)
            && matches!(c as u32 & 0x7F, 0x00..=0x03 | 0x3C | 0x3E..=0x4F | 0x51..=0x57 | 0x62 | 0x63)
            && !c.is_numeric())
}

/// What Arabic and Hebrew readers do without: vowel points, the stretching stroke.
pub(super) fn is_silent(c: char) -> bool {
    matches!(c as u32,
        0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C7 | 0x0610..=0x061A | 0x0640 | 0x064B..=0x065F | 0x0670
        | 0x06D6..=0x06DC | 0x06DF..=0x06E8 | 0x06EA..=0x06ED)
}

/// Whether a pictograph only colours or joins those around it.
pub(super) fn is_modifier(c: char) -> bool {
    matches!(c as u32, 0x1F3FB..=0x1F3FF)
}

/// Whether it is half of a flag.
pub(super) fn is_flag_half(c: char) -> bool {
    matches!(c as u32, 0x1F1E6..=0x1F1FF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_apart() {
        for (text, expected) in [
            ("aßđжعא한हक", Class::Letter),
            ("7٣", Class::Digit),
            ("\u{301}\u{200d}\u{fe0f}\u{3099}\u{94d}\u{64e}\u{5b4}", Class::Mark),
            ("日本カなー々", Class::Cjk),
            ("ไทยລາວខ្មែရ", Class::Unspaced),
            ("🎉☀❤", Class::Picture),
            (" .,、。・！¿\u{0}\u{7f}", Class::Gap),
        ] {
            for c in text.chars().filter(|c| expected == Class::Mark || class(*c) != Class::Mark) {
                assert_eq!(class(c), expected, "{c:?}");
            }
        }
    }
}
