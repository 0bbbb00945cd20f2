//! The facade and its six stores: what is written through one door is read through it, by policy, and erased for good.

use crate::shared::{Dice, Scene, holding, open};
use crate::verbs::{call, names, refused};
use futures::executor::block_on;
use keepsake::codec::json::{config, parse};
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::{Config, ErrorCode, MemStore};
use serde_json::{Value, json};

fn memory(store: &MemStore) -> Scene {
    open(store, 7, &Config::default())
}

/// The document's flow: a planner that reads, a tool that writes, a policy.
#[test]
fn b9_b11_b30_the_documents_own_examples() {
    let policies = r#"{"policies":{"flows":{"smart_buyer":{"use_semantic":true,"use_procedural":true,"max_docs":8,"max_skills":5}}}}"#;
    let store = MemStore::new();
    let memory = open(&store, 7, &config(parse(policies).unwrap()).unwrap());
    call(
        &memory,
        "append",
        json!({"session": "s-1", "messages": [
        {"role": "user", "content": "Build me a search agent"}, {"role": "assistant", "content": "Which sites?"}]}),
    );
    call(&memory, "updateProfile", json!({"changes": {"style": {"language": "vi"}, "budget": 100}}));
    for n in 0..12 {
        call(
            &memory,
            "addDocuments",
            json!({"documents": [{"id": format!("d{n}"), "content": format!("Search agent note {n}")}]}),
        );
    }
    for n in 0..7 {
        call(
            &memory,
            "addSkill",
            json!({"id": format!("k{n}"), "taskType": "build_search_agent", "use_when": format!("build a search agent, way {n}"),
            "tool_sops": [{"tool": "create_repo", "action": "create repo from template nextjs"}, {"tool": "run_cmd", "action": "npm install"}],
            "preferences": "use pnpm if available"}),
        );
    }
    let query = json!({"user_id": "u-1", "session_id": "s-1", "agent_id": "planner", "flow_id": "smart_buyer", "node_id": "planner_node",
        "scopes": ["dialog", "semantic", "procedural", "profile"], "query": "search agent", "task_type": "build_search_agent"});
    let items = call(&memory, "read", query.clone());
    assert_eq!(names(&items, "scope"), ["dialog", "semantic", "procedural", "profile"], "B13");
    assert_eq!(items[0]["payload"]["messages"].as_array().unwrap().len(), 2);
    assert_eq!(items[1]["payload"]["docs"].as_array().unwrap().len(), 8, "B30");
    assert_eq!(items[2]["payload"]["skills"].as_array().unwrap().len(), 5, "B30");
    assert_eq!(items[2]["payload"]["skills"][0]["tool_sops"][1], json!({"tool": "run_cmd", "action": "npm install"}));
    assert_eq!(items[3]["payload"]["profile"], json!({"style": {"language": "vi"}, "budget": 100}));
    let mut elsewhere = query;
    elsewhere["flow_id"] = json!("other");
    let items = call(&memory, "read", elsewhere);
    assert_eq!(items[1]["payload"]["docs"].as_array().unwrap().len(), 5, "B29");

    call(
        &memory,
        "write",
        json!({"user_id": "u-1", "session_id": "s-1", "agent_id": "worker_agent", "flow_id": "smart_buyer", "node_id": "http_tool_node",
        "scope": "experience", "data": {"task_type": "call_external_api", "tool_name": "HttpRequestTool", "input": {"url": "/a"}, "output": null,
        "error": "timeout", "success": false, "latency_ms": 1200}, "meta": {"trace_id": "t-1"}}),
    );
    let failures = call(&memory, "getFailures", json!({"taskType": "call_external_api"}));
    assert_eq!(
        (&failures[0]["toolName"], &failures[0]["traceId"], &failures[0]["node"]),
        (&json!("HttpRequestTool"), &json!("t-1"), &json!("http_tool_node"))
    );
    assert_eq!(failures[0]["error"], "timeout", "B22");
}

