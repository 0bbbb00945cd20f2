//! Steps as symbols: which steps count as equal, and how much information each has.

use super::apart::{Apart, Call};
use super::bits::log2;
use super::cover::Run;
use super::names::Names;
use super::trace::{Set, Settings, Step, steps};
use crate::model::sorted;

/// The most distinct symbols; rarer ones cannot be part of a skill.
const MAX_SYMBOLS: usize = 256;

/// The most steps between a failure and its recovery.
const NEAR: usize = 3;

/// Maps steps to symbols: by the tool, and by its argument if the tool is used for a few different things.
pub(super) struct Alphabet<'a> {
    tools: &'a Names<'a>,
    /// For each tool its distinguishing argument, and the number of its first kind.
    kinds: Vec<(Apart, usize)>,
    /// The symbol of each kind; the last one for all that are too rare.
    symbols: Vec<u16>,
    last: u16,
}

impl<'a> Alphabet<'a> {
    pub(super) fn new(set: &'a Set<'_>, places: &[usize], settings: &Settings) -> Self {
        let mut numbers = 0;
        let mut kinds = Vec::new();
        for (tool, calls) in calls(set, places).iter().enumerate() {
            let apart = Apart::find(tool, calls, settings);
            let first = numbers;
            numbers += apart.len();
            kinds.push((apart, first));
        }
        let mut alphabet = Self { tools: &set.tools, kinds, symbols: Vec::new(), last: 0 };
        let mut counts = vec![0_u32; numbers];
        for step in places.iter().filter_map(|at| set.trace(*at)).flat_map(steps) {
            if let Some(count) = counts.get_mut(alphabet.number(step)) {
                *count += 1;
            }
        }
        let count = |at: usize| counts.get(at).copied().unwrap_or(0);
        let often = (0..numbers).filter(|number| count(*number) >= settings.min_support).count();
        alphabet.last = often.min(MAX_SYMBOLS - 1) as u16;
        alphabet.symbols = vec![alphabet.last; numbers];
        let order = sorted(numbers, &|one, other| count(other).cmp(&count(one)));
        for (symbol, number) in (0..alphabet.last).zip(order) {
            if let Some(slot) = alphabet.symbols.get_mut(number) {
                *slot = symbol;
            }
        }
        alphabet
    }

    fn number(&self, step: &Step) -> usize {
        let Some((apart, first)) = self.kinds.get(self.tools.find(&step.tool)) else { return usize::MAX };
        first + apart.kind(step)
    }

    /// A trace as symbols: all steps if `tried`, or only successful ones. A repeated step counts once.
    pub(super) fn run(&self, set: &Set<'_>, at: usize, tried: bool) -> Run {
        let mut run = Run { trace: at, ..Run::default() };
        let steps = set.trace(at).map_or(&[][..], steps);
        let taken = if tried { (0..steps.len()).collect() } else { good(steps) };
        for number in taken {
            let Some(step) = steps.get(number) else { continue };
            let symbol = self.symbols.get(self.number(step)).copied().unwrap_or(self.last);
            if run.symbols.last() != Some(&symbol) {
                run.symbols.push(symbol);
                run.steps.push(number as u16);
            }
        }
        run
    }

    /// The cost of naming each symbol on its own. The last stands for all rare ones and is part of no skill.
    pub(super) fn bits(&self, runs: &[Run]) -> Vec<i32> {
        let used = usize::from(self.last);
        let mut counts = vec![0_usize; used + 1];
        let mut total = 0;
        for symbol in runs.iter().flat_map(|run| &run.symbols) {
            if let Some(count) = counts.get_mut(usize::from(*symbol)) {
                *count += 1;
            }
            total += 1;
        }
        // A rare symbol counts no more than if all were equally frequent: runs without a procedure are full of rare
        // ones, which is nothing in common.
        let most = log2(used.max(2));
        let bits = |count: &usize| if *count == 0 { 0 } else { (log2(total + used) - log2(count + 1)).min(most) };
        let mut bits: Vec<i32> = counts.iter().map(bits).collect();
        if let Some(last) = bits.last_mut() {
            *last = 0;
        }
        bits
    }
}

/// The position where the step that failed at `at` succeeded in the end, if that was soon.
pub(super) fn recovered(steps: &[Step], at: usize) -> Option<usize> {
    let tool = &steps.get(at)?.tool;
    let mut others = 0;
    for (next, step) in steps.iter().enumerate().skip(at + 1) {
        if step.tool != *tool {
            others += 1;
        } else if step.success {
            return Some(next);
        }
        if others > NEAR {
            return None;
        }
    }
    None
}

/// The successful calls of each tool in successful runs, in order.
fn calls<'a>(set: &Set<'a>, places: &[usize]) -> Vec<Vec<Call<'a>>> {
    let mut calls: Vec<Vec<Call<'a>>> = (0..set.tools.len()).map(|_| Vec::new()).collect();
    for (run, trace) in places.iter().filter_map(|at| set.trace(*at)).enumerate().filter(|(_, trace)| trace.success) {
        let mut before = None;
        for step in good(steps(trace)).into_iter().filter_map(|at| trace.steps.get(at)) {
            let tool = set.tools.find(&step.tool);
            if let Some(calls) = calls.get_mut(tool) {
                calls.push(Call { run, before, step });
            }
            before = Some(tool);
        }
    }
    calls
}

/// The successful steps of a run, without the recoveries from failures: those are for rules.
pub(super) fn good(steps: &[Step]) -> Vec<usize> {
    let mut good = Vec::new();
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        if step.success {
            good.push(at);
            at += 1;
        } else {
            at = recovered(steps, at).unwrap_or(at + 1);
        }
    }
    good
}
