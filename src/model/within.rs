//! One search for a short text in another.

/// Whether `part` is somewhere in `text`. The standard library's search is made
/// for long texts, and brings kilobytes of download along.
pub(crate) fn within(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    // In most scripts the last byte of a character tells more than the first.
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
