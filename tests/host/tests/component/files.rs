//! The Markdown memory through the component.

use crate::files_verbs::{CONTEXT, blocker, decision, end, handoff, learning, written};
use crate::{opened, scripted};
use keepsake_host::wit::Error;
use keepsake_host::wit_files::{Expect, Note, Route, Status};
use keepsake_host::{Instance, Storage};

#[test]
fn a26_a30_a45_an_agent_ends_a_session_and_is_activated_with_what_it_left() {
    let mut instance = Instance::new(&Storage::default(), &scripted());
    let memory = instance.open("u-1").unwrap().unwrap();
    let empty = instance.activate(memory, "coder").unwrap().unwrap();
    assert_eq!((empty.frame.as_str(), empty.context.as_str()), ("", ""), "A3");
    let files = instance.end_session(memory, "coder", &end()).unwrap().unwrap();
    let names: Vec<&str> = files.iter().filter_map(|file| file.path.strip_prefix("agents/coder/memory/")).collect();
    assert_eq!(names, ["context.md", "decisions.md", "learnings.md", "sessions/2025-12-31.md"]);
    let loaded = instance.activate(memory, "coder").unwrap().unwrap();
    assert!(
        loaded.frame.starts_with("## Agent Memory | Memory của Agent") && loaded.frame.contains("We do tests first")
    );
    assert!(!loaded.frame.contains("Retry twice"), "A27");
    assert_eq!(loaded.decisions[0].fields, [("decision".to_owned(), "We do tests first".to_owned())]);
    instance.hand_over(memory, &handoff()).unwrap().unwrap();
    let member = instance.activate_member(memory, "coder").unwrap().unwrap();
    let waiting = &member.team.unwrap().handoffs[0];
    assert_eq!(waiting.route, Some(Route { from: "lead".to_owned(), to: "coder".to_owned() }));
    assert_eq!(
        (waiting.status, waiting.date.as_deref(), waiting.time.as_deref()),
        (Some(Status::Pending), Some("2025-12-31"), Some("10:30"))
    );
    let done = instance.set_handoff(memory, &waiting.heading, None, Status::Complete, Some("merged")).unwrap().unwrap();
    assert!(done.fields.contains(&("result".to_owned(), "merged".to_owned())));
    assert_eq!(instance.handoffs(memory, Some("coder"), Some(Status::Pending)).unwrap().unwrap(), []);
    let found = instance.search_learnings(memory, "coder", "the network failed", None).unwrap().unwrap();
    assert!(found[0].text.contains("retry(2)") && found[0].score > 0.0);
    let blocked = instance.add_blocker(memory, &blocker("No keys")).unwrap().unwrap();
    assert_eq!(blocked.heading, "BLOCKER-001: No keys");
    assert_eq!(instance.blockers(memory, Some(Status::Complete)).unwrap().unwrap(), []);
}

#[test]
fn files_are_changed_only_where_they_are_expected_to_be_and_refused_by_field() {
    let (mut instance, memory) = opened(&written());
    let file = instance.read_file(memory, CONTEXT).unwrap().unwrap().unwrap();
    assert!(file.text.contains("- new") && !file.text.contains("- old"));
    let stale = Expect::Hash("nothing".into());
    assert!(matches!(instance.write_file(memory, CONTEXT, "x", &stale).unwrap(), Err(Error::Conflict(_))));
    assert!(matches!(instance.write_file(memory, CONTEXT, "x", &Expect::None).unwrap(), Err(Error::Conflict(_))));
    let known = Expect::Hash(file.hash);
    assert_eq!(instance.append_file(memory, CONTEXT, "x", &known).unwrap().unwrap().version, file.version + 1);
    let history = instance.file_history(memory, CONTEXT).unwrap().unwrap();
    assert_eq!(history.last().map(|old| old.version), Some(file.version));
    let field = |answer: Result<(), Error>| match answer {
        Err(Error::InvalidInput(refused)) => refused.field,
        Err(Error::TooLarge(refused)) => refused.field.unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    for path in ["../x", "/etc/passwd", "a//b", "a\0b", "", "%2e%2e/x"] {
        let refused = instance.write_file(memory, path, "x", &Expect::Any).unwrap();
        assert_eq!(field(refused.map(|_| ())), "path", "{path}");
    }
    let huge = "x".repeat(900_001);
    let refused = instance.write_file(memory, "a.md", &huge, &Expect::Any).unwrap();
    assert_eq!(field(refused.map(|_| ())), "text");
    let bad = Note::Decision(keepsake_host::wit_files::Decision { date: "2025-13-45".into(), ..decision("x") });
    let refused = instance.record_notes(memory, "team-memory/decisions.md", &[bad]).unwrap();
    assert_eq!(field(refused.map(|_| ())), "entries[0].date");
    let wrong = Note::Learning(learning("x", "y"));
    let refused = instance.record_notes(memory, "team-memory/decisions.md", &[wrong]).unwrap();
    assert_eq!(field(refused.map(|_| ())), "entries[0].pattern");
    let refused = instance.update_file(memory, CONTEXT, &r#"{"summary":"x"}"#.into(), &Expect::Any).unwrap();
    assert_eq!(field(refused.map(|_| ())), "summary");
    let parsed = instance.parse_file(memory, CONTEXT, Some("# C\n\n## Notes\n- one\n")).unwrap().unwrap().unwrap();
    assert!(parsed.contains(r#""notes":[{"text":"one","line":4}]"#), "{parsed}");
}

#[test]
fn the_memory_tool_answers_the_model_and_stays_below_its_root() {
    let mut instance = Instance::new(&Storage::default(), &scripted());
    let memory = instance.open("u-1").unwrap().unwrap();
    let mut run = |command: &str| instance.memory_tool(memory, Some("notes"), &[], &command.to_owned()).unwrap();
    let create = r#"{"command":"create","path":"/memories/a.md","file_text":"one\n"}"#;
    assert_eq!(run(create).unwrap(), Ok("File created successfully at: /memories/a.md".to_owned()));
    assert!(run(create).unwrap().unwrap_err().contains("already exists"));
    assert!(run(r#"{"command":"view","path":"/memories/../x"}"#).unwrap().is_err());
    assert!(run(r#"{"command":"format"}"#).is_err());
    let files = instance.list_files(memory, None).unwrap().unwrap();
    assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["notes/a.md"]);
}
