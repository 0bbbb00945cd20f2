//! Tools for models: schemas in every form, calls that are checked, and answers in few words.

use crate::shared::{Scene, open};
use futures::executor::block_on;
use keepsake::memory::{ToolAnswer, ToolScope};
use keepsake::model::Json;
use keepsake::tools::{Effect, Format, TOOLS, tool};
use keepsake::{Config, MemStore};
use serde_json::{Value, json};

fn memory() -> Scene {
    open(&MemStore::new(), 1, &Config::default())
}

fn to_json(value: &Value) -> Json {
    keepsake::codec::json::parse(&value.to_string()).unwrap()
}

fn call(memory: &Scene, name: &str, args: &Value, scope: &ToolScope) -> ToolAnswer {
    block_on(memory.call_tool(name, to_json(args), scope)).unwrap()
}

fn shown(memory: &Scene, format: &str, strict: bool, scope: &ToolScope) -> Vec<Value> {
    let tools = memory.tools(Format::new("format", format).unwrap(), strict, scope).unwrap();
    tools.iter().map(|tool| serde_json::from_str(&tool.to_string()).unwrap()).collect()
}

#[test]
fn every_form_has_every_tool_with_its_arguments() {
    let (memory, scope) = (memory(), ToolScope::default());
    let schema_at = |format: &str| match format {
        "openai" => "/function/parameters",
        "openai-responses" | "gemini" => "/parameters",
        "anthropic" => "/input_schema",
        _ => "/inputSchema",
    };
    for format in ["openai", "openai-responses", "anthropic", "mcp", "ai-sdk", "gemini"] {
        let tools = shown(&memory, format, false, &scope);
        assert_eq!(tools.len(), TOOLS.len());
        for (shown, known) in tools.iter().zip(TOOLS) {
            let name = shown.get("name").or_else(|| shown.pointer("/function/name")).unwrap();
            assert_eq!(name, known.name, "{format}");
            let schema = shown.pointer(schema_at(format)).unwrap();
            assert_eq!(schema["type"].as_str().unwrap().to_lowercase(), "object");
            let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names.len(), known.params.len(), "{format} {name}");
            let required = schema["required"].as_array().unwrap().len();
            assert_eq!(required, known.params.iter().filter(|param| param.required).count());
        }
    }
    let mcp = shown(&memory, "mcp", false, &scope);
    let delete = mcp.iter().find(|tool| tool["name"] == "memory_delete").unwrap();
    assert_eq!(delete["annotations"]["destructiveHint"], json!(true));
    assert_eq!(delete["annotations"]["openWorldHint"], json!(false));
    let search = mcp.iter().find(|tool| tool["name"] == "memory_search").unwrap();
    assert_eq!(search["annotations"]["readOnlyHint"], json!(true));
    assert_eq!(search["inputSchema"]["properties"]["namespace"]["enum"], json!(["short-term", "long-term"]));
    assert!(Format::new("format", "cohere").is_err());
}

#[test]
fn a_strict_schema_names_every_argument_and_leaves_nothing_open() {
    let (memory, scope) = (memory(), ToolScope::default());
    for format in ["openai", "openai-responses"] {
        for tool in shown(&memory, format, true, &scope) {
            let function = tool.get("function").unwrap_or(&tool);
            assert_eq!(function["strict"], json!(true));
            let schema = &function["parameters"];
            assert_eq!(schema["additionalProperties"], json!(false));
            let properties = schema["properties"].as_object().unwrap();
            assert_eq!(schema["required"].as_array().unwrap().len(), properties.len());
            for (name, property) in properties {
                assert_ne!(property["type"], json!("object"), "{name}: a strict model cannot say it");
            }
        }
    }
    let optional =
        shown(&memory, "openai", true, &scope)[0]["function"]["parameters"]["properties"]["namespace"].clone();
    assert_eq!((&optional["type"], &optional["enum"][2]), (&json!(["string", "null"]), &json!(null)));
    // What such a model says: null for what it leaves out, and objects as text.
    let said = json!({"content": "Ann likes tea", "namespace": null, "tags": null, "importance": null, "source": null});
    assert!(!call(&memory, "memory_add", &said, &scope).is_error);
    let said = json!({"changes": "{\"name\":\"Ann\"}"});
    assert!(call(&memory, "update_profile", &said, &scope).text.contains("Ann"));
}

