//! Character classes for search: letters, scripts without spaces, pictographs, gaps.

/// The class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// White space, punctuation, anything that ends a word.
    Gap,
    /// A letter of a script that writes spaces.
    Letter,
    /// A digit.
    Digit,
    /// Attached to the previous character: a combining mark or something invisible.
    Mark,
    /// Han, kana, bopomofo: read as single characters and bigrams.
    Cjk,
    /// Thai, Lao, Khmer, Myanmar: read as bigrams and trigrams.
    Unspaced,
    /// An emoji or a dingbat.
    Picture,
}

/// The class of `c`, by Unicode block: the few punctuation marks of a block are listed, unassigned code points do not
/// matter.
pub(crate) fn class(c: char) -> Class {
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
        // NFKD splits a kana and puts its voicing mark after it.
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
        _ if is_gap(c) => Class::Gap,
        _ if is_mark(c) => Class::Mark,
        _ if is_digit(c) => Class::Digit,
        _ => Class::Letter,
    }
}

/// Punctuation, symbols, spaces and controls beyond ASCII. The letter tables of the standard library would be several
/// kilobytes of download; the difference is symbols of scripts that are hardly typed.
fn is_gap(c: char) -> bool {
    matches!(c as u32,
        0x80..=0xA9 | 0xAB..=0xB4 | 0xB6..=0xB9 | 0xBB..=0xBF | 0xD7 | 0xF7 | 0x02C2..=0x02C5 | 0x02D2..=0x02DF
        | 0x0375 | 0x037E | 0x0384 | 0x0385 | 0x0387 | 0x03F6 | 0x0482 | 0x055A..=0x055F | 0x0589..=0x058F
        | 0x05BE | 0x05C0 | 0x05C3 | 0x05C6 | 0x05F3 | 0x05F4 | 0x0600..=0x060F | 0x061B..=0x061F
        | 0x066A..=0x066D | 0x06D4 | 0x06DD | 0x06DE | 0x06E9 | 0x06FD | 0x06FE | 0x0700..=0x070F
        | 0x07F6..=0x07F9 | 0x0830..=0x083E | 0x085E | 0x0964 | 0x0965 | 0x0970 | 0x0DF4 | 0x0F01..=0x0F17
        | 0x0F34 | 0x0F36 | 0x0F38 | 0x0F3A..=0x0F3F | 0x0F85 | 0x0FBE..=0x0FDA | 0x10FB | 0x1360..=0x1368
        | 0x1400 | 0x166D | 0x166E | 0x1680 | 0x169B | 0x169C | 0x16EB..=0x16ED | 0x1735 | 0x1736
        | 0x1800..=0x180E | 0x1940..=0x1945 | 0x1FBD..=0x1FC1 | 0x2000..=0x2BFF | 0x2CE5..=0x2CFF
        | 0x2E00..=0x2E7F | 0x3000..=0x303F | 0x309B | 0x309C | 0x3190..=0x319F | 0x31C0..=0x31EF
        | 0x3200..=0x33FF | 0x4DC0..=0x4DFF | 0xA490..=0xA4CF | 0xA4FE | 0xA4FF | 0xA60D..=0xA60F
        | 0xA6F2..=0xA6F7 | 0xA874..=0xA877 | 0xA8CE | 0xA8CF | 0xD7FC..=0xF8FF | 0xFD3E | 0xFD3F
        | 0xFE10..=0xFE1F | 0xFE30..=0xFE6F | 0xFF00..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40
        | 0xFF5B..=0xFF65 | 0xFFE0..=0xFFFF | 0x1D000..=0x1D3FF
        | 0xF0000..=0x10FFFF)
}

/// Decimal digits of the scripts that have their own. Those of India are at the same offset in each block.
pub(super) fn is_digit(c: char) -> bool {
    match c as u32 {
        0x30..=0x39 | 0x0660..=0x0669 | 0x06F0..=0x06F9 => true,
        code @ 0x0900..=0x0DFF => matches!(code & 0x7F, 0x66..=0x6F),
        _ => false,
    }
}

/// The lowercase letter of a capital, else the letter itself: Latin, Greek, Cyrillic, Armenian, Georgian, Deseret. NFKD
/// separates accents, so these are few; the standard library's table would be eleven kilobytes.
pub fn small(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let code = c as u32;
    let small = match code {
        0xC0..=0xD6 | 0xD8..=0xDE | 0x0391..=0x03AB | 0x0410..=0x042F => code + 32,
        0x0100..=0x0130 | 0x0132..=0x0137 | 0x014A..=0x0177 | 0x01DE..=0x01EF | 0x01F8..=0x021F => code | 1,
        0x0222..=0x0233 | 0x0246..=0x024F | 0x0370..=0x0373 | 0x03D8..=0x03EF | 0x0460..=0x0481 => code | 1,
        0x048A..=0x04BF | 0x04D0..=0x052F | 0x1E00..=0x1E95 | 0x1EA0..=0x1EFF | 0xA640..=0xA66D => code | 1,
        0xA722..=0xA72F | 0xA732..=0xA76F | 0x2C80..=0x2CE3 => code | 1,
        0x0139..=0x0148 | 0x0179..=0x017E | 0x01CD..=0x01DC | 0x04C1..=0x04CE => code + (code & 1),
        0x0178 => 0xFF,
        0x0181 => 0x0253,
        0x018A => 0x0257,
        0x0198 => 0x0199,
        0x01A0 | 0x01A4 | 0x01AC | 0x01B3 | 0x01B5 => code + 1,
        0x01AF => 0x01B0,
        0x018F => 0x0259,
        0x0400..=0x040F => code + 80,
        0x0531..=0x0556 => code + 48,
        0x10A0..=0x10C5 => code + 7264,
        0x1C90..=0x1CBF => code - 3008,
        0x10400..=0x10427 => code + 40,
        _ => code,
    };
    char::from_u32(small).unwrap_or(c)
}

