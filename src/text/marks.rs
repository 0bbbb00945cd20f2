//! Punctuation of any script: ends of sentences, question marks, separators.

use super::chars::{Class, class};
use crate::model::within;

/// Marks that may follow a stop and still belong to its sentence.
pub(super) const CLOSING: [char; 17] =
    ['"', '\'', '”', '’', '»', '›', ')', ']', '）', '」', '』', '】', '］', '》', '〉', '*', '_'];

/// Stops that need no white space after them.
const FULL: &str = "。！？｡．။។៕";

/// Stops, beside the full stop, that end a sentence before white space.
const SPACED: &str = "!?‽…؟۔।॥։።፧⁇⁈⁉‼\u{37e}";

/// Question marks. The Armenian one is inside the questioned word.
const ASKING: &str = "?？؟՞፧‽⁇⁈⁉\u{37e}";

/// Whether `c` is in a string. The standard library's search would add its substring search to the binary.
pub(super) fn is_in(c: char, text: &str) -> bool {
    text.chars().any(|known| known == c)
}

/// Whether a sentence ends here, whatever follows.
pub(super) fn is_full_stop(c: char) -> bool {
    !c.is_ascii() && is_in(c, FULL)
}

/// Whether a sentence ends here if white space follows. A semicolon is the Greek question mark: `before` is the
/// character before it.
pub(super) fn is_spaced_stop(c: char, before: Option<char>) -> bool {
    is_in(c, SPACED) || c == ';' && before.is_some_and(is_greek)
}

/// Whether a part of a sentence may end here: at any stop, colon or semicolon.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '.' | '\n' | ':' | ';' | '：' | '；' | '؛') || is_full_stop(c) || is_spaced_stop(c, None)
}

/// Whether it is a question mark. `before` is the character before it.
pub(super) fn is_question_mark(c: char, before: Option<char>) -> bool {
    is_in(c, ASKING) || c == ';' && before.is_some_and(is_greek)
}

fn is_greek(c: char) -> bool {
    matches!(c as u32, 0x370..=0x3FF | 0x1F00..=0x1FFF | 0x300..=0x301)
}

/// Whether a text ends with a question, before closing quotes and brackets.
pub fn ends_asking(text: &str) -> bool {
    let said = text.trim_end().trim_end_matches(CLOSING);
    let mut last = said.chars().rev();
    let asks = last.next().is_some_and(|c| is_question_mark(c, last.next()));
    asks || ends_in_asking_word(said)
    // The last sentence of an Armenian text: the mark is inside one of its words.
    || !said.is_ascii() && said.trim_end_matches(['։', ':']).rsplit(['։', ':']).next().is_some_and(|last| is_in('՞', last))
}

/// Endings of questions in Japanese, Chinese and Thai, which need no mark; and Thai courtesy words after them.
const ENDINGS: &str = "すか|たか|うか|んか|吗|嗎|ไหม|ไหน|ไหร่|อะไร|เมื่อไร|เท่าไร|อย่างไร|ยังไง|ใคร|หรือเปล่า";
const COURTESY: &str = "ครับ|คะ|ค่ะ";

fn ends_in_asking_word(said: &str) -> bool {
    let said = said.trim_end_matches(|c| class(c) == Class::Gap);
    if said.ends_with(|c: char| c.is_ascii()) {
        return false;
    }
    let said = COURTESY.split('|').find_map(|word| said.strip_suffix(word)).unwrap_or(said);
    // After a negation they mean `nothing` and `nobody`.
    ENDINGS.split('|').any(|ending| said.ends_with(ending)) && !within(said, "ไม่")
}

/// Whether `c` separates words and is part of none. Full stops, hyphens and apostrophes can also be inside words.
pub fn is_pause(c: char) -> bool {
    match c {
        ',' | ';' | '!' | '?' | '(' | ')' | '"' => true,
        '’' | '‐' | '‑' => false,
        _ => !c.is_ascii() && class(c) == Class::Gap,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_known_by_the_marks_of_their_script() {
        for text in [
            "How are you? ",
            "元気ですか？",
            "「元気ですか？」",
            "كيف حالك؟",
            "Τι κάνεις;",
            "Τι κάνεις\u{37e}",
            "Ո՞վ է եկել։",
            "Բարև։ Ինչպե՞ս ես",
            "ማን ነው፧",
            "(really?)",
            "本当⁉",
            "犬の名前は何て\u{3099}すか。",
            "一緒に行きませんか!",
            "你喜欢狗吗。",
            "หมาของฉันชื่ออะไร",
            "ร้านอยู่ที่ไหนครับ",
        ] {
            assert!(ends_asking(text), "{text}");
        }
        for text in [
            "Fine.",
            "let x = 1;",
            "Who? Me.",
            "Ո՞վ է։ Ես եմ։",
            "…",
            "",
            "好。",
            "ठीक है।",
            "Μένω εκεί.",
            "ไม่มีอะไร",
            "ได้กำไร",
            "そうです。",
            "わか",
        ] {
            assert!(!ends_asking(text), "{text}");
        }
    }

    #[test]
    fn marks_of_every_width_set_words_apart() {
        assert!("，、。：；！？「」（）،؛؟।,;!?".chars().all(is_pause));
        assert!(!"a日한.-_/'’‑१".chars().any(is_pause));
    }
}
