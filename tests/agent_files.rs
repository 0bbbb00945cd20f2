//! Files of Markdown in the storage: versions, preconditions, the life of an agent's memory, and two who write at once.

#[allow(dead_code, reason = "other tests need more of it")]
mod shared;

use futures::executor::block_on;
use futures::future::join;
use keepsake::files::{Command, Decision, Handoff, Learning, SessionArchive, Status, TreePath};
use keepsake::memory::{Expect, SessionEnd};
use keepsake::{Config, ErrorCode, MemStore};
use shared::{Scene, holding, open};

fn memory(store: &MemStore, seed: u64) -> Scene {
    open(store, seed, &Config::default())
}

fn path(text: &str) -> TreePath {
    TreePath::new("path", text).unwrap()
}

fn decision(title: &str) -> Decision {
    Decision {
        date: "2025-12-31".into(),
        title: title.into(),
        decision: format!("We do {title}"),
        ..Decision::default()
    }
}

fn text(memory: &Scene, at: &str) -> String {
    block_on(memory.file(&path(at))).unwrap().map_or_else(String::new, |file| file.text)
}

#[test]
fn a4_a6_files_are_kept_byte_for_byte_with_versions_and_preconditions() {
    let store = MemStore::new();
    let one = memory(&store, 1);
    let at = path("notes/kế hoạch.md");
    let odd = "\u{feff}# Kế hoạch\r\n🎉 no final newline";
    let first = block_on(one.write_file(&at, odd, Expect::None)).unwrap();
    let two = memory(&store, 2);
    assert_eq!(block_on(two.file(&at)).unwrap(), Some(first.clone()), "A5: the next invocation has it");
    assert_eq!(block_on(two.write_file(&at, "x", Expect::None)).unwrap_err().code(), ErrorCode::Conflict);
    let second = block_on(two.write_file(&at, "second", Expect::Hash(&first.hash))).unwrap();
    assert_eq!(second.version, 2);
    let lost = block_on(one.write_file(&at, "lost update", Expect::Hash(&first.hash))).unwrap_err();
    assert_eq!((lost.code(), lost.field()), (ErrorCode::Conflict, Some("expect")));
    let history = block_on(one.file_history(&at)).unwrap();
    assert_eq!(history.iter().map(|file| file.text.as_str()).collect::<Vec<_>>(), [odd]);
    let moved = path("archive/plan.md");
    block_on(one.move_file(&at, &moved, Expect::Hash(&second.hash))).unwrap();
    assert_eq!(block_on(one.file(&at)).unwrap(), None);
    assert_eq!(block_on(one.file_history(&moved)).unwrap().len(), 1, "history goes with it");
    let listed = block_on(one.files(Some(&path("archive")))).unwrap();
    assert_eq!(listed.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["archive/plan.md"]);
    assert_eq!(block_on(one.files(Some(&path("arch")))).unwrap(), [], "a folder is a whole name");
    assert!(block_on(one.delete_file(&moved, Expect::Any)).unwrap());
    assert!(!block_on(one.delete_file(&moved, Expect::Any)).unwrap());
    assert!(holding(&store, "Kế hoạch".as_bytes()).is_empty(), "X1");
    assert!(block_on(one.verify_log()).unwrap().problem.is_none());
    let huge = "x".repeat(50_000_000);
    let refused = block_on(one.write_file(&at, &huge, Expect::Any)).unwrap_err();
    assert_eq!((refused.code(), refused.field()), (ErrorCode::TooLarge, Some("text")));
}