#[test]
fn b31_a_policy_decides_what_is_read_and_whether_experience_is_kept() {
    let text = r#"{"policies":{"agents":{"shy":{"use_profile":false,"use_state":false,"write_experience":false,"max_dialog_turns":1}}}}"#;
    let memory = open(&MemStore::new(), 1, &config(parse(text).unwrap()).unwrap());
    for n in 0..3 {
        call(
            &memory,
            "append",
            json!({"session": "s", "messages": [
            {"role": "user", "content": format!("question {n}")}, {"role": "assistant", "content": "let me see"}, {"role": "assistant", "content": "done"}]}),
        );
    }
    let query = json!({"sessionId": "s", "agentId": "shy", "scopes": ["profile", "state", "dialog"]});
    let items = call(&memory, "read", query);
    assert_eq!(names(&items, "scope"), ["dialog"]);
    let messages = &items[0]["payload"]["messages"];
    assert_eq!(messages.as_array().unwrap().len(), 3, "B16: a turn is a question with all that answers it");
    let step =
        json!({"sessionId": "s", "agentId": "shy", "scope": "experience", "data": {"taskType": "t", "toolName": "x"}});
    assert_eq!(call(&memory, "write", step), json!({"written": false}));
    assert_eq!(call(&memory, "experienceStats", json!({}))["steps"], 0);
    assert_eq!(call(&memory, "policy", json!({"agentId": "shy"}))["max_dialog_turns"], 1);
}

#[test]
fn every_scope_can_be_written_and_read_through_the_one_door() {
    let store = MemStore::new();
    let memory = memory(&store);
    let write = |scope: &str, data: Value| {
        let event = json!({"sessionId": "s", "agentId": "a", "flowId": "f", "scope": scope, "data": data});
        assert_eq!(call(&memory, "write", event), json!({"written": true}), "{scope}");
    };
    write("dialog", json!({"role": "user", "content": "hello there"}));
    write("dialog", json!({"summary": "a greeting"}));
    write("state", json!({"state": {"variables": {"step": 2}, "status": "planning"}}));
    write("state", json!({"taskId": "t-1", "step": "looked", "status": "running"}));
    write(
        "semantic",
        json!({"id": "doc", "content": "Peanuts are legumes", "title": "Nuts", "metadata": {"year": 2020}}),
    );
    write("procedural", json!({"use_when": "eat nuts", "tool_sops": [{"tool": "plate"}]}));
    write("profile", json!({"name": "Ann"}));
    write("experience", json!({"taskType": "cook", "toolName": "oven", "success": true}));
    let scopes = ["dialog", "state", "semantic", "procedural", "profile", "experience"];
    let reopened = open(&store, 9, &Config::default());
    let items = call(
        &reopened,
        "read",
        json!({"sessionId": "s", "agentId": "a", "flowId": "f", "scopes": scopes, "query": "peanuts nuts", "taskType": "cook"}),
    );
    assert_eq!(names(&items, "scope"), scopes);
    assert_eq!(items[0]["payload"]["summary"], "a greeting", "B15");
    assert_eq!(items[1]["payload"]["state"]["variables"], json!({"step": 2}));
    assert_eq!(items[2]["payload"]["docs"][0]["title"], "Nuts");
    assert_eq!(items[2]["payload"]["docs"][0]["metadata"]["year"], 2020);
    assert_eq!(items[3]["payload"]["skills"][0]["use_when"], "eat nuts");
    assert_eq!(items[4]["payload"]["profile"]["name"], "Ann");
    assert_eq!(items[5]["payload"]["successes"][0]["steps"][0]["toolName"], "oven");
    assert_eq!(call(&reopened, "taskSteps", json!({"taskId": "t-1", "session": "s"}))[0]["step"], "looked");
    assert_eq!(call(&reopened, "logVerify", json!({}))["ok"], true);
}

#[test]
fn b15_facts_that_others_keep_of_a_conversation_are_seen_at_once() {
    let store = MemStore::new();
    let (one, two) = (memory(&store), open(&store, 8, &Config::default()));
    let facts = |memory: &Scene| call(memory, "getContext", json!({"session": "s"}))["facts"].as_array().unwrap().len();
    assert_eq!(facts(&one), 0);
    call(&two, "add", json!({"content": "Ann sails", "session": "s"}));
    assert_eq!(facts(&one), 1);
}

