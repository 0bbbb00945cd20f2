//! The count of tokens against what real tokenizers make of the same texts (`tests/js/support/tokens-fixture.mjs`).

use keepsake::model::Tokenizer;
use keepsake::text::count_tokens_of;
use serde_json::Value;
use std::collections::BTreeMap;

/// How far an estimate may be below the tokenizer's count, and above it, over the texts of one kind and half.
const ALLOWED: std::ops::RangeInclusive<f64> = -0.10..=0.30;

fn fixture() -> Vec<Value> {
    serde_json::from_str(include_str!("fixtures/tokens.json")).unwrap()
}

/// The kinds and halves that are outside of `allowed` for one family.
fn outside(family: Tokenizer, real: &str, allowed: &std::ops::RangeInclusive<f64>) -> Vec<String> {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for text in fixture() {
        let counted = f64::from(count_tokens_of(family, text["text"].as_str().unwrap()));
        let (estimate, truth) = sums.entry(format!("{} ({})", text["kind"], text["half"])).or_default();
        *estimate += counted;
        *truth += text[real].as_f64().unwrap();
    }
    let off = sums.into_iter().map(|(kind, (estimate, truth))| (kind, estimate / truth - 1.0));
    off.filter(|(_, off)| !allowed.contains(off)).map(|(kind, off)| format!("{kind}: {:+.0} %", off * 100.0)).collect()
}

#[test]
fn x8_no_kind_of_text_is_counted_more_than_10_percent_too_low() {
    assert!(fixture().len() > 70);
    assert_eq!(outside(Tokenizer::O200k, "o200k", &ALLOWED), Vec::<String>::new());
    assert_eq!(outside(Tokenizer::Cl100k, "cl100k", &ALLOWED), Vec::<String>::new());
}

#[test]
fn x8_families_without_a_public_tokenizer_count_more_than_those_that_they_are_derived_from() {
    // By as much as was published, or more.
    assert_eq!(outside(Tokenizer::Claude, "o200k", &(0.10..=8.0)), Vec::<String>::new());
    assert_eq!(outside(Tokenizer::Gemini, "o200k", &(0.05..=2.0)), Vec::<String>::new());
}
