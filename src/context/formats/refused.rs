//! Histories that a provider would refuse unchanged, and how they are written.

use super::Format;
use super::tests::read;
use super::turns::INTERRUPTED;
use crate::codec::json::parse;
use crate::context::sample::{messages, stored};
use crate::model::{BlockKind, Json, Message, Role};

#[test]
fn a_call_without_a_result_is_answered_as_interrupted_unless_it_is_last() {
    let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"t","input":{}}]}"#;
    for format in Format::ALL {
        let followed = format.write(&messages(&format!(r#"[{call},{{"role":"user","content":"stop"}}]"#)));
        let again = read(format, &followed);
        let results: Vec<&str> = again.iter().flat_map(Message::answers).collect();
        assert_eq!(results, ["c1"], "{followed}");
        assert!(followed.to_string().contains(INTERRUPTED));
        let last = format.write(&messages(&format!("[{call}]")));
        assert!(!last.to_string().contains(INTERRUPTED), "the app is about to answer");
        assert_eq!(read(format, &last).last().unwrap().calls().collect::<Vec<_>>(), ["c1"], "{last}");
    }
}

#[test]
fn a_result_without_its_call_is_quoted_and_a_late_one_stands_after_its_call() {
    let lost =
        messages(r#"[{"role":"tool","content":[{"type":"tool_result","toolUseId":"gone","output":"42 degrees"}]}]"#);
    let late = messages(
        r#"[{"role":"user","content":"?"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"t","input":{}}]},
        {"role":"user","content":"and?"},{"role":"tool","content":[{"type":"tool_result","toolUseId":"c1","output":"ok"}]}]"#,
    );
    for format in Format::ALL {
        let again = read(format, &format.write(&lost));
        assert_eq!((again.len(), again[0].role), (1, Role::User));
        let text = again[0].text();
        assert!(text.contains("gone") && text.contains("42 degrees"), "{text}");
        let again = read(format, &format.write(&late));
        let roles: Vec<&str> = again.iter().map(|message| message.role.as_str()).collect();
        assert_eq!(roles, ["user", "assistant", "tool", "user"], "{}", format.name());
    }
}

#[test]
fn calls_that_share_an_id_or_have_none_are_told_apart() {
    let step = |id: &str, text: &str| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"t","input":{{}}}}]}},
            {{"role":"tool","content":[{{"type":"tool_result","toolUseId":"{id}","output":"{text}"}}]}}"#
        )
    };
    let twice = messages(&format!("[{},{}]", step("call.1", "first"), step("call.1", "second")));
    let written = Format::Anthropic.write(&twice).to_string();
    assert!(written.contains(r#""tool_use_id":"call_1","content":"first""#), "{written}");
    assert!(written.contains(r#""tool_use_id":"call_1-2","content":"second""#), "{written}");
    let plain = r#"[{"type":"action","tool":"a","params":{}},{"type":"action","tool":"b","params":{}},
        {"type":"observation","result":"of a"},{"type":"observation","result":"of b"}]"#;
    let Json::Array(lines) = parse(plain).unwrap() else { unreachable!() };
    let written = Format::Gemini.write(&stored(crate::context::lines::read(lines).unwrap())).to_string();
    assert!(written.contains(r#""id":"call","name":"a","response":{"output":"of a"}"#), "{written}");
    assert!(written.contains(r#""id":"call-2","name":"b","response":{"output":"of b"}"#), "{written}");
}

#[test]
fn turns_of_one_side_are_merged_and_begin_with_the_user_where_a_provider_asks_for_it() {
    let ours = messages(
        r#"[{"role":"assistant","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"},{"role":"user","content":"d"}]"#,
    );
    for (format, list) in [(Format::Anthropic, "messages"), (Format::Gemini, "contents")] {
        let written = format.write(&ours);
        let turns = written.get(list).as_array().unwrap();
        let roles: Vec<&str> = turns.iter().map(|turn| turn.get("role").as_str().unwrap()).collect();
        assert_eq!((roles.len(), roles[0], roles[2]), (3, "user", "user"), "{written}");
        assert_eq!(read(format, &written).len(), 2, "what was put first is taken off again");
    }
}

#[test]
fn what_the_model_says_after_a_result_is_a_turn_of_its_own() {
    let ours = messages(
        r#"[{"role":"user","content":"?"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{}},
        {"type":"tool_result","toolUseId":"c","output":"ok"},{"type":"text","text":"It is."}]}]"#,
    );
    for format in Format::ALL {
        let again = read(format, &format.write(&ours));
        let roles: Vec<&str> = again.iter().map(|message| message.role.as_str()).collect();
        assert_eq!(roles, ["user", "assistant", "tool", "assistant"], "{}", format.name());
        assert_eq!(again[3].text(), "It is.");
    }
}

#[test]
fn files_of_tools_are_shown_by_the_user_where_results_hold_only_text() {
    let ours = messages(
        r#"[{"role":"user","content":"?"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{}}]},
        {"role":"tool","content":[{"type":"tool_result","toolUseId":"c","output":[{"type":"text","text":"Here."},
        {"type":"file","mediaType":"image/png","data":"iVBORw0KGgo="}]}]}]"#,
    );
    let BlockKind::ToolResult { output, .. } = &ours[2].content[0].kind else { panic!("no result") };
    for format in Format::ALL {
        let again = read(format, &format.write(&ours));
        if format == Format::OpenAi || format == Format::Gemini {
            assert_eq!((again[3].role, &again[3].content[..]), (Role::User, &output[1..]), "{}", format.name());
        } else {
            assert_eq!(again[2].content, ours[2].content, "{}", format.name());
        }
    }
}
