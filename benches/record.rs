//! The cost of recording a message: `cargo bench --bench record`. The messages are those of the labelled sets, in fourteen
//! languages, recorded one after another into one memory.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads files and the clock")]

use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::{Config, MemStore};
use serde_json::{Value, json};
use std::time::Instant;

fn main() {
    let mut texts = Vec::new();
    for set in ["dev-a", "dev-b", "dev-c"] {
        let path = format!("{}/tests/judgement/{set}.json", env!("CARGO_MANIFEST_DIR"));
        let set: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the set is there")).expect("JSON");
        for language in set.as_object().expect("sets by language").values() {
            for kind in ["keep", "drop", "hard", "secret", "silence"] {
                let cases = language[kind].as_array().map_or(&[][..], Vec::as_slice);
                texts.extend(cases.iter().filter_map(|case| case["text"].as_str()).map(str::to_owned));
            }
        }
    }
    let user = UserId::new("user", "u-1").expect("it is an id");
    let world = Scripted::new(1_735_812_000_000, 1);
    let memory = block_on(Memory::open(MemStore::new(), world, user, Config::default())).expect("it opens");
    let record = |text: &str| {
        let args = json!({ "messages": [{ "role": "user", "content": text }] }).to_string();
        let answer = block_on(memory.call("record", parse(&args).expect("JSON"))).expect("it records");
        answer.as_array().map_or(0, <[_]>::len)
    };
    // The packs of all languages are loaded by the first messages.
    texts.iter().take(100).for_each(|text| _ = record(text));
    let mut kept = 0;
    let mut each: Vec<f64> = Vec::new();
    for text in &texts {
        let begin = Instant::now();
        kept += record(text);
        each.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    each.sort_by(f64::total_cmp);
    let mean = each.iter().sum::<f64>() / each.len() as f64;
    let at = |share: f64| each[((each.len() - 1) as f64 * share) as usize];
    println!(
        "{} messages, {kept} entries: mean {mean:.3} ms, median {:.3} ms, p95 {:.3} ms",
        texts.len(),
        at(0.5),
        at(0.95)
    );
}
