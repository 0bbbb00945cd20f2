//! Describes runs by procedures: each step is either named on its own or part of a procedure, whichever is shorter.

use super::align::{Aligner, Fit};
use super::bits::{BIT, log2};

/// A procedure that a run follows, and the matching positions in the run and in the procedure.
pub(super) type Use = (usize, Vec<(u8, u8)>);

/// A run as symbols.
#[derive(Default)]
pub(super) struct Run {
    /// The index of its trace.
    pub(super) trace: usize,
    pub(super) symbols: Vec<u16>,
    /// The set of its symbols, folded into 64 bits.
    pub(super) mask: u64,
    /// The step of the trace of each symbol.
    pub(super) steps: Vec<u16>,
    /// The symbols that no procedure explains.
    pub(super) rest: Vec<u16>,
    /// Whether a procedure explains each symbol.
    pub(super) explained: Vec<bool>,
    /// The bits that its procedures save.
    pub(super) gain: i32,
    /// The procedures that it follows, and their positions.
    pub(super) uses: Vec<Use>,
}

impl Run {
    /// Whether it may have most of the steps: a quick filter with false positives if there are many tools.
    pub(super) fn can_follow(&self, steps: &[u16]) -> bool {
        let there = steps.iter().filter(|step| self.mask >> (*step % 64) & 1 == 1).count();
        there * 2 > steps.len()
    }
}

/// A sequence of steps that runs follow.
pub(super) struct Procedure {
    pub(super) steps: Vec<u16>,
    /// The cost of saying that a run follows it.
    id: i32,
}

/// Runs, and the procedures found so far.
pub(super) struct Cover {
    pub(super) runs: Vec<Run>,
    pub(super) procedures: Vec<Procedure>,
    pub(super) aligner: Aligner,
}

impl Cover {
    pub(super) fn new(mut runs: Vec<Run>, aligner: Aligner) -> Self {
        for run in &mut runs {
            run.mask = run.symbols.iter().fold(0, |mask, symbol| mask | 1 << (symbol % 64));
        }
        let mut cover = Self { runs, procedures: Vec::new(), aligner };
        cover.settle();
        cover
    }

    /// The bits saved over all runs by one more procedure, minus the cost of the procedure.
    pub(super) fn value(&mut self, steps: &[u16]) -> i32 {
        self.gains(steps).0
    }

    /// The same, and the cost of saying that a run follows it.
    fn gains(&mut self, steps: &[u16]) -> (i32, i32) {
        let mut gains: Vec<i32> = Vec::new();
        for run in &self.runs {
            // In place of the run's current procedures, or in addition to them.
            let mut gain = 0;
            if run.can_follow(steps) {
                gain = self.aligner.fit(steps, &run.symbols, run.gain).map_or(0, |fit| fit.gain - run.gain);
                if !run.uses.is_empty() {
                    gain = self.aligner.fit(steps, &run.rest, gain).map_or(gain, |fit| fit.gain);
                }
            }
            if gain > 0 {
                gains.push(gain);
            }
        }
        // The fewer runs follow it, the more it costs to say which ones.
        let first = self.id(gains.len());
        let id = self.id(gains.iter().filter(|gain| **gain > first).count());
        (gains.iter().map(|gain| (gain - id).max(0)).sum::<i32>() - self.cost(steps), id)
    }

    /// Adds a procedure.
    pub(super) fn add(&mut self, steps: Vec<u16>) {
        let (_, id) = self.gains(&steps);
        self.procedures.push(Procedure { steps, id });
        // The runs that follow it and the cost of saying so depend on each other: a few rounds converge.
        for _ in 0..3 {
            self.settle();
        }
    }

    /// Removes a procedure and returns its steps.
    pub(super) fn remove(&mut self, at: usize) -> Vec<u16> {
        let gone = self.procedures.remove(at);
        self.settle();
        self.settle();
        gone.steps
    }

    /// The bits lost without a procedure.
    pub(super) fn worth(&mut self, at: usize) -> i32 {
        let mut worth = 0;
        for number in 0..self.runs.len() {
            let Some(run) = self.runs.get(number) else { continue };
            if run.uses.iter().any(|(procedure, _)| *procedure == at) {
                worth += run.gain - describe(&mut self.aligner, &self.procedures, &run.symbols, at).0;
            }
        }
        worth - self.procedures.get(at).map_or(0, |procedure| self.cost(&procedure.steps))
    }

    /// Describes every run again.
    fn settle(&mut self) {
        let mut used = vec![0; self.procedures.len()];
        for run in &mut self.runs {
            (run.gain, run.uses) = describe(&mut self.aligner, &self.procedures, &run.symbols, usize::MAX);
            run.explained.clear();
            run.explained.resize(run.symbols.len(), false);
            for (procedure, pairs) in &run.uses {
                if let Some(used) = used.get_mut(*procedure) {
                    *used += 1;
                }
                for (place, _) in pairs {
                    if let Some(explained) = run.explained.get_mut(usize::from(*place)) {
                        *explained = true;
                    }
                }
            }
            let free = run.symbols.iter().zip(&run.explained).filter(|(_, explained)| !**explained);
            run.rest = free.map(|(symbol, _)| *symbol).collect();
        }
        for at in 0..self.procedures.len() {
            let id = self.id(used.get(at).copied().unwrap_or(0));
            if let Some(procedure) = self.procedures.get_mut(at) {
                procedure.id = id;
            }
        }
    }

    /// The procedures that a run follows, which need not be in the training set.
    pub(super) fn follows(&mut self, symbols: &[u16]) -> Vec<Use> {
        describe(&mut self.aligner, &self.procedures, symbols, usize::MAX).1
    }

    /// The bits to write a procedure once: its steps, and the number of runs that follow it. That number is counted
    /// twice for many runs, where coincidences are more likely.
    fn cost(&self, steps: &[u16]) -> i32 {
        2 * log2(self.runs.len() + 1) - 2 * BIT + steps.iter().map(|step| self.aligner.bits(*step)).sum::<i32>()
    }

    /// The cost of saying that a run follows a procedure with so many runs.
    fn id(&self, used: usize) -> i32 {
        log2(self.runs.len() + 1) - log2(used.max(1))
    }
}

/// The procedures, except one, that describe a run best, and the bits they save: greedily, each on what the previous
/// ones leave.
fn describe(aligner: &mut Aligner, procedures: &[Procedure], symbols: &[u16], without: usize) -> (i32, Vec<Use>) {
    let mut gain = 0;
    let mut uses = Vec::new();
    let mut rest = symbols.to_vec();
    let mut places: Vec<u8> = (0..symbols.len()).map(|place| place as u8).collect();
    loop {
        let mut best = (0, 0, Fit::default());
        for (at, procedure) in procedures.iter().enumerate().filter(|(at, _)| *at != without) {
            if let Some(fit) = aligner.fit(&procedure.steps, &rest, best.0 + procedure.id) {
                best = (fit.gain - procedure.id, at, fit);
            }
        }
        let (saved, at, fit) = best;
        if saved <= 0 {
            return (gain, uses);
        }
        gain += saved;
        let taken = |place: usize| fit.pairs.iter().any(|pair| usize::from(pair.0) == place);
        let place = |within: u8| places.get(usize::from(within)).copied().unwrap_or(0);
        uses.push((at, fit.pairs.iter().map(|(within, step)| (place(*within), *step)).collect()));
        let left: Vec<usize> = (0..rest.len()).filter(|place| !taken(*place)).collect();
        rest = left.iter().filter_map(|place| rest.get(*place).copied()).collect();
        places = left.iter().filter_map(|place| places.get(*place).copied()).collect();
    }
}
