//! Substring search.

/// Whether `text` contains `part`. The standard library's search is optimised for long texts, and adds kilobytes to the
/// download.
pub(crate) fn within(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    // In most scripts the last byte of a character is more selective than the first.
    text.windows(part.len().max(1)).any(|here| here.last() == part.last() && here == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_anywhere() {
        for part in ["犬", "好き", " 私は", "です "] {
            assert!(within(" 私は犬が好きです ", part), "{part}");
        }
        assert!(!within("犬", "犬が") && !within("", "a") && !within("abc", "ac"));
    }
}
