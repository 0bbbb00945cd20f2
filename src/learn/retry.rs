//! Recoveries by calling the same tool again: unchanged, with another argument, or after another tool.

use super::facts::shape;
use super::rule::{Cause, Condition};
use super::trace::Step;
use crate::model::Json;

/// A failed call and the later call of the same tool that succeeded: the steps of the run, and both positions.
pub(super) type Recovery<'a> = (&'a [Step], usize, usize);

/// The recovery that most of these runs share; `None` if they share none.
pub(super) fn way_out(recoveries: &[Recovery<'_>]) -> Option<Cause> {
    let most = |count: usize| count * 5 >= recoveries.len().max(1) * 3;
    let between: Vec<Option<&str>> = recoveries.iter().map(|recovery| first_between(recovery)).collect();
    let plain: Vec<(&Step, &Step)> = recoveries
        .iter()
        .zip(&between)
        .filter(|(_, tool)| tool.is_none())
        .filter_map(|((steps, failed, end), _)| Some((steps.get(*failed)?, steps.get(*end)?)))
        .collect();
    if most(plain.len()) {
        if most(plain.iter().filter(|(failed, good)| failed.input == good.input).count()) {
            return Some(Cause::Again { tries: recoveries.iter().map(tries).max().unwrap_or(1) });
        }
        return changed_argument(&plain);
    }
    let same = |wanted: &str| between.iter().filter(|tool| **tool == Some(wanted)).count();
    let then = between.iter().flatten().find(|tool| most(same(tool)))?;
    Some(Cause::After { then: (*then).to_owned() })
}

/// The first other tool that succeeded between the failure and the success.
fn first_between<'a>((steps, failed, end): &Recovery<'a>) -> Option<&'a str> {
    let tool = &steps.get(*failed)?.tool;
    let between = steps.get(failed + 1..*end)?.iter();
    between.filter(|step| step.success && step.tool != *tool).map(|step| step.tool.as_str()).next()
}

/// The number of retries until success.
fn tries((steps, failed, end): &Recovery<'_>) -> u32 {
    let tool = steps.get(*failed).map(|step| &step.tool);
    steps.get(failed + 1..=*end).unwrap_or(&[]).iter().filter(|step| Some(&step.tool) == tool).count() as u32
}

/// The one argument that every run changed, if it was wrong in the same way each time.
fn changed_argument(pairs: &[(&Step, &Step)]) -> Option<Cause> {
    let (first, _) = pairs.first()?;
    let field = changed_field(pairs.first()?)?;
    if !pairs.iter().all(|pair| changed_field(pair) == Some(field)) {
        return None;
    }
    let bad = first.input.get(field);
    let all_bad = |same: &dyn Fn(&Json) -> bool| pairs.iter().all(|(failed, _)| same(failed.input.get(field)));
    let none_good = |same: &dyn Fn(&Json) -> bool| !pairs.iter().any(|(_, good)| same(good.input.get(field)));
    let holds = |same: &dyn Fn(&Json) -> bool| all_bad(same) && none_good(same);
    let form = shape(bad);
    let is = if holds(&|value| value.is_null()) {
        Condition::Missing
    } else if form.is_some() && holds(&|value| value == bad) {
        Condition::Value(bad.clone())
    } else if form.is_some() && holds(&|value| shape(value) == form) {
        Condition::Form(form?)
    } else {
        return None;
    };
    Some(Cause::When { field: field.to_owned(), is })
}

/// The only field in which two inputs differ.
fn changed_field<'a>((failed, good): &(&'a Step, &'a Step)) -> Option<&'a str> {
    let (Json::Object(before), Json::Object(after)) = (&failed.input, &good.input) else { return None };
    let mut changed = None;
    for (name, _) in before.iter().chain(after) {
        if failed.input.get(name) == good.input.get(name) || changed == Some(name.as_str()) {
            continue;
        }
        if changed.is_some() {
            return None;
        }
        changed = Some(name);
    }
    changed
}
