//! Runs described by procedures: each step is either named on its own or part of a procedure, whichever is shorter.

use super::align::{Aligner, Fit};
use super::bits::{BIT, log2};

/// Which procedure a run follows, and the places in the run and in the procedure that belong together.
pub(super) type Use = (usize, Vec<(u8, u8)>);

/// A run as symbols.
#[derive(Default)]
pub(super) struct Run {
    /// Which trace it is.
    pub(super) trace: usize,
    pub(super) symbols: Vec<u16>,
    /// Which symbols there are, folded into 64 bits.
    pub(super) mask: u64,
    /// Which step of the trace each symbol stands for.
    pub(super) steps: Vec<u16>,
    /// The symbols that no procedure explains.
    pub(super) rest: Vec<u16>,
    /// Whether a procedure explains each symbol.
    pub(super) explained: Vec<bool>,
    /// What its procedures save.
    pub(super) gain: i32,
    /// The procedures it follows, and the places that are theirs.
    pub(super) uses: Vec<Use>,
}

impl Run {
    /// Whether it may have most of the steps: a quick look, wrong only for many tools.
    pub(super) fn can_follow(&self, steps: &[u16]) -> bool {
        let there = steps.iter().filter(|step| self.mask >> (*step % 64) & 1 == 1).count();
        there * 2 > steps.len()
    }
}

/// A sequence of steps that runs follow.
pub(super) struct Procedure {
    pub(super) steps: Vec<u16>,
    /// What it takes to say that a run follows this one.
    id: i32,
}

/// Runs, and the procedures that describe them so far.
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

    /// How many bits fewer all runs take with one more procedure, less what it takes to write it down.
    pub(super) fn value(&mut self, steps: &[u16]) -> i32 {
        self.gains(steps).0
    }

    /// That, and what it takes to say that a run follows it.
    fn gains(&mut self, steps: &[u16]) -> (i32, i32) {
        let mut gains: Vec<i32> = Vec::new();
        for run in &self.runs {
            // In place of what describes the run now, or in addition to it.
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
        // The fewer runs follow it, the more it takes to say which ones.
        let first = self.id(gains.len());
        let id = self.id(gains.iter().filter(|gain| **gain > first).count());
        (gains.iter().map(|gain| (gain - id).max(0)).sum::<i32>() - self.cost(steps), id)
    }

    /// Adds a procedure.
    pub(super) fn add(&mut self, steps: Vec<u16>) {
        let (_, id) = self.gains(&steps);
        self.procedures.push(Procedure { steps, id });
        // Who follows it decides what it costs to say so, and the other way round: a few rounds come to rest.
        for _ in 0..3 {
            self.settle();
        }
    }

    /// Takes a procedure away.
    pub(super) fn remove(&mut self, at: usize) -> Vec<u16> {
        let gone = self.procedures.remove(at);
        self.settle();
        self.settle();
        gone.steps
    }

    /// What would be lost without a procedure.
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

    /// Describes every run anew.
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

    /// The procedures that a run follows, which need not be one of those learned from.
    pub(super) fn follows(&mut self, symbols: &[u16]) -> Vec<Use> {
        describe(&mut self.aligner, &self.procedures, symbols, usize::MAX).1
    }

    /// Bits to write a procedure down once: its steps, and how many runs follow it. That is counted twice for many runs,
    /// in which there are more ways to agree by chance.
    fn cost(&self, steps: &[u16]) -> i32 {
        2 * log2(self.runs.len() + 1) - 2 * BIT + steps.iter().map(|step| self.aligner.bits(*step)).sum::<i32>()
    }

    /// What it takes to say that a run follows a procedure that so many follow.
    fn id(&self, used: usize) -> i32 {
        log2(self.runs.len() + 1) - log2(used.max(1))
    }
}

/// The procedures, but one, that describe a run best, and what they save: the best one first, then the next on what that
/// one leaves.
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