#[test]
fn each_tool_does_what_it_says_in_few_words() {
    let (memory, scope) = (memory(), ToolScope { agent: Some("coder".into()), ..ToolScope::default() });
    let ok = |name: &str, args: Value| {
        let answer = call(&memory, name, &args, &scope);
        assert!(!answer.is_error, "{name}: {}", answer.text);
        answer
    };
    let long = "Deploy keys rotate on Mondays. ".repeat(2_000);
    let added = ok("memory_add", json!({"content": long, "tags": "ops", "namespace": "long-term"}));
    assert!(added.text.len() < 5_000, "D35: never the whole content");
    let id = added.data.get("referenceId").as_str().unwrap().to_owned();
    assert!(ok("memory_search", json!({"query": "deploy keys"})).text.contains(&id));
    assert!(ok("memory_get", json!({"id": id})).text.contains("rotate on Mondays"));
    assert!(ok("memory_stats", json!({})).text.contains("longTerm"));
    ok("record_to_memory", json!({"thinking": "matters", "content": ["Ann is allergic to nuts."]}));
    assert!(ok("memory_search", json!({"query": "allergic", "scope": "memories", "limit": 3})).text.contains("nuts"));
    assert!(ok("update_profile", json!({"changes": {"name": "Ann"}})).text.contains("Ann"));
    ok(
        "write_memory_file",
        json!({"path": "agents/coder/memory/context.md", "text": "# Current Context\n\n## Notes\n- old\n"}),
    );
    ok("update_memory_section", json!({"file": "context", "section": "Notes", "text": "- new"}));
    assert!(ok("read_memory_file", json!({"path": "agents/coder/memory/context.md"})).text.contains("- new"));
    ok("record_decision", json!({"title": "Keep bytes", "decision": ["Nothing is rewritten", "Nothing is lost"]}));
    let decisions = ok("read_memory_file", json!({"path": "agents/coder/memory/decisions.md"})).text;
    assert!(
        decisions.contains("- Nothing is rewritten\n- Nothing is lost"),
        "a list is as good as a text: {decisions}"
    );
    ok(
        "record_learning",
        json!({"title": "Retry", "pattern": "Retry network calls", "code": "retry(2)", "language": "js"}),
    );
    assert!(ok("memory_search", json!({"query": "network", "scope": "learnings"})).text.contains("retry(2)"));
    ok("write_memory_file", json!({"path": "knowledge/net.md", "text": "# Networks\n\nThe proxy is at port 8080.\n"}));
    let known = ok("memory_search", json!({"query": "proxy", "scope": "knowledge"})).data;
    let known = known.as_array().unwrap().first().unwrap();
    assert_eq!(known.get("ref").as_str(), Some("/agents/coder/knowledge/net.md"));
    assert_eq!((known.get("line").as_i64(), known.get("kind").as_str()), (Some(1), Some("knowledge")));
    assert!(ok("list_memory_files", json!({"folder": "knowledge"})).text == "knowledge/net.md");
    ok("hand_over", json!({"toAgent": "coder", "task": "parse", "context": "spec", "expectedDeliverable": "branch"}));
    assert!(!ok("memory_delete", json!({"id": id})).is_error);
    assert!(call(&memory, "memory_get", &json!({"id": id}), &scope).is_error);
    let tried = TOOLS.iter().filter(|tool| !["memory_add"].contains(&tool.name)).count();
    assert_eq!(tried, 13, "a new tool belongs into this test");
}

