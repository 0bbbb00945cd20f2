//! The API on a bucket in memory: what requests cost, and who is let in.

use super::tenant::hash;
use super::{Request, Response, answer};
use crate::kv::Native;
use crate::kv::memory::MemBucket;
use futures::executor::block_on;

const TOKEN: &str = "t-1";

/// A service with one token, Ann's.
pub(super) fn service() -> MemBucket {
    let bucket = MemBucket { upserts: true, ..MemBucket::default() };
    bucket.put(&token_key(), "ann");
    bucket
}

fn token_key() -> String {
    format!("keepsake.token.{}", hash(TOKEN.as_bytes()))
}

/// One request, by an instance of its own: as on Spin, which remembers what an instance has read.
pub(super) fn ask(bucket: &MemBucket, method: &str, target: &str, body: Option<&str>) -> Response {
    let host = MemBucket { caches: true, cache: Default::default(), ..bucket.clone() };
    let mut body = body.map(|body| body.as_bytes().to_vec());
    let request = Request {
        method: method.into(),
        target: target.into(),
        headers: vec![("authorization".into(), format!("Bearer {TOKEN}").into_bytes())],
        body: Box::new(move || body.take()),
    };
    block_on(answer::<_, Native>(&host, request)).0
}

pub(super) fn text(response: &Response) -> String {
    String::from_utf8(response.body.clone()).expect("UTF-8")
}

