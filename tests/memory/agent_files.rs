//! Files of Markdown in the storage: versions, preconditions, the life of an agent's memory, and two who write at once.

use crate::shared::{Scene, holding, open};
use futures::executor::block_on;
use futures::future::join;
use keepsake::files::{Command, Decision, Handoff, Learning, SessionArchive, Status, TreePath};
use keepsake::memory::{ContextUpdate, Expect, SessionEnd};
use keepsake::{Config, ErrorCode, MemStore};

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
    assert_eq!(block_on(memory.activate("coder")).unwrap().inject("Do it."), "Do it.", "A3: missing files are fine");
    let end = SessionEnd {
        date: "2025-12-31".into(),
        context: Some(ContextUpdate::Whole("# Current Context\n\nfocus on tests\n".into())),
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
    let prompt = block_on(memory.activate("coder")).unwrap().inject("Do it.");
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
            context: Some(ContextUpdate::Whole(format!("# Current Context\n\n{who} of {round}\n{who} of {round}\n"))),
            decisions: vec![decision(&format!("{who}-{round}"))],
            ..SessionEnd::default()
        };
        let (ours, theirs) = (end("one"), end("two"));
        let (a, b) = block_on(join(one.end_session("team", &ours), two.end_session("team", &theirs)));
        assert!(a.is_ok() && b.is_ok());
        let decisions = text(&one, "agents/team/memory/decisions.md");
        assert!(decisions.contains(&format!("one-{round}")) && decisions.contains(&format!("two-{round}")));
        let context = Some(ContextUpdate::Whole(text(&two, "agents/team/memory/context.md")));
        assert!(context == ours.context || context == theirs.context, "whole, and one of the two");
    }
}

#[test]
fn a34_one_section_is_changed_and_every_other_byte_stays() {
    let memory = memory(&MemStore::new(), 1);
    let at = path("agents/coder/memory/context.md");
    let before = "# Current Context\n> Last updated: 2025-01-01\n\n## My own heading\nkept  as it is\n\n## Notes | Ghi chú\n- old\n";
    block_on(memory.write_file(&at, before, Expect::Any)).unwrap();
    let after = block_on(memory.update_section(&at, "Notes", "- new", Expect::Any)).unwrap().text;
    assert_eq!(after.split("## Notes").next(), before.split("## Notes").next());
    assert!(after.contains("- new") && !after.contains("- old"));
    assert_eq!(block_on(memory.update_section(&at, "Nowhere", "x", Expect::Any)).unwrap_err().field(), Some("section"));
    assert_eq!(text(&memory, at.as_str()), after);
    let made = block_on(memory.update_section(&at, "Điểm nghẽn", "- [ ] no key", Expect::Any)).unwrap().text;
    let place = "## Blockers | Điểm nghẽn\n\n- [ ] no key\n\n---\n\n## Notes";
    assert_eq!(made, after.replace("## Notes", &format!("---\n\n{place}")), "A8: a missing section in its place");
}

#[test]
fn a25_no_archive_is_replaced_by_another_of_the_same_day() {
    let store = MemStore::new();
    for round in 0..4 {
        let (one, two) = (memory(&store, round), memory(&store, 100 + round));
        let end = |who: &str| SessionEnd {
            date: "2025-12-31".into(),
            archive: Some(SessionArchive {
                date: "2025-12-31".into(),
                summary: format!("{who} of {round}"),
                ..SessionArchive::default()
            }),
            ..SessionEnd::default()
        };
        let (ours, theirs) = (end("one"), end("two"));
        let (a, b) = block_on(join(one.end_session("coder", &ours), two.end_session("coder", &theirs)));
        assert!(a.is_ok() && b.is_ok());
    }
    let all = block_on(memory(&store, 7).files(Some(&path("agents/coder/memory/sessions")))).unwrap();
    let names: Vec<&str> = all.iter().map(|file| file.path.name()).collect();
    let expected: Vec<String> = (2..=8).map(|number| format!("2025-12-31_{number:02}.md")).collect();
    assert_eq!(names[0], "2025-12-31.md");
    assert_eq!(names[1..], expected);
    for round in 0..4 {
        let said = |who: &str| all.iter().filter(|file| file.text.contains(&format!("{who} of {round}\n"))).count();
        assert_eq!((said("one"), said("two")), (1, 1), "{round}");
    }
}

