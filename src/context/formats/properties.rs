//! Properties of every format and every history, tested on two thousand random ones.

use super::Format;
use super::turns::INTERRUPTED;
use crate::codec::json::{message, message_draft, parse};
use crate::context::sample::{self, stored};
use crate::model::{Block, BlockKind, Json, Message, Role};

/// Every string anywhere in a value.
fn strings(value: &Json, found: &mut Vec<String>) {
    match value {
        Json::String(text) => found.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Json::Object(fields) => fields.iter().for_each(|(_, value)| strings(value, found)),
        _ => {}
    }
}

fn texts(blocks: &[Block], found: &mut Vec<String>) {
    for block in blocks {
        match &block.kind {
            BlockKind::Text(text) if !text.trim().is_empty() => found.push(text.clone()),
            BlockKind::ToolResult { output, .. } => texts(output, found),
            _ => {}
        }
    }
}

/// Whether `some` is a subsequence of `all`.
fn within(some: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}

#[test]
fn random_messages_come_back_from_our_json() {
    for seed in 0..2000 {
        for ours in sample::history(seed) {
            let text = message(&ours).to_string();
            let again = message_draft(parse(&text).unwrap()).unwrap();
            assert_eq!(again.clone().into_message(ours.id.clone(), ours.at), ours, "seed {seed}");
            assert_eq!((again.id, again.at), (Some(ours.id), Some(ours.at)));
        }
    }
}

#[test]
fn e11_random_histories_lose_no_text_and_keep_calls_and_results_in_every_form() {
    for seed in 0..2000 {
        let ours = sample::history(seed);
        let calls: Vec<String> = ours.iter().flat_map(Message::calls).map(str::to_owned).collect();
        // A tool result in a user's message is quoted as the user's text.
        let by_tools = ours.iter().filter(|message| matches!(message.role, Role::Tool | Role::Assistant));
        let results = by_tools.flat_map(Message::answers).filter(|id| calls.iter().any(|call| call == id));
        let results: Vec<String> = results.map(str::to_owned).collect();
        let mut said = Vec::new();
        ours.iter().for_each(|message| texts(&message.content, &mut said));
        let spoken = |messages: &[Message]| {
            let blocks =
                messages.iter().filter(|message| message.role != Role::System).flat_map(|message| &message.content);
            let found = blocks
                .filter_map(|block| if let BlockKind::Text(text) = &block.kind { Some(text.clone()) } else { None });
            found.filter(|text| !text.trim().is_empty()).collect::<Vec<String>>()
        };
        for format in Format::ALL {
            let place = format!("seed {seed}, {}", format.name());
            let written = parse(&format.write(&ours).to_string()).unwrap();
            let mut found = Vec::new();
            strings(&written, &mut found);
            for text in &said {
                let there = found.iter().any(|string| string.contains(text)) || written.to_string().contains(text);
                assert!(there, "{place}: {text:?} is not in {written}");
            }
            let again = stored(format.read(&written).unwrap());
            let read_calls: Vec<&str> = again.iter().flat_map(Message::calls).collect();
            assert_eq!(read_calls, calls, "{place}");
            let given = again.iter().flat_map(|message| &message.content).filter_map(|block| match &block.kind {
                BlockKind::ToolResult { tool_use_id, output, .. } => Some((tool_use_id, output)),
                _ => None,
            });
            let given: Vec<&String> =
                given.filter(|(_, output)| **output != [Block::text(INTERRUPTED)]).map(|(id, _)| id).collect();
            // In this format a result is inside its call.
            let by_call = calls.iter().filter(|call| results.contains(call));
            let expected: Vec<&String> =
                if format == Format::AiSdkUi { by_call.collect() } else { results.iter().collect() };
            assert_eq!(given, expected, "{place}: {written}");
            assert!(within(&spoken(&ours), &spoken(&again)), "{place}: {written}");
        }
    }
}

fn field<'a>(value: &'a Json, name: &str) -> &'a str {
    value.get(name).as_str().unwrap_or_default()
}

