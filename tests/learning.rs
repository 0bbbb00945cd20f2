//! Learning from experience in a memory: skills and guards that come, hold, and go again.

#[allow(dead_code, reason = "other tests need more of it")]
mod shared;
#[allow(dead_code, reason = "other tests need more of it")]
#[path = "shared/verbs.rs"]
mod verbs;

use keepsake::{Config, MemStore};
use serde_json::{Value, json};
use shared::{Scene, open};
use verbs::{call, names};

fn memory(store: &MemStore) -> Scene {
    open(store, 7, &Config::default())
}

/// Steps of a run, logged one by one.
fn run(memory: &Scene, task_type: &str, trace: &str, steps: &[(&str, Option<&str>)]) {
    for (tool, error) in steps {
        call(
            memory,
            "logStep",
            json!({"taskType": task_type, "toolName": tool, "error": error, "traceId": trace, "session": "s"}),
        );
    }
}

#[test]
fn b2_b25_who_fails_twice_is_told_before_the_third_time() {
    let store = MemStore::new();
    let memory = memory(&store);
    call(
        &memory,
        "append",
        json!({"session": "s", "messages": [{"role": "user", "content": "Deploy the shop again"}]}),
    );
    run(&memory, "deploy", "t-1", &[("deploy", Some("DATABASE_URL is not set"))]);
    run(&memory, "deploy", "t-2", &[("deploy", Some("DATABASE_URL is not set"))]);
    let lessons = call(&memory, "learn", json!({}));
    assert_eq!(
        (&lessons["taskType"], &lessons["traces"], &lessons["more"]),
        (&json!("deploy"), &json!(2), &json!(false))
    );
    assert_eq!(lessons["guards"][0]["traces"], json!(["t-1", "t-2"]));
    let reopened = open(&store, 3, &Config::default());
    let prompt = || {
        call(&reopened, "context", json!({"session": "s", "budget": 800, "taskType": "deploy"}))["prompt"].to_string()
    };
    assert!(prompt().contains("DATABASE_URL is not set"), "{}", prompt());
    assert_eq!(call(&reopened, "learn", json!({}))["taskType"], Value::Null, "nothing is learned twice");
    // What works from then on is no longer warned of.
    for n in 0..4 {
        run(&reopened, "deploy", &format!("t-{}", n + 3), &[("check_env", None), ("deploy", None)]);
    }
    let lessons = call(&reopened, "learn", json!({}));
    assert_eq!(lessons["guards"], json!([]));
    assert_eq!(lessons["demoted"].as_array().unwrap().len(), 1);
    assert!(!prompt().contains("DATABASE_URL is not set"));
    assert_eq!(call(&reopened, "logVerify", json!({}))["ok"], true);
}

#[test]
fn b25_frequent_ways_become_skills_and_lose_their_standing_when_they_fail() {
    let store = MemStore::new();
    let memory = memory(&store);
    for n in 0..30 {
        run(&memory, "buy", &format!("good-{n}"), &[("search", None), ("compare", None), ("pay", None)]);
        run(&memory, "mail", &format!("mail-{n}"), &[("draft", None), ("review", None), ("send", None)]);
    }
    let mut learned = Vec::new();
    loop {
        let lessons = call(&memory, "learn", json!({}));
        learned.extend(lessons["skills"].as_array().unwrap().clone());
        if lessons["more"] == false {
            break;
        }
    }
    let ways: Vec<Vec<String>> = learned.iter().map(|skill| names(&skill["tool_sops"], "tool")).collect();
    assert_eq!(learned.len(), 2, "{ways:?}");
    assert!(ways.contains(&vec!["search".into(), "compare".into(), "pay".into()]));
    assert!(
        learned.iter().all(|skill| skill["learned"] == true && skill["support"].as_u64() >= Some(25)),
        "{learned:?}"
    );
    let ids = |memory: &Scene| names(&call(memory, "searchSkills", json!({"taskType": "buy"})), "id");
    assert_eq!(ids(&memory).len(), 1);
    let again = call(&memory, "learn", json!({"taskType": "buy"}));
    assert_eq!(again["skills"][0]["version"], 1, "what is found again is the same skill");
    for n in 0..8 {
        run(&memory, "buy", &format!("bad-{n}"), &[("search", None), ("compare", None), ("pay", Some("card refused"))]);
    }
    let lessons = call(&memory, "learn", json!({}));
    assert_eq!(lessons["demoted"].as_array().unwrap().len(), 1, "{lessons}");
    assert_eq!(ids(&memory).iter().filter(|id| id.starts_with("learned-sop")).count(), 0);
}

#[test]
fn b27_an_apps_own_teacher_sees_each_trace_once() {
    let store = MemStore::new();
    let memory = memory(&store);
    for n in 0..3 {
        run(&memory, "buy", &format!("t{n}"), &[("search", None), ("pay", None)]);
    }
    let given = call(&memory, "learnTraces", json!({}));
    assert_eq!(names(&given["traces"], "id"), ["t0", "t1", "t2"]);
    assert_eq!(call(&memory, "learnTraces", json!({})), given, "until it has answered");
    let taught = json!({"taskType": "buy", "upTo": given["upTo"], "traces": ["t0", "t1", "t2"],
        "skills": [{"use_when": "buy something", "tool_sops": [{"tool": "search"}, {"tool": "pay"}]}]});
    let kept = call(&memory, "learnApply", taught);
    assert_eq!((&kept["skills"][0]["learned"], &kept["skills"][0]["taskType"]), (&json!(true), &json!("buy")));
    assert_eq!(call(&memory, "learnTraces", json!({})), Value::Null);
    // A run that goes on after it was learned from is not given again; a new one is.
    run(&memory, "buy", "t2", &[("rate", None)]);
    run(&memory, "buy", "t3", &[("search", None)]);
    let reopened = open(&store, 5, &Config::default());
    assert_eq!(names(&call(&reopened, "learnTraces", json!({}))["traces"], "id"), ["t3"]);
}
