//! What came of a run, in words and figures.

use crate::engine::{Engine, Limit, Op, Scope, Way};
use crate::meter::{CONFIG, EVERY, Meter, Use};
use crate::pattern::Kind;
use crate::run::{Answer, Asked, Outcome};

/// What the API itself allows one tenant, unless it is configured otherwise.
const REQUESTS_PER_MINUTE: f64 = 6_000.0;
/// How many of the limits are shown.
const SHOWN: usize = 3;

/// Prints a run.
pub(crate) fn print(outcome: &Outcome, asked: &Asked) {
    let Outcome { service, answers, touched, busiest_share } = outcome;
    let (engine, meter) = (service.engine, &service.meter);
    let all: Vec<Answer> = answers.values().flatten().copied().collect();
    let refused = all.iter().filter(|answer| answer.status >= 400).count();
    let requests = all.len() as f64;
    println!("\n{}", engine.name);
    println!("  requests     {} of {touched} tenants, {:.0} a second; {refused} failed", all.len(), asked.rate);
    if engine.way == Way::Neither {
        println!("  refused      it can neither compare nor count: nothing is served from it");
        return;
    }
    let unit = if engine.way == Way::Object { "rows" } else { "keys" };
    println!("  per request  {} ({unit})", per_request(meter, requests));
    println!("  longest      {:.1} KB in one value", *meter.largest.borrow() as f64 / 1024.0);
    println!("  latency ms   all {}", quantiles(all));
    for (kind, answers) in answers {
        println!("               {:<8}{}", name(*kind), quantiles(answers.clone()));
    }
    let calls: u64 = meter.ops.borrow().values().map(|count| count.calls).sum();
    let throttled = *meter.throttled.borrow();
    let share = throttled as f64 / (calls + throttled).max(1) as f64 * 100.0;
    println!("  throttled    {share:.2} % of operations; {} swaps lost to others", meter.lost_swaps.borrow());
    if let Some((what, peak, of)) = meter.busiest(engine) {
        let share = peak / of * 100.0;
        println!("  busiest      {what}: {peak:.0} of {of:.0} in its busiest second ({share:.1} %)");
    }
    for (at, (rate, what)) in limits(engine, meter, requests, *busiest_share).iter().take(SHOWN).enumerate() {
        let name = if at == 0 { "first limit" } else { "then" };
        println!("  {name:<13}at {} requests a second: {what}", rounded(*rate));
    }
}

fn per_request(meter: &Meter, requests: f64) -> String {
    let kinds = [
        ("read", Op::Read),
        ("write", Op::Write),
        ("delete", Op::Delete),
        ("increment", Op::Increment),
        ("cas", Op::Cas),
        ("swap", Op::Swap),
    ];
    let ops = meter.ops.borrow();
    let kind = |(name, op): &(&str, Op)| {
        let count = ops.get(op).filter(|count| count.calls > 0)?;
        let calls = count.calls as f64 / requests;
        Some(format!("{name} {calls:.2} ({:.1} KB)", count.bytes as f64 / requests / 1024.0))
    };
    kinds.iter().filter_map(kind).collect::<Vec<_>>().join(", ")
}

fn quantiles(mut answers: Vec<Answer>) -> String {
    answers.sort_unstable_by_key(|answer| answer.micros);
    let at = |share: f64| answers[((answers.len() - 1) as f64 * share) as usize].micros as f64 / 1000.0;
    format!("p50 {:.1}, p95 {:.1}, p99 {:.1}", at(0.50), at(0.95), at(0.99))
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Append => "append",
        Kind::Context => "context",
        Kind::Search => "search",
        Kind::Add => "add",
    }
}

/// At how many requests a second each limit is met, if all goes on as it was; the first one first.
fn limits(engine: &Engine, meter: &Meter, requests: f64, busiest_share: f64) -> Vec<(f64, String)> {
    let mut met = Vec::new();
    if engine.way != Way::Object {
        let rate = REQUESTS_PER_MINUTE / 60.0 / busiest_share;
        met.push((rate, "`requestsPerMinute` of the busiest tenant".to_owned()));
    }
    let classes = meter.classes.borrow();
    for limit in engine.limits {
        if limit.scope == Scope::Whole {
            let times = |class: &str| if class == EVERY { engine.fan_out.1 as f64 } else { 1.0 };
            let units: f64 = classes.iter().map(|(class, used)| used.units[limit.pot] * times(class)).sum();
            met.push((limit.per_second * requests / units, limit.what.to_owned()));
            continue;
        }
        for (class, used) in classes.iter() {
            let share = if [CONFIG, EVERY].contains(class) { 1.0 } else { busiest_share };
            let rate = limit.per_second / share / on_one_key(used, limit, requests);
            met.push((rate, format!("{}, on {class}", limit.what)));
        }
    }
    met.retain(|(rate, _)| rate.is_finite());
    met.sort_by(|(rate, _), (other, _)| rate.total_cmp(other));
    met
}

/// What a request of a tenant takes of one key of a class. Of blocks and slots there are many, and each request has its own:
/// one that is used again is used once a request.
fn on_one_key(used: &Use, limit: &Limit, requests: f64) -> f64 {
    let calls = used.calls as f64;
    used.units[limit.pot] / calls * (calls / requests).min(1.0)
}

/// To two digits: more than that nobody knows.
fn rounded(rate: f64) -> String {
    let step = 10_f64.powf(rate.log10().floor() - 1.0);
    let digits = format!("{:.0}", (rate / step).round() * step);
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}
