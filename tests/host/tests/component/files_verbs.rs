//! The verbs of files, for tests that hold of all verbs, and a storage for them.

use crate::scripted;
use crate::verbs::{Verb, text};
use keepsake_host::wit_files::{
    Blocker, ContextUpdate, Decision, Dispatched, Expect, Handoff, Issue, Learning, Note, SessionArchive, SessionEnd,
    Status,
};
use keepsake_host::{Instance, Storage};

pub(crate) const HOME: &str = "agents/coder/memory";
pub(crate) const CONTEXT: &str = "agents/coder/memory/context.md";
const DECISIONS: &str = "agents/coder/memory/decisions.md";

pub(crate) fn decision(title: &str) -> Decision {
    Decision {
        date: String::new(),
        title: title.into(),
        context: String::new(),
        decision: format!("We do {title}"),
        reason: String::new(),
        alternatives: String::new(),
        impact: String::new(),
        reversible: String::new(),
    }
}

pub(crate) fn learning(title: &str, pattern: &str) -> Learning {
    Learning {
        date: "2025-12-31".into(),
        title: title.into(),
        pattern: pattern.into(),
        language: "js".into(),
        code: "retry(2)".into(),
        why: "Networks fail".into(),
    }
}

pub(crate) fn end() -> SessionEnd {
    SessionEnd {
        date: "2025-12-31".into(),
        context: Some(ContextUpdate::Parts(
            r#"{"updated":"2025-12-31","activeFocus":["parse"],"notes":["old"]}"#.into(),
        )),
        decisions: vec![decision("tests first")],
        learnings: vec![learning("Retry network calls", "Retry twice")],
        archive: Some(SessionArchive {
            summary: "A long day".into(),
            tasks_completed: vec!["parser".into()],
            key_changes: vec![("a.rs".into(), "new".into())],
            issues: vec![Issue { title: "Slow".into(), problem: "much".into(), solution: "cache".into() }],
            follow_ups: vec!["docs".into()],
        }),
    }
}

pub(crate) fn handoff() -> Handoff {
    Handoff {
        timestamp: "2025-12-31 10:30".into(),
        from_agent: "lead".into(),
        to_agent: "coder".into(),
        task: "write the parser".into(),
        context: "the spec is done".into(),
        files: String::new(),
        expected_deliverable: "a branch".into(),
        priority: String::new(),
    }
}

pub(crate) fn dispatched(task: &str) -> Dispatched {
    Dispatched {
        line: 0,
        date: "2025-12-31".into(),
        received: "10:30".into(),
        task: task.into(),
        status: None,
        plan: Vec::new(),
        findings: String::new(),
    }
}

pub(crate) fn blocker(title: &str) -> Blocker {
    Blocker {
        title: title.into(),
        identified_by: "lead".into(),
        identified_at: String::new(),
        blocking: "deploy".into(),
        description: String::new(),
        proposed: String::new(),
        owner: String::new(),
    }
}

/// A storage with the files of an agent and of its team; the context has an older version.
pub(crate) fn written() -> Storage {
    let storage = Storage::default();
    let mut instance = Instance::new(&storage, &scripted());
    let memory = instance.open("u-1").unwrap().unwrap();
    instance.end_session(memory, "coder", &end()).unwrap().unwrap();
    instance.update_section(memory, CONTEXT, "Notes", "- new", &Expect::Any).unwrap().unwrap();
    instance.hand_over(memory, &handoff()).unwrap().unwrap();
    instance.add_blocker(memory, &blocker("No keys")).unwrap().unwrap();
    storage
}

/// A change reads the file and commits.
const CHANGE: &[&[&str]] = &[&["get", "commit"]];

/// A documented file is looked for first, below either root.
const FOUND: &[&str] = &["get"];

