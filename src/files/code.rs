//! Writes code into a fenced block and reads it back unchanged.

use super::lines::{Lines, closing, fenced_block, one_line};

/// Whether a text is Markdown with complete fenced blocks, which needs no fence around it.
fn has_blocks(text: &str) -> bool {
    Lines::fenced(text).any(|line| line.code) && closing(text).is_none()
}

/// `code` in a fence that nothing inside can close; empty if there is no code. Without a language, Markdown with blocks
/// of its own stays unchanged: a model often adds the fence itself.
pub(super) fn fenced(language: &str, code: &str) -> String {
    let language = one_line(language);
    if code.trim().is_empty() || (language.is_empty() && has_blocks(code)) {
        return code.to_owned();
    }
    // The info string of a backtick fence cannot contain a backtick.
    let sign = if language.contains('`') { '~' } else { '`' };
    let (mut run, mut longest) = (0, 2);
    for c in code.chars() {
        run = if c == sign { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence: String = std::iter::repeat_n(sign, longest + 1).collect();
    let gap = if language.starts_with(sign) { " " } else { "" };
    format!("{fence}{gap}{language}\n{code}\n{fence}")
}

/// The language and the code of a text that is one fenced block; any other text is the code. The inverse of `fenced`.
pub(super) fn unfenced(text: &str) -> (String, String) {
    let block = fenced_block(text).map(|(language, code)| (one_line(language), code.replace("\r\n", "\n")));
    let kept =
        |(language, code): &(String, String)| !code.trim().is_empty() && (!language.is_empty() || !has_blocks(code));
    block.filter(kept).unwrap_or_else(|| (String::new(), text.replace("\r\n", "\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a20_a22_code_comes_back_from_its_fence() {
        for (language, code) in [
            ("go", "x := 1"),
            ("", "plain"),
            ("md", "```js\nx\n```"),
            ("md", "````\nx\n````\n"),
            ("", "```\nnever closed"),
            ("a `b`", "~~~\nx\n~~~"),
            ("~`", "x"),
            ("", "\n\n  x  \n\n"),
        ] {
            assert_eq!(unfenced(&fenced(language, code)), (language.to_owned(), code.to_owned()), "{code}");
        }
    }

    #[test]
    fn a20_whatever_people_wrote_reads_the_same_after_it_was_written_again() {
        for text in [
            "`````go\nx\n`````",
            "~~~\nx\n~~~",
            "```js\na\n```\nor\n```js\nb\n```",
            "````\n```js\nx\n```\n````",
            "no fence",
            "```\n```",
            "```\nopen",
            "```a\r\nx\r\n```",
        ] {
            let (language, code) = unfenced(text);
            assert_eq!(unfenced(&fenced(&language, &code)), (language, code), "{text}");
        }
        assert_eq!(unfenced("`````go\nx\n`````"), ("go".to_owned(), "x".to_owned()));
    }
}
