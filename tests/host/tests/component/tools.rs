//! Tools for models through the component.

use crate::files_verbs::{CONTEXT, written};
use crate::opened;
use keepsake_host::wit::Error;
use keepsake_host::wit_tools::ToolScope;

fn scope(agent: Option<&str>, read_only: bool) -> ToolScope {
    ToolScope { agent: agent.map(str::to_owned), only: Vec::new(), read_only, writable: Vec::new(), session: None }
}

#[test]
fn a34_a_model_sees_the_tools_and_changes_one_section() {
    let (mut instance, memory) = opened(&written());
    let coder = scope(Some("coder"), false);
    let tools = instance.show_tools(memory, "anthropic", false, &coder).unwrap().unwrap();
    assert_eq!(tools.len(), keepsake::tools::TOOLS.len());
    assert!(tools.iter().any(|tool| tool.contains("update_memory_section")));
    let args = r#"{"file":"context","section":"Notes","text":"- by a model"}"#;
    let answer = instance.call_tool(memory, "update_memory_section", args, &coder).unwrap().unwrap();
    assert!(!answer.is_error && answer.data.is_some(), "{}", answer.text);
    let file = instance.read_file(memory, CONTEXT).unwrap().unwrap().unwrap();
    assert!(file.text.contains("- by a model"));
}

#[test]
fn what_a_model_gets_wrong_is_an_answer_and_what_the_host_gets_wrong_an_error() {
    let (mut instance, memory) = opened(&written());
    let anyone = scope(None, false);
    let mut told = |name: &str, args: &str, scope: &ToolScope| {
        let answer = instance.call_tool(memory, name, args, scope).unwrap().unwrap();
        assert!(answer.is_error && answer.data.is_none(), "{name}");
        answer.text
    };
    assert!(told("memory_search", r#"{"limit":0}"#, &anyone).contains("`query` is required"));
    assert!(told("fly", "{}", &anyone).contains("no such tool"));
    assert!(told("memory_delete", r#"{"id":"x"}"#, &scope(None, true)).contains("may only be read"));
    let refused = |answer| matches!(answer, Err(Error::InvalidInput(_)));
    assert!(refused(instance.show_tools(memory, "cohere", false, &anyone).unwrap().map(|_| ())));
    assert!(refused(instance.call_tool(memory, "memory_stats", "{", &anyone).unwrap().map(|_| ())));
}
