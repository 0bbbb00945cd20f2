//! Conversations that cannot be: what the types let through and the component refuses, by the name of the field.

use crate::{NOW, OPTIONS, blocks, opened, said, talk};
use keepsake_host::wit::{Error, Invalid, Oversize, Shared};
use keepsake_host::wit_dialog::{
    Block, BlockKind, ContextOptions, Format, IngestOptions, Message, Origin, Recall, Role, ToolResult, ToolUse,
};
use keepsake_host::{Instance, ResourceAny, Storage};

fn refused(field: &str, reason: &str) -> Error {
    Error::InvalidInput(Invalid { field: field.to_owned(), reason: reason.to_owned() })
}

fn begun() -> (Instance, ResourceAny, ResourceAny) {
    talk(&Storage::default(), 0, 0)
}

/// The error of appending `message` after one that is fine; nothing is kept of either.
fn append(message: Message) -> Error {
    let storage = Storage::default();
    let (mut instance, memory, session) = talk(&storage, 0, 0);
    let error = instance.append(session, &[said(Role::User, "fine"), message.clone()]).unwrap().unwrap_err();
    assert_eq!(instance.info(session).unwrap(), Ok(None));
    assert!(storage.holds_the_same_as(&Storage::default()));
    // What has to be a message of a session is refused elsewhere too, except that it says nothing, or too much.
    if !message.content.is_empty() && !matches!(error, Error::TooLarge(_)) {
        let both = [said(Role::User, "fine"), message];
        assert_eq!(instance.to_format(memory, Format::Openai, &both).unwrap(), Err(error.clone()));
        let origin = Origin { session: None, agent: None, source: None };
        assert_eq!(instance.record(memory, &both, &[], &origin).unwrap(), Err(error.clone()));
    }
    error
}

fn one(kind: BlockKind) -> Message {
    blocks(Role::Assistant, vec![BlockKind::Text("ok".into()), kind])
}

fn with_extra(kind: BlockKind, extra: &str) -> Message {
    Message { content: vec![Block { kind, extra: Some(extra.to_owned()) }], ..said(Role::User, "") }
}

#[test]
fn a_message_that_says_nothing_is_refused() {
    assert_eq!(append(blocks(Role::User, vec![])), refused("messages[1].content", "must not be empty"));
}

