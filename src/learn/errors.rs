//! Error classes: a message without the numbers, names and addresses of the single case.

use crate::text::cut;

/// The most characters of a message that are read.
const MAX_MESSAGE: usize = 200;

/// The message with a placeholder for everything that varies: `#` for a word with digits in it, `'…'` for quoted text.
/// In any language; words themselves stay. A status code (`status 404`) stays too.
pub fn error_class(message: &str) -> String {
    let mut class = String::new();
    let mut rest = cut(message, MAX_MESSAGE).trim_start();
    // Whether the last word announces a code.
    let mut announced = true;
    while let Some(first) = rest.chars().next() {
        let within_word = first == '\'' && class.ends_with(char::is_alphanumeric);
        if let Some(inside) = quoted(rest).filter(|_| !within_word) {
            class.push_str("'…'");
            rest = inside;
            continue;
        }
        let end = rest.find(|c: char| !part_of_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if word.is_empty() {
            rest = rest.strip_prefix(first).unwrap_or("");
            if !first.is_whitespace() {
                class.push(first);
            } else if !class.ends_with(' ') {
                class.push(' ');
            }
            continue;
        }
        let varies = word.chars().any(char::is_numeric) || (word.len() > 8 && is_address(word));
        if varies && !(announced && is_code(word)) {
            // One placeholder for a list of numbers and for decimals: their number varies too.
            let before = class.trim_end_matches([' ', '.', ',']);
            if before.ends_with('#') {
                class.truncate(before.len());
            } else {
                class.push('#');
            }
        } else {
            class.push_str(word);
        }
        let lower = word.to_ascii_lowercase();
        announced = ["http", "status", "code", "error"].iter().any(|name| lower.ends_with(name));
        rest = after;
    }
    class.truncate(class.trim_end().len());
    class
}

/// The rest after a quotation at the beginning of `text`.
fn quoted(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let close = match chars.next()? {
        quote @ ('\'' | '"' | '`') => quote,
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        '„' => '“',
        _ => return None,
    };
    chars.as_str().split_once(close).map(|(_, after)| after)
}

/// Whether a character belongs to a word, or to a name, an address or an id.
fn part_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '@' | '\\' | '\u{300}'..='\u{36f}')
}

/// Whether it is a path, a URL or an email address.
fn is_address(word: &str) -> bool {
    word.contains(['/', '@', '\\'])
}

/// Whether it is a status code, such as those of HTTP.
fn is_code(word: &str) -> bool {
    word.len() == 3 && word.starts_with(['4', '5']) && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b28_cases_of_one_error_are_one_class() {
        for (class, messages) in [
            ("timeout after # ms", &["timeout after 3012 ms", "timeout  after 7 ms "][..]),
            ("item '…' not found", &["item 'A-77' not found", "item \"b\" not found", "item “x y” not found"]),
            ("id # is gone", &["id 3f2a9c44-0b1d-4c55-9d11-aa00ff001122 is gone", "id ORD-7 is gone"]),
            ("HTTP 404 for #", &["HTTP 404 for 17", "HTTP 404 for api/v1/items"]),
            ("HTTP 503 for #", &["HTTP 503 for 17"]),
            ("hết thời gian sau # giây", &["hết thời gian sau 30 giây", "hết thời gian sau 5 giây"]),
            (
                "商品「…」がありません".replace("「…」", "'…'").as_str(),
                &["商品「茶」がありません", "商品「米」がありません"],
            ),
            ("rows # failed", &["rows 1 failed", "rows 1, 2, 3.5 failed"]),
            ("can't open Bob's", &["can't open Bob's"]),
            ("", &["", "  "]),
        ] {
            for message in messages {
                assert_eq!(error_class(message), class, "{message:?}");
            }
        }
    }

    #[test]
    fn b28_any_message_has_a_short_class() {
        let long = "x1 '".repeat(300_000);
        assert!(error_class(&long).chars().count() <= MAX_MESSAGE);
        assert_eq!(error_class("don't"), "don't");
    }
}
