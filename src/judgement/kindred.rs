//! Search words for other statements about an attribute, which need not share a word with the text at hand.

use super::attribute::{Attribute, Attributes};

/// The words of a pack that state one of these attributes. `text` is the pack.
pub fn kindred(text: &str, attributes: Attributes) -> String {
    let mut words = String::new();
    for line in text.lines() {
        let Some((key, cues)) = line.split_once(' ') else { continue };
        if Attribute::of_key(key).is_some_and(|attribute| attributes.has(attribute)) {
            words.push_str(cues.split(" ? ").next().unwrap_or(""));
            words.push('|');
        }
    }
    words.replace(['|', '*', '^', '$', '+'], " ")
}
