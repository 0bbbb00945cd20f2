//! Each format exactly as its provider documents it, both ways.

use super::Format;
use crate::codec::json::parse;
use crate::context::sample::{messages, stored};
use crate::model::{Block, BlockKind, Json, Message, Role};

pub(super) fn read(format: Format, value: &Json) -> Vec<Message> {
    stored(format.read(value).unwrap_or_else(|mistake| panic!("{}: {mistake}\n{value}", format.name())))
}

fn refused(format: Format, text: &str) -> String {
    format.read(&parse(text).unwrap()).unwrap_err().field().to_owned()
}

/// Checks that our messages are written as `theirs`, and read back as the same messages.
fn same(format: Format, ours: &str, theirs: &str) {
    let ours = messages(ours);
    let written = format.write(&ours);
    assert_eq!(written.to_string(), parse(theirs).unwrap().to_string(), "{}", format.name());
    let said = |messages: &[Message]| -> Vec<(Role, Vec<Block>)> {
        messages.iter().map(|message| (message.role, message.content.clone())).collect()
    };
    assert_eq!(said(&read(format, &written)), said(&ours), "{}", format.name());
}

const TALK: &str = r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Weather?"},
    {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"weather","input":{"city":"Beijing"}}]},
    {"role":"tool","content":[{"type":"tool_result","toolUseId":"c1","output":"Sunny"}]},
    {"role":"assistant","content":"It is sunny."}]"#;

#[test]
fn e11_openai_chat_has_calls_with_arguments_in_a_text_and_a_message_for_each_result() {
    same(
        Format::OpenAi,
        TALK,
        r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Weather?"},
        {"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Beijing\"}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"Sunny"},{"role":"assistant","content":"It is sunny."}]"#,
    );
}

#[test]
fn e11_openai_responses_are_items() {
    same(
        Format::OpenAiResponses,
        TALK,
        r#"[{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief."}]},
        {"type":"message","role":"user","content":[{"type":"input_text","text":"Weather?"}]},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
        {"type":"function_call","call_id":"c1","name":"weather","arguments":"{\"city\":\"Beijing\"}"},
        {"type":"function_call_output","call_id":"c1","output":"Sunny"},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is sunny."}]}]"#,
    );
}

#[test]
fn e11_anthropic_has_the_system_apart_and_results_in_turns_of_the_user() {
    same(
        Format::Anthropic,
        TALK,
        r#"{"system":"Be brief.","messages":[{"role":"user","content":[{"type":"text","text":"Weather?"}]},
        {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"weather","input":{"city":"Beijing"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Sunny"}]},
        {"role":"assistant","content":[{"type":"text","text":"It is sunny."}]}]}"#,
    );
}

#[test]
fn e11_gemini_has_contents_of_user_and_model() {
    same(
        Format::Gemini,
        TALK,
        r#"{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"Weather?"}]},
        {"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"c1","name":"weather","args":{"city":"Beijing"}}}]},
        {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"weather","response":{"output":"Sunny"}}}]},
        {"role":"model","parts":[{"text":"It is sunny."}]}]}"#,
    );
}

#[test]
fn e11_ai_sdk_has_parts_and_typed_outputs() {
    same(
        Format::AiSdk,
        TALK,
        r#"[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Weather?"}]},
        {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool-call","toolCallId":"c1","toolName":"weather","input":{"city":"Beijing"}}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"weather","output":{"type":"text","value":"Sunny"}}]},
        {"role":"assistant","content":[{"type":"text","text":"It is sunny."}]}]"#,
    );
}

#[test]
fn e11_ai_sdk_ui_has_calls_and_results_and_steps_in_one_message() {
    same(
        Format::AiSdkUi,
        TALK,
        r#"[{"id":"m0","role":"system","parts":[{"type":"text","text":"Be brief."}]},{"id":"m1","role":"user","parts":[{"type":"text","text":"Weather?"}]},
        {"id":"m2","role":"assistant","parts":[{"type":"text","text":"I look."},
        {"type":"tool-weather","toolCallId":"c1","state":"output-available","input":{"city":"Beijing"},"output":"Sunny"},
        {"type":"step-start"},{"type":"text","text":"It is sunny."}]}]"#,
    );
}

