//! How far an entry is to be believed (S1): what a web page said is not what the user said.

use super::Invalid;

/// From least to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Trust {
    /// From outside: a page, a file, a tool that reads such.
    Low = 0,
    /// Unless something else is said.
    #[default]
    Normal = 1,
    /// From the user, or checked by them.
    High = 2,
}

impl Trust {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }

    /// The level that this word means.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        let level = [Self::Low, Self::Normal, Self::High].into_iter().find(|level| level.as_str() == word);
        level.ok_or_else(|| Invalid::value(field, "must be one of: low, normal, high"))
    }
}