pub(crate) const FILES: &[Verb] = &[
    Verb { name: "read-file", run: |instance, memory| text(instance.read_file(memory, CONTEXT)), calls: &[&["get"]] },
    Verb {
        name: "list-files",
        run: |instance, memory| text(instance.list_files(memory, Some(HOME))),
        calls: &[&["scan"]],
    },
    Verb {
        name: "write-file",
        run: |instance, memory| text(instance.write_file(memory, "new.md", "text", &Expect::None)),
        calls: CHANGE,
    },
    Verb {
        name: "append-file",
        run: |instance, memory| text(instance.append_file(memory, CONTEXT, "more", &Expect::Any)),
        calls: CHANGE,
    },
    Verb {
        name: "merge-file",
        run: |instance, memory| text(instance.merge_file(memory, CONTEXT, "", "# Elsewhere\n")),
        calls: CHANGE,
    },
    Verb {
        name: "move-file",
        run: |instance, memory| text(instance.move_file(memory, CONTEXT, "old/context.md", &Expect::Any)),
        // Where it goes, and its history, which goes with it.
        calls: &[&["get", "get", "scan", "commit"]],
    },
    Verb {
        name: "delete-file",
        run: |instance, memory| text(instance.delete_file(memory, CONTEXT, &Expect::Any)),
        calls: &[&["get", "get", "commit"]],
    },
    Verb {
        name: "file-history",
        run: |instance, memory| text(instance.file_history(memory, CONTEXT)),
        calls: &[&["scan"]],
    },
    Verb {
        name: "parse-file",
        run: |instance, memory| text(instance.parse_file(memory, CONTEXT, None)),
        calls: &[&["get"]],
    },
    Verb {
        name: "update-file",
        run: |instance, memory| text(instance.update_file(memory, CONTEXT, &r#"{"notes":["n"]}"#.into(), &Expect::Any)),
        calls: CHANGE,
    },
    Verb {
        name: "update-section",
        run: |instance, memory| text(instance.update_section(memory, CONTEXT, "Ghi chú", "- n", &Expect::Any)),
        calls: CHANGE,
    },
    Verb {
        name: "lint-file",
        run: |instance, memory| text(instance.lint_file(memory, DECISIONS, None)),
        calls: &[&["get"]],
    },
    Verb {
        name: "memory-tool",
        run: |instance, memory| {
            let command = r#"{"command":"create","path":"/memories/a.md","file_text":"a"}"#;
            text(instance.memory_tool(memory, Some("notes"), &[], &command.into()))
        },
        calls: &[&["scan", "commit"]],
    },
    Verb {
        name: "activate",
        run: |instance, memory| text(instance.activate(memory, "coder")),
        calls: &[FOUND, &["get"]],
    },
    Verb {
        name: "activate-member",
        run: |instance, memory| text(instance.activate_member(memory, "coder")),
        calls: &[FOUND, &["get"], FOUND, &["get"]],
    },
    Verb {
        name: "end-session",
        run: |instance, memory| text(instance.end_session(memory, "coder", &end())),
        calls: &[FOUND, &["get", "get", "get", "get", "commit"]],
    },
    Verb {
        name: "record-notes",
        run: |instance, memory| text(instance.record_notes(memory, DECISIONS, &[Note::Decision(decision("more"))])),
        calls: CHANGE,
    },
    Verb {
        name: "search-learnings",
        run: |instance, memory| text(instance.search_learnings(memory, "coder", "network", None)),
        calls: &[FOUND, &["get"]],
    },
    Verb {
        name: "search-knowledge",
        run: |instance, memory| text(instance.search_knowledge(memory, "coder", "network", None)),
        calls: &[FOUND, &["scan"]],
    },
    Verb {
        name: "dispatch",
        run: |instance, memory| text(instance.dispatch(memory, "coder", &dispatched("parse"))),
        calls: &[FOUND, &["get", "commit"]],
    },
    Verb {
        name: "dispatches",
        run: |instance, memory| text(instance.dispatches(memory, "coder")),
        calls: &[FOUND, &["get", "get"]],
    },
    Verb {
        name: "hand-over",
        run: |instance, memory| text(instance.hand_over(memory, &handoff())),
        // Whether there is such an agent.
        calls: &[&["scan"], FOUND, &["get", "commit"]],
    },
    Verb {
        name: "handoffs",
        run: |instance, memory| text(instance.handoffs(memory, Some("coder"), None)),
        calls: &[FOUND, &["get"]],
    },
    Verb {
        name: "set-handoff",
        run: |instance, memory| {
            text(instance.set_handoff(memory, "2025-12-31 10:30: lead → coder", None, Status::Complete, Some("merged")))
        },
        calls: &[FOUND, &["get", "commit"]],
    },
    Verb {
        name: "add-blocker",
        run: |instance, memory| text(instance.add_blocker(memory, &blocker("No disk"))),
        calls: &[FOUND, &["get", "commit"]],
    },
    Verb { name: "blockers", run: |instance, memory| text(instance.blockers(memory, None)), calls: &[FOUND, &["get"]] },
    Verb {
        name: "set-blocker",
        run: |instance, memory| {
            text(instance.set_blocker(memory, "BLOCKER-001: No keys", Status::Complete, Some("ops"), Some("sent")))
        },
        calls: &[FOUND, &["get", "commit"]],
    },
];
