//! Remedies after a failure: the steps of runs that recovered, compared with those of runs that did not.

use super::alphabet::recovered;
use super::bits::BIT;
use super::evidence::{Case, Split, penalty, splits};
use super::retry::{Recovery, way_out};
use super::rule::Cause;
use super::rules::Search;
use super::trace::Step;
use crate::model::sort;

/// The number of steps after a failure in which remedies are searched.
const NEXT: usize = 3;

impl Search<'_> {
    /// Finds the remedy for an error, if there is one.
    pub(super) fn remedy(&mut self, tool: usize, error: &str, cases: &[Case<'_>], places: &[(usize, usize)]) -> bool {
        let number = |step: &Step| self.set.tools.find(&step.tool) as u32;
        let after = |trace: usize, at: usize| -> Vec<u32> {
            let steps = self.steps(trace);
            // Nothing in between: it was a retry.
            let end = recovered(steps, at).filter(|_| steps.get(at).is_some_and(|step| !step.success));
            let mut done: Vec<u32> = Vec::new();
            for step in
                steps.iter().take(end.unwrap_or(steps.len())).skip(at + 1).filter(|step| number(step) != tool as u32)
            {
                if step.success && !done.contains(&number(step)) && done.len() < NEXT {
                    done.push(number(step));
                }
            }
            if done.is_empty() && steps.get(at + 1).is_some_and(|step| number(step) == tool as u32) {
                done.push(tool as u32);
            }
            sort(&mut done, &mut u32::cmp);
            done
        };
        let over = |case: &Case<'_>| {
            let again = self.steps(case.trace).iter().skip(case.step + 1).any(|step| number(step) == tool as u32);
            let won = self.set.trace(case.trace).is_some_and(|trace| trace.success);
            recovered(self.steps(case.trace), case.step).is_some() || won && !again
        };
        let failed: Vec<&Case<'_>> = cases.iter().filter(|case| case.hit).collect();
        let done: Vec<Vec<u32>> = failed.iter().map(|case| after(case.trace, case.step)).collect();
        let mut tales: Vec<Case<'_>> = Vec::new();
        for (case, facts) in failed.into_iter().zip(&done) {
            tales.push(Case { hit: over(case), facts, ..*case });
        }
        let splits = splits(&tales, &|_| false);
        let tried = penalty(splits.len()) + penalty(self.tried);
        let usual: Vec<Vec<u32>> = (places.iter().filter(|(trace, at)| !self.failed(*trace, *at)))
            .map(|(trace, at)| after(*trace, *at))
            .collect();
        let retried = |case: &&Case<'_>| recovered(self.steps(case.trace), case.step).is_some();
        let good = |split: &&Split| {
            let helped = || tales.iter().filter(|case| case.hit && case.facts.contains(&split.fact));
            // A step that usually follows the tool is not done because of the error, unless the tool is then used
            // again.
            let expected = usual.iter().filter(|done| done.contains(&split.fact)).count() * tales.len();
            let usual = helped().filter(retried).count() * 2 < split.hits && split.cases * usual.len() < 2 * expected;
            split.hits >= self.settings.min_support as usize
                && split.rate() >= self.settings.min_confidence
                && split.effect() * 2.0 >= self.settings.min_confidence
                && !usual
                && split.bits - tried >= i64::from(self.settings.min_evidence) * i64::from(BIT)
        };
        let mut best: Option<&Split> = None;
        for split in splits.iter().filter(good) {
            if best.is_none_or(|best| split.bits > best.bits) {
                best = Some(split);
            }
        }
        let Some(split) = best else { return false };
        let then = self.set.tools.get(split.fact as usize).to_owned();
        let helped = |case: &&Case<'_>| case.hit && case.facts.contains(&split.fact);
        let helped: Vec<&Case<'_>> = tales.iter().filter(helped).collect();
        let counts = (split.hits, split.cases - split.hits, split.rate());
        let again = || way_out(&self.recoveries(&helped)).unwrap_or(Cause::Again { tries: 1 });
        let cause = if split.fact == tool as u32 { again() } else { Cause::After { then } };
        self.add(split.bits - tried, tool, error, cause, counts, &helped);
        // One remedy is enough: these failures need no further explanation.
        self.explained.extend(tales.iter().map(|case| (case.trace, case.step)));
        true
    }

    /// Finds the common recovery from an error, if most runs recovered. Without failed runs to compare, this proves
    /// nothing, but a tool that works in the end must not get a warning. Returns whether most recovered.
    pub(super) fn got_over(&mut self, tool: usize, error: &str, cases: &[Case<'_>]) -> bool {
        let failed: Vec<&Case<'_>> = cases.iter().filter(|case| case.hit).collect();
        let recoveries = self.recoveries(&failed);
        let rate = recoveries.len() as f64 / failed.len().max(1) as f64;
        if recoveries.is_empty() || rate < self.settings.min_confidence {
            return false;
        }
        if let Some(cause) = way_out(&recoveries).filter(|_| recoveries.len() >= self.settings.min_support as usize) {
            let counts = (recoveries.len(), failed.len() - recoveries.len(), rate);
            self.add(0, tool, error, cause, counts, &failed);
        }
        true
    }

    fn recoveries(&self, failed: &[&Case<'_>]) -> Vec<Recovery<'_>> {
        let recovery = |case: &&Case<'_>| {
            let steps = self.steps(case.trace);
            Some((steps, case.step, recovered(steps, case.step)?))
        };
        failed.iter().filter_map(recovery).collect()
    }
}