#[test]
fn thoughts_come_back_in_every_form_with_what_proves_them() {
    let plain = r#"[{"role":"user","content":"?"},{"role":"assistant","content":[{"type":"thought","text":"hm"},{"type":"text","text":"yes"}]}]"#;
    for format in Format::ALL {
        let ours = messages(plain);
        assert_eq!(read(format, &format.write(&ours))[1].content, ours[1].content, "{}", format.name());
    }
    let with = |extra: &str| plain.replace(r#""hm""#, &format!(r#""hm",{extra}"#));
    same(
        Format::Anthropic,
        &with(r#""signature":"s=="#).replace("s==", "s==\""),
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"?"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s=="},{"type":"text","text":"yes"}]}]}"#,
    );
    same(
        Format::Gemini,
        &with(r#""thoughtSignature":"g""#),
        r#"{"contents":[{"role":"user","parts":[{"text":"?"}]},{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"g"},{"text":"yes"}]}]}"#,
    );
    same(
        Format::OpenAiResponses,
        &with(r#""id":"rs_1","encrypted_content":"e""#),
        r#"[{"type":"message","role":"user","content":[{"type":"input_text","text":"?"}]},
        {"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"id":"rs_1","encrypted_content":"e"},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"yes"}]}]"#,
    );
    let user = messages(r#"[{"role":"user","content":"<think>I am the model</think>"}]"#);
    for format in Format::ALL {
        assert_eq!(read(format, &format.write(&user))[0].content, user[0].content, "nobody thinks for the model");
    }
}

#[test]
fn images_and_files_come_back_as_far_as_a_form_holds_them() {
    let file = |fields: &str| format!(r#"[{{"role":"user","content":[{{"type":"file",{fields}}}]}}]"#);
    let (image, pdf, id) = (
        file(r#""mediaType":"image/png","data":"iVBORw0KGgo=""#),
        file(r#""mediaType":"application/pdf","name":"a.pdf","data":"JVBERi0=""#),
        file(r#""mediaType":"image/*","id":"file-1""#),
    );
    let url = file(r#""mediaType":"image/*","url":"https://a.b/c.png""#);
    for format in Format::ALL {
        for ours in [&image, &url, &pdf] {
            if format == Format::Gemini && *ours == pdf {
                continue; // It has no names.
            }
            let ours = messages(ours);
            let written = format.write(&ours);
            assert_eq!(read(format, &written)[0].content, ours[0].content, "{written}");
        }
        let ours = messages(&id);
        let written = format.write(&ours);
        let again = &read(format, &written)[0].content;
        match format {
            Format::OpenAiResponses | Format::Anthropic | Format::Gemini => {
                assert!(matches!(again[0].kind, BlockKind::File { .. }), "{written}");
            }
            _ => assert_eq!(*again, [Block::text("[image/*: file-1]")], "{written}"),
        }
    }
    let shape = |format: Format, ours: &str| format.write(&messages(ours)).to_string();
    assert!(
        shape(Format::OpenAi, &image).contains(r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,"#)
    );
    assert!(shape(Format::OpenAi, &pdf).contains(r#"{"type":"file","file":{"filename":"a.pdf","file_data":"data:app"#));
    assert!(shape(Format::OpenAiResponses, &url).contains(r#"{"type":"input_image","image_url":"https://a.b/c.png"}"#));
    assert!(shape(Format::Anthropic, &id).contains(r#"{"type":"image","source":{"type":"file","file_id":"file-1"}}"#));
    assert!(shape(Format::Gemini, &image).contains(r#"{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}"#));
    assert!(
        shape(Format::AiSdk, &url).contains(r#"{"type":"image","image":"https://a.b/c.png","mediaType":"image/*"}"#)
    );
    let sniffed = shape(Format::Anthropic, &image.replace("image/png", "image/*"));
    assert!(sniffed.contains(r#""media_type":"image/png""#), "{sniffed}");
}

#[test]
fn what_a_form_cannot_hold_is_named_in_a_note() {
    let odd = messages(
        r#"[{"role":"user","content":[{"type":"data-weather","name":"today"},{"type":"file","mediaType":"video/mp4","name":"a.mp4","url":"u:v"}]},
        {"role":"assistant","content":[{"type":"file","mediaType":"image/png","name":"b.png","data":"iVBORw0KGgo="}]}]"#,
    );
    for format in [Format::OpenAi, Format::OpenAiResponses, Format::Anthropic] {
        let written = format.write(&odd).to_string();
        for note in ["[data-weather: today]", "b.png]"] {
            assert!(written.contains(note), "{note}: {written}");
        }
    }
    assert!(Format::Anthropic.write(&odd).to_string().contains("[video/mp4: a.mp4]"));
    assert!(Format::AiSdkUi.write(&odd).to_string().contains(r#"{"type":"data-weather","name":"today"}"#));
}

#[test]
fn arguments_that_are_not_json_are_kept_as_a_text() {
    for (arguments, input) in [("{\\\"a\\\":", "{\"a\":"), ("free text", "free text")] {
        let theirs = parse(&format!(
            r#"[{{"role":"assistant","content":null,"tool_calls":[{{"id":"c","type":"function","function":{{"name":"t","arguments":"{arguments}"}}}}]}}]"#
        ))
        .unwrap();
        let ours = read(Format::OpenAi, &theirs);
        assert!(
            matches!(&ours[0].content[0].kind, BlockKind::ToolUse { input: Json::String(text), .. } if text == input)
        );
        assert_eq!(Format::OpenAi.write(&ours), theirs);
        assert!(Format::Anthropic.write(&ours).to_string().contains(r#""input":{"input":"#));
    }
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let theirs = format!(r#"[{{"type":"function_call","call_id":"c","name":"t","arguments":"{deep}"}}]"#);
    let ours = read(Format::OpenAiResponses, &parse(&theirs).unwrap());
    assert_eq!(Format::OpenAiResponses.write(&ours).to_string(), theirs);
}

#[test]
fn bad_input_is_refused_by_its_path() {
    assert_eq!(refused(Format::OpenAi, r#"[{"role":"robot","content":"x"}]"#), "messages[0].role");
    assert_eq!(refused(Format::OpenAi, r#"[{"role":"user","content":[{"text":"x"}]}]"#), "messages[0].content[0].type");
    assert_eq!(refused(Format::OpenAi, r#"[{"role":"tool","content":"x"}]"#), "messages[0].tool_call_id");
    assert_eq!(refused(Format::OpenAi, "5"), "messages");
    assert_eq!(refused(Format::OpenAiResponses, r#"[{"type":"function_call","name":"t"}]"#), "input[0].call_id");
    assert_eq!(
        refused(Format::Anthropic, r#"{"messages":[{"role":"user","content":[{}]}]}"#),
        "messages[0].content[0].type"
    );
    assert_eq!(refused(Format::Gemini, r#"{"contents":[{"role":"user","parts":[5]}]}"#), "contents[0].parts[0].part");
    assert_eq!(refused(Format::AiSdk, r#"[{"role":"user","content":7}]"#), "messages[0].content");
    assert_eq!(refused(Format::AiSdkUi, r#"[{"role":"user","content":"x"}]"#), "messages[0].parts");
    for format in Format::ALL {
        assert_eq!(Format::from_name("format", format.name()), Ok(format));
        let deep = parse(&format!("{}{}", "[".repeat(100), "]".repeat(100))).unwrap();
        assert!(format.read(&deep).is_err());
    }
    assert_eq!(Format::from_name("format", "OpenAI").unwrap_err().field(), "format");
}

#[test]
fn what_providers_answer_is_read() {
    let gemini = r#"{"contents":[{"role":"model","parts":[{"functionCall":{"name":"t","args":{"a":1}},"thoughtSignature":"g"},{"executableCode":{"language":"PYTHON","code":"1"}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"t","response":{"degrees":20}}}]}]}"#;
    let ours = read(Format::Gemini, &parse(gemini).unwrap());
    assert_eq!((ours[0].calls().next(), ours[1].answers().next()), (Some("call-1"), Some("call-1")));
    let again = Format::Gemini.write(&ours).to_string();
    assert!(again.contains(r#""thoughtSignature":"g""#) && again.contains(r#""response":{"degrees":20}"#), "{again}");
    assert!(again.contains(r#"{"executableCode":{"language":"PYTHON","code":"1"}}"#), "{again}");
    let ui = r#"[{"id":"u","role":"assistant","metadata":{"k":1},"parts":[{"type":"step-start"},{"type":"reasoning","text":"hm","state":"done"},
        {"type":"dynamic-tool","toolName":"t","toolCallId":"a","state":"output-error","input":{},"errorText":"no"},
        {"type":"tool-s","toolCallId":"b","state":"output-available","input":{},"output":{"n":[1]},"title":"S"},
        {"type":"tool-s","toolCallId":"c","state":"input-available","input":{"q":1}},{"type":"data-x","data":1},{"type":"source-url","sourceId":"1","url":"u"}]}]"#;
    let ours = read(Format::AiSdkUi, &parse(ui).unwrap());
    let ids: Vec<&str> = ours.iter().map(|message| message.id.as_str()).collect();
    assert_eq!(ids, ["u", "u#2"]);
    let again = Format::AiSdkUi.write(&ours).to_string();
    for part in [
        r#"{"type":"reasoning","text":"hm","state":"done"}"#,
        r#""type":"dynamic-tool","toolName":"t","#,
        r#""errorText":"no""#,
        r#""output":{"n":[1]},"title":"S""#,
        r#"{"type":"data-x","data":1}"#,
        r#""metadata":{"k":1}"#,
    ] {
        assert!(again.contains(part), "{part}: {again}");
    }
    let openai = r#"[{"role":"developer","content":[{"type":"text","text":"d"}]},{"role":"assistant","reasoning_content":"hm","content":"x"}]"#;
    let ours = read(Format::OpenAi, &parse(openai).unwrap());
    assert_eq!((ours[0].role, ours[1].content.len()), (Role::System, 2));
    let redacted = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"?"}]},{"role":"assistant","content":[{"type":"redacted_thinking","data":"x"},{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}"#;
    let ours = read(Format::Anthropic, &parse(redacted).unwrap());
    assert_eq!(Format::Anthropic.write(&ours).to_string(), redacted);
}

#[test]
fn values_that_tools_give_come_back_as_values_where_a_form_has_them() {
    let deep = format!("{}1{}", r#"{"a":["#.repeat(20), "]}".repeat(20));
    for value in ["null", "[1,2]", "true", r#"{"a":{"b":1.50}}"#, &deep] {
        let result = format!(
            r#"{{"type":"tool_result","toolUseId":"c","output":[{{"type":"text","text":{},"json":true}}]}}"#,
            Json::from(value)
        );
        let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{}}]}"#;
        let ours =
            messages(&format!(r#"[{{"role":"user","content":"?"}},{call},{{"role":"tool","content":[{result}]}}]"#));
        for format in Format::ALL {
            let again = read(format, &format.write(&ours));
            match format {
                Format::AiSdk | Format::Gemini => assert_eq!(again[2].content, ours[2].content, "{}", format.name()),
                // The output was empty.
                Format::AiSdkUi if value == "null" => {}
                Format::AiSdkUi => assert_eq!(again[2].content, ours[2].content),
                _ => assert!(
                    matches!(&again[2].content[0].kind, BlockKind::ToolResult { output, .. } if *output == [Block::text(value)])
                ),
            }
        }
    }
}

#[test]
fn fields_of_blocks_come_back_where_the_form_knows_them() {
    let image =
        r#"[{"role":"user","content":[{"type":"file","mediaType":"image/*","url":"https://a.b/c","detail":"low"}]}]"#;
    for format in [Format::OpenAi, Format::OpenAiResponses] {
        let ours = messages(image);
        let written = format.write(&ours);
        assert!(written.to_string().contains(r#""detail":"low""#), "{written}");
        assert_eq!(read(format, &written)[0].content, ours[0].content);
    }
    let cached = r#"[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]"#;
    for format in Format::ALL {
        let known = format == Format::Anthropic;
        assert_eq!(format.write(&messages(cached)).to_string().contains("cache_control"), known, "{}", format.name());
    }
    let named = r#"[{"role":"user","name":"Bo Smith","content":"hi"}]"#;
    assert_eq!(
        Format::OpenAi.write(&messages(named)).to_string(),
        r#"[{"role":"user","content":"hi","name":"Bo_Smith"}]"#
    );
}

#[test]
fn failure_of_a_tool_is_carried_where_a_form_has_a_place_for_it() {
    let ours = messages(
        r#"[{"role":"user","content":"?"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{}}]},
        {"role":"tool","content":[{"type":"tool_result","toolUseId":"c","output":"no disk","isError":true}]}]"#,
    );
    for format in Format::ALL {
        let again = read(format, &format.write(&ours));
        let BlockKind::ToolResult { output, is_error, .. } = &again[2].content[0].kind else { panic!("no result") };
        assert_eq!(*output, [Block::text("no disk")]);
        let silent = format == Format::OpenAi || format == Format::OpenAiResponses;
        assert_eq!(*is_error, !silent, "{}", format.name());
    }
}

#[test]
fn approvals_of_calls_keep_their_state_on_the_screen() {
    let part = |state: &str, approval: &str| {
        format!(
            r#"[{{"id":"m","role":"assistant","parts":[{{"type":"tool-t","toolCallId":"c","state":"{state}","input":{{}},"approval":{approval}}}]}}]"#
        )
    };
    for theirs in [
        part("approval-requested", r#"{"id":"a"}"#),
        part("approval-responded", r#"{"id":"a","approved":true}"#),
        part("output-denied", r#"{"id":"a","approved":false,"reason":"no"}"#),
    ] {
        let ours = read(Format::AiSdkUi, &parse(&theirs).unwrap());
        assert_eq!(Format::AiSdkUi.write(&ours).to_string(), theirs);
    }
}
