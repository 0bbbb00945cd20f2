//! The component beside the library itself: the same calls give the same answers and leave the same bytes.

use crate::NOW;
use futures::executor::block_on;
use keepsake::codec::json::{config, parse};
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake_host::{Instance, Storage, json};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// So little room that entries have to go, and a namespace that the defaults do not have.
const CONFIG: &str = r#"{"namespaces": {"short-term": {"maxEntries": 12}, "notes": {"ttlDays": 1, "maxContentChars": 40}},
        "policies": {"flows": {"f-1": {"max_docs": 2}}, "agents": {"shy": {"useProfile": false, "maxSkills": 1}}}}"#;

/// Good calls and bad ones. Where a number is wanted, `n` is one that changes from call to call.
fn calls(n: u32) -> Vec<(&'static str, Value)> {
    let id = format!("id-{}", n % 20);
    let key = format!("key-{}", n % 5);
    vec![
        ("add", json!({ "content": format!("remembered {n}") })),
        ("add", json!({ "content": format!("called {n}"), "id": id, "namespace": "long-term" })),
        ("add", json!({ "content": "việt 👩‍🚀 ".repeat(n as usize % 500), "tags": ["a", "b", "a"], "importance": 0.25 })),
        (
            "add",
            json!({ "content": "x".repeat(200_001), "source": "a file", "metadata": { "n": n, "__proto__": [null] } }),
        ),
        ("add", json!({ "content": " " })),
        ("add", json!({})),
        ("add", json!({ "content": 5 })),
        ("add", json!({ "content": "a", "contant": "b" })),
        ("add", json!({ "content": "a", "id": "x".repeat(300) })),
        ("add", json!({ "content": "a", "namespace": "secret" })),
        ("add", json!({ "content": "a", "tags": ["a", ""] })),
        ("add", json!({ "content": "a", "tags": "a" })),
        ("add", json!({ "content": "a", "importance": 1.5 })),
        ("add", json!({ "content": "a", "metadata": [1] })),
        ("add", json!({ "content": "a", "source": "s".repeat(2000) })),
        ("add", json!({ "content": format!("about {n}"), "key": key, "namespace": "long-term", "trust": "high" })),
        ("add", json!({ "content": "about it again ".repeat(n as usize % 200), "key": key })),
        ("add", json!({ "content": "a", "key": key, "id": id })),
        ("add", json!({ "content": "a", "key": "" })),
        ("add", json!({ "content": "soon gone", "ttl": 1000 * (n % 20_000) })),
        ("add", json!({ "content": "for ever", "ttl": 1e300 })),
        ("add", json!({ "content": "a", "ttl": -1 })),
        ("add", json!({ "content": "a", "ttl": "1" })),
        (
            "add",
            json!({
                "content": format!("said {n}, which is cut where notes are short"), "namespace": "notes",
                "session": "s-1", "agent": "helper", "speaker": "Hue", "at": n, "trust": "low",
            }),
        ),
        ("add", json!({ "content": "a", "at": "2024-12-24T18:30:00.5Z" })),
        ("add", json!({ "content": "a", "at": "yesterday" })),
        ("add", json!({ "content": "a", "at": -1e18 })),
        ("add", json!({ "content": "a", "at": true })),
        ("add", json!({ "content": "a", "session": "" })),
        ("add", json!({ "content": "a", "agent": "x".repeat(300) })),
        ("add", json!({ "content": "a", "speaker": 5 })),
        ("add", json!({ "content": "a", "trust": "blind" })),
        ("add", json!({ "content": format!("lies {n}"), "embedding": [n % 7, n % 11, 1.5, -0.25] })),
        ("add", json!({ "content": "a", "embedding": [] })),
        ("add", json!({ "content": "a", "embedding": [0, 0, 0, 0] })),
        ("add", json!({ "content": "a", "embedding": [1, 2] })),
        ("add", json!({ "content": "a", "embedding": [1e300] })),
        ("add", json!({ "content": "a", "embedding": "near" })),
        ("add", json!({ "content": "a", "embedding": vec![1; 4097] })),
        ("update", json!({ "id": id, "content": "moved", "embedding": [1, n % 5, 0, 0.1] })),
        ("update", json!({ "id": id, "embedding": [1, n % 5, 0, 0.1] })),
        ("update", json!({ "id": id, "embedding": [n % 5] })),
        ("update", json!({ "id": id, "content": format!("changed {n} ").repeat(n as usize % 300) })),
        ("update", json!({ "id": id, "tags": [], "importance": 0.5, "source": "", "metadata": {}, "trust": "low" })),
        ("update", json!({ "id": id, "namespace": "notes", "tags": ["moved"] })),
        ("update", json!({ "id": id, "namespace": "long-term", "ttl": 1000 * (n % 100_000) + 1 })),
        ("update", json!({ "id": id })),
        ("update", json!({ "id": id, "content": "" })),
        ("update", json!({ "id": id, "namespace": "secret" })),
        ("update", json!({ "id": id, "tags": ["a", ""] })),
        ("update", json!({ "id": id, "importance": 2 })),
        ("update", json!({ "id": id, "metadata": 1 })),
        ("update", json!({ "id": id, "source": "s".repeat(2000) })),
        ("update", json!({ "id": id, "ttl": 0 })),
        ("update", json!({ "id": id, "trust": 1 })),
        ("update", json!({ "id": id, "key": key })),
        ("update", json!({ "id": "", "content": "a" })),
        ("update", json!({ "id": "nobody", "content": "a" })),
        ("update", json!({ "content": "a" })),
        ("get", json!({ "id": id })),
        ("get", json!({ "id": "nobody" })),
        ("get", json!({ "id": "" })),
        ("get", json!({})),
        ("history", json!({ "id": id })),
        ("history", json!({ "id": "nobody" })),
        ("history", json!({ "id": "" })),
        ("history", Value::Null),
        ("delete", json!({ "id": id })),
        ("delete", json!({ "id": "nobody" })),
        ("delete", json!({ "id": "x".repeat(300) })),
        ("delete", json!({})),
        ("list", Value::Null),
        ("list", json!({ "namespace": "long-term", "limit": n % 7 })),
        ("list", json!({ "after": id, "limit": 3 })),
        ("list", json!({ "limit": -1 })),
        ("list", json!({ "namespace": "secret" })),
        ("search", json!({ "query": "remembered called", "explain": true, "limit": n % 9 })),
        ("search", json!({ "query": format!("changed {n} about it VIỆT"), "explain": true, "ranking": "formula" })),
        ("search", json!({ "query": format!("said {}", n % 100), "ranking": "best", "includeContent": true })),
        (
            "search",
            json!({ "query": "about again soon", "ranking": "formula", "minScore": f64::from(n % 100) / 100.0 }),
        ),
        ("search", json!({ "query": "việt called", "tags": ["A", "moved"], "minTrust": "normal", "limit": 100 })),
        ("search", json!({ "query": "called changed", "tags": { "any": ["moved"], "all": [], "none": ["a"] } })),
        ("search", json!({ "query": "remembered said xxx", "from": n, "until": "2025-02-01T00:00:00Z" })),
        (
            "search",
            json!({ "query": "said cut", "session": "s-1", "agent": "helper", "namespace": "notes", "explain": true }),
        ),
        ("search", json!({ "query": "x".repeat(200), "source": "a file", "metadata": { "__proto__": [null] } })),
        ("search", json!({ "query": "remembered", "metadata": { "n": n } })),
        ("search", json!({ "query": "lies", "embedding": [n % 3, 1, n % 4, 0.5], "explain": true })),
        ("search", json!({ "query": "nowhere", "embedding": [1, n % 3, 0, 0.5], "explain": true })),
        ("search", json!({ "query": "lies", "embedding": [1, 2, 3, 4], "ranking": "formula" })),
        ("search", json!({ "query": "lies", "embedding": [n] })),
        ("explainMiss", json!({ "id": id, "query": "lies", "embedding": [1, 2, 3, 4] })),
        ("unembedded", json!({ "limit": n % 5 })),
        ("unembedded", Value::Null),
        ("unembedded", json!({ "limit": -1 })),
        ("embed", json!({ "items": [{ "id": id, "version": n % 3, "embedding": [0.1, n % 9, -3, 1] }] })),
        ("embed", json!({ "items": [{ "id": id, "version": 1, "embedding": [n] }] })),
        ("embed", json!({ "items": [{ "id": "", "version": 1, "embedding": [1, 0, 0, 0] }] })),
        ("embed", json!({ "items": [{ "id": id, "version": 1, "embedding": [] }] })),
        ("embed", json!({ "items": {} })),
        ("embed", json!({ "items": [] })),
        ("search", json!({ "query": "" })),
        ("search", json!({ "query": "?!" })),
        ("search", json!({ "query": 5 })),
        ("search", json!({})),
        ("search", json!({ "query": "q".repeat(70_000) })),
        ("search", json!({ "query": "a", "topK": 3 })),
        ("search", json!({ "query": "a", "ranking": "newest" })),
        ("search", json!({ "query": "a", "limit": 0.5 })),
        ("search", json!({ "query": "a", "minScore": "low" })),
        ("search", json!({ "query": "a", "namespace": "secret" })),
        ("search", json!({ "query": "a", "tags": [1] })),
        ("search", json!({ "query": "a", "tags": "a" })),
        ("search", json!({ "query": "a", "from": "yesterday" })),
        ("search", json!({ "query": "a", "until": -1e18 })),
        ("search", json!({ "query": "a", "metadata": "page" })),
        ("search", json!({ "query": "a", "minTrust": "blind" })),
        ("search", json!({ "query": "a", "includeContent": "yes" })),
        ("explainMiss", json!({ "id": id, "query": "called changed about" })),
        ("explainMiss", json!({ "id": id, "query": "called remembered soon", "ranking": "formula", "minScore": 0.5 })),
        ("explainMiss", json!({ "id": id, "query": "called changed", "limit": 1, "namespace": "long-term" })),
        ("explainMiss", json!({ "id": id, "query": "called", "tags": { "none": ["moved"] }, "minTrust": "normal" })),
        ("explainMiss", json!({ "id": "nobody", "query": "called" })),
        ("explainMiss", json!({ "id": "", "query": "called" })),
        ("explainMiss", json!({ "query": "called" })),
        ("explainMiss", json!({ "id": id })),
        ("explainMiss", json!({ "id": id, "query": "called", "namespace": "secret" })),
        ("hint", Value::Null),
        ("count", Value::Null),
        ("count", json!({ "namespace": "notes" })),
        ("count", json!({ "namespace": "secret" })),
        ("count", json!({ "limit": 1 })),
        ("stats", Value::Null),
        // Seldom, so that there is something to clear.
        ("clear", if n.is_multiple_of(16) { Value::Null } else { json!({ "namespace": "" }) }),
        (
            "clear",
            if n.is_multiple_of(4) { json!({ "namespace": "short-term" }) } else { json!({ "namespace": "secret" }) },
        ),
        ("cleanup", Value::Null),
        ("flush", Value::Null),
        ("forget", json!({})),
    ]
}