/// Whether a character is invisible, so that a text with it looks like one without (Unicode's
/// `Default_Ignorable_Code_Point`): joiners, directions, variation selectors, tags.
pub fn is_ignorable(c: char) -> bool {
    matches!(c as u32,
        0x00AD | 0x034F | 0x061C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8
        | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Whether it selects a variant of the previous character.
pub(super) fn is_variation(c: char) -> bool {
    matches!(c as u32, 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

/// Whether it is a tag, which turns the previous flag into that of a region.
pub(super) fn is_tag(c: char) -> bool {
    matches!(c as u32, 0xE0020..=0xE007F)
}

/// Whether it only changes how a text is displayed: overrides and isolates of direction, and deprecated format
/// characters.
pub(super) fn is_control_of_view(c: char) -> bool {
    matches!(c as u32, 0x202A..=0x202E | 0x2066..=0x206F | 0xE0000..=0xE001F)
}

/// Whether it is a capital.
pub(super) fn is_capital(c: char) -> bool {
    small(c) != c
}

/// Whether its script has capitals. In other scripts a name looks like any word.
pub(super) fn has_case(c: char) -> bool {
    matches!(c as u32, 0x41..=0x24F | 0x370..=0x58F | 0x1E00..=0x1FFF)
}

/// The marks that may be omitted: accents, tones, breathings.
pub(super) fn is_accent(c: char) -> bool {
    matches!(c as u32, 0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF)
}

/// Combining marks. Marks that standard tables call letters are letters here too.
fn is_mark(c: char) -> bool {
    is_accent(c)
        || is_silent(c)
        || matches!(c as u32,
            0x0483..=0x0489 | 0x0711 | 0x0730..=0x074A | 0x07A6..=0x07B0 | 0x07EB..=0x07F3 | 0x0816..=0x082D
            | 0x0859..=0x085B | 0x0898..=0x08FF | 0x0F18 | 0x0F19 | 0x0F35 | 0x0F37 | 0x0F39 | 0x0F71..=0x0F84
            | 0x1DA0..=0x1DBF | 0xA66F..=0xA67D | 0xA802..=0xA82C | 0xA8E0..=0xA8F1 | 0xFE20..=0xFE2F)
        // The vowel signs of the scripts of India are at the same offset in each block.
        || (matches!(c as u32, 0x0900..=0x0DFF)
            && matches!(c as u32 & 0x7F, 0x00..=0x03 | 0x3C | 0x3E..=0x4F | 0x51..=0x57 | 0x62 | 0x63)
)
}

/// Marks that are optional in Arabic and Hebrew: vowel points, the stretching stroke.
pub(super) fn is_silent(c: char) -> bool {
    matches!(c as u32,
        0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C7 | 0x0610..=0x061A | 0x0640 | 0x064B..=0x065F | 0x0670
        | 0x06D6..=0x06DC | 0x06DF..=0x06E8 | 0x06EA..=0x06ED)
}

/// Whether a pictograph only colours or joins its neighbours.
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
    fn small_letters_are_those_of_the_standard_library() {
        for code in 0..0x600 {
            let Some(c) = char::from_u32(code) else { continue };
            let mut standard = c.to_lowercase();
            // Characters that NFKD decomposes never occur here, nor do letters of phonetic alphabets.
            let rare = matches!(code, 0x03A2 | 0x0130 | 0x0182..=0x0197 | 0x0199..=0x019F | 0x01A1..=0x01BF | 0x01C4..=0x01CC
                | 0x01F1..=0x01F7 | 0x0220 | 0x023A..=0x0245 | 0x0376..=0x0390 | 0x03CF | 0x03F4..=0x03FF | 0x04C0);
            if !rare && standard.len() == 1 {
                assert_eq!(Some(small(c)), standard.next(), "{code:x}");
            }
        }
    }

    #[test]
    fn letters_are_nearly_those_of_the_standard_library() {
        let mut differ = 0;
        for c in '\u{80}'..='\u{ffff}' {
            let letter = matches!(class(c), Class::Letter | Class::Cjk | Class::Unspaced);
            let known = !matches!(class(c), Class::Mark | Class::Digit | Class::Picture);
            differ += usize::from(known && c.is_alphabetic() && !letter);
        }
        // Circled and squared letters, which NFKD decomposes, and a few symbols.
        assert!(differ < 500, "{differ}");
    }

    #[test]
    fn scripts_are_told_apart() {
        for (text, expected) in [
            ("aßđжعא한हक", Class::Letter),
            ("7٣", Class::Digit),
            ("\u{301}\u{200d}\u{fe0f}\u{3099}\u{94d}\u{64e}\u{5b4}", Class::Mark),
            ("日本カなー々", Class::Cjk),
            ("ไทยລາວខ្មែရ", Class::Unspaced),
            ("🎉☀❤", Class::Picture),
            (" .,、。・！？：；［｝～｡｣･¿\u{0}\u{7f}", Class::Gap),
        ] {
            for c in text.chars().filter(|c| expected == Class::Mark || class(*c) != Class::Mark) {
                assert_eq!(class(c), expected, "{c:?}");
            }
        }
    }
}
