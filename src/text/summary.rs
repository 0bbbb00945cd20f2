//! The short form of a content: its beginning, cut at the end of a word.

/// At most `max` characters of `content`. It is cut at white space if there is some in the last fifth (D33), and ends
/// with `...` within the limit.
pub fn summarize(content: &str, max: usize) -> String {
    const MARK: &str = "...";
    let content = content.trim();
    if content.chars().nth(max).is_none() {
        return content.to_owned();
    }
    let room = max.saturating_sub(MARK.len());
    let head = cut(content, room);
    let whole_words = head.rsplit_once(char::is_whitespace).map_or(head, |(words, _)| words);
    let kept = if whole_words.chars().count() * 5 >= room * 4 { whole_words.trim_end() } else { head };
    format!("{kept}{}", cut(MARK, max))
}

/// The first `max` characters of `text`.
pub fn cut(text: &str, max: usize) -> &str {
    let end = text.char_indices().nth(max).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d33_summaries_keep_to_the_limit_and_end_at_a_word() {
        assert_eq!(summarize("  short  ", 20), "short");
        assert_eq!(summarize("exactly twenty chars", 20), "exactly twenty chars");
        assert_eq!(summarize("the quick brown foxes jump", 20), "the quick brown...");
        assert_eq!(summarize("abcdefghijklmnopqrstuvwxyz", 10), "abcdefg...");
        assert_eq!(summarize("a bcdefghijklmnopqrstuvwxyz", 10), "a bcdef...");
    }

    #[test]
    fn cuts_fall_between_characters_of_any_language() {
        assert_eq!(summarize("日本語の長い文章です", 6), "日本語...");
        assert_eq!(summarize("👩👩👩👩", 2), "..");
        assert_eq!(summarize("abc", 0), "");
        assert_eq!(cut("việt", 2), "vi");
    }
}
