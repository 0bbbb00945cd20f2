//! Makes a failing plan small: calls and mishaps are left out as long as some order of the rest still fails.

use super::plan::Plan;
use super::run::{Figures, run};
use super::world::Flaw;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// In how many orders a smaller plan is tried.
const ORDERS: u64 = 40;

/// Runs a plan in the order of a seed. A panic is a failure too.
pub(crate) fn attempt(plan: &Plan, seed: u64, flaw: Option<Flaw>) -> Result<Figures, String> {
    catch_unwind(AssertUnwindSafe(|| run(plan, seed, flaw))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(format!("a panic: {}", text.unwrap_or("of another kind")))
    })
}

/// The smallest plan found that still fails, the order in which it does, and why.
pub(crate) fn shrink(plan: &Plan, seed: u64, why: String) -> (Plan, u64, String) {
    let mut best = (plan.clone(), seed, why);
    loop {
        let Some(smaller) = smaller(&best.0).find_map(|plan| fails(&plan, best.1)) else { return best };
        best = smaller;
    }
}

fn fails(plan: &Plan, seed: u64) -> Option<(Plan, u64, String)> {
    (seed..seed + ORDERS).find_map(|order| Some((plan.clone(), order, attempt(plan, order, None).err()?)))
}

/// Plans with one thing less: the largest cuts first.
fn smaller(plan: &Plan) -> impl Iterator<Item = Plan> {
    let mut plans = Vec::new();
    for (program, clients) in plan.calls.iter().enumerate() {
        for (client, calls) in clients.iter().enumerate() {
            if !calls.is_empty() {
                let mut without = plan.clone();
                without.calls[program][client].clear();
                plans.push(without);
            }
        }
    }
    if plan.former {
        plans.push(Plan { former: false, ..plan.clone() });
    }
    for mishap in 0..plan.mishaps.len() {
        let mut without = plan.clone();
        without.mishaps.remove(mishap);
        plans.push(without);
    }
    for (program, clients) in plan.calls.iter().enumerate() {
        for (client, calls) in clients.iter().enumerate() {
            for call in 0..calls.len() {
                let mut without = plan.clone();
                without.calls[program][client].remove(call);
                plans.push(without);
            }
        }
    }
    plans.into_iter()
}
