//! A cache of results derived from stored texts, so that the next prompt need not derive them again. It is in memory only,
//! and dropped when something is erased: no result may outlive its text.

use super::judging::Described;
use crate::judgement::Lang;
use std::rc::Rc;

/// The number of described texts that are kept, and the longest: a prompt compares some sixty statements and messages
/// with its question, and the next prompt mostly others of the same conversation.
const DESCRIBED: usize = 2048;
const LONGEST: usize = 2000;

/// The number of longer texts whose stems are kept.
const STEMS: usize = 2048;

/// The number of texts whose tokens are kept: a window has some hundred messages, and each prompt counts them.
const COUNTED: usize = 1024;

/// The number of fitted summaries that are kept: a prompt has a few, and the next prompt the same.
const SUMMARIES: usize = 16;

/// The results, each at the place that its hash gives.
#[derive(Debug, Default)]
pub(in crate::memory) struct Derived {
    described: Vec<Option<Rc<Described>>>,
    stems: Vec<Option<(u64, Rc<[u32]>)>>,
    fitted: Vec<Option<(u64, Fitted)>>,
    tokens: Vec<Option<(u64, u32)>>,
}

/// A summary in the room that a prompt has for it.
#[derive(Clone, Debug)]
pub(in crate::memory) struct Fitted {
    /// Its most important sentences, if it is too long.
    pub(in crate::memory) short: Option<Rc<str>>,
    /// The tokens that it takes.
    pub(in crate::memory) tokens: u32,
}

/// A text, with whatever else its results depend on, as a number: FNV-1a of 64 bits, so that no text is kept to be
/// compared.
pub(in crate::memory) fn key(text: &str, with: u32) -> u64 {
    let bytes = text.bytes().chain(with.to_le_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The same for a text that is read after one of this language.
fn key_after(text: &str, prior: Option<Lang>) -> u64 {
    key(text, prior.map_or(u32::MAX, |lang| lang as u32))
}

fn place(key: u64, slots: usize) -> usize {
    ((key ^ key >> 32) as usize) % slots
}

fn found<T: Clone>(slots: &[Option<(u64, T)>], key: u64) -> Option<T> {
    let known = slots.get(place(key, slots.len().max(1)))?.as_ref()?;
    (known.0 == key).then(|| known.1.clone())
}

fn keep<T: Clone>(slots: &mut Vec<Option<(u64, T)>>, count: usize, key: u64, value: T) {
    slots.resize(count, None);
    if let Some(slot) = slots.get_mut(place(key, count)) {
        *slot = Some((key, value));
    }
}

impl Derived {
    /// Drops everything: a text was erased, or would be read in another way.
    pub(in crate::memory) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn described(&self, text: &str, prior: Option<Lang>) -> Option<Rc<Described>> {
        let known = self.described.get(place(key_after(text, prior), DESCRIBED))?.as_ref()?;
        known.is_of(text, prior).then(|| Rc::clone(known))
    }

    pub(super) fn keep_described(&mut self, text: &str, prior: Option<Lang>, described: &Rc<Described>) {
        if text.len() <= LONGEST {
            self.described.resize(DESCRIBED, None);
            self.described[place(key_after(text, prior), DESCRIBED)] = Some(Rc::clone(described));
        }
    }

    /// The key of a text, and its stems if they are known.
    pub(super) fn stems(&self, text: &str, prior: Option<Lang>) -> (u64, Option<Rc<[u32]>>) {
        let key = key_after(text, prior);
        (key, found(&self.stems, key))
    }

    pub(super) fn keep_stems(&mut self, key: u64, stems: &Rc<[u32]>) {
        keep(&mut self.stems, STEMS, key, Rc::clone(stems));
    }

    /// The tokens of a text, by [`key`].
    pub(in crate::memory) fn tokens(&self, key: u64) -> Option<u32> {
        found(&self.tokens, key)
    }

    pub(in crate::memory) fn keep_tokens(&mut self, key: u64, tokens: u32) {
        keep(&mut self.tokens, COUNTED, key, tokens);
    }

    /// How a summary fits, by [`key`].
    pub(in crate::memory) fn fitted(&self, key: u64) -> Option<Fitted> {
        found(&self.fitted, key)
    }

    pub(in crate::memory) fn keep_fitted(&mut self, key: u64, fitted: &Fitted) {
        keep(&mut self.fitted, SUMMARIES, key, fitted.clone());
    }
}