#[test]
fn health_is_told_to_who_asks_for_the_head_of_it_alone() {
    let bucket = MemBucket::default();
    let (whole, head) = (ask(&bucket, "GET", "/v1/health", None), ask(&bucket, "HEAD", "/v1/health", None));
    assert_eq!((whole.status, text(&whole)), (200, r#"{"status":"ok"}"#.to_owned()));
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.headers, whole.headers);
    assert_eq!(ask(&bucket, "HEAD", "/v1/stats", None).status, 401);
}

#[test]
fn a_token_that_was_revoked_is_refused_from_the_next_request_on() {
    let bucket = service();
    assert_eq!(ask(&bucket, "GET", "/v1/stats", None).status, 200);
    // Spin's command line sets values and deletes none: an empty one is nobody's.
    bucket.put(&token_key(), "");
    assert_eq!(ask(&bucket, "GET", "/v1/stats", None).status, 401);
    bucket.put(&token_key(), "ann");
    assert_eq!(ask(&bucket, "GET", "/v1/stats", None).status, 200);
    block_on(crate::kv::Bucket::delete(&bucket, &[token_key()])).expect("a bucket in memory");
    assert_eq!(ask(&bucket, "GET", "/v1/stats", None).status, 401);
}

#[test]
fn reads_seldom_write_and_are_counted_all_the_same() {
    let bucket = service();
    assert_eq!(ask(&bucket, "POST", "/v1/entries", Some(r#"{"content":"Deploy keys rotate on Mondays"}"#)).status, 201);
    let before = bucket.shared.writes.get();
    let reads = 1_600;
    for _ in 0..reads {
        assert_eq!(ask(&bucket, "GET", "/v1/stats", None).status, 200);
    }
    let written = bucket.shared.writes.get() - before;
    assert!(written * 5 < reads, "{written} writes for {reads} reads");
    let metrics = text(&ask(&bucket, "GET", "/v1/metrics", None));
    let count = |route: &str| {
        let line = metrics.lines().find(|line| line.contains(route)).expect("a line");
        line.rsplit(' ').next().and_then(|count| count.parse::<usize>().ok()).expect("a number")
    };
    // Reads by a sample, writes one by one.
    assert!((reads / 2..reads * 2).contains(&count("GET /v1/stats")), "{metrics}");
    assert_eq!(count("POST /v1/entries"), 1);
}

#[test]
fn reads_that_are_too_many_are_refused_though_few_of_them_are_counted() {
    let bucket = service();
    bucket.put("keepsake.config", r#"{"requestsPerMinute":1000}"#);
    let statuses: Vec<u16> = (0..2_000).map(|_| ask(&bucket, "GET", "/v1/stats", None).status).collect();
    let first = statuses.iter().position(|status| *status == 429).expect("a refusal");
    assert!((600..1_400).contains(&first), "{first}");
    assert!(statuses[first..].iter().all(|status| *status == 429));
    let refused = ask(&bucket, "GET", "/v1/stats", None);
    assert!(refused.headers.iter().any(|(name, value)| *name == "retry-after" && value != "0"), "{refused:?}");
    // The clock of the bucket stands still: a minute later it is another minute.
    bucket.shared.now.set(60_000);
    assert_eq!(ask(&bucket, "GET", "/v1/stats", None).status, 200);
}

/// The status of an answer and the field that it names, if it is a refusal.
fn outcome(bucket: &MemBucket, method: &str, target: &str) -> (u16, Option<String>) {
    let response = ask(bucket, method, target, None);
    let body = keepsake::codec::json::parse(&text(&response)).unwrap_or_default();
    (response.status, body.get("error").get("field").as_str().map(str::to_owned))
}

#[test]
fn a_path_means_the_same_in_every_spelling_and_nothing_with_an_extra_slash() {
    let bucket = service();
    let found =
        ["/v1/stats", "/v1/%73tats", "/%76%31/stats", "/v1/stats?", "/v1/stats#end", "/v1/sessions", "/v1/entries"];
    for target in found {
        assert_eq!(outcome(&bucket, "GET", target), (200, None), "{target}");
    }
    // A name that no entry or session has, and one with a slash, a brace or a percent sign in it.
    let names = ["x", "a%2Fb", "a%2fhistory", "%7Bname%7D", "{name}", "100%25", "%E3%81%82", "*", "a%20b", "a+b"];
    for name in names {
        assert_eq!(outcome(&bucket, "GET", &format!("/v1/entries/{name}")), (404, Some("id".into())), "{name}");
        assert_eq!(outcome(&bucket, "GET", &format!("/v1/sessions/{name}")), (404, Some("session".into())), "{name}");
    }
    let nowhere = [
        "",
        "/",
        "/v1",
        "/v1/",
        "/v2/stats",
        "/V1/stats",
        "/v1/Stats",
        "/v1/stats/",
        "//v1/stats",
        "/v1//stats",
        "/v1/nothing",
        "/v1/entries/",
        "/v1/entries//history",
        "/v1/entries/x/",
        "/v1/entries/x/y",
        "/v1/entries/x%2Fhistory/y",
        "/v1%2Fstats",
        "/v1/sessions/x/messages/two",
        "/v1/sessions/x/messages/",
        "/v1/*",
        "/v1/{name}",
    ];
    for target in nowhere {
        assert_eq!(outcome(&bucket, "GET", target), (404, Some("path".into())), "{target}");
    }
    let bad =
        ["/v1/entries/%", "/v1/entries/%2", "/v1/entries/%zz", "/v1/entries/%FF", "/v1/./stats", "/v1/%2E%2e/stats"];
    for target in bad {
        assert_eq!(outcome(&bucket, "GET", target), (400, Some("path".into())), "{target}");
    }
}

#[test]
fn a_method_that_a_path_has_not_is_refused_with_the_methods_it_has() {
    let bucket = service();
    let allowed = [
        ("/v1/entries", "GET, POST"),
        ("/v1/entries/x", "GET, PATCH, DELETE"),
        ("/v1/sessions/x", "GET, PATCH, DELETE"),
        ("/v1/sessions/x/messages", "GET, POST"),
        ("/v1/sessions/x/messages/one", "GET"),
        ("/v1/collections/a%2Fb/write", "POST"),
    ];
    for (target, methods) in allowed {
        for method in ["PUT", "HEAD"] {
            let refused = ask(&bucket, method, target, None);
            assert_eq!(refused.status, 405, "{method} {target}");
            assert!(refused.headers.iter().any(|(name, value)| *name == "allow" && value == methods), "{refused:?}");
        }
    }
}

#[test]
fn parameters_are_decoded_and_the_unknown_and_the_repeated_are_named() {
    let bucket = service();
    let body = r#"{"content":"Deploy keys rotate on Mondays","namespace":"long-term"}"#;
    assert_eq!(ask(&bucket, "POST", "/v1/entries", Some(body)).status, 201);
    let list = |query: &str| text(&ask(&bucket, "GET", &format!("/v1/entries?{query}"), None));
    for query in ["namespace=long-term", "&&namespace=long%2Dterm&", "n%61mespace=long%2dt%65rm&limit=%35", "&limit=5"]
    {
        assert!(list(query).contains("Mondays"), "{query}");
    }
    assert!(!list("namespace=short%2Dterm").contains("Mondays"));
    let refused = [
        ("limit=1&limit=1", "limit"),
        ("limit=1&l%69mit=1", "limit"),
        ("limit", "limit"),
        ("limit=1=1", "limit"),
        ("limit=+1", "limit"),
        ("limit=%", "limit"),
        ("limit=-1", "limit"),
        ("limit=%31%30%30%31", "limit"),
        ("nothing=1", "nothing"),
        ("a+b=1", "a b"),
        ("=1", ""),
        ("%FF=1", "\u{fffd}"),
    ];
    for (query, field) in refused {
        let target = format!("/v1/entries?{query}");
        assert_eq!(outcome(&bucket, "GET", &target), (400, Some(field.into())), "{query}");
    }
}
