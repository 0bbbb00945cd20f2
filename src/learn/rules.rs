//! Rules: what failed calls have in common, and what helped after a failure.

use super::alphabet::recovered;
use super::bits::BIT;
use super::errors::error_class;
use super::evidence::{Case, Split, penalty, splits};
use super::facts::{Fact, explains_by_lacking, facts};
use super::names::head;
use super::rule::{Cause, Condition, Rule};
use super::trace::{Set, Settings, Step, steps};
use crate::model::{sort, sorted};

/// The most rules about one error of one tool.
const MAX_CAUSES: usize = 3;

/// The evidence of a message that names the cause; nothing else needs to be tried then.
const NAMED: i64 = 4 * BIT as i64;

/// The most distinct errors of one tool.
const MAX_ERRORS: usize = 32;

/// The rules of all traces together, then those of single task types; the best proven first.
pub(super) fn find(set: &Set<'_>, settings: &Settings) -> Vec<Rule> {
    let mut search = Search { set, settings, found: Vec::new(), tried: set.tools.len(), explained: Vec::new() };
    let all: Vec<usize> = (0..set.traces.len()).collect();
    search.look(&all);
    if set.types.len() > 1 {
        search.tried *= set.types.len();
        for places in &set.types {
            search.look(places);
        }
    }
    let bits = |at: usize| search.found.get(at).map_or(0, |(bits, _)| *bits);
    let order = sorted(search.found.len(), &|one, other| bits(other).cmp(&bits(one)));
    order.into_iter().take(settings.max_rules).filter_map(|at| Some(search.found.get(at)?.1.clone())).collect()
}

/// A call of a tool: trace, step, and the index of its error.
struct Call {
    trace: usize,
    step: usize,
    error: Option<usize>,
}

/// The search for rules.
pub(super) struct Search<'a> {
    pub(super) set: &'a Set<'a>,
    pub(super) settings: &'a Settings,
    /// Rules and the evidence for them, in bits.
    found: Vec<(i64, Rule)>,
    /// The number of tools, over all task types, in which rules are searched.
    pub(super) tried: usize,
    /// The traces and steps of the failures that are explained by a rule.
    pub(super) explained: Vec<(usize, usize)>,
}

