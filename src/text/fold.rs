//! Normalised spelling of words: case, width, silent marks and Hangul; and a weaker form without accents.

use super::chars::{is_accent, is_silent, small};

/// Appends `word` in its compared form: lowercase, ß as ss, no invisible or silent characters, Hangul in syllables, and
/// one form of the letters that Arabic and Persian keyboards encode differently. Accents stay.
pub(crate) fn fold(word: &str, out: &mut String) {
    for c in word.chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'ß' | 'ẞ' => out.push_str("ss"),
            'ς' => out.push('σ'),
            '’' => out.push('\''),
            'ى' | 'ی' => out.push('ي'),
            'ک' => out.push('ك'),
            'ة' => out.push('ه'),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => {}
            '\u{202a}'..='\u{202e}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e01ef}' => {}
            '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' | '\u{966}'..='\u{96f}' => {
                out.push(digit(c));
            }
            '\u{1161}'..='\u{11c2}' => push_jamo(c, out),
            _ if is_silent(c) => {}
            _ => out.push(small(c)),
        }
    }
}

/// Arabic, Persian and Devanagari digits as ASCII digits.
fn digit(c: char) -> char {
    let zero = [0x966, 0x6F0, 0x660].into_iter().find(|zero| *zero <= c as u32).unwrap_or(0);
    char::from_digit(c as u32 - zero, 10).unwrap_or(c)
}

/// Joins a vowel or a final consonant to the previous characters, by the arithmetic of the Unicode Standard.
fn push_jamo(c: char, out: &mut String) {
    let code = c as u32;
    let joined = out.chars().next_back().and_then(|last| match (last as u32, code) {
        (lead @ 0x1100..=0x1112, 0x1161..=0x1175) => {
            char::from_u32(0xAC00 + (lead - 0x1100) * 588 + (code - 0x1161) * 28)
        }
        (open @ 0xAC00..=0xD7A3, 0x11A8..=0x11C2) if (open - 0xAC00) % 28 == 0 => char::from_u32(open + code - 0x11A7),
        _ => None,
    });
    match joined {
        Some(syllable) => {
            out.pop();
            out.push(syllable);
        }
        None => out.push(c),
    }
}

/// Appends `word`, already folded, without accents, as a keyboard without them would type it. Returns whether that
/// differs.
pub(super) fn unaccent(word: &str, out: &mut String) -> bool {
    let mut differs = false;
    for c in word.chars() {
        let plain = match c {
            'đ' | 'ð' => "d",
            'ø' => "o",
            'ł' => "l",
            'æ' => "ae",
            'œ' => "oe",
            'þ' => "th",
            'ħ' => "h",
            'ı' => "i",
            'ŧ' => "t",
            _ if is_accent(c) => "",
            _ => {
                out.push(c);
                continue;
            }
        };
        differs = true;
        out.push_str(plain);
    }
    differs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut out = String::new();
        fold(word, &mut out);
        out
    }

    fn plain(word: &str) -> String {
        let mut out = String::new();
        unaccent(&folded(word), &mut out);
        out
    }

    #[test]
    fn one_spelling_for_each_word() {
        assert_eq!(folded("STRASSE"), folded("Straße"));
        assert_eq!(folded("ΟΔΟΣ"), folded("οδος"));
        assert_eq!(folded("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"), "한국");
        assert_eq!(folded("كتـــابٌ"), "كتاب");
        assert_eq!(folded("שָׁלוֹם"), "שלום");
        assert_eq!(folded("٣۴५"), "345");
        assert_eq!(folded("co\u{ad}op"), "coop");
    }

    #[test]
    fn words_that_differ_stay_different() {
        for (one, other) in [
            ("мои\u{306}", "мои"),
            ("scho\u{308}n", "schon"),
            ("ano\u{303}", "ano"),
            ("की", "का"),
            ("फ\u{93c}न", "फन"),
            ("ไม้", "ไม"),
            ("\u{1100}\u{1161}\u{11ab}", "\u{1100}\u{1161}\u{11bc}"),
        ] {
            assert_ne!(folded(one), folded(other));
        }
    }

    #[test]
    fn f29_the_weaker_spelling_has_no_accents() {
        assert_eq!(plain("Tie\u{302}\u{301}ng"), "tieng");
        assert_eq!(plain("Đa\u{300}"), "da");
        assert_eq!(plain("u\u{308}ber"), "uber");
        assert_eq!(plain("smørrebrød"), "smorrebrod");
        assert_eq!(plain("Łódź"), "lódź", "what is composed is not NFKD and stays");
    }
}
