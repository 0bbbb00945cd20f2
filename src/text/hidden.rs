//! Removes text that only machines read: instructions in tags, bytes in variation selectors, reversed direction (S2).

use super::chars::{is_control_of_view, is_tag, is_variation};
use std::borrow::Cow;

/// The black flag, which tags turn into that of a region.
const FLAG: char = '\u{1f3f4}';

/// The text as a person sees it. Tags after a flag and one variation selector after a character are meaningful and
/// stay; so do marks and joiners, which scripts need.
pub fn visible(text: &str) -> Cow<'_, str> {
    // Bytes are compared faster than characters: the UTF-8 of all that is removed begins with one of these.
    let may = text.bytes().any(|byte| matches!(byte, 0xE2 | 0xEF | 0xF3));
    if !may || !text.chars().any(|c| is_control_of_view(c) || is_tag(c) || is_variation(c)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let (mut before, mut in_flag) = (None, false);
    for c in text.chars() {
        in_flag = c == FLAG || in_flag && is_tag(c);
        let selects_again = is_variation(c) && before.is_none_or(is_variation);
        before = Some(c);
        if !(is_control_of_view(c) || is_tag(c) && !in_flag || selects_again) {
            out.push(c);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s2_what_cannot_be_seen_goes_and_what_is_written_stays() {
        for text in ["", "tea", "❤️", "👨‍👩‍👧", "葛\u{e0100}", "🏴\u{e0067}\u{e0062}\u{e007f}", "a\u{200f}b\u{200d}"]
        {
            assert_eq!(visible(text), text);
        }
        assert_eq!(visible("a\u{e0069}\u{e0067}\u{e007f}b"), "ab");
        assert_eq!(visible("\u{e0001}a\u{202e}b\u{202c}\u{2066}\u{2069}\u{206a}"), "ab");
        assert_eq!(visible("a\u{fe0f}\u{e0100}\u{fe00}b"), "a\u{fe0f}b");
        assert_eq!(visible("\u{fe0f}a"), "a");
    }
}