impl Search<'_> {
    pub(super) fn steps(&self, trace: usize) -> &[Step] {
        self.set.trace(trace).map_or(&[], steps)
    }

    /// Searches rules in some of the traces.
    fn look(&mut self, places: &[usize]) {
        let mut calls: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.set.tools.len()];
        let mut fails = vec![0_u32; self.set.tools.len()];
        for trace in places {
            for (number, step) in self.steps(*trace).iter().enumerate() {
                let tool = self.set.tools.find(&step.tool);
                if let (Some(calls), Some(fails)) = (calls.get_mut(tool), fails.get_mut(tool)) {
                    calls.push((*trace, number));
                    *fails += u32::from(self.failed(*trace, number));
                }
            }
        }
        for (tool, (calls, fails)) in calls.iter().zip(&fails).enumerate() {
            if *fails >= self.settings.min_support.max(1) {
                self.look_at(tool, calls);
            }
        }
    }

    /// Whether a step failed. In a failed run without a failed step, it is the last one.
    pub(super) fn failed(&self, trace: usize, number: usize) -> bool {
        let steps = self.steps(trace);
        let unnamed = || {
            let lost = self.set.trace(trace).is_some_and(|trace| !trace.success);
            lost && number + 1 == steps.len() && steps.iter().all(|step| step.success)
        };
        steps.get(number).is_some_and(|step| !step.success) || unnamed()
    }

    /// Searches rules about one tool.
    fn look_at(&mut self, tool: usize, places: &[(usize, usize)]) {
        let (errors, calls) = self.calls(places);
        let facts: Vec<Vec<u32>> = calls.iter().map(|call| self.facts(call)).collect();
        for (number, error) in errors.iter().enumerate() {
            // Calls that failed with other errors say nothing about this one.
            let mut cases: Vec<Case<'_>> = Vec::new();
            for (call, facts) in calls.iter().zip(&facts) {
                let known = self.explained.contains(&(call.trace, call.step));
                if call.error.is_none_or(|error| error == number && !known) {
                    cases.push(Case { trace: call.trace, step: call.step, hit: call.error.is_some(), facts });
                }
            }
            if cases.iter().filter(|case| case.hit).count() < self.settings.min_support as usize {
                continue;
            }
            for _ in 0..MAX_CAUSES {
                let Some(fact) = self.cause(tool, error, &cases) else { break };
                let lacking = explains_by_lacking(fact);
                cases.retain(|case| !case.hit || case.facts.binary_search(&fact).is_ok() == lacking);
            }
            if !self.remedy(tool, error, &cases, places) && !self.got_over(tool, error, &cases) {
                self.always(tool, error, &cases);
            }
        }
    }

    /// The calls of a tool up to its first failure in each trace, one for each stretch of them, and their errors.
    fn calls(&self, places: &[(usize, usize)]) -> (Vec<String>, Vec<Call>) {
        let mut calls: Vec<Call> = Vec::new();
        let mut messages: Vec<(String, u32)> = Vec::new();
        let mut broken = None;
        for (trace, step) in places {
            let again = calls.last().is_some_and(|call| call.trace == *trace && call.step + 1 == *step);
            let failed = self.failed(*trace, *step);
            if broken == Some(*trace) || again && !failed {
                continue;
            }
            let mut error = None;
            if failed {
                broken = Some(*trace);
                let class = self.steps(*trace).get(*step).map_or_else(String::new, class);
                let known = messages.iter().position(|(known, _)| *known == class);
                let number = known.unwrap_or_else(|| {
                    let full = messages.len() >= MAX_ERRORS;
                    messages.push((if full { String::new() } else { class }, 0));
                    messages.len() - 1
                });
                if let Some(message) = messages.get_mut(number) {
                    message.1 += 1;
                }
                error = Some(number);
            }
            calls.push(Call { trace: *trace, step: *step, error });
        }
        // Errors too rare to learn from are combined, by their type if they have one.
        let mut errors: Vec<String> = Vec::new();
        for call in &mut calls {
            let Some((class, count)) = call.error.and_then(|error| messages.get(error)) else { continue };
            let step = self.set.trace(call.trace).and_then(|trace| trace.steps.get(call.step));
            let kind = step.and_then(|step| step.error_type.as_deref()).unwrap_or("");
            let name = if *count >= self.settings.min_support { class } else { head(kind) };
            let known = errors.iter().position(|known| known == name);
            call.error = Some(known.unwrap_or(errors.len()));
            if known.is_none() {
                errors.push(name.to_owned());
            }
        }
        errors.truncate(MAX_ERRORS * 2);
        (errors, calls)
    }

    /// The facts of a call.
    fn facts(&self, call: &Call) -> Vec<u32> {
        let mut hashes = Vec::new();
        facts(self.steps(call.trace), call.step, &mut |fact| hashes.push(fact.hash()));
        sort(&mut hashes, &mut u32::cmp);
        hashes.dedup();
        hashes
    }

    /// Finds the fact that best separates failed from successful calls, if it is good enough for a rule.
    fn cause(&mut self, tool: usize, error: &str, cases: &[Case<'_>]) -> Option<u32> {
        let splits = splits(cases, &explains_by_lacking);
        let tried = penalty(splits.len()) + penalty(self.tried);
        let mut best: Option<(i64, Split, Cause)> = None;
        for split in &splits {
            let enough = split.hits >= self.settings.min_support as usize
                && split.rate() * 3.0 >= self.settings.min_confidence
                && split.effect() >= self.settings.min_confidence;
            // An error that names the tool or the field needs less proof, but some.
            let likely = |bonus: i64| {
                let bits = split.bits - tried + bonus;
                best.as_ref()
                    .is_none_or(|(most, than, _)| bits > *most || bits == *most && split.fact & 3 < than.fact & 3)
            };
            if !enough || !likely(tried + NAMED) {
                continue;
            }
            let Some(cause) = self.describe(split.fact, cases) else { continue };
            let bonus = if self.names(&cause, split.fact, cases) { tried + NAMED } else { 0 };
            let bits = split.bits - tried + bonus;
            if likely(bonus) && bits >= i64::from(self.settings.min_evidence) * i64::from(BIT) {
                best = Some((bits, *split, cause));
            }
        }
        let (bits, split, cause) = best?;
        let lacking = explains_by_lacking(split.fact);
        let explained = |case: &&Case<'_>| case.hit && case.facts.binary_search(&split.fact).is_ok() != lacking;
        let explained: Vec<&Case<'_>> = cases.iter().filter(explained).collect();
        self.add(bits, tool, error, cause, (split.hits, split.cases - split.hits, split.effect()), &explained);
        Some(split.fact)
    }

    /// The cause that a fact's hash stands for.
    fn describe(&self, fact: u32, cases: &[Case<'_>]) -> Option<Cause> {
        let case = cases.iter().find(|case| case.facts.binary_search(&fact).is_ok())?;
        let mut cause = None;
        facts(self.steps(case.trace), case.step, &mut |known| {
            if cause.is_some() || known.hash() != fact {
                return;
            }
            let when = |field: &str, is: Condition| Cause::When { field: field.to_owned(), is };
            cause = Some(match known {
                Fact::Before(tool) => Cause::Before { check: (*tool).to_owned() },
                Fact::Has(field) => when(field, Condition::Missing),
                Fact::Is(field, value) => when(field, Condition::Value((*value).clone())),
                Fact::Looks(field, shape) => when(field, Condition::Form((*shape).to_owned())),
            });
        });
        cause
    }

    /// Whether the message of a failure that this would explain names the tool or the field.
    fn names(&self, cause: &Cause, fact: u32, cases: &[Case<'_>]) -> bool {
        // A message names something missing, not a value.
        let (Cause::Before { check: name } | Cause::When { field: name, is: Condition::Missing }) = cause else {
            return false;
        };
        let lacking = explains_by_lacking(fact);
        let explained = |case: &&Case<'_>| case.hit && case.facts.binary_search(&fact).is_ok() != lacking;
        let step = cases.iter().find(explained).and_then(|case| self.steps(case.trace).get(case.step));
        let message = step.and_then(|step| step.error.as_deref()).unwrap_or("");
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
        name.len() > 2 && lower(head(message)).contains(&lower(name))
    }

    /// Adds a rule for a tool that mostly fails for no known reason. A recovered failure does not count.
    fn always(&mut self, tool: usize, error: &str, cases: &[Case<'_>]) {
        let is_final = |case: &&Case<'_>| case.hit && recovered(self.steps(case.trace), case.step).is_none();
        let failed: Vec<&Case<'_>> = cases.iter().filter(is_final).collect();
        let rate = failed.len() as f64 / cases.len().max(1) as f64;
        if failed.len() >= self.settings.min_support.max(2) as usize && rate >= self.settings.min_confidence {
            let counts = (failed.len(), cases.len() - failed.len(), rate);
            self.add(0, tool, error, Cause::Always, counts, &failed);
        }
    }

    pub(super) fn add(
        &mut self,
        bits: i64,
        tool: usize,
        error: &str,
        cause: Cause,
        counts: (usize, usize, f64),
        from: &[&Case],
    ) {
        self.explained.extend(from.iter().map(|case| (case.trace, case.step)));
        // One such rule is enough, whatever the errors of the tool.
        let name = self.set.tools.get(tool);
        if self.found.iter().any(|(_, rule)| rule.tool == name && rule.cause == cause) {
            return;
        }
        let traces: Vec<usize> = from.iter().map(|case| case.trace).collect();
        let task = |at: &usize| self.set.trace(*at).map_or("", |trace| trace.task_type.as_str());
        let first = traces.first().map_or("", task);
        let task_type = traces.iter().all(|at| task(at) == first).then(|| head(first).to_owned());
        let (support, against, confidence) = (counts.0 as u32, counts.1 as u32, counts.2);
        let (tool, error, traces) = (name.to_owned(), error.to_owned(), self.set.origins(&traces));
        self.found.push((bits, Rule { task_type, tool, error, cause, support, against, confidence, traces }));
    }
}

/// The class of a step's error: its message, or its type if it has none.
fn class(step: &Step) -> String {
    let message = step.error.as_deref().map_or_else(String::new, error_class);
    if message.is_empty() {
        step.error_type.as_deref().map_or_else(String::new, |kind| head(kind).to_owned())
    } else {
        message
    }
}