/// The ids in the fields `name` of the parts of `kind`.
fn ids<'a>(parts: &'a [Json], kind: &str, name: &str) -> Vec<&'a str> {
    let mut ids: Vec<&str> =
        parts.iter().filter(|part| field(part, "type") == kind).map(|part| field(part, name)).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn random_histories_are_what_openai_takes() {
    for seed in 0..2000 {
        let written = Format::OpenAi.write(&sample::history(seed));
        let list = written.as_array().unwrap();
        let mut at = 0;
        while at < list.len() {
            let calls = list[at].get("tool_calls").as_array().unwrap_or_default();
            assert_ne!(field(&list[at], "role"), "tool", "seed {seed}: a result without a call in {written}");
            assert!(!list[at].get("content").is_null() || !calls.is_empty(), "seed {seed}: nothing said in {written}");
            let results = list[at + 1..].iter().take_while(|message| field(message, "role") == "tool");
            let mut results: Vec<&str> = results.map(|message| field(message, "tool_call_id")).collect();
            results.sort_unstable();
            at += 1 + results.len();
            if at < list.len() || !results.is_empty() {
                assert_eq!(ids(calls, "function", "id"), results, "seed {seed}: {written}");
            }
        }
    }
}

#[test]
fn random_histories_are_what_anthropic_takes() {
    for seed in 0..2000 {
        let written = Format::Anthropic.write(&sample::history(seed));
        let list = written.get("messages").as_array().unwrap();
        let mut open = Vec::new();
        for (at, turn) in list.iter().enumerate() {
            assert_eq!(field(turn, "role"), ["user", "assistant"][at % 2], "seed {seed}: {written}");
            let parts = turn.get("content").as_array().unwrap();
            assert_eq!(ids(parts, "tool_result", "tool_use_id"), open, "seed {seed}: {written}");
            let answers_first = parts.iter().take(open.len()).all(|part| field(part, "type") == "tool_result");
            assert!(answers_first && !parts.is_empty(), "seed {seed}: {written}");
            let blank = parts.iter().any(|part| field(part, "type") == "text" && field(part, "text").trim().is_empty());
            assert!(!blank, "seed {seed}: {written}");
            open = ids(parts, "tool_use", "id");
        }
    }
}

/// Changes a random value somewhere in `value`.
fn spoil(value: &mut Json, random: &mut sample::Random) {
    let inner = match value {
        Json::Array(items) if !items.is_empty() => {
            let at = random.below(items.len() as u64) as usize;
            &mut items[at]
        }
        Json::Object(fields) if !fields.is_empty() => {
            let at = random.below(fields.len() as u64) as usize;
            if random.below(9) == 0 {
                fields[at].0 =
                    random.one(&["id", "name", "type", "text", "input", "ts", "content", "url", "title"]).to_owned();
            }
            &mut fields[at].1
        }
        other => {
            let texts =
                ["null", "5", "\"x\"", "\"\"", "{}", "[]", "[{}]", r#"{"type":"text"}"#, r#"{"type":"file"}"#, "true"];
            *other = parse(random.one(&texts)).unwrap();
            return;
        }
    };
    if random.below(6) == 0 { *inner = Json::Null } else { spoil(inner, random) }
}

#[test]
fn spoiled_input_is_read_or_refused_and_what_is_read_can_be_stored_and_written() {
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..300 {
        let mut random = sample::Random::new(seed);
        let ours = sample::history(seed);
        for format in Format::ALL {
            let mut theirs = format.write(&ours);
            for _ in 0..random.below(4) {
                spoil(&mut theirs, &mut random);
            }
            let Ok(drafts) = format.read(&theirs) else {
                refused += 1;
                continue;
            };
            taken += 1;
            let place = format!("seed {seed}, {}: {theirs}", format.name());
            let read = stored(drafts);
            for ours in &read {
                let again = message_draft(parse(&message(ours).to_string()).unwrap());
                let again = again.unwrap_or_else(|mistake| panic!("{place}: {mistake}"));
                assert_eq!(again.into_message(ours.id.clone(), ours.at), *ours, "{place}");
                let lines = crate::context::lines::write(ours, true);
                assert_eq!(stored(crate::context::lines::read(lines).unwrap())[0].content, ours.content, "{place}");
            }
            for format in Format::ALL {
                format.read(&format.write(&read)).unwrap_or_else(|mistake| panic!("{place}: {mistake}"));
            }
        }
    }
    assert!(taken > 300 && refused > 200, "{taken} taken, {refused} refused");
}