#[test]
fn a26_a32_activation_loads_context_and_the_ten_newest_decisions_and_nothing_else() {
    let memory = memory(&MemStore::new(), 1);
    assert_eq!(block_on(memory.activate("coder", "Do it.")).unwrap(), "Do it.", "A3: missing files are fine");
    let end = SessionEnd {
        date: "2025-12-31".into(),
        context: Some("# Current Context\n\nfocus on tests\n".into()),
        decisions: (0..12)
            .map(|n| Decision { date: format!("2025-12-{:02}", n + 1), ..decision(&format!("d{n}")) })
            .collect(),
        learnings: vec![Learning {
            date: "2025-12-31".into(),
            title: "Retry".into(),
            pattern: "retry twice".into(),
            code: "retry(2)".into(),
            language: "js".into(),
            why: "networks fail".into(),
        }],
        archive: Some(SessionArchive {
            date: "2025-12-31".into(),
            summary: "a long day".into(),
            ..SessionArchive::default()
        }),
    };
    let files = block_on(memory.end_session("coder", &end)).unwrap();
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let home = "agents/coder/memory";
    let expected =
        ["context.md", "decisions.md", "learnings.md", "sessions/2025-12-31.md"].map(|name| format!("{home}/{name}"));
    assert_eq!(paths, expected.each_ref().map(String::as_str), "A30: in this order");
    assert_eq!(memory.revision(), 1, "one commit");
    let prompt = block_on(memory.activate("coder", "Do it.")).unwrap();
    assert!(prompt.starts_with("## Agent Memory | Memory của Agent\n\n### Current Context | Context hiện tại\n\n"));
    assert!(prompt.ends_with("\n\n---\n\nDo it.") && prompt.contains("focus on tests"));
    assert!(prompt.contains("We do d11") && prompt.contains("We do d2") && !prompt.contains("We do d1\n"), "A26: ten");
    assert!(!prompt.contains("retry twice") && !prompt.contains("a long day"), "A27, A28");
    let more = SessionEnd { date: "2026-01-01".into(), decisions: vec![decision("later")], ..SessionEnd::default() };
    let before = text(&memory, "agents/coder/memory/decisions.md");
    block_on(memory.end_session("coder", &more)).unwrap();
    let after = text(&memory, "agents/coder/memory/decisions.md");
    assert!(after.starts_with(&format!("{before}\n")) && after.contains("We do later"), "A36");
    assert_eq!(
        block_on(memory.end_session("coder", &SessionEnd { date: "2026-01-01".into(), ..SessionEnd::default() }))
            .unwrap(),
        []
    );
    let bad = SessionEnd {
        date: "2026-01-01".into(),
        decisions: vec![Decision { date: "2025-13-45".into(), ..decision("x") }],
        ..SessionEnd::default()
    };
    assert_eq!(block_on(memory.end_session("coder", &bad)).unwrap_err().field(), Some("decisions[0].date"));
    assert_eq!(block_on(memory.end_session("../other", &more)).unwrap_err().field(), Some("agent"));
}

#[test]
fn two_who_end_a_session_at_once_both_have_their_decisions() {
    let store = MemStore::new();
    for round in 0..20 {
        let (one, two) = (memory(&store, round), memory(&store, 100 + round));
        let end = |who: &str| SessionEnd {
            date: "2025-12-31".into(),
            context: Some(format!("# Current Context\n\n{who} of {round}\n{who} of {round}\n")),
            decisions: vec![decision(&format!("{who}-{round}"))],
            ..SessionEnd::default()
        };
        let (ours, theirs) = (end("one"), end("two"));
        let (a, b) = block_on(join(one.end_session("team", &ours), two.end_session("team", &theirs)));
        assert!(a.is_ok() && b.is_ok());
        let decisions = text(&one, "agents/team/memory/decisions.md");
        assert!(decisions.contains(&format!("one-{round}")) && decisions.contains(&format!("two-{round}")));
        let context = Some(text(&two, "agents/team/memory/context.md"));
        assert!(context == ours.context || context == theirs.context, "whole, and one of the two");
    }
}

#[test]
fn a34_one_section_is_changed_and_every_other_byte_stays() {
    let memory = memory(&MemStore::new(), 1);
    let at = path("agents/coder/memory/context.md");
    let before = "# Current Context\n> Last updated: 2025-01-01\n\n## My own heading\nkept  as it is\n\n## Notes | Ghi chú\n- old\n";
    block_on(memory.write_file(&at, before, Expect::Any)).unwrap();
    let after = block_on(memory.update_section(&at, "Notes", "- new")).unwrap().text;
    assert_eq!(after.split("## Notes").next(), before.split("## Notes").next());
    assert!(after.contains("- new") && !after.contains("- old"));
    assert_eq!(block_on(memory.update_section(&at, "Nowhere", "x")).unwrap_err().field(), Some("section"));
    assert_eq!(text(&memory, at.as_str()), after);
}