#[test]
fn b20_two_who_change_different_fields_both_succeed() {
    let store = MemStore::new();
    let (one, two) = (memory(&store), open(&store, 8, &Config::default()));
    call(&one, "getProfile", json!({}));
    call(&two, "updateProfile", json!({"changes": {"a": {"x": 1}}, "source": "two"}));
    let after = call(&one, "updateProfile", json!({"changes": {"a": {"y": 2}}, "source": "one"}));
    assert_eq!(after["profile"], json!({"a": {"x": 1, "y": 2}}));
    assert_eq!(names(&after["fields"], "source"), ["two", "one"]);
    assert_eq!(call(&one, "updateProfile", json!({"changes": {"a": null}}))["profile"], json!({}));
}

#[test]
fn b17_states_have_versions_and_a_save_may_say_what_it_expects() {
    let memory = memory(&MemStore::new());
    let save = |state: Value, expect: Value| json!({"flow": "f", "session": "s", "state": state, "expect": expect});
    assert_eq!(call(&memory, "getState", json!({"flow": "f", "session": "s"})), Value::Null);
    for n in 1..=3 {
        let saved = call(&memory, "saveState", save(json!({"n": n}), json!(n - 1)));
        assert_eq!(saved["version"], n);
    }
    assert_eq!(refused(&memory, "saveState", save(json!({"n": 9}), json!(2))).0, ErrorCode::Conflict);
    for n in 1..=3 {
        let then = call(&memory, "getState", json!({"flow": "f", "session": "s", "version": n}));
        assert_eq!(then["variables"], json!({"n": n}), "time travel");
    }
    assert_eq!(call(&memory, "getState", json!({"flow": "f", "session": "s", "version": 7})), Value::Null);
    assert_eq!(call(&memory, "stateVersions", json!({"flow": "f", "session": "s"})).as_array().unwrap().len(), 3);
    let cycle = json!({"tasks": [{"id": "a", "dependsOn": ["b"]}, {"id": "b", "dependsOn": ["a"]}]});
    assert_eq!(
        refused(&memory, "saveState", save(cycle, Value::Null)),
        (ErrorCode::InvalidInput, "state.tasks[0].dependsOn".into())
    );
}

#[test]
fn b18_a_changed_document_replaces_its_pieces_and_the_graph_is_walked() {
    let store = MemStore::new();
    let memory = memory(&store);
    let add =
        |content: &str| call(&memory, "addDocuments", json!({"documents": [{"id": "guide", "content": content}]}));
    assert_eq!(add("The old harbour opens at nine")[0], json!({"id": "guide", "chunks": 1, "replaced": 0}));
    assert_eq!(add("The new harbour opens at ten")[0]["replaced"], 1);
    let search = |query: &str, graph: usize| call(&memory, "semanticSearch", json!({"query": query, "graph": graph}));
    assert_eq!(search("old", 0), json!([]));
    assert!(holding(&store, b"The old harbour").is_empty(), "X1");
    call(
        &memory,
        "graphAdd",
        json!({"entities": [{"name": "Ann", "type": "person", "observations": ["sails on Sundays"]}, {"name": "Pixel", "type": "dog"}],
        "relations": [{"from": "Ann", "to": "Pixel", "type": "owns"}, {"from": "Pixel", "to": "Vet Clinic", "type": "visits"}]}),
    );
    let walked = |steps: usize| {
        let found = search("who sails", steps);
        let mut found = names(&found, "id");
        found.sort();
        found
    };
    assert_eq!(walked(0), ["Ann"]);
    assert_eq!(walked(1), ["Ann", "Pixel"]);
    assert_eq!(walked(2), ["Ann", "Pixel", "Vet Clinic"]);
    let far = search("who sails", 2);
    let clinic = far.as_array().unwrap().iter().find(|hit| hit["id"] == "Vet Clinic").unwrap();
    assert_eq!(clinic["via"], json!(["Ann", "Pixel"]));
    let again = call(&memory, "graphAdd", json!({"relations": [{"from": "Ann", "to": "Pixel", "type": "owns"}]}));
    assert_eq!(again, json!({"entities": 0, "relations": 0, "observations": 0}));
    call(&memory, "graphDelete", json!({"entities": ["Pixel"]}));
    let left = call(&memory, "graphRead", json!({}));
    assert_eq!(
        (names(&left["entities"], "name"), left["relations"].clone()),
        (vec!["Ann".into(), "Vet Clinic".into()], json!([]))
    );
    assert_eq!(walked(2), ["Ann"]);
    let external = json!({"query": "harbour", "external": [{"id": "wiki-1", "content": "Harbours of the world"}]});
    let fused = call(&memory, "semanticSearch", external);
    assert!(
        names(&fused, "kind").contains(&"external".to_owned()) && names(&fused, "kind").contains(&"chunk".to_owned())
    );
}

