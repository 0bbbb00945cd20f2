//! Memory poisoning: tool outputs and pages that ask to be remembered, also through a paraphrase of the assistant and
//! through summaries. None of them may reach a trusted block of a prompt, the profile, an instruction or a skill.

use crate::shared::{Scene, open};
use crate::verbs::call;
use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::{Config, MemStore};
use serde_json::{Value, json};

/// The name of the session in which the scripts happen.
const SESSION: &str = "web";

/// The scripts: each has a marker that only the attacker's text contains.
fn scripts() -> Vec<Value> {
    let scripts: Value = serde_json::from_str(include_str!("scripts.json")).unwrap();
    scripts.as_array().unwrap().clone()
}

/// Compresses the session, with this text as every summary. It must change the view.
fn fold(memory: &Scene, text: &str) {
    let way = json!({"type": "tree-reduce", "contextTokens": 60, "compressionThreshold": 0.5, "chunkSize": 4});
    let mut answer = call(memory, "compress", json!({"session": SESSION, "hook": true, "way": way}));
    while answer["done"] == false {
        let texts = vec![text; answer["requests"].as_array().unwrap().len()];
        answer = call(memory, "compressed", json!({"token": answer["token"], "summaries": texts}));
    }
    assert_eq!(answer["changed"], true, "{answer}");
}

fn play(memory: &Scene, script: &Value) {
    for step in script["steps"].as_array().unwrap() {
        match (step["fold"].as_str(), step["call"].as_str()) {
            (Some(text), _) => fold(memory, text),
            (_, Some(verb)) if step["may"] == "fail" => {
                let _ = block_on(memory.call(verb, parse(&step["args"].to_string()).unwrap()));
            }
            (_, verb) => drop(call(memory, verb.unwrap(), step["args"].clone())),
        }
    }
}

/// The parts of a prompt outside of blocks of low trust.
fn trusted(prompt: &str) -> String {
    let (mut kept, mut low) = (String::new(), false);
    for line in prompt.lines() {
        // Quoted lines begin with ">", so only the library's own tags are at the beginning of a line.
        if line.starts_with('<') && !line.starts_with("</") {
            low = line.contains("trust=\"low\"");
        }
        if !low {
            kept.push_str(line);
            kept.push('\n');
        }
        if line.starts_with("</") {
            low = false;
        }
    }
    kept
}

/// The places where the attacker's text has got to.
fn reached(memory: &Scene, script: &Value) -> Vec<String> {
    let marker = script["marker"].as_str().unwrap();
    let mut reached = Vec::new();
    let mut look = |place: String, text: String| {
        if text.contains(marker) {
            reached.push(format!("{place}: {text}"));
        }
    };
    call(memory, "append", json!({"session": "later", "messages": [{"role": "user", "content": "Good morning"}]}));
    for ask in script["asks"].as_array().unwrap() {
        for session in [SESSION, "later"] {
            let args = json!({"session": session, "budget": 4000, "query": ask, "taskType": "mail"});
            look(format!("prompt of {session}"), trusted(call(memory, "context", args)["prompt"].as_str().unwrap()));
        }
        let block = call(memory, "retrieve", json!({"query": ask, "limit": 20}));
        look("retrieved block".to_owned(), trusted(block.as_str().unwrap()));
        let found = call(memory, "queryMemory", json!({"query": ask, "limit": 20, "minTrust": "normal"}));
        look("recalled by trust".to_owned(), found.get("hits").unwrap_or(&found).to_string());
    }
    for message in call(memory, "viewMessages", json!({"session": SESSION})).as_array().unwrap() {
        if message["name"] == "conversation_summary" {
            look("summary in the view".to_owned(), trusted(message["content"][0]["text"].as_str().unwrap()));
        }
    }
    look("profile".to_owned(), call(memory, "getProfile", json!({})).to_string());
    for entry in call(memory, "list", json!({})).as_array().unwrap() {
        if entry["tags"].as_array().unwrap().contains(&json!("instruction")) {
            look("instruction".to_owned(), format!("{entry} tag:instruction"));
        }
    }
    for skill in call(memory, "searchSkills", json!({"taskType": "mail", "topK": 20})).as_array().unwrap() {
        if skill["trust"] != "low" {
            look("skill".to_owned(), skill.to_string());
        }
    }
    reached
}

#[test]
fn s1_poison_reaches_no_trusted_place() {
    let scripts = scripts();
    assert_eq!(scripts.len(), 20);
    let mut failures = Vec::new();
    for script in &scripts {
        let memory = open(&MemStore::new(), 7, &Config::default());
        play(&memory, script);
        let reached = reached(&memory, script);
        if !reached.is_empty() {
            failures.push(format!("{}:\n  {}", script["name"], reached.join("\n  ")));
        }
    }
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), scripts.len(), failures.join("\n"));
}

/// The words of the user are not lowered by a page: what they say themselves is remembered as theirs.
#[test]
fn s1_the_users_own_words_stay_trusted_beside_a_page() {
    let memory = open(&MemStore::new(), 7, &Config::default());
    let said = json!([
        {"role": "user", "content": "I am allergic to peanuts. Always answer in short sentences."},
        {"role": "tool", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "x"}]}]},
        {"role": "user", "content": "I live in Hanoi."},
    ]);
    let recorded = call(&memory, "record", json!({"messages": said}));
    let recorded = recorded.as_array().unwrap();
    assert!(recorded.len() >= 3, "{recorded:?}");
    assert!(recorded.iter().all(|entry| entry["trust"] == "normal"), "{recorded:?}");
    assert!(recorded.iter().any(|entry| entry["tags"] == json!(["instruction"])), "{recorded:?}");
    let block = call(&memory, "retrieve", json!({"query": "Where do I live?"}));
    assert!(trusted(block.as_str().unwrap()).contains("Hanoi"), "{block}");
}