#[test]
fn a_search_is_of_one_part_of_the_memory_or_of_all() {
    let memory = memory();
    let scope = ToolScope { agent: Some("coder".into()), ..ToolScope::default() };
    let did = |name: &str, args: Value| call(&memory, name, &args, &scope);
    let verb = |name: &str, args: Value| block_on(memory.call(name, to_json(&args))).unwrap();
    did("memory_add", json!({"content": "The harbour closes at six", "tags": ["port"], "namespace": "long-term"}));
    did("record_learning", json!({"title": "Harbour", "pattern": "Ask the harbour office twice"}));
    did("write_memory_file", json!({"path": "knowledge/port.md", "text": "# Port\n\nThe harbour has three piers.\n"}));
    verb("ingest", json!({"source": "guide.md", "text": "The harbour was built in 1802."}));
    let said = json!([{"role": "user", "content": "We met at the harbour on Friday"}]);
    verb("append", json!({"session": "s-1", "messages": said}));

    let found = |name: &str, args: Value| -> Vec<(String, String)> {
        let answer = did(name, args);
        assert!(!answer.is_error, "{}", answer.text);
        let text = |hit: &Json, field: &str| hit.get(field).as_str().unwrap_or_default().to_owned();
        answer.data.as_array().unwrap().iter().map(|hit| (text(hit, "kind"), text(hit, "text"))).collect()
    };
    let parts = [
        ("memories", "entry", "closes at six"),
        ("conversations", "message", "on Friday"),
        ("documents", "entry", "built in 1802"),
        ("learnings", "learning", "Ask the harbour office twice"),
        ("knowledge", "knowledge", "three piers"),
    ];
    for (part, kind, text) in parts {
        let hits = found("memory_search", json!({"query": "harbour", "scope": part}));
        assert_eq!(hits.len(), 1, "{part}: {hits:?}");
        assert!(hits[0].0 == kind && hits[0].1.contains(text), "{part}: {hits:?}");
    }
    for args in [json!({"query": "harbour", "limit": 20}), json!({"query": "harbour", "scope": "all", "limit": 20})] {
        let all = found("memory_search", args);
        assert_eq!(all.len(), 5, "{all:?}");
        for (_, _, text) in parts {
            assert!(all.iter().any(|(_, said)| said.contains(text)), "{text}: {all:?}");
        }
    }
    assert_eq!(found("memory_search", json!({"query": "harbour", "limit": 2})).len(), 2);
    let tagged = found("memory_search", json!({"query": "harbour", "tags": ["port"]}));
    assert_eq!(tagged, [("entry".to_owned(), "The harbour closes at six".to_owned())]);
    assert_eq!(found("memory_search", json!({"query": "harbour", "namespace": "short-term"})), []);
    assert_eq!(found("memory_search", json!({"query": "submarine"})), []);

    let told = |args: Value, scope: &ToolScope| {
        let answer = call(&memory, "memory_search", &args, scope);
        assert!(answer.is_error, "{args}");
        answer.text
    };
    assert!(told(json!({"query": "x", "scope": "people"}), &scope).contains("one of all, memories, conversations"));
    let filtered = json!({"query": "x", "scope": "learnings", "tags": ["port"]});
    assert!(told(filtered, &scope).contains("`tags` must be omitted for the scope learnings"));
    let filtered = json!({"query": "x", "scope": "conversations", "namespace": "long-term"});
    assert!(told(filtered, &scope).contains("`namespace` must be omitted for the scope conversations"));
    let nobody = ToolScope::default();
    assert!(told(json!({"query": "x", "scope": "knowledge"}), &nobody).contains("`agent` is required"));
    let named = json!({"query": "harbour", "scope": "learnings", "agent": "coder"});
    assert!(call(&memory, "memory_search", &named, &nobody).text.contains("office twice"));
    // A model cannot leave the agent that the host gave it.
    verb("writeFile", json!({"path": "agents/other/knowledge/x.md", "text": "# X\n\nThe harbour of others.\n"}));
    let other = json!({"query": "harbour", "scope": "knowledge", "agent": "other"});
    assert!(!call(&memory, "memory_search", &other, &scope).text.contains("of others"));
}

#[test]
fn former_tools_are_called_but_not_listed() {
    let memory = memory();
    let scope = ToolScope { agent: Some("coder".into()), ..ToolScope::default() };
    call(&memory, "record_to_memory", &json!({"content": ["Ann is allergic to nuts."]}), &scope);
    call(&memory, "record_learning", &json!({"title": "Nuts", "pattern": "Ask before baking"}), &scope);
    call(&memory, "write_memory_file", &json!({"path": "knowledge/n.md", "text": "Nuts are seeds.\n"}), &scope);
    let listed = shown(&memory, "mcp", false, &scope);
    for (name, args, text) in [
        ("query_memory", json!({"query": "nuts", "limit": 3}), "allergic"),
        ("retrieve_from_memory", json!({"keywords": ["nuts"]}), "> Ann is allergic"),
        ("search_learnings", json!({"query": "nuts"}), "Ask before baking"),
        ("search_knowledge", json!({"query": "nuts"}), "seeds"),
    ] {
        let answer = call(&memory, name, &args, &scope);
        assert!(!answer.is_error && answer.text.contains(text), "{name}: {}", answer.text);
        assert!(listed.iter().all(|tool| tool["name"] != name), "{name}");
        // `only` means the tool under either name.
        let only = |tool: &str| ToolScope { only: vec![tool.into()], ..scope.clone() };
        assert!(!call(&memory, name, &args, &only("memory_search")).is_error, "{name}");
        assert!(call(&memory, name, &args, &only("memory_get")).text.contains("not allowed"), "{name}");
        assert_eq!(shown(&memory, "mcp", false, &only(name))[0]["name"], "memory_search");
    }
    let nothing = call(&memory, "retrieve_from_memory", &json!({"keywords": ["zebra"]}), &scope);
    assert_eq!(nothing.text, "No relevant memories found");
}

