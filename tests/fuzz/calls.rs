//! The verbs and tools of a memory with arguments that nobody should send, and exports that were tampered with.

use crate::dice::Dice;
use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::tools::TOOLS;
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};
use std::sync::LazyLock;

type Scene = Memory<MemStore, Scripted>;

/// Calls with arguments that are in order: those of the scenarios, and one of each tool.
static SEEDS: LazyLock<Vec<(String, Value)>> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut seeds = Vec::new();
    for file in files {
        let scenario: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for step in scenario["steps"].as_array().unwrap() {
            if let Some(verb) = step["call"].as_str().filter(|verb| *verb != "close") {
                seeds.push((verb.to_owned(), step["args"].clone()));
            }
        }
    }
    for tool in TOOLS {
        let args: serde_json::Map<String, Value> =
            tool.params.iter().map(|param| (param.name.to_owned(), json!("x"))).collect();
        seeds.push(("callTool".to_owned(), json!({ "name": tool.name, "args": args })));
    }
    for path in ["/memories/a.md", "/memories"] {
        let input = json!({ "command": "create", "path": path, "file_text": "x" });
        seeds.push(("memoryTool".to_owned(), json!({ "agent": "a", "input": input })));
    }
    seeds
});

fn open(store: &MemStore) -> Scene {
    let user = UserId::new("user", "u-1").unwrap();
    block_on(Memory::open(store.connect(), Scripted::new(1_735_812_000_000, 1), user, Config::default())).unwrap()
}

fn call(memory: &Scene, verb: &str, args: &str) -> Result<String, ErrorCode> {
    // What no parser of ours takes never reaches a verb.
    let Ok(args) = parse(args) else { return Err(ErrorCode::InvalidInput) };
    block_on(memory.call(verb, args)).map(|answer| answer.to_string()).map_err(|error| error.code())
}

/// Whatever is called with whatever arguments: an answer that is JSON or a typed error, and a memory that is in order
/// afterwards, here and in the next program.
pub(crate) fn verbs(dice: &mut Dice) {
    let store = MemStore::new();
    let memory = open(&store);
    for _ in 0..2 + dice.below(8) {
        let (verb, mut args) = dice.choose(&SEEDS).clone();
        for _ in 0..dice.below(4) {
            dice.twist(&mut args);
        }
        match call(&memory, &verb, &args.to_string()) {
            Ok(answer) => {
                assert!(serde_json::from_str::<Value>(&answer).is_ok(), "{verb} {args} answers {answer}");
                if verb == "callTool" {
                    let answer: Value = serde_json::from_str(&answer).unwrap();
                    assert!(answer["text"].is_string() && answer["isError"].is_boolean(), "{args}");
                }
            }
            Err(code) => assert!(!matches!(code, ErrorCode::Corrupt | ErrorCode::StoreLost), "{verb} {args}: {code:?}"),
        }
    }
    let verdict = call(&memory, "logVerify", "{}").unwrap();
    assert!(verdict.contains(r#""ok":true"#), "{verdict}");
    let again = open(&store);
    for (verb, args) in [("list", r#"{"limit":1000}"#), ("stats", "{}"), ("sessions", "{}"), ("files", "{}")] {
        assert_eq!(call(&memory, verb, args), call(&again, verb, args), "{verb} in the next program");
    }
}

/// An export of a session that was changed is never called intact, unless it says the same.
pub(crate) fn export(dice: &mut Dice) {
    let store = MemStore::new();
    let memory = open(&store);
    for n in 0..2 + dice.below(4) {
        let content = format!("message {n} {}", dice.word());
        let message = json!({ "session": "s", "messages": [{ "role": "user", "content": content }] });
        call(&memory, "append", &message.to_string()).unwrap();
    }
    let lines = call(&memory, "logExport", r#"{"session":"s"}"#).unwrap();
    let lines: Vec<String> = serde_json::from_str(&lines).unwrap();
    let whole: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let check =
        |text: &str| call(&memory, "logCheck", &json!({ "lines": text.lines().collect::<Vec<_>>() }).to_string());
    assert!(check(&whole).unwrap().contains(r#""ok":true"#));
    let mut bytes = whole.clone().into_bytes();
    dice.damage(&mut bytes);
    let damaged = String::from_utf8_lossy(&bytes).into_owned();
    if let Ok(verdict) = check(&damaged)
        && verdict.contains(r#""ok":true"#)
    {
        let said =
            |text: &str| -> Vec<Value> { text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect() };
        assert_eq!(said(&damaged), said(&whole), "a changed export is called intact: {damaged}");
    }
}
