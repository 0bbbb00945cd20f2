//! The simulation itself: the same each time, as slow as it says, and stopped by the limits it has.

use crate::bucket::{Service, SimBucket};
use crate::dice::{Dice, Zipf};
use crate::engine::{ENGINES, Engine, Op};
use crate::memories::{self, PAST_US};
use crate::pattern::{Kind, Step};
use crate::run::{Answer, Asked, Made, Outcome, ask, run};
use crate::world::Task;
use keepsake_service::kv::{Bucket, Head, Native};
use std::cell::RefCell;
use std::rc::Rc;

fn engine(name: &str) -> &'static Engine {
    ENGINES.iter().find(|engine| engine.name == name).expect("there is one of this name")
}

fn small(name: &str, requests: usize, rate: f64) -> Outcome {
    run(engine(name), &Asked { requests, tenants: 1_000, rate }, &mut Made::default()).expect("a run")
}

fn figures(outcome: &Outcome) -> Vec<(u16, u64)> {
    outcome.answers.values().flatten().map(|answer| (answer.status, answer.micros)).collect()
}

#[test]
fn two_runs_are_the_same() {
    let (one, other) = (small("redis", 30, 50.0), small("redis", 30, 50.0));
    assert_eq!(figures(&one), figures(&other));
    assert!(one.answers.values().flatten().all(|answer| answer.status < 300));
}

#[test]
fn each_way_to_commit_is_simulated() {
    for (name, op) in [("dynamodb", Op::Swap), ("nats", Op::Increment), ("durable-objects", Op::Write)] {
        let outcome = small(name, 30, 50.0);
        assert!(outcome.service.meter.ops.borrow()[&op].calls > 0, "{name}");
        assert!(outcome.answers.values().flatten().all(|answer| answer.status < 300), "{name}");
    }
}

#[test]
fn what_can_neither_compare_nor_count_acknowledges_no_write() {
    let outcome = small("workers-kv", 30, 50.0);
    // A read writes nothing, and may find that there is nothing.
    for (kind, answers) in &outcome.answers {
        let is_write = matches!(kind, Kind::Add | Kind::Append);
        let fits = |status: u16| status == 503 || (!is_write && status == 200);
        assert!(!answers.is_empty() && answers.iter().all(|answer| fits(answer.status)), "{kind:?}");
    }
}

/// How often a key of DynamoDB's was refused for now, of so many reads with so much time between them.
fn throttled(reads: u64, between_us: u64) -> u64 {
    let service = Service::new(engine("dynamodb"), 1, false);
    let read = |_| {
        let bucket = SimBucket { service: Rc::clone(&service), tenant: 0 };
        async move { drop(bucket.get(&["keepsake.config".to_owned()]).await) }
    };
    let tasks = (0..reads).map(|at| (at * between_us, Box::pin(read(at)) as Task<'_>));
    service.world.run(tasks.collect());
    service.meter.throttled.take()
}

#[test]
fn a_limit_that_is_passed_throttles() {
    // A partition has 3,000 reads a second, and may have saved as many.
    assert_eq!(throttled(8_000, 334), 0);
    assert!(throttled(8_000, 167) > 0);
}

#[test]
fn latencies_have_the_quantiles_that_they_were_made_of() {
    let dice = Dice::new(1);
    let mut drawn: Vec<f64> = (0..100_000).map(|_| dice.latency(3.0, 12.0)).collect();
    drawn.sort_by(f64::total_cmp);
    assert!((drawn[50_000] - 3.0).abs() < 0.1, "{}", drawn[50_000]);
    assert!((drawn[99_000] - 12.0).abs() < 0.6, "{}", drawn[99_000]);
}

#[test]
fn the_busiest_tenant_is_as_busy_as_it_says() {
    let (dice, zipf) = (Dice::new(1), Zipf::new(1_000));
    let first = (0..100_000).filter(|_| zipf.draw(&dice) == 0).count() as f64 / 100_000.0;
    assert!((first - zipf.busiest()).abs() < 0.005, "{first} {}", zipf.busiest());
}

/// So many clients of one tenant, each of which adds one entry after the other. Answers how each add ended.
fn crowd<H: Head<SimBucket>>(name: &str, clients: usize, adds: usize) -> Vec<Answer> {
    let service = Service::new(engine(name), 1, false);
    service.put(0, memories::in_bucket(engine(name), 0).expect("a memory"));
    let answers = RefCell::new(Vec::new());
    let tasks = (0..clients).map(|client| {
        let (service, answers) = (&service, &answers);
        let work = async move {
            for at in 0..adds {
                let step = Step { wait_us: 0, kind: Kind::Add, text: format!("note {at} of client {client}") };
                let answer = ask::<H>(service, 0, &format!("client-{client}"), at, &step).await;
                answers.borrow_mut().push(answer);
            }
        };
        (PAST_US, Box::pin(work) as Task<'_>)
    });
    service.world.run(tasks.collect());
    answers.into_inner()
}

#[test]
fn writers_of_one_hot_tenant_take_turns() {
    let dynamodb = crowd::<Native>("dynamodb", 8, 12);
    let redis = crowd::<Native>("redis", 8, 12);
    for (name, answers) in [("dynamodb", dynamodb), ("redis", redis)] {
        let mut millis: Vec<u64> = answers.iter().map(|answer| answer.micros / 1000).collect();
        millis.sort_unstable();
        let failed: Vec<_> = answers.iter().filter(|answer| answer.status != 201).collect();
        assert!(failed.is_empty(), "{name}: {failed:?}");
        let (median, last) = (millis[millis.len() / 2], millis[millis.len() - 1]);
        assert!(last <= 3 * median, "{name}: {last} ms, where half of them took {median} ms");
    }
}
