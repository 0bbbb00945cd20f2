//! Rules from the first failures: two equal failures already deserve a warning, long before there is enough evidence.
//! Once there is, the rules with evidence take over.

use super::alphabet::recovered;
use super::errors::error_class;
use super::retry::{Recovery, way_out};
use super::rule::{Cause, Condition, Rule};
use super::trace::{MAX_ORIGINS, Trace};
use crate::model::Json;

/// The number of calls of a tool from which only evidence counts.
const MANY: usize = 12;

/// A call of a tool, with the steps before it.
struct Call<'a> {
    trace: &'a Trace,
    place: usize,
}

impl<'a> Call<'a> {
    fn error(&self) -> Option<String> {
        let step = &self.trace.steps[self.place];
        let said = step.error.as_deref().or(step.error_type.as_deref()).unwrap_or("");
        (!step.success).then(|| error_class(said))
    }

    fn input(&self) -> &'a Json {
        &self.trace.steps[self.place].input
    }

    fn comes_after(&self, tool: &str) -> bool {
        self.trace.steps[..self.place].iter().any(|step| step.success && step.tool == tool)
    }
}

/// A rule for each error that a tool has had in at least two traces, while at least half of its calls fail.
pub(super) fn find(traces: &[&Trace], known: &[Rule], most: usize) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut tools: Vec<&str> = Vec::new();
    for step in traces.iter().flat_map(|trace| &trace.steps).filter(|step| !step.success && !step.tool.is_empty()) {
        if tools.len() < most && !tools.contains(&step.tool.as_str()) {
            tools.push(&step.tool);
        }
    }
    for tool in tools.into_iter().filter(|tool| !known.iter().any(|rule| rule.tool == *tool)) {
        let mut calls: Vec<Call<'_>> = Vec::new();
        for trace in traces {
            let places = (0..trace.steps.len()).filter(|at| trace.steps[*at].tool == tool);
            calls.extend(places.map(|place| Call { trace, place }).take(MANY));
            if calls.len() >= MANY {
                break;
            }
        }
        let (good, bad): (Vec<&Call<'_>>, Vec<&Call<'_>>) = calls.iter().partition(|call| call.error().is_none());
        if calls.len() >= MANY || good.len() > bad.len() {
            continue;
        }
        let mut errors: Vec<String> = Vec::new();
        for error in bad.iter().filter_map(|call| call.error()) {
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
        for error in errors {
            let failed: Vec<&Call<'_>> =
                bad.iter().copied().filter(|call| call.error().as_ref() == Some(&error)).collect();
            let mut origins: Vec<String> = Vec::new();
            let mut recoveries: Vec<Recovery<'_>> = Vec::new();
            for call in &failed {
                if !origins.contains(&call.trace.id) && origins.len() < MAX_ORIGINS {
                    origins.push(call.trace.id.clone());
                    let end = recovered(&call.trace.steps, call.place);
                    recoveries.extend(end.map(|end| (call.trace.steps.as_slice(), call.place, end)));
                }
            }
            if origins.len() < 2 {
                continue;
            }
            let is_over = recoveries.len() * 2 >= origins.len();
            // A mere retry says nothing about the cause of the failure.
            let alone = good.len() > recoveries.len();
            let cause = match cause(&failed, &good).filter(|_| alone) {
                Some(cause) => Some(cause),
                None if is_over => way_out(&recoveries),
                None => (failed.len() > good.len()).then_some(Cause::Always),
            };
            let Some(cause) = cause else { continue };
            rules.push(Rule {
                task_type: failed.first().map(|call| call.trace.task_type.clone()),
                tool: tool.to_owned(),
                error,
                cause,
                support: failed.len() as u32,
                against: good.len() as u32,
                confidence: failed.len() as f64 / (failed.len() + good.len()) as f64,
                traces: origins,
            });
        }
    }
    rules
}

/// The difference between the failed and the successful calls, if there are any.
fn cause(failed: &[&Call<'_>], good: &[&Call<'_>]) -> Option<Cause> {
    let first = good.first()?;
    let tool = &first.trace.steps[first.place].tool;
    let before = &first.trace.steps[..first.place];
    let helps = |tool: &str| {
        good.iter().all(|call| call.comes_after(tool)) && !failed.iter().any(|call| call.comes_after(tool))
    };
    if let Some(step) = before.iter().rev().find(|step| step.success && step.tool != *tool && helps(&step.tool)) {
        return Some(Cause::Before { check: step.tool.clone() });
    }
    if let Json::Object(fields) = first.input() {
        let given = |call: &&Call<'_>, name: &str| !call.input().get(name).is_null();
        let missing = fields.iter().find(|(name, _)| {
            good.iter().all(|call| given(call, name)) && !failed.iter().any(|call| given(call, name))
        });
        if let Some((name, _)) = missing {
            return Some(Cause::When { field: name.clone(), is: Condition::Missing });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, Step, mine};
    use super::*;

    fn trace(id: &str, steps: &[(&str, Option<&str>)]) -> Trace {
        let step = |(tool, error): &(&str, Option<&str>)| Step {
            tool: (*tool).to_owned(),
            error: error.map(str::to_owned),
            success: error.is_none(),
            ..Step::default()
        };
        let steps: Vec<Step> = steps.iter().map(step).collect();
        let success = steps.last().is_some_and(|step| step.success);
        Trace { id: id.to_owned(), task_type: "deploy".to_owned(), steps, success }
    }

    fn told(traces: &[Trace]) -> Vec<String> {
        mine(traces, &Settings::default()).rules.iter().map(Rule::text).collect()
    }

    #[test]
    fn b2_two_failures_of_one_kind_are_worth_a_word() {
        let failed = |id| trace(id, &[("deploy", Some("DATABASE_URL is not set"))]);
        assert_eq!(told(&[failed("1")]), Vec::<String>::new());
        let twice = told(&[failed("1"), failed("2")]);
        assert!(twice.len() == 1 && twice[0].contains("`deploy`") && twice[0].contains("DATABASE_URL is not set"));
        let worked = |id| trace(id, &[("check_env", None), ("deploy", None)]);
        let learned = told(&[failed("1"), failed("2"), worked("3"), worked("4")]);
        assert!(learned.len() == 1 && learned[0].contains("Before `deploy`, use `check_env`"), "{learned:?}");
    }

    #[test]
    fn what_mostly_works_or_is_well_known_needs_no_early_word() {
        let failed = |id| trace(id, &[("deploy", Some("odd"))]);
        let worked = |id| trace(id, &[("deploy", None)]);
        assert_eq!(told(&[failed("1"), failed("2"), worked("3"), worked("4"), worked("5")]), Vec::<String>::new());
        let one_trace = trace("1", &[("deploy", Some("odd")), ("deploy", Some("odd"))]);
        assert_eq!(told(&[one_trace]), Vec::<String>::new(), "two tries in one run are one experience");
    }
}
