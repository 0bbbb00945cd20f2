//! Every verb, for tests that hold of them all.

use crate::collections::{COLLECTIONS, collected};
use crate::files_verbs::{FILES, written};
use crate::stores_verbs::{STORES, stored};
use crate::{ALL, NO_CHANGES, draft, query};
use keepsake_host::wit::{Changes, Draft, Embedded, Query};
use keepsake_host::{Call, Instance, ResourceAny, Storage};

/// A verb with its arguments, on a memory that [`prepared`](crate::prepared) or
/// [`stored`](crate::stores_verbs::stored) has made.
pub(crate) struct Verb {
    /// What it does, to name it when it fails.
    pub(crate) name: &'static str,
    /// Does it. Answers are texts, so that one list can hold them all.
    pub(crate) run: fn(&mut Instance, ResourceAny) -> Call<String>,
    /// The calls of the storage that it makes in a memory that was only just opened, in parts.
    pub(crate) calls: &'static [&'static [&'static str]],
}

/// The calls that bring the entries at hand, which the first verb that needs them makes: how far the stored index goes,
/// which is nowhere with so few entries; then the records, the bodies of those that have one, the vectors of those that
/// have one, the messages, the histories, the skills, the steps, the things of the graph, and the words of values.
pub(crate) const LOAD: &[&str] = &["get", "scan", "get", "get", "scan", "scan", "scan", "scan", "scan", "scan"];

impl Verb {
    /// The calls of the storage that it makes in a memory that was only just opened.
    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.calls.concat()
    }

    /// Whether it needs the open memory that it is run on.
    pub(crate) fn needs_memory(&self) -> bool {
        !["open", "open what was written to", "hint", "close"].contains(&self.name)
    }
}

pub(crate) fn text<T: std::fmt::Debug>(answer: Call<T>) -> Call<String> {
    answer.map(|answer| answer.map(|value| format!("{value:?}")))
}

