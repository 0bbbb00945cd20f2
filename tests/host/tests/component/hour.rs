//! The scripted hour through the component: what was planted in it is in the prompt, or named as left out of it, at every
//! tenth message. The browser is held to the same script.

use crate::{OPTIONS, blocks, said, scripted};
use keepsake_host::wit_dialog::{
    BlockKind, Context, ContextOptions, Message, Origin, Role, Strategy, ToolResult, ToolUse, TreeReduce,
};
use keepsake_host::wit_files::{SessionArchive, SessionEnd};
use keepsake_host::{Instance, ResourceAny, Storage};
use serde_json::Value;

const HOUR: &str = include_str!("../../../fixtures/hour.json");

/// A message of the script.
fn message(say: &Value) -> Message {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let role = match say["role"].as_str() {
        Some("user") => Role::User,
        Some("tool") => Role::Tool,
        _ => Role::Assistant,
    };
    let block = |block: &Value| match block["type"].as_str() {
        Some("tool_use") => BlockKind::ToolUse(ToolUse {
            id: text(&block["id"]),
            name: text(&block["name"]),
            input: block["input"].to_string(),
        }),
        _ => BlockKind::ToolResult(ToolResult {
            tool_use_id: text(&block["toolUseId"]),
            output: block["output"].to_string(),
            is_error: false,
        }),
    };
    let message = match &say["content"] {
        Value::Array(all) => blocks(role, all.iter().map(block).collect()),
        content => said(role, &text(content)),
    };
    Message { id: Some(text(&say["id"])), ..message }
}

/// The text of a prompt and its messages, as one string.
fn shown(context: &Context) -> String {
    let mut all = context.prompt.clone();
    for block in context.messages.iter().flat_map(|message| &message.content) {
        all.push('\n');
        all.push_str(match &block.kind {
            BlockKind::Text(text) | BlockKind::Thought(text) => text,
            BlockKind::ToolUse(call) => &call.input,
            BlockKind::ToolResult(result) => &result.output,
            _ => "",
        });
    }
    all
}

/// Whether `left` names the message, alone or within a range. Ids of the script are in the order of their names.
fn names(context: &Context, id: &str) -> bool {
    context.left.iter().any(|left| {
        let within = |first: &str, last: &str| first <= id && id <= last;
        left.reference == id || left.range.as_ref().is_some_and(|range| within(&range.first, &range.last))
    })
}

struct Open {
    instance: Instance,
    memory: ResourceAny,
}

impl Open {
    fn on(storage: &Storage, user: &str) -> Self {
        let mut instance = Instance::new(storage, &scripted());
        let memory = instance.open(user).unwrap().unwrap();
        Self { instance, memory }
    }

    /// The problems of the prompt after the message `now`.
    fn problems(&mut self, hour: &Value, session: ResourceAny, now: &str) -> Vec<String> {
        let budget = hour["budget"].as_u64().unwrap() as u32;
        let context = self.instance.context(session, &ContextOptions { budget, ..OPTIONS }).unwrap().unwrap();
        let text = shown(&context);
        let mut problems = Vec::new();
        if context.tokens > budget {
            problems.push(format!("{now}: {} tokens", context.tokens));
        }
        let planted = hour["planted"].as_array().unwrap();
        for fact in planted.iter().filter(|fact| fact["at"].as_str().unwrap() <= now) {
            let (at, words) = (fact["at"].as_str().unwrap(), fact["words"].as_str().unwrap());
            if !text.contains(words) && !names(&context, at) {
                problems.push(format!("{now}: {at} is lost: {words}"));
            }
            let Some(replaced) = fact["replaces"].as_str() else { continue };
            let ask = fact["ask"].as_str().unwrap();
            let block = self.instance.retrieve(self.memory, ask, None, Some("planner"), None, None).unwrap().unwrap();
            if !block.contains(fact["fresh"].as_str().unwrap()) || block.contains(replaced) {
                problems.push(format!("{now}: {ask} is answered by {block}"));
            }
            let was =
                planted.iter().find(|other| other["now"] == fact["words"]).map(|was| was["words"].as_str().unwrap());
            if was.is_some_and(|was| text.contains(was) && !text.contains(words)) {
                problems.push(format!("{now}: stale: {was:?}"));
            }
        }
        problems
    }
}

#[test]
fn an_hour_of_talk_loses_nothing_that_was_planted() {
    let hour: Value = serde_json::from_str(HOUR).unwrap();
    let (user, name) = (hour["user"].as_str().unwrap(), hour["session"].as_str().unwrap());
    let context_tokens = hour["contextTokens"].as_u64().map(|tokens| tokens as u32);
    let way = || {
        Some(Strategy::TreeReduce(TreeReduce {
            context_tokens,
            compression_threshold: None,
            chunk_size: None,
            hot_window_size: None,
        }))
    };
    let storage = Storage::default();
    let mut open = Open::on(&storage, user);
    let (mut looks, mut archives, mut problems) = (0, 0, Vec::new());
    for step in hour["steps"].as_array().unwrap() {
        if step["crash"] == true {
            // Nothing is closed: the instance is gone in the middle of its work.
            open = Open::on(&storage, user);
        } else if let Some(texts) = step["record"]["texts"].as_array() {
            let agent = step["record"]["agent"].as_str().map(str::to_owned);
            let texts: Vec<String> = texts.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
            let origin = Origin { session: Some(name.to_owned()), agent, source: None };
            open.instance.record(open.memory, &[], &texts, &origin).unwrap().unwrap();
        } else if let Some(summary) = step["archive"]["summary"].as_str() {
            let archive = SessionArchive {
                summary: summary.to_owned(),
                tasks_completed: Vec::new(),
                key_changes: Vec::new(),
                issues: Vec::new(),
                follow_ups: Vec::new(),
            };
            let end = SessionEnd {
                date: String::new(),
                context: None,
                decisions: Vec::new(),
                learnings: Vec::new(),
                archive: Some(archive),
            };
            archives += open.instance.end_session(open.memory, "planner", &end).unwrap().unwrap().len();
        } else {
            let message = message(&step["say"]);
            let id = message.id.clone().unwrap();
            let session = open.instance.session_with(open.memory, name, step["agent"].as_str()).unwrap().unwrap();
            open.instance.append(session, &[message]).unwrap().unwrap();
            open.instance.compress(session, way()).unwrap().unwrap();
            if id.trim_start_matches("m-").parse::<u32>().unwrap() % 10 == 0 {
                looks += 1;
                problems.extend(open.problems(&hour, session, &id));
            }
        }
    }
    assert_eq!((looks, problems), (40, Vec::<String>::new()));
    assert!(archives >= 1);
    let session = open.instance.session(open.memory, name).unwrap().unwrap();
    assert_eq!(open.instance.info(session).unwrap().unwrap().unwrap().messages, 400);
}
