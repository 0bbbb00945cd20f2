//! Each route of the generated table: what it answers, and how it refuses.

use super::generated::ROUTES;
use super::tests::{ask, service, text};
use keepsake::codec::json::parse;
use keepsake::model::Json;
use std::collections::BTreeSet;

/// A request that must succeed: its verb, method, target, body, status, and what is in the answer.
type Call<'a> = (&'a str, &'a str, &'a str, &'a str, u16, &'a str);

const CALLS: &[Call<'_>] = &[
    ("add", "POST", "entries", r#"{"content":"Deploy keys rotate","id":"a b","tags":["ops"]}"#, 201, r#""id":"a b""#),
    ("add", "POST", "entries", r#"{"content":"Tea at five","id":"c"}"#, 201, r#""version":1"#),
    ("list", "GET", "entries?limit=1", "", 200, r#""next":"c""#),
    ("list", "GET", "entries?after=c&limit=2", "", 200, r#"{"entries":[{"id":"a b""#),
    ("get", "GET", "entries/a%20b", "", 200, r#""content":"Deploy keys rotate""#),
    ("update", "PATCH", "entries/a%20b", r#"{"importance":1}"#, 200, r#""version":2"#),
    ("history", "GET", "entries/a%20b/history", "", 200, r#"{"versions":[{"id":"a b""#),
    ("search", "POST", "search", r#"{"query":"deploy"}"#, 200, r#"{"hits":[{"id":"a b""#),
    ("queryMemory", "POST", "recall", r#"{"query":"deploy"}"#, 200, r#"{"found":[{"ref":"a b""#),
    ("stats", "GET", "stats", "", 200, r#""total":2"#),
    ("append", "POST", "sessions/s/messages", MESSAGE, 201, r#"{"messages":[{"id":"m""#),
    ("messages", "GET", "sessions/s/messages?limit=1", "", 200, r#""total":1"#),
    ("message", "GET", "sessions/s/messages/one?id=m", "", 200, r#""role":"user""#),
    ("setTitle", "PATCH", "sessions/s", r#"{"title":"A talk"}"#, 200, r#""title":"A talk""#),
    ("session", "GET", "sessions/s", "", 200, r#""agent":"helper""#),
    ("sessions", "GET", "sessions", "", 200, r#"{"sessions":[{"id":"s""#),
    ("context", "POST", "sessions/s/context", "{}", 200, r#""prompt":"#),
    ("digest", "POST", "digest", "{}", 200, r#""session":"s""#),
    ("queryMemory", "POST", "recall", r#"{"query":"What have we talked about?"}"#, 200, r#""digest":{"sessions":[{"#),
    ("deleteSession", "DELETE", "sessions/s?keepEntries=true", "", 200, r#"{"deleted":1}"#),
    ("editValues", "POST", "collections/box/write", CHANGES, 200, r#"{"written":true}"#),
    ("editValues", "POST", "collections/box/write", EXPECTED, 200, r#"{"written":false}"#),
    ("values", "POST", "collections/box/values", r#"{"keys":["none","b","a"]}"#, 200, BOTH),
    ("listValues", "POST", "collections/box/list", r#"{"after":"a"}"#, 200, r#"{"values":[{"key":"b","value":null}]}"#),
    (
        "searchValues",
        "POST",
        "collections/box/search",
        r#"{"query":"tea"}"#,
        200,
        r#"{"hits":[{"key":"a","value":1,"score":"#,
    ),
    (
        "addMany",
        "POST",
        "entries/many",
        r#"{"drafts":[{"content":"One","id":"m-1"}]}"#,
        201,
        r#"{"entries":[{"id":"m-1""#,
    ),
    ("forget", "POST", "forget", r#"{"query":"my passport"}"#, 200, r#"{"entries":[],"messages":0}"#),
    (
        "add",
        "POST",
        "entries",
        r#"{"content":"From a page","id":"p","source":"page","trust":"low"}"#,
        201,
        r#""trust":"low""#,
    ),
    (
        "promote",
        "POST",
        "entries/p/promote",
        PROMOTION,
        200,
        r#""promoted":{"from":"low","by":"ann","why":"I called them""#,
    ),
    (
        "rollback",
        "POST",
        "rollback",
        r#"{"source":"page","preview":true}"#,
        200,
        r#"{"removed":[{"kind":"entry","id":"p"}]"#,
    ),
    ("get", "GET", "entries/p", "", 200, r#""trust":"high""#),
    (
        "rollback",
        "POST",
        "rollback",
        r#"{"source":"page"}"#,
        200,
        r#"{"removed":[{"kind":"entry","id":"p"}],"restored":[]}"#,
    ),
    ("add", "POST", "entries", r#"{"content":"I live in Hanoi","id":"h","namespace":"long-term"}"#, 201, r#""id":"h""#),
    ("add", "POST", "entries", r#"{"content":"I live in Hue","id":"i","namespace":"long-term"}"#, 201, r#""id":"i""#),
    ("conflicts", "GET", "conflicts?limit=1", "", 200, r#"{"conflicts":[{"id":"3789d4b5ba722efd","newer":{"id":"i""#),
    ("resolve", "POST", "conflicts/3789d4b5ba722efd", r#"{"keep":"newer"}"#, 200, r#"{"past":["h"]}"#),
    ("delete", "DELETE", "entries/i", "", 200, r#"{"deleted":true}"#),
    ("delete", "DELETE", "entries/h", "", 200, r#"{"deleted":true}"#),
    ("delete", "DELETE", "entries/a%20b", "", 200, r#"{"deleted":true}"#),
    ("clear", "POST", "clear", "{}", 200, r#"{"deleted":2}"#),
];

const MESSAGE: &str = r#"{"messages":[{"id":"m","role":"user","content":"We decided to ship"}],"agent":"helper"}"#;
const PROMOTION: &str = r#"{"trust":"high","by":"ann","why":"I called them"}"#;
const CHANGES: &str = r#"{"changes":[{"key":"a","value":1,"text":"tea"},{"key":"b","value":null}]}"#;
const EXPECTED: &str = r#"{"changes":[],"expect":[{"key":"a","value":2}]}"#;
const BOTH: &str = r#"{"values":[{"key":"b","value":null},{"key":"a","value":1}]}"#;

#[test]
fn every_route_answers() {
    let bucket = service();
    for (verb, method, target, body, status, part) in CALLS {
        let body = Some(*body).filter(|body| !body.is_empty());
        let response = ask(&bucket, method, &format!("/v1/{target}"), body);
        let answer = text(&response);
        assert_eq!(response.status, *status, "{verb}: {answer}");
        assert!(answer.contains(part), "{verb}: {answer}");
    }
    let called: BTreeSet<&str> = CALLS.iter().map(|call| call.0).collect();
    assert_eq!(called, ROUTES.iter().map(|route| route.verb).collect());
}

#[test]
fn a_refusal_names_the_field() {
    let bucket = service();
    let refused = [
        ("GET", "entries/nobody", "", 404, "id"),
        ("PATCH", "entries/a", r#"{"id":"b"}"#, 400, "id"),
        ("POST", "search", "{}", 400, "query"),
        ("POST", "search", r#"{"query":7}"#, 400, "query"),
        ("POST", "clear", r#"{"user":"ann"}"#, 400, "user"),
        ("POST", "forget", r#"{"query":"?"}"#, 400, "query"),
        ("POST", "entries/a/promote", "{}", 400, "by"),
        ("POST", "entries/a/promote", r#"{"id":"b"}"#, 400, "id"),
        ("POST", "rollback", "{}", 400, "source"),
        ("POST", "rollback", r#"{"source":"page","preview":"yes"}"#, 400, "preview"),
        ("POST", "conflicts/none", r#"{"keep":"both"}"#, 404, "id"),
        ("POST", "conflicts/none", "{}", 400, "keep"),
        ("GET", "sessions/nobody", "", 404, "session"),
        ("PATCH", "sessions/s", r#"{"title":"x","more":1}"#, 400, "more"),
        ("POST", "sessions/s/messages", "{}", 400, "messages"),
        ("POST", "sessions/s/messages", r#"{"messages":[],"session":"t"}"#, 400, "session"),
        ("POST", "sessions/s/messages", r#"{"messages":[],"more":1}"#, 400, "more"),
        ("GET", "sessions/s/messages?limit=1001", "", 400, "limit"),
        ("GET", "sessions/s/messages/one", "", 400, "id"),
        ("DELETE", "sessions/s?keepEntries=maybe", "", 400, "keepEntries"),
        ("POST", "sessions/s/context", r#"{"format":"morse"}"#, 400, "format"),
        ("POST", "collections/box/write", "{}", 400, "changes"),
        ("POST", "collections/box/write", r#"{"changes":[],"expect":[null]}"#, 400, "expect[0].key"),
        ("POST", "collections/box/values", r#"{"keys":"a"}"#, 400, "keys"),
        ("POST", "collections/box/list", r#"{"limit":1001}"#, 400, "limit"),
        ("POST", "collections/keepsake%2Fnotes/list", "{}", 400, "collection"),
    ];
    for (method, target, body, status, field) in refused {
        let body = Some(body).filter(|body| !body.is_empty());
        let response = ask(&bucket, method, &format!("/v1/{target}"), body);
        let answer = parse(&text(&response)).unwrap_or_default();
        let named = answer.get("error").get("field");
        assert_eq!((response.status, named), (status, &Json::from(field)), "{method} {target}: {answer}");
    }
}
