//! The skeleton of a text: without case, accents, width and invisible characters.
//!
//! Terms come from text in NFKD; this takes text as written, so that matches can be located in it. It covers the
//! letters of Vietnamese and its neighbours, and no more.

use super::chars::{Class, class, small};

/// The plain lowercase letter for `c`; `None` for a mark or an invisible character.
pub fn bare(c: char) -> Option<char> {
    match c {
        ' '..='@' | '['..='~' => return Some(c),
        '\u{ff01}'..='\u{ff5e}' => return char::from_u32(c as u32 - 0xFEE0).and_then(bare),
        '’' | '‘' => return Some('\''),
        _ if c.is_whitespace() => return Some(' '),
        _ if class(c) == Class::Mark => return None,
        _ => {}
    }
    let small = small(c);
    Some(match small as u32 {
        0xE0..=0xE5 | 0x101 | 0x103 | 0x105 | 0x1EA0..=0x1EB7 => 'a',
        0xE7 | 0x107 | 0x10D => 'c',
        0x111 => 'd',
        0xE8..=0xEB | 0x113..=0x11B | 0x1EB8..=0x1EC7 => 'e',
        0xEC..=0xEF | 0x129..=0x131 | 0x1EC8..=0x1ECB => 'i',
        0xF1 => 'n',
        0xF2..=0xF6 | 0xF8 | 0x14D..=0x151 | 0x1A1 | 0x1ECC..=0x1EE3 => 'o',
        0xF9..=0xFC | 0x169..=0x173 | 0x1B0 | 0x1EE4..=0x1EF1 => 'u',
        0xFD | 0xFF | 0x1EF2..=0x1EF9 => 'y',
        _ => small,
    })
}

/// The words of `text` in their plain form with one space before, between and after them, so that phrases are searched
/// with spaces around them. Apostrophes stay; voiced kana are one character however they were typed.
pub(super) fn bare_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        let next = match (c, bare(c)) {
            ('\u{3099}' | '\u{309a}', _) => {
                // The code point of a voiced kana follows the plain one, and the half-voiced one follows that.
                if let Some(kana @ 'か'..='ホ') = out.chars().next_back() {
                    out.pop();
                    out.extend(char::from_u32(kana as u32 + c as u32 - 0x3098));
                }
                continue;
            }
            (_, None) => continue,
            (_, Some('\'')) => '\'',
            (_, Some(plain)) if class(plain) == Class::Gap => ' ',
            (_, Some(plain)) => plain,
        };
        if next != ' ' || !out.ends_with(' ') {
            out.push(next);
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f29_both_ways_of_typing_give_one_skeleton() {
        for text in ["Tôi thích Đà Nẵng!", "To\u{302}i thi\u{301}ch  Đa\u{300} Na\u{306}\u{303}ng"] {
            assert_eq!(bare_words(text), " toi thich da nang ");
        }
        assert_eq!(bare_words("か\u{3099}くハ\u{309a}ン"), " がくパン ");
        assert_eq!(bare_words("Ｉ’ｍ  fine,\nSys\u{200b}tem"), " i'm fine system ");
        assert_eq!(bare_words("\u{3099}"), " ");
        assert_eq!(bare_words(""), " ");
    }
}
