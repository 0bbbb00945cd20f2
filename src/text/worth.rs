//! The score of a sentence in a summary: by cue phrases, and in any language by names, numbers, times and codes.

use super::chars::{Class, class};
use super::cues::Cues;
use super::terms::Term;
use super::traits::{Traits, Voice};

/// The position of a sentence.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// Whether it is the first of its text.
    pub(super) first: bool,
    /// Whether it is the first after a question.
    pub(super) answers: bool,
    /// For a question, whether it was answered.
    pub(super) answered: bool,
}

/// The signals found in a sentence.
pub(super) struct Signs {
    cues: Cues,
    traits: Traits,
    number: bool,
    name: bool,
    code: bool,
    /// Whether it is a table, a record or a listing rather than a sentence.
    data: bool,
    /// Whether it has fewer than three words, or five characters of a script without spaces.
    tiny: bool,
}

impl Signs {
    /// The signals of a sentence, without the name of its speaker.
    pub(super) fn of(sentence: &str) -> Self {
        let chars = sentence.chars().count();
        let marks = sentence.chars().filter(|c| "{}[]<>|\"=;\\".contains(*c)).count();
        let unspaced = sentence.chars().filter(|c| matches!(class(*c), Class::Cjk | Class::Unspaced)).count();
        Self {
            cues: Cues::of(sentence),
            traits: Traits::of(sentence, Voice::Other, false),
            number: sentence.chars().any(is_number),
            name: is_katakana_name(sentence) || has_title(sentence),
            code: sentence.split_whitespace().any(is_code),
            data: marks * 8 > chars,
            tiny: unspaced < 5 && sentence.split_whitespace().count() < 3,
        }
    }

    /// Adds the signals of one of its words.
    pub(super) fn see(&mut self, term: &Term<'_>) {
        self.traits.see(term);
    }

    pub(super) fn asks(&self) -> bool {
        self.cues.asks
    }

    pub(super) fn negates(&self) -> bool {
        self.cues.negates
    }

    /// The sum of its signals; below 0 if it has none.
    pub(super) fn worth(&self, place: Place) -> f64 {
        let yes = |flag: bool, worth: f64| if flag { worth } else { 0.0 };
        let open = self.cues.asks && !place.answered;
        let worth = yes(self.cues.strong, 2.0)
            + yes(self.cues.weak, 1.0)
            + yes(self.cues.corrects, 1.0)
            + yes(self.cues.open || open, 1.0)
            + yes(self.number || self.traits.has_number(), 1.0)
            + yes(self.name || self.traits.has_name(), 0.8)
            + yes(self.code, 1.0)
            + yes(self.cues.time || self.traits.has_time(), 0.5)
            + yes(place.first, 0.2)
            + yes(place.first && place.answers, 0.4);
        let worth = if self.data { worth * 0.3 } else { worth };
        worth
            - yes(self.cues.asks && place.answered, 1.5)
            - yes(self.cues.small_talk, 2.0)
            - yes(self.tiny && worth < 1.5, 0.7)
    }
}

/// A digit of any script, or a Chinese numeral that is hardly ever anything else.
fn is_number(c: char) -> bool {
    class(c) == Class::Digit || "二三四五六七八九十百千万萬億".contains(c)
}

/// Consecutive katakana are mostly a name or a loanword.
fn is_katakana_name(sentence: &str) -> bool {
    let mut run = 0;
    sentence.chars().any(|c| {
        run = if matches!(c, 'ァ'..='ヺ' | 'ー') { run + 1 } else { 0 };
        run >= 3
    })
}

/// Whether it has a title after a name, in scripts without capitals.
pub(super) fn has_title(sentence: &str) -> bool {
    const TITLES: [&str; 9] = ["さん", "様", "氏", "くん", "先生", "女士", "小姐", "씨", "님"];
    let named = |c: char| matches!(c, '\u{4E00}'..='\u{9FFF}' | 'ァ'..='ヺ' | 'ー' | '가'..='힣');
    TITLES.iter().any(|title| {
        let mut places = sentence.match_indices(title);
        places.any(|(at, _)| sentence.get(..at).and_then(|head| head.trim_end().chars().next_back()).is_some_and(named))
    })
}

/// Whether it is a URL, a path, a file, an identifier, a version: letters with digits or symbols inside.
fn is_code(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = word.bytes().any(|byte| byte.is_ascii_digit());
    let inside = word.contains(['_', '@', '/', '\\']) || word.contains("::");
    let dotted = word.split_once('.').is_some_and(|(head, tail)| head.len() > 1 && tail.len() > 1);
    word.is_ascii() && letters > 0 && word.len() > 1 && (digits || inside || dotted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(sentence: &str) -> f64 {
        let mut signs = Signs::of(sentence);
        super::super::terms(sentence, &mut |term| signs.see(&term));
        signs.worth(Place::default())
    }

    #[test]
    fn facts_are_worth_more_than_fillers_in_any_language() {
        for (fact, filler) in [
            ("The deadline is 14 June.", "Let me think about that for a while."),
            ("Hạn chót là ngày 14 tháng 6.", "Để tôi nghĩ thêm một chút nhé."),
            ("締め切りは6月14日です。", "少し考えさせてくださいね。"),
            ("Die Frist ist der 14. Juni.", "das muss man wirklich mal in ruhe sehen"),
            ("Срок сдачи 14 июня.", "Дай мне немного подумать об этом."),
            ("Termin mija 14 czerwca w Krakowie.", "pozwól mi chwilę o tym pomyśleć"),
            ("鍵は佐藤さんが持っています。", "たくさん考えてみますね。"),
            ("钥匙在王先生那里。", "我再想想看吧。"),
            ("열쇠는 김민수 씨가 가지고 있어요.", "조금 더 생각해 볼게요."),
            ("The token is sk_live_77.", "that looks rather good to me"),
        ] {
            assert!(worth(fact) > worth(filler) + 0.4, "{fact} {} {filler} {}", worth(fact), worth(filler));
        }
    }

    #[test]
    fn codes_are_told_from_words() {
        for code in ["main.rs", "a@b.example", "src/lib", "v2", "ABC-123", "std::fmt", "node_modules", "1.2.3b"] {
            assert!(is_code(code), "{code}");
        }
        for word in ["word", "end.", "e.g.", "don't", "12", "3.50", "Huế", "(see)", "日本.com"] {
            assert!(!is_code(word), "{word}");
        }
    }
}