/// Each storage with the verbs that are run on it.
pub(crate) fn scenes() -> [(Storage, &'static [Verb]); 4] {
    [(crate::prepared(), VERBS), (stored(), STORES), (written(), FILES), (collected(), COLLECTIONS)]
}

fn about(key: &str, id: &str) -> Draft {
    Draft { key: Some(key.to_owned()), ..draft(id, "About this there is one entry") }
}

fn other_content() -> Changes {
    Changes { content: Some("Something else".to_owned()), ..NO_CHANGES }
}

pub(crate) const VERBS: &[Verb] = &[
    Verb {
        name: "open",
        run: |instance, _| text(instance.open("u-2").map(|answer| answer.map(|_| ()))),
        // Their revision is 0: there is no end of a log to read.
        calls: &[&["open", "get"]],
    },
    Verb {
        name: "open what was written to",
        run: |instance, _| text(instance.open("u-1").map(|answer| answer.map(|_| ()))),
        calls: &[&["open", "get", "get"]],
    },
    Verb {
        name: "add",
        run: |instance, memory| text(instance.add(memory, &draft("new", "text"))),
        calls: &[LOAD, &["commit"]],
    },
    Verb {
        name: "add about something new",
        run: |instance, memory| text(instance.add(memory, &about("something new", "new"))),
        calls: &[LOAD, &["commit"]],
    },
    Verb {
        name: "add about something known, which has no body",
        run: |instance, memory| text(instance.add(memory, &about("keys", "short"))),
        calls: &[LOAD, &["get", "commit"]],
    },
    Verb {
        name: "add about something known, which has a body",
        run: |instance, memory| text(instance.add(memory, &about("meeting", "long"))),
        calls: &[LOAD, &["get", "get", "commit"]],
    },
    Verb {
        name: "update without a body",
        run: |instance, memory| text(instance.update(memory, "short", &other_content())),
        calls: &[LOAD, &["get", "commit"]],
    },
    Verb {
        name: "update with a body",
        run: |instance, memory| text(instance.update(memory, "long", &other_content())),
        calls: &[LOAD, &["get", "get", "commit"]],
    },
    Verb {
        name: "update that keeps the vector",
        run: |instance, memory| text(instance.update(memory, "short", &NO_CHANGES)),
        calls: &[LOAD, &["get", "get", "commit"]],
    },
    Verb {
        name: "get without a body",
        run: |instance, memory| text(instance.get(memory, "short")),
        calls: &[&["get"]],
    },
    Verb {
        name: "get with a body",
        run: |instance, memory| text(instance.get(memory, "long")),
        calls: &[&["get", "get"]],
    },
    Verb {
        name: "history of what was never changed",
        run: |instance, memory| text(instance.history(memory, "short")),
        calls: &[&["get", "scan"]],
    },
    Verb {
        name: "history with a body",
        run: |instance, memory| text(instance.history(memory, "long")),
        calls: &[&["get", "get", "scan", "get"]],
    },
    Verb {
        name: "delete",
        run: |instance, memory| text(instance.delete(memory, "long")),
        calls: &[&["get"], LOAD, &["commit"]],
    },
    Verb {
        name: "delete what is not there",
        run: |instance, memory| text(instance.delete(memory, "nobody")),
        calls: &[&["get"], LOAD],
    },
    Verb {
        name: "list",
        run: |instance, memory| text(instance.list(memory, &ALL)),
        calls: &[&["get"], LOAD, &["get"]],
    },
    Verb {
        name: "search",
        run: |instance, memory| text(instance.search(memory, &Query { explain: true, ..query("deploy minutes") })),
        calls: &[&["get"], LOAD],
    },
    Verb {
        name: "search with contents",
        run: |instance, memory| {
            text(instance.search(memory, &Query { include_content: Some(true), ..query("deploy minutes") }))
        },
        // The records of all hits, then the bodies of those that have one.
        calls: &[&["get"], LOAD, &["get", "get"]],
    },
    Verb {
        name: "explain-miss",
        run: |instance, memory| text(instance.explain_miss(memory, "long", &query("deploy"))),
        calls: &[&["get"], LOAD],
    },
    Verb {
        name: "search by meaning",
        run: |instance, memory| {
            text(instance.search(memory, &Query { embedding: Some(vec![3.0, 4.0]), explain: true, ..query("deploy") }))
        },
        calls: &[&["get"], LOAD],
    },
    Verb {
        name: "unembedded",
        run: |instance, memory| text(instance.unembedded(memory, 10)),
        // The records of those, then the bodies of those that have one.
        calls: &[&["get"], LOAD, &["get", "get"]],
    },
    Verb {
        name: "embed",
        run: |instance, memory| {
            let embedded = |id: &str, version| Embedded { id: id.to_owned(), version, embedding: vec![1.0, 0.0] };
            text(instance.embed(memory, &[embedded("short", 1), embedded("long", 2), embedded("long", 1)]))
        },
        // One whose summary says it all, and twice one with a body, of which one version is the present one.
        calls: &[LOAD, &["get", "get", "get", "get", "get", "commit"]],
    },
    Verb { name: "hint", run: |instance, memory| text(instance.hint(memory).map(Ok)), calls: &[] },
    Verb {
        name: "count",
        run: |instance, memory| text(instance.count(memory, Some("short-term"))),
        calls: &[&["get"], LOAD],
    },
    Verb { name: "stats", run: |instance, memory| text(instance.stats(memory)), calls: &[&["get"], LOAD] },
    Verb {
        name: "clear",
        run: |instance, memory| text(instance.clear(memory, None)),
        calls: &[&["get"], LOAD, &["commit"]],
    },
    Verb {
        name: "clear what is empty",
        run: |instance, memory| text(instance.clear(memory, Some("long-term"))),
        calls: &[&["get"], LOAD],
    },
    Verb {
        name: "cleanup",
        run: |instance, memory| text(instance.cleanup(memory)),
        // Notes of idempotency keys are looked for first.
        calls: &[&["scan", "get", "get"], LOAD, &["commit"]],
    },
    Verb { name: "flush", run: |instance, memory| text(instance.flush(memory)), calls: &[&["commit"]] },
    Verb { name: "close", run: |instance, memory| text(instance.close(memory)), calls: &[&["close"]] },
];