#[test]
fn arguments_that_do_not_fit_are_answered_so_that_a_model_can_mend_them() {
    let (memory, scope) = (memory(), ToolScope::default());
    let told = |name: &str, args: Value| {
        let answer = call(&memory, name, &args, &scope);
        assert!(answer.is_error, "{name} {args}");
        answer.text
    };
    let text = told("memory_search", json!({"limit": "ten", "namespace": "elsewhere", "colour": "red"}));
    for part in [
        "`query` is required",
        "`limit` must be an integer from 1 to 50",
        "one of short-term, long-term",
        "1 unknown argument(s)",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains("elsewhere") && !text.contains("colour"), "what was refused is not repeated");
    assert!(told("memory_serach", json!({})).contains("memory_search"), "a wrong name is told the right ones");
    assert!(told("memory_add", json!({"content": "x".repeat(1_000_000)})).contains("at most 500000 bytes"));
    assert!(told("memory_add", json!({"content": "  "})).contains("non-empty"));
    assert!(told("memory_add", json!(["content"])).contains("must be an object"));
    assert!(told("record_to_memory", json!({"content": [1]})).contains("array of strings"));
    assert!(told("record_to_memory", json!({"content": []})).contains("at least one"));
    assert!(told("update_profile", json!({"changes": "name: Ann"})).contains("JSON string"));
    assert!(told("memory_add", json!({"content": "a", "importance": 7})).contains("from 0 to 1"));
    assert!(told("memory_add", json!({"content": ["a", 1]})).contains("`content` must be a string"));
    block_on(
        memory.call("writeFile", to_json(&json!({"path": "agents/a/memory/context.md", "text": "# C\n\n## Mine\n"}))),
    )
    .unwrap();
    let wrong = json!({"agent": "a", "file": "context", "section": "Mien", "text": "x"});
    assert!(told("update_memory_section", wrong).contains("its sections are: C; Mine"));
    assert!(told("record_decision", json!({"title": "a", "decision": "b"})).contains("`agent` is required"));
    assert!(told("write_memory_file", json!({"path": "../x", "text": "a"})).contains("`path`"));
    assert!(
        told("update_memory_section", json!({"agent": "a", "file": "context", "section": "Nowhere", "text": "a"}))
            .contains("section")
    );
    assert_eq!(block_on(memory.count(None)).unwrap(), 0, "nothing was stored");
}

#[test]
fn what_may_only_be_read_is_not_changed() {
    let memory = memory();
    let scope = ToolScope { read_only: true, ..ToolScope::default() };
    let names: Vec<Value> = shown(&memory, "mcp", false, &scope).into_iter().map(|tool| tool["name"].clone()).collect();
    assert!(names.contains(&json!("memory_search")) && !names.contains(&json!("memory_delete")));
    for known in TOOLS.iter().filter(|tool| tool.effect != Effect::Reads) {
        let answer = call(&memory, known.name, &json!({"id": "x", "content": "y"}), &scope);
        assert!(answer.is_error && answer.text.contains("may only be read"), "{}", known.name);
    }
    let few = ToolScope { only: vec!["memory_search".into()], ..ToolScope::default() };
    assert_eq!(shown(&memory, "anthropic", false, &few).len(), 1);
    assert!(call(&memory, "memory_add", &json!({"content": "a"}), &few).text.contains("not allowed"));
    let unknown = ToolScope { only: vec!["x".into()], ..ToolScope::default() };
    assert_eq!(memory.tools(Format::Mcp, false, &unknown).unwrap_err().field(), Some("only[0]"));
    let known = ToolScope { agent: Some("coder".into()), ..ToolScope::default() };
    let mcp = shown(&memory, "mcp", false, &known);
    assert!(mcp.iter().all(|tool| tool["inputSchema"]["properties"].get("agent").is_none()));
    assert!(tool("record_decision").unwrap().params.iter().any(|param| param.name == "agent"));
}