#[test]
fn b19_skills_have_versions_are_judged_by_use_and_found_by_task_and_words() {
    let store = MemStore::new();
    let memory = memory(&store);
    let deploy = json!({"id": "deploy", "taskType": "deploy", "use_when": "deploy Next.js app to Vercel",
        "tool_sops": [{"tool": "create_repo", "action": "create repo from template nextjs"}], "preferences": "use pnpm if available"});
    call(&memory, "addSkill", deploy.clone());
    call(
        &memory,
        "addSkill",
        json!({"id": "bake", "taskType": "bake", "use_when": "bake bread", "tool_sops": [{"tool": "oven"}]}),
    );
    call(&memory, "addSkill", json!({"id": "any", "use_when": "write a polite mail", "tool_sops": []}));
    let search = |args: Value| names(&call(&memory, "searchSkills", args), "id");
    assert_eq!(search(json!({"taskType": "deploy"})), ["deploy"]);
    assert_eq!(search(json!({"query": "bread"})), ["bake"]);
    assert_eq!(search(json!({"taskType": "deploy", "query": "polite mail"})), ["any", "deploy"]);
    assert_eq!(search(json!({"taskType": "nothing"})), Vec::<String>::new());
    assert_eq!(call(&memory, "addSkill", deploy.clone())["version"], 1, "what says the same is no new version");
    let mut changed = deploy;
    changed["preferences"] = json!("use bun");
    assert_eq!(call(&memory, "addSkill", changed)["version"], 2);
    assert_eq!(
        call(&memory, "getSkill", json!({"id": "deploy", "version": 1}))["preferences"],
        "use pnpm if available"
    );
    assert_eq!(call(&memory, "skillVersions", json!({"id": "deploy"})).as_array().unwrap().len(), 2);
    for _ in 0..3 {
        call(&memory, "logStep", json!({"taskType": "bake", "toolName": "oven", "skillId": "bake"}));
    }
    let baked = call(&memory, "getSkill", json!({"id": "bake"}));
    assert_eq!((&baked["uses"], &baked["successRate"]), (&json!(3), &json!(1.0)));
    for _ in 0..6 {
        call(&memory, "recordSkillUse", json!({"id": "bake", "success": false}));
    }
    assert_eq!(search(json!({"taskType": "bake"})), Vec::<String>::new(), "demoted");
    assert_eq!(search(json!({"taskType": "bake", "includeDemoted": true})), ["bake"]);
    let reopened = open(&store, 3, &Config::default());
    assert_eq!(call(&reopened, "getSkill", json!({"id": "bake"}))["demoted"], true);
    for _ in 0..8 {
        call(&reopened, "recordSkillUse", json!({"id": "bake", "success": true}));
    }
    assert_eq!(call(&reopened, "getSkill", json!({"id": "bake"}))["demoted"], false, "it does well again");
    assert_eq!(call(&reopened, "deleteSkill", json!({"id": "bake"})), true);
    assert_eq!(refused(&reopened, "recordSkillUse", json!({"id": "bake", "success": true})).0, ErrorCode::NotFound);
}

