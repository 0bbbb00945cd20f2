//! Steps as symbols: what counts as the same step, and how much it says that one is there.

use super::bits::log2;
use super::cover::Run;
use super::errors::error_class;
use super::names::Names;
use super::trace::{Set, Settings, Step, steps};
use crate::model::sorted;

/// The most symbols that are told apart; rarer ones cannot be part of a skill.
const MAX_SYMBOLS: usize = 256;

/// The most kinds of actions of one tool that are told apart.
const MAX_ACTIONS: usize = 8;

/// The most steps between a failure and its end that are taken for the way out of it.
const NEAR: usize = 3;

/// What counts as the same step: the tool, and what is done with it if the tool is used for a few different things.
pub(super) struct Alphabet<'a> {
    tools: &'a Names<'a>,
    /// For each tool the kinds of actions that are told apart, and the number of the first of them.
    kinds: Vec<(Vec<String>, usize)>,
    /// The symbol of each such number; the last one for all that are too rare.
    symbols: Vec<u16>,
    last: u16,
}

impl<'a> Alphabet<'a> {
    pub(super) fn new(set: &'a Set<'_>, places: &[usize], settings: &Settings) -> Self {
        let all = || places.iter().filter_map(|at| set.trace(*at)).flat_map(steps);
        // Kinds of actions and their counts; more than a few, and they are descriptions rather than kinds.
        let mut seen: Vec<Vec<(String, u32)>> = vec![Vec::new(); set.tools.len()];
        for step in all() {
            let Some(kinds) = seen.get_mut(set.tools.find(&step.tool)) else { continue };
            if kinds.len() > MAX_ACTIONS {
                continue;
            }
            let kind = kind(step);
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let mut numbers = 0;
        let mut kinds = Vec::new();
        for seen in seen {
            let total: u32 = seen.iter().map(|(_, count)| count).sum();
            let told = |count: u32| count >= settings.min_support && count * 10 >= total;
            let apart = seen.len() <= MAX_ACTIONS && seen.iter().all(|(_, count)| told(*count));
            let names: Vec<String> = if apart { seen.into_iter().map(|(kind, _)| kind).collect() } else { Vec::new() };
            let first = numbers;
            numbers += names.len().max(1);
            kinds.push((names, first));
        }
        let mut alphabet = Self { tools: &set.tools, kinds, symbols: Vec::new(), last: 0 };
        let mut counts = vec![0_u32; numbers];
        for step in all() {
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
        let Some((names, first)) = self.kinds.get(self.tools.find(&step.tool)) else { return usize::MAX };
        if names.len() < 2 {
            return *first;
        }
        let kind = kind(step);
        first + names.iter().position(|known| *known == kind).unwrap_or(0)
    }

    /// A trace as symbols. If not `tried`, only what went well, without what was done to get over a failure: that is not
    /// how to do it, but a rule. A step that repeats the last counts once.
    pub(super) fn run(&self, set: &Set<'_>, at: usize, tried: bool) -> Run {
        let mut run = Run { trace: at, ..Run::default() };
        let steps = set.trace(at).map_or(&[][..], steps);
        let mut number = 0;
        while let Some(step) = steps.get(number) {
            if !step.success && !tried {
                number = recovered(steps, number).unwrap_or(number + 1);
                continue;
            }
            let symbol = self.symbols.get(self.number(step)).copied().unwrap_or(self.last);
            if run.symbols.last() != Some(&symbol) {
                run.symbols.push(symbol);
                run.steps.push(number as u16);
            }
            number += 1;
        }
        run
    }

    /// What it takes to name each symbol on its own. The last stands for all rare ones and has no place in a skill.
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
        // A rare one counts no more than if all were as frequent: runs without a procedure are full of rare ones, which
        // is nothing that they have in common.
        let most = log2(used.max(2));
        let bits = |count: &usize| if *count == 0 { 0 } else { (log2(total + used) - log2(count + 1)).min(most) };
        let mut bits: Vec<i32> = counts.iter().map(bits).collect();
        if let Some(last) = bits.last_mut() {
            *last = 0;
        }
        bits
    }
}

/// Where the step that failed at `at` went well in the end, if that was soon.
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

/// The kind of action of a step: its description without the numbers and names in it.
fn kind(step: &Step) -> String {
    error_class(step.action.as_deref().unwrap_or(""))
}
