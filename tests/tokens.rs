//! The count of tokens against what real tokenizers make of the same texts (`tests/js/tokens-fixture.mjs`).

use keepsake::text::{count_tokens, estimate_documented};
use serde_json::Value;

/// How far the sum over the texts of one language may be from the tokenizer's.
const ALLOWED: f64 = 0.15;

#[test]
fn x8_tokens_are_counted_within_15_percent_in_every_language() {
    let texts: Vec<Value> = serde_json::from_str(include_str!("fixtures/tokens.json")).unwrap();
    let mut wrong = Vec::new();
    for language in ["english", "vietnamese", "japanese", "chinese", "code"] {
        let of: Vec<&Value> = texts.iter().filter(|text| text["language"] == language).collect();
        assert!(of.len() >= 3, "{language}");
        let sum = |count: &dyn Fn(&Value) -> u32| of.iter().map(|text| f64::from(count(text))).sum::<f64>();
        let known = |name: &'static str| sum(&|text| text[name].as_u64().unwrap() as u32);
        let counted = sum(&|text| count_tokens(text["text"].as_str().unwrap()));
        let documented = sum(&|text| estimate_documented(text["text"].as_str().unwrap()));
        let percent = |tokens: f64, truth: f64| 100.0 * (tokens / truth - 1.0);
        let (o200k, cl100k) = (known("o200k"), known("cl100k"));
        println!(
            "{language}: {o200k} tokens, counted {:+.1} %, documented {:+.1} %; against cl100k {:+.1} %",
            percent(counted, o200k),
            percent(documented, o200k),
            percent(counted, cl100k)
        );
        if (counted / o200k - 1.0).abs() > ALLOWED {
            wrong.push(language);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}