#[test]
fn a1_an_agent_is_where_its_files_are_and_never_in_two_places() {
    let memory = memory(&MemStore::new(), 1);
    let put = |at: &str, text: &str| block_on(memory.write_file(&path(at), text, Expect::Any)).unwrap();
    put(".microai/agents/a/knowledge/k.md", "# K\n\nThe vault is blue.\n");
    let home = |agent: &str| block_on(memory.activate(agent)).map(|loaded| loaded.folder);
    assert_eq!(home("a").unwrap(), ".microai/agents/a", "knowledge alone is enough");
    assert_eq!(home("new").unwrap(), ".microai/agents/new");
    put("agents/b/agent.md", "# B\n");
    assert_eq!(home("b").unwrap(), "agents/b");
    put("agents/a/memory/context.md", "# C\n");
    assert_eq!(home("a").unwrap(), "agents/a", "the documented files count");
    put(".microai/agents/a/agent.md", "# A\n");
    assert_eq!(home("a").unwrap_err().field(), Some("agent"));
    let end = SessionEnd { date: "2025-12-31".into(), decisions: vec![decision("x")], ..SessionEnd::default() };
    assert_eq!(block_on(memory.end_session("a", &end)).unwrap_err().field(), Some("agent"));
    assert!(block_on(memory.search_knowledge("b", "vault", 5)).unwrap().is_empty(), "another's knowledge");
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
    let prompt = |agent: &str| block_on(memory.activate_member(agent)).unwrap().inject("Go.");
    assert!(prompt("coder").contains("write the parser") && !prompt("tester").contains("write the parser"));
    block_on(memory.set_handoff("2025-12-31 10:30: lead → coder", None, Status::Complete, None)).unwrap();
    assert!(!prompt("coder").contains("write the parser"), "{}", text(&memory, "team-memory/handoffs.md"));
    assert_eq!(
        block_on(memory.set_handoff("nothing", None, Status::Complete, None)).unwrap_err().field(),
        Some("heading")
    );
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
    let tool = |command: &Command| block_on(memory.memory_tool("agents/coder/notes", &[], command)).unwrap();
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

/// What `verb` answers to `args`, both as JSON.
fn ask(memory: &Scene, verb: &str, args: &str) -> Result<String, keepsake::Error> {
    let args = keepsake::codec::json::parse(args).unwrap();
    block_on(memory.call(verb, args)).map(|answer| answer.to_string())
}

#[test]
fn a30_a_session_ends_with_parts_of_the_context() {
    let memory = memory(&MemStore::new(), 1);
    let before = "# Current Context\n> Last updated: 2025-01-01\n\n## Active Focus | Đang tập trung\n- [ ] parse\n- [ ] merge\n\n## Mine\nkept\n";
    block_on(memory.write_file(&path("agents/a/memory/context.md"), before, Expect::Any)).unwrap();
    let end = r#"{"agent":"a","date":"2025-12-31","context":{"updated":"2025-12-31","activeFocus":[{"text":"parse","done":true},"merge"],
        "blockers":["no network"],"projectState":[["Parser","done","100 %"]]},"decisions":[{"title":"Keep bytes"}],
        "archive":{"summary":"Long.","keyChanges":[["a.rs","new"]],"followUps":["docs"],"issues":[{"title":"Slow","solution":"cache"}]}}"#;
    let written = ask(&memory, "endSession", end).unwrap();
    assert!(written.contains("sessions/2025-12-31.md"), "{written}");
    let after = text(&memory, "agents/a/memory/context.md");
    assert!(after.contains("> Last updated: 2025-12-31\n") && after.contains("- [x] parse\n"), "{after}");
    assert!(after.contains("## Mine\nkept\n") && after.contains("| Parser | done | 100 % |"), "{after}");
    assert!(after.contains("no network"), "{after}");
    let parsed = ask(&memory, "parseFile", r#"{"path":"agents/a/memory/context.md"}"#).unwrap();
    assert!(parsed.contains(r#""kind":"context""#) && parsed.contains(r#""part":"activeFocus""#), "{parsed}");
    let archive = text(&memory, "agents/a/memory/sessions/2025-12-31.md");
    assert!(archive.contains("- [ ] docs") && archive.contains("`a.rs`") && archive.contains("**Slow**"), "{archive}");
    let refused = |verb: &str, args: &str| ask(&memory, verb, args).unwrap_err().field().unwrap_or("").to_owned();
    assert_eq!(refused("endSession", r#"{"agent":"a","context":{"summary":"x"}}"#), "context.summary");
    assert_eq!(refused("endSession", r#"{"agent":"a","decisions":[{}]}"#), "decisions[0].title");
    assert_eq!(
        refused("endSession", r#"{"agent":"a","date":"soon","decisions":[{"title":"x"}]}"#),
        "decisions[0].date"
    );
    assert_eq!(
        refused("updateFile", r#"{"path":"agents/a/memory/context.md","changes":{"notes":[{"done":1}]}}"#),
        "notes[0].done"
    );
    assert_eq!(refused("recordNotes", r#"{"path":"notes.md","entries":[{"title":"x"}]}"#), "entries[0].kind");
    assert_eq!(text(&memory, "agents/a/memory/context.md"), after, "nothing was half written");
}

#[test]
fn a29_learnings_are_found_when_they_are_asked_for() {
    let memory = memory(&MemStore::new(), 1);
    let learned = r#"{"path":"agents/a/memory/learnings.md","entries":[
        {"date":"2025-12-30","title":"Retry network calls","pattern":"Retry twice with a pause","code":"retry(2)","language":"js","why":"Networks fail"},
        {"date":"2025-12-31","title":"Dấu thanh tiếng Việt","pattern":"So sánh sau khi bỏ dấu","why":"Người dùng gõ cả hai"},
        {"date":"2025-12-31","title":"Cache the index","pattern":"Build it once"}]}"#;
    ask(&memory, "recordNotes", learned).unwrap();
    let first = |query: &str| {
        let found = block_on(memory.search_learnings("a", query, 2)).unwrap();
        found.first().map(|found| found.entry.title.clone()).unwrap_or_default()
    };
    assert_eq!(first("the network failed again"), "Retry network calls");
    assert_eq!(first("tieng viet"), "Dấu thanh tiếng Việt");
    assert_eq!(first("quantum chromodynamics"), "");
    let found = block_on(memory.search_learnings("a", "retry", 1)).unwrap().remove(0);
    assert!(
        found.text.starts_with("## 2025-12-30: Retry") && found.text.contains("```js\nretry(2)\n```"),
        "{}",
        found.text
    );
    assert_eq!(block_on(memory.search_learnings("nobody", "retry", 5)).unwrap(), [], "A3");
}

#[test]
fn a43_blockers_are_numbered_and_resolved() {
    let memory = memory(&MemStore::new(), 1);
    let first = ask(&memory, "addBlocker", r#"{"title":"No keys","owner":"lead","blocking":"deploy"}"#).unwrap();
    assert!(
        first.contains(r#""heading":"BLOCKER-001: No keys""#) && first.contains(r#""status":"pending""#),
        "{first}"
    );
    ask(&memory, "addBlocker", r#"{"title":"No disk"}"#).unwrap();
    let done = r#"{"heading":"BLOCKER-001: No keys","status":"complete","resolvedBy":"ops","resolution":"sent them"}"#;
    let done = ask(&memory, "setBlocker", done).unwrap();
    assert!(done.contains(r#""resolvedBy":"ops""#) && done.contains(r#""status":"complete""#), "{done}");
    let open = block_on(memory.blockers(Some(Status::Pending))).unwrap();
    assert_eq!(open.iter().map(|entry| entry.heading.as_str()).collect::<Vec<_>>(), ["BLOCKER-002: No disk"]);
    let refused = ask(&memory, "setBlocker", r#"{"heading":"BLOCKER-009: x","status":"complete"}"#).unwrap_err();
    assert_eq!(refused.field(), Some("heading"));
    assert_eq!(ask(&memory, "blockers", r#"{"status":"gone"}"#).unwrap_err().field(), Some("status"));
}
