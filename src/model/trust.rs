//! The trust in an entry (S1): content of a web page is not a statement of the user. A derived thing has the lowest
//! trust of its sources.

use super::Invalid;

/// The trust levels, from lowest to highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Trust {
    /// From outside: a page, a file, a tool that reads them.
    Low = 0,
    /// The default.
    #[default]
    Normal = 1,
    /// From the user, or checked by them.
    High = 2,
}

impl Trust {
    /// The level with this number; the lowest for an unknown one.
    pub(crate) fn from_level(level: u8) -> Self {
        match level {
            1 => Self::Normal,
            2 => Self::High,
            _ => Self::Low,
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }

    /// The level with this name.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        let level = [Self::Low, Self::Normal, Self::High].into_iter().find(|level| level.as_str() == word);
        level.ok_or_else(|| Invalid::value(field, "must be one of: low, normal, high"))
    }
}
