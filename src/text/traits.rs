//! Traits of a turn, in a few bits: its speaker, and whether it is a question, an instruction, or has a number, a
//! quotation, a time or a name.

use super::dates::is_time_word;
use super::listed::Listed;
use super::marks::ends_asking;
use super::terms::{Role, Term};
use super::turns::{is_standing, prefers};

/// Properties of a text that the ranking of dialog turns uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits(u16);

/// The sides of a conversation with an assistant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Voice {
    /// Another speaker, or unknown.
    #[default]
    Other,
    /// The user.
    User,
    /// The assistant.
    Assistant,
}

impl Voice {
    /// The side of a speaker's name, if it is the name of a role.
    pub fn of_speaker(name: &str) -> Self {
        let is = |names: &str| names.split(' ').any(|role| role.eq_ignore_ascii_case(name.trim()));
        if is("user human me") {
            Self::User
        } else if is("assistant ai bot agent model") {
            Self::Assistant
        } else {
            Self::Other
        }
    }
}

impl Traits {
    const QUESTION: u16 = 1;
    const NUMBER: u16 = 2;
    const QUOTE: u16 = 4;
    const TIME: u16 = 8;
    const NAME: u16 = 16;
    const REMARK: u16 = 32;
    const STANDING: u16 = 64;
    const PREFERS: u16 = 128;
    const USER: u16 = 256;
    const ASSISTANT: u16 = 512;

    /// The number of possible sets of properties.
    pub const ALL: usize = 2 * Self::ASSISTANT as usize;

    /// The properties of `text`, which is in NFKD and by `voice`, without those of its terms. Instructions and
    /// preferences are detected for users, and for unknown speakers.
    pub fn of(text: &str, voice: Voice, by_anybody: bool) -> Self {
        let asks = ends_asking(text);
        let said =
            text.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once('[')).map_or(text, |(said, _)| said);
        let quotes = text.contains(['"', '“', '”', '«', '「', '『']);
        let bit = |is: bool, bit: u16| if is { bit } else { 0 };
        let said = bit(asks, Self::QUESTION) | bit(quotes, Self::QUOTE) | bit(ends_asking(said), Self::REMARK);
        let by = bit(voice == Voice::User, Self::USER) | bit(voice == Voice::Assistant, Self::ASSISTANT);
        let told = if by_anybody || voice == Voice::User {
            bit(is_standing(text), Self::STANDING) | bit(prefers(text), Self::PREFERS)
        } else {
            0
        };
        Self(said | by | told)
    }

    /// The properties of these bits.
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// As bits, for [`from_bits`](Self::from_bits).
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Adds the properties of a term of the text.
    pub fn see(&mut self, term: &Term<'_>) {
        if term.role != Role::Word {
            return;
        }
        if term.text.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(term.text) {
            self.0 |= Self::NUMBER;
        }
        if is_time_word(term.text) {
            self.0 |= Self::TIME;
        }
        // A capital after the beginning of the text is often a name; `I` is not.
        if term.capital && term.position > 0 && term.text.len() > 2 {
            self.0 |= Self::NAME;
        }
    }

    /// Its speaker.
    pub fn voice(self) -> Voice {
        match self.0 & (Self::USER | Self::ASSISTANT) {
            Self::USER => Voice::User,
            Self::ASSISTANT => Voice::Assistant,
            _ => Voice::Other,
        }
    }

    /// Whether it is a standing instruction of the user.
    pub fn is_standing(self) -> bool {
        self.0 & Self::STANDING != 0
    }

    /// Whether it states a preference of the user.
    pub fn prefers(self) -> bool {
        self.0 & Self::PREFERS != 0
    }

    /// Whether it ends with a question mark.
    pub fn asks(self) -> bool {
        self.0 & Self::QUESTION != 0
    }

    /// Whether it is a question, even with a remark in brackets after the question mark, such as an image caption.
    pub fn asks_at_all(self) -> bool {
        self.0 & Self::REMARK != 0
    }

    /// Whether it has a number.
    pub fn has_number(self) -> bool {
        self.0 & Self::NUMBER != 0
    }

    /// Whether it has a quotation.
    pub fn has_quote(self) -> bool {
        self.0 & Self::QUOTE != 0
    }

    /// Whether it mentions a time.
    pub fn has_time(self) -> bool {
        self.0 & Self::TIME != 0
    }

    /// Whether it probably has a name.
    pub fn has_name(self) -> bool {
        self.0 & Self::NAME != 0
    }
}

fn is_number_word(word: &str) -> bool {
    static WORDS: Listed = Listed::new("two three four five six seven eight nine ten dozen once twice hundred couple");
    (3..=7).contains(&word.len()) && WORDS.has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Traits {
        let mut traits = Traits::of(text, Voice::Other, false);
        super::super::terms(text, &mut |term| traits.see(&term));
        traits
    }

    #[test]
    fn turns_are_told_apart() {
        assert!(of("How are you?  ").asks());
        assert!(of("元気ですか?").asks());
        assert!(!of("Fine. And you? Good.").asks());
        assert!(of("We have 3 dogs").has_number());
        assert!(of("I read \"Dune\"").has_quote());
        assert!(of("I went there last week").has_time());
        assert!(!of("I like it there").has_time());
        assert!(of("I moved from Sweden").has_name());
        assert_eq!(of(""), Traits::default());
    }
}