#[test]
fn a44_a45_work_is_handed_over_to_agents_that_are_there() {
    let memory = memory(&MemStore::new(), 1);
    let handoff = Handoff {
        timestamp: "2025-12-31 10:30".into(),
        from_agent: "lead".into(),
        to_agent: "coder".into(),
        task: "write the parser".into(),
        context: "the spec is done".into(),
        expected_deliverable: "a branch".into(),
        ..Handoff::default()
    };
    assert_eq!(block_on(memory.hand_over(&handoff)).unwrap_err().field(), Some("toAgent"));
    block_on(memory.write_file(&path("agents/coder/agent.md"), "# Coder\n", Expect::Any)).unwrap();
    block_on(memory.hand_over(&handoff)).unwrap();
    let prompt = |agent: &str| block_on(memory.activate_member(agent, "Go.")).unwrap();
    assert!(prompt("coder").contains("write the parser") && !prompt("tester").contains("write the parser"));
    block_on(memory.set_handoff("2025-12-31 10:30: lead → coder", Status::Complete)).unwrap();
    assert!(!prompt("coder").contains("write the parser"), "{}", text(&memory, "team-memory/handoffs.md"));
    assert_eq!(block_on(memory.set_handoff("nothing", Status::Complete)).unwrap_err().field(), Some("heading"));
}

#[test]
fn what_was_edited_outside_is_merged_by_section() {
    let memory = memory(&MemStore::new(), 1);
    let at = path("notes.md");
    let base = "# Notes\n\n## A\none\n\n## B\ntwo\n";
    block_on(memory.write_file(&at, &base.replace("one", "ONE"), Expect::Any)).unwrap();
    let (file, merged) = block_on(memory.merge_file(&at, base, &base.replace("two", "TWO"))).unwrap();
    assert_eq!((file.text.as_str(), merged.conflicts.len()), ("# Notes\n\n## A\nONE\n\n## B\nTWO\n", 0));
    let (file, merged) = block_on(memory.merge_file(&at, base, &base.replace("one", "uno"))).unwrap();
    assert_eq!(merged.conflicts.len(), 1);
    assert!(file.text.contains("ONE") && file.text.contains("uno"), "both are kept");
}

#[test]
fn the_memory_tool_works_on_the_same_files_and_cannot_leave_its_folder() {
    let store = MemStore::new();
    let memory = memory(&store, 1);
    let tool = |command: &Command| block_on(memory.memory_tool("agents/coder/notes", command)).unwrap();
    let create = |path: &str| Command::Create { path: path.into(), file_text: "line one\nline two\n".into() };
    assert_eq!(tool(&create("/memories/a.md")), Ok("File created successfully at: /memories/a.md".into()));
    assert_eq!(text(&memory, "agents/coder/notes/a.md"), "line one\nline two\n");
    assert!(tool(&create("/memories/a.md")).unwrap_err().contains("already exists"));
    let edit = Command::StrReplace { path: "/memories/a.md".into(), old_str: "two".into(), new_str: "2".into() };
    assert!(tool(&edit).is_ok() && tool(&edit).is_err());
    let rename = Command::Rename { old_path: "/memories/a.md".into(), new_path: "/memories/sub/b.md".into() };
    assert_eq!(tool(&rename), Ok("Successfully renamed /memories/a.md to /memories/sub/b.md".into()));
    assert_eq!(text(&memory, "agents/coder/notes/sub/b.md"), "line one\nline 2\n");
    assert!(
        tool(&Command::View { path: "/memories".into(), view_range: None }).unwrap().contains("/memories/sub/b.md")
    );
    for escape in
        ["/memories/../x", "/etc/passwd", "/memories/%2e%2e/x", "/memories/a\u{0}b", "memories/x", "/memories/..\\x"]
    {
        assert!(tool(&create(escape)).is_err(), "{escape}");
    }
    assert!(tool(&Command::Delete { path: "/memories/sub".into() }).is_ok());
    assert_eq!(block_on(memory.files(None)).unwrap(), []);
    assert!(holding(&store, b"line one").is_empty(), "X1");
}
