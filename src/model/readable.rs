//! Texts and bytes: bytes that were read as a text are refused, because nothing in them can be found or shown.

use super::Invalid;

/// At most one character in this many may be a sign of a wrong decoding.
const SHARE: usize = 10;

/// Refuses a text that is bytes of something else.
pub(crate) fn check_readable(field: &str, text: &str) -> Result<(), Invalid> {
    let (mut doubtful, mut count) = (0, 0);
    for c in text.chars() {
        match c {
            // Tabs, line and page breaks, and the escapes of a terminal's output.
            '\u{8}'..='\u{d}' | '\u{1b}' => {}
            '\0'..='\u{1f}' | '\u{7f}' => return Err(binary(field)),
            // A decoder's replacement, and control characters that Latin-1 makes of other encodings.
            '\u{80}'..='\u{9f}' | '\u{fffd}' => doubtful += 1,
            _ => {}
        }
        count += 1;
    }
    if doubtful * SHARE > count { Err(binary(field)) } else { Ok(()) }
}

fn binary(field: &str) -> Invalid {
    Invalid::value(field, "must be text, and this looks like binary data: decode it, or store a description of it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_no_text() {
        let png = String::from_utf8_lossy(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
        let lossy = "\u{fffd}".repeat(3) + "photo";
        for binary in ["\0", "a\u{1}b", "\u{7f}", "\u{93}ab\u{94}", &png, &lossy] {
            assert_eq!(check_readable("content", binary).unwrap_err().field(), "content", "{binary:?}");
        }
    }

    #[test]
    fn texts_of_all_scripts_are_texts() {
        let terminal = "\u{1b}[31mred\u{1b}[0m";
        let data = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
        let text = "caf\u{fffd} au lait, please";
        for text in ["", "a\tb\r\nc\u{c}d", "日本語 🌻 עברית\u{200f} \u{feff}नमस्ते", data, text, terminal]
        {
            assert_eq!(check_readable("content", text), Ok(()), "{text:?}");
        }
    }
}