#[test]
fn text_in_blocks_that_is_no_json_is_refused() {
    let call = |input: &str| BlockKind::ToolUse(ToolUse { id: "c".into(), name: "t".into(), input: input.to_owned() });
    let result = |output: &str| {
        BlockKind::ToolResult(ToolResult { tool_use_id: "c".into(), output: output.to_owned(), is_error: false })
    };
    for text in ["", "{", "undefined", "1 2", &"[".repeat(100_000)] {
        assert_eq!(append(one(call(text))), refused("messages[1].content[1].input", "must be JSON text"));
        assert_eq!(append(one(result(text))), refused("messages[1].content[1].output", "must be JSON text"));
        let other = append(one(BlockKind::Other(text.to_owned())));
        assert_eq!(other, refused("messages[1].content[1].other", "must be the JSON text of an object"));
        let extra = append(with_extra(BlockKind::Text("x".into()), text));
        assert_eq!(extra, refused("messages[1].content[0].extra", "must be the JSON text of an object"));
    }
    let listed = refused("messages[1].content[1].output", "must be a string or an array of blocks");
    assert_eq!(append(one(result("5"))), listed);
    let typed = |field: &str| refused(field, "is required, and must be a string");
    assert_eq!(append(one(result("[{}]"))), typed("messages[1].content[1].output[0].type"));
    for text in ["{}", r#"{"type":5}"#] {
        assert_eq!(append(one(BlockKind::Other(text.to_owned()))), typed("messages[1].content[1].type"));
    }
    for text in ["5", "[]"] {
        let other = append(one(BlockKind::Other(text.to_owned())));
        assert_eq!(other, refused("messages[1].content[1].other", "must be an object"));
    }
    let disguised = append(one(BlockKind::Other(r#"{"type":"text"}"#.into())));
    assert_eq!(disguised, refused("messages[1].content[1].text", "is required"));
}

#[test]
fn fields_beside_a_block_are_an_object_of_other_names() {
    let reason = "is a reserved name; choose another";
    let text = || BlockKind::Text("x".into());
    for (extra, name) in [(r#"{"type":"thought"}"#, "type"), (r#"{"lang":"en","text":"y"}"#, "text")] {
        let field = format!("messages[1].content[0].extra.{name}");
        assert_eq!(append(with_extra(text(), extra)), refused(&field, reason));
    }
    assert_eq!(append(with_extra(text(), "[]")), refused("messages[1].content[0].extra", "must be an object"));
    let other = with_extra(BlockKind::Other(r#"{"type":"x"}"#.into()), r#"{"type":"y"}"#);
    assert_eq!(append(other), refused("messages[1].content[0].extra.type", reason));
}

#[test]
fn what_is_nested_too_deep_or_too_large_is_refused_and_what_is_not_can_be_read_again() {
    let nested = |depth: usize| {
        let input = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        one(BlockKind::ToolUse(ToolUse { id: "c".into(), name: "t".into(), input }))
    };
    // The message, its content, and the block are three levels.
    assert_eq!(append(nested(62)), refused("messages[1].message", "must be nested at most 64 levels deep"));
    let (mut instance, _, session) = begun();
    let kept = instance.append(session, &[nested(61)]).unwrap().unwrap();
    assert_eq!(instance.messages(session, None, None).unwrap().unwrap().messages, kept);
    let Error::TooLarge(Oversize { field, limit, actual }) = append(said(Role::User, &"x".repeat(1_000_000))) else {
        panic!("it is taken")
    };
    assert_eq!((field.as_deref(), limit), (Some("messages[1]"), 1_000_000));
    assert!(actual > limit);
}

#[test]
fn answers_in_answers_can_be_read_again_however_they_are_written() {
    // A text is written as a list of one block, which is two levels deeper.
    let nested = |answers: usize, last: &str| {
        let begin = r#"[{"type":"tool_result","toolUseId":"c","output":"#.repeat(answers);
        let output = format!("{begin}{last}{}", "}]".repeat(answers));
        blocks(Role::Tool, vec![BlockKind::ToolResult(ToolResult { tool_use_id: "c".into(), output, is_error: false })])
    };
    let (mut instance, _, session) = begun();
    let mut kept = 0;
    for answers in 0..40 {
        let taken = instance.append(session, &[nested(answers, r#""deep""#)]).unwrap();
        kept += u64::from(taken.is_ok());
        let window = instance.messages(session, Some(100), None).unwrap().unwrap();
        assert_eq!((window.total, window.messages.len() as u64), (kept, kept), "{answers}");
    }
    assert!((20..40).contains(&kept), "{kept}");
}

#[test]
fn ids_times_and_data_are_as_everywhere() {
    let empty = Message { id: Some(String::new()), ..said(Role::User, "x") };
    assert_eq!(append(empty), refused("messages[1].id", "must not be empty"));
    let reason = "must be milliseconds since 1970 within the years 0 to 9999";
    assert_eq!(append(Message { at: Some(i64::MAX), ..said(Role::User, "x") }), refused("messages[1].at", reason));
    let data = |text: &str| Message { metadata: Some(text.to_owned()), ..said(Role::User, "x") };
    assert_eq!(append(data("{")), refused("messages[1].metadata", "must be the JSON text of an object"));
    assert_eq!(append(data("[]")), refused("messages[1].metadata", "must be an object"));
    let long = append(Message { id: Some("i".repeat(257)), ..said(Role::User, "x") });
    let oversize = Oversize { field: Some("messages[1].id".into()), limit: 256, actual: 257 };
    assert_eq!(long, Error::TooLarge(oversize));
}

#[test]
fn two_messages_or_sessions_with_one_id_are_refused() {
    let (mut instance, _, session) = begun();
    let own = Message { id: Some("m-1".into()), ..said(Role::User, "hello") };
    let taken = Err(Error::AlreadyExists(Shared::Id));
    assert_eq!(instance.append(session, &[own.clone(), own.clone()]).unwrap(), taken);
    let kept = instance.append(session, std::slice::from_ref(&own)).unwrap().unwrap();
    assert_eq!((kept[0].at, &kept[0].content), (Some(NOW), &own.content));
    assert_eq!(instance.append(session, &[said(Role::User, "new"), own]).unwrap(), taken);
    assert_eq!(instance.messages(session, None, None).unwrap().unwrap().messages, kept);
    instance.fork(session, "m-1", "t").unwrap().unwrap();
    assert_eq!(instance.fork(session, "m-1", "t").unwrap(), Err(Error::AlreadyExists(Shared::Id)));
    assert_eq!(instance.fork(session, "m-2", "u").unwrap(), Err(Error::NotFound));
    assert_eq!(instance.messages(session, None, Some("m-2")).unwrap(), Err(Error::NotFound));
    assert_eq!(instance.message(session, "m-2").unwrap(), Ok(None));
}

#[test]
fn names_that_are_empty_are_refused_and_what_is_not_there_is_not_found() {
    let (mut instance, memory) = opened(&Storage::default());
    let empty = |field: &str| refused(field, "must not be empty");
    assert_eq!(instance.session(memory, "").unwrap().unwrap_err(), empty("id"));
    assert_eq!(instance.session_with(memory, "s", Some("")).unwrap().unwrap_err(), empty("agent"));
    let session = instance.session(memory, "s").unwrap().unwrap();
    assert_eq!(instance.append(session, &[]).unwrap(), Ok(vec![]));
    assert_eq!(instance.message(session, "").unwrap(), Err(empty("id")));
    assert_eq!(instance.messages(session, None, Some("")).unwrap(), Err(empty("before")));
    assert_eq!(instance.fork(session, "", "t").unwrap(), Err(empty("at")));
    assert_eq!(instance.fork(session, "m", "").unwrap(), Err(empty("to")));
    assert_eq!(instance.fork(session, "m", "t").unwrap(), Err(Error::NotFound));
    assert_eq!(instance.set_title(session, "title").unwrap(), Err(Error::NotFound));
    assert_eq!(instance.delete_session(session).unwrap(), Ok(0));
    assert_eq!(instance.view(session).unwrap(), Ok(vec![]));
    let recall = Recall {
        query: "x".into(),
        limit: None,
        session: Some(String::new()),
        ranking: None,
        embedding: None,
        agent: None,
        include_tool_traffic: None,
        only_answers: None,
        explain: None,
        min_trust: None,
    };
    assert_eq!(instance.query_memory(memory, &recall).unwrap(), Err(empty("session")));
    assert_eq!(instance.retrieve(memory, "x", None, Some(""), None, None).unwrap(), Err(empty("agent")));
    let options = IngestOptions { namespace: None, tags: vec![], target_chars: None, trust: None };
    assert_eq!(instance.ingest(memory, "", "text", &options).unwrap(), Err(empty("source")));
    let nobody = Origin { session: None, agent: Some(String::new()), source: None };
    assert_eq!(instance.record(memory, &[], &["text".into()], &nobody).unwrap(), Err(empty("agent")));
}

#[test]
fn a_budget_that_the_last_question_does_not_fit_is_refused() {
    let (mut instance, _, session) = talk(&Storage::default(), 3, 10);
    let options = ContextOptions { budget: 3, ..OPTIONS };
    let Err(Error::InvalidInput(Invalid { field, reason })) = instance.context(session, &options).unwrap() else {
        panic!("it fits")
    };
    assert_eq!(field, "budget");
    assert!(reason.starts_with("is too small") && !reason.contains("words"), "{reason}");
}

#[test]
fn forms_and_components_that_are_no_json_of_their_kind_are_refused() {
    let (mut instance, memory, session) = begun();
    for text in ["", "{", &"[".repeat(100_000)] {
        assert_eq!(
            instance.from_format(memory, Format::Openai, text).unwrap(),
            Err(refused("value", "must be JSON text"))
        );
        let components = instance.save_components(session, text).unwrap();
        assert_eq!(components, Err(refused("components", "must be the JSON text of an object")));
    }
    assert!(matches!(instance.from_format(memory, Format::Openai, "5").unwrap(), Err(Error::InvalidInput(_))));
    assert_eq!(instance.save_components(session, "[]").unwrap(), Err(refused("components", "must be an object")));
    let nested = |depth: usize| format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    let deep = refused("components", "must be nested at most 64 levels deep");
    assert_eq!(instance.save_components(session, &nested(65)).unwrap(), Err(deep));
    instance.save_components(session, &nested(64)).unwrap().unwrap();
    assert!(instance.load_components(session).unwrap().unwrap().unwrap().contains(&nested(64)));
    let lines = instance.check_lines(memory, &["no line".into()]).unwrap();
    assert_eq!(lines, Err(refused("lines", "must be the lines of a log export")));
}