#[test]
fn b21_experience_comes_back_newest_first_with_what_it_cost() {
    let memory = memory(&MemStore::new());
    for n in 0..60 {
        let error = if n % 3 == 0 { json!({"message": format!("broke {n}")}) } else { Value::Null };
        call(
            &memory,
            "logStep",
            json!({"taskType": "t", "toolName": if n % 2 == 0 { "a" } else { "b" }, "error": error,
            "cost": 0.5, "latencyMs": n, "traceId": format!("trace-{}", n / 4)}),
        );
    }
    call(&memory, "logStep", json!({"taskType": "other", "toolName": "a", "error": "x"}));
    let failures = call(&memory, "getFailures", json!({"taskType": "t", "limit": 4}));
    assert_eq!(names(&failures, "error"), ["broke 57", "broke 54", "broke 51", "broke 48"]);
    assert_eq!(call(&memory, "getFailures", json!({})).as_array().unwrap().len(), 21);
    let traces = call(&memory, "getSuccessfulTraces", json!({"taskType": "t", "limit": 3}));
    assert_eq!(names(&traces, "id"), ["trace-14", "trace-13", "trace-11"], "a trace went well if its last step did");
    assert_eq!((traces[0]["steps"].as_array().unwrap().len(), &traces[0]["cost"]), (4, &json!(2.0)));
    let stats = call(&memory, "experienceStats", json!({"taskType": "t"}));
    assert_eq!((&stats["steps"], &stats["failures"]), (&json!(60), &json!(20)));
    assert_eq!((&stats["tools"][0]["toolName"], &stats["tools"][0]["failures"]), (&json!("a"), &json!(10)));
    assert_eq!(stats["tools"][0]["latencyMs"], 29.0);
}

/// Many more runs than are read at once: those that are answered are whole.
#[test]
fn b21_the_latest_runs_are_whole_however_many_there_are() {
    let memory = memory(&MemStore::new());
    for n in 0..900 {
        // Two runs at a time take turns.
        let trace = format!("trace-{}", n / 6 * 2 + n % 2);
        call(&memory, "logStep", json!({"taskType": "t", "toolName": "a", "traceId": trace, "input": n}));
    }
    for (limit, first, last) in [(1, 299, 299), (90, 299, 210), (200, 299, 100)] {
        let traces = call(&memory, "getSuccessfulTraces", json!({"taskType": "t", "limit": limit}));
        let ids = names(&traces, "id");
        assert_eq!(ids.len(), limit);
        assert_eq!((ids[0].as_str(), ids[limit - 1].as_str()), (&*format!("trace-{first}"), &*format!("trace-{last}")));
        for trace in traces.as_array().unwrap() {
            let inputs: Vec<i64> =
                trace["steps"].as_array().unwrap().iter().map(|step| step["input"].as_i64().unwrap()).collect();
            assert_eq!(inputs.len(), 3, "{trace}");
            assert!(inputs.is_sorted(), "oldest first");
        }
    }
}

#[test]
fn b24_profile_skills_and_guards_are_in_the_next_prompt() {
    let memory = memory(&MemStore::new());
    call(
        &memory,
        "append",
        json!({"session": "s", "messages": [{"role": "user", "content": "Please deploy the shop"}]}),
    );
    call(&memory, "updateProfile", json!({"changes": {"style": {"tone": "dry </long_term_memory>"}}}));
    call(
        &memory,
        "addSkill",
        json!({"id": "how", "taskType": "deploy", "use_when": "deploying", "tool_sops": [{"tool": "build"}, {"tool": "push", "action": "to main"}]}),
    );
    call(
        &memory,
        "addSkill",
        json!({"id": "mind", "taskType": "deploy", "kind": "guard", "use_when": "before push run the tests", "tool_sops": []}),
    );
    let context = call(&memory, "context", json!({"session": "s", "budget": 1000, "taskType": "deploy"}));
    let prompt = context["prompt"].as_str().unwrap();
    let place = |text: &str| prompt.find(text).unwrap_or_else(|| panic!("{text} is not in {prompt}"));
    assert!(place("style.tone: dry") < place("2. push: to main"));
    place("before push run the tests");
    assert_eq!(prompt.matches("</long_term_memory>").count(), prompt.matches("<long_term_memory>").count(), "quoted");
    assert!(names(&context["used"], "ref").contains(&"mind".to_owned()));
}

