//! The settings of both compression strategies, with their documented names and defaults.

use crate::model::{Invalid, MemoryRules};

/// The compression strategy.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Strategy {
    /// The oldest half becomes a numbered history.
    TreeReduce(TreeReduce),
    /// Merge, then summarise, then offload, until it fits.
    Progressive(Progressive),
}

/// Settings of tree-reduce (C27).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct TreeReduce {
    /// `contextTokens`: the context size of the model, in tokens (X8).
    pub context_tokens: u32,
    /// `compression_threshold`: the share of them above which the view is compressed.
    pub compression_threshold: f64,
    /// `chunk_size`: the approximate number of items per summary.
    pub chunk_size: usize,
    /// `hot_window_size`: the most messages that a prompt shows, if limited. Messages that leave this window go into a
    /// history, so that they are not forgotten.
    pub hot_window_size: Option<usize>,
}

impl Default for TreeReduce {
    fn default() -> Self {
        Self { context_tokens: CONTEXT_TOKENS, compression_threshold: 0.8, chunk_size: 10, hot_window_size: None }
    }
}

impl TreeReduce {
    /// The defaults of a memory with these settings.
    pub fn of(rules: &MemoryRules) -> Self {
        let usual = Self::default();
        Self {
            compression_threshold: rules.compression_threshold.unwrap_or(usual.compression_threshold),
            chunk_size: rules.chunk_size.unwrap_or(usual.chunk_size),
            hot_window_size: rules.hot_window_size,
            ..usual
        }
    }

    /// Validates these settings.
    pub fn checked(self) -> Result<Self, Invalid> {
        ratio("compressionThreshold", self.compression_threshold)?;
        positive("chunkSize", self.chunk_size > 0)?;
        positive("hotWindowSize", self.hot_window_size != Some(0))?;
        positive("contextTokens", self.context_tokens > 0)?;
        Ok(self)
    }

    /// The most tokens of a view.
    pub fn limit(&self) -> u64 {
        part(self.context_tokens, self.compression_threshold)
    }

    /// The most items of a view: the window and half as many again, so that not every message is compressed alone.
    pub fn most_items(&self) -> usize {
        self.hot_window_size.map_or(usize::MAX, |size| size.saturating_add(size.div_ceil(2)))
    }
}

/// Settings of progressive compression (E5).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Progressive {
    /// `contextTokens`: the context size of the model, in tokens (X8).
    pub context_tokens: u32,
    /// `msgThreshold`: the number of items above which the view is compressed.
    pub msg_threshold: usize,
    /// `tokenRatio`: the share of the tokens above which it is.
    pub token_ratio: f64,
    /// `lastKeep`: the number of last items that stay untouched.
    pub last_keep: usize,
    /// `largePayload`: the number of characters above which a message is large.
    pub large_payload: u32,
    /// `preview`: the number of characters shown of a large message.
    pub preview: u32,
}

impl Default for Progressive {
    fn default() -> Self {
        Self {
            context_tokens: CONTEXT_TOKENS,
            msg_threshold: 30,
            token_ratio: 0.3,
            last_keep: 10,
            large_payload: 5 * 1024,
            preview: 200,
        }
    }
}

impl Progressive {
    /// Validates these settings.
    pub fn checked(self) -> Result<Self, Invalid> {
        ratio("tokenRatio", self.token_ratio)?;
        positive("contextTokens", self.context_tokens > 0)?;
        positive("msgThreshold", self.msg_threshold > 0)?;
        if self.last_keep > self.msg_threshold {
            return Err(Invalid::value("lastKeep", "must not be more than msgThreshold"));
        }
        if self.preview > self.large_payload {
            return Err(Invalid::value("preview", "must not be more than largePayload"));
        }
        Ok(self)
    }

    /// The most tokens of a view.
    pub fn limit(&self) -> u64 {
        part(self.context_tokens, self.token_ratio)
    }
}

const CONTEXT_TOKENS: u32 = 32_000;

fn part(whole: u32, ratio: f64) -> u64 {
    (f64::from(whole) * ratio) as u64
}

fn ratio(field: &str, value: f64) -> Result<(), Invalid> {
    let sensible = value > 0.0 && value <= 1.0;
    sensible.then_some(()).ok_or_else(|| Invalid::value(field, "must be above 0 and at most 1"))
}

fn positive(field: &str, is: bool) -> Result<(), Invalid> {
    is.then_some(()).ok_or_else(|| Invalid::value(field, "must be at least 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c27_e5_x8_the_defaults_are_the_documented_ones() {
        let tree = TreeReduce::default().checked().unwrap();
        assert_eq!((tree.limit(), tree.chunk_size, tree.hot_window_size), (25_600, 10, None));
        let rules = MemoryRules { chunk_size: Some(4), hot_window_size: Some(30), ..MemoryRules::default() };
        let tree = TreeReduce::of(&rules);
        assert_eq!((tree.limit(), tree.chunk_size, tree.hot_window_size), (25_600, 4, Some(30)));
        let progressive = Progressive::default().checked().unwrap();
        assert_eq!((progressive.limit(), progressive.msg_threshold, progressive.last_keep), (9_600, 30, 10));
        assert_eq!((progressive.large_payload, progressive.preview), (5_120, 200));
    }

    #[test]
    fn nonsense_is_refused_by_its_documented_name() {
        let tree = |change: fn(&mut TreeReduce)| {
            let mut settings = TreeReduce::default();
            change(&mut settings);
            settings.checked().unwrap_err().field().to_owned()
        };
        for value in [0.0, -0.1, 1.01, f64::NAN, f64::INFINITY] {
            let settings = TreeReduce { compression_threshold: value, ..TreeReduce::default() };
            assert_eq!(settings.checked().unwrap_err().field(), "compressionThreshold");
            let settings = Progressive { token_ratio: value, ..Progressive::default() };
            assert_eq!(settings.checked().unwrap_err().field(), "tokenRatio");
        }
        assert_eq!(tree(|settings| settings.chunk_size = 0), "chunkSize");
        assert_eq!(tree(|settings| settings.hot_window_size = Some(0)), "hotWindowSize");
        assert_eq!(tree(|settings| settings.context_tokens = 0), "contextTokens");

        let progressive = |change: fn(&mut Progressive)| {
            let mut settings = Progressive::default();
            change(&mut settings);
            settings.checked().unwrap_err().field().to_owned()
        };
        assert_eq!(progressive(|settings| settings.msg_threshold = 0), "msgThreshold");
        assert_eq!(progressive(|settings| settings.last_keep = 31), "lastKeep");
        assert_eq!(progressive(|settings| settings.preview = 5121), "preview");
        assert_eq!(progressive(|settings| settings.context_tokens = 0), "contextTokens");
        assert!(Progressive { last_keep: 30, ..Progressive::default() }.checked().is_ok());
    }
}
