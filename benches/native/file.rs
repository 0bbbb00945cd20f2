//! What benches/native.mjs measures in Rust: a memory in a file. The program for Node beside it does the same.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads files and the clock")]

use futures::executor::block_on;
use futures::future::join_all;
use keepsake::codec::json::{config, parse};
use keepsake::memory::{Memory, Ranking, SearchOptions};
use keepsake::model::{Draft, EntryId, UserId};
use keepsake::native::{FileStore, SystemEnv};

use serde_json::{Value, json};
use std::time::Instant;

const SLICE: usize = 10_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "--bench").collect();
    let figures = match args[..] {
        ["fill", path, drafts] => block_on(fill(path, drafts)),
        ["single", path, drafts, count] => block_on(single(path, drafts, count.parse().expect("a count"))),
        ["users", path, drafts, count] => block_on(users(path, drafts, count.parse().expect("a count"))),
        ["open", path, questions] => block_on(search(path, questions)),
        ["write", path] => return block_on(write(path)),
        // `cargo bench` runs every benchmark; this one has a driver.
        _ => return println!("use `node benches/native.mjs`"),
    };
    println!("{figures}");
}

async fn opened(store: FileStore, user: &str) -> Memory<FileStore, SystemEnv> {
    let many = json!({ "namespaces": { "long-term": { "maxEntries": 2_000_000 } } });
    let config = config(parse(&many.to_string()).expect("JSON")).expect("a config");
    Memory::open(store, SystemEnv, UserId::new("user", user).expect("an id"), config).await.expect("it opens")
}

fn file(path: &str) -> FileStore {
    FileStore::open(path).expect("the file opens")
}

fn drafts_of(path: &str) -> Vec<Draft> {
    let text = std::fs::read_to_string(path).expect("the drafts are there");
    let draft = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| value[name].as_str().expect("a string").to_owned();
        let id = Some(EntryId::new("id", text("id")).expect("an id"));
        Draft { id, content: text("content"), namespace: Some("long-term".to_owned()), ..Draft::default() }
    };
    text.lines().map(draft).collect()
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn at(mut times: Vec<f64>, part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times[((times.len() as f64 * part) as usize).min(times.len() - 1)]
}

async fn fill(path: &str, drafts: &str) -> Value {
    let mut drafts = drafts_of(drafts);
    let count = drafts.len() as f64;
    let memory = opened(file(path), "u-1").await;
    let begun = Instant::now();
    while !drafts.is_empty() {
        let rest = drafts.split_off(drafts.len().min(SLICE));
        memory.add_many(std::mem::replace(&mut drafts, rest)).await.expect("they are added");
    }
    let time = millis(begun);
    memory.close().await.expect("it closes");
    json!({ "each": time / count })
}

async fn single(path: &str, drafts: &str, count: usize) -> Value {
    let memory = opened(file(path), "u-1").await;
    let mut times = Vec::new();
    for draft in drafts_of(drafts).into_iter().take(count) {
        let begun = Instant::now();
        memory.add(draft).await.expect("it is added");
        times.push(millis(begun));
    }
    json!({ "p50": at(times.clone(), 0.5), "p95": at(times, 0.95) })
}

async fn users(path: &str, drafts: &str, count: usize) -> Value {
    let drafts: Vec<Draft> = drafts_of(drafts).into_iter().take(10).collect();
    let store = file(path);
    let mut memories = Vec::new();
    for at in 0..count {
        memories.push(opened(store.connect().expect("it is open"), &format!("u-{at}")).await);
    }
    let begun = Instant::now();
    let adds = memories.iter().map(async |memory| {
        for draft in &drafts {
            memory.add(draft.clone()).await.expect("it is added");
        }
    });
    join_all(adds).await;
    json!({ "user": millis(begun) / (memories.len() * drafts.len()) as f64 })
}

async fn search(path: &str, questions: &str) -> Value {
    let text = std::fs::read_to_string(questions).expect("the questions are there");
    let questions: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let begun = Instant::now();
    let memory = opened(file(path), "u-1").await;
    let open = millis(begun);
    let ask = async |question: &Value| {
        let query = question["text"].as_str().expect("a string").to_owned();
        let options = SearchOptions { query, ranking: Ranking::Best, limit: Some(5), ..SearchOptions::default() };
        memory.search(&options).await.expect("it searches")
    };
    ask(&questions[0]).await;
    let first_hit = millis(begun);
    for question in &questions {
        ask(question).await;
    }
    let mut times = Vec::new();
    let mut found = 0;
    for question in &questions {
        let begun = Instant::now();
        let hits = ask(question).await;
        times.push(millis(begun));
        let answer = question["answer"].to_string();
        found += usize::from(hits.iter().any(|hit| hit.id.as_str() == answer));
    }
    let r5 = 100.0 * found as f64 / questions.len() as f64;
    let (p50, p95) = (at(times.clone(), 0.5), at(times, 0.95));
    json!({ "opened": open, "firstHit": first_hit, "search50": p50, "search95": p95, "r5": r5 })
}

/// Writes, says so, and waits to be killed.
async fn write(path: &str) {
    let memory = opened(file(path), "u-1").await;
    let content = "the last words".to_owned();
    memory
        .add(Draft { content, namespace: Some("long-term".to_owned()), ..Draft::default() })
        .await
        .expect("it is added");
    println!("{{}}");
    loop {
        std::thread::park();
    }
}