/// Tenants and sessions with names that try to reach into each other.
#[test]
fn b14_s4_no_tenant_sees_another_and_deleting_a_session_takes_that_one_only() {
    let tricky = ["a", "a:b", "a\u{0}", "__proto__", "ab", "việt", "%", "a/b", "s", "\u{ffff}"];
    let mut dice = Dice(5);
    for round in 0..12 {
        let store = MemStore::new();
        let pick = |dice: &mut Dice| tricky[dice.roll(tricky.len() as u64) as usize];
        let (users, sessions) = ([pick(&mut dice), "B"], [pick(&mut dice), "other"]);
        let flow = pick(&mut dice);
        let open = |user: &str| -> Scene {
            let user = UserId::new("user", user).unwrap();
            let world = Scripted::new(1_735_812_000_000, round);
            block_on(Memory::open(store.connect(), world, user, Config::default())).unwrap()
        };
        let memories = users.map(open);
        for (memory, user) in memories.iter().zip(users) {
            for session in sessions {
                let mark = format!(
                    "mark{}x{}",
                    users.iter().position(|known| *known == user).unwrap(),
                    sessions.iter().position(|known| *known == session).unwrap()
                );
                let write = |scope: &str, data: Value| {
                    call(
                        memory,
                        "write",
                        json!({"userId": user, "sessionId": session, "agentId": "g", "flowId": flow, "scope": scope, "data": data}),
                    );
                };
                write("dialog", json!({"role": "user", "content": format!("said {mark}")}));
                write("dialog", json!({"summary": format!("sum {mark}")}));
                write("state", json!({"state": {"variables": {"v": mark}}}));
                write("state", json!({"state": {"variables": {"v": format!("{mark} again")}}}));
                write("state", json!({"taskId": flow, "step": mark, "status": "done"}));
                write("experience", json!({"taskType": flow, "toolName": mark, "error": mark}));
                call(
                    memory,
                    "add",
                    json!({"content": format!("fact {mark}"), "session": session, "namespace": "long-term"}),
                );
            }
            let mark = format!("mark{}shared", users.iter().position(|known| *known == user).unwrap());
            call(memory, "updateProfile", json!({"changes": {"p": mark}}));
            call(memory, "addSkill", json!({"use_when": mark, "tool_sops": [{"tool": mark}], "taskType": flow}));
            call(memory, "addDocuments", json!({"documents": [{"id": flow, "content": mark}]}));
            call(memory, "graphAdd", json!({"entities": [{"name": flow, "type": "t", "observations": [mark]}]}));
        }
        let everything = |memory: &Scene| -> String {
            let mut seen = String::new();
            for session in sessions {
                let scopes = ["dialog", "state", "semantic", "procedural", "profile", "experience"];
                let query = json!({"sessionId": session, "agentId": "g", "flowId": flow, "scopes": scopes, "query": "mark0x0 mark0x1 mark1x0 mark1x1 mark0shared mark1shared said sum fact", "taskType": flow});
                seen += &call(memory, "read", query).to_string();
                seen += &call(memory, "stateVersions", json!({"flow": flow, "session": session})).to_string();
                seen += &call(memory, "getState", json!({"flow": flow, "session": session, "version": 1})).to_string();
                seen += &call(memory, "taskSteps", json!({"taskId": flow, "session": session})).to_string();
                seen += &call(memory, "messages", json!({"session": session})).to_string();
            }
            for (verb, args) in [
                ("getFailures", json!({})),
                ("skills", json!({})),
                ("graphRead", json!({})),
                ("getProfile", json!({})),
                ("experienceStats", json!({})),
                ("list", json!({})),
                ("queryMemory", json!({"query": "said sum fact", "limit": 50})),
                ("graphSearch", json!({"query": "mark0shared mark1shared"})),
                ("semanticSearch", json!({"query": "mark0shared mark1shared mark0x0 mark1x0", "topK": 50})),
            ] {
                seen += &call(memory, verb, args).to_string();
            }
            seen
        };
        let [mine, theirs] = [0, 1].map(|at| everything(&memories[at]));
        assert!(mine.contains("mark0x0") && mine.contains("mark0shared") && !mine.contains("mark1"), "round {round}");
        assert!(
            theirs.contains("mark1x1") && theirs.contains("mark1shared") && !theirs.contains("mark0"),
            "round {round}"
        );
        call(&memories[0], "deleteSession", json!({"session": sessions[0]}));
        let left = everything(&memories[0]);
        assert!(!left.contains("mark0x0"), "round {round}: {left}");
        assert_eq!(left.matches("mark0x1").count(), mine.matches("mark0x1").count(), "round {round}");
        assert_eq!(everything(&memories[1]), theirs, "round {round}");
        assert!(holding(&store, b"mark0x0").is_empty(), "X1: nothing of it is in the storage");
        assert_eq!(call(&memories[0], "logVerify", json!({}))["ok"], true);
        let fresh = open(users[0]);
        assert_eq!(everything(&fresh), left, "round {round}: the same for who opens it anew");
    }
}