/// The same for the facade and its stores.
fn calls_of_stores(n: u32) -> Vec<(&'static str, Value)> {
    let (session, flow) = (format!("s-{}", n % 3), format!("f-{}", n % 2));
    let (skill, thing) = (format!("skill-{}", n % 4), format!("thing-{}", n % 6));
    let scopes = ["dialog", "state", "semantic", "procedural", "profile", "experience"];
    let query = |more: Value| {
        let mut query = json!({ "sessionId": session, "agentId": "a", "flowId": flow, "scopes": scopes });
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        query
    };
    let event = |scope: &str, data: Value| json!({ "session_id": session, "agent_id": "a", "flow_id": flow, "scope": scope, "data": data });
    vec![
        ("read", query(json!({ "query": format!("called thing {n}"), "taskType": "t-1" }))),
        ("read", query(json!({ "scopes": scopes[n as usize % 6..], "task_type": "t-0", "agentId": "shy" }))),
        ("read", query(json!({ "userId": "u-2" }))),
        ("read", query(json!({ "scopes": ["dreams"] }))),
        ("write", event("dialog", json!({ "role": "user", "content": format!("said in passing {n}") }))),
        ("write", event("dialog", json!({ "summary": format!("in short {n}") }))),
        ("write", event("state", json!({ "state": { "n": n } }))),
        ("write", event("state", json!({ "taskId": "task", "step": format!("step {n}"), "status": "done" }))),
        ("write", event("semantic", json!({ "id": thing, "content": format!("A document called {n}") }))),
        ("write", event("procedural", json!({ "id": skill, "use_when": format!("when {}", n % 3) }))),
        ("write", event("profile", json!({ "field": { "n": n % 9 } }))),
        ("write", event("experience", json!({ "taskType": "t-1", "toolName": "x", "cost": f64::from(n) / 7.0 }))),
        ("write", event("experience", json!({ "taskType": "t-1", "toolName": "" }))),
        ("write", event("profile", json!(n))),
        // Seldom, so that there is something to erase.
        (
            "deleteSession",
            json!({ "session": if n.is_multiple_of(8) { session.as_str() } else { "nobody" }, "keepEntries": n.is_multiple_of(3) }),
        ),
        ("policy", json!({ "flowId": flow, "agentId": "shy" })),
        ("getContext", json!({ "session": session, "limitTurns": n % 4 })),
        ("add", json!({ "content": format!("a fact {n}"), "session": session, "namespace": "long-term" })),
        ("updateSummary", json!({ "session": session, "summary": "s".repeat(n as usize * 2) })),
        ("getProfile", Value::Null),
        ("updateProfile", json!({ "changes": { "field": null, format!("f-{}", n % 5): [n] }, "source": "form" })),
        ("getState", json!({ "flow": flow, "session": session, "version": n % 5 })),
        ("getState", json!({ "flow": flow, "session": session })),
        (
            "saveState",
            json!({ "flow": flow, "session": session, "state": { "variables": { "n": n } }, "expect": n % 3 }),
        ),
        (
            "saveState",
            json!({
                "flow": flow, "session": session,
                "state": { "status": "on", "tasks": [{ "id": "a" }, { "id": "b", "dependsOn": ["a"], "progress": 0.3 }] },
            }),
        ),
        ("stateVersions", json!({ "flow": flow, "session": session })),
        ("logTaskStep", json!({ "taskId": "task", "step": "x", "status": "failed", "error": "no", "flow": flow })),
        ("taskSteps", json!({ "taskId": "task" })),
        ("taskSteps", json!({ "taskId": "task", "session": session })),
        (
            "addDocuments",
            json!({ "documents": [{ "id": thing, "content": "several words. ".repeat(n as usize % 200), "tags": ["d"] }] }),
        ),
        ("deleteDocument", json!({ "id": thing })),
        ("semanticSearch", json!({ "query": "several document called", "topK": n % 9, "filters": { "tags": ["d"] } })),
        (
            "semanticSearch",
            json!({ "query": format!("{thing} called"), "graph": n % 3, "external": [{ "content": "e" }] }),
        ),
        (
            "graphAdd",
            json!({
                "entities": [{ "name": thing, "type": "t", "observations": [format!("observed {}", n % 7)] }],
                "relations": [{ "from": thing, "to": "thing-0", "type": "knows" }],
            }),
        ),
        (
            "graphDelete",
            json!({ "entities": [{ "name": thing }, { "name": "thing-1", "observations": ["observed 1"] }] }),
        ),
        ("graphOpen", json!({ "names": [thing, "thing-0"] })),
        ("graphRead", Value::Null),
        ("graphSearch", json!({ "query": "observed thing", "limit": n % 4, "steps": n % 3 })),
        (
            "addSkill",
            json!({ "id": skill, "taskType": "t-1", "use_when": "when called", "tool_sops": [{ "tool": format!("t{}", n % 2) }] }),
        ),
        ("searchSkills", json!({ "taskType": "t-1", "query": "called when", "includeDemoted": n.is_multiple_of(2) })),
        ("getSkill", json!({ "id": skill, "version": n % 3 })),
        ("skills", Value::Null),
        ("skillVersions", json!({ "id": skill })),
        ("deleteSkill", json!({ "id": if n.is_multiple_of(4) { skill.as_str() } else { "nobody" } })),
        ("recordSkillUse", json!({ "id": skill, "success": n.is_multiple_of(3) })),
        (
            "logStep",
            json!({
                "taskType": format!("t-{}", n % 2), "toolName": "x", "traceId": format!("trace-{}", n % 30), "skillId": skill,
                "error": if n.is_multiple_of(3) { json!("broke") } else { Value::Null }, "latencyMs": n, "session": session,
            }),
        ),
        ("getFailures", json!({ "taskType": "t-1", "limit": n % 20 })),
        ("getSuccessfulTraces", json!({ "limit": n % 20 })),
        ("experienceStats", json!({ "taskType": "t-1" })),
        ("learn", if n.is_multiple_of(2) { json!({ "taskType": "t-1", "minSupport": 2 }) } else { Value::Null }),
        ("learnTraces", Value::Null),
        (
            "learnApply",
            json!({
                "taskType": "t-1", "upTo": n, "traces": [format!("trace-{}", n % 30)],
                "skills": [{ "use_when": format!("taught {}", n % 3), "tool_sops": [{ "tool": "x" }] }],
            }),
        ),
    ]
}

