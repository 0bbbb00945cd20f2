//! Learning from experience in a memory: skills and guards that come, hold, and go again.

use crate::shared::{Scene, open};
use crate::verbs::{call, names};
use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};

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

/// A run whose steps are tools with their input, and an error if they failed.
fn run_with(memory: &Scene, task_type: &str, trace: &str, steps: &[(&str, Value, Option<&str>)]) {
    for (tool, input, error) in steps {
        let step = json!({"taskType": task_type, "toolName": tool, "input": input, "error": error, "traceId": trace});
        call(memory, "logStep", step);
    }
}

#[test]
fn b19_b25_the_documents_own_procedure_reaches_the_prompt_with_its_commands() {
    let memory = memory(&MemStore::new());
    let sop =
        [("create_repo", "create repo from template nextjs"), ("run_cmd", "npm install"), ("run_cmd", "npm start")];
    for n in 0..4 {
        let steps = sop.map(|(tool, action)| (tool, json!(action), None));
        run_with(&memory, "deploy", &format!("t-{n}"), &steps);
    }
    // As an earlier version learned it: names alone.
    let names_only = json!({"id": "learned-sop-old", "taskType": "deploy", "use_when": "The task is `deploy`.",
        "tool_sops": [{"tool": "create_repo"}, {"tool": "run_cmd"}]});
    call(&memory, "addSkill", names_only);
    let lessons = call(&memory, "learn", json!({}));
    assert_eq!(lessons["demoted"], json!(["learned-sop-old"]));
    let expected: Vec<Value> = sop.iter().map(|(tool, action)| json!({"tool": tool, "action": action})).collect();
    assert_eq!(lessons["skills"][0]["tool_sops"], json!(expected), "{lessons}");
    let found = call(&memory, "searchSkills", json!({"taskType": "deploy"}));
    assert_eq!((found.as_array().unwrap().len(), &found[0]["tool_sops"]), (1, &json!(expected)));
    call(&memory, "append", json!({"session": "s", "messages": [{"role": "user", "content": "Deploy it"}]}));
    let context = call(&memory, "context", json!({"session": "s", "budget": 800, "taskType": "deploy"}));
    assert!(context["prompt"].as_str().unwrap().contains("> 2. run_cmd: npm install"), "{context}");
}

#[test]
fn b25_one_run_is_enough_if_so_much_support_is_asked_for() {
    let memory = memory(&MemStore::new());
    run_with(
        &memory,
        "deploy",
        "t-0",
        &[("create_repo", json!({"name": "shop"}), None), ("run_cmd", json!("npm i"), None)],
    );
    assert_eq!(call(&memory, "learn", json!({}))["skills"], json!([]));
    let lessons = call(&memory, "learn", json!({"taskType": "deploy", "minSupport": 1}));
    let steps =
        json!([{"tool": "create_repo", "action": "{\"name\":\"shop\"}"}, {"tool": "run_cmd", "action": "npm i"}]);
    assert_eq!(lessons["skills"][0]["tool_sops"], steps, "{lessons}");
    assert_eq!(lessons["guards"], json!([]));
}

#[test]
fn b28_a_tool_that_works_on_the_second_try_is_not_warned_of() {
    for runs in [2, 12] {
        let memory = memory(&MemStore::new());
        for n in 0..runs {
            let upload = |error| ("upload", json!({"bucket": "site"}), error);
            run_with(&memory, "publish", &format!("t-{n}"), &[upload(Some("timeout after 30 s")), upload(None)]);
        }
        let lessons = call(&memory, "learn", json!({}));
        let told = names(&lessons["guards"], "use_when");
        assert_eq!(told, ["If `upload` fails with “timeout after # s”, try it again."], "{runs}");
        call(&memory, "append", json!({"session": "s", "messages": [{"role": "user", "content": "Publish it"}]}));
        let context = call(&memory, "context", json!({"session": "s", "budget": 800, "taskType": "publish"}));
        let prompt = context["prompt"].as_str().unwrap();
        assert!(prompt.contains("> Warning: If `upload` fails") && !prompt.contains("went well"), "{prompt}");
    }
}

#[test]
fn what_is_not_found_is_named() {
    let memory = memory(&MemStore::new());
    call(&memory, "append", json!({"session": "s", "messages": [{"role": "user", "content": "Hello"}]}));
    for (verb, args, text) in [
        ("update", json!({"id": "e", "content": "x"}), "not found: no entry with this id"),
        ("setTitle", json!({"session": "t", "title": "x"}), "not found: no session with this id"),
        ("fork", json!({"session": "s", "at": "m", "to": "t"}), "not found: no message with this id in the session"),
        ("moveFile", json!({"from": "a.md", "to": "b.md"}), "not found: no file at this path"),
        ("recordSkillUse", json!({"id": "k", "success": true}), "not found: no skill with this id"),
    ] {
        let error = block_on(memory.call(verb, parse(&args.to_string()).unwrap())).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::NotFound, text), "{verb}");
    }
}