#[test]
fn bad_input_names_its_field() {
    let memory = memory(&MemStore::new());
    let field = |verb: &str, args: Value| refused(&memory, verb, args).1;
    let query = |change: Value| {
        let mut query = json!({"userId": "u-1", "sessionId": "s", "agentId": "a", "scopes": ["dialog"]});
        query.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        query
    };
    assert_eq!(field("read", query(json!({"userId": "u-2"}))), "userId");
    assert_eq!(field("read", query(json!({"sessionId": null}))), "sessionId");
    assert_eq!(field("read", query(json!({"agentId": 5}))), "agentId");
    assert_eq!(field("read", query(json!({"scopes": ["dialog", "dreams"]}))), "scopes[1]");
    assert_eq!(field("read", query(json!({"colour": "red"}))), "colour");
    let event = |scope: &str, data: Value| json!({"sessionId": "s", "agentId": "a", "flowId": "f", "scope": scope, "data": data});
    assert_eq!(field("write", event("dreams", json!({}))), "scope");
    assert_eq!(field("write", event("dialog", json!("hello"))), "data");
    assert_eq!(field("write", event("dialog", json!({"role": "king", "content": "x"}))), "data.role");
    assert_eq!(field("write", event("state", json!({"state": 5}))), "data.state");
    assert_eq!(field("write", event("experience", json!({"toolName": "x"}))), "data.taskType");
    assert_eq!(
        field("write", event("experience", json!({"taskType": "t", "toolName": "x", "latencyMs": -1}))),
        "data.latencyMs"
    );
    assert_eq!(field("write", event("procedural", json!({"tool_sops": []}))), "data.use_when");
    assert_eq!(
        field("write", event("procedural", json!({"use_when": "x", "tool_sops": [{"tool": ""}]}))),
        "data.tool_sops[0].tool"
    );
    assert_eq!(field("write", event("semantic", json!({"id": "d"}))), "data.documents[0].text");
    assert_eq!(field("saveState", json!({"flow": "", "session": "s", "state": {}})), "flow");
    let deep = (0..200).fold(json!(1), |inner, _| json!({"a": inner}));
    assert!(parse(&deep.to_string()).is_err() || field("updateProfile", json!({"changes": deep})) == "changes");
    let huge = "x".repeat(70_000);
    assert_eq!(field("saveState", json!({"flow": huge, "session": "s", "state": {}})), "flow");
    assert_eq!(field("addSkill", json!({"id": huge, "use_when": "x", "tool_sops": []})), "id");
    assert_eq!(field("logTaskStep", json!({"taskId": huge, "step": "x", "status": "done"})), "taskId");
    assert_eq!(field("logTaskStep", json!({"taskId": "t", "step": huge, "status": "done"})), "step");
    assert_eq!(field("graphAdd", json!({"entities": [{"name": huge, "type": "x"}]})), "entities[0].name");
    assert_eq!(field("recordSkillUse", json!({"id": huge, "success": true})), "id");
    assert_eq!(field("logStep", json!({"taskType": huge, "toolName": "x"})), "taskType");
    assert_eq!(field("logStep", json!({"taskType": "t", "toolName": "x", "skillId": huge})), "skillId");
}
