//! Generated from wit/ by `cargo xtask generate`. Do not edit.

use super::routes::{Kind, PLAIN, Route};

/// Every route of the API, by path and method.
pub(super) const ROUTES: &[Route] = &[
    Route { verb: "clear", method: "POST", path: "clear", writes: Some(200), answer: Some("deleted"), ..PLAIN },
    Route {
        verb: "listValues",
        method: "POST",
        path: "collections/{collection}/list",
        most: &[("limit", 1000)],
        answer: Some("values"),
        items: &["key", "value"],
        ..PLAIN
    },
    Route {
        verb: "searchValues",
        method: "POST",
        path: "collections/{collection}/search",
        answer: Some("hits"),
        items: &["key", "value", "score"],
        ..PLAIN
    },
    Route {
        verb: "values",
        method: "POST",
        path: "collections/{collection}/values",
        lists: &["keys"],
        answer: Some("values"),
        ..PLAIN
    },
    Route {
        verb: "editValues",
        method: "POST",
        path: "collections/{collection}/write",
        writes: Some(200),
        lists: &["changes"],
        defaults: &[("expect", "[]")],
        answer: Some("written"),
        ..PLAIN
    },
    Route {
        verb: "conflicts",
        method: "GET",
        path: "conflicts",
        query: &[("agent", Kind::Text), ("limit", Kind::Count)],
        most: &[("limit", 1000)],
        answer: Some("conflicts"),
        ..PLAIN
    },
    Route { verb: "resolve", method: "POST", path: "conflicts/{id}", writes: Some(200), answer: Some("past"), ..PLAIN },
    Route { verb: "digest", method: "POST", path: "digest", ..PLAIN },
    Route {
        verb: "list",
        method: "GET",
        path: "entries",
        query: &[
            ("namespace", Kind::Text),
            ("limit", Kind::Count),
            ("after", Kind::Text),
            ("asOf", Kind::Text),
            ("includePast", Kind::Flag),
        ],
        defaults: &[("limit", "100")],
        most: &[("limit", 1000)],
        answer: Some("entries"),
        next: Some("next"),
        ..PLAIN
    },
    Route { verb: "add", method: "POST", path: "entries", writes: Some(201), ..PLAIN },
    Route { verb: "get", method: "GET", path: "entries/{id}", missing: Some("id"), ..PLAIN },
    Route { verb: "update", method: "PATCH", path: "entries/{id}", writes: Some(200), ..PLAIN },
    Route {
        verb: "delete",
        method: "DELETE",
        path: "entries/{id}",
        writes: Some(200),
        answer: Some("deleted"),
        ..PLAIN
    },
    Route { verb: "history", method: "GET", path: "entries/{id}/history", answer: Some("versions"), ..PLAIN },
    Route { verb: "promote", method: "POST", path: "entries/{id}/promote", writes: Some(200), ..PLAIN },
    Route {
        verb: "addMany",
        method: "POST",
        path: "entries/many",
        writes: Some(201),
        lists: &["drafts"],
        answer: Some("entries"),
        ..PLAIN
    },
    Route {
        verb: "forget",
        method: "POST",
        path: "forget",
        writes: Some(200),
        defaults: &[("messages", "false")],
        ..PLAIN
    },
    Route { verb: "queryMemory", method: "POST", path: "recall", answer: Some("found"), ..PLAIN },
    Route {
        verb: "rollback",
        method: "POST",
        path: "rollback",
        writes: Some(200),
        defaults: &[("preview", "false")],
        ..PLAIN
    },
    Route { verb: "search", method: "POST", path: "search", answer: Some("hits"), ..PLAIN },
    Route { verb: "sessions", method: "GET", path: "sessions", answer: Some("sessions"), ..PLAIN },
    Route { verb: "session", method: "GET", path: "sessions/{session}", missing: Some("session"), ..PLAIN },
    Route { verb: "setTitle", method: "PATCH", path: "sessions/{session}", writes: Some(200), ..PLAIN },
    Route {
        verb: "deleteSession",
        method: "DELETE",
        path: "sessions/{session}",
        writes: Some(200),
        query: &[("keepEntries", Kind::Flag)],
        defaults: &[("keepEntries", "false")],
        answer: Some("deleted"),
        ..PLAIN
    },
    Route {
        verb: "context",
        method: "POST",
        path: "sessions/{session}/context",
        defaults: &[("budget", "32000")],
        ..PLAIN
    },
    Route {
        verb: "messages",
        method: "GET",
        path: "sessions/{session}/messages",
        query: &[("limit", Kind::Count), ("before", Kind::Text)],
        most: &[("limit", 1000)],
        ..PLAIN
    },
    Route {
        verb: "append",
        method: "POST",
        path: "sessions/{session}/messages",
        writes: Some(201),
        lists: &["messages"],
        answer: Some("messages"),
        ..PLAIN
    },
    Route {
        verb: "message",
        method: "GET",
        path: "sessions/{session}/messages/one",
        query: &[("id", Kind::Text)],
        missing: Some("id"),
        ..PLAIN
    },
    Route { verb: "stats", method: "GET", path: "stats", ..PLAIN },
];