/// Makes so many of `calls` in both, and says which of them found something to do and which ways of failing there were.
fn compare(calls: fn(u32) -> Vec<(&'static str, Value)>, rounds: u32) -> BTreeSet<String> {
    let (storage, twin_storage) = (Storage::default(), Storage::default());
    let (world, twin_world) = (Scripted::new(NOW, 42), Scripted::new(NOW, 42));
    let mut instance = Instance::new(&storage, &world);
    let memory = instance.open_with("u-1", Some(CONFIG)).unwrap().unwrap();
    let user = UserId::new("user", "u-1").unwrap();
    let config = config(parse(CONFIG).unwrap()).unwrap();
    let twin = block_on(Memory::open(twin_storage.connect(), twin_world.clone(), user, config)).unwrap();
    // A fixed sequence that looks like chance.
    let mut chance: u32 = 1;
    let mut next = || {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        chance >> 16
    };
    let (mut made, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
    let nothing = [json!(null), json!(false), json!(0), json!([])];
    for _ in 0..rounds {
        let calls = calls(next());
        let at = next() as usize % calls.len();
        let (verb, args) = &calls[at];
        let hours = i64::from(next() % 5) - 1;
        for world in [&world, &twin_world] {
            // Up to three hours on, and now and then one back: some entries expire on the way.
            world.set_now(world.millis() + hours * 3_600_000);
        }
        let seen = json::call(&mut instance, memory, verb, args).unwrap();
        let wanted = block_on(twin.call(verb, parse(&args.to_string()).unwrap()));
        let wanted = wanted.map(|answer| serde_json::from_str::<Value>(&answer.to_string()).unwrap());
        let wanted = wanted.map(|answer| json::sayable(verb, args, &answer));
        let wanted = wanted.map_err(|error| json!({ "code": error.code().as_str(), "field": error.field() }));
        assert_eq!(seen, wanted, "{verb} {args}");
        made.insert(at);
        match seen {
            Ok(answer) if nothing.contains(&answer) => {}
            Ok(_) => drop(outcomes.insert((*verb).to_owned())),
            Err(failure) => drop(outcomes.insert(failure.to_string())),
        }
    }
    assert!(storage.holds_the_same_as(&twin_storage));
    assert_eq!(made.len(), calls(0).len(), "each call was made");
    outcomes
}

/// F42.
#[test]
fn the_component_answers_as_the_library_does_and_stores_the_same_bytes() {
    let outcomes = compare(calls, 2400);
    let reading = ["get", "history", "list", "search", "explainMiss", "unembedded", "count", "stats"];
    for verb in reading.into_iter().chain(["add", "update", "embed", "delete", "clear", "cleanup"]) {
        assert!(outcomes.contains(verb), "{verb} found something to do");
    }
    for (code, field) in [("already-exists", "id"), ("already-exists", "key"), ("not-found", "id")] {
        assert!(outcomes.contains(&json!({ "code": code, "field": field }).to_string()), "{code}: {field}");
    }
}

#[test]
fn the_stores_of_the_component_answer_as_those_of_the_library_do_and_store_the_same_bytes() {
    let outcomes = compare(calls_of_stores, 1200);
    for (verb, _) in calls_of_stores(0).iter().filter(|(verb, _)| *verb != "updateSummary") {
        assert!(outcomes.contains(*verb), "{verb} found something to do");
    }
    for (code, field) in [("conflict", None), ("invalid-input", Some("userId")), ("too-large", Some("summary"))] {
        assert!(outcomes.contains(&json!({ "code": code, "field": field }).to_string()), "{code}: {field:?}");
    }
}
