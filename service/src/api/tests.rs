//! The API on a bucket in memory: what requests cost, and who is let in.

use super::tenant::hash;
use super::{Request, Response, answer};
use crate::kv::Native;
use crate::kv::memory::MemBucket;
use futures::executor::block_on;

const TOKEN: &str = "t-1";

/// A service with one token, Ann's.
fn service() -> MemBucket {
    let bucket = MemBucket { upserts: true, ..MemBucket::default() };
    bucket.put(&token_key(), "ann");
    bucket
}

fn token_key() -> String {
    format!("keepsake.token.{}", hash(TOKEN.as_bytes()))
}

/// One request, by an instance of its own: as on Spin, which remembers what an instance has read.
fn ask(bucket: &MemBucket, method: &str, target: &str, body: Option<&str>) -> Response {
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

fn text(response: &Response) -> String {
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
