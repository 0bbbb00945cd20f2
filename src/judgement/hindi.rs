//! Hindi by its sound: one spelling for both of its scripts, since people write "main Pune mein rehta hu" as well as
//! "मैं पुणे में रहता हूँ".

use super::fold::{any, char_at, digit, each, is_digit, is_of, is_word, last, trim_end, width};

/// The consonants from क on, in the order of Unicode.
const CONSONANTS: &str = "k kh g gh n ch ch j jh n t th d dh n t th d dh n n p f b bh m y r r l l l v sh sh s h";
/// The vowels from अ on.
const VOWELS: &str = "a a i i u u ri l e e e ai o o o au";
/// The signs of vowels from ा on.
const SIGNS: &str = "a i i u u ri ri e e e ai o o o au";

/// Whether a character is Devanagari.
fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}

/// The sound of a folded text. Latin words among Devanagari are names, and stay as they are.
#[inline(never)]
pub(super) fn sound(folded: &str) -> String {
    if !any(folded, &is_devanagari) {
        return levelled(folded);
    }
    let mut out = String::new();
    for word in folded.split(' ') {
        out.push_str(&if any(word, &is_devanagari) { levelled(&latin(word)) } else { word.to_owned() });
        out.push(' ');
    }
    out.pop();
    out
}

/// Devanagari in Latin letters. A consonant without a sign has a short `a`, which is silent at the end of a word, and after
/// an open syllable before a consonant with a vowel.
fn latin(text: &str) -> String {
    let mut out = String::new();
    let (mut is_open, mut is_bare) = (false, false);
    each!(text, |at, c| {
        let next = char_at(text, at + width(c));
        let after = char_at(text, at + width(c) + width(next));
        let is_sign = |c: char| matches!(c, '\u{93e}'..='\u{94c}');
        match c {
            '\u{905}'..='\u{914}' => {
                // गई is gayi, and मई not मैं.
                out.push_str(if is_bare { "y" } else { "" });
                out.push_str(nth(VOWELS, c, 0x905));
            }
            '\u{915}'..='\u{939}' => {
                out.push_str(nth(CONSONANTS, c, 0x915));
                let follows = matches!(next, '\u{915}'..='\u{939}');
                let is_silent = !is_devanagari(next) || follows && is_open && is_sign(after);
                is_bare = !is_sign(next) && next != '\u{94d}' && !is_silent;
                out.push_str(if is_bare { "a" } else { "" });
            }
            '\u{902}' => out.push('n'),
            _ if is_digit(c) => out.push(char::from_digit(digit(c), 10).unwrap_or(c)),
            _ if is_sign(c) => out.push_str(nth(SIGNS, c, 0x93e)),
            _ if is_devanagari(c) => {}
            _ => out.push(c),
        }
        is_open = is_of(last(&out), "aeiou");
    });
    out
}

/// The word of a list for a character, if the first one is for `from`.
fn nth(list: &'static str, c: char, from: u32) -> &'static str {
    list.split(' ').nth((c as u32 - from) as usize).unwrap_or("")
}

/// Spellings that differ from writer to writer made one: "kaam" and "kam", "mein" and "me", "rehta" and "rahta".
fn levelled(text: &str) -> String {
    let mut out = String::new();
    each!(text, |at, c| {
        let next = char_at(text, at + width(c));
        let before = last(&out);
        let ends = !is_word(next);
        match (before, c) {
            ('e', 'e') | ('o', 'o') => {
                out.pop();
                out.push(if c == 'e' { 'i' } else { 'u' });
            }
            ('e', 'h') if !ends && !is_of(next, "aeiou") => {
                out.pop();
                out.push_str("ah");
            }
            ('p', 'h') => {
                out.pop();
                out.push('f');
            }
            ('e', 'i') => {}
            ('a' | 'e' | 'i' | 'o' | 'u', 'n') if ends && is_word(last(trim_end(&out, &|c| is_of(c, "aeiou")))) => {}
            (_, 'w') => out.push('v'),
            (_, 'z') => out.push('j'),
            (_, 'q') => out.push('k'),
            _ if c.is_ascii_alphabetic() && c == before && (!ends || c == 'a') => {}
            _ => out.push(c),
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scripts_sound_the_same() {
        for (devanagari, latin) in [
            ("मैं पुणे में रहता हूँ", "main pune mein rehta hoon"),
            ("मेरा नाम काम नहीं", "meraa naam kaam nahin"),
            ("कुत्ता पसंद है", "kutta pasand hai"),
            ("शादी पहले आपका", "shaadi pehle aapka"),
            ("नौकरी बदल गई", "naukri badal gayi"),
        ] {
            let folded = super::super::fold::folded(devanagari, false);
            assert_eq!(sound(&folded), sound(latin), "{devanagari}");
        }
        assert_eq!(sound("घर Google में"), "ghar Google me");
        assert_ne!(sound("मई"), sound("मैं"));
    }
}
