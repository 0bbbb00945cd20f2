//! The distinguishing argument of a tool's calls: its values recur in the same order from run to run, like the commands
//! of a shell. An argument that varies at random does not qualify.

use super::bits::{BIT, log2};
use super::errors::error_class;
use super::evidence::penalty;
use super::names::head;
use super::trace::{Settings, Step};
use crate::model::Json;

/// The step before a call: its tool, and, for the same tool, one more than the kind of that step.
type Before = (Option<usize>, usize);

/// The most distinct values of one argument.
const MAX_KINDS: usize = 16;

/// The most arguments of a call that are tried, and their deepest nesting.
const MAX_ARGUMENTS: usize = 16;
const MAX_DEPTH: usize = 2;

/// The most calls of a tool that are read to decide.
const MAX_CALLS: usize = 2_000;

/// A successful call of a tool.
pub(super) struct Call<'a> {
    /// The index of its run.
    pub(super) run: usize,
    /// The tool of the step before it; `None` at the beginning of a run.
    pub(super) before: Option<usize>,
    pub(super) step: &'a Step,
}

/// The distinguishing argument of a tool's calls, and its values.
#[derive(Default)]
pub(super) struct Apart {
    path: String,
    kinds: Vec<String>,
}

impl Apart {
    /// The number of kinds of calls: at least one. The last is for calls with none of the values.
    pub(super) fn len(&self) -> usize {
        self.kinds.len() + 1
    }

    /// The kind of a call.
    pub(super) fn kind(&self, step: &Step) -> usize {
        if self.kinds.is_empty() {
            return 0;
        }
        let mut kind = self.kinds.len();
        arguments(step, &mut |path, value| {
            if path == self.path {
                kind = self.kind_of(value);
            }
        });
        kind
    }

    fn kind_of(&self, value: &str) -> usize {
        let place = |wanted: &str| self.kinds.iter().position(|kind| kind == wanted);
        place(head(value)).or_else(|| place(&error_class(value))).unwrap_or(self.kinds.len())
    }

    /// The argument that says most about the order of the calls, if one says enough.
    pub(super) fn find(tool: usize, calls: &[Call<'_>], settings: &Settings) -> Self {
        let calls = calls.get(..MAX_CALLS).unwrap_or(calls);
        let mut paths: Vec<String> = Vec::new();
        for call in calls {
            arguments(call.step, &mut |path, _| {
                if paths.len() < MAX_ARGUMENTS && !paths.iter().any(|known| known == path) {
                    paths.push(path.to_owned());
                }
            });
        }
        let candidates = paths.into_iter().filter_map(|path| {
            let kinds = recurring(calls, &path, settings);
            ((2..=MAX_KINDS).contains(&kinds.len())).then_some(Self { path, kinds })
        });
        let candidates: Vec<Self> = candidates.collect();
        let tried = penalty(candidates.len());
        let least = i64::from(settings.min_evidence) * i64::from(BIT) / 2;
        let mut best: Option<(i64, Self)> = None;
        for apart in candidates {
            let bits = apart.bits(tool, calls) - tried;
            if bits >= least && best.as_ref().is_none_or(|(most, _)| bits > *most) {
                best = Some((bits, apart));
            }
        }
        best.map(|(_, apart)| apart).unwrap_or_default()
    }

    /// The bits saved by knowing the step before each call when coding its kind, minus the cost of the table of which
    /// kind follows which step.
    fn bits(&self, tool: usize, calls: &[Call<'_>]) -> i64 {
        let kinds: Vec<usize> = calls.iter().map(|call| self.kind(call.step)).collect();
        // The counts of each kind after each step, which is a tool or a call of this one with its kind.
        let mut cells: Vec<(Before, Vec<usize>)> = Vec::new();
        let mut totals = vec![0_usize; self.len()];
        for (at, call) in calls.iter().enumerate() {
            // After a call of the same tool its kind matters.
            let last = kinds.get(at.wrapping_sub(1)).filter(|_| call.before == Some(tool));
            let before = (call.before, last.map_or(0, |kind| kind + 1));
            let kind = kinds.get(at).copied().unwrap_or(0);
            let known = cells.iter().position(|(known, _)| *known == before).unwrap_or_else(|| {
                cells.push((before, vec![0; self.len()]));
                cells.len() - 1
            });
            for counts in [cells.get_mut(known).map(|(_, counts)| counts), Some(&mut totals)].into_iter().flatten() {
                if let Some(count) = counts.get_mut(kind) {
                    *count += 1;
                }
            }
        }
        let used = |counts: &[usize]| counts.iter().filter(|count| **count > 0).count();
        let filled: usize = cells.iter().map(|(_, counts)| used(counts)).sum();
        let names = filled as i64 * i64::from(log2(used(&totals)));
        let shares = (filled - cells.len()) as i64 * i64::from(log2(calls.len())) / 2;
        entropy(&totals) - cells.iter().map(|(_, counts)| entropy(counts)).sum::<i64>() - names - shares
    }
}

/// The values of an argument that recur in enough runs: unchanged, or without the numbers and names in them.
fn recurring(calls: &[Call<'_>], path: &str, settings: &Settings) -> Vec<String> {
    let mut seen: Vec<(String, u32, usize)> = Vec::new();
    let mut count = |name: &str, run: usize| {
        // An argument with so many values is data.
        let is_full = seen.len() >= MAX_KINDS * 8;
        match seen.iter_mut().find(|(known, ..)| known == name) {
            Some((_, runs, last)) => {
                *runs += u32::from(*last != run);
                *last = run;
            }
            None if is_full => {}
            None => seen.push((name.to_owned(), 1, run)),
        }
    };
    for call in calls {
        arguments(call.step, &mut |known, value| {
            if known == path {
                count(head(value), call.run);
            }
        });
    }
    let often = |runs: u32| runs >= settings.min_support.max(2);
    let mut kinds: Vec<String> = Vec::new();
    let mut classes: Vec<(String, u32)> = Vec::new();
    for (name, runs, _) in &seen {
        if often(*runs) {
            kinds.push(name.clone());
            continue;
        }
        let class = error_class(name);
        match classes.iter_mut().find(|(known, _)| *known == class) {
            Some((_, count)) => *count += runs,
            None => classes.push((class, *runs)),
        }
    }
    let classes = classes.into_iter().filter(|(class, runs)| often(*runs) && class.chars().any(char::is_alphabetic));
    kinds.extend(classes.map(|(class, _)| class).filter(|class| !seen.iter().any(|(name, ..)| name == class)));
    kinds
}

/// The entropy of outcomes with these counts, in bits.
fn entropy(counts: &[usize]) -> i64 {
    let part = |number: usize| number as i64 * i64::from(log2(number));
    part(counts.iter().sum()) - counts.iter().map(|count| part(*count)).sum::<i64>()
}

/// Calls `tell` with every string argument of a call and its path. The action of a step counts as one.
fn arguments(step: &Step, tell: &mut dyn FnMut(&str, &str)) {
    if let Some(action) = &step.action {
        tell("\0", action);
    }
    within(&step.input, &mut String::new(), 0, tell);
}

fn within(value: &Json, path: &mut String, depth: usize, tell: &mut dyn FnMut(&str, &str)) {
    match value {
        Json::String(text) => tell(path, text),
        Json::Object(fields) if depth < MAX_DEPTH => {
            for (name, value) in fields.iter().take(MAX_ARGUMENTS) {
                let end = path.len();
                path.push('.');
                path.push_str(head(name));
                within(value, path, depth + 1, tell);
                path.truncate(end);
            }
        }
        _ => {}
    }
}
